//! The policy's decisions are visible: to the person asked, to anybody who tests it, and in the audit log.

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, digest, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// Replaces the sandbox's saved rules.
fn remember(cli: &Cli, rules: &str) {
    std::fs::write(cli.home().join("sandboxes/default/policy.toml"), rules).unwrap();
}

/// The verified records of the audit log.
fn records(cli: &Cli) -> Vec<Value> {
    cli.run(&["log", "--verify"]).ok();
    let lines = cli.run(&["log", "--json"]).ok().stdout;
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Makes a call at a terminal, and answers each prompt in turn. Returns each prompt's text, and the end.
fn at_a_terminal(cli: &Cli, arguments: &[&str], answers: &[&str]) -> (Vec<String>, i32, String) {
    let mut terminal = Terminal::start(&cli.command(arguments), SIZE);
    let mut shown = Vec::new();
    for answer in answers {
        shown.push(terminal.sees("> "));
        terminal.types(&format!("{answer}\n"));
    }
    let (code, rest) = terminal.ends();
    (shown, code, rest)
}

#[test]
fn what_a_rule_denies_is_in_the_log_with_the_rule() {
    let Staged { cli, id, .. } = staged();
    remember(
        &cli,
        "[[deny]]\nname = \"no code\"\npath = \"src\"\nreason = \"code goes through review\"\n\
         [[deny]]\ntool = \"delete_file\"\n",
    );
    cli.run(&["push", &id, "--to", "local:project"]).fails(1);
    cli.call("delete_file", &json!({ "path": "README.md" })).fails(1);
    let records = records(&cli);
    assert_eq!(records.len(), 2, "{records:#?}");
    let rule = |rejected: &Value| rejected["how"]["rule"]["name"].as_str().unwrap().to_owned();
    let push = &records[0]["rejection"];
    assert!(rule(&push["rejected"]).starts_with("\"no code\" ("), "{push}");
    assert_eq!(push["reason"], "the policy denies this git_push: code goes through review");
    let call = &records[1]["call"];
    assert_eq!(
        (&call["tool"], &call["verdict"]["rejected"]),
        (&json!("delete_file"), &json!("the policy denies this delete_file"))
    );
    assert!(rule(&call["decided"]).ends_with("policy.toml:5"), "{call}");
    assert!(cli.run(&["log"]).ok().stdout.contains("by the rule \"no code\" ("));
}

#[test]
fn a_rule_that_is_remembered_and_a_revision_are_in_the_log() {
    let staged = staged();
    let push = ["push", &*staged.id, "--to", "local:project", "--leave-out", "src/new.rs", "--message", "Without code"];
    let shown = digest(&staged.cli.run(&push).exits(3));
    staged.cli.run(&["push", &staged.id, "--to", "local:project", "--approve", &shown]).ok();
    let revised = records(&staged.cli)[0]["call"].clone();
    assert_eq!((&revised["tool"], &revised["decided"]["how"]), (&json!("git_revise"), &json!("command")));
    assert_eq!(revised["summary"], "leave out src/new.rs; set the message to \"Without code\"");
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1" })).ok();
    let stage = json!({ "files": ["a"], "message": "Add" }).to_string();
    let mut terminal = Terminal::start(&cli.command(&["call", "git_stage", &stage]), SIZE);
    terminal.sees("> ");
    terminal.types("A\n");
    terminal.sees("Go ahead? [y]es [n]o ");
    terminal.types("y\n");
    assert_eq!(terminal.ends().0, 0);
    let remembered = records(&cli)[0]["remembered"].clone();
    assert_eq!(remembered["decided"]["how"], "prompt");
    let rule = remembered["rule"].as_str().unwrap();
    let file = std::fs::read_to_string(cli.home().join("sandboxes/default/policy.toml")).unwrap();
    assert!(rule.starts_with("[[allow]]\n") && file.contains(rule), "{rule}");
    assert!(cli.run(&["log"]).ok().stdout.contains("rule saved by "));
}

#[test]
fn whoever_has_approved_a_call_is_asked_again_only_for_a_reason_that_is_new() {
    let Staged { cli, repo, .. } = staged();
    repo.write("upstream.md", "new\n");
    repo.commit("Upstream");
    let place = repo.root().canonicalize().unwrap();
    let rule = |reason: &str, more: &str| format!("[[ask]]\ntool = \"git_pull\"\nreason = \"{reason}\"\n{more}\n");
    let target = format!("target = \"local:{}\"", place.display());
    remember(&cli, &[rule("pulls are seen", ""), rule("that one is special", &target), rule("indeed", "")].concat());
    let pull = ["call", "git_pull", "{}"];
    let (shown, code, rest) = at_a_terminal(&cli, &pull, &["a", "a"]);
    assert_eq!(code, 0, "{rest}");
    assert!(shown[0].contains("pulls are seen") && shown[0].contains("indeed"), "{}", shown[0]);
    assert!(!shown[0].contains("that one is special"), "nobody knew yet where it goes: {}", shown[0]);
    assert!(shown[1].contains("applies: that one is special"), "{}", shown[1]);
    assert!(!shown[1].contains("pulls are seen"), "{}", shown[1]);
    assert!(shown[1].contains(&format!("git_pull: {{}} (local:{})", place.display())), "{}", shown[1]);
    let approved = records(&cli).into_iter().filter(|record| record["call"]["tool"] == "git_pull");
    assert_eq!(approved.count(), 2);
}

#[test]
fn a_call_that_waits_is_approved_reason_by_reason() {
    let Staged { cli, repo, .. } = staged();
    let place = repo.root().canonicalize().unwrap();
    remember(
        &cli,
        &format!(
            "[[ask]]\ntool = \"git_pull\"\nreason = \"one\"\n\
             [[ask]]\ntarget = \"local:{}\"\nreason = \"two\"\n",
            place.display()
        ),
    );
    let pull = || cli.run(&["call", "git_pull", "{}", "--json"]);
    for reason in ["one", "two"] {
        pull().exits(3);
        let (shown, code, rest) = at_a_terminal(&cli, &["review"], &["a"]);
        assert!(code == 0 && shown[0].contains(&format!(" applies: {reason}")), "{shown:?} {rest}");
    }
    pull().ok();
}

#[test]
fn explain_says_of_a_pull_what_is_decided_when_it_is_known_where_it_goes() {
    let Staged { cli, repo, .. } = staged();
    let explain = || cli.run(&["policy", "explain", "git_pull"]).ok().stdout;
    assert!(explain().starts_with("allow\n"), "{}", explain());
    let place = repo.root().canonicalize().unwrap();
    remember(&cli, &format!("[[deny]]\nname = \"not there\"\ntarget = \"local:{}\"\n", place.display()));
    assert!(explain().starts_with("deny\n") && explain().contains("the rule \"not there\""), "{}", explain());
    assert_eq!(records(&cli), [Value::Null; 0], "nothing was done, and nothing decided");
}
