//! An agent's requests while nobody can be asked, answered from another process.

use serde_json::{Value, json};
use tests::cli::{Cli, Out};
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, digest, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// A sandbox that asks about everything, with a file to stage, and the agent's call.
fn strict() -> (Cli, String) {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1" })).ok();
    (cli, json!({ "files": ["a"], "message": "Add" }).to_string())
}

fn stage(cli: &Cli, arguments: &str) -> Out {
    cli.run(&["call", "git_stage", arguments, "--json"])
}

fn error(out: &Out) -> Value {
    out.json()["error"].clone()
}

/// The only waiting call, as the list names it.
fn waits(cli: &Cli) -> String {
    let list = cli.run(&["review"]).ok().stdout;
    assert_eq!(list.lines().count(), 1, "{list}");
    list.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_call_that_was_approved_elsewhere_goes_on_when_it_is_made_again() {
    let (cli, arguments) = strict();
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
    let asked = stage(&cli, &arguments).exits(3);
    let id = waits(&cli);
    let hint = error(&asked)["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("Tell the user") && !hint.contains("gitgate") && !hint.contains(&id), "{hint}");
    assert!(cli.run(&["review"]).ok().stdout.contains("git_stage  Stage 1 file(s): a"));
    let mut terminal = Terminal::start(&cli.command(&["review"]), SIZE);
    terminal.sees("> ");
    terminal.types("a\n");
    let (code, rest) = terminal.ends();
    assert_eq!(code, 0, "{rest}");
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
    // It applies to exactly that call, once.
    stage(&cli, &json!({ "files": ["a"], "message": "Other" }).to_string()).exits(3);
    stage(&cli, &arguments).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "2" })).ok();
    stage(&cli, &arguments).exits(3);
    assert!(cli.run(&["log"]).ok().stdout.contains("Stage 1 file(s): a"));
    cli.run(&["log", "--verify"]).ok();
}

#[test]
fn a_rejection_carries_its_reason_to_the_agent() {
    let (cli, arguments) = strict();
    stage(&cli, &arguments).exits(3);
    let id = waits(&cli);
    assert_eq!(cli.run(&["review", &id, "--reject", "smaller, please"]).ok().stdout, format!("Rejected {id}\n"));
    let rejected = stage(&cli, &arguments).exits(3);
    assert_eq!(
        (&error(&rejected)["kind"], &error(&rejected)["reason"]),
        (&json!("rejected"), &json!("smaller, please"))
    );
    // Reported once: then the question comes again.
    assert_eq!(error(&stage(&cli, &arguments).exits(3))["kind"], "not-approved");
    cli.run(&["review", "none"]).fails(2);
}

#[test]
fn a_push_that_an_agent_proposed_is_shown_and_made_by_whoever_reviews_it() {
    let Staged { cli, repo, id, base } = staged();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let arguments = json!({ "commitId": id }).to_string();
    let propose = || cli.run(&["call", "git_push", &arguments, "--json"]);
    propose().exits(3);
    let waiting = waits(&cli);
    let mut terminal = Terminal::start(&cli.command(&["review", &waiting]), SIZE);
    assert!(terminal.sees("> ").contains("Tell of the past"));
    terminal.types("r\nnot on a Friday\n");
    terminal.ends();
    assert_eq!(repo.id("main"), base);
    assert_eq!(error(&propose().exits(3))["reason"], "not on a Friday");
    propose().exits(3);
    let waiting = waits(&cli);
    let shown = digest(&cli.run(&["review", &waiting]).fails(3));
    let landed = cli.run(&["review", &waiting, "--approve", &shown]).ok().stdout;
    assert_ne!(repo.id("main"), base);
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
    // The agent reads the landed push, once.
    assert_eq!(propose().ok().json()["text"], *landed);
    assert_eq!(propose().ok().json()["text"], "Everything up-to-date\n");
}

