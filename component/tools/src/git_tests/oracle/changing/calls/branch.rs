//! `git branch`.

use fastrand::Rng;

use super::super::known::{Known, some};
use super::{Arguments, Line, Tool, says_yes, text};
use crate::git_tests::oracle::scene::pick;

pub const TOOL: Tool = Tool {
    name: "git_branch",
    arguments: &["list_all", "list_remote", "create", "delete", "force_delete", "rename", "new_name", "working_dir"],
    draw,
    permits: |arguments| text(arguments, "rename").is_none() || text(arguments, "new_name").is_some(),
    line: |arguments, _| {
        let all = says_yes(arguments, "list_all", false).then_some("-a");
        let remote = says_yes(arguments, "list_remote", false).then_some("-r");
        let named = |name| text(arguments, name);
        match (named("rename"), named("force_delete"), named("delete"), named("create")) {
            (Some(old), ..) => Line::of(&["branch", "-m", "--", old]).with(named("new_name")),
            (_, Some(name), ..) => Line::of(&["branch", "-D", "--", name]),
            (_, _, Some(name), _) => Line::of(&["branch", "-d", "--", name]),
            (.., Some(name)) => Line::of(&["branch", "--", name]),
            _ => Line::of(&["branch", "-v"]).with(all).with(remote),
        }
    },
};

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    let mut give = |name: &str, value: String| drop(arguments.insert(name.to_owned(), value.into()));
    match random.usize(..20) {
        0..=3 => give("create", created(random, known)),
        4..=6 => give("delete", there(random, known)),
        7..=9 => give("force_delete", there(random, known)),
        10..=13 => {
            give("rename", there(random, known));
            give("new_name", created(random, known));
        }
        14 => {
            // Only the first of them counts.
            for name in ["create", "delete", "force_delete"] {
                if random.bool() {
                    give(name, created(random, known));
                }
            }
        }
        _ => {}
    }
    for name in ["list_all", "list_remote"] {
        if random.usize(..3) == 0 {
            arguments.insert(name.to_owned(), random.bool().into());
        }
    }
    let folder = known.folder(random);
    // In a nested repository, git would work on that one.
    let has_files = || known.paths.iter().any(|path| path.starts_with(&format!("{folder}/")));
    if !folder.is_empty() && has_files() {
        arguments.insert("working_dir".to_owned(), folder.into());
    }
    arguments
}

/// A branch, most often an existing one.
fn there(random: &mut Rng, known: &Known) -> String {
    match random.usize(..8) {
        0 => odd(random, known),
        1 => known.branch(random),
        2 => known.current.clone().unwrap_or_else(|| "main".to_owned()),
        _ => some(random, &known.branches).unwrap_or_else(|| "main".to_owned()),
    }
}

/// A name, most often a free one.
fn created(random: &mut Rng, known: &Known) -> String {
    let below = |name: String, random: &mut Rng| format!("{name}/{}", pick(random, &["a", "b", "日本", "x/y"]));
    match random.usize(..10) {
        0 => odd(random, known),
        // A branch cannot be a parent folder of another one.
        1 | 2 => below(there(random, known), random),
        3 => there(random, known).rsplit_once('/').map_or_else(|| "topic".to_owned(), |(above, _)| above.to_owned()),
        4 => some(random, &known.tags).unwrap_or_else(|| "v9".to_owned()),
        5 => some(random, &known.remotes).unwrap_or_else(|| "origin/main".to_owned()),
        6 => there(random, known),
        _ => known.new_branch(random),
    }
}

/// A name that git expands or refuses.
fn odd(random: &mut Rng, known: &Known) -> String {
    let names = [
        "",
        "-",
        "--",
        "-x",
        "-d",
        "--help",
        "--output=x",
        "@",
        "HEAD",
        "head",
        "@{-1}",
        "@{-2}",
        "@{-99}",
        "@{-0}",
        "@{-1}/x",
        "@{-1}x",
        "@{u}",
        "@{upstream}",
        "@{push}",
        "@{1}",
        "a b",
        "a..b",
        "a.",
        ".a",
        "a/.b",
        "a//b",
        "/a",
        "a/",
        "a.lock",
        "a.lock/b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "[a]",
        "a\\b",
        "a@{b",
        "a@b",
        "refs/heads/main",
        "../../config",
        "x/../../../config",
        "heads/main",
        "con",
        "nul",
        "COM1",
        "a\tb",
        "a\nb",
        "\u{7f}",
        "\u{1b}[31m",
        "\u{202e}abc",
        "e\u{301}",
        "日本",
        "😀",
        "'q'",
        "\"q\"",
        "$(x)",
        "a;b",
        "a#b",
        "a=b",
        "origin/HEAD",
        "0000000000000000000000000000000000000000",
        "stash",
        "config",
        "description",
    ];
    match random.usize(..10) {
        0 => format!("{}@{{{}}}", there_is(random, known), pick(random, &["u", "upstream", "PUSH", "U", "1", "0"])),
        1 => format!("refs/heads/{}", there_is(random, known)),
        2 => some(random, &known.commits).map_or_else(|| "abcdef".to_owned(), |id| id[..7].to_owned()),
        3 => known.revision(random),
        _ => pick(random, &names).to_owned(),
    }
}

fn there_is(random: &mut Rng, known: &Known) -> String {
    some(random, &known.branches).unwrap_or_else(|| "main".to_owned())
}
