use clap::Args;
use gate::refname::BranchRef;

use super::Context;
use crate::answer;
use crate::approve::Scripted;
use crate::report::{self, Exit};
use crate::screen;

/// Say that you have looked at pushes in doubt, so that their branches can be pushed to again
///
/// A push is in doubt when it was cut off and its branch was changed by somebody else before gitgate could look. One that was cut off and
/// cannot be settled, because the repository is gone or something in it is in the way, is left as it is for good if you name its branch.
/// Nothing is changed in the repository, and what is staged in the sandbox stays staged.
#[derive(Debug, Args)]
pub struct Settle {
    /// Only those to this branch
    #[arg(value_name = "BRANCH", value_parser = |text: &str| BranchRef::from_branch(text).map_err(|fault| fault.message))]
    branch: Option<BranchRef>,
}

impl Settle {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let locked = answer::enter(&mut sandbox, &mut Scripted::default())?;
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
            [] => "Nothing is in doubt\n".to_owned(),
            settled => settled.iter().map(line).collect(),
        })?;
        Ok(Exit::Done)
    }
}