#[test]
fn an_agent_that_has_staged_more_since_its_push_landed_proposes_that() {
    let Staged { cli, repo, .. } = staged();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let propose = || cli.run(&["call", "git_push", r#"{"commitId": "HEAD"}"#, "--json"]);
    propose().exits(3);
    let approve = |waiting: &str| {
        let shown = digest(&cli.run(&["review", waiting]).fails(3));
        cli.run(&["review", waiting, "--approve", &shown]).ok().stdout
    };
    let first = approve(&waits(&cli));
    cli.call("write_file", &json!({ "path": "later.md", "content": "later\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["later.md"], "message": "Add what comes later" })).ok();
    propose().exits(3);
    let second = approve(&waits(&cli));
    assert_eq!(repo.git(&["show", "main:later.md"]), "later");
    assert_ne!(first, second);
    assert_eq!(propose().ok().json()["text"], *second, "what landed last");
    propose().ok();
    // A person's push meanwhile is not the outcome of the agent's push.
    cli.call("write_file", &json!({ "path": "last.md", "content": "last\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["last.md"], "message": "Add what comes last" })).ok();
    propose().exits(3);
    approve(&waits(&cli));
    cli.call("write_file", &json!({ "path": "own.md", "content": "own\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["own.md"], "message": "Add what a person pushes" })).ok();
    let shown = digest(&cli.run(&["push", "HEAD"]).fails(3));
    cli.run(&["push", "HEAD", "--approve", &shown]).ok();
    assert_eq!(propose().ok().json()["text"], "Everything up-to-date\n");
}

#[test]
fn who_leaves_one_call_for_later_is_asked_about_the_next() {
    let (cli, arguments) = strict();
    stage(&cli, &arguments).exits(3);
    stage(&cli, &json!({ "files": ["a"], "message": "Another" }).to_string()).exits(3);
    let mut terminal = Terminal::start(&cli.command(&["review"]), SIZE);
    let first = terminal.sees("> ");
    assert!(first.contains("Sandbox: default"), "{first}");
    terminal.types("q\n");
    let next = terminal.sees("> ");
    assert!(next.contains("you left without a decision") && next.contains("\ngit_stage: Stage 1 file(s): a"), "{next}");
    terminal.types("a\n");
    let (_, rest) = terminal.ends();
    assert!(rest.contains("Approved"), "{rest}");
    assert_eq!(cli.run(&["review"]).ok().stdout.lines().count(), 1);
}

#[test]
fn a_push_that_the_person_made_themselves_waits_no_more_and_the_agent_hears_of_it() {
    let Staged { cli, id, .. } = staged();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let propose = |arguments: Value| cli.run(&["call", "git_push", &arguments.to_string(), "--json"]);
    let elsewhere = json!({ "type": "local", "path": "project", "branch": "elsewhere" });
    propose(json!({ "commitId": id })).exits(3);
    propose(json!({ "commitId": id, "target": elsewhere })).exits(3);
    let shown = digest(&cli.run(&["push"]).fails(3));
    let landed = cli.run(&["push", "--approve", &shown]).ok().stdout;
    // To another place it is another push.
    let list = cli.run(&["review"]).ok().stdout;
    assert!(list.lines().count() == 1 && list.contains("elsewhere"), "{list}");
    assert_eq!(propose(json!({ "commitId": id })).ok().json()["text"], *landed);
}

#[test]
fn a_push_still_waits_after_its_repository_could_not_be_read() {
    let Staged { cli, id, repo, .. } = staged();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    cli.run(&["call", "git_push", &json!({ "commitId": id }).to_string()]).exits(3);
    let call = waits(&cli);
    let away = repo.root().with_extension("away");
    std::fs::rename(repo.root(), &away).unwrap();
    let failed = cli.run(&["review", &call]).exits(1);
    assert!(
        failed.stderr.contains(&format!("the call still waits; `gitgate review {call} --reject REASON`")),
        "{failed:#?}"
    );
    std::fs::rename(&away, repo.root()).unwrap();
    assert_eq!(waits(&cli), call);
    let shown = digest(&cli.run(&["review", &call]).exits(3));
    cli.run(&["review", &call, "--approve", &shown]).ok();
    assert_eq!(cli.run(&["review"]).ok().stdout, "No calls are waiting\n");
}

#[test]
fn attack_22_an_agent_answers_nothing_of_its_own() {
    let (cli, arguments) = strict();
    stage(&cli, &arguments).exits(3);
    let id = waits(&cli);
    // Content that it writes into its sandbox is no answer, and a user's call does not consume an
    // answer.
    cli.call("write_file", &json!({ "path": format!("waiting/{id}.json"), "content": "{}" })).ok();
    stage(&cli, &arguments).exits(3);
    cli.run(&["review", &id]).fails(3);
    cli.run(&["review", &id, "--yes"]).ok();
    cli.run(&["call", "git_stage", &arguments, "--as", "user"]).fails(3);
    stage(&cli, &arguments).ok();
}
