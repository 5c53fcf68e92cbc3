//! `git add`.

use fastrand::Rng;

use super::super::known::Known;
use super::{Arguments, Line, Tool, draw_paths, says_yes, texts};

pub const TOOL: Tool = Tool {
    name: "git_add",
    arguments: &["paths", "all", "update", "working_dir"],
    draw,
    permits: |arguments| {
        !texts(arguments, "paths").is_empty() || arguments.contains_key("all") || arguments.contains_key("update")
    },
    line: |arguments, _| {
        let line = match (says_yes(arguments, "all", false), says_yes(arguments, "update", false)) {
            // `all` overrides the paths.
            (true, _) => Line::of(&["add", "-A"]),
            (_, true) if texts(arguments, "paths").is_empty() => Line::of(&["add", "-u"]),
            (_, true) => Line::of(&["add", "-u"]).paths(arguments),
            _ => Line::of(&["add"]).paths(arguments),
        };
        line.counts("Staged", false)
    },
};

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    let kind = random.usize(..10);
    if kind > 1 || random.bool() {
        draw_paths(random, known, &mut arguments);
    }
    match kind {
        0 | 2 => drop(arguments.insert("all".to_owned(), true.into())),
        1 | 3 => drop(arguments.insert("update".to_owned(), true.into())),
        _ => {}
    }
    arguments
}
