//! `git_log`

use serde_json::json;

use super::values::{PATH, flag, max_bytes, string, timeout, working_dir};
use crate::git_tests::oracle::calls::{Argument, Tool};
use crate::git_tests::oracle::log::format;

pub fn tool() -> Tool {
    Tool {
        name: "git_log",
        command: "log",
        arguments: vec![
            Argument {
                name: "max_count",
                kinds: vec![|drawing| Some(json!(drawing.random.u32(1..6))), |_| Some(json!(u32::MAX >> 1))],
                line: |value, _, line| line.options.push(format!("--max-count={value}")),
            },
            Argument {
                name: "skip",
                kinds: vec![|drawing| Some(json!(drawing.random.u32(0..4))), |_| Some(json!(u32::MAX >> 1))],
                line: |value, _, line| line.options.push(format!("--skip={value}")),
            },
            flag("oneline", |_, _, _| {}),
            Argument {
                name: "format",
                kinds: vec![|drawing| Some(json!(format(drawing.random))), |drawing| {
                    Some(json!(drawing.choose(&[
                        "oneline",
                        "fuller",
                        "raw",
                        "%h %s",
                        "reference",
                        "%H%n%B",
                        "%an %ar"
                    ])))
                }],
                line: |value, _, line| line.options.push(format!("--format={}", string(value))),
            },
            Argument {
                name: "author",
                kinds: vec![|drawing| {
                    Some(json!(drawing.choose(&["A", "^[A-M]", "é", "@example\\.", "nobody", "x*", "\\(a\\|b\\)"])))
                }],
                line: |value, _, line| line.options.push(format!("--author={}", string(value))),
            },
            Argument {
                name: "since",
                kinds: vec![|drawing| Some(json!(drawing.choose(DATES)))],
                line: |value, _, line| line.options.push(format!("--since={}", string(value))),
            },
            Argument {
                name: "until",
                kinds: vec![|drawing| Some(json!(drawing.choose(DATES)))],
                line: |value, _, line| line.options.push(format!("--until={}", string(value))),
            },
            Argument {
                name: "grep",
                kinds: vec![|drawing| {
                    Some(json!(drawing.choose(&["^[A-Z]", "fix", "[0-9]$", "^$", "Merge", "e.*e", "a\nb"])))
                }],
                line: |value, _, line| line.options.push(format!("--grep={}", string(value))),
            },
            Argument { name: "path", kinds: PATH.to_vec(), line: |value, _, line| line.paths = vec![string(value)] },
            max_bytes(),
            timeout(),
            working_dir(),
        ],
        options: |arguments, line| {
            let is_oneline = arguments.get("oneline").is_some_and(|value| value == true);
            if is_oneline && !arguments.contains_key("format") {
                line.options.push("--oneline".to_owned());
            }
        },
        permits: |_| true,
        leaves_out: |_, _| false,
    }
}

const DATES: &[&str] = &[
    "2020-01-01",
    "1 year ago",
    "2 weeks ago",
    "yesterday",
    "@1000000000 +0000",
    "2026-01-01 00:00:00 +0000",
    "now",
    "never",
    "5.days.ago",
    "last friday",
];
