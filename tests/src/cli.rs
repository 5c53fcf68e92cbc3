//! Runs the command line in its own home and working folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::built::built;
use crate::environment;
use crate::repo::Repo;

/// A person's machine: a home folder and repositories.
#[derive(Debug)]
pub struct Cli {
    folder: TempDir,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Out {
    /// The exit code; -1 for a signal.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Default for Cli {
    fn default() -> Self {
        let folder = TempDir::with_prefix("gitgate-test-").expect("there is a temporary folder");
        std::fs::create_dir(folder.path().join("work")).expect("the folder is new");
        let cli = Cli { folder };
        cli.configure("");
        cli
    }
}

impl Cli {
    /// The working folder of commands; targets are created here.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// gitgate's home folder.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("gitgate")
    }

    /// The folder that holds everything.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Lets `--yes` answer for pushes.
    pub fn unattended(&self) {
        self.configure("unattended = true\n");
    }

    /// Adds this to the person's configuration, which lets command lines decide, as tests do.
    pub fn configure(&self, text: &str) {
        self.configure_only(&format!("{text}\n[approval]\nwithout_terminal = true\n"));
    }

    /// Replaces the whole of the person's configuration.
    pub fn configure_only(&self, text: &str) {
        std::fs::create_dir_all(self.home()).expect("the folder is writable");
        std::fs::write(self.home().join("gitgate.toml"), text).expect("the folder is writable");
    }

    /// Creates a repository with history, `name` in the working folder.
    pub fn repository(&self, name: &str) -> Repo {
        Repo::with_history(&self.work().join(name))
    }

    /// The command, not yet started, with nothing on its input. It works on the sandbox `default`, wherever it starts. What it pushes goes
    /// to the branch that the sandbox came from, unless a worker file or `--push-to` says otherwise.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut all = arguments.to_vec();
        let says_itself = |word: &&str| ["--worker", "--push-to"].contains(word);
        let is_new = |at: &usize| arguments[*at] == "new" && (*at == 0 || arguments[at - 1] != "-s");
        if let Some(at) = (0..arguments.len()).find(is_new).filter(|_| !arguments.iter().any(says_itself)) {
            all.splice(at + 1..at + 1, ["--push-to", "origin"]);
        }
        let mut command = self.typed(&all);
        command.env("GITGATE_SANDBOX", "default");
        command
    }

    /// The command as a person types it who says nothing more.
    pub fn typed(&self, arguments: &[&str]) -> Command {
        let mut command = self.at_home(&built().cli);
        command.args(arguments);
        command
    }

    /// A shell of the person's, which runs `script`, finds gitgate on its path and works on the sandbox `default`.
    pub fn shell(&self, program: &str, script: &str) -> Command {
        let mut command = self.at_home(Path::new(program));
        let folder = built().cli.parent().expect("the command is in a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [folder.to_owned()].into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).expect("they were joined before")).args(["-c", script]);
        command.env("GITGATE_SANDBOX", "default");
        command
    }

    /// A program, not yet started, on the person's machine.
    fn at_home(&self, program: &Path) -> Command {
        let built = built();
        let mut command = Command::new(program);
        environment::pin(&mut command, self.folder.path());
        // Who commits is what the tests configure.
        for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
            command.env_remove(name);
        }
        command.env("XDG_CACHE_HOME", &built.cache).env("GITGATE_HOME", self.home());
        command.current_dir(self.work()).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Out {
        finish(&mut self.command(arguments), b"")
    }

    /// Runs a command with `input` on its input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Out {
        finish(&mut self.command(arguments), input)
    }

    /// Calls a tool as an agent, and approves inside the sandbox.
    pub fn call(&self, tool: &str, arguments: &Value) -> Out {
        self.run(&["call", tool, &arguments.to_string(), "--yes"])
    }

    /// Calls a tool that succeeds, and returns its structured result.
    pub fn structured(&self, tool: &str, arguments: &Value) -> Value {
        let out = self.run(&["call", tool, &arguments.to_string(), "--yes", "--json"]).ok();
        out.json()["structured"].clone()
    }

    /// Pulls, and returns the structured result. The exit code says whether files are in conflict.
    pub fn pulled(&self, arguments: &Value) -> Value {
        let out = self.run(&["call", "git_pull", &arguments.to_string(), "--yes", "--json"]);
        let structured = out.json()["structured"].clone();
        out.exits(if structured["conflicts"] == serde_json::json!([]) { 0 } else { 4 });
        structured
    }
}

/// Runs `command` to its end with `input` on its input.
pub fn finish(command: &mut Command, input: &[u8]) -> Out {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("gitgate was built");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A command that does not read its input has closed it.
    match stdin.write_all(input) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => panic!("cannot write to the command: {error}"),
        _ => drop(stdin),
    }
    let output = child.wait_with_output().expect("its output is piped");
    Out {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the error stream is UTF-8"),
    }
}

impl Out {
    /// Asserts that the command succeeded.
    #[track_caller]
    pub fn ok(self) -> Out {
        self.exits(0)
    }

    /// Asserts that the command ended with `code`, and that the user saw no panic.
    #[track_caller]
    pub fn exits(self, code: i32) -> Out {
        assert_eq!(self.code, code, "{self:#?}");
        for text in [&self.stdout, &self.stderr] {
            assert!(!text.contains("panicked at") && !text.contains("failed unexpectedly"), "{self:#?}");
        }
        self
    }

    /// Asserts that the command failed with `code`, a readable error and a hint, and printed no result.
    #[track_caller]
    pub fn fails(self, code: i32) -> Out {
        let out = self.exits(code);
        assert!(out.stderr.starts_with("error: "), "{out:#?}");
        assert!(out.stderr.contains("\nhint: "), "an error says what to do: {out:#?}");
        out
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
