use clap::Args;
use gate::policy::Caller;

use super::context::Approvals;
use super::{Context, call};
use crate::answer::Call;
use crate::report::Exit;

/// Bring new commits of the target's branch into the sandbox
///
/// The staged commits are applied on top of them. Files that both sides changed keep the markers of
/// a conflict.
#[derive(Debug, Args)]
pub struct Pull {
    #[command(flatten)]
    approvals: Approvals,
}

impl Pull {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let call = Call { tool: "git_pull".to_owned(), arguments: "{}".to_owned(), caller: Caller::User };
        call::perform(&context, &mut sandbox, &call, &mut *context.approver(&self.approvals)?, false)
    }
}
