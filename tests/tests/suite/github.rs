//! The command line with a fake GitHub that keeps state: npm's emulate, filled with objects made by git.

use std::process::Command;

use serde_json::{Value, json};
use tests::agent::Agent;
use tests::built::built;
use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;
use trial::emulate::{self, TOKEN};

const ADA: &str = "Ada Example <ada@example.org>";

/// A fake GitHub, and a command line that uses it.
struct StandIn {
    server: emulate::StandIn,
    cli: Cli,
}

impl StandIn {
    fn start() -> StandIn {
        let cli = Cli::default();
        cli.unattended();
        StandIn { server: emulate::StandIn::start(&built().target.join("emulate")), cli }
    }

    fn ask(&self, arguments: &[&str]) -> String {
        self.server.ask(arguments)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cli.command(arguments);
        command.env("GITHUB_API_URL", self.server.base()).env("GITHUB_TOKEN", TOKEN);
        command
    }

    fn gitgate(&self, arguments: &[&str]) -> Out {
        finish(&mut self.command(arguments), b"")
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let out = self.gitgate(&["call", tool, &arguments.to_string(), "--yes", "--json"]).ok();
        out.json()["structured"].clone()
    }

    fn branch(&self, name: &str) -> String {
        self.ask(&["branch", name]).trim().to_owned()
    }
}

/// Modes, ids and paths of a revision, as the fake GitHub lists them.
fn files(repo: &Repo, revision: &str) -> String {
    let listed = repo.git(&["ls-tree", "-r", revision]);
    let line = |line: &str| {
        let (entry, path) = line.split_once('\t').expect("git ends the entry so");
        let mut parts = entry.split(' ');
        let (mode, id) = (parts.next().unwrap(), parts.nth(1).unwrap());
        format!("{mode} {id} {path}\n")
    };
    listed.lines().map(line).collect()
}

fn sorted(lines: &str) -> Vec<&str> {
    let mut sorted: Vec<&str> = lines.lines().collect();
    sorted.sort_unstable();
    sorted
}

#[test]
#[ignore = "needs node and npm: cargo xtask test"]
fn a_repository_on_github_is_opened_changed_and_pushed_with_gits_own_ids() {
    let there = StandIn::start();
    let repo = there.cli.repository("project");
    there.ask(&["load", repo.path(), "main"]);
    assert_eq!(there.branch("main"), repo.id("main"));
    there.gitgate(&["new", "--from", "github:Ada/Project", "--identity", ADA]).ok();
    let branches = there.call("git_branches", &json!({ "target": { "type": "github", "repo": "ada/project" } }));
    assert_eq!(branches["branches"], json!(["main"]));

    // The contents of a push: an edit, an executable, a deletion, a folder, binary bytes.
    there.call("write_file", &json!({ "path": "README.md", "content": "# Project\n\nChanged.\n" }));
    there.call("write_file", &json!({ "path": "new/deep/file.txt", "content": "new\n" }));
    there.call("delete_file", &json!({ "path": "dos.txt" }));
    let files_of = ["README.md", "new/deep/file.txt", "dos.txt"];
    let staged = there.call("git_stage", &json!({ "files": files_of, "message": "Change it" }));
    let pushed = there.gitgate(&["push", "--yes", "--json"]).ok().json();
    assert_eq!(pushed["structured"]["status"], "success", "{pushed:#}");
    assert_eq!(there.branch("main"), staged["commitSha"]);

    // git produces the same from the sandbox's content.
    there.gitgate(&["export", "work.bundle", "--yes"]).ok();
    let bundle = there.cli.work().join("work.bundle");
    repo.git(&["fetch", "--quiet", bundle.to_str().unwrap(), "main:exported"]);
    assert_eq!(repo.id("exported"), there.branch("main"));
    assert_eq!(sorted(&there.ask(&["files", "main"])), sorted(&files(&repo, "exported")));
    assert_eq!(repo.id("exported~1"), repo.id("main"));

    // A new branch, with a pull request.
    there.call("write_file", &json!({ "path": "topic.md", "content": "On a topic\n" }));
    let staged = there.call("git_stage", &json!({ "files": ["topic.md"], "message": "Tell of the topic" }));
    let out =
        there.gitgate(&["push", "--yes", "--to", "github:ada/project#topic/new", "--pull-request", "--draft"]).ok();
    assert!(out.stdout.contains("Opened pull request 1: http"), "{out:#?}");
    assert_eq!(there.branch("topic/new"), staged["commitSha"]);
    let status = there.gitgate(&["status"]).ok();
    assert!(status.stdout.contains("\nPull request 1: draft: http"), "{status:#?}");
    let status = there.gitgate(&["status", "--json"]).ok().json();
    assert_eq!((&status["pullRequest"]["number"], &status["pullRequest"]["state"]), (&json!(1), &json!("draft")));
}

