//! Converts repository paths for structured output.

use gix::bstr::{BStr, BString, ByteSlice};
use patch::quote::quote_path;

use crate::paths::WORKSPACE;

/// Converts `path`, relative to the repository's root, to a path for file tools. A name outside UTF-8 keeps its bytes in git's C quoting.
pub fn absolute(path: &BStr) -> String {
    let mut absolute = BString::from(format!("/{WORKSPACE}/"));
    absolute.extend_from_slice(path);
    match absolute.to_str() {
        Ok(absolute) => absolute.to_owned(),
        Err(_) => quote_path(absolute.as_bstr()).to_str_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_is_not_utf8_is_quoted() {
        assert_eq!(absolute("é \"x\"".into()), "/workspace/é \"x\"");
        assert_eq!(absolute(b"a\xff".as_bstr()), r#""/workspace/a\377""#);
    }
}
