//! `git commit`.

use fastrand::Rng;

use super::super::known::Known;
use super::{Arguments, Line, Tool, text};
use crate::git_tests::oracle::scene::pick;

pub const TOOL: Tool = Tool {
    name: "git_commit",
    arguments: &["type", "message", "scope", "working_dir"],
    draw,
    permits: |arguments| text(arguments, "type").is_some() && text(arguments, "message").is_some(),
    line: |arguments, _| {
        let kind = text(arguments, "type").unwrap_or_default();
        let message = text(arguments, "message").unwrap_or_default();
        let title = match text(arguments, "scope") {
            Some(scope) => format!("{kind}({scope}): {message}"),
            None => format!("{kind}: {message}"),
        };
        Line::of(&["commit", "-m", &title])
    },
};

const MESSAGES: &[&str] = &[
    "do something",
    "a subject\n\nand a body\nof two lines\n",
    "trailing space   \n\n\n\nand empty lines\n\n",
    "ünïcödé \u{1b}[31m",
    "a subject\nthat goes on",
    "$(touch x); `id` | \"quoted\" 'too' && rm -rf . > y",
    "# not a comment",
];

fn draw(random: &mut Rng, known: &Known) -> Arguments {
    let mut arguments = Arguments::new();
    arguments.insert("type".to_owned(), pick(random, &["feat", "fix", "docs"]).into());
    arguments.insert("message".to_owned(), pick(random, MESSAGES).into());
    if random.usize(..3) == 0 {
        arguments.insert("scope".to_owned(), pick(random, &["core", "a-b", "x_1"]).into());
    }
    let folder = known.folder(random);
    if !folder.is_empty() {
        arguments.insert("working_dir".to_owned(), folder.into());
    }
    arguments
}
