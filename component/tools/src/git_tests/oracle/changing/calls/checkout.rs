//! `git checkout`.

use fastrand::Rng;

use super::super::known::Known;
use super::super::state::State;
use super::{Arguments, Line, Tool, draw_paths, text, texts};

pub const TOOL: Tool = Tool {
    name: "git_checkout",
    arguments: &["branch", "create_branch", "commit", "paths", "working_dir"],
    draw,
    permits: |arguments| {
        let goals = ["branch", "create_branch", "commit"];
        goals.iter().any(|goal| arguments.contains_key(*goal)) || !texts(arguments, "paths").is_empty()
    },
    line: |arguments, state| {
        if let Some(new) = text(arguments, "create_branch") {
            return Line::of(&["checkout", "-b", new]);
        }
        if let Some(branch) = text(arguments, "branch") {
            return match is_branch(state, branch) && branch != "@" {
                true => Line::of(&["checkout", "--end-of-options", branch, "--"]),
                // The tool refuses unknown branches as `git switch` does, which takes @ as HEAD.
                false => Line::of(&["switch", "--end-of-options", branch]),
            };
        }
        if let Some(commit) = text(arguments, "commit") {
            return Line::of(&["checkout", "--no-guess", "--end-of-options", commit, "--"]);
        }
        Line::of(&["checkout"]).paths(arguments).counts("Restored", true)
    },
};

fn is_branch(state: &State, name: &str) -> bool {
    state.0.contains_key(&format!("ref refs/heads/{name}"))
}

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    let kind = random.usize(..12);
    if kind < 2 || random.usize(..12) == 0 {
        arguments.insert("create_branch".to_owned(), known.new_branch(random).into());
    }
    if (2..7).contains(&kind) {
        arguments.insert("branch".to_owned(), known.branch(random).into());
    }
    if (7..9).contains(&kind) {
        arguments.insert("commit".to_owned(), known.revision(random).into());
    }
    if kind >= 9 || random.usize(..8) == 0 {
        draw_paths(random, known, &mut arguments);
    } else if random.usize(..4) == 0 {
        let folder = known.folder(random);
        if !folder.is_empty() {
            arguments.insert("working_dir".to_owned(), folder.into());
        }
    }
    arguments
}
