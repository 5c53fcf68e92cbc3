use std::collections::BTreeMap;

use clap::Args;
use dialect::{Dialect, table};
use serde::Serialize;
use serde_json::value::RawValue;

use super::Context;
use crate::driver;
use crate::home::ToolSettings;
use crate::report::{self, Exit};
use crate::sandbox::{tools_of_new, wit};
use crate::screen;

/// The toolset that is off unless a person turns it on.
const TASKS: &str = "tasks";

/// List the tools that an agent can call
#[derive(Debug, Args)]
pub struct Tools {
    /// Print names, descriptions and schemas as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed<'a> {
    name: &'a str,
    description: &'a str,
    toolsets: &'a [String],
    input_schema: &'a RawValue,
    output_schema: &'a RawValue,
    manual: bool,
    read_only: bool,
    destructive: bool,
    idempotent: bool,
    open_world: bool,
    other_names: OtherNames,
}

/// What other clients call a tool and its arguments: each name with the dialects that have it.
#[derive(Serialize)]
struct OtherNames {
    tool: Names,
    arguments: BTreeMap<&'static str, Names>,
    /// Arguments that only explain a call, and do not count.
    remarks: Names,
}

type Names = BTreeMap<&'static str, Vec<&'static str>>;

impl OtherNames {
    fn of(tool: &str) -> Self {
        let dialects = |all: &[Dialect]| all.iter().map(|dialect| dialect.name()).collect();
        let names = |theirs: table::Names| theirs.iter().map(|(name, all)| (*name, dialects(all))).collect();
        let own = table::TOOLS.iter().find(|known| known.ours == tool);
        let remarks = table::REMARKS.iter().filter(|remark| remark.tools.contains(&tool));
        OtherNames {
            tool: own.map(|own| names(own.theirs)).unwrap_or_default(),
            arguments: table::Argument::of(tool).map(|argument| (argument.ours, names(argument.theirs))).collect(),
            remarks: remarks.map(|remark| (remark.name, dialects(remark.dialects))).collect(),
        }
    }
}

impl Tools {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let runtime = context.runtime()?;
        let tools = if context.home.sandboxes()?.is_empty() {
            // Before the first sandbox exists, list what a new one offers.
            tools_of_new(&*runtime, context.config()?.tools())?
        } else {
            driver::enter(&mut context.chosen(None)?.open()?)?.tools()?
        };
        let out = match self.json {
            true => json(&tools)?,
            false => screen::block(&list(&tools)) + &off(&tools, &tools_of_new(&*runtime, &ToolSettings::all())?),
        };
        report::print(&out)?;
        Ok(Exit::Done)
    }
}

fn json(tools: &[wit::ToolSpec]) -> anyhow::Result<String> {
    let print = |tool: &wit::ToolSpec| {
        serde_json::to_string(&Printed {
            name: &tool.name,
            description: &tool.description,
            toolsets: &tool.toolsets,
            input_schema: serde_json::from_str(&tool.schema)?,
            output_schema: serde_json::from_str(&tool.output_schema)?,
            manual: tool.manual,
            read_only: tool.read_only,
            destructive: tool.destructive,
            idempotent: tool.idempotent,
            open_world: tool.open_world,
            other_names: OtherNames::of(&tool.name),
        })
    };
    let tools = tools.iter().map(print).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[{}]\n", tools.join(",\n")))
}

/// The toolsets that a person can turn on.
fn off(tools: &[wit::ToolSpec], all: &[wit::ToolSpec]) -> String {
    let is_on = |toolset: &str| tools.iter().any(|tool| tool.toolsets.iter().any(|name| name == toolset));
    let count = all.iter().filter(|tool| tool.toolsets.iter().all(|name| name == TASKS)).count();
    match is_on(TASKS) {
        true => String::new(),
        false => format!(
            "off: {TASKS} ({count} tools). To turn it on, set enabled = true in [tools.{TASKS}] of gitgate.toml.\n"
        ),
    }
}

fn list(tools: &[wit::ToolSpec]) -> String {
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or_default();
    let line = |tool: &wit::ToolSpec| {
        let what = tool.description.split_inclusive(". ").next().unwrap_or_default().replace('\n', " ");
        let who = if tool.manual { " (only the user)" } else { "" };
        format!("{:width$}  {}{who}\n", tool.name, what.trim_end())
    };
    tools.iter().map(line).collect()
}
