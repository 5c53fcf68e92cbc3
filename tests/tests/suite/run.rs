//! `gitgate run`: what an agent gets, what stays with the process that runs it, and the state afterwards.

use std::fs;

use serde_json::{Value, json};
use tests::agent::Agent;
use tests::built::built;
use tests::cli::{Cli, finish};
use tests::terminal::{Size, Terminal};

const SIZE: Size = Size { columns: 120, rows: 40 };
const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

/// A person's machine with a sandbox.
fn sandbox() -> Cli {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--identity", "Ada <ada@example.org>"]).ok();
    cli
}

fn write(path: &str) -> (&'static str, Value) {
    ("write_file", json!({ "path": path, "content": "by the agent\n" }))
}

#[test]
fn an_agent_works_through_the_process_that_runs_it() {
    let cli = sandbox();
    let stage = ("git_stage", json!({ "files": ["agent.md"], "message": "Write what was asked for" }));
    let agent = Agent::calling(&cli, &[write("agent.md"), stage]);
    let out = cli.run(&["run", "--", agent.name()]).ok();
    for result in agent.results() {
        assert_ne!(result["isError"], true, "{result:#}");
    }
    assert!(out.stdout.contains("Proposed commits wait: `gitgate -s default push "), "{out:#?}");
    // The command of its client: this gitgate, which only forwards.
    let told: Value = serde_json::from_str(&agent.saw("mcp.json")).unwrap();
    let server = &told["mcpServers"]["gitgate"];
    assert_eq!(server["command"], built().cli.to_str().unwrap());
    assert_eq!(server["args"], json!(["mcp", "--connect", agent.socket().to_str().unwrap()]));
    assert!(!agent.socket().exists(), "nobody serves there any more");
}

#[test]
fn attack_13_an_agent_has_no_credential_and_nobody_else_has_its_socket() {
    let cli = sandbox();
    let agent = Agent::of(&cli, "ls -ld $(dirname $socket) > $seen/folder");
    let mut run = cli.command(&["run", "--", agent.name()]);
    run.env("GITHUB_TOKEN", SECRET).env("SSH_AUTH_SOCK", "/nowhere").env("ANTHROPIC_API_KEY", "kept");
    finish(&mut run, b"").ok();
    let environment = agent.saw("environment");
    assert!(environment.contains("ANTHROPIC_API_KEY=kept\n"), "{environment}");
    for gone in [SECRET, "SSH_AUTH_SOCK", "GITGATE_HOME"] {
        assert!(!environment.contains(gone), "{gone}: {environment}");
    }
    assert!(agent.saw("folder").starts_with("drwx------"), "{}", agent.saw("folder"));
}

#[test]
fn attack_22_what_an_agent_leaves_behind_is_connected_no_more() {
    let cli = sandbox();
    // A client that never ends by itself: it holds its own input open.
    let script = "mkfifo $seen/pipe\nexec 3<>$seen/pipe\n$gitgate mcp --connect $socket <&3 &";
    let agent = Agent::of(&cli, script);
    // Its output is this test's too, so this waits for it.
    cli.run(&["run", "--", agent.name()]).ok();
    let late = cli.run(&["mcp", "--connect", agent.socket().to_str().unwrap()]).fails(2);
    assert!(late.stderr.contains("no `gitgate run` serves at "), "{late:#?}");
}

#[test]
fn an_agent_is_found_where_the_person_is_before_anything_is_made() {
    let cli = Cli::default();
    cli.repository("work");
    cli.repository("project");
    let run = |program: &str| finish(cli.command(&["run", "--", program]).current_dir(cli.work().join("project")), b"");
    let none = run("./no-agent").fails(2);
    assert!(none.stderr.contains("cannot start ./no-agent"), "{none:#?}");
    assert_eq!(cli.run(&["ls"]).ok().stdout, "", "no sandbox was made");
    let agent = Agent::of(&cli, "");
    let ran = run("../../agent.sh").ok();
    assert!(ran.stdout.contains("The agent has proposed no commit"), "{ran:#?}");
    assert!(agent.saw("environment").contains("PATH="));
}

