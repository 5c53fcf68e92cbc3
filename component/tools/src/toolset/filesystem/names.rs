//! Formats paths in the results of file tools.

use std::borrow::Cow;

use gix::bstr::ByteSlice;

use crate::paths::WORKSPACE;

/// An absolute path in structured output: unchanged, or with git's quoting if it is not UTF-8.
pub fn structured(path: &[u8]) -> String {
    match path.to_str() {
        Ok(path) => path.to_owned(),
        Err(_) => patch::quote::quote_path(path.as_bstr()).to_string(),
    }
}

/// An absolute path in text, in the shortest form that a tool accepts: relative inside the workspace. A path that is not UTF-8, breaks the
/// line, or looks like a quoted one gets git's quoting.
pub fn text(path: &[u8]) -> Cow<'_, [u8]> {
    let short = path
        .strip_prefix(b"/")
        .and_then(|path| path.strip_prefix(WORKSPACE.as_bytes()))
        .and_then(|path| path.strip_prefix(b"/"))
        .filter(|path| !path.is_empty())
        .unwrap_or(path);
    if short.starts_with(b"\"") || !short.is_utf8() || short.iter().any(u8::is_ascii_control) {
        Cow::Owned(patch::quote::quote_path(short.as_bstr()).to_vec())
    } else {
        Cow::Borrowed(short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_relative_below_the_workspace_only() {
        for (path, shown) in [
            ("/workspace/a/b.md", "a/b.md"),
            ("/workspace/", "/workspace/"),
            ("/workspaces/a", "/workspaces/a"),
            ("/docs/a", "/docs/a"),
            ("/workspace/café", "café"),
        ] {
            assert_eq!(text(path.as_bytes()), shown.as_bytes());
        }
    }

    #[test]
    fn t_files_names_that_would_break_the_line_are_quoted() {
        assert_eq!(text(b"/workspace/a\nb"), br#""a\nb""#.as_slice());
        assert_eq!(text(b"/workspace/\xff"), br#""\377""#.as_slice());
        assert_eq!(text(b"/workspace/\"a\""), br#""\"a\"""#.as_slice());
    }

    #[test]
    fn structured_names_are_quoted_only_if_they_are_no_strings() {
        assert_eq!(structured("/workspace/é\n".as_bytes()), "/workspace/é\n");
        assert_eq!(structured(b"/workspace/\xff"), r#""/workspace/\377""#);
    }
}
