//! `git_blame`

use serde_json::json;

use super::values::{PATH, RANGES, SINGLE, max_bytes, steps_beyond_the_end, string, timeout, working_dir};
use crate::git_tests::oracle::calls::{Argument, Draw, Tool};

pub fn tool() -> Tool {
    Tool {
        name: "git_blame",
        command: "blame",
        arguments: vec![
            Argument {
                name: "path",
                kinds: [TRACKED, PATH].concat(),
                line: |value, _, line| line.paths = vec![string(value)],
            },
            Argument {
                name: "start_line",
                kinds: vec![|drawing| Some(json!(drawing.random.u32(1..12)))],
                line: |_, _, _| {},
            },
            Argument {
                name: "end_line",
                kinds: vec![|drawing| Some(json!(drawing.random.u32(1..12)))],
                line: |_, _, _| {},
            },
            Argument {
                name: "commit",
                kinds: [SINGLE, RANGES].concat(),
                line: |value, _, line| line.revisions.push(string(value)),
            },
            max_bytes(),
            timeout(),
            working_dir(),
        ],
        options: |arguments, line| {
            let number = |name: &str| arguments.get(name).and_then(|value| value.as_u64());
            match (number("start_line"), number("end_line")) {
                (None, None) => {}
                (Some(start), None) => line.options.push(format!("-L{start},")),
                (start, Some(end)) => line.options.push(format!("-L{},{end}", start.unwrap_or(1))),
            }
        },
        permits: |given| given("path"),
        leaves_out: |facts, arguments| {
            let number = |name: &str| arguments.get(name).and_then(|value| value.as_u64());
            let is_backwards = number("start_line").zip(number("end_line")).is_some_and(|(start, end)| start > end);
            is_backwards || steps_beyond_the_end(facts, arguments, &["commit"])
        },
    }
}

/// Files in HEAD. Most of them can be blamed.
const TRACKED: &[Draw] = &[|drawing| {
    let paths = drawing.facts.in_head.clone();
    drawing.inside(&paths).map(|path| json!(path))
}];
