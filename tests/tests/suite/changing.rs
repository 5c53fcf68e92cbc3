//! The effects of the changing tools: git finds the repositories whole, and the changes can be undone.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};
use tests::batch::Batch;
use tests::cli::Cli;
use tests::host::{Sandbox, options, with_stack};
use tests::import::import;
use tests::repo::Repo;
use tests::session::{World, repository, succeed};

use crate::pushing::digest;

/// The number of sequences, and of calls in each.
const SEQUENCES: u64 = 8;
const CALLS: usize = 25;

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    rng.choice(from).expect("there are some")
}

/// A call that changes files or the repository, and may be refused.
fn any(rng: &mut Rng) -> (&'static str, Value) {
    let path = pick(rng, &["README.md", "src/main.rs", "src", "docs/new file", "topic.md", "new/deep/file"]);
    let branch = pick(rng, &["main", "topic", "one", "two/three"]);
    match rng.u32(0..20) {
        0..5 if !path.ends_with("src") => {
            ("write_file", json!({ "path": path, "content": "line\n".repeat(rng.usize(0..30)) }))
        }
        5 => ("delete_file", json!({ "path": path, "recursive": true })),
        6..9 => ("git_add", json!({ "all": true })),
        9 => ("git_add", json!({ "paths": [path] })),
        10 => ("git_restore", json!({ "paths": [path], "staged": rng.bool() })),
        11..14 => ("git_commit", json!({ "type": "fix", "message": pick(rng, &["one", "two\n\nlines"]) })),
        14 => ("git_branch", json!({ "create": branch })),
        15 => ("git_branch", json!({ "force_delete": branch })),
        16 => ("git_branch", json!({ "rename": branch, "new_name": pick(rng, &["one", "four"]) })),
        17 => ("git_checkout", json!({ "branch": branch })),
        18 => ("git_stash", json!({ "include_untracked": rng.bool() })),
        _ => ("git_stash", json!({ "action": pick(rng, &["pop", "apply", "drop"]) })),
    }
}

#[test]
fn a_sandbox_exported_after_any_calls_is_sound_and_has_the_status_that_it_said() {
    let mut done = 0;
    for seed in 0..SEQUENCES {
        let cli = Cli::default();
        cli.repository("project");
        cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
        let mut rng = Rng::with_seed(seed);
        let mut batch = Batch::start(&cli);
        for _ in 0..CALLS {
            let (tool, arguments) = any(&mut rng);
            done += usize::from(batch.line(tool, &arguments).get("error").is_none());
        }
        // A bundle contains a branch but no index, so unstage everything first.
        batch.call("git_restore", &json!({ "paths": ["."], "staged": true, "worktree": false }));
        let said = batch.line("git_status", &json!({ "branch": false }));
        let files = files(&mut batch);
        drop(batch);
        let out = cli.run(&["export", "out.bundle"]).fails(3);
        cli.run(&["export", "out.bundle", "--approve", &digest(&out)]).ok();
        Repo::at(&cli.work()).git(&["clone", "--quiet", "out.bundle", "clone"]);
        let clone = Repo::at(&cli.work().join("clone"));
        clone.git(&["fsck", "--strict"]);
        for path in clone.git(&["ls-files", "-z"]).split_terminator('\0').filter(|path| !files.contains_key(*path)) {
            std::fs::remove_file(clone.root().join(path)).expect("git has checked it out");
        }
        for (path, content) in &files {
            if let Some(content) = content {
                clone.write(path, content);
            }
        }
        let status = clone.git(&["status", "--porcelain"]);
        assert_eq!(said["text"].as_str().map(str::trim_end), Some(status.as_str()), "sequence {seed}");
        cli.run(&["fsck"]).ok();
    }
    assert!(done >= 100, "{done} calls were done");
}

