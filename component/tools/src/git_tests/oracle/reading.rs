//! Compares the reading tools with git. Each tool is a description of its arguments.
//!
//! `GITGATE_SEED` repeats one scene, `GITGATE_SCENES` sets their number, and `GITGATE_SHOWN` shows more than one wrong call.
//! `GITGATE_TEST_HISTORY` names a repository whose history is tested too.

mod blame;
mod diff;
mod log;
mod show;
mod status;
mod values;

use super::calls::Tool;
use super::covering;
use super::judge::{Difference, compare};
use super::run::{Origin, run, shown};
use super::scene::{self, Scene};
use super::seeds;
use super::shrink::{Case, shrink};
use crate::git_tests::oracle::facts::Facts;

/// The number of scenes.
const SCENES: u64 = 150;

/// The minimum number of calls in a whole run, with each argument and in total.
const LEAST: usize = 60;
const TOTAL: usize = 3000;

/// Every tool, with the number of its calls on a scene.
fn tools() -> Vec<(Tool, usize)> {
    vec![(status::tool(), 4), (diff::tool(), 13), (log::tool(), 6), (show::tool(), 5), (blame::tool(), 7)]
}

#[test]
fn every_reading_tool_says_what_git_says() {
    let tools = tools();
    let tally = run(&tools, seeds(SCENES), Origin::Seed, &compare);
    tally.assert_right(&tools, Origin::Seed, &compare);
    if trial::has_usual_seeds() {
        tally.assert_enough(&tools, LEAST, TOTAL);
    }
}

/// Pairs of arguments that no call has both of: the tool refuses them, or git's output would not be comparable.
const APART: &[[&str; 2]] = &[
    ["cached", "from_ref"],
    ["cached", "from_ref range"],
    ["cached", "to_ref"],
    ["cached", "commitId"],
    ["cached", "output_dir"],
    ["from_ref", "from_ref range"],
    ["from_ref", "commitId"],
    ["from_ref range", "to_ref"],
    ["from_ref range", "commitId"],
    ["from_ref range", "output_dir"],
    ["to_ref", "commitId"],
    ["commitId", "output_dir"],
    ["max_bytes", "output_dir"],
];

#[test]
fn no_more_arguments_are_kept_apart_than_are_said_to_be() {
    let apart: Vec<_> = tools().iter().flat_map(|(tool, _)| covering::excluded(tool)).collect();
    assert_eq!(apart, APART);
}

#[test]
fn over_the_history_of_another_repository_too() {
    let Ok(path) = std::env::var("GITGATE_TEST_HISTORY") else { return };
    assert!(std::path::Path::new(&path).is_absolute(), "GITGATE_TEST_HISTORY is an absolute path: {path}");
    let tools = tools();
    let origin = Origin::Repository(&path);
    run(&tools, seeds(SCENES / 4), origin, &compare).assert_right(&tools, origin, &compare);
}

/// A wrong comparison is shrunk to the smallest call that shows it.
#[test]
fn a_wrong_call_is_shown_in_its_smallest_form() {
    let tools = tools();
    let wrong = |scene: &mut Scene, facts: &Facts, tool: &Tool, call: &super::calls::Call| {
        let line = tool.line(facts, &call.arguments);
        let is_wrong = facts.files.len() > 2 && line.options.contains(&"-uno".to_owned());
        let mut said = || Ok(scene.output(&["rev-parse", "--git-dir"]));
        is_wrong.then(|| Difference {
            command: line.command(tool.command, facts).join(" "),
            git: said(),
            ours: Ok(String::new()),
        })
    };
    let tally = run(&tools, 0..12, Origin::Seed, &wrong);
    let ((seed, _), (call, difference)) = tally.wrong.first_key_value().expect("some call leaves untracked files out");
    let case = Case { steps: scene::plan(*seed), call: call.clone(), difference: difference.clone() };
    assert!(case.steps.len() > 3 && case.call.arguments.len() > 1, "{:?}", case.steps);
    let case = shrink(case, &tools[0].0, &wrong);
    assert!(case.steps.len() <= 3, "{:?}", case.steps);
    assert_eq!(serde_json::Value::Object(case.call.arguments.clone()), serde_json::json!({"untracked": false}));
    let text = shown(*seed, &case, "git_status");
    assert!(text.contains(&format!("GITGATE_SEED={seed}: git_status {{\"untracked\":false}}")), "{text}");
    assert!(text.ends_with("--- git\n.git\n\n--- here\n\n"), "{text}");
}
