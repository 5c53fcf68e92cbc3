//! A sandbox on a real directory: the same tools, approvals and gate, and it says that it is not sealed.

use std::fs;

use serde_json::{Value, json};
use tests::cli::{Cli, finish};
use tests::repo::Repo;
use tests::tree::{self, assert_same};

use crate::pushing::digest;

/// A machine with a repository, and a sandbox from it in the folder `disk`.
pub fn opened() -> (Cli, Repo) {
    let cli = Cli::default();
    let repo = cli.repository("project");
    new(&cli).ok();
    (cli, repo)
}

pub fn new(cli: &Cli) -> tests::cli::Out {
    let identity = "Agent Smith <agent@example.org>";
    cli.run(&["new", "--on-disk", "disk", "--from", "local:project", "--identity", identity])
}

/// The workspace of the sandbox, for git.
pub fn workspace(cli: &Cli) -> Repo {
    Repo::at(&cli.work().join("disk/workspace"))
}

pub fn write(cli: &Cli, path: &str, content: &str) {
    cli.call("write_file", &json!({ "path": path, "content": content })).ok();
}

pub fn stage(cli: &Cli, files: &[&str]) -> Value {
    cli.structured("git_stage", &json!({ "files": files, "message": "Work" }))
}

#[test]
fn the_first_session_of_the_readme_works_on_disk() {
    let (cli, repo) = opened();
    write(&cli, "notes.md", "one\n");
    let staged = stage(&cli, &["notes.md"]);
    let id = staged["commitId"].as_str().unwrap();
    let status = cli.run(&["status"]).ok();
    assert!(status.stdout.contains(&format!("[{id}] \"Work\" (1 file)\n    + /workspace/notes.md\n")), "{status:#?}");
    assert!(cli.run(&["diff"]).ok().stdout.contains("+one"));
    let shown = cli.run(&["push", id, "--to", "local:project"]).fails(3);
    assert!(shown.stdout.lines().any(|line| line == "A notes.md (+1)"), "{shown:#?}");
    cli.run(&["push", id, "--to", "local:project", "--approve", &digest(&shown)]).ok();
    assert_eq!(repo.read("notes.md"), "one\n");
    assert_eq!(repo.id("main"), staged["commitSha"].as_str().unwrap());
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.is_sound();
    // Both the sandbox and git in it know.
    assert!(cli.run(&["status"]).ok().stdout.contains("Staged Commits:\n  None\n"));
    assert_eq!(workspace(&cli).id("origin/main"), repo.id("main"));
    workspace(&cli).is_sound();
    let history = cli.run(&["history"]).ok().stdout;
    let tools: Vec<&str> = history.lines().map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(tools, ["git_push:", "git_stage:", "write_file:", "sandbox_import:"]);
}

#[test]
fn it_says_that_it_is_not_sealed() {
    let cli = Cli::default();
    cli.repository("project");
    let line = format!("not sealed: files are in {}", cli.work().canonicalize().unwrap().join("disk").display());
    assert!(new(&cli).ok().stdout.lines().any(|said| said == line));
    cli.run(&["-s", "sealed", "new", "--empty"]).ok();
    let listed = cli.run(&["ls"]).ok().stdout;
    assert_eq!(listed.matches(&line).count(), 1, "{listed}");
    assert_eq!(cli.run(&["status"]).ok().stdout.lines().nth(1), Some(line.as_str()));
    assert!(!cli.run(&["-s", "sealed", "status"]).ok().stdout.contains("not sealed"));
}

#[test]
fn git_in_the_directory_says_what_the_tools_say() {
    let (cli, _) = opened();
    let git = workspace(&cli);
    let same = || {
        let said = cli.call("git_status", &json!({})).ok().stdout;
        assert_eq!(said.trim_end(), git.git(&["status", "--porcelain", "--branch"]));
    };
    same();
    write(&cli, "README.md", "changed\n");
    write(&cli, "new/deep/file", "new\n");
    cli.call("move_file", &json!({ "from": "src/main.rs", "to": "src/other.rs" })).ok();
    cli.call("delete_file", &json!({ "path": "docs", "recursive": true })).ok();
    same();
    stage(&cli, &["README.md", "src"]);
    same();
    git.is_sound();
    // The next call sees the changes of another program.
    git.write("by-git.txt", "x\n");
    git.commit("By git itself");
    same();
    let state = cli.structured("git_status", &json!({}));
    assert_eq!(state["staged"].as_array().unwrap().len(), 2, "{state}");
    let discarded = state["staged"][0]["id"].as_str().unwrap();
    cli.call("git_discard", &json!({ "commitId": discarded })).ok();
    same();
    git.is_sound();
}

