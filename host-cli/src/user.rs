//! Who runs this process.

/// The user's name in the operating system's list, or `uid` and the number. Never from the
/// environment, which anybody can set.
pub fn name() -> String {
    let uid = rustix::process::getuid().as_raw();
    let list = std::fs::read("/etc/passwd").unwrap_or_default();
    name_in(&String::from_utf8_lossy(&list), uid).unwrap_or_else(|| format!("uid {uid}"))
}

/// Finds a name in a list in the format of passwd(5).
fn name_in(list: &str, uid: u32) -> Option<String> {
    list.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (!name.is_empty() && number.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_named_as_the_system_names_them() {
        let list =
            "root:x:0:0:root:/root:/bin/sh\n# a comment\n\nada:x:1000:1000:Ada Lovelace:/home/ada:/bin/sh\n:x:7:\n";
        assert_eq!(name_in(list, 1000).as_deref(), Some("ada"));
        assert_eq!(name_in(list, 0).as_deref(), Some("root"));
        assert_eq!((name_in(list, 7), name_in(list, 100)), (None, None));
        assert!(!name().is_empty());
    }
}
