//! Whose files are changed, and where they are.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{ErrorKind, HostError, Result};
use crate::home::user_folder;

/// Whose files are changed.
#[derive(Clone, Debug)]
pub enum Place {
    /// Those in one folder, for work in it.
    Project(PathBuf),
    /// The user's, for work anywhere.
    User(UserFolders),
}

impl Place {
    /// What a record of a set-up here is named after.
    pub fn key(&self) -> String {
        match self {
            Place::User(_) => "user".to_owned(),
            Place::Project(root) => gate::hex::encode(&Sha256::digest(root.as_os_str().as_encoded_bytes())[..8]),
        }
    }
}

/// Where clients keep a user's files.
#[derive(Clone, Debug)]
pub struct UserFolders {
    /// The user's home folder.
    pub home: PathBuf,
    /// `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder.
    pub claude: PathBuf,
    /// Claude Code's file with the user's servers: `.claude.json` in `CLAUDE_CONFIG_DIR` if that is set,
    /// else in the home folder.
    pub claude_servers: PathBuf,
    /// `CODEX_HOME`, or `.codex` in the home folder.
    pub codex: PathBuf,
    /// `XDG_CONFIG_HOME`, or `.config` in the home folder.
    pub config: PathBuf,
    /// `cursor` in `XDG_CONFIG_HOME` if that is set, else `.cursor` in the home folder.
    pub cursor: PathBuf,
    /// Where Visual Studio Code keeps the settings of its default profile.
    pub code: PathBuf,
}

impl UserFolders {
    /// The folders of whoever runs this process.
    pub fn find() -> Result<Self> {
        let unset = || {
            HostError::new(ErrorKind::Usage, "HOME is not set to an absolute path")
                .hint("set it, or name a folder with --project")
        };
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").ok_or_else(unset)?;
        let (claude, claude_servers) = claude(&home, absolute("CLAUDE_CONFIG_DIR"));
        let codex = user_folder("CODEX_HOME", ".codex").ok_or_else(unset)?;
        let config = user_folder("XDG_CONFIG_HOME", ".config").ok_or_else(unset)?;
        let code = match cfg!(target_os = "macos") {
            true => home.join("Library/Application Support/Code/User"),
            false => config.join("Code/User"),
        };
        let cursor = match std::env::var_os("XDG_CONFIG_HOME") {
            Some(_) if !cfg!(target_os = "macos") => config.join("cursor"),
            _ => home.join(".cursor"),
        };
        Ok(UserFolders { home, claude, claude_servers, codex, config, cursor, code })
    }
}

/// Claude Code's folder and its file with servers, if the person has `named` a folder for it or not.
pub(super) fn claude(home: &Path, named: Option<PathBuf>) -> (PathBuf, PathBuf) {
    match named {
        Some(folder) => (folder.clone(), folder.join(".claude.json")),
        None => (home.join(".claude"), home.join(".claude.json")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_a_record_of_its_own() {
        let key = |path: &str| Place::Project(PathBuf::from(path)).key();
        assert_ne!(key("/a"), key("/b"));
        assert_eq!(key("/a").len(), 16);
    }
}
