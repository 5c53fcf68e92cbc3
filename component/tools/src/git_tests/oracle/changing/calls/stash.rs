//! `git stash`.

use fastrand::Rng;

use super::super::known::Known;
use super::{Arguments, Line, Tool, says_yes, text};
use crate::git_tests::oracle::scene::pick;

pub const TOOL: Tool = Tool {
    name: "git_stash",
    arguments: &[
        "action push",
        "action pop",
        "action apply",
        "action drop",
        "action list",
        "action show",
        "action clear",
        "message",
        "index",
        "include_untracked",
        "restore_index",
        "working_dir",
    ],
    draw,
    permits: |arguments| text(arguments, "action") != Some("clear") || !arguments.contains_key("index"),
    line: |arguments, _| {
        let action = text(arguments, "action").unwrap_or("push");
        let mut line = Line::of(&["stash", action]);
        if action == "push" {
            line = line.with(text(arguments, "message").into_iter().flat_map(|message| ["-m", message]));
            line = line.with(says_yes(arguments, "include_untracked", false).then_some("-u"));
        }
        if matches!(action, "pop" | "apply") {
            line = line.with(says_yes(arguments, "restore_index", false).then_some("--index"));
        }
        let entry = arguments.get("index").map(|index| format!("stash@{{{index}}}"));
        if matches!(action, "pop" | "apply" | "drop" | "show") {
            line = line.with(entry.as_deref());
        }
        let brings = matches!(action, "pop" | "apply");
        let is_outcome: fn(&std::process::Output) -> bool = match brings {
            true => |output| output.stdout.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"CONFLICT")),
            false => |_| false,
        };
        Line { is_outcome, ..line }
    },
};

const MESSAGES: &[&str] =
    &["half done", "", "two\nlines \t here\n", "ünïcödé \u{1b}[31m", "  spaces  ", "On main: x", "-x"];

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    let action = match random.usize(..20) {
        0..=7 => "push",
        8..=11 if known.stashes > 0 || random.usize(..4) == 0 => "pop",
        12..=15 if known.stashes > 0 || random.usize(..4) == 0 => "apply",
        16 => "drop",
        17 => "list",
        18 => "show",
        19 if random.usize(..5) < 3 => "clear",
        _ => "push",
    };
    let is_default = action == "push" && random.bool();
    if !is_default {
        arguments.insert("action".to_owned(), action.into());
    }
    if action == "push" {
        if random.usize(..3) == 0 {
            arguments.insert("message".to_owned(), pick(random, MESSAGES).into());
        }
        if random.usize(..2) == 0 {
            arguments.insert("include_untracked".to_owned(), true.into());
        }
    } else if matches!(action, "pop" | "apply") && random.usize(..3) == 0 {
        arguments.insert("restore_index".to_owned(), true.into());
    }
    if matches!(action, "pop" | "apply" | "drop" | "show") && random.usize(..3) == 0 {
        arguments.insert("index".to_owned(), random.usize(..known.stashes + 1).into());
    }
    let folder = known.folder(random);
    if !folder.is_empty() {
        arguments.insert("working_dir".to_owned(), folder.into());
    }
    arguments
}
