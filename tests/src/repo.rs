//! Real repositories, made by git.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::{self, EPOCH};

/// A repository, and git commands on it. Its commits are a minute apart.
#[derive(Debug)]
pub struct Repo {
    root: PathBuf,
    minutes: Cell<u64>,
}

/// The output of git.
#[derive(Debug)]
pub struct Said {
    pub success: bool,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Repo {
    /// Opens the repository at `root`.
    pub fn at(root: &Path) -> Repo {
        Repo { root: root.to_owned(), minutes: Cell::new(0) }
    }

    /// Creates one without a commit, whose branch is main.
    pub fn init(root: &Path) -> Repo {
        let repo = Repo::at(root);
        fs::create_dir_all(root).expect("the folder is writable");
        repo.git(&["init", "--quiet", "-b", "main"]);
        repo
    }

    /// Creates one with two branches, a merge, a rename, an executable, a link, a binary file, CRLF, a tag, and both packed and loose
    /// objects.
    pub fn with_history(root: &Path) -> Repo {
        let repo = Repo::init(root);
        repo.write("README.md", "# Project\n\nA repository with history.\n");
        repo.write("src/main.rs", "fn main() {\n    println!(\"one\");\n}\n");
        repo.write("src/lib.rs", &(1..=60).map(|n| format!("pub const N{n}: u32 = {n};\n")).collect::<String>());
        repo.write("docs/notes of a day.txt", "first\nsecond\nthird\n");
        repo.write("dos.txt", "one\r\ntwo\r\n");
        fs::write(root.join("image.bin"), (0..=255).cycle().take(3000).collect::<Vec<u8>>()).expect("it is writable");
        repo.commit("Begin");
        repo.executable("run.sh", "#!/bin/sh\necho run\n");
        repo.link("docs/latest", "notes of a day.txt");
        repo.commit("Add a script and a link");
        repo.git(&["tag", "-a", "v1", "-m", "First version"]);
        repo.git(&["checkout", "--quiet", "-b", "topic"]);
        repo.write("topic.md", "Topic\n");
        repo.commit("Work on a topic");
        repo.git(&["checkout", "--quiet", "main"]);
        repo.git(&["mv", "src/lib.rs", "src/numbers.rs"]);
        repo.commit("Rename");
        repo.git(&["merge", "--quiet", "--no-ff", "-m", "Merge topic", "topic"]);
        repo.git(&["gc", "--quiet"]);
        for n in 0..4 {
            repo.write("src/main.rs", &format!("fn main() {{\n    println!(\"{n}\");\n}}\n"));
            repo.commit(&format!("Say {n}"));
        }
        repo
    }

    /// A bare clone of this one.
    pub fn bare_clone(&self, at: &Path) -> Repo {
        self.git(&["clone", "--quiet", "--bare", ".", at.to_str().expect("temporary folders are UTF-8")]);
        Repo::at(at)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder, as an argument.
    pub fn path(&self) -> &str {
        self.root.to_str().expect("temporary folders are UTF-8")
    }

    /// Runs git, which must succeed, and returns its output without the last line end.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let said = self.try_git(arguments, b"");
        assert!(said.success, "git {arguments:?}: {}", said.stderr);
        let text = String::from_utf8(said.stdout).expect("git's output is UTF-8 here");
        text.strip_suffix('\n').map_or(text.clone(), str::to_owned)
    }

    /// A command of git, a minute after the last one. Its input and outputs are piped.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut git = Command::new(trial::git());
        environment::pin(&mut git, &self.root);
        self.minutes.set(self.minutes.get() + 1);
        let date = format!("{} +0100", EPOCH + 60 * self.minutes.get());
        git.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date);
        git.current_dir(&self.root).args(arguments);
        git.stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        git
    }

    /// Runs git with `input`.
    pub fn try_git(&self, arguments: &[&str], input: &[u8]) -> Said {
        let mut child = self.command(arguments).spawn().expect("git is installed");
        std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), input).expect("git reads its input");
        let output = child.wait_with_output().expect("its output is piped");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Said { success: output.status.success(), stdout: output.stdout, stderr }
    }

    /// Writes a file, and creates the folders above it.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("it is writable");
        fs::write(path, content).expect("it is writable");
    }

    /// The content of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn executable(&self, path: &str, content: &str) {
        self.write(path, content);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(self.root.join(path), fs::Permissions::from_mode(0o755)).expect("the file is ours");
        }
    }

    fn link(&self, path: &str, to: &str) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(to, self.root.join(path)).expect("the folder is writable");
        #[cfg(not(unix))]
        self.write(path, to);
    }

    /// Commits everything, and returns the id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", message]);
        self.id("HEAD")
    }

    /// The id of a revision.
    #[track_caller]
    pub fn id(&self, revision: &str) -> String {
        self.git(&["rev-parse", "--verify", revision])
    }

    /// Asserts that git finds nothing wrong with any object, ref or index.
    #[track_caller]
    pub fn is_sound(&self) {
        let said = self.try_git(&["fsck", "--strict", "--full", "--no-dangling"], b"");
        assert!(said.success, "{}", said.stderr);
        for line in said.stderr.lines() {
            assert!(!line.contains("error") && !line.contains("warning"), "{line}");
        }
    }
}
