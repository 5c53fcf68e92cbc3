use std::io::{self, IsTerminal};
use std::path::Path;

use clap::Args;
use host::wit::ToolResult;
use serde_json::json;

use super::Context;
use crate::approve::Talk;
use crate::error::Doing;
use crate::report::{self, Exit};
use crate::review::{self, Model};
use crate::screen::{self, status};
use crate::terminal::Terminal;

/// Show a proposed commit, or all that is proposed and changed
#[derive(Debug, Args)]
pub struct Diff {
    /// Proposed commit, as `gitgate status` names it
    #[arg(value_name = "ID")]
    id: Option<String>,
}

impl Diff {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let Some(id) = &self.id else {
            let result = context.tool(&mut sandbox, "git_diff", &json!({}))?;
            let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
            let new = status::new_files(&status::read(&state.structured)?);
            return show("what is proposed and changed", "", &result, &untracked(&new));
        };
        let result = context.tool(&mut sandbox, "git_diff", &json!({ "commitId": id }))?;
        let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
        let heading = status::heading(&status::read(&state.structured)?, id);
        show(&heading, &format!("{heading}\n"), &result, "")
    }
}

/// Shows patches: in full screen if they are more than one screen of the person's terminal, else below each other.
fn show(title: &str, before: &str, result: &ToolResult, after: &str) -> anyhow::Result<Exit> {
    let patches = &*result.text;
    // What a full screen shows is files, and all of them.
    let is_whole = !result.truncated && patches.lines().any(|line| line.starts_with("diff --git "));
    if is_whole
        && io::stdout().is_terminal()
        && let Some(mut terminal) = Terminal::open()
        && patches.lines().count() + after.lines().count() > terminal.screen().rows
        && terminal.full_screen().is_some()
    {
        let text = files_of(&screen::block(patches));
        review::run(&mut terminal, Model::of_diff(title.to_owned(), &text), "", None, None)
            .doing("write to", Path::new("/dev/tty"))?;
        report::print(after)?;
        return Ok(Exit::Done);
    }
    report::print(&format!("{before}{}{after}", screen::patches(patches)))?;
    Ok(Exit::Done)
}

/// The patches without the headings of the staged commits between them. Every line of a patch has a sign or a word before it.
fn files_of(patches: &str) -> String {
    let is_heading = |line: &&str| line.is_empty() || line.starts_with("Staged commit: ");
    patches.lines().filter(|line| !is_heading(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Names the files that the diff lacks, as git's. Nothing without any.
fn untracked(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let lines: String = files.iter().map(|file| format!("  {file}\n")).collect();
    format!("\nNew files, which a diff shows once they are proposed:\n{lines}")
}
