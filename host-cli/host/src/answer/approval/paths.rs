//! The files that a call inside the sandbox concerns, according to its arguments.

use bstr::BString;
use serde_json::Value;

use crate::answer::call::paths;

/// Tools that concern everything in the default zone, and the argument that narrows it.
const EVERYTHING: [(&str, &str); 5] = [
    ("git_diff", "paths"),
    ("git_patches", "paths"),
    ("glob", "path"),
    ("list_files", "path"),
    ("search_files", "path"),
];

/// The paths that a call's arguments name, relative to the top of the repository, which is "".
/// `None` if they name none.
///
/// Links and globs are not resolved: both are the sandbox's own. A push is judged by the real
/// paths.
pub fn named(tool: &str, arguments: &str) -> Option<Vec<BString>> {
    // As the component reads it.
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let mut arguments: Value = serde_json::from_str(text).ok().filter(Value::is_object)?;
    // The folder is no file that the call concerns: its paths start there.
    let within = arguments.as_object_mut()?.remove("working_dir");
    let within = within.as_ref().and_then(Value::as_str).unwrap_or_default();
    let mut paths: Vec<BString> = Vec::new();
    paths::each(tool, &mut arguments, &mut |path| paths.push(from_top(within, path)));
    let is_absent =
        |key: &str| arguments.get(key).is_none_or(|value| value.is_null() || *value == Value::Array(vec![]));
    if EVERYTHING.iter().any(|(everything, less)| *everything == tool && is_absent(less)) {
        paths.push(BString::default());
    }
    (!paths.is_empty()).then_some(paths)
}

/// Resolves a path from the folder `within`, without `.`, `..` and doubled slashes. The result is
/// relative to the default zone if it lies in it, else absolute.
fn from_top(within: &str, path: &str) -> BString {
    let absolute =
        |path: &str, below: &str| if path.starts_with('/') { path.to_owned() } else { format!("{below}/{path}") };
    let path = absolute(path, &absolute(within, "/workspace"));
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
            assert_eq!(from_top("", path), "a/b", "{path}");
        }
        assert_eq!(from_top("", "/other/x"), "/other/x");
        assert_eq!(from_top("", "../../.."), "/");
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
        for (tool, arguments) in [
            ("list_files", "{}"),
            ("list_files", " \n"),
            ("search_files", r#"{"path": "/workspace"}"#),
            ("git_diff", "{}"),
            ("git_diff", r#"{"paths": [], "working_dir": "docs"}"#),
            ("git_diff", r#"{"from_ref": "a", "to_ref": "b", "output_dir": "."}"#),
        ] {
            let paths = named(tool, arguments).unwrap();
            assert!(paths.iter().all(|path| path.is_empty()), "{tool} {arguments}: {paths:?}");
        }
        let diff = named("git_diff", r#"{"paths": ["a", "../b"], "working_dir": "docs"}"#).unwrap();
        assert_eq!(diff, ["docs/a", "b"]);
    }
}
