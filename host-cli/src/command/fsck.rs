use clap::Args;

use super::Context;
use crate::fsck;
use crate::report::{self, Exit};
use crate::screen;

/// Look at everything of a sandbox, and say whether it is sound
///
/// Reads the sandbox's own file, its journal, every attachment whole, the audit log, shown pushes and the repository inside, and changes nothing:
/// each finding says what to do about it. The exit code is 1 if there is any.
#[derive(Debug, Args)]
pub struct Fsck {
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl Fsck {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let folder = context.home.folder(&context.name)?;
        let report = fsck::look(&folder, context.config()?.git(), &*context.runtime()?)?;
        let sound = report.findings.is_empty();
        report::print(&if self.json {
            let fsck::Report { findings, notes } = &report;
            format!("{}\n", serde_json::json!({ "sound": sound, "findings": findings, "notes": notes }))
        } else {
            text(&report)
        })?;
        Ok(if sound { Exit::Done } else { Exit::Error })
    }
}

fn text(report: &fsck::Report) -> String {
    let notes = report.notes.iter().map(|note| format!("note: {}\n", screen::line(note)));
    let line = |finding: &fsck::Finding| {
        let hint = if finding.hint.is_empty() { String::new() } else { format!(": {}", screen::line(&finding.hint)) };
        format!("{}{hint}\n", screen::line(&finding.what))
    };
    let last = match report.findings.len() {
        0 => "sound\n".to_owned(),
        1 => "1 finding\n".to_owned(),
        many => format!("{many} findings\n"),
    };
    notes.chain(report.findings.iter().map(line)).chain([last]).collect()
}
