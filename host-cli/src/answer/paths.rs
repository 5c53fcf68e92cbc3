//! The files that a call inside the sandbox is about, as far as its arguments say.

use gix::bstr::BString;
use serde_json::Value;

/// Tools that are about everything in the default zone when they name no file.
const EVERYTHING: [&str; 3] = ["git_diff", "list_files", "search_files"];

/// The files that a call concerns by its arguments, from the top of the repository, which is "" itself; nothing if it is about none.
///
/// As they are written: links are the sandbox's own, and so is what a glob stands for. What leaves is decided about by where it really is.
pub(super) fn named(tool: &str, arguments: &str) -> Option<Vec<BString>> {
    let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else { return None };
    let one =
        ["path", "from", "to", "working_dir", "output_dir"].into_iter().filter_map(|key| arguments.get(key)?.as_str());
    let many = ["paths", "files"].into_iter().filter_map(|key| arguments.get(key)?.as_array());
    let paths: Vec<BString> = one.chain(many.flatten().filter_map(Value::as_str)).map(from_top).collect();
    match paths.as_slice() {
        [] if EVERYTHING.contains(&tool) => Some(vec![BString::default()]),
        [] => None,
        _ => Some(paths),
    }
}

/// A path without `.`, `..` and doubled slashes, from the default zone if it is in it, else from the root.
fn from_top(path: &str) -> BString {
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/workspace/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    match parts.split_first() {
        Some((&"workspace", below)) => below.join("/").into(),
        _ => format!("/{}", parts.join("/")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_20_a_path_is_one_path_however_it_is_written() {
        for path in ["a/b", "./a//b", "/workspace/a/b", "/workspace/./x/../a/b/", "../workspace/a/b", "c/../a/b"] {
            assert_eq!(from_top(path), "a/b", "{path}");
        }
        assert_eq!(from_top("/other/x"), "/other/x");
        assert_eq!(from_top("../../.."), "/");
    }

    #[test]
    fn the_files_of_a_call_are_those_that_its_arguments_name() {
        let stage = |arguments: &str| {
            named("git_stage", arguments).map(|paths| paths.iter().map(ToString::to_string).collect())
        };
        assert_eq!(stage(r#"{"files": ["a", "b"], "message": "x"}"#), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(stage(r#"{"from": "a", "to": "/workspace/b"}"#), Some(vec!["a".to_owned(), "b".to_owned()]));
        for none in ["{}", "[]", "no JSON", r#"{"message": "path"}"#] {
            assert_eq!(stage(none), None::<Vec<String>>, "{none}");
        }
        for tool in EVERYTHING {
            assert_eq!(named(tool, "{}"), named(tool, r#"{"path": "/workspace"}"#), "{tool}");
        }
    }
}
