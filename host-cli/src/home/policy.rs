//! Reads the policy of a sandbox.
//!
//! Every call reads all of it again, so the person's edits apply at once.

use std::path::{Path, PathBuf};

use gate::policy::{Base, Policy, PolicyFile};
use host::settings::policy::{self, REMEMBERED};
use host::settings::{PolicyChoice, SandboxFile};

use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::on_disk::registry;
use crate::screen;

/// Returns the base and the path of the file for `sandbox.toml`. The file must be valid, and must not
/// lie in any of the `written` folders, which an agent works in or pushes to: the agent could change
/// its rules.
pub fn settled<E: From<HostError>>(
    choice: PolicyChoice,
    written: impl FnOnce() -> std::result::Result<Vec<PathBuf>, E>,
) -> std::result::Result<(Base, Option<PathBuf>), E> {
    let file = match choice {
        PolicyChoice::Base(base) => return Ok((base, None)),
        PolicyChoice::File(file) => file,
    };
    let path = file.canonicalize().doing("find", &file)?;
    if written()?.iter().any(|folder| path.starts_with(folder)) {
        let what = format!("{} is in a folder that the agent works in or pushes to", path.display());
        return Err(HostError::new(ErrorKind::Refused, what)
            .hint("move the policy file to a folder that only you write to")
            .into());
    }
    Ok((read_file(&path)?.base.unwrap_or_default(), Some(path)))
}

/// Reads the whole policy of the sandbox in `folder`. `unattended` is the person's setting.
pub fn read(folder: &Path, file: &SandboxFile, unattended: bool) -> Result<Policy> {
    let mut files = Vec::new();
    if let Some(path) = &file.policy_file {
        files.push(read_file(path)?);
    }
    let remembered = folder.join(REMEMBERED);
    if remembered.try_exists().doing("read", &remembered)? {
        files.push(read_file(&remembered)?);
    }
    Ok(Policy::new(file.policy, files, unattended))
}

/// Reads a policy file. An invalid file is an error, so no call runs until it is fixed.
pub fn read_file(path: &Path) -> Result<PolicyFile> {
    let text = std::fs::read_to_string(path)
        .doing("read", path)
        .map_err(|error| error.hint("restore the policy file, or create an empty one: no call runs without it"))?;
    let tools: Vec<&str> = registry::names().collect();
    policy::parse(&path.display().to_string(), &text, &tools, screen::hint::act)
}

#[cfg(test)]
mod tests {
    use gate::policy::{Caller, Facts, Marked, Mode, Severity, Verdict};
    use host::fake::plain_settings;

    use super::*;

    fn stage<'a>() -> Facts<'a> {
        let marked = Some(Marked { risk: Severity::Medium, summary: "Stage" });
        Facts { marked, ..Facts::of_call("git_stage", Mode::Both, Caller::Agent) }
    }

    #[test]
    fn a_file_is_read_when_it_is_chosen_and_names_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = root.join("p.toml");
        let settle = || settled(PolicyChoice::File(path.clone()), || Ok::<_, HostError>(Vec::new()));
        assert_eq!(settle().unwrap_err().kind, ErrorKind::Storage);
        std::fs::write(&path, "base = \"strict\"\n").unwrap();
        assert_eq!(settle().unwrap(), (Base::Strict, Some(path.clone())));
        let inside = settled(PolicyChoice::File(path.clone()), || Ok::<_, HostError>(vec![root.clone()])).unwrap_err();
        assert_eq!(inside.kind, ErrorKind::Refused, "an agent could write it");
        std::fs::write(&path, "\n[[deny]]\ntool = \"rm\"\n").unwrap();
        let wrong = settle().unwrap_err();
        assert_eq!(wrong.kind, ErrorKind::Usage);
        assert_eq!(wrong.message, format!("{}:2: there is no tool \"rm\"; `gitgate tools` lists them", path.display()));
    }

    #[test]
    fn what_was_saved_counts_from_the_next_call_on_and_never_over_what_the_file_denies() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = plain_settings();
        let decide = |file: &SandboxFile| read(folder.path(), file, false).unwrap().decide(&stage()).verdict;
        assert!(matches!(decide(&file), Verdict::Ask { .. }));
        std::fs::write(folder.path().join(REMEMBERED), "[[allow]]\ntool = \"git_stage\"\n").unwrap();
        assert_eq!(decide(&file), Verdict::Allow);
        let path = folder.path().join("deny.toml");
        std::fs::write(&path, "[[deny]]\ntool = \"git_stage\"\n").unwrap();
        file.policy_file = Some(path);
        assert!(matches!(decide(&file), Verdict::Deny { .. }));
    }
}
