//! The zones that `TZ` names, as far as their offset never changes: there is no table of the others.

use bstr::ByteSlice;

use crate::state::Shell;

/// Seconds east of UTC where the script is. A zone that is not known is the host's.
pub fn offset(shell: &Shell) -> i32 {
    let wanted = shell.vars.text("TZ").and_then(|zone| fixed(&zone.to_str_lossy()));
    wanted.map_or_else(|| shell.base.files.now().utc_offset, |(_, offset)| offset)
}

/// The name of a zone, and its seconds east of UTC. None if it may have summer time, or is none.
pub fn fixed(text: &str) -> Option<(String, i32)> {
    let text = text.strip_prefix(':').unwrap_or(text);
    match text {
        "" | "UTC" | "Etc/UTC" | "UCT" | "Etc/UCT" | "Zulu" | "Etc/Zulu" | "Universal" | "Etc/Universal" => {
            return Some(("UTC".to_owned(), 0));
        }
        "GMT" | "Etc/GMT" | "Greenwich" | "Etc/Greenwich" => return Some(("GMT".to_owned(), 0)),
        _ => (),
    }
    // POSIX's form: the hours that are to be added to get UTC stand behind the name.
    let (name, offset) = match text.strip_prefix('<') {
        Some(rest) => rest.split_once('>')?,
        None => text.split_at(text.find(|char: char| !char.is_ascii_alphabetic())?),
    };
    if name.len() < 3 {
        return None;
    }
    let (sign, offset) = match offset.strip_prefix('-') {
        Some(offset) => (1, offset),
        None => (-1, offset.strip_prefix('+').unwrap_or(offset)),
    };
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i32>().ok())?;
    let parts: Vec<i32> = offset.split(':').map(number).collect::<Option<_>>()?;
    match *parts {
        [hours] if hours <= 24 => Some((name.to_owned(), sign * hours * 3_600)),
        [hours, minutes] if hours <= 24 && minutes < 60 => {
            Some((name.to_owned(), sign * (hours * 3_600 + minutes * 60)))
        }
        _ => None,
    }
}
