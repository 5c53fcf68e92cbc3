//! The paths that globs match: as pathspecs, where a star matches slashes, and as rules of a `.gitignore`, where it does not.

use gix::glob::wildmatch::Mode;

use super::Findings;
use crate::git::store::pathspec::Pathspec;
use crate::paths::Zones;
use crate::testing::Sandbox;

const EMPTY_BLOB: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// A rule, a glob, a path, and whether the glob matches as a pathspec, and folder by folder.
type Row = (&'static str, &'static str, &'static str, bool, bool);

const ROWS: &[Row] = &[
    // Literals.
    ("a name matches itself", "abc", "abc", true, true),
    ("all of it", "abc", "abcd", false, false),
    ("from its beginning", "bc", "abc", false, false),
    ("in the same case", "ABC", "abc", false, false),
    ("a dot is a dot", "a.c", "abc", false, false),
    ("bytes beyond ASCII are themselves", "\u{e9}*", "\u{e9}a", true, true),
    // Question marks.
    ("a question mark is one byte", "a?c", "abc", true, true),
    ("not none", "a?c", "ac", false, false),
    ("not two", "a?c", "abbc", false, false),
    ("a slash only where slashes are nothing special", "a?c", "a/c", true, false),
    ("two are one letter of two bytes", "a??c", "a\u{e9}c", true, true),
    // Stars.
    ("a star is anything", "*", "abc", true, true),
    ("and nothing", "a*c", "ac", true, true),
    ("a star goes over slashes in paths of a command only", "a*c", "a/b/c", true, false),
    ("a star at the end does not go further down, either", "a/*", "a/b/c", true, false),
    ("a star in the first place neither", "*c", "a/b/c", true, false),
    ("a star matches a dot in front", "*c", ".c", true, true),
    ("several stars share a name", "*a*b*", "xaxbx", true, true),
    ("a star is given back where it took too much", "*ab", "aabab", true, true),
    ("a star before a slash is a name", "a/*/c", "a/b/c", true, true),
    ("exactly one of them, folder by folder", "a/*/c", "a/b/b/c", true, false),
    ("a star and a slash need a slash", "a*/c", "ac", false, false),
    ("three stars between letters are like one", "a***c", "abc", true, true),
    // Two stars.
    ("two stars between letters are like one", "a**c", "a/b/c", true, false),
    ("two stars and a slash are any folders", "**/c", "a/b/c", true, true),
    ("without folders they match folder by folder only", "**/c", "c", false, true),
    ("they match whole names", "**/c", "ac", false, false),
    ("a slash and two stars are all that is below", "a/**", "a/b/c", true, true),
    ("two stars between slashes are any folders", "a/**/d", "a/b/c/d", true, true),
    ("none as well, folder by folder only", "a/**/d", "a/d", false, true),
    ("twice as well", "a/**/**/d", "a/d", false, true),
    ("two stars are a whole name", "a/**b/c", "a/x/b/c", true, false),
    ("or they are like one", "a/**b/c", "a/xb/c", true, true),
    ("before a star as well", "**/*.c", "a/b/d.c", true, true),
    ("two stars alone are everything", "**", "a/b/c", true, true),
    ("three are like two", "a/***/c", "a/b/b/c", true, true),
    // Brackets.
    ("brackets are one of their bytes", "[abc]*", "ba", true, true),
    ("and of no others", "[abc]", "d", false, false),
    ("a range goes from one byte to another", "[a-c]*", "bz", true, true),
    ("its ends belong to it", "[a-c]", "c", true, true),
    ("the wrong way round it is empty but for its first byte", "[c-a]", "b", false, false),
    ("which is itself", "[c-a]", "c", true, true),
    ("an exclamation mark is all others", "[!a-c]", "d", true, true),
    ("a caret is the same", "[^a-c]", "d", true, true),
    ("further on they are themselves", "[a^!]", "!", true, true),
    ("a slash in brackets matches where slashes are nothing special", "a[/]b", "a/b", true, false),
    ("all others have the slash among them, too", "a[!x]b", "a/b", true, false),
    ("a closing bracket in the first place is itself", "[]a]x", "]x", true, true),
    ("after an exclamation mark, too", "[!]a]", "]", false, false),
    ("a hyphen in the first place is itself", "[-a]", "-", true, true),
    ("in the last one, too", "[a-]", "-", true, true),
    ("after a range, too", "[a-c-z]", "-", true, true),
    ("a backslash is in front of what is itself", "[\\]]", "]", true, true),
    ("in a range, too", "[\\a-\\c]", "b", true, true),
    ("a bracket that is not closed matches nothing", "[ab", "a", false, false),
    ("not even itself", "x[*", "x[a", false, false),
    // Classes.
    ("[:alpha:] is letters", "[[:alpha:]]", "b", true, true),
    ("[:digit:] is digits", "[[:digit:]]", "b", false, false),
    ("[:upper:] is upper case", "[[:upper:]]", "B", true, true),
    ("[:lower:] is lower case", "[[:lower:]]", "B", false, false),
    ("[:alnum:] is letters and digits", "[[:alnum:]]", "5", true, true),
    ("[:space:] is what leaves space", "a[[:space:]]b", "a b", true, true),
    ("[:blank:] is spaces and tabs", "a[[:blank:]]b", "a\tb", true, true),
    ("[:punct:] is what is left to see", "[[:punct:]]x", "-x", true, true),
    ("[:xdigit:] is hexadecimal", "[[:xdigit:]]", "F", true, true),
    ("[:print:] is what is seen, and spaces", "a[[:print:]]b", "a b", true, true),
    ("[:graph:] is what is seen", "a[[:graph:]]b", "a b", false, false),
    ("[:cntrl:] is what is not seen", "a[[:cntrl:]]b", "a\u{1}b", true, true),
    ("classes stand beside others", "[[:digit:]x]", "x", true, true),
    ("all others than a class", "[![:digit:]]", "x", true, true),
    ("a class without a name matches nothing", "[[::]]", ":", false, false),
    ("nor one with an unknown name", "[[:letter:]]", "l", false, false),
    ("without the inner brackets it is a set of letters", "[:digit:]", "d", true, true),
    // Backslashes.
    ("a backslash takes the meaning away", "a\\*c", "abc", false, false),
    ("what is left is the byte", "a\\?c*", "a?cd", true, true),
    ("a backslash in front of any byte is left out", "\\a\\b*", "abc", true, true),
    ("two are one", "a\\\\*", "a\\b", true, true),
    ("one at the end matches nothing", "a*\\", "ab", false, false),
];

/// Whether git matches `glob` with the pathspec magic `magic` against a file at `path`.
fn of_git(sandbox: &mut Sandbox, magic: &str, glob: &str, path: &str) -> bool {
    let listed = sandbox.git_output(&["ls-files", "-z", "--", &format!("{magic}{glob}")]);
    assert!(listed.status.success(), "{glob}");
    listed.stdout.strip_suffix(b"\0") == Some(path.as_bytes())
}

#[test]
fn rules_of_globs() {
    assert!(ROWS.len() >= 60);
    let root = Zones::new("/nowhere", Vec::new()).workspace();
    let mut sandbox = Sandbox::with_repository();
    let mut findings = Findings::default();
    for (rule, glob, path, as_path, by_folder) in ROWS {
        sandbox.git(&["read-tree", "--empty"]);
        let info = format!("100644,{EMPTY_BLOB},{path}");
        sandbox.git(&["update-index", "--add", "--cacheinfo", &info]);
        let row = format!("{rule}: {glob:?} and {path:?}");
        findings.compare("git, as a path", &row, of_git(&mut sandbox, "", glob, path), *as_path);
        findings.compare("git, by folder", &row, of_git(&mut sandbox, ":(glob)", glob, path), *by_folder);
        let pathspec = Pathspec::parse(&[glob.to_string()], &root).unwrap();
        findings.compare("gitgate, as a path", &row, pathspec.matches((*path).into()), *as_path);
        // The mode of ignore rules.
        let matches = gix::glob::wildmatch((*glob).into(), (*path).into(), Mode::NO_MATCH_SLASH_LITERAL);
        findings.compare("gitgate, by folder", &row, matches, *by_folder);
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
    "[^b/]",
    "[a-c]",
    "[]a]",
    "[a",
    "]",
    "[[:alpha:]]",
    "[[:alpha:]",
    "[[:x:]]",
    "[a-",
    "[-c]",
    "[\\]]",
    "[b-\\c]",
    "\\",
    "\\a",
    "\\*",
    "\\\\",
    "-",
    "!",
    "^",
    "[/]",
    "{a,b}",
    "\u{e9}",
    "[:alpha:]",
    "[!]-a]",
    "[]-a]",
    "[--a]",
    "[[]",
];

/// Files, of which each glob matches some.
const FILES: &[&str] = &[
    "a",
    "-",
    "ab",
    "aa",
    "abc",
    "b/a",
    "b/c",
    "b/a.b",
    "c/a/b",
    "c/a/a/b",
    "c/b/c/a/c",
    "c/[a",
    "c/]",
    "c/\\",
    "c/*",
    "c/aaab",
    "]",
    "[a",
    "\\",
    "*",
    "!",
    "^",
    "\u{e9}",
    "c/\u{e9}",
    "{a,b}",
    "a-c",
    "[",
    "[]",
    "aab/c",
    "ba/b/a",
];

#[test]
fn random_globs_match_what_git_matches() {
    let root = Zones::new("/nowhere", Vec::new()).workspace();
    let mut sandbox = Sandbox::with_repository();
    for path in FILES {
        sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{EMPTY_BLOB},{path}")]);
    }
    let mut random = fastrand::Rng::with_seed(1);
    let mut findings = Findings::default();
    let mut matches = 0;
    for _ in 0..300 {
        let glob: String = (0..random.usize(1..7)).map(|_| *random.choice(PIECES).unwrap()).collect();
        if glob.starts_with('/') || glob.contains("//") {
            continue;
        }
        let pathspec = Pathspec::parse(std::slice::from_ref(&glob), &root).unwrap();
        let below = |path: &str| {
            path.strip_prefix(&glob).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || glob.ends_with('/'))
        };
        // git compares the text before the first wildcard separately, so two stars may begin the rest.
        let (literal, wild) = glob.split_at(glob.find(['*', '?', '[', '\\']).unwrap_or(glob.len()));
        let wild = |rest: &str| gix::glob::wildmatch(wild.into(), rest.into(), Mode::NO_MATCH_SLASH_LITERAL);
        let by_folder = |path: &str| below(path) || path.strip_prefix(literal).is_some_and(wild);
        for (how, magic) in [("as a path", ""), ("by folder", ":(glob)")] {
            let listed = sandbox.git_output(&["ls-files", "-z", "--", &format!("{magic}{glob}")]).stdout;
            let listed = String::from_utf8(listed).unwrap();
            let listed: Vec<&str> = listed.split_terminator('\0').collect();
            for path in FILES {
                let found = if magic.is_empty() { pathspec.matches((*path).into()) } else { by_folder(path) };
                findings.compare(how, &format!("{glob:?} and {path:?}"), found, listed.contains(path));
                matches += usize::from(found);
            }
        }
    }
    assert!(matches > 200, "{matches}");
    findings.assert_none();
}
