//! During an unfinished git operation, no tool moves HEAD.

use super::*;
use crate::calling::target::approved_stage;

/// The files in `.git` that show an unfinished operation, with the operation's name.
const STATES: [(&str, &str); 7] = [
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("rebase-merge/head-name", "rebase"),
    ("rebase-apply/head-name", "rebase"),
    ("rebase-apply/applying", "git am"),
    ("BISECT_LOG", "bisect"),
];

#[test]
fn pulling_staging_and_discarding_wait_until_it_is_finished() {
    for (file, name) in STATES {
        let (mut target, mut sandbox) = pulled(&[("a.md", "a\n")]);
        sandbox.write("b.md", "b\n");
        let staged = stage(&mut sandbox, &["b.md"], "Staged");
        sandbox.write("c.md", "c\n");
        let tip = target.commit_file("a.md", "b\n");
        sandbox.write(&format!(".git/{file}"), format!("{tip}\n"));
        let before = sandbox.tree();
        let pull = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
        assert!(pull.message.starts_with(&format!("You have not concluded your {name} (.git/")), "{}", pull.message);
        let stage = approved_stage(&mut sandbox, &["c.md"], "More").unwrap_err();
        assert_eq!(stage.message, format!("cannot do a partial commit during a {name}."));
        let discard = sandbox.fail("git_discard", json!({ "commitId": staged["id"] }));
        assert_eq!(discard.message, format!("cannot discard a commit during a {name}."));
        for error in [pull, stage, discard] {
            let is_ours = ["merge", "cherry-pick", "revert"].contains(&name);
            let way = if is_ours { " with abort." } else { " in the repository, then try again." };
            assert!(error.hint.ends_with(way), "{}", error.hint);
        }
        assert_eq!(sandbox.tree(), before, "{file}");
        let folder = sandbox.real(&format!(".git/{file}"));
        std::fs::remove_file(folder).unwrap();
        let _ = std::fs::remove_dir(sandbox.real(".git/rebase-merge"));
        let _ = std::fs::remove_dir(sandbox.real(".git/rebase-apply"));
        super::pull(&mut target, &mut sandbox, json!({}));
        assert_eq!(text(&sandbox, "a.md"), "b\n");
    }
}

#[test]
fn a_pull_of_files_or_of_the_first_ones_waits_too_and_one_into_another_zone_does_not() {
    let mut target = Target::new();
    target.commit_file("a.md", "a\n");
    let mut sandbox = with_identity_and(&[("notes", true)]);
    sandbox.write(".git/CHERRY_PICK_HEAD", format!("{}\n", "7".repeat(40)));
    let error = target.serve(&mut sandbox, "git_pull", json!({ "source": source() })).unwrap_err();
    assert_eq!(error.message, "You have not concluded your cherry-pick (.git/CHERRY_PICK_HEAD exists).");
    pull(&mut target, &mut sandbox, json!({ "destZone": "notes" }));
    assert_eq!(text(&sandbox, "/notes/a.md"), "a\n");
    let (_, mut sandbox) = pulled(&[("b.md", "b\n")]);
    sandbox.write(".git/rebase-merge/head-name", "refs/heads/main\n");
    let mut other = Target::named("local:/other");
    other.commit_file("a.md", "a\n");
    let arguments = json!({ "source": { "type": "local", "path": "/other" } });
    let error = other.serve(&mut sandbox, "git_pull", arguments).unwrap_err();
    assert_eq!(error.message, "You have not concluded your rebase (.git/rebase-merge exists).");
    assert!(!sandbox.exists("a.md"));
}
