use clap::Args;
use serde_json::{Value, json};

use super::Context;
use crate::driver;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen::{self, tasks};

/// Show where the tasks of the current branch stand
#[derive(Debug, Args)]
pub struct Tasks {
    /// A task file in the sandbox: its tasks without a record are shown, too
    file: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Tasks {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let listed = self.list(&context, &mut sandbox)?;
        let out = if self.json {
            format!("{listed:#}\n")
        } else {
            tasks::screen(&tasks::read(listed)?, screen::times_of_output())
        };
        report::print(&out)?;
        Ok(Exit::Done)
    }

    /// The whole list, as `task_list` gives it in parts.
    fn list(&self, context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<Value> {
        if driver::enter(sandbox)?.tools()?.iter().all(|tool| tool.name != "task_list") {
            return Err(HostError::new(ErrorKind::Usage, "the tools for tasks are off")
                .hint("set enabled = true in [tools.tasks] of gitgate.toml, or name tasks in a worker file's toolsets")
                .into());
        }
        let mut arguments = json!({});
        if let Some(file) = &self.file {
            arguments["file"] = file.as_str().into();
        }
        let mut whole: Option<Value> = None;
        loop {
            let result = context.tool(sandbox, "task_list", &arguments)?;
            let mut part: Value = serde_json::from_str(&result.structured)?;
            let next = part["next"].take();
            let whole = match &mut whole {
                None => whole.insert(part),
                Some(whole) => {
                    whole["hint"] = part["hint"].take();
                    let (more, tasks) = (part["tasks"].take(), whole["tasks"].as_array_mut());
                    if let (Some(tasks), Value::Array(more)) = (tasks, more) {
                        tasks.extend(more);
                    }
                    whole
                }
            };
            if next.is_null() {
                for name in ["next", "untrusted"] {
                    whole.as_object_mut().and_then(|fields| fields.remove(name));
                }
                return Ok(whole.take());
            }
            arguments["skip"] = next;
        }
    }
}
