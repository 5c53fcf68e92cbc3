//! Commit messages.

use std::borrow::Cow;

use gix::bstr::{BString, ByteSlice};

use crate::error::ToolError;

/// The message as `git commit -m` stores it (git-commit, `--cleanup=whitespace`): no white space at the ends of lines, no empty lines at
/// either end, never two empty lines in a row, and one line feed at the end.
///
/// # Errors
///
/// If nothing of the message remains, or if it has a NUL, which a commit cannot store.
pub fn clean(message: &str) -> Result<BString, ToolError> {
    if message.contains('\0') {
        return Err(ToolError::bad_args("a NUL byte in commit log message not allowed"));
    }
    let mut lines: Vec<&[u8]> = Vec::new();
    for line in message.as_bytes().split(|byte| *byte == b'\n') {
        let line = line.trim_end_with(|c| c.is_ascii_whitespace());
        let is_superfluous = line.is_empty() && lines.last().is_none_or(|last| last.is_empty());
        if !is_superfluous {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    if lines.is_empty() {
        return Err(ToolError::bad_args("message must not be empty"));
    }
    let mut clean: BString = lines.join(&b'\n').into();
    clean.push(b'\n');
    Ok(clean)
}

/// The message without trailing white space, as every structured result gives it.
pub fn text(message: &[u8]) -> Cow<'_, str> {
    message.trim_end().to_str_lossy()
}

/// The first line of a message.
pub fn subject(message: &[u8]) -> &[u8] {
    message.lines().next().unwrap_or_default()
}

/// What follows the first line, without the blank lines around it.
pub fn body(message: &[u8]) -> &[u8] {
    message[subject(message).len()..].trim()
}

#[cfg(test)]
mod tests {
    use super::clean as cleaned;

    #[test]
    fn t_git_edge_15_messages_are_cleaned_as_git_does() {
        let clean = |message: &str| cleaned(message).ok().map(|message| message.to_string());
        assert_eq!(clean("Add a file").as_deref(), Some("Add a file\n"));
        assert_eq!(clean("\n\n  Indented  \n\n\n\nBody\t\n\n").as_deref(), Some("  Indented\n\nBody\n"));
        assert_eq!(clean("# kept\n").as_deref(), Some("# kept\n"));
        assert_eq!(clean(" \n\t\n"), None);
        assert_eq!(clean("one\0two"), None);
    }
}
