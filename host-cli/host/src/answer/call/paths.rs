//! The files that a call names, and their names outside.

use std::path::Path;

use serde_json::Value;

/// The arguments that name one file or folder.
const ONE: [&str; 6] = ["path", "from", "to", "cwd", "output_dir", "working_dir"];
/// The arguments that name several.
const MANY: [&str; 2] = ["paths", "files"];
/// What the lines of a patch that name a file begin with (`apply_patch`).
const OF_PATCH: [&str; 4] = ["*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "];

/// Shows every path in the arguments of `tool`, which have its own names, and takes it back.
pub(crate) fn each(tool: &str, arguments: &mut Value, visit: &mut impl FnMut(&mut String)) {
    let Value::Object(arguments) = arguments else { return };
    for name in ONE {
        if let Some(Value::String(path)) = arguments.get_mut(name) {
            visit(path);
        }
    }
    for name in MANY {
        let Some(Value::Array(paths)) = arguments.get_mut(name) else { continue };
        for path in paths {
            if let Value::String(path) = path {
                visit(path);
            }
        }
    }
    match tool {
        "edit_file" => {
            for edit in arguments.get_mut("edits").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(Value::String(path)) = edit.get_mut("path") {
                    visit(path);
                }
            }
        }
        // A pattern may begin with a folder.
        "glob" => {
            if let Some(Value::String(pattern)) = arguments.get_mut("pattern")
                && (pattern.starts_with('/') || is_drive(pattern))
            {
                visit(pattern);
            }
        }
        "apply_patch" => {
            if let Some(Value::String(patch)) = arguments.get_mut("patch") {
                of_patch(patch, visit);
            }
        }
        _ => {}
    }
}

fn of_patch(patch: &mut String, visit: &mut impl FnMut(&mut String)) {
    let mut changed = false;
    let mut lines = String::with_capacity(patch.len());
    for line in patch.split_inclusive('\n') {
        let Some((header, path)) = named_in(line) else {
            lines.push_str(line);
            continue;
        };
        let mut now = path.to_owned();
        visit(&mut now);
        // One behind a mark is a line of a file's context: it is seen, in case the mark is none, and stays as it is.
        if line.starts_with(char::is_whitespace) || now == path {
            lines.push_str(line);
            continue;
        }
        changed = true;
        let at = line.find(header).expect("the line has it") + header.len();
        let after = line[at..].find(path).expect("the line has it") + at + path.len();
        lines.push_str(&line[..at]);
        lines.push_str(&now);
        lines.push_str(&line[after..]);
    }
    if changed {
        *patch = lines;
    }
}

/// The file that a line of a patch names, if it is one.
fn named_in(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim();
    OF_PATCH.into_iter().find_map(|header| Some((header, line.strip_prefix(header)?.trim())))
}

/// A script in which the worktree `outside` is called `/workspace`, if it names it: the name by itself or with a path behind it.
pub(crate) fn in_script(outside: &Path, script: &str) -> Option<String> {
    let outside = outside.to_str().filter(|outside| outside.starts_with('/') && outside.len() > 1)?;
    let is_name = |char: char| char.is_alphanumeric() || "._-~".contains(char);
    let (mut changed, mut rest) = (String::new(), script);
    while let Some(at) = rest.find(outside) {
        let (before, after) = (&rest[..at], &rest[at + outside.len()..]);
        changed.push_str(before);
        let begins = !changed.chars().next_back().is_some_and(|char| is_name(char) || char == '/');
        let ends = !after.chars().next().is_some_and(is_name);
        changed.push_str(if begins && ends { "/workspace" } else { outside });
        rest = after;
    }
    changed.push_str(rest);
    (changed != script).then_some(changed)
}

