//! Converts a sandbox's settings to the component's options.

use gate::policy::PushMode;

use crate::limits;
use crate::settings::{HexId, Identity, SandboxFile, TaskSettings, ToolSettings};
use crate::wit;

/// The toolsets that are always on.
const TOOLSETS: [&str; 5] = ["filesystem", "git", "repo", "session", "shell"];
/// The one that is off unless a person has turned it on.
const TASKS: &str = "tasks";

/// The component's options for the sandbox that `file` describes.
pub fn options(file: &SandboxFile, tools: &ToolSettings) -> wit::Options {
    let mut options = options_of_new(file.id, tools);
    if let Some(own) = &file.tasks {
        options.toolsets = toolsets(own.enabled);
        options.tasks.trailer_prefix = own.trailer_prefix.clone().unwrap_or(options.tasks.trailer_prefix);
    }
    let identity = |who: &Identity| wit::Identity { name: who.name.clone(), email: who.email.clone() };
    wit::Options {
        identity: file.identity.as_ref().map(identity),
        committer: file.committer.as_ref().map(identity),
        push: push(push_mode(file, tools)),
        default_target: file.default_target.as_ref().map(wit::Target::from),
        ..options
    }
}

/// The component's default options.
pub fn options_of_new(id: HexId, tools: &ToolSettings) -> wit::Options {
    let git = &tools.git;
    wit::Options {
        sandbox: id.0.to_vec(),
        identity: None,
        committer: None,
        zones: Vec::new(),
        toolsets: toolsets(tools.tasks.enabled),
        git: wit::GitSettings { enabled: git.enabled, timeout_ms: git.timeout_ms, max_bytes: git.max_bytes },
        tasks: tasks(&tools.tasks),
        push: push(git.push),
        default_target: None,
        limits: limits::SANDBOX,
        // The journal is bound to the id, so the seed can be too.
        seed: u64::from_le_bytes(id.0[..8].try_into().expect("eight of sixteen bytes")),
    }
}

/// Lowers the limits to what a body has room for. Undo keeps what calls have replaced, which has no more
/// room than what is there.
pub fn hold_to(most: u64, limits: &mut wit::Limits) {
    limits.bytes = limits.bytes.min(most);
    limits.file_bytes = limits.file_bytes.min(most);
    limits.undo_bytes = limits.undo_bytes.min(most);
}

/// Who may start a push. The sandbox's setting wins over the configuration's.
pub fn push_mode(file: &SandboxFile, tools: &ToolSettings) -> PushMode {
    file.push.unwrap_or(tools.git.push)
}

fn toolsets(has_tasks: bool) -> Vec<String> {
    TOOLSETS.into_iter().chain(has_tasks.then_some(TASKS)).map(str::to_owned).collect()
}

fn tasks(tasks: &TaskSettings) -> wit::TaskSettings {
    wit::TaskSettings { trailer_prefix: tasks.trailer_prefix.clone() }
}

fn push(mode: PushMode) -> wit::PushMode {
    match mode {
        PushMode::Manual => wit::PushMode::Manual,
        PushMode::Assisted => wit::PushMode::Assisted,
    }
}
