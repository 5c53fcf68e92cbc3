//! `git_show`

use serde_json::json;

use super::values::{RANGES, SINGLE, flag, max_bytes, steps_beyond_the_end, string, timeout, working_dir};
use crate::git_tests::oracle::calls::{Argument, Draw, Tool};
use crate::git_tests::oracle::log::format;

pub fn tool() -> Tool {
    Tool {
        name: "git_show",
        command: "show",
        arguments: vec![
            Argument {
                name: "commit",
                kinds: [SINGLE, RANGES, OTHERS].concat(),
                line: |value, _, line| line.revisions.push(string(value)),
            },
            flag("stat", |_, _, _| {}),
            flag("name_only", |_, _, _| {}),
            Argument {
                name: "format",
                kinds: vec![|drawing| Some(json!(format(drawing.random))), |drawing| {
                    Some(json!(drawing.choose(&["", "oneline", "email", "raw", "%h %s", "format:%s", "%B"])))
                }],
                line: |value, _, line| line.options.push(format!("--format={}", string(value))),
            },
            max_bytes(),
            timeout(),
            working_dir(),
        ],
        options: |arguments, line| {
            let is_on = |name: &str| arguments.get(name).is_some_and(|value| value == true);
            if is_on("name_only") {
                line.options.push("--name-only".to_owned());
            } else if is_on("stat") {
                line.options.push("--stat".to_owned());
            }
        },
        permits: |_| true,
        leaves_out: |facts, arguments| steps_beyond_the_end(facts, arguments, &["commit"]),
    }
}

/// Files, and all parents of a commit.
const OTHERS: &[Draw] = &[
    |drawing| {
        let paths = drawing.facts.in_head.clone();
        drawing.one(&paths).map(|path| json!(format!("HEAD:{path}")))
    },
    |drawing| Some(json!(drawing.choose(&["HEAD^!", "HEAD^@", "HEAD~1^!"]))),
];
