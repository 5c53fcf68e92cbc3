use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use gate::id::SandboxId;
use serde::Serialize;
use serde_json::json;

use super::Context;
use crate::home::ToolSettings;
use crate::report::{self, Exit};
use crate::sandbox::{self, Runtime};
use crate::screen::times::Times;
use crate::screen::{self, status};
use crate::store;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate ls
  gitgate ls --json";

/// List the sandboxes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Ls {
    /// Print one JSON object for each sandbox
    #[arg(long)]
    pub json: bool,
}

/// A sandbox in the list.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    /// What it was made from. Absent for an empty one.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// When it was made, in RFC 3339.
    created: String,
    policy: String,
    /// The calls that wait for the person.
    waiting: usize,
    /// Proposed commits. Absent while another process works in the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    staged: Option<usize>,
    /// Changed files that are in no commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<usize>,
    /// The directory that its tools work on, if they are not sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_disk: Option<PathBuf>,
    /// The files that have the markers of a merge, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<String>,
    /// Why its settings cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<String>,
}

/// The columns of the list.
const HEADER: [&str; 7] = ["NAME", "PROPOSED", "CHANGED", "WAITING", "POLICY", "CREATED", "FROM"];

/// Blanks between columns.
const GAP: usize = 2;

impl Row {
    /// Looks at a sandbox. One that cannot be looked into says so where it is opened.
    fn of(context: &Context, name: &SandboxId, tools: &ToolSettings, runtime: &Rc<Runtime>) -> anyhow::Result<Self> {
        let name = name.to_string();
        let file = match store::settings(&context.home.sandbox(&context.name)?) {
            Ok(file) => file,
            Err(error) => return Ok(Row { name, damaged: Some(error.message), ..Row::default() }),
        };
        let state = state(context, tools, runtime).ok();
        Ok(Row {
            name,
            from: file.targets.first().cloned(),
            created: file.created,
            policy: file.policy.name().to_owned(),
            waiting: context.waiting(&context.name).map_or(0, |waiting| waiting.len()),
            staged: state.as_ref().map(|state| status::unpushed(state) - status::unstaged(state)),
            changed: state.as_ref().map(status::unstaged),
            on_disk: file.on_disk,
            conflicts: state.as_ref().and_then(status::conflicts),
            damaged: None,
        })
    }

    /// What stands below [`HEADER`].
    fn cells(&self, times: Times) -> [String; HEADER.len()] {
        let count = |count: Option<usize>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
        let created = times.of_text(&self.created);
        let from = self.from.as_deref().map_or_else(|| "nothing".to_owned(), screen::line);
        let (staged, changed) = (count(self.staged), count(self.changed));
        [self.name.clone(), staged, changed, self.waiting.to_string(), self.policy.clone(), created, from]
    }

    /// What stands below its line.
    fn notes(&self) -> impl Iterator<Item = String> {
        let not_sealed = self.on_disk.as_deref().map(|folder| screen::not_sealed(folder).trim_end().to_owned());
        [not_sealed, self.conflicts.clone(), screen::hint::waiting(self.waiting, None)].into_iter().flatten()
    }
}

/// The state of a sandbox. Nobody waits for a list until another process is done.
fn state(context: &Context, tools: &ToolSettings, runtime: &Rc<Runtime>) -> anyhow::Result<status::State> {
    let folder = context.home.sandbox(&context.name)?;
    let mut sandbox = sandbox::open(&folder, tools, Rc::clone(runtime))?;
    sandbox.try_lock()?;
    let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
    Ok(status::read(&result.structured)?)
}

impl Ls {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        // Once, and not for each of them: what is wrong with it is not wrong with a sandbox.
        let config = context.config()?;
        let names = context.home.sandboxes()?;
        if names.is_empty() {
            // Not in the list: a script that reads it finds no sandbox.
            if !self.json {
                report::note("there is no sandbox yet: run `gitgate new` in a repository to make one from it");
            }
            return Ok(Exit::Done);
        }
        let runtime = context.runtime()?;
        let mut rows = Vec::new();
        for name in &names {
            rows.push(Row::of(&context.of(name.clone()), name, config.tools(), &runtime)?);
            context.clock.ensure_wanted()?;
        }
        report::print(&if self.json {
            lines_of_json(&rows)
        } else {
            table(&rows, screen::times_of_output(), screen::columns_of_output())
        })?;
        Ok(Exit::Done)
    }
}

fn lines_of_json(rows: &[Row]) -> String {
    rows.iter().map(|row| serde_json::to_string(row).expect("it has only string keys") + "\n").collect()
}

/// The table, on a screen of so many `columns`. Where the last column does not fit, it stands below each line: a path that the terminal wraps
/// runs through the columns.
fn table(rows: &[Row], times: Times, columns: Option<usize>) -> String {
    let header = HEADER.map(str::to_owned);
    let cells: Vec<_> = rows.iter().map(|row| row.cells(times)).collect();
    let width = |at: usize| cells.iter().chain([&header]).map(|cells| cells[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; HEADER.len()] = std::array::from_fn(width);
    let whole = widths.iter().sum::<usize>() + GAP * (HEADER.len() - 1);
    let beside = if columns.is_some_and(|columns| whole > columns) { HEADER.len() - 1 } else { HEADER.len() };
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(widths).take(beside);
        let padded: Vec<String> = cells.map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", padded.join(&" ".repeat(GAP)).trim_end())
    };
    let below = |text: &str, name: &str| format!("{name:width$}  {text}\n", width = widths[0]);
    let mut out = line(&header);
    for (row, cells) in rows.iter().zip(&cells) {
        match &row.damaged {
            Some(why) => out.push_str(&below(&format!("damaged: {}", screen::line(why)), &row.name)),
            None => {
                out.push_str(&line(cells));
                cells[beside..].iter().for_each(|from| out.push_str(&below(&format!("from {from}"), "")));
            }
        }
        row.notes().for_each(|note| out.push_str(&below(&note, "")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_header_and_counts() {
        let row = |name: &str| Row {
            name: name.to_owned(),
            created: "2026-11-20T10:00:05+00:00".to_owned(),
            ..Row::default()
        };
        let rows = [
            Row {
                from: Some("local:/a\u{1b}b".to_owned()),
                staged: Some(2),
                changed: Some(10),
                waiting: 1,
                policy: "gate".to_owned(),
                ..row("one")
            },
            Row { policy: "strict".to_owned(), ..row("another") },
            Row { damaged: Some("no such file".to_owned()), ..row("x") },
        ];
        assert_eq!(
            table(&rows, Times::EXACT, None),
            "\
NAME     PROPOSED  CHANGED  WAITING  POLICY  CREATED                    FROM
one      2         10       1        gate    2026-11-20T10:00:05+00:00  local:/a\\x1bb
         1 call waits for you: gitgate review
another  ?         ?        0        strict  2026-11-20T10:00:05+00:00  nothing
x        damaged: no such file
"
        );
        assert_eq!(table(&rows, Times::EXACT, Some(85)), table(&rows, Times::EXACT, None));
        assert_eq!(
            table(&rows, Times::EXACT, Some(84)),
            "\
NAME     PROPOSED  CHANGED  WAITING  POLICY  CREATED
one      2         10       1        gate    2026-11-20T10:00:05+00:00
         from local:/a\\x1bb
         1 call waits for you: gitgate review
another  ?         ?        0        strict  2026-11-20T10:00:05+00:00
         from nothing
x        damaged: no such file
"
        );
        assert_eq!(lines_of_json(&rows).lines().count(), rows.len());
    }
}
