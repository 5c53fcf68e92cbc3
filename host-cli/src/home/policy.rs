//! The policy of a sandbox: its base, the file given to `new --policy`, and the rules saved at the
//! prompt.
//!
//! Every call reads all of it again, so the person's edits apply at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gate::policy::{Base, EXPORT, Policy, PolicyFile};

use super::SandboxFile;
use crate::error::{self, Doing, ErrorKind, HostError, Result};
use crate::on_disk::registry;
use crate::store::disk::{self, RealDisk};
use crate::target::{Target, TargetError};

/// The file with the saved rules, in the sandbox's folder.
pub const REMEMBERED: &str = "policy.toml";

/// What `new --policy` may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyChoice {
    /// A built-in policy.
    Base(Base),
    /// A file with rules.
    File(PathBuf),
}

impl Default for PolicyChoice {
    fn default() -> Self {
        PolicyChoice::Base(Base::default())
    }
}

impl FromStr for PolicyChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let base = Base::ALL.into_iter().find(|base| base.name() == text);
        Ok(base.map_or_else(|| PolicyChoice::File(text.into()), PolicyChoice::Base))
    }
}

impl PolicyChoice {
    /// Returns the base and the path of the file for `sandbox.toml`. The file must be valid, and
    /// must not lie in any of the `written` folders, which an agent works in or pushes to: the
    /// agent could change its rules.
    pub fn settled<E: From<HostError>>(
        self,
        written: impl FnOnce() -> std::result::Result<Vec<PathBuf>, E>,
    ) -> std::result::Result<(Base, Option<PathBuf>), E> {
        let file = match self {
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

/// True if a push to `target` could change the sandbox's policy file. A person then reviews the
/// push, whatever the rules say.
pub fn is_in(file: &SandboxFile, target: &Target) -> std::result::Result<bool, TargetError> {
    let Some(path) = &file.policy_file else { return Ok(false) };
    Ok(target.folders()?.iter().any(|folder| path.starts_with(folder)))
}

/// Reads a policy file. An invalid file is an error, so no call runs until it is fixed.
pub fn read_file(path: &Path) -> Result<PolicyFile> {
    let text = std::fs::read_to_string(path)
        .doing("read", path)
        .map_err(|error| error.hint("restore the policy file, or create an empty one: no call runs without it"))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<PolicyFile> {
    let place = path.display().to_string();
    PolicyFile::parse(text, &place, &tools()).map_err(|error| {
        let line = error.line.map_or_else(String::new, |line| format!(":{line}"));
        HostError::new(ErrorKind::Usage, format!("{place}{line}: {}", error.reason))
            .hint("correct that line, then check the file with `gitgate policy check FILE`")
    })
}

/// The names that a rule may have for tools.
fn tools() -> Vec<&'static str> {
    registry::names().chain([EXPORT]).collect()
}

/// Adds `rule`, as it would stand in a policy file, to what is remembered for the sandbox in
/// `folder`.
pub fn remember(folder: &Path, rule: &str) -> Result<()> {
    let path = folder.join(REMEMBERED);
    let mut text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "# Rules saved at the prompt. You can edit them.\n".to_owned()
        }
        Err(error) => return Err(error::io("read", &path, &error)),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(rule);
    parse(&path, &text)?;
    disk::replace(&RealDisk, &path, |file| file.write_all(text.as_bytes())).doing("write", &path)
}

#[cfg(test)]
mod tests {
    use gate::policy::{Caller, Facts, Marked, Mode, Severity, Verdict};

    use super::*;

    fn stage<'a>() -> Facts<'a> {
        let marked = Some(Marked { risk: Severity::Medium, summary: "Stage" });
        Facts { marked, ..Facts::of_call("git_stage", Mode::Both, Caller::Agent) }
    }

    #[test]
    fn a_choice_is_a_base_or_a_file() {
        assert_eq!("strict".parse(), Ok(PolicyChoice::Base(Base::Strict)));
        assert_eq!("./gate".parse(), Ok(PolicyChoice::File("./gate".into())));
    }

    #[test]
    fn a_file_is_read_when_it_is_chosen_and_names_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = root.join("p.toml");
        let settle = || PolicyChoice::File(path.clone()).settled(|| Ok::<_, HostError>(Vec::new()));
        assert_eq!(settle().unwrap_err().kind, ErrorKind::Storage);
        std::fs::write(&path, "base = \"strict\"\n").unwrap();
        assert_eq!(settle().unwrap(), (Base::Strict, Some(path.clone())));
        let inside = PolicyChoice::File(path.clone()).settled(|| Ok::<_, HostError>(vec![root.clone()])).unwrap_err();
        assert_eq!(inside.kind, ErrorKind::Refused, "an agent could write it");
        std::fs::write(&path, "\n[[deny]]\ntool = \"rm\"\n").unwrap();
        let wrong = settle().unwrap_err();
        assert_eq!(wrong.kind, ErrorKind::Usage);
        assert_eq!(wrong.message, format!("{}:2: there is no tool \"rm\"; `gitgate tools` lists them", path.display()));
    }

    #[test]
    fn what_is_remembered_counts_from_the_next_call_on_and_never_over_what_the_file_denies() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = SandboxFile::with_line("policy = \"strict\"");
        let decide = |file: &SandboxFile| read(folder.path(), file, false).unwrap().decide(&stage()).verdict;
        assert!(matches!(decide(&file), Verdict::Ask { .. }));
        remember(folder.path(), "[[allow]]\ntool = \"git_stage\"\n").unwrap();
        assert_eq!(decide(&file), Verdict::Allow);
        remember(folder.path(), "[[allow]]\ntool = \"git_pull\"\n").unwrap();
        assert_eq!(read(folder.path(), &file, false).unwrap().rules().len(), 2);
        let path = folder.path().join("deny.toml");
        std::fs::write(&path, "[[deny]]\ntool = \"git_stage\"\n").unwrap();
        file.policy_file = Some(path);
        assert!(matches!(decide(&file), Verdict::Deny { .. }));
    }

    #[test]
    fn a_rule_that_is_none_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        remember(folder.path(), "[[allow]]\ntool = \"git_stage\"\n").unwrap();
        let before = std::fs::read(folder.path().join(REMEMBERED)).unwrap();
        assert!(remember(folder.path(), "[[allow]]\ntool = \"x\"\n").is_err());
        assert_eq!(std::fs::read(folder.path().join(REMEMBERED)).unwrap(), before);
    }
}
