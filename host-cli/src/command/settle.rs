use clap::Args;
use gate::refname::BranchRef;
use host::answer;

use super::Context;
use crate::driver;
use crate::report::{self, Exit};
use crate::screen;

/// Confirm that you have checked the pushes in doubt, so that you can push to their branches again
///
/// A push is in doubt if it was interrupted and somebody else changed its branch before gitgate
/// could check it. An interrupted push may also stay open because the repository is gone or
/// something in it blocks the push: name its branch to leave that push as it is for good. Changes
/// nothing in the repository, and proposed commits stay proposed.
#[derive(Debug, Args)]
pub struct Settle {
    /// Only pushes to this branch
    #[arg(value_name = "BRANCH", value_parser = |text: &str| BranchRef::from_branch(text).map_err(|fault| fault.message))]
    branch: Option<BranchRef>,
}

impl Settle {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        context.ensure_person("settle a push")?;
        let mut sandbox = context.open()?;
        let locked = driver::enter(&mut sandbox)?;
        let settled = answer::settle_by_word(&locked, self.branch.as_ref())?;
        let line = |intent: &gate::ledger::Intent| {
            let target = intent.target.to_string();
            format!(
                "Settled the push of {} to {} at {}\n",
                intent.new,
                intent.reference.branch(),
                screen::line(&target)
            )
        };
        report::print(&match settled.as_slice() {
            [] => "No push is in doubt\n".to_owned(),
            settled => settled.iter().map(line).collect(),
        })?;
        Ok(Exit::Done)
    }
}