/// The files and links of the sandbox, by their paths in the repository, with the contents of text files.
fn files(batch: &mut Batch) -> BTreeMap<String, Option<String>> {
    let listed = batch.call("list_files", &json!({ "recursive": true, "limit": 10_000 }));
    let entries = listed["entries"].as_array().expect("a listing has entries").iter();
    let mut files = BTreeMap::new();
    for entry in entries.filter(|entry| entry["kind"] != "directory") {
        let path = entry["path"].as_str().expect("an entry has a path");
        let content = (entry["kind"] == "file").then(|| batch.call("read_file", &json!({ "path": path })));
        let content = content.filter(|read| read["encoding"] == "utf-8");
        let content = content.map(|read| read["content"].as_str().expect("a file has content").to_owned());
        files.insert(path.strip_prefix("/workspace/").expect("it is in the workspace").to_owned(), content);
    }
    files
}

/// Calls that each change something, and together use every mode of every tool.
fn every_change() -> Vec<(&'static str, Value)> {
    vec![
        ("write_file", json!({ "path": "README.md", "content": "changed\n" })),
        ("git_add", json!({ "paths": ["README.md"] })),
        ("git_restore", json!({ "paths": ["README.md"], "staged": true, "worktree": false })),
        ("git_restore", json!({ "paths": ["README.md"] })),
        ("write_file", json!({ "path": "README.md", "content": "changed again\n" })),
        ("git_add", json!({ "update": true })),
        ("git_restore", json!({ "paths": ["README.md"], "staged": true, "worktree": true })),
        ("write_file", json!({ "path": "new/file", "content": "new\n" })),
        ("git_stash", json!({ "include_untracked": true })),
        ("git_stash", json!({ "action": "apply" })),
        ("delete_file", json!({ "path": "new", "recursive": true })),
        ("git_stash", json!({ "action": "pop", "restore_index": true })),
        ("git_add", json!({ "all": true })),
        ("git_commit", json!({ "type": "feat", "message": "add a file" })),
        ("git_branch", json!({ "create": "one" })),
        ("git_branch", json!({ "rename": "one", "new_name": "two" })),
        ("git_checkout", json!({ "branch": "two" })),
        ("git_branch", json!({ "rename": "two", "new_name": "three" })),
        ("git_checkout", json!({ "commit": "HEAD~1" })),
        ("git_checkout", json!({ "create_branch": "four" })),
        ("git_branch", json!({ "create": "five" })),
        ("git_branch", json!({ "delete": "five" })),
        ("git_branch", json!({ "force_delete": "three" })),
        ("write_file", json!({ "path": "src/main.rs", "content": "changed\n" })),
        ("git_checkout", json!({ "paths": ["src/main.rs"] })),
        ("write_file", json!({ "path": "src/main.rs", "content": "put away\n" })),
        ("git_stash", json!({ "message": "one" })),
        ("write_file", json!({ "path": "src/main.rs", "content": "put away, too\n" })),
        ("git_stash", json!({ "message": "two" })),
        ("git_stash", json!({ "action": "drop", "index": 1 })),
        ("git_stash", json!({ "action": "clear" })),
    ]
}

#[test]
fn undo_takes_back_every_change_of_files_index_refs_and_stashes() {
    with_stack(|| {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with_history(&folder.path().join("repository"));
        let (mut sandbox, mut world) = (Sandbox::create(&options()), World::default());
        import(&mut sandbox, &repo, &mut world);
        for (second, (tool, arguments)) in (1..).zip(every_change()) {
            let before = repository(&mut sandbox);
            let mut other = sandbox.reopened();
            for sandbox in [&mut sandbox, &mut other] {
                succeed(sandbox, tool, &arguments, 2 * second, &mut world);
                assert!(repository(sandbox) != before, "{tool} {arguments} changes nothing");
            }
            succeed(&mut other, "sandbox_undo", &json!({}), 2 * second + 1, &mut world);
            for sandbox in [&mut other.reopened(), &mut other] {
                assert_eq!(repository(sandbox), before, "{tool} {arguments}");
            }
        }
    });
}
