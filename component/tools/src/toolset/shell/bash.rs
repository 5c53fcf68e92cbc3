//! `bash`: run a script in the sandbox.
//!
//! The script runs to its end, and is then judged by what it did: nothing that it does reaches further than the tree, and the call is a
//! transaction. So a script that only reads asks nobody anything, and one that changes files names them in its question. What it pushes is
//! in its result, and the host makes that call behind it.

mod kept;
mod report;
mod script;
#[cfg(test)]
mod tests;
mod world;

use std::rc::Rc;

use serde::Deserialize;
use shell::world::Halt;
use shell::{Outcome, Script};

use self::report::Ended;
use self::world::Tree;
use super::done::Done;
use super::git::Git;
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs};
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::{Effect, Output};
use crate::platform;
use crate::question::Question;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Run a bash script: the usual commands (grep find sed awk jq tar ...) and git, no network. Keeps folder and exported variables.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bash {
    /// The script
    #[serde(deserialize_with = "script::script")]
    #[cfg_attr(test, schemars(with = "String", length(min = 1)))]
    command: String,
    /// Folder to start in
    cwd: Option<String>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    max_bytes: Option<MaxBytes>,
}

/// The most bytes that a script holds in memory beside the tree: pipes, variables, what a command collects.
const MEMORY: u64 = 128 << 20;

impl Call for Bash {
    const NAME: &'static str = "bash";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Shell, Toolset::Lean];
    // It asks when it has run.
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("bash");
    type Result = report::Ran;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let zones = context.session.zones.clone().with_tmp();
        let before = kept::load(&zones)?;
        let mut begin = before.clone();
        if let Some(named) = &self.cwd {
            begin.folder = zones.folder("cwd", named)?.shown().into();
        }
        let tree = Rc::new(Tree::new(zones, context.deadline.clone(), context.now()));
        let script = Script {
            text: self.command.clone(),
            name: "bash".to_owned(),
            args: Vec::new(),
            stdin: Vec::new(),
            kept: begin,
            // A tree that may not grow large is in a body that has little room.
            most: platform::room().map_or(MEMORY, |room| MEMORY.min(room.bytes / 2)) as usize,
        };
        let mut done = Done::default();
        let world: Rc<dyn shell::World> = Rc::clone(&tree) as Rc<dyn shell::World>;
        let ran = script.run(world, |called| Git { context: &mut *context, done: &mut done }.serve(&called));
        let outcome = match ran {
            Ok(outcome) => outcome,
            Err(halt) => return Err(ended_early(halt, context, &tree)),
        };
        if let Some(error) = tree.full.take() {
            return Err(error.into());
        }
        let Outcome { stdout, stderr, status, kept } = outcome;
        let changed = tree.touched.borrow().differing().map_err(|error| ToolError::io("/workspace", &error))?;
        done.files(&changed);
        let effect = done.effect;
        let push = done.following();
        if let Some(approval) = done.approval(&self.command) {
            context.answers.get(Question::Approval(approval))?;
        }
        kept::store(context.session, &before, &kept)?;
        let cwd = kept.folder.to_string();
        let output = report::report(Ended { stdout, stderr, status, changed, cwd, push }, max_bytes);
        Ok(if effect == Effect::Keep { output } else { output.effect(effect) })
    }
}

/// Why the script as a whole has failed. What it did is taken back.
fn ended_early(halt: Halt, context: &Context<'_>, tree: &Tree) -> Stop {
    let error = match halt {
        Halt::Timeout => context.deadline.timeout(String::new()),
        Halt::TooLarge(words) => ToolError::failed(words)
            .hint("Nothing has changed. Let the script do less at a time, or write what is large to a file."),
        Halt::World(why) => match why.downcast::<Stop>() {
            Ok(stop) => return *stop,
            Err(why) => match why.downcast::<std::io::Error>() {
                Ok(error) => ToolError::io("/workspace", &error),
                Err(_) => ToolError::failed("The script ended for a reason that nobody knows"),
            },
        },
    };
    tree.full.take().unwrap_or(error).into()
}
