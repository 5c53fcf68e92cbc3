//! `sandbox_receive`: take what a client of git pushes to the sandbox, as `git receive-pack` does.
//!
//! | file | what it does |
//! |---|---|
//! | `pack` | looks whether the pack is whole and has nothing besides |
//! | `branch` | moves a branch, and the files if it is checked out |
//! | `own` | which commits of a branch somebody's pushes have brought |
//!
//! A push changes the sandbox only. What it brings are staged commits, which leave as others do.

mod branch;
mod own;
mod pack;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use self::branch::Moved;
use crate::approval::{Annotations, Mode};
use crate::error::{Stop, ToolError};
use crate::git::history::tracking;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::sandbox::named::id;

/// Take commits that a client of git pushes to the sandbox's branches, as staged ones. Only the user can call it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SandboxReceive {
    /// The branches, each by its full name
    commands: Vec<Command>,
    /// The pack, by the SHA-256 of the attachment. Not needed if it has no objects
    pack: Option<String>,
    /// Its index, likewise
    index: Option<String>,
    /// Who pushes. They may replace what they have pushed before
    by: String,
    /// Move all branches or none
    #[serde(default)]
    atomic: bool,
}

/// What shall become of a ref.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Command {
    /// Its full name.
    name: String,
    /// Where its pushes begin, as far as the client knows.
    old: Option<String>,
    /// What it shall lead to. Without it, it is deleted.
    new: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Received {
    /// In the order of the commands.
    refs: Vec<Became>,
}

/// What became of a ref.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Became {
    name: String,
    /// Why it was refused; null if it leads to the new commit.
    refused: Option<String>,
    /// Whether it was somewhere else before.
    moved: bool,
    /// The arguments of git_push that propose it; null if it was refused.
    push: Option<Push>,
}

/// Arguments of git_push.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Push {
    commit_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Place>,
}

/// The target of a push: its type, and a path or a repository.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Place {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repo: Option<String>,
    branch: String,
}

impl Call for SandboxReceive {
    const NAME: &'static str = "sandbox_receive";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Session];
    const ANNOTATIONS: Annotations = Annotations::writes().only(Mode::Manual);
    /// A push may be as large as the limits allow.
    const HURRIED: bool = false;
    const FILE: &'static str = schema_file!("sandbox_receive");
    type Result = Received;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let mut new = BTreeSet::new();
        for hex in self.commands.iter().filter_map(|command| command.new.as_deref()) {
            new.insert(id(hex)?);
        }
        pack::take(context, self.pack.as_deref(), self.index.as_deref(), &new)?;
        let repo = context.session.repo()?;
        let landed = tracking::heads(&repo)?;
        let mut refs = Vec::with_capacity(self.commands.len());
        for Command { name, old, new } in &self.commands {
            let [old, new] = [old, new].map(|hex| hex.as_deref().map(id).transpose());
            let wanted = branch::Wanted { name, old: old?, new: new?, by: &self.by };
            let moved = branch::check(&repo, &wanted, &landed, context.deadline)?;
            refs.push((wanted, moved));
        }
        let is_refused = |(_, moved): &(_, Result<Moved, String>)| moved.is_err();
        if let Some((first, Err(why))) = refs.iter().find(|found| is_refused(found))
            && (self.atomic || refs.iter().all(is_refused))
        {
            // The call fails, so the sandbox is as it was, without the pack.
            let kind = ToolError::new(crate::error::ErrorKind::Conflict, format!("{}: {why}", first.name));
            return Err(kind.hint("Nothing has changed.").into());
        }
        let mut became = Vec::with_capacity(refs.len());
        for (wanted, moved) in refs {
            let name = wanted.name.to_owned();
            became.push(match moved {
                Ok(moved) => {
                    branch::make(context, &repo, &wanted, moved)?;
                    let push = Some(branch::proposing(context, &repo, wanted.name)?);
                    Became { name, refused: None, moved: moved != Moved::Not, push }
                }
                Err(why) => Became { name, refused: Some(why), moved: false, push: None },
            });
        }
        let text: String =
            became.iter().map(|one| format!("{}\t{}\n", one.name, one.refused.as_deref().unwrap_or("ok"))).collect();
        Ok(Output::new::<SandboxReceive>(text, Received { refs: became }))
    }
}
