//! Worker files: sandboxes configured for one kind of work.

use serde_json::json;
use tests::cli::Cli;
use tests::repo::Repo;

use crate::pushing::{digest, more};

/// A machine with two repositories, and a worker file with these lines below `git:`.
fn worker(git: &str) -> (Cli, Repo, Repo) {
    let cli = Cli::default();
    let repo = cli.repository("project");
    let bare = repo.bare_clone(&cli.work().join("reports.git"));
    write(&cli, git);
    (cli, repo, bare)
}

fn write(cli: &Cli, git: &str) {
    let text = format!(
        "---\nname: report-writer\ndescription: Writes reports\ntoolsets:\n  filesystem: {{}}\n  git:\n{git}---\n\nYou write reports.\n"
    );
    std::fs::write(cli.work().join("worker.md"), text).unwrap();
}

const NEW: &[&str] =
    &["new", "--from", "local:project", "--worker", "worker.md", "--identity", "Agent Smith <agent@example.org>"];

const REPORTS: &str =
    "    default_target:\n      type: local-bare\n      path: reports.git\n      branch: \"worker-{timestamp}\"\n";

#[test]
fn pushes_go_to_the_workers_target_on_one_branch_of_the_sandbox() {
    let (cli, repo, bare) = worker(REPORTS);
    cli.run(NEW).ok();
    let main = repo.id("main");
    for name in ["one", "two"] {
        let id = more(&cli, name, name);
        // From any working folder: the path is relative to where the sandbox was created.
        let elsewhere = |arguments: &[&str]| cli.command(arguments).current_dir(cli.folder()).output().unwrap();
        let shown = String::from_utf8(elsewhere(&["push", &id]).stdout).unwrap();
        let shown = shown.lines().find_map(|line| line.strip_prefix("Digest: ")).expect("it is shown").to_owned();
        assert!(elsewhere(&["push", &id, "--approve", &shown]).status.success());
    }
    let refs = bare.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/worker-*"]);
    let stamp = refs.strip_prefix("worker-").expect("one branch, of this sandbox");
    assert!(stamp.len() == 16 && stamp.ends_with('Z') && stamp.as_bytes()[8] == b'T', "{stamp}");
    assert_eq!(bare.git(&["log", "--format=%s", &format!("main..{refs}")]), "two\none");
    assert_eq!((repo.id("main"), bare.id("main")), (main.clone(), main));
    bare.is_sound();
}

#[test]
fn a_worker_file_lets_an_agent_propose_pushes_to_its_target() {
    let (cli, _, bare) = worker(&format!("    mode: assisted\n{REPORTS}"));
    cli.run(NEW).ok();
    let id = more(&cli, "report.md", "Report");
    for target in [json!(null), json!({ "type": "local-bare", "path": "reports.git", "branch": "main" })] {
        let arguments = json!({ "commitId": id, "target": target }).to_string();
        cli.run(&["call", "git_push", &arguments]).fails(3);
        let list = cli.run(&["review"]).ok().stdout;
        let waiting = list.split_whitespace().next().unwrap();
        let shown = digest(&cli.run(&["review", waiting]).fails(3));
        cli.run(&["review", waiting, "--approve", &shown]).ok();
    }
    assert_eq!(bare.git(&["show", "--format=%s", "--no-patch", "main"]), "Report");
    let tools = cli.run(&["tools", "--json"]).ok().json();
    let push = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "git_push").unwrap();
    assert_eq!(push["manual"], false);
}

#[test]
fn the_sandboxs_own_word_goes_before_the_configurations() {
    let (cli, ..) = worker("    mode: manual\n");
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    cli.run(NEW).ok();
    let id = more(&cli, "a", "A");
    let arguments = json!({ "commitId": id }).to_string();
    assert_eq!(cli.run(&["call", "git_push", &arguments, "--json"]).exits(1).json()["error"]["kind"], "not-permitted");
}

