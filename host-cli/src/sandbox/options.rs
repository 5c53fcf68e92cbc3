//! How a sandbox is set up, in the component's terms.

use super::wit;
use crate::home::{GitSettings, HexId, Identity};

/// The toolsets that are on.
const TOOLSETS: [&str; 4] = ["filesystem", "git", "repo", "session"];

/// What the component is opened with.
pub fn options(id: HexId, identity: Option<&Identity>, git: &GitSettings) -> wit::Options {
    wit::Options {
        sandbox: id.0.to_vec(),
        identity: identity.map(|who| wit::Identity { name: who.name.clone(), email: who.email.clone() }),
        zones: Vec::new(),
        toolsets: TOOLSETS.map(str::to_owned).to_vec(),
        git: wit::GitSettings { enabled: git.enabled, timeout_ms: git.timeout_ms, max_bytes: git.max_bytes },
        push: wit::PushMode::Manual,
        default_target: None,
        limits: LIMITS,
        // The journal is bound to the id, so the seed may as well be.
        seed: u64::from_le_bytes(id.0[..8].try_into().expect("eight of sixteen bytes")),
    }
}

const LIMITS: wit::Limits = wit::Limits {
    bytes: 1 << 30,
    files: 1_000_000,
    file_bytes: 256 << 20,
    path_bytes: 4096,
    open_files: 1024,
    undo_steps: 100,
    undo_bytes: 256 << 20,
};
