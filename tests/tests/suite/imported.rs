//! A file identical to its pack is stored once: neither memory nor the journal holds it beside the pack.

use std::fs;

use serde_json::json;
use tests::cli::Cli;
use tests::host::{Sandbox, options, with_stack};
use tests::import::import;
use tests::repo::Repo;
use tests::session::{World, look, succeed};

/// A long text with little in common with those of other seeds.
fn text(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..500).map(|line| format!("{line} {:x}\n", rng.u128(..))).collect()
}

/// A repository with one file for every way that a pack stores contents, and for every difference between git and a working folder.
fn repository(root: &std::path::Path) -> Repo {
    let repo = Repo::with_history(root);
    repo.write("whole.txt", &text(1));
    repo.write("short.txt", "short\n");
    repo.write("empty.txt", "");
    repo.write("like another/one.txt", &text(2));
    repo.write("like another/two.txt", &(text(2) + "and a line\n"));
    repo.write("like another/three.txt", &("a line and\n".to_owned() + &text(2)));
    repo.commit("Add files that are packed");
    repo
}

/// The full contents of the sandbox's files that `git ls-files` lists.
fn is_checked_out(sandbox: &mut Sandbox, repo: &Repo, world: &mut World) {
    for path in repo.git(&["ls-files", "-z"]).split_terminator('\0') {
        let Ok(content) = fs::read_to_string(repo.root().join(path)) else { continue };
        let read = succeed(sandbox, "read_file", &json!({ "path": path }), 5, world);
        assert_eq!(read.text, content, "{path}");
    }
    let status = succeed(sandbox, "git_status", &json!({}), 6, world);
    assert_eq!(status.text, "## main...origin/main\n");
}

#[test]
fn what_is_imported_is_what_git_checks_out_and_is_in_the_journal_by_name_only() {
    with_stack(|| {
        let folder = tempfile::tempdir().unwrap();
        let repo = repository(&folder.path().join("repository"));
        let mut world = World::default();
        let mut sandbox = Sandbox::create(&options());
        import(&mut sandbox, &repo, &mut world);
        // Of the three similar files, the pack stores one whole, and two as deltas: these are in the journal.
        let most = 2 * text(2).len() + 6000;
        assert!(sandbox.journal.len() < most, "{} bytes of a journal", sandbox.journal.len());
        is_checked_out(&mut sandbox, &repo, &mut world);
        let mut reopened = sandbox.reopened();
        is_checked_out(&mut reopened, &repo, &mut world);
        assert_eq!(look(&mut reopened), look(&mut sandbox));

        // Edits of such a file are stored as deltas, and undo restores it.
        let before = look(&mut sandbox);
        let edit = json!({ "path": "whole.txt", "old": "\n7 ", "new": "\nseven " });
        let length = sandbox.journal.len();
        succeed(&mut sandbox, "edit_file", &edit, 10, &mut world);
        assert!(sandbox.journal.len() < length + 500, "{} bytes more", sandbox.journal.len() - length);
        let moved = json!({ "from": "whole.txt", "to": "moved.txt" });
        succeed(&mut sandbox, "move_file", &moved, 11, &mut world);
        assert_eq!(look(&mut sandbox.reopened()), look(&mut sandbox));
        sandbox.undo(2, 12).expect("both can be taken back");
        let files = |seen: &str| seen.split_once("git_status").map(|(_, rest)| rest.to_owned());
        assert_eq!(files(&look(&mut sandbox)), files(&before));
        sandbox.compact().expect("it can be written anew");
        assert!(sandbox.journal.len() < most);
        is_checked_out(&mut sandbox.reopened(), &repo, &mut world);
    });
}

#[test]
fn what_attributes_change_is_what_git_checks_out_and_the_rest_stays_in_the_pack() {
    with_stack(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repository");
        let repo = repository(&root);
        repo.write(".gitattributes", "whole.txt text\ndos/* eol=crlf\nid/* ident\n");
        repo.write("dos/lines.txt", &text(3).replace('\n', "\r\n"));
        repo.write("id/file.txt", &format!("$Id$\n{}", text(4)));
        repo.write("id/none.txt", &text(5));
        repo.commit("Add attributes");
        // As in a clone.
        fs::remove_file(root.join("id/file.txt")).unwrap();
        repo.git(&["checkout", "--", "."]);
        assert!(repo.read("id/file.txt").starts_with("$Id: "));
        let mut world = World::default();
        let mut sandbox = Sandbox::create(&options());
        import(&mut sandbox, &repo, &mut world);
        is_checked_out(&mut sandbox, &repo, &mut world);
        is_checked_out(&mut sandbox.reopened(), &repo, &mut world);
        let most = 2 * text(2).len() + text(3).len() + text(4).len() + 6000;
        assert!(sandbox.journal.len() < most, "only what is converted is in it: {}", sandbox.journal.len());
    });
}

#[test]
fn what_is_pulled_restored_or_switched_to_stays_in_its_pack_as_well() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.write("part/one.txt", &text(6));
    repo.commit("Add a part");
    cli.run(&["new", "--from", "local:project", "--paths", "part", "--identity", "Ada <ada@example.org>"]).ok();
    let journal = || fs::metadata(cli.home().join("sandboxes/default/journal")).unwrap().len();
    let read = |path: &str| cli.call("read_file", &json!({ "path": path })).ok().stdout;
    // More than a step needs apart from the content, and less than the compressed content.
    let little = 8000;
    assert_eq!(read("part/one.txt"), text(6));
    assert!(journal() < little, "{} bytes of a journal", journal());

    repo.write("part/two.txt", &text(7));
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.commit("Add another file");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "side"]);
    let before = journal();
    cli.call("git_pull", &json!({})).ok();
    assert_eq!(read("part/two.txt"), text(7));
    assert!(journal() < before + little, "{} bytes more", journal() - before);

    cli.call("write_file", &json!({ "path": "part/two.txt", "content": "other\n" })).ok();
    let before = journal();
    cli.call("git_restore", &json!({ "paths": ["part/two.txt"] })).ok();
    assert_eq!(read("part/two.txt"), text(7));
    assert!(journal() < before + little, "{} bytes more", journal() - before);

    cli.call("git_checkout", &json!({ "commit": "HEAD~1" })).ok();
    cli.call("read_file", &json!({ "path": "part/two.txt" })).fails(1);
    let before = journal();
    cli.call("git_checkout", &json!({ "branch": "main" })).ok();
    assert_eq!(read("part/two.txt"), text(7));
    assert!(journal() < before + little, "{} bytes more", journal() - before);
    cli.run(&["fsck"]).ok();
}
