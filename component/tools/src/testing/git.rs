//! The git program, used as an oracle and to create fixtures.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::Sandbox;

impl Sandbox {
    /// A sandbox with a repository without commits, on the branch `main`.
    pub fn with_repository() -> Sandbox {
        let mut sandbox = Sandbox::new();
        sandbox.git(&["init", "--quiet", "-b", "main"]);
        sandbox
    }

    /// A sandbox with two commits on `main`: the first adds `a`, the second changes `a` and adds `sub/b`.
    pub fn with_two_commits() -> Sandbox {
        let mut sandbox = Sandbox::with_repository();
        sandbox.write("a", "one\n");
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", "first"]);
        sandbox.write("a", "two\n");
        sandbox.write("sub/b", "new\n");
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", "second"]);
        sandbox
    }

    /// git's output in the workspace. git must succeed.
    pub fn git(&mut self, arguments: &[&str]) -> String {
        let output = self.git_output(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("fixtures are UTF-8")
    }

    /// git's exit status and output in the workspace.
    pub fn git_output(&mut self, arguments: &[&str]) -> Output {
        // The tree changed without the session.
        self.session.forget();
        git(&self.root(), arguments)
    }

    /// As [`git_output`](Sandbox::git_output), with `input` on git's standard input.
    pub fn git_fed(&mut self, arguments: &[&str], input: &[u8]) -> Output {
        self.session.forget();
        let mut command = git_command(&self.root(), arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("git is installed");
        child.stdin.take().expect("it is piped").write_all(input).expect("git reads it all");
        child.wait_with_output().expect("git ends")
    }

    /// Writes a tree whose only entry is at `path`, with the content of `a` in HEAD. Returns its id.
    pub fn tree_with(&mut self, mode: &str, path: &str) -> String {
        let blob = self.git(&["rev-parse", "HEAD:a"]).trim().to_owned();
        let mut names = path.rsplit('/');
        let mut entry = format!("{mode} blob {blob}\t{}\0", names.next().expect("a path has a name"));
        loop {
            let made = self.git_fed(&["mktree", "-z"], entry.as_bytes());
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            let tree = String::from_utf8(made.stdout).expect("an id is text").trim().to_owned();
            match names.next() {
                Some(folder) => entry = format!("040000 tree {tree}\t{folder}\0"),
                None => return tree,
            }
        }
    }
}

/// Runs git in `folder`, with everything pinned that could affect its output.
pub fn git(folder: &Path, arguments: &[&str]) -> Output {
    git_command(folder, arguments).output().expect("git is installed")
}

/// A git command in `folder`, not run yet, with everything pinned that could affect its output.
pub fn git_command(folder: &Path, arguments: &[&str]) -> Command {
    let home = folder.parent().expect("the workspace is in a temporary folder");
    let mut command = Command::new(trial::git());
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").expect("git is on the path"))
        .env("HOME", home)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A U Thor")
        .env("GIT_AUTHOR_EMAIL", "author@example.com")
        .env("GIT_AUTHOR_DATE", "1767225600 +0000")
        .env("GIT_COMMITTER_NAME", "C O Mitter")
        .env("GIT_COMMITTER_EMAIL", "committer@example.com")
        .env("GIT_COMMITTER_DATE", "1767225600 +0000");
    command
}
