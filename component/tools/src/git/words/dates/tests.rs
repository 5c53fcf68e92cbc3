//! Compares dates with the git program, shown and parsed.
#![cfg(not(target_os = "wasi"))]

mod approximate;
mod shown;

/// The `TZ` variable for a zone `offset` seconds east of UTC. POSIX counts zones west of UTC.
fn zone_variable(offset: i32) -> String {
    let (sign, size) = (if offset > 0 { '-' } else { '+' }, offset.unsigned_abs());
    format!("<here>{sign}{}:{:02}:{:02}", size / 3600, size / 60 % 60, size % 60)
}
