//! `sandbox.toml`: the settings of one sandbox. `new` writes it once.

use std::path::PathBuf;

use gate::hex;
use gate::id::SandboxId;
use gate::policy::{Base, PushMode};
use serde::{Deserialize, Serialize};

use super::{AutoPull, Identity, Place, config};
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Act;

/// The settings of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxFile {
    /// The version of this file's layout and of its folder's.
    pub version: u32,
    /// Thirty-two hex digits that the journal is bound to.
    pub id: HexId,
    /// When it was made, in RFC 3339.
    pub created: String,
    /// The folder that relative paths of targets start from: where `new` ran.
    pub base: PathBuf,
    /// The repository on this machine that it was made from, by which its folders find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<Belonging>,
    /// The directory that its tools work on, if they are not sealed in the component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_disk: Option<PathBuf>,
    /// The author of new commits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// Their committer. Default: the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committer: Option<Identity>,
    /// The base policy, for calls that no rule covers.
    pub policy: Base,
    /// A policy file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_file: Option<PathBuf>,
    /// The targets that an agent may name, in their canonical spelling.
    pub targets: Vec<String>,
    /// The worker that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// Who may start a push. Default: the setting in `gitgate.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<PushMode>,
    /// Its tools for tasks. Default: the setting in `gitgate.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskChoice>,
    /// The target of a push that names none. Default: where the branch came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_target: Option<Place>,
    /// What `new` pulls into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auto_pull: Vec<AutoPull>,
}

/// The repository on this machine that a sandbox was made from. Both paths are canonical.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Belonging {
    /// The git folder that all worktrees share.
    pub git_dir: PathBuf,
    /// The worktree that was named. `None` for a bare repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<PathBuf>,
    /// The first commit of the history that was checked out, in hex. A repository at the same place without it is another one. `None` if
    /// there was no commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The commit that was checked out, in hex. A repository without it was rewritten since, or is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
}

/// A sandbox's own tools for tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskChoice {
    /// True if they are on.
    pub enabled: bool,
    /// What the keys of a record's trailers begin with. Default: the setting in `gitgate.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trailer_prefix: Option<String>,
}

/// Sixteen random bytes, in hex where they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HexId(pub [u8; 16]);

impl HexId {
    /// The unique name that binds approvals and the audit log to this sandbox.
    pub fn name(self) -> SandboxId {
        hex::encode(&self.0).parse().expect("hex digits are a name")
    }
}

impl TryFrom<String> for HexId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        hex::decode(&text).map(HexId).ok_or("an id is 32 lower-case hex digits")
    }
}

impl From<HexId> for String {
    fn from(id: HexId) -> String {
        hex::encode(&id.0)
    }
}

impl SandboxFile {
    /// The file's name in the sandbox's folder.
    pub const NAME: &str = "sandbox.toml";
    /// The one layout so far.
    pub const VERSION: u32 = 1;

    /// Reads `text`, which stands in `place`.
    pub fn parse(place: &str, text: &str) -> Result<Self> {
        let file: SandboxFile = gate::toml::from_str(text).map_err(|error| HostError {
            kind: ErrorKind::Damaged,
            ..config::misread(place, text, &error).hint(Act::RestoreSettings)
        })?;
        if file.version != Self::VERSION {
            return Err(HostError::new(
                ErrorKind::Damaged,
                format!("{place} has version {}, but this gitgate supports version {}", file.version, Self::VERSION),
            )
            .hint("use a newer gitgate"));
        }
        Ok(file)
    }

    /// Its text, for `place`.
    pub fn text(&self, place: &str) -> Result<String> {
        toml::to_string(self).map_err(|error| {
            HostError::new(ErrorKind::Storage, format!("cannot write {place}: {error}"))
                .hint("run gitgate in a folder whose path is UTF-8")
        })
    }
}

#[cfg(test)]
mod tests {
    use gate::forge::Forge;

    use super::*;

    fn example() -> SandboxFile {
        SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId([7; 16]),
            created: "2026-11-20T10:00:00+00:00".to_owned(),
            base: "/home/ada".into(),
            repository: Some(Belonging {
                git_dir: "/home/ada/project/.git".into(),
                worktree: Some("/home/ada/project".into()),
                root: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
                tip: Some("89abcdef0123456789abcdef0123456789abcdef".to_owned()),
            }),
            on_disk: Some("/home/ada/debug".into()),
            identity: Some("Ada <ada@example.org>".parse().unwrap()),
            committer: None,
            policy: Base::Strict,
            policy_file: Some("/home/ada/policy.toml".into()),
            targets: vec!["local:/home/ada/project".to_owned()],
            worker: Some("report-writer".to_owned()),
            push: Some(PushMode::Assisted),
            tasks: None,
            default_target: Some(Place::Local { path: ".".to_owned(), branch: Some("reports".to_owned()) }),
            auto_pull: vec![
                AutoPull {
                    path: "templates/".to_owned(),
                    source: Place::LocalBare { path: "../a #b.git".to_owned(), branch: None },
                },
                AutoPull {
                    path: "docs".to_owned(),
                    source: Place::Server {
                        forge: Forge::Github,
                        repo: "ada/docs".to_owned(),
                        branch: Some("main".to_owned()),
                    },
                },
            ],
        }
    }

    /// As it was written before there were workers.
    const FORMER: &str = "version = 1\nid = \"07070707070707070707070707070707\"\ncreated = \"2026-11-20T10:00:00+00:00\"\n\
        base = \"/home/ada\"\npolicy = \"gate\"\ntargets = []\n";

    #[test]
    fn what_is_written_is_read_back() {
        let without = SandboxFile {
            repository: None,
            on_disk: None,
            identity: None,
            policy: Base::Gate,
            policy_file: None,
            targets: Vec::new(),
            worker: None,
            push: None,
            default_target: None,
            auto_pull: Vec::new(),
            ..example()
        };
        for file in [&example(), &without] {
            assert_eq!(SandboxFile::parse("", &file.text("").unwrap()).unwrap(), *file);
        }
        assert_eq!(without.text("").unwrap(), FORMER);
    }

    #[test]
    fn a_damaged_file_and_a_newer_one_are_told_apart() {
        let good = example().text("").unwrap();
        let error = SandboxFile::parse("sandbox.toml", &good.replace("version = 1", "version = 2")).unwrap_err();
        assert!(error.message.ends_with("has version 2, but this gitgate supports version 1"), "{error}");
        let error = SandboxFile::parse("sandbox.toml", &good.replace("0707", "07x7")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Damaged);
        assert!(error.message.contains("sandbox.toml:2: an id is 32 lower-case hex digits"), "{error}");
    }
}
