//! The policy of a sandbox: its base, the file that `new --policy` named, and the rules that the person had remembered at the prompt.
//!
//! All of it is read anew for every call, so that what the person writes counts at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gate::policy::{Base, EXPORT, Policy, PolicyFile};

use super::SandboxFile;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::on_disk::registry;
use crate::store::disk::{self, RealDisk};
use crate::target::{Target, TargetError};

/// The rules that were remembered for one sandbox, in its folder.
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
    /// As it stands in `sandbox.toml`: the base, and the file, which is read to see that it is one. It must not lie in any of the `written`
    /// folders, which are what an agent works on and where its pushes go: whose rules would it hold?
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
            let what = format!("{} is where the agent works, or where its pushes go", path.display());
            return Err(HostError::new(ErrorKind::Refused, what).hint("put the policy where only you write").into());
        }
        Ok((read_file(&path)?.base.unwrap_or_default(), Some(path)))
    }
}

/// Everything that decides about the calls of the sandbox in `folder`. `unattended` is what the person's configuration says.
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

/// Whether a push to `target` could change the policy of a sandbox: then a person looks at it, whatever a rule says.
pub fn is_in(file: &SandboxFile, target: &Target) -> std::result::Result<bool, TargetError> {
    let Some(path) = &file.policy_file else { return Ok(false) };
    Ok(target.folders()?.iter().any(|folder| path.starts_with(folder)))
}

/// Reads a policy file. One that is wrong decides nothing, so nothing is done while it is.
pub fn read_file(path: &Path) -> Result<PolicyFile> {
    let text = std::fs::read_to_string(path).doing("read", path).map_err(|error| {
        error.hint("put the policy back, or an empty file in its place: without it nothing is decided")
    })?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<PolicyFile> {
    let place = path.display().to_string();
    PolicyFile::parse(text, &place, &tools()).map_err(|error| {
        let line = error.line.map_or_else(String::new, |line| format!(":{line}"));
        HostError::new(ErrorKind::Usage, format!("{place}{line}: {}", error.reason))
            .hint("correct that line; `gitgate policy check FILE` reads a policy without using it")
    })
}

/// The names that a rule may have for tools.
fn tools() -> Vec<&'static str> {
    registry::names().chain([EXPORT]).collect()
}

/// Adds `rule`, as it would stand in a policy file, to what is remembered for the sandbox in `folder`.
pub fn remember(folder: &Path, rule: &str) -> Result<()> {
    let path = folder.join(REMEMBERED);
    let mut text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "# Rules that were remembered at the prompt. Yours to change.\n".to_owned()
        }
        Err(error) => return Err(HostError::io("read", &path, &error)),
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
