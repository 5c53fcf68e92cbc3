//! `git restore`.

use fastrand::Rng;

use super::super::known::Known;
use super::{Arguments, Line, Tool, draw_paths, says_yes, texts};

pub const TOOL: Tool = Tool {
    name: "git_restore",
    arguments: &["paths", "staged", "worktree", "working_dir"],
    draw,
    permits: |arguments| {
        let does = says_yes(arguments, "staged", false) || says_yes(arguments, "worktree", true);
        does && !texts(arguments, "paths").is_empty()
    },
    line: |arguments, _| {
        let staged = says_yes(arguments, "staged", false).then_some("--staged");
        let worktree = says_yes(arguments, "worktree", true).then_some("--worktree");
        Line::of(&["restore"]).with(staged).with(worktree).paths(arguments).counts("Restored", true)
    },
};

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    draw_paths(random, known, &mut arguments);
    match random.usize(..6) {
        0 | 1 => {
            arguments.insert("staged".to_owned(), true.into());
            arguments.insert("worktree".to_owned(), false.into());
        }
        2 => drop(arguments.insert("staged".to_owned(), true.into())),
        3 => drop(arguments.insert("worktree".to_owned(), true.into())),
        _ => {}
    }
    arguments
}
