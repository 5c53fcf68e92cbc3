//! What an agent's process inherits: the person's environment, without what lets it act in their name
//! at GitHub or another forge, or through git.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Variables with credentials, or with the way to some, that no rule below finds.
const CREDENTIALS: [&str; 7] = [
    "GH_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "HUB_CONFIG",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "GPG_AGENT_INFO",
];

/// All of git's variables, also as an editor sets them for its terminal, and all of gitgate's: the
/// agent's server is told on its command line.
const FAMILIES: [&str; 3] = ["GIT_", "VSCODE_GIT_", "GITGATE_"];

/// A variable that names one of these services, or is of GitHub's Actions, …
const SERVICES: [&str; 4] = ["GITHUB", "GITLAB", "BITBUCKET", "GITEA"];
/// … and has one of these words in its name, or the word PAT, has a credential for it.
const SECRETS: [&str; 3] = ["TOKEN", "PASSWORD", "SECRET"];

fn is_kept_back(name: &OsStr) -> bool {
    // A name that is not text has these words in it all the same.
    let name = name.to_string_lossy().to_ascii_uppercase();
    let is_secret = || {
        let has = |word: &&str| name.contains(*word);
        // PAT is in PATH, too.
        SECRETS.iter().any(has) || name.split('_').any(|part| part == "PAT")
    };
    let of_service = || SERVICES.iter().any(|service| name.contains(service)) || name.starts_with("ACTIONS_");
    CREDENTIALS.contains(&name.as_str())
        || FAMILIES.iter().any(|family| name.starts_with(family))
        || (of_service() && is_secret())
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

    /// The names that an agent inherits of `names`, and those that are set for it.
    fn inherited<'n>(names: &[&'n str]) -> (Vec<&'n str>, Vec<String>) {
        let variables = names.iter().map(|name| (OsString::from(name), OsString::from("x")));
        let mut command = Command::new("agent");
        strip(&mut command, variables, Path::new("/empty"));
        let is_gone = |name: &&&str| command.get_envs().any(|(gone, value)| gone == **name && value.is_none());
        let set = command.get_envs().filter(|(_, value)| value.is_some());
        let set = set.map(|(name, _)| name.to_str().unwrap().to_owned()).collect();
        (names.iter().filter(|name| !is_gone(name)).copied().collect(), set)
    }

    #[test]
    fn attack_13_an_agent_inherits_no_credentials() {
        let credentials = [
            "GITHUB_TOKEN",
            "GH_TOKEN",
            "GH_ENTERPRISE_TOKEN",
            "GITHUB_ENTERPRISE_TOKEN",
            "GITHUB_PAT",
            "GITHUB_PERSONAL_ACCESS_TOKEN",
            "GITHUB_OAUTH_TOKEN",
            "GITHUB_CLIENT_SECRET",
            "HOMEBREW_GITHUB_API_TOKEN",
            "COPILOT_GITHUB_TOKEN",
            "JEKYLL_GITHUB_TOKEN",
            "INPUT_GITHUB-TOKEN",
            "github_token",
            "GITLAB_TOKEN",
            "GITLAB_ACCESS_TOKEN",
            "BITBUCKET_TOKEN",
            "BITBUCKET_APP_PASSWORD",
            "GITEA_TOKEN",
            "ACTIONS_RUNTIME_TOKEN",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
            "ACTIONS_ID_TOKEN_REQUEST_URL",
            "GIT_ASKPASS",
            "GIT_CONFIG_VALUE_0",
            "VSCODE_GIT_IPC_HANDLE",
            "VSCODE_GIT_ASKPASS_NODE",
            "VSCODE_GIT_ASKPASS_MAIN",
            "SSH_AUTH_SOCK",
            "GITGATE_MCP_TOKEN",
        ];
        let (kept, set) = inherited(&credentials);
        assert_eq!(kept, Vec::<&str>::new());
        for needed in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GH_CONFIG_DIR"] {
            assert!(set.contains(&needed.to_owned()), "{needed}");
        }
    }

    #[test]
    fn what_is_no_credential_of_a_forge_is_inherited() {
        let names =
            ["PATH", "HOME", "ANTHROPIC_API_KEY", "GITHUB_API_URL", "GITHUB_PATH", "GITHUB_ACTIONS", "VSCODE_PID"];
        assert_eq!(inherited(&names).0, names);
    }
}
