//! `git_diff`

use serde_json::json;

use super::values::{RANGES, SINGLE, flag, id, max_bytes, paths, steps_beyond_the_end, string, timeout, working_dir};
use crate::git_tests::oracle::calls::{Argument, Arguments, Tool};
use crate::git_tests::oracle::facts::Facts;

pub fn tool() -> Tool {
    Tool {
        name: "git_diff",
        command: "diff",
        arguments: vec![
            flag("cached", |value, _, line| {
                line.options.extend((*value == true).then(|| "--cached".to_owned()));
            }),
            flag("name_only", |_, _, _| {}),
            flag("stat", |_, _, _| {}),
            Argument {
                name: "unified",
                kinds: vec![|_| Some(json!(0)), |drawing| Some(json!(drawing.random.u32(1..6))), |drawing| {
                    Some(json!(drawing.choose(&[100, 1_000_000, i32::MAX as u32])))
                }],
                line: |value, _, line| line.options.push(format!("-U{value}")),
            },
            paths(),
            Argument {
                name: "from_ref",
                kinds: SINGLE.to_vec(),
                line: |value, _, line| line.revisions.push(string(value)),
            },
            Argument { name: "from_ref range", kinds: RANGES.to_vec(), line: |_, _, _| {} },
            Argument {
                name: "to_ref",
                kinds: SINGLE.to_vec(),
                line: |value, _, line| line.revisions.push(string(value)),
            },
            Argument {
                name: "commitId",
                kinds: vec![id],
                line: |value, facts, line| {
                    let id = string(value);
                    line.revisions = vec![facts.before(&id), id];
                },
            },
            max_bytes(),
            timeout(),
            working_dir(),
            Argument {
                name: "output_dir",
                kinds: vec![|_| Some(json!("patches.out"))],
                line: |value, _, line| {
                    let below = if line.folder.is_empty() { String::new() } else { format!("{}/", line.folder) };
                    line.output_dir = Some(format!("{below}{}", string(value)));
                },
            },
        ],
        options: |arguments, line| {
            let is_on = |name: &str| arguments.get(name).is_some_and(|value| value == true);
            // The first overrides the second, and a folder of patches overrides both.
            if arguments.contains_key("output_dir") {
            } else if is_on("name_only") {
                line.options.push("--name-only".to_owned());
            } else if is_on("stat") {
                line.options.push("--stat".to_owned());
            }
        },
        permits: |given| {
            let any = |names: &[&str]| names.iter().any(|name| given(name));
            let range = given("from_ref range");
            let refs = range || any(&["from_ref", "to_ref"]);
            (refs || any(&["cached", "name_only", "stat", "unified", "paths", "commitId"]))
                && !(range && any(&["from_ref", "to_ref", "output_dir"]))
                && !(given("cached") && refs)
                && !(given("commitId") && (refs || given("cached")))
                && (given("from_ref") || !given("to_ref"))
                && (given("to_ref") || !given("output_dir"))
                // The limit would cut the list of patches.
                && !(given("output_dir") && given("max_bytes"))
        },
        leaves_out,
    }
}

fn leaves_out(facts: &Facts, arguments: &Arguments) -> bool {
    let text = |name: &str| arguments.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    // A range cannot be one of two sides.
    let is_range_of_two =
        arguments.contains_key("to_ref") && (text("from_ref").contains("..") || text("to_ref").contains(".."));
    let commit = text("commitId");
    let is_no_commit = !commit.is_empty() && !facts.commits.iter().any(|(id, _)| id == commit);
    is_no_commit || is_range_of_two || steps_beyond_the_end(facts, arguments, &["from_ref", "to_ref"])
}