#[test]
fn the_tools_are_those_of_a_sealed_sandbox() {
    let (cli, _) = opened();
    cli.run(&["-s", "sealed", "new", "--empty"]).ok();
    let listed = |sandbox| cli.run(&["-s", sandbox, "tools", "--json"]).ok().stdout;
    assert_eq!(listed("default"), listed("sealed"));
    // An agent may not push, and the person is asked whenever the policy requires it.
    let push = cli.run(&["call", "git_push", "{\"commitId\": \"HEAD\"}", "--json"]).exits(1).json();
    assert_eq!(push["error"]["kind"], "not-permitted");
    cli.run(&["-s", "strict", "new", "--on-disk", "strict", "--policy", "strict"]).ok();
    let write = ["-s", "strict", "call", "write_file", "{\"path\": \"a\", \"content\": \"1\"}"];
    cli.run(&write).ok();
    let stage = ["-s", "strict", "call", "git_stage", "{\"files\": [\"a\"], \"message\": \"m\"}", "--json"];
    assert_eq!(cli.run(&stage).exits(3).json()["error"]["kind"], "not-approved");
}

#[test]
fn a_call_that_fails_or_only_asks_changes_nothing() {
    let (cli, _) = opened();
    write(&cli, "a", "1\n");
    let before = tree::read(&cli.work().join("disk"));
    for (tool, arguments) in [
        ("write_file", json!({ "path": "README.md/x", "content": "" })),
        ("move_file", json!({ "from": "a", "to": "README.md" })),
        ("git_stage", json!({ "files": ["a", "none"], "message": "m" })),
        ("git_discard", json!({ "commitId": "HEAD" })),
        ("sandbox_import", json!({})),
    ] {
        cli.run(&["call", tool, &arguments.to_string(), "--yes", "--as", "user"]).exits(1);
        assert_same(&before, &tree::read(&cli.work().join("disk")), tool);
    }
}

#[test]
fn a_git_that_holds_the_index_is_heeded_and_what_was_begun_is_taken_back() {
    let (cli, _) = opened();
    write(&cli, "a", "1\n");
    let git = workspace(&cli);
    let refs = || (git.id("HEAD"), git.git(&["reflog"]), git.read(".git/index.lock"));
    git.write(".git/index.lock", "git is at work");
    let before = (refs(), tree::read(&git.root().join(".git/refs")));
    let stage = json!({ "files": ["a"], "message": "Work" }).to_string();
    let refused = cli.run(&["call", "git_stage", &stage, "--yes"]).fails(1);
    assert!(refused.stderr.contains("index.lock"), "{refused:#?}");
    assert_eq!((refs(), tree::read(&git.root().join(".git/refs"))), before);
    write(&cli, "b", "2\n");
    fs::remove_file(git.root().join(".git/index.lock")).unwrap();
    cli.run(&["call", "git_stage", &stage, "--yes"]).ok();
    git.is_sound();
}

#[test]
fn what_was_done_on_disk_is_not_undone() {
    let (cli, _) = opened();
    write(&cli, "a", "1\n");
    let undo = cli.run(&["undo"]).fails(1);
    assert!(undo.stderr.starts_with("error: Cannot undo on disk\n"), "{undo:#?}");
    assert_eq!(workspace(&cli).read("a"), "1\n");
    let history = cli.structured("sandbox_history", &json!({}));
    let last = &history["calls"][0];
    assert_eq!(
        (&last["tool"], &last["undoable"], &last["changed"]),
        (&json!("write_file"), &json!(false), &json!(["/workspace/a"]))
    );
}

#[test]
fn one_process_at_a_time_runs_a_tool() {
    let (cli, _) = opened();
    let lock = fs::File::open(cli.home().join("sandboxes/default/lock")).unwrap();
    lock.lock().unwrap();
    let mut command = cli.command(&["call", "write_file", "{\"path\": \"a\", \"content\": \"1\"}"]);
    let (done, ended) = std::sync::mpsc::channel();
    let waiting = std::thread::spawn(move || {
        let out = finish(&mut command, b"");
        done.send(()).unwrap();
        out
    });
    assert!(ended.recv_timeout(std::time::Duration::from_secs(3)).is_err(), "it waits");
    assert!(!cli.work().join("disk/workspace/a").exists());
    lock.unlock().unwrap();
    let out = waiting.join().unwrap().ok();
    assert!(out.stderr.contains("waiting for another process"), "{out:#?}");
    assert_eq!(workspace(&cli).read("a"), "1");
}

#[test]
fn an_empty_sandbox_begins_on_disk_as_it_does_sealed() {
    let cli = Cli::default();
    cli.run(&["new", "--on-disk", "disk", "--identity", "A <a@b>"]).ok();
    write(&cli, "a", "1\n");
    stage(&cli, &["a"]);
    let git = workspace(&cli);
    assert_eq!(git.git(&["log", "--format=%s %an"]), "Work A");
    assert_eq!(git.git(&["status", "--porcelain"]), "");
    git.is_sound();
}

