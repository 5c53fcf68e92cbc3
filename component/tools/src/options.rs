//! The options of a sandbox.

use crate::question::Target;

/// The options that a host sets when it opens a sandbox, reduced to those the tools need.
#[derive(Clone, Debug)]
pub struct Options {
    /// The author of new commits.
    pub identity: Option<Identity>,
    /// Their committer. Default: the author.
    pub committer: Option<Identity>,
    /// The enabled toolsets.
    pub toolsets: Vec<Toolset>,
    /// The `[tools.git]` section.
    pub git: GitSettings,
    /// The `[tools.tasks]` section.
    pub tasks: TaskSettings,
    /// Whether an agent may propose a push.
    pub agent_may_propose_push: bool,
    /// The target of a push that names none. Default: the upstream of the branch.
    pub default_target: Option<Target>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            identity: None,
            committer: None,
            toolsets: vec![Toolset::Filesystem, Toolset::Git, Toolset::Repo, Toolset::Session, Toolset::Shell],
            git: GitSettings::default(),
            tasks: TaskSettings::default(),
            agent_may_propose_push: false,
            default_target: None,
        }
    }
}

/// Who has written or made a commit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Identity {
    /// `user.name`
    pub name: String,
    /// `user.email`
    pub email: String,
}

/// The `[tools.git]` section of the configuration (SRD 4.4).
#[derive(Clone, Copy, Debug)]
pub struct GitSettings {
    /// Whether the git tools are enabled.
    pub enabled: bool,
    /// Default time limit of a git tool.
    pub timeout_ms: u64,
    /// Default size limit of a git tool's text.
    pub max_bytes: usize,
}

impl Default for GitSettings {
    fn default() -> GitSettings {
        GitSettings { enabled: true, timeout_ms: 30_000, max_bytes: 200_000 }
    }
}

/// The `[tools.tasks]` section of the configuration.
#[derive(Clone, Debug)]
pub struct TaskSettings {
    /// The prefix of the keys of a record's trailers, as in `Arborist-Step` (seed 004, "Git Trailers"). The host has checked that it
    /// consists of letters, digits and hyphens.
    pub trailer_prefix: String,
}

impl Default for TaskSettings {
    fn default() -> TaskSettings {
        TaskSettings { trailer_prefix: "Arborist".to_owned() }
    }
}

/// The smallest time limit of a tool (SRD 4.4).
pub const MIN_TIMEOUT_MS: u64 = 100;
/// The largest time limit of a tool (SRD 4.4).
pub const MAX_TIMEOUT_MS: u64 = 600_000;
/// The largest size limit of a text (SRD 4.4).
pub const MAX_MAX_BYTES: usize = 5_000_000;

/// A group of tools that the host enables or disables together. A tool can be in two groups.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Toolset {
    /// Files.
    Filesystem,
    /// Staging, review and push.
    Git,
    /// Git's own commands.
    Repo,
    /// State stored in commits.
    Tasks,
    /// The sandbox itself.
    Session,
    /// Scripts.
    Shell,
    /// The few tools of the others that most work needs.
    Lean,
}

impl Toolset {
    /// The name in the options and in worker files.
    pub fn name(self) -> &'static str {
        match self {
            Toolset::Filesystem => "filesystem",
            Toolset::Git => "git",
            Toolset::Repo => "repo",
            Toolset::Tasks => "tasks",
            Toolset::Session => "session",
            Toolset::Shell => "shell",
            Toolset::Lean => "lean",
        }
    }

    /// The toolset of that name.
    pub fn from_name(name: &str) -> Option<Toolset> {
        use Toolset::{Filesystem, Git, Lean, Repo, Session, Shell, Tasks};
        [Filesystem, Git, Repo, Tasks, Session, Shell, Lean].into_iter().find(|toolset| toolset.name() == name)
    }
}
