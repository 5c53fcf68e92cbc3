use std::path::Path;

use clap::Args;
use gate::policy::Caller;
use host::answer::Call;
use serde_json::json;

use super::context::Approvals;
use super::destination::{Destination, destination, origin};
use super::new::named;
use super::{Context, call};
use crate::error::Doing;
use crate::remote;
use crate::report::Exit;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate pull
  gitgate pull --from origin#release
  gitgate pull --from ../other#main";

/// Bring new commits of the target's branch into the sandbox
///
/// The proposed commits are applied on top of them. Files that both sides changed keep the markers of
/// a conflict; the command names them and exits with 4.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Pull {
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = destination,
        help = format!(
            "Another target or branch than the one that the sandbox came from: a folder, {}, with #BRANCH for a branch other \
             than HEAD's, or `origin#BRANCH`, where the sandbox came from",
            remote::usage(" or ")
        )
    )]
    from: Option<Destination>,
    #[command(flatten)]
    approvals: Approvals,
}

impl Pull {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let arguments = match &self.from {
            Some(Destination::Target(spec)) => {
                let target = remote::canonical(spec, &std::env::current_dir().doing("find", Path::new("."))?)?;
                json!({ "source": named(&target, spec.branch.as_ref()) })
            }
            Some(from) => match from.place(origin(&sandbox.file.targets).as_ref())? {
                Some(place) => json!({ "source": place }),
                None => json!({}),
            },
            None => json!({}),
        };
        let call = Call::new("git_pull", arguments.to_string(), Caller::User);
        call::perform(&context, &mut sandbox, &call, &mut *context.approver(&self.approvals)?, false)
    }
}
