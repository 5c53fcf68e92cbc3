//! Who may start a push: only a person, or, if the person configures it, also an agent. A person approves it in any case.

use serde_json::{Value, json};
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, digest, restore_home_without_outcome, save_home, staged};

/// A staged commit, in a home with this configuration.
fn configured(text: &str) -> Staged {
    let staged = staged();
    staged.cli.configure(text);
    staged
}

const ASSISTED: &str = "[tools.git]\npush = \"assisted\"\n";

/// The arguments of an agent that pushes to the sandbox's origin.
fn arguments(staged: &Staged) -> String {
    json!({ "commitId": staged.id }).to_string()
}

#[test]
fn an_agents_push_waits_for_a_person_who_approves_it_by_its_digest() {
    let staged = configured(ASSISTED);
    let before = tree::read(staged.repo.root());
    let out = staged.cli.run(&["call", "git_push", &arguments(&staged), "--json"]).exits(3).json();
    let error = &out["error"];
    assert_eq!((&error["kind"], &error["newBranch"]), (&json!("not-approved"), &Value::Null));
    assert_eq!(error["digest"], Value::Null, "an agent hears of no digest");
    assert!(!error["hint"].as_str().unwrap().contains("gitgate"), "nor of how to approve: {error}");
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    let shown = digest(&staged.cli.run(&["push", &staged.id]).fails(3));
    let landed = staged.cli.run(&["push", &staged.id, "--approve", &shown]).ok();
    staged.is_what_was_staged(&staged.repo, "main");
    assert_eq!(staged.cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
    // The agent hears so when it repeats the call, once.
    let again = || staged.cli.run(&["call", "git_push", &arguments(&staged)]).ok().stdout;
    assert_eq!(again(), landed.stdout);
    assert_eq!(again(), "Everything up-to-date\n");
}

#[test]
fn an_agents_push_that_landed_as_gitgate_was_killed_waits_no_more() {
    let staged = configured(&format!("unattended = true\n{ASSISTED}"));
    let push = ["call", "git_push", &arguments(&staged)];
    staged.cli.run(&push).fails(3);
    let saved = save_home(&staged.cli);
    staged.cli.run(&[&push[..], &["--yes"]].concat()).ok();
    restore_home_without_outcome(&staged.cli, &saved);
    assert!(staged.cli.run(&["status"]).ok().stderr.contains("was interrupted; it has landed"));
    assert_eq!(staged.cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
}

#[test]
fn yes_never_answers_for_an_agents_push_unless_the_person_has_said_unattended() {
    let staged = configured(ASSISTED);
    let before = tree::read(staged.repo.root());
    let out = staged.cli.run(&["call", "git_push", &arguments(&staged), "--yes"]).fails(3);
    assert!(out.stderr.contains("--yes does not approve a push"), "{out:#?}");
    let batch = format!("{{\"tool\": \"git_push\", \"arguments\": {}}}\n", arguments(&staged));
    let out = staged.cli.run_with(&["call", "--batch", "--yes"], batch.as_bytes()).ok();
    assert_eq!(out.json()["error"]["kind"], "not-approved");
    assert_same(&before, &tree::read(staged.repo.root()), "the target");
    staged.cli.configure(&format!("unattended = true\n{ASSISTED}"));
    staged.cli.run(&["call", "git_push", &arguments(&staged)]).fails(3);
    staged.cli.run(&["call", "git_push", &arguments(&staged), "--yes"]).ok();
    staged.is_what_was_staged(&staged.repo, "main");
}

#[test]
fn an_agent_pushes_to_the_sandboxs_own_targets_only_and_hears_nothing_of_others() {
    let staged = configured(&format!("unattended = true\n{ASSISTED}"));
    staged.repo.bare_clone(&staged.cli.work().join("bare.git"));
    for place in ["bare.git", "none.git"] {
        let target = json!({ "type": "local-bare", "path": place });
        let arguments = json!({ "commitId": staged.id, "target": target }).to_string();
        let out = staged.cli.run(&["call", "git_push", &arguments, "--yes", "--json"]).exits(1).json();
        assert_eq!(out["error"]["kind"], "not-permitted");
        let message = out["error"]["message"].as_str().unwrap();
        assert!(message.ends_with("is not one of the sandbox's targets, or cannot be opened"), "{message}");
    }
}

#[test]
fn what_the_agent_may_do_is_what_the_tools_say() {
    for (text, manual) in [("", true), ("[tools.git]\npush = \"manual\"\n", true), (ASSISTED, false)] {
        let staged = configured(text);
        let tools = staged.cli.run(&["tools", "--json"]).ok().json();
        let push = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "git_push").unwrap();
        assert_eq!(push["manual"], manual, "{text}");
        let code = if manual { 1 } else { 3 };
        let out = staged.cli.run(&["call", "git_push", &arguments(&staged), "--json"]).exits(code).json();
        assert_eq!(out["error"]["kind"], if manual { "not-permitted" } else { "not-approved" });
    }
}
