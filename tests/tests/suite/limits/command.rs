//! The limits of the command line's input and of its pushes: it refuses more with a message, and changes nothing.

use std::fs::{self, File};

use serde_json::json;
use tests::cli::{Cli, Out};
use tests::repo::Repo;
use tests::tree::{self, assert_same};

fn opened() -> Cli {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    cli
}

/// Runs a command with a file of this many zero bytes as its input.
fn run_with(cli: &Cli, arguments: &[&str], bytes: u64) -> Out {
    let path = cli.work().join("input");
    File::create(&path).unwrap().set_len(bytes).unwrap();
    let output = cli.command(arguments).stdin(File::open(&path).unwrap()).output().unwrap();
    fs::remove_file(&path).unwrap();
    Out {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_call_that_is_longer_than_any_can_be() {
    let cli = opened();
    let before = tree::read(cli.folder());
    for arguments in [&["call", "write_file", "-"][..], &["call", "--batch"]] {
        let out = run_with(&cli, arguments, (512 << 20) + 1).exits(2);
        for words in
            ["the input is longer than the longest call allowed", "split the call: a call may have at most 512 MiB"]
        {
            assert!([&out.stdout, &out.stderr].iter().any(|said| said.contains(words)), "{out:#?}");
        }
        assert_same(&before, &tree::read(cli.folder()), &format!("{arguments:?}"));
    }
    cli.call("git_status", &json!({})).ok();
}

#[test]
fn a_worker_file_that_is_too_long() {
    let cli = Cli::default();
    cli.repository("project");
    fs::write(cli.work().join("worker.md"), format!("---\nname: x\n---\n{}", "words\n".repeat(200_000))).unwrap();
    let before = tree::read(cli.folder());
    let out = cli.run(&["new", "--from", "local:project", "--worker", "worker.md"]).fails(2);
    assert!(out.stderr.contains("worker.md: a worker file may have at most 1 MiB\n"), "{out:#?}");
    assert!(out.stderr.contains("hint: shorten the file; nothing was created"), "{out:#?}");
    assert_same(&before, &tree::read(cli.folder()), "a worker file");
    cli.run(&["new", "--from", "local:project"]).ok();
}

#[test]
fn a_commit_that_the_gate_does_not_let_through_because_of_its_size() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    let said = repo.try_git(&["commit", "--quiet", "--allow-empty", "-F", "-"], &[b'm'; 1 << 20]);
    assert!(said.success, "{}", said.stderr);
    let bare = Repo::init(&cli.work().join("other"));
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    let before = (cli.run(&["status"]).ok().stdout, cli.run(&["history"]).ok().stdout, tree::read(bare.root()));
    let out = cli.run(&["push", "HEAD", "--to", "local:other#new", "--yes", "--json"]).exits(1).json();
    assert_eq!(out["error"]["kind"], "execution-failed", "{out}");
    assert!(out["error"]["message"].as_str().unwrap().contains("has more than 1048576 bytes"), "{out}");
    assert_eq!(out["error"]["hint"], "write a shorter message", "{out}");
    assert_eq!((cli.run(&["status"]).ok().stdout, cli.run(&["history"]).ok().stdout), (before.0, before.1));
    assert_same(&before.2, &tree::read(bare.root()), "the target");
    cli.call("write_file", &json!({ "path": "a.md", "content": "text\n" })).ok();
}

#[test]
fn a_message_that_no_push_would_let_through_is_not_staged() {
    let cli = opened();
    cli.call("write_file", &json!({ "path": "a.md", "content": "text\n" })).ok();
    let before = tree::read(cli.folder());
    let stage = |length: usize| json!({ "files": ["a.md"], "message": "m".repeat(length) }).to_string();
    let call = ["call", "git_stage", "-", "--yes", "--json"];
    let out = cli.run_with(&call, stage(1 << 20).as_bytes()).exits(1).json();
    assert_eq!(out["error"]["kind"], "bad-args", "{out}");
    assert_eq!(out["error"]["message"], "The commit would be larger than 1 MiB", "{out}");
    assert_eq!(out["error"]["hint"], "Nothing has changed. Write a shorter message.", "{out}");
    assert_same(&before, &tree::read(cli.folder()), "a long message");
    cli.run_with(&call, stage((1 << 20) - 1000).as_bytes()).ok();
    cli.unattended();
    cli.run(&["push", "HEAD", "--to", "local:project", "--yes"]).ok();
}