/// Where the file that is `path` outside is in the sandbox, if it is in the worktree `outside` that the sandbox was made from.
///
/// Only names are compared, whole segments, and nothing is looked up. What comes after the worktree's name is left as it is, so every rule of
/// paths applies to it.
pub(crate) fn inside(outside: &Path, path: &str) -> Option<String> {
    let outside = outside.to_str()?;
    // Windows has canonical paths in this form. No client writes it.
    let outside = outside.strip_prefix(r"\\?\").unwrap_or(outside);
    let is_windows = is_drive(outside);
    if !(path.starts_with('/') && !is_windows || is_windows && is_drive(path)) {
        return None;
    }
    let mut worktree = segments(outside, is_windows).peekable();
    let mut rest = segments(path, is_windows).peekable();
    let first = *worktree.peek()?;
    // The sandbox's own names go first.
    if rest.peek() == Some(&"workspace") && !is_windows {
        return None;
    }
    for (at, segment) in worktree.enumerate() {
        let other = rest.next()?;
        // Only a drive has a name that is not told apart by case.
        let is_same = if is_windows && at == 0 { first.eq_ignore_ascii_case(other) } else { segment == other };
        if !is_same {
            return None;
        }
    }
    let rest: Vec<&str> = rest.collect();
    Some(if rest.is_empty() { "/workspace".to_owned() } else { format!("/workspace/{}", rest.join("/")) })
}

/// Whether a path begins with a drive, as in `C:\project`.
fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// The segments of a path but for those that say nothing.
fn segments(path: &str, is_windows: bool) -> impl Iterator<Item = &str> {
    let parts = path.split(move |char| char == '/' || is_windows && char == '\\');
    parts.filter(|part| !part.is_empty() && *part != ".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(path: &str) -> Option<String> {
        inside(Path::new("/home/ada/project"), path)
    }

    #[test]
    fn a_script_names_the_worktree_by_whole_segments() {
        let script = |text: &str| in_script(Path::new("/home/ada/project"), text);
        assert_eq!(
            script("cat /home/ada/project/a | grep \"/home/ada/project\"").unwrap(),
            "cat /workspace/a | grep \"/workspace\""
        );
        assert_eq!(script("cd /home/ada/project&&ls").unwrap(), "cd /workspace&&ls");
        for other in [
            "ls /home/ada/project2",
            "ls /home/ada/project-evil/x",
            "ls x/home/ada/project",
            "ls /x//home/ada/project",
            "ls",
        ] {
            assert_eq!(script(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_of_the_repository_outside_is_the_sandboxs() {
        for (outside, within) in [
            ("/home/ada/project", "/workspace"),
            ("/home/ada/project/", "/workspace"),
            ("/home/ada/project/src/a.rs", "/workspace/src/a.rs"),
            ("//home/./ada/project//src/a.rs", "/workspace/src/a.rs"),
        ] {
            assert_eq!(of(outside).as_deref(), Some(within), "{outside}");
        }
    }

    #[test]
    fn attack_05_a_name_that_only_begins_like_the_repositorys_is_not_its() {
        for path in [
            "/home/ada/project-evil/a",
            "/home/ada/projec",
            "/home/ada",
            "/home/ada/Project/a",
            "/home/ada/x/../project/a",
            "/home/../home/ada/project/a",
            "home/ada/project/a",
            "~/project/a",
            "C:\\home\\ada\\project\\a",
            "\\home\\ada\\project\\a",
            "/workspace/a",
            "",
        ] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(inside(Path::new("/"), "/etc/passwd"), None);
        assert_eq!(inside(Path::new("/workspace"), "/workspace/a"), None, "it is its own name already");
    }

    #[test]
    fn attack_06_what_comes_after_the_repository_is_left_to_the_rules_of_paths() {
        assert_eq!(of("/home/ada/project/../x").as_deref(), Some("/workspace/../x"));
        assert_eq!(of("/home/ada/project/.GIT/config").as_deref(), Some("/workspace/.GIT/config"));
        assert_eq!(of("/home/ada/project/a\\..\\b").as_deref(), Some("/workspace/a\\..\\b"));
    }

    #[test]
    fn a_windows_client_writes_backslashes() {
        for root in ["C:\\ada\\project", "\\\\?\\C:\\ada\\project", "c:/ada/project"] {
            let of = |path: &str| inside(Path::new(root), path);
            assert_eq!(of("C:\\ada\\project\\src\\a.rs").as_deref(), Some("/workspace/src/a.rs"), "{root}");
            assert_eq!(of("c:/ada/project/src/a.rs").as_deref(), Some("/workspace/src/a.rs"), "{root}");
            assert_eq!(of("D:\\ada\\project\\a"), None, "{root}");
            assert_eq!(of("C:\\ada\\project-evil\\a"), None, "{root}");
            assert_eq!(of("/ada/project/a"), None, "{root}");
        }
    }

    #[test]
    fn every_path_of_a_call_is_seen() {
        let seen = |tool: &str, mut arguments: Value| {
            let mut paths = Vec::new();
            each(tool, &mut arguments, &mut |path| {
                paths.push(path.clone());
                path.insert(0, '+');
            });
            (paths, arguments)
        };
        let (paths, arguments) = seen("git_stage", json!({"files": ["a", "b"], "message": "path"}));
        assert_eq!(
            (paths, arguments),
            (vec!["a".to_owned(), "b".to_owned()], json!({"files": ["+a", "+b"], "message": "path"}))
        );
        let (paths, _) = seen("edit_file", json!({"edits": [{"path": "a", "old": "path"}]}));
        assert_eq!(paths, ["a"]);
        let patch = "*** Begin Patch\n*** Update File: a b \n*** Move to: c\n@@\n-*** Add File: x\n+y\n*** Add File: d\r\n+e\n*** Delete File: f\n*** End Patch";
        let (paths, arguments) = seen("apply_patch", json!({"patch": patch}));
        assert_eq!(paths, ["a b", "c", "d", "f"]);
        let now = patch
            .replace("a b ", "+a b ")
            .replace("to: c", "to: +c")
            .replace("File: d", "File: +d")
            .replace("File: f", "File: +f");
        assert_eq!(arguments["patch"], now);
    }
}
