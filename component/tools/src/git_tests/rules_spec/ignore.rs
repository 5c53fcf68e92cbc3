//! The paths that `.gitignore` excludes (gitignore).

use super::Findings;
use crate::deadline::Deadline;
use crate::git::worktree::excludes;
use crate::testing::Sandbox;

/// A rule, the root's `.gitignore`, a path (a folder ends with a slash), and whether the path is excluded.
type Row = (&'static str, &'static str, &'static str, bool);

const ROWS: &[Row] = &[
    // Lines.
    ("an empty line matches nothing", "\n\n", "a", false),
    ("a line of spaces matches nothing", "   \n", "a", false),
    ("a number sign begins a comment", "#a\n", "#a", false),
    ("with a backslash it stands for itself", "\\#a\n", "#a", true),
    ("further on it is no comment", "a#b\n", "a#b", true),
    ("spaces at the end do not count", "a  \n", "a", true),
    ("with a backslash the last one does", "a\\ \n", "a ", true),
    ("and then the name without it is another", "a\\ \n", "a", false),
    ("spaces after such a one do not count", "a\\   \n", "a ", true),
    ("a tab at the end counts", "a\t\n", "a\t", true),
    ("spaces at the beginning count", " a\n", "a", false),
    ("spaces within a name count", "a b\n", "a b", true),
    ("the last line needs no line feed", "a", "a", true),
    ("a carriage return before a line feed does not count", "a\r\n", "a", true),
    ("a mark of UTF-8 at the beginning does not count", "\u{feff}a\n", "a", true),
    ("names are bytes", "\u{e9}\n", "\u{e9}", true),
    ("upper and lower case differ", "A\n", "a", false),
    ("a tab alone is a name", "\t\n", "\t", true),
    ("a backslash at the end matches nothing", "a\\\n", "a", false),
    ("not even a backslash", "a\\\n", "a\\", false),
    // The order of rules.
    ("an exclamation mark takes back what came before", "*.log\n!a.log\n", "a.log", false),
    ("and only that", "*.log\n!a.log\n", "b.log", true),
    ("the last rule that matches decides", "!a\na\n", "a", true),
    ("with a backslash an exclamation mark stands for itself", "\\!a\n", "!a", true),
    ("a second one stands for itself", "!a\n*a\n!!a\n", "!a", false),
    ("nothing is taken back below an excluded folder", "d\n!d/a\n", "d/a", true),
    ("but it is where only what is in the folder is excluded", "d/*\n!d/a\n", "d/a", false),
    ("a folder may be taken back, and excluded again in part", "/*\n!/d\n/d/*\n!/d/a\n", "d/a", false),
    ("what is not named there stays excluded", "/*\n!/d\n/d/*\n!/d/a\n", "d/b", true),
    // Slashes.
    ("a name without a slash matches at every depth", "a\n", "d/e/a", true),
    ("what is below a folder that matches is excluded", "a\n", "d/a/b", true),
    ("a slash at the beginning ties a rule to its folder", "/a\n", "d/a", false),
    ("where it does match", "/a\n", "a", true),
    ("a slash within does the same", "d/a\n", "e/d/a", false),
    ("and names what is below", "d/a\n", "d/a", true),
    ("a slash at the end is for folders", "a/\n", "a/", true),
    ("for no files", "a/\n", "a", false),
    ("at every depth", "a/\n", "d/a/", true),
    ("unless there is another slash", "d/a/\n", "e/d/a/", false),
    ("a slash alone matches nothing", "/\n", "a", false),
    ("two slashes match nothing", "a//b\n", "a/b", false),
    ("a dot is a name and no folder", "./a\n", "a", false),
    // Stars and question marks.
    ("a star matches any name", "*\n", "a", true),
    ("a star matches nothing as well", "a*b\n", "ab", true),
    ("a star matches a name with a dot in front", "*\n", ".a", true),
    ("a star without a slash matches a name at every depth", "*.c\n", "d/a.c", true),
    ("a star with a slash stays in its folder", "d/*.c\n", "d/e/a.c", false),
    ("a question mark is one byte", "?\n", "a", true),
    ("no more", "?\n", "ab", false),
    ("and no slash", "d?a\n", "d/a", false),
    ("a letter beyond ASCII is several bytes", "?\n", "\u{e9}", false),
    ("a backslash takes the meaning of a star away", "\\*\n", "a", false),
    ("two stars and a slash are any folders", "**/a\n", "d/e/a", true),
    ("none as well", "**/a\n", "a", true),
    ("two stars and a slash before a path", "**/d/a\n", "e/d/a", true),
    ("a slash and two stars are all that is below", "d/**\n", "d/e/a", true),
    ("but not the folder", "d/**\n", "d/", false),
    ("two stars between slashes are any folders", "d/**/a\n", "d/e/f/a", true),
    ("none as well", "d/**/a\n", "d/a", true),
    ("other stars are like one", "d**a\n", "d/a", false),
    ("in a row, too", "d/***/a\n", "d/e/a", true),
    ("after letters they are any folders as well", "d**/a\n", "d/e/a", true),
    ("or none", "d**/a\n", "da", true),
    ("two stars tie a rule down if a slash does", "d/**/a\n", "x/d/a", false),
    // Brackets.
    ("brackets are one of several bytes", "[ab]\n", "b", true),
    ("a range is all in between", "[a-c]x\n", "bx", true),
    ("an exclamation mark is none of them", "[!ab]\n", "b", false),
    ("so is a caret", "[^ab]\n", "c", true),
    ("a closing bracket in the first place is itself", "[]a]\n", "]", true),
    ("a hyphen at an end is itself", "[a-]\n", "-", true),
    ("classes have names", "[[:digit:]]\n", "5", true),
    ("a class that does not exist matches nothing", "[[:nothing:]]\n", "n", false),
    ("brackets match no slash", "d[/]a\n", "d/a", false),
    ("a bracket that is not closed matches nothing", "[a\n", "[a", false),
    ("a backslash takes a bracket's meaning away", "\\[a]\n", "[a]", true),
    ("in brackets, too", "[\\]]\n", "]", true),
];

/// Rules that gix, and so gitgate, evaluates differently. This list should become empty.
const DIFFERENT: &[&str] = &["\t\n"];

/// Like [`Row`], with another `.gitignore` in the folder `d`: a rule, the root's rules, the folder's, a path, and whether it is excluded.
type Nested = (&'static str, &'static str, &'static str, &'static str, bool);

const NESTED: &[Nested] = &[
    ("a folder's rules hold below it", "", "a\n", "d/e/a", true),
    ("and nowhere else", "", "a\n", "a", false),
    ("they are relative to it", "", "/a\n", "d/a", true),
    ("slashes within, too", "", "e/a\n", "d/e/a", true),
    ("the deepest rule that matches decides", "a\n", "!a\n", "d/a", false),
    ("whatever the root says at its end", "a\n!a\n", "a\n", "d/a", true),
    ("where it has none, the next one up does", "a\n", "!b\n", "d/a", true),
    ("the file of an excluded folder does not count", "d\n", "!a\n", "d/a", true),
    ("a folder does not exclude itself", "", "/\nd\n", "d/", false),
    ("a star in a folder excludes all of it", "", "*\n", "d/e/a", true),
];

/// Whether the tools exclude `path`, and whether git does.
fn excluded(files: &[(&str, &str)], path: &str) -> (bool, bool) {
    let mut sandbox = Sandbox::with_repository();
    for (file, rules) in files {
        sandbox.write(file, rules);
    }
    match path.strip_suffix('/') {
        Some(folder) => sandbox.mkdir(folder),
        None => sandbox.write(path, ""),
    }
    let path = path.trim_end_matches('/');
    let checked = sandbox.git_output(&["check-ignore", "--no-index", "--quiet", "--", path]);
    let theirs = match checked.status.code() {
        Some(0) => true,
        Some(1) => false,
        code => panic!("git check-ignore {path:?}: {code:?}"),
    };
    let repo = sandbox.session.repo().unwrap();
    let index = gix::index::State::new(gix::hash::Kind::Sha1);
    let deadline = Deadline::after(|| 0, u64::MAX);
    (excludes::is_ignored(&repo, &index, path.into(), &deadline).unwrap(), theirs)
}

#[test]
fn rules_of_ignore_files() {
    assert!(ROWS.len() + NESTED.len() >= 60);
    let mut findings = Findings::default();
    let rows = ROWS.iter().map(|(rule, root, path, expected)| (rule, *root, None, path, *expected));
    let nested =
        NESTED.iter().map(|(rule, root, folder, path, expected)| (rule, *root, Some(*folder), path, *expected));
    for (rule, root, folder, path, expected) in rows.chain(nested) {
        let mut files = vec![(".gitignore", root)];
        files.extend(folder.map(|rules| ("d/.gitignore", rules)));
        let (ours, theirs) = excluded(&files, path);
        let row = format!("{rule}: {path:?} under {files:?}");
        findings.compare("git", &row, theirs, expected);
        findings.compare("gitgate", &row, ours, expected != DIFFERENT.contains(&root));
    }
    findings.assert_none();
}

const PIECES: &[&str] = &[
    "a",
    "a",
    "b",
    "c",
    "/",
    "/",
    "*",
    "*",
    "**",
    "**/",
    "/**",
    "/**/",
    "?",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[a",
    "\\a",
    "\\",
    " ",
    "\t",
    "!",
    "#",
    "\\ ",
    "\r",
    "[[:alpha:]]",
    "\\*",
    "[^/]",
    "x",
];

const PATHS: &[&str] = &[
    "a", "ab", "ac", "abc", "b/a", "b/ab", "b/c/a", "b/c/b/a", "c/a/b/c", "c/b", "c/x", "x/a/b", "x/ab", "x/b",
    "x/c/a", "aa/b", "ax/b", "a x", "aab/a", "!", "#a", "xa", "b c/a", "c/\u{e9}",
];

#[test]
fn random_rules_exclude_what_git_excludes() {
    let mut sandbox = Sandbox::with_repository();
    for path in PATHS {
        sandbox.write(path, "");
    }
    let folders = PATHS.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]));
    let paths: Vec<&str> = PATHS.iter().copied().chain(folders).collect();
    let mut command = vec!["check-ignore", "--no-index", "--verbose", "--non-matching", "--"];
    command.extend(&paths);
    let mut random = fastrand::Rng::with_seed(1);
    let index = gix::index::State::new(gix::hash::Kind::Sha1);
    let deadline = Deadline::after(|| 0, u64::MAX);
    let mut findings = Findings::default();
    let mut excluded = 0;
    for _ in 0..300 {
        let mut rules = String::new();
        for _ in 0..random.usize(1..4) {
            let rule: String = (0..random.usize(1..6)).map(|_| *random.choice(PIECES).unwrap()).collect();
            rules.push_str(&format!("{}{rule}\n", if random.usize(..5) == 0 { "!" } else { "" }));
        }
        sandbox.write(".gitignore", &rules);
        // git prints a line for every path: file, number and rule, separated by colons.
        let checked = String::from_utf8(sandbox.git_output(&command).stdout).unwrap();
        let lines: Vec<&str> = checked.split_terminator('\n').collect();
        assert_eq!(lines.len(), paths.len());
        let repo = sandbox.session.repo().unwrap();
        for (path, line) in paths.iter().zip(lines) {
            let rule = line.splitn(3, ':').nth(2).unwrap();
            let theirs = !line.starts_with("::") && !rule.starts_with('!');
            let ours = excludes::is_ignored(&repo, &index, (*path).into(), &deadline).unwrap();
            findings.compare("gitgate", &format!("{path:?} under {rules:?}"), ours, theirs);
            excluded += usize::from(ours);
        }
    }
    assert!(excluded > 1000, "{excluded}");
    findings.assert_none();
}
