//! The folders and processes of a measurement, isolated from the machine's own configuration.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

/// A program in `folder`, with a clean environment.
pub fn program(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear().stdin(Stdio::null());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    for (name, value) in [
        ("LC_ALL", "C"),
        ("HOME", "/nonexistent"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada Example"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_NAME", "Ada Example"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
    ] {
        command.env(name, value);
    }
    command
}

/// git in `folder`.
pub fn git(folder: &Path) -> Command {
    program("git", folder)
}

/// An empty working folder, and gitgate in it.
pub struct Place {
    pub folder: PathBuf,
    gitgate: PathBuf,
}

impl Place {
    /// Empties the folder. Here `--yes` approves pushes.
    pub fn new(gitgate: &Path, folder: &Path) -> Result<Place> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder.join("home"))?;
        std::fs::write(folder.join("home/gitgate.toml"), "unattended = true\n[tools.tasks]\nenabled = true\n")?;
        Ok(Place { folder: folder.to_owned(), gitgate: gitgate.to_owned() })
    }

    /// gitgate for all sandboxes.
    pub fn whole(&self) -> Command {
        let mut command = program(&self.gitgate, &self.folder);
        command.env("XDG_CACHE_HOME", self.folder.join("cache")).env("GITGATE_HOME", self.folder.join("home"));
        command
    }

    /// gitgate for the sandbox `name`.
    pub fn gitgate(&self, name: &str) -> Command {
        let mut command = self.whole();
        command.args(["-s", name]);
        command
    }

    /// Opens the sandbox `name` of a repository, where its pushes go to the branch that it comes from, as git's do.
    pub fn opening(&self, name: &str, source: &str) -> Command {
        let mut command = self.gitgate(name);
        command.args(["new", "--push-to", "origin", "--from", source, "--identity", "Ada <ada@example.org>"]);
        command
    }

    /// The folder in which gitgate keeps the sandbox `name`.
    pub fn sandbox(&self, name: &str) -> PathBuf {
        self.folder.join("home/sandboxes").join(name)
    }
}