#[test]
fn what_was_brought_in_is_in_the_directory_and_stored_nowhere_else() {
    let (cli, repo) = opened();
    let stored = || {
        let files = fs::read_dir(cli.home().join("sandboxes/default/attachments")).unwrap();
        let heads = files.map(|file| fs::read(file.unwrap().path()).unwrap()[..4].to_vec());
        heads.fold((0, 0), |(packs, all), head| (packs + usize::from(head == b"PACK"), all + 1))
    };
    assert_eq!(stored(), (0, 1), "the import's index");
    repo.write("new.txt", "new\n");
    repo.commit("New");
    cli.call("git_pull", &json!({})).ok();
    assert_eq!(stored(), (0, 2));
    assert_eq!(workspace(&cli).read("new.txt"), "new\n");
    workspace(&cli).is_sound();
    // It still counts as content from elsewhere.
    write(&cli, "mine.txt", "mine\n");
    stage(&cli, &["mine.txt"]);
    let shown = cli.run(&["export", "x.bundle"]).fails(3);
    assert!(shown.stdout.contains("mine.txt") && !shown.stdout.contains("new.txt"), "{shown:#?}");
    cli.run(&["export", "x.bundle", "--approve", &crate::pushing::digest(&shown)]).ok();
}

/// A workspace with a branch `side` that changes the same line as `main`, each in one commit.
fn with_side(cli: &Cli) -> Repo {
    let git = workspace(cli);
    git.git(&["checkout", "--quiet", "-b", "side"]);
    git.write("README.md", "# Side\n");
    git.commit("Side");
    git.git(&["checkout", "--quiet", "main"]);
    git.write("README.md", "# Main\n");
    git.commit("Main");
    git
}

#[test]
fn what_the_user_has_begun_with_git_waits_for_the_user() {
    let (cli, repo) = opened();
    let git = with_side(&cli);
    repo.write("new.txt", "new\n");
    repo.commit("New");
    write(&cli, "mine.txt", "mine\n");
    let edit = "sequence.editor=sed -i 1s/pick/edit/";
    let begun: [(&str, &[&str], &[&str]); 5] = [
        ("merge", &["merge", "--quiet", "side"], &["merge", "--abort"]),
        ("cherry-pick", &["cherry-pick", "side"], &["cherry-pick", "--abort"]),
        ("revert", &["revert", "--no-edit", "side"], &["revert", "--abort"]),
        ("rebase", &["-c", edit, "rebase", "--quiet", "-i", "HEAD~1"], &["rebase", "--abort"]),
        ("bisect", &["bisect", "start", "HEAD", "HEAD~2"], &["bisect", "reset"]),
    ];
    for (name, begin, abort) in begun {
        git.try_git(begin, b"");
        // Resolved, but not concluded.
        git.git(&["add", "README.md"]);
        let before = tree::read(git.root());
        for (tool, arguments) in [
            ("git_pull", json!({})),
            ("git_stage", json!({ "files": ["mine.txt"], "message": "Mine" })),
            ("git_discard", json!({ "commitId": "HEAD" })),
        ] {
            let out = cli.call(tool, &arguments).exits(1);
            // The tools can end what is of one commit, as git's commands can.
            let way = if ["rebase", "bisect"].contains(&name) { "Ask the user to run" } else { "with abort" };
            assert!(out.stderr.contains(name) && out.stderr.contains(way), "{name} {tool}: {out:#?}");
            assert_same(&before, &tree::read(git.root()), name);
        }
        git.git(abort);
    }
    stage(&cli, &["mine.txt"]);
    cli.call("git_pull", &json!({})).ok();
    assert_eq!(git.git(&["log", "-3", "--format=%s"]), "Work\nMain\nNew");
    git.is_sound();
}

#[test]
fn what_the_user_has_added_and_changed_since_is_not_lost_by_a_pull() {
    let (cli, repo) = opened();
    let git = workspace(&cli);
    git.write("README.md", "# Added\n");
    git.git(&["add", "README.md"]);
    git.write("README.md", "# Mine\n");
    repo.write("README.md", "# Yours\n");
    repo.commit("New");
    // A log's folders may exist without a log.
    let files = || {
        let mut files = tree::read(git.root());
        files.retain(|path, _| !(path.starts_with(".git/logs") && git.root().join(path).is_dir()));
        files
    };
    let before = files();
    let out = cli.call("git_pull", &json!({})).exits(1);
    assert!(out.stderr.contains("git restore --staged README.md"), "{out:#?}");
    assert_same(&before, &files(), "the workspace");
    assert_eq!(git.git(&["show", ":README.md"]), "# Added");
}