#[test]
#[ignore = "needs node and npm: cargo xtask test"]
fn a_branch_that_moved_is_a_conflict_until_it_is_pulled() {
    let there = StandIn::start();
    there.gitgate(&["new", "--from", "github:ada/project", "--identity", ADA]).ok();
    there.call("write_file", &json!({ "path": "mine.md", "content": "mine\n" }));
    there.call("git_stage", &json!({ "files": ["mine.md"], "message": "Mine" }));
    there.ask(&["write", "main", "theirs.md", "theirs\n"]);
    let theirs = there.branch("main");
    let conflict = there.gitgate(&["push", "--yes", "--json"]).exits(4).json();
    assert_eq!(conflict["structured"]["conflict"]["targetHead"], theirs);
    assert_eq!(there.branch("main"), theirs);
    there.gitgate(&["pull", "--yes"]).ok();
    there.gitgate(&["push", "--yes"]).ok();
    let files = there.ask(&["files", "main"]);
    assert!(files.contains(" mine.md\n") && files.contains(" theirs.md\n"), "{files}");
}

#[test]
#[ignore = "needs node and npm: cargo xtask test"]
fn attack_13_an_agent_that_is_run_reaches_github_without_the_token() {
    let there = StandIn::start();
    there.gitgate(&["new", "--from", "github:ada/project", "--paths", "README.md", "--identity", ADA]).ok();
    there.ask(&["write", "main", "theirs.md", "theirs\n"]);
    let calls = [("git_pull", json!({ "paths": ["theirs.md"] })), ("read_file", json!({ "path": "theirs.md" }))];
    let agent = Agent::calling(&there.cli, &calls);
    let out = there.gitgate(&["run", "--", agent.name()]).ok();
    let results = agent.results();
    assert!(results.len() == 2 && results.iter().all(|result| result["isError"] != true), "{results:#?}");
    assert!(results[1].to_string().contains("theirs"), "{results:#?}");
    assert!(!agent.saw("environment").contains(TOKEN) && !out.stdout.contains(TOKEN), "{out:#?}");
}

#[test]
#[ignore = "needs node and npm: cargo xtask test"]
fn attack_13_a_server_that_ends_in_the_middle_leaves_no_token_and_no_doubt() {
    let mut there = StandIn::start();
    there.gitgate(&["new", "--from", "github:ada/project", "--identity", ADA]).ok();
    there.call("write_file", &json!({ "path": "mine.md", "content": "mine\n" }));
    there.call("git_stage", &json!({ "files": ["mine.md"], "message": "Mine" }));
    there.server.kill();
    let out = there.gitgate(&["push", "--yes"]).fails(1);
    assert!(out.stderr.contains("GitHub cannot be reached"), "{out:#?}");
    let status = there.gitgate(&["status"]).ok();
    assert!(status.stdout.contains("\"Mine\""), "the commit is still staged: {status:#?}");
    let log = there.gitgate(&["log"]).ok();
    for said in [&out, &status, &log] {
        assert!(!said.stdout.contains(TOKEN) && !said.stderr.contains(TOKEN), "{said:#?}");
    }
}
