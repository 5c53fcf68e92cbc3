//! Several commits, in order, to several targets; and repeating a call whose answer was lost.

use serde_json::{Value, json};
use tests::repo::Repo;
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, digest, more, restore_home, save_home, staged};

/// The commits that an unapproved push would send, each with its message.
#[track_caller]
fn listed(staged: &Staged, id: &str, to: &str) -> (String, Vec<String>) {
    let out = staged.cli.run(&["push", id, "--to", to, "--json"]).exits(3).json();
    let commits = out["error"]["review"]["commits"].as_array().expect("a review lists its commits").clone();
    let message = |commit: &Value| commit["message"].as_str().expect("a commit has a message").to_owned();
    (out["error"]["digest"].as_str().expect("it has a digest").to_owned(), commits.iter().map(message).collect())
}

#[test]
fn every_commit_of_a_push_is_shown_with_its_message_before_it_is_approved() {
    let staged = staged();
    let (second, third) =
        (more(&staged.cli, "second.md", "Second"), more(&staged.cli, "third.md", "Third\n\nAnd last."));
    let first_message = "Tell of the past\n\nAnd begin anew.\n";
    // The middle one takes the first along, and leaves the last.
    let whole = staged.cli.run(&["push", &second, "--to", "local:project"]).fails(3);
    for line in ["    Tell of the past", "    And begin anew.", "    Second"] {
        assert!(whole.stdout.lines().any(|shown| shown == line), "{line}: {whole:#?}");
    }
    assert!(!whole.stdout.contains("Third"), "{whole:#?}");
    let (shown, messages) = listed(&staged, &second, "local:project");
    assert_eq!(shown, digest(&whole));
    assert_eq!(messages, [first_message, "Second\n"]);
    let pushed = staged.cli.run(&["push", &second, "--to", "local:project", "--approve", &shown, "--json"]).ok().json();
    let subjects = ["Tell of the past", "Second"];
    let git = |range: &str, format: &str| -> Vec<String> {
        let log = staged.repo.git(&["log", "--reverse", &format!("--format={format}"), range]);
        log.lines().map(str::to_owned).collect()
    };
    let range = format!("{}..main", staged.base);
    assert_eq!(git(&range, "%s"), subjects);
    let names = git(&range, "%H");
    let told: Vec<(Value, Value, Value)> = pushed["structured"]["commits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|commit| (commit["id"].clone(), commit["commitSha"].clone(), commit["subject"].clone()))
        .collect();
    let expected = [(&staged.id, 0), (&second, 1)].map(|(id, n)| (json!(id), json!(names[n]), json!(subjects[n])));
    assert_eq!(told, expected);
    assert!(
        pushed["text"]
            .as_str()
            .unwrap()
            .ends_with(&format!("     {} Tell of the past\n     {second} Second\n", staged.id))
    );
    assert!(!staged.repo.root().join("third.md").exists());
    // Then only the last.
    let (shown, messages) = listed(&staged, &third, "local:project");
    assert_eq!(messages, ["Third\n\nAnd last.\n"]);
    staged.cli.run(&["push", &third, "--to", "local:project", "--approve", &shown]).ok();
    assert_eq!(git("main~1..main", "%s"), ["Third"]);
    assert_eq!(staged.repo.read("third.md"), "Third\n\nAnd last.");
    assert_eq!(staged.repo.git(&["status", "--porcelain"]), "");
    staged.repo.is_sound();
}

#[test]
fn the_same_commits_go_to_several_targets_each_with_a_tracking_ref_of_its_own() {
    let staged = staged();
    let second = more(&staged.cli, "second.md", "Second");
    let bare = |name: &str| staged.repo.bare_clone(&staged.cli.work().join(name));
    let targets = [
        ("bare:one.git", bare("one.git"), 2),
        ("bare:deep/one.git", bare("deep/one.git"), 2),
        ("local:project#elsewhere", Repo::at(staged.repo.root()), 2),
        // It has them already, on another branch, so the review shows only the differences on this
        // one.
        ("local:project", Repo::at(staged.repo.root()), 0),
    ];
    for (to, repo, new) in &targets {
        let (shown, messages) = listed(&staged, &second, to);
        assert_eq!(messages.len(), *new, "{to}");
        staged.cli.run(&["push", &second, "--to", to, "--approve", &shown]).ok();
        repo.is_sound();
        // A commit at one target is not staged any more, but can still go to the others.
        assert_eq!(staged.cli.structured("git_status", &json!({}))["staged"], json!([]));
    }
    let head = staged.repo.id("main");
    for (repo, branch) in [(&targets[0].1, "main"), (&targets[1].1, "main"), (&targets[2].1, "elsewhere")] {
        assert_eq!(repo.id(branch), head);
    }
    assert_eq!(staged.repo.git(&["show", "--format=%s", "--no-patch", "main~1"]), "Tell of the past");
    // From then on they are distinguished: only a target that lost a commit gets it again.
    targets[1].1.git(&["update-ref", "refs/heads/main", &format!("{head}~1")]);
    for (to, says) in
        [("bare:one.git", "Everything up-to-date\n"), ("local:project#elsewhere", "Everything up-to-date\n")]
    {
        assert_eq!(staged.cli.run(&["push", &second, "--to", to]).ok().stdout, says);
    }
    let (shown, messages) = listed(&staged, &second, "bare:deep/one.git");
    assert_eq!(messages, ["Second\n"]);
    staged.cli.run(&["push", &second, "--to", "bare:deep/one.git", "--approve", &shown]).ok();
    assert_eq!(targets[1].1.id("main"), head);
}

#[test]
fn a_call_made_again_after_its_answer_was_lost_changes_nothing() {
    let staged = staged();
    let second = more(&staged.cli, "second.md", "Second");
    for more in [&["--to", "local:project"][..], &["--to", "local:project#alone", "--only"]] {
        let push = [&["push", second.as_str()], more].concat();
        let shown = digest(&staged.cli.run(&push).fails(3));
        let approve = [&push[..], &["--approve", &shown]].concat();
        let mut lost = staged.cli.command(&approve);
        assert!(lost.stdout(std::process::Stdio::null()).status().expect("it was built").success());
        let before = (tree::read(staged.repo.root()), staged.repo.git(&["for-each-ref"]));
        for again in [&approve, &push] {
            let out = staged.cli.run(again).ok();
            assert_eq!(out.stdout, "Everything up-to-date\n");
        }
        let json = staged.cli.run(&[&push[..], &["--json"]].concat()).ok().json();
        let branch = json["structured"]["branch"].as_str().unwrap().to_owned();
        assert_eq!(
            (&json["structured"]["status"], &json["structured"]["commitSha"]),
            (&json!("success"), &json!(staged.repo.id(&branch)))
        );
        assert_same(&before.0, &tree::read(staged.repo.root()), "the target");
        assert_eq!(staged.repo.git(&["for-each-ref"]), before.1);
    }
}

#[test]
fn a_sandbox_that_never_heard_of_its_push_learns_of_it_from_the_target() {
    let staged = staged();
    let saved = save_home(&staged.cli);
    staged.push("local:project");
    let before = (tree::read(staged.repo.root()), staged.repo.git(&["for-each-ref"]));
    // An older state of the sandbox, such as a backup: the commit waits there.
    restore_home(&staged.cli, &saved);
    assert_eq!(staged.cli.structured("git_status", &json!({}))["staged"].as_array().unwrap().len(), 1);
    assert_eq!(staged.cli.run(&["push", &staged.id, "--to", "local:project"]).ok().stdout, "Everything up-to-date\n");
    assert_eq!(staged.cli.structured("git_status", &json!({}))["staged"], json!([]));
    assert_same(&before.0, &tree::read(staged.repo.root()), "the target");
    assert_eq!(staged.repo.git(&["for-each-ref"]), before.1);
}
