//! What an agent's process inherits: the person's environment, without what lets it act in their name
//! at GitHub or through git.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Variables with credentials, or with the way to some.
const CREDENTIALS: [&str; 12] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GITHUB_PAT",
    "GITLAB_TOKEN",
    "BITBUCKET_TOKEN",
    "HUB_CONFIG",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "GPG_AGENT_INFO",
];

/// All of git's variables, and all of gitgate's: the agent's server is told on its command line.
const FAMILIES: [&str; 2] = ["GIT_", "GITGATE_"];

fn is_kept_back(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    CREDENTIALS.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Keeps credentials out of what `command` inherits of `inherited`. git finds no configuration with a
/// helper that has some, and asks nobody; gh finds no login. `empty` is a folder without anything.
pub fn strip(command: &mut Command, inherited: impl Iterator<Item = (OsString, OsString)>, empty: &Path) {
    for (name, _) in inherited {
        if is_kept_back(&name) {
            command.env_remove(name);
        }
    }
    let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
    command.env("GIT_CONFIG_GLOBAL", nothing).env("GIT_CONFIG_SYSTEM", nothing).env("GIT_TERMINAL_PROMPT", "0");
    command.env("GH_CONFIG_DIR", empty);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_13_an_agent_inherits_no_credentials() {
        let names = ["GITHUB_TOKEN", "GIT_ASKPASS", "SSH_AUTH_SOCK", "GITGATE_MCP_TOKEN", "PATH", "ANTHROPIC_API_KEY"];
        let inherited = names.map(|name| (OsString::from(name), OsString::from("x")));
        let mut command = Command::new("agent");
        strip(&mut command, inherited.into_iter(), Path::new("/empty"));
        let set: Vec<_> = command.get_envs().map(|(name, value)| (name.to_str().unwrap(), value.is_some())).collect();
        for gone in ["GITHUB_TOKEN", "GIT_ASKPASS", "SSH_AUTH_SOCK", "GITGATE_MCP_TOKEN"] {
            assert!(set.contains(&(gone, false)), "{gone}");
        }
        assert!(!set.iter().any(|(name, _)| ["PATH", "ANTHROPIC_API_KEY"].contains(name)), "{set:?}");
        assert!(set.contains(&("GIT_CONFIG_GLOBAL", true)));
    }
}
