use clap::Args;
use gate::ledger::{Entry, Ledger, LineHash, Record};
use serde::Serialize;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::screen;
use crate::store;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate log
  gitgate log --verify";

/// Show approvals, rejections and the results of pushes, oldest first
///
/// The hash of each entry covers all entries before it. Anyone who can write the file can still
/// replace the whole log: keep the hash that --verify prints where they cannot write, and pass it
/// to --head later.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Log {
    /// Print one JSON object for each entry
    #[arg(long)]
    pub json: bool,
    /// Check that no entry was changed, dropped, moved or inserted, and print the number of entries
    /// and the last hash
    #[arg(long)]
    verify: bool,
    /// Also check that the log once had this hash and is unchanged up to there
    #[arg(long, value_name = "HASH", value_parser = hash)]
    head: Option<LineHash>,
}

fn hash(text: &str) -> Result<LineHash, String> {
    text.parse().map_err(|fault: gate::Fault| {
        format!("{}: give the whole hash that `gitgate log --verify` printed", fault.message)
    })
}

/// An entry as JSON: the record as the log stores it.
#[derive(Serialize)]
struct Printed<'a> {
    number: usize,
    hash: String,
    time: String,
    #[serde(flatten)]
    record: &'a Record,
}

impl Log {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.sandbox(&context.name)?;
        let store = store::open(&folder)?;
        let (ledger, damage) = store.ledger.look()?;
        let verify = self.verify || self.head.is_some();
        if !verify {
            report::print(&if self.json {
                json(&ledger)
            } else {
                screen::audit::screen(&ledger, screen::times_of_output())
            })?;
        }
        // Entries before the damage are valid and were printed. The damage is still an error.
        if let Some(fault) = damage {
            return Err(HostError::from(fault).into());
        }
        if let Some(head) = self.head
            && !ledger.contains(head)
        {
            return Err(HostError::new(ErrorKind::Damaged, format!("the log never had the hash {head}"))
                .hint("compare the log with a backup, and check what has landed in the targets: the log was cut off or rewritten")
                .into());
        }
        let torn = store.ledger.torn()?;
        if torn > 0 {
            report::note(&screen::audit::torn(torn));
        }
        if verify {
            let (records, head) = (ledger.entries().len(), ledger.head());
            report::print(&match self.json {
                true => format!("{}\n", serde_json::json!({ "records": records, "head": head.to_string() })),
                false => format!("{records} {}, {head}\n", if records == 1 { "record" } else { "records" }),
            })?;
        }
        Ok(Exit::Done)
    }
}

fn json(ledger: &Ledger) -> String {
    let line = |(number, Entry { hash, record }): (usize, &Entry)| {
        let printed = Printed { number, hash: hash.to_string(), time: screen::times::exact(record.at()), record };
        format!("{}\n", serde_json::to_string(&printed).expect("it has only string keys"))
    };
    (1..).zip(ledger.entries()).map(line).collect()
}
