use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use host::fsck;

use super::Context;
use crate::error::Result;
use crate::home::{ToolSettings, policy};
use crate::report::{self, Exit};
use crate::sandbox::Runtime;
use crate::screen;
use crate::store::FileStorage;
use crate::store::disk::RealDisk;

/// Check everything that a sandbox stores
///
/// Reads the sandbox's own file, its journal, every attachment, the audit log, pending pushes and
/// calls, and the repository inside. Changes nothing. Each finding says how to fix it. Exits with 1
/// if there are findings.
#[derive(Debug, Args)]
pub struct Fsck {
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl Fsck {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.folder(&context.name)?;
        let report = check(&folder, context.config()?.tools(), &*context.runtime()?)?;
        let json = || format!("{}\n", report.json(screen::hint::words));
        report::print(&if self.json { json() } else { text(&report) })?;
        Ok(if report.is_sound() { Exit::Done } else { Exit::Error })
    }
}

/// Checks the sandbox in `folder`.
pub(crate) fn check(folder: &Path, tools: &ToolSettings, runtime: &Runtime) -> Result<fsck::Report> {
    let storage = Rc::new(FileStorage::open(folder, Arc::new(RealDisk))?);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    fsck::look(storage, &name, tools, runtime, |file| policy::read(folder, file, false).map(drop))
}

fn text(report: &fsck::Report) -> String {
    let notes = report.notes.iter().map(|note| format!("note: {}\n", screen::line(note)));
    let line = |finding: &fsck::Finding| {
        let hint = screen::hint::words(&finding.hint);
        let hint = if hint.is_empty() { hint } else { format!(": {}", screen::line(&hint)) };
        format!("{}{hint}\n", screen::line(&finding.what))
    };
    let last = match report.findings.len() {
        0 => "sound\n".to_owned(),
        1 => "1 finding\n".to_owned(),
        many => format!("{many} findings\n"),
    };
    notes.chain(report.findings.iter().map(line)).chain([last]).collect()
}
