use std::path::{Path, PathBuf};

use clap::Args;
use host::answer;
use serde_json::json;

use super::context::{Approvals, Edits};
use super::{Context, call};
use crate::driver;
use crate::error::{Doing, ErrorKind, HostError};
use crate::home::ensure_elsewhere;
use crate::report::Exit;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate export work.bundle";

/// Write the sandbox's branch and its history to a bundle file, after you approve it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    /// File to create, such as work.bundle
    #[arg(value_name = "FILE.bundle")]
    file: PathBuf,
    #[command(flatten)]
    edits: Edits,
    #[command(flatten)]
    approvals: Approvals,
}

impl Export {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let file = place(&self.file)?;
        let mut approver = context.revising_approver(&self.approvals, self.edits, None)?;
        let mut sandbox = context.open()?;
        ensure_elsewhere(&context.home.folder(&context.name)?, &file)?;
        let state = context.tool(&mut sandbox, "git_status", &json!({}))?;
        let branch = answer::branch_to_export(&state.structured)?;
        let policy = context.policy(&sandbox)?;
        let reply = driver::export(&mut sandbox, &file, &branch, policy, &mut approver, &*context.servers)?;
        call::show(&answer::export_call(&file)?, &context.ended(reply)?)
    }
}

/// Returns the absolute path of a file to create. Its folder must exist; the file must not.
fn place(file: &Path) -> anyhow::Result<PathBuf> {
    let name = file
        .file_name()
        .ok_or_else(|| HostError::new(ErrorKind::Usage, format!("{} does not name a file", file.display())))?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = folder.canonicalize().doing("find", folder)?.join(name);
    if file.symlink_metadata().is_ok() {
        let error = HostError::new(ErrorKind::Usage, format!("{} already exists", file.display()));
        return Err(error.hint("name a file that does not exist yet").into());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_does_not_exist_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.bundle");
        assert_eq!(place(&file).unwrap(), file.parent().unwrap().canonicalize().unwrap().join("a.bundle"));
        std::os::unix::fs::symlink("nowhere", &file).unwrap();
        assert!(place(&file).is_err());
        assert!(place(&folder.path().join("none/a.bundle")).is_err());
        assert!(place(Path::new("..")).is_err());
    }
}
