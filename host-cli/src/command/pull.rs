use std::path::Path;

use clap::Args;
use gate::policy::Caller;
use gix::ObjectId;
use host::answer::{Call, Reply, given_commit};
use serde::Deserialize;
use serde_json::json;

use super::context::Approvals;
use super::destination::{Destination, destination, origin};
use super::new::named;
use super::{Context, call};
use crate::error::{Doing, Result};
use crate::program::Environment;
use crate::remote;
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::signing::{Verdict, Verifier};

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
        let reply = context.run(&mut sandbox, &call, &mut *context.approver(&self.approvals)?)?;
        let pulled = match &reply {
            Reply::Done(Ok(result)) => serde_json::from_str::<Pulled>(&result.structured).ok(),
            _ => None,
        };
        let exit = call::finish(&context, &call, reply, false)?;
        if let Some(said) = pulled.and_then(|pulled| signature(&pulled, &mut sandbox, &context)) {
            report::print(&said)?;
        }
        Ok(exit)
    }
}

/// What a pull says of where the branch is now.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    commit_sha: Option<String>,
}

/// Whose signature the branch's last commit has, as `git merge --verify-signatures` looks at it. `None` if it has none.
fn signature(pulled: &Pulled, sandbox: &mut Sandbox, context: &Context) -> Option<String> {
    let id = ObjectId::from_hex(pulled.commit_sha.as_ref()?.as_bytes()).ok()?;
    let verify = |sandbox: &mut Sandbox| -> Result<Option<Verdict>> {
        let Some(commit) = given_commit(&id, sandbox)? else { return Ok(None) };
        Verifier::new(Environment::of_process(), context.clock.clone()).verify(&commit)
    };
    match verify(sandbox) {
        Ok(verdict) => verdict.map(|verdict| format!("{} {}\n", id.to_hex_with_len(7), verdict.words())),
        Err(error) => {
            report::note(&format!("its signature was not checked: {error}"));
            None
        }
    }
}