#[test]
fn an_editors_launcher_is_no_agent() {
    let cli = Cli::default();
    let out = cli.run(&["run", "--", "code"]).fails(2);
    assert!(out.stderr.contains("code opens a window") && out.stderr.contains("`gitgate setup vscode`"), "{out:#?}");
}

#[test]
fn an_agents_keys_are_its_own_and_the_review_comes_when_it_ends() {
    let cli = sandbox();
    let agent = Agent::of(&cli, "echo ready\nuntil test -e $seen/enough; do sleep 0.05; done\necho done");
    let mut terminal = Terminal::start(&cli.command(&["run", "--", agent.name()]), SIZE);
    terminal.sees("ready");
    terminal.interrupt();
    terminal.interrupt();
    fs::write(agent.program.with_file_name("seen").join("enough"), "").unwrap();
    terminal.sees("done");
    let (code, rest) = terminal.ends();
    assert!(code == 0 && rest.contains("The agent has proposed no commit"), "{code}: {rest}");
}

/// A person's machine with a sandbox of a repository, whose agent may propose pushes, and an agent's script.
fn with_git(script: &str) -> (Cli, tests::repo::Repo, std::path::PathBuf) {
    let cli = Cli::default();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let repo = cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    let agent = cli.work().join("agent.sh");
    fs::write(&agent, format!("#!/bin/sh\nset -e\n{script}")).unwrap();
    fs::set_permissions(&agent, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    (cli, repo, agent)
}

#[test]
fn an_agent_with_tools_of_its_own_works_in_a_clone_that_stays() {
    let script = "echo \"run $1\" >> notes.md\ngit add notes.md\n\
                  if [ $1 = 1 ]; then git commit -qm 'Add notes'; else git commit -q --amend --no-edit; fi\n\
                  echo built > target.o\ngit push 2>&1\n";
    let (cli, repo, agent) = with_git(script);
    let before = repo.id("main");
    let run = |number: &str| cli.run(&["run", "--git", "--", agent.to_str().unwrap(), number]).ok();
    let out = run("1");
    assert!(
        out.stdout.contains("waiting for review") && out.stderr.contains("the agent's clone stays in "),
        "{out:#?}"
    );
    // What it has built is there, and it amends what it has proposed.
    let out = run("2");
    assert!(out.stdout.contains("waiting for review"), "{out:#?}");
    assert_eq!(repo.id("main"), before);
    let (_, folder) = out.stderr.split_once("the agent's clone stays in ").unwrap();
    let clone = tests::repo::Repo::at(std::path::Path::new(folder.lines().next().unwrap().trim()));
    assert_eq!(clone.read("notes.md"), "run 1\nrun 2\n");
    assert_eq!(clone.read("target.o"), "built\n");
    assert_eq!(clone.git(&["log", "-1", "--format=%an <%ae>"]), "Ada <ada@example.org>");
    let config = clone.read(".git/config");
    assert!(config.contains("url = gitgate:default") && !config.contains("gitgate_"), "{config}");
    let shown = cli.run(&["status"]).ok();
    assert!(shown.stdout.contains("Add notes"), "{shown:#?}");
    assert_eq!(shown.stdout.matches("Add notes").count(), 1, "the first was replaced: {shown:#?}");
}

#[test]
fn attack_13_an_agent_with_git_has_no_credential_but_for_its_sandbox() {
    let (cli, _repo, agent) = with_git("env\ncat .git/config\ngit remote get-url origin\n");
    let mut run = cli.command(&["run", "--git", "--", agent.to_str().unwrap()]);
    run.env("GITHUB_TOKEN", SECRET).env("SSH_AUTH_SOCK", "/nowhere").env("ANTHROPIC_API_KEY", "kept");
    let out = finish(&mut run, b"").ok();
    assert!(out.stdout.contains("ANTHROPIC_API_KEY=kept\n") && out.stdout.contains("/git/default\n"), "{out:#?}");
    for gone in [SECRET, "SSH_AUTH_SOCK", "GITGATE_HOME"] {
        assert!(!out.stdout.contains(gone), "{gone}: {out:#?}");
    }
}