#[test]
fn what_the_file_says_is_recorded_with_the_sandbox() {
    let pull =
        "    auto_pull:\n      - path: templates/\n        source: {type: local, path: project, branch: templates}\n";
    let (cli, repo, bare) = worker(&format!("    mode: assisted\n{REPORTS}{pull}"));
    repo.git(&["branch", "templates"]);
    repo.git(&["worktree", "add", "--quiet", "../templates", "templates"]);
    let templates = Repo::at(&cli.work().join("templates"));
    templates.write("templates/letter.md", "Dear\n");
    templates.commit("A letter");
    cli.run(NEW).ok();
    assert_eq!(cli.call("read_file", &json!({ "path": "templates/letter.md" })).ok().stdout, "Dear\n");
    assert_eq!(cli.call("git_status", &json!({})).ok().stdout, "## main...origin/main\n?? templates/\n");
    let text = std::fs::read_to_string(cli.home().join("sandboxes/default/sandbox.toml")).unwrap();
    let place = bare.root().canonicalize().unwrap();
    for line in [
        "worker = \"report-writer\"",
        "push = \"assisted\"",
        "[default_target]",
        "path = \"reports.git\"",
        "[[auto_pull]]",
        "path = \"templates/\"",
        "branch = \"templates\"",
    ] {
        assert!(text.lines().any(|written| written == line), "{line}: {text}");
    }
    assert!(text.contains(&format!("\"bare:{}\"", place.display())), "an agent may name it: {text}");
    assert!(!text.contains("{timestamp}"), "{text}");
    // The worker file is not read any more.
    std::fs::remove_file(cli.work().join("worker.md")).unwrap();
    cli.run(&["status"]).ok();
}

#[test]
fn what_is_pulled_at_the_start_is_files_also_where_there_is_no_commit_yet() {
    let pull = "    auto_pull:\n      - path: src/\n        source: {type: local, path: project}\n";
    let (cli, _, _) = worker(pull);
    let empty = Repo::init(&cli.work().join("empty"));
    for from in [&["--from", "local:empty"][..], &["--empty"]] {
        let new = [&["new"], from, &["--worker", "worker.md", "--identity", "Ada <ada@example.org>"]].concat();
        cli.run(&new).ok();
        assert_eq!(cli.call("list_files", &json!({})).ok().stdout, "src/\n");
        let status = cli.call("git_status", &json!({})).ok().stdout;
        assert!(status.starts_with("## No commits yet on main") && status.ends_with("\n?? src/\n"), "{status}");
        cli.run(&["rm", "default", "--force"]).ok();
    }
    cli.run(&["new", "--from", "local:empty", "--worker", "worker.md", "--identity", "Ada <ada@example.org>"]).ok();
    let id = more(&cli, "a.md", "First");
    let out = cli.run(&["push", &id]).exits(3);
    cli.run(&["push", &id, "--approve", &digest(&out)]).ok();
    assert_eq!(empty.git(&["log", "--format=%s", "main"]), "First");
}

#[test]
fn a_worker_file_that_is_wrong_makes_no_sandbox_and_says_where() {
    let (cli, ..) = worker("    mode: sometimes\n");
    let fails = |code, message: &str| {
        let out = cli.run(NEW).fails(code);
        assert!(out.stderr.contains(message), "{out:#?}");
        assert_eq!(cli.run(&["ls"]).ok().stdout, "", "nothing was created");
    };
    fails(2, "worker.md:7: `mode` must be manual or assisted, not `sometimes`");
    write(&cli, "    defaul_target: {}\n");
    fails(2, "worker.md:7: unknown key `defaul_target`; known keys are default_target, auto_pull, mode");
    write(&cli, "    default_target: {type: local, path: ., branch: 'x-{user}'}\n");
    fails(2, "worker.md:7: unknown placeholder `{user}` in a branch name: use {timestamp}");
    write(&cli, "    default_target: {type: local, path: nowhere}\n");
    fails(1, "is not a git repository");
    write(&cli, "    default_target: {type: local-bare, path: project}\n");
    fails(2, "is not a bare repository");
    write(&cli, "    default_target: {type: github, repo: reports}\n");
    fails(2, "`reports` is not OWNER/REPO");
    std::fs::remove_file(cli.work().join("worker.md")).unwrap();
    fails(1, "worker.md");
}
