use clap::Args;
use serde_json::json;

use super::Context;
use crate::report::{self, Exit};
use crate::screen::{self, status};

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
            report::print(&format!("{}{}", screen::patches(&result.text), untracked(&new)))?;
            return Ok(Exit::Done);
        };
        let result = context.tool(&mut sandbox, "git_diff", &json!({ "commitId": id }))?;
        let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
        let heading = status::heading(&status::read(&state.structured)?, id);
        report::print(&format!("{heading}\n{}", screen::patches(&result.text)))?;
        Ok(Exit::Done)
    }
}

/// Names the files that the diff lacks, as git's. Nothing without any.
fn untracked(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let lines: String = files.iter().map(|file| format!("  {file}\n")).collect();
    format!("\nNew files, which a diff shows once they are proposed:\n{lines}")
}
