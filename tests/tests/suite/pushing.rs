//! A sandbox from a real repository with a staged change: the start of every push test.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tests::cli::{Cli, Out};
use tests::repo::Repo;
use tests::terminal::Terminal;

/// The machine, the repository, and the commit that waits.
pub struct Staged {
    pub cli: Cli,
    pub repo: Repo,
    /// The commit's id in the sandbox.
    pub id: String,
    /// The head of `main` when the sandbox was opened.
    pub base: String,
}

/// Opens a sandbox from a repository with history, and stages a change, an addition and a deletion.
pub fn staged() -> Staged {
    let cli = Cli::default();
    let repo = cli.repository("project");
    let base = repo.id("main");
    cli.run(&["new", "--from", "local:project", "--identity", "Agent Smith <agent@example.org>"]).ok();
    let id = stage(&cli);
    Staged { cli, repo, id, base }
}

/// Works as an agent would: reads, edits, adds, deletes, stages.
fn stage(cli: &Cli) -> String {
    let read = cli.call("read_file", &json!({ "path": "README.md" })).ok();
    assert_eq!(read.stdout, "# Project\n\nA repository with history.\n");
    cli.call("edit_file", &json!({ "path": "README.md", "old": "history", "new": "a past" })).ok();
    cli.call("write_file", &json!({ "path": "src/new.rs", "content": "pub fn new() {}\n" })).ok();
    cli.call("delete_file", &json!({ "path": "dos.txt" })).ok();
    let files = ["/workspace/README.md", "src/new.rs", "dos.txt"];
    let staged =
        cli.structured("git_stage", &json!({ "files": files, "message": "Tell of the past\n\nAnd begin anew." }));
    assert_eq!(staged["fileCount"], 3);
    staged["commitId"].as_str().expect("a staged commit has an id").to_owned()
}

/// Adds a file with its commit's message as content, and stages it. Returns the id.
pub fn more(cli: &Cli, path: &str, message: &str) -> String {
    cli.call("write_file", &json!({ "path": path, "content": message })).ok();
    let staged = cli.structured("git_stage", &json!({ "files": [path], "message": message }));
    staged["id"].as_str().expect("a staged commit has an id").to_owned()
}

/// Copies the home folder aside, and returns the copy's path.
pub fn save_home(cli: &Cli) -> PathBuf {
    let copy = cli.folder().join("saved");
    let copied = Command::new("cp").arg("-R").arg(cli.home()).arg(&copy).status();
    assert!(copied.expect("there is a cp").success());
    copy
}

/// Restores the home folder from the copy.
pub fn restore_home(cli: &Cli, copy: &Path) {
    std::fs::remove_dir_all(cli.home()).expect("it is ours");
    std::fs::rename(copy, cli.home()).expect("they are in one folder");
}

/// The same, with the current audit log except its last record: the state after the intent was written and the branch moved, but before the
/// sandbox was told.
pub fn restore_home_without_outcome(cli: &Cli, copy: &Path) {
    let log = "sandboxes/default/audit.log";
    let lines = std::fs::read_to_string(cli.home().join(log)).expect("there is a log");
    let outcome = lines.trim_end().rfind('\n').expect("an intent and an outcome") + 1;
    restore_home(cli, copy);
    std::fs::write(cli.home().join(log), &lines[..outcome]).expect("it is ours");
}

/// The digest in the output of an unapproved push.
#[track_caller]
pub fn digest(out: &Out) -> String {
    let digest = out
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("Digest: "))
        .unwrap_or_else(|| panic!("no digest: {out:#?}"));
    assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    digest.to_owned()
}

impl Staged {
    /// Pushes without an approval, which only shows the push. Returns the digest.
    #[track_caller]
    pub fn shown(&self, to: &str) -> (String, Out) {
        let out = self.cli.run(&["push", &self.id, "--to", to]).fails(3);
        (digest(&out), out)
    }

    /// Shows and approves a push, which lands.
    #[track_caller]
    pub fn push(&self, to: &str) -> Out {
        let (digest, _) = self.shown(to);
        self.cli.run(&["push", &self.id, "--to", to, "--approve", &digest]).ok()
    }

    /// Asserts that `commit` in `repo` is what was staged, on top of the base.
    #[track_caller]
    pub fn is_what_was_staged(&self, repo: &Repo, commit: &str) {
        let show =
            repo.git(&["show", "--format=%an <%ae>%n%cn <%ce>%n%P%n%B", "--name-status", "--no-renames", commit]);
        let expected = format!(
            "Agent Smith <agent@example.org>\nAgent Smith <agent@example.org>\n{}\nTell of the past\n\nAnd begin anew.\n\n\nM\tREADME.md\nD\tdos.txt\nA\tsrc/new.rs",
            self.base
        );
        assert_eq!(show, expected);
        assert_eq!(repo.git(&["show", &format!("{commit}:README.md")]), "# Project\n\nA repository with a past.");
    }
}

/// Whether some object of a repository has a file's content.
pub fn has(repo: &Repo, content: &str) -> bool {
    let id = repo.try_git(&["hash-object", "--stdin"], content.as_bytes()).stdout;
    let id = String::from_utf8(id).unwrap();
    repo.try_git(&["cat-file", "-e", id.trim()], b"").success
}

/// A person leaves out `notes.md` and `dos.txt`, so that nothing remains of the commit `id`, and gives the last commit their editor's
/// message.
pub fn leaves_out_and_renames(terminal: &mut Terminal, id: &str) {
    assert!(terminal.sees("> ").contains("[e]dit  [m]essage"));
    terminal.types("e\n");
    for file in ["README.md", "dos.txt", "notes.md", "src/new.rs"] {
        let asked = terminal.sees(",?]? ");
        assert!(asked.contains(&format!("diff --git a/{file} b/{file}")), "{file}: {asked}");
        terminal.types(if ["notes.md", "dos.txt"].contains(&file) { "n\n" } else { "y\n" });
    }
    let asked = terminal.sees("> ");
    assert!(asked.contains("Revised: ") && asked.contains(&format!("Nothing is left of {id}")), "{asked}");
    assert!(!asked.contains("+ notes.md") && !asked.contains("dos.txt"), "{asked}");
    terminal.types("m\n");
    let asked = terminal.sees("> ");
    assert!(asked.contains("Revised: ") && asked.contains("\"Only the past\""), "{asked}");
}
