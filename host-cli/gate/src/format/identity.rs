//! The line of an author, committer or tagger: `Name <email> seconds zone`.

/// Why `line` (without its header word) is malformed. The rules are those of git's fsck.
pub(super) fn malformed(line: &[u8]) -> Option<&'static str> {
    let Some(open) = line.iter().position(|byte| matches!(byte, b'<' | b'>')) else {
        return Some("has no email");
    };
    let (name, rest) = line.split_at(open);
    if rest[0] == b'>' {
        return Some("has a > in the name");
    }
    if name.is_empty() {
        return Some("has no name and no space before the email");
    }
    if !name.ends_with(b" ") {
        return Some("has no space before the email");
    }
    let rest = &rest[1..];
    let Some(close) = rest.iter().position(|byte| matches!(byte, b'<' | b'>')) else {
        return Some("has an email without an end");
    };
    if rest[close] == b'<' {
        return Some("has a < in the email");
    }
    if line.iter().any(|byte| byte.is_ascii_control()) {
        return Some("has a control character");
    }
    let Some(date) = rest[close + 1..].strip_prefix(b" ") else {
        return Some("has no space before the date");
    };
    malformed_date(date)
}

fn malformed_date(date: &[u8]) -> Option<&'static str> {
    let Some(space) = date.iter().position(|byte| *byte == b' ') else {
        return Some("has no time zone");
    };
    let (seconds, zone) = (&date[..space], &date[space + 1..]);
    if seconds.is_empty() || !seconds.iter().all(u8::is_ascii_digit) {
        return Some("has a date that is not a number");
    }
    if seconds.len() > 1 && seconds[0] == b'0' {
        return Some("has a date with leading zeros");
    }
    // Every number of 17 digits is below 2^63, and reaches 3 thousand million years.
    if seconds.len() > 17 {
        return Some("has a date that is too large");
    }
    match zone {
        [b'+' | b'-', digits @ ..] if digits.len() == 4 && digits.iter().all(u8::is_ascii_digit) => None,
        _ => Some("has a time zone that is not a sign and four digits"),
    }
}

#[cfg(test)]
mod tests {
    use super::malformed;

    #[test]
    fn what_git_writes_is_well_formed() {
        for line in ["A U Thor <a@example.com> 0 +0000", "Ä <> 1700000000 -0330", " <a> 1 +1400"] {
            assert_eq!(malformed(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn everything_that_fsck_finds_is_malformed() {
        for line in [
            "",
            "A",
            "<a> 1 +0000",
            "A<a> 1 +0000",
            "A> <a> 1 +0000",
            "A <a 1 +0000",
            "A <a<b> 1 +0000",
            "A <a>1 +0000",
            "A <a> +0000",
            "A <a> 01 +0000",
            "A <a> -1 +0000",
            "A <a> 1 0000",
            "A <a> 1 +000",
            "A <a> 1 +00000",
            "A <a> 1 +0000 ",
            "A <a>  1 +0000",
            "A <a> 999999999999999999 +0000",
            "A\x1b <a> 1 +0000",
            "A <a\r> 1 +0000",
        ] {
            assert!(malformed(line.as_bytes()).is_some(), "{line}");
        }
    }
}
