use clap::Args;
use gate::ledger::{Entry, Ledger, LineHash, Record};
use serde::Serialize;

use super::Context;
use crate::error::{ErrorKind, HostError};
use crate::home::SandboxFile;
use crate::report::{self, Exit};
use crate::screen;
use crate::store::Store;

/// Show what was approved and rejected in a sandbox, and what became of its pushes, latest last
///
/// Every line of the log stands for all before it. Whoever can write the file can write another log, though: note the hash that --verify
/// prints where they cannot write, and give it to --head later.
#[derive(Debug, Args)]
pub struct Log {
    /// Print one JSON object for each entry
    #[arg(long)]
    pub json: bool,
    /// Print the number of entries and the hash of the last one, after a check that none was changed, dropped, moved or added between others
    #[arg(long)]
    verify: bool,
    /// Check as well that the log was once at this hash, and is the same up to there
    #[arg(long, value_name = "HASH", value_parser = hash)]
    head: Option<LineHash>,
}

fn hash(text: &str) -> Result<LineHash, String> {
    text.parse().map_err(|fault: gate::Fault| format!("{}: {}", fault.message, fault.hint))
}

/// An entry for programs: the record as it stands in the log.
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
        let store = Store::open(&folder, SandboxFile::read(&folder)?.id.name())?;
        let (ledger, damage) = store.ledger.look()?;
        let verify = self.verify || self.head.is_some();
        if !verify {
            report::print(&if self.json { json(&ledger) } else { screen::audit::screen(&ledger) })?;
        }
        // What stands before the damage is shown, and believed; the damage is an error all the same.
        if let Some(fault) = damage {
            return Err(HostError::from(fault).into());
        }
        if let Some(head) = self.head
            && !ledger.contains(head)
        {
            return Err(HostError::new(ErrorKind::Damaged, format!("the log has never been at {head}"))
                .hint("it was cut off before that, or made anew: compare it with a backup, and look at what has landed in the targets")
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
        let printed = Printed { number, hash: hash.to_string(), time: screen::audit::time(record.at()), record };
        format!("{}\n", serde_json::to_string(&printed).expect("it has only string keys"))
    };
    (1..).zip(ledger.entries()).map(line).collect()
}
