//! Converts a sandbox's settings to the component's options.

use gate::policy::PushMode;

use crate::limits;
use crate::settings::{GitSettings, HexId, SandboxFile};
use crate::wit;

/// The toolsets that are on.
const TOOLSETS: [&str; 4] = ["filesystem", "git", "repo", "session"];

/// The component's options for the sandbox that `file` describes.
pub fn options(file: &SandboxFile, git: &GitSettings) -> wit::Options {
    wit::Options {
        identity: file.identity.as_ref().map(|who| wit::Identity { name: who.name.clone(), email: who.email.clone() }),
        push: push(push_mode(file, git)),
        default_target: file.default_target.as_ref().map(wit::Target::from),
        ..options_of_new(file.id, git)
    }
}

/// The component's default options.
pub fn options_of_new(id: HexId, git: &GitSettings) -> wit::Options {
    wit::Options {
        sandbox: id.0.to_vec(),
        identity: None,
        zones: Vec::new(),
        toolsets: TOOLSETS.map(str::to_owned).to_vec(),
        git: wit::GitSettings { enabled: git.enabled, timeout_ms: git.timeout_ms, max_bytes: git.max_bytes },
        push: push(git.push),
        default_target: None,
        limits: limits::SANDBOX,
        // The journal is bound to the id, so the seed can be too.
        seed: u64::from_le_bytes(id.0[..8].try_into().expect("eight of sixteen bytes")),
    }
}

/// Who may start a push. The sandbox's setting wins over the configuration's.
pub fn push_mode(file: &SandboxFile, git: &GitSettings) -> PushMode {
    file.push.unwrap_or(git.push)
}

fn push(mode: PushMode) -> wit::PushMode {
    match mode {
        PushMode::Manual => wit::PushMode::Manual,
        PushMode::Assisted => wit::PushMode::Assisted,
    }
}
