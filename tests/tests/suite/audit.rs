//! The audit log: who approved and rejected what, and the outcomes; and the detection of any change to it.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::terminal::{Size, Terminal};
use tests::tree::{self, Entry};

use crate::pushing::{Staged, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

fn path(cli: &Cli) -> PathBuf {
    cli.home().join("sandboxes/default/audit.log")
}

fn log(cli: &Cli) -> String {
    cli.run(&["log"]).ok().stdout
}

/// The content of every line, without its time.
fn entries(cli: &Cli) -> Vec<String> {
    let log = log(cli);
    let heads = log.lines().filter(|line| !line.starts_with(' '));
    heads.map(|line| line.split_once(' ').expect("a line begins with its time").1.to_owned()).collect()
}

/// The user's name, from the system.
fn user() -> String {
    let out = std::process::Command::new("id").arg("-un").output().expect("there is an id");
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

/// The number of records and the hash of the last one, as `--verify` prints them.
fn verify(cli: &Cli) -> (u64, String) {
    let verified = cli.run(&["log", "--verify", "--json"]).ok().json();
    (verified["records"].as_u64().unwrap(), verified["head"].as_str().unwrap().to_owned())
}

/// A sandbox where two pushes landed, one by its digest and one unattended, and a person rejected one at a terminal.
fn worked() -> Staged {
    let staged = staged();
    let mut terminal = Terminal::start(&staged.cli.command(&["push", &staged.id, "--to", "local:project"]), SIZE);
    terminal.sees("> ");
    terminal.types("r\nnot \x1b[1m yet\n");
    assert_eq!(terminal.ends().0, 3);
    staged.push("local:project");
    staged.cli.unattended();
    crate::pushing::more(&staged.cli, "more.md", "More");
    staged.cli.run(&["push", "--to", "local:project", "--yes"]).ok();
    staged
}

#[test]
fn the_log_has_who_decided_what_and_how_and_what_became_of_it() {
    let staged = worked();
    let user = user();
    assert_eq!(
        entries(&staged.cli),
        [
            format!("push rejected by {user}, at the prompt: not \\x1b[1m yet"),
            format!("push approved by {user}, by digest"),
            "push landed".to_owned(),
            format!("push approved by {user}, unattended"),
            "push landed".to_owned(),
        ]
    );
    let log = log(&staged.cli);
    let (old, new) = (&staged.base, staged.repo.id("main~1"));
    assert_eq!(log.matches(&format!("    {old} -> {new}\n")).count(), 3, "{log}");
    let target = format!("    local:{} (branch: main)\n", staged.repo.root().canonicalize().unwrap().display());
    assert_eq!(log.matches(&target).count(), 5, "{log}");
    let lines = staged.cli.run(&["log", "--json"]).ok().stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["number"].as_u64()).collect::<Vec<_>>(), [1, 2, 3, 4, 5].map(Some));
    assert_eq!(lines[0]["rejection"]["reason"], "not \u{1b}[1m yet");
    assert_eq!(lines[1]["intent"]["approved"], json!({ "by": user, "how": "digest" }));
    assert_eq!((&lines[1]["intent"]["old"], &lines[1]["intent"]["new"]), (&json!(old), &json!(new)));
    assert_eq!(lines[2]["outcome"]["result"], "landed");
    assert_eq!((5, lines[4]["hash"].as_str().unwrap().to_owned()), verify(&staged.cli));
}

#[test]
fn a_call_that_a_person_was_asked_about_is_in_the_log_with_their_answer() {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--identity", "Ada <ada@example.org>", "--policy", "strict"]).ok();
    cli.run(&["call", "sandbox_import", "{}", "--as", "user", "--yes"]);
    cli.call("write_file", &json!({ "path": "a\u{1b}[2J.md", "content": "one\n" })).ok();
    let stage = json!({ "files": ["a\u{1b}[2J.md"], "message": "Begin" });
    let before = entries(&cli).len();
    cli.run(&["call", "git_stage", &stage.to_string()]).exits(3);
    assert_eq!(entries(&cli).len(), before, "nobody has said anything");
    let mut terminal = Terminal::start(&cli.command(&["call", "git_stage", &stage.to_string()]), SIZE);
    terminal.sees("> ");
    terminal.types("r\n\n");
    assert_eq!(terminal.ends().0, 3);
    cli.call("git_stage", &stage).ok();
    let user = user();
    assert_eq!(
        entries(&cli)[before..],
        [
            format!("the agent's git_stage rejected by {user}, at the prompt"),
            format!("the agent's git_stage approved by {user}, unattended")
        ]
    );
    let log = log(&cli);
    assert!(log.contains("a\\x1b[2J.md") && !log.contains('\u{1b}'), "{log}");
}

#[test]
fn where_nothing_was_decided_the_log_is_empty_and_whole() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    assert_eq!(log(&cli), "");
    let (records, head) = verify(&cli);
    assert_eq!(records, 0);
    assert_eq!(cli.run(&["log", "--verify", "--head", &head]).ok().stdout, format!("0 records, {head}\n"));
    assert!(!path(&cli).exists(), "whoever looks writes nothing");
}

#[test]
fn attack_23_a_log_that_was_changed_is_told_with_its_line_and_what_is_before_it_is_shown() {
    let staged = worked();
    let whole = fs::read(path(&staged.cli)).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let text = |at: usize, from: &str, to: &str| {
        let changed = String::from_utf8(lines[at].to_vec()).unwrap().replace(from, to);
        assert!(changed.as_bytes() != lines[at], "{from} is not in line {}", at + 1);
        [&lines[..at].concat()[..], changed.as_bytes(), &lines[at + 1..].concat()].concat()
    };
    for (line, damaged) in [
        (1, text(0, "not ", "no ")),
        (2, text(1, "\"how\":\"digest\"", "\"how\":\"prompt\"")),
        (2, [lines[0], lines[2], lines[1], lines[3], lines[4]].concat()),
        (3, [lines[0], lines[1], lines[3], lines[4]].concat()),
        (4, [lines[0], lines[1], lines[2], lines[2], lines[3]].concat()),
    ] {
        fs::write(path(&staged.cli), &damaged).unwrap();
        for how in [&["log", "--verify"][..], &["log"], &["log", "--head", &"0".repeat(64)]] {
            let out = staged.cli.run(how).fails(1);
            assert!(out.stderr.contains(&format!("line {line} does not follow")), "{out:#?}");
            let shown = out.stdout.lines().filter(|line| !line.starts_with(' ')).count();
            assert_eq!(shown, if how == ["log"] { line - 1 } else { 0 });
        }
        let error = staged.cli.run(&["log", "--verify", "--json"]).exits(1).json();
        assert_eq!(error["error"]["kind"], "damaged");
        assert_eq!(fs::read(path(&staged.cli)).unwrap(), damaged, "whoever looks writes nothing");
    }
    // Nothing is appended to a damaged log.
    let target = tree::read(staged.repo.root());
    let out = staged.cli.run(&["push", &staged.id, "--to", "local:project#other", "--yes"]).fails(1);
    assert!(out.stderr.contains("the audit log is damaged"), "{out:#?}");
    tree::assert_same(&target, &tree::read(staged.repo.root()), "the target");
}

#[test]
fn attack_23_the_log_of_another_sandbox_is_none_of_this_one() {
    let staged = worked();
    let cli = &staged.cli;
    cli.run(&["-s", "other", "new", "--from", "local:project"]).ok();
    fs::copy(path(cli), cli.home().join("sandboxes/other/audit.log")).unwrap();
    let out = cli.run(&["-s", "other", "log", "--verify"]).exits(1);
    assert!(out.stderr.contains("line 1 does not follow"), "{out:#?}");
}

#[test]
fn attack_23_a_log_that_was_cut_at_its_end_is_found_out_by_a_hash_that_was_noted() {
    let staged = worked();
    let cli = &staged.cli;
    let (records, noted) = verify(cli);
    let whole = fs::read(path(cli)).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(path(cli), lines[..3].concat()).unwrap();
    assert_eq!(verify(cli).0, 3, "by itself, it is whole");
    let out = cli.run(&["log", "--verify", "--head", &noted]).fails(1);
    assert!(out.stderr.contains(&noted), "{out:#?}");
    // A torn last line was never durable, so it is no damage.
    fs::write(path(cli), [&whole[..], b"0123"].concat()).unwrap();
    assert_eq!(verify(cli), (records, noted.clone()));
    crate::pushing::more(cli, "third.md", "Third");
    cli.run(&["push", "--to", "local:project", "--yes"]).ok();
    let out = cli.run(&["log", "--head", &noted]).ok();
    assert!(out.stdout.starts_with("7 records, "), "{out:#?}");
    cli.run(&["log", "--head", "no hash"]).exits(2);
}

#[test]
fn attack_13_no_credential_is_in_the_sandbox_its_files_an_error_or_a_log() {
    const SECRET: &str = "hunter2-of-the-person";
    let cli = Cli::default();
    let repo = cli.repository("project");
    // The places of credentials on a person's machine.
    let url = format!("https://ada:{SECRET}@example.org/project.git");
    repo.git(&["remote", "add", "origin", &url]);
    repo.git(&["config", "http.extraHeader", &format!("Authorization: Bearer {SECRET}")]);
    repo.git(&["config", "credential.helper", &format!("!echo password={SECRET}")]);
    fs::write(cli.folder().join(".git-credentials"), format!("{url}\n")).unwrap();
    fs::write(cli.folder().join(".netrc"), format!("machine example.org login ada password {SECRET}\n")).unwrap();
    let mut said = String::new();
    let mut run = |arguments: &[&str]| {
        let mut command = cli.command(arguments);
        for name in ["GITHUB_TOKEN", "GH_TOKEN", "GIT_PASSWORD", "SSH_AUTH_SOCK"] {
            command.env(name, SECRET);
        }
        command.env("GITGATE_LOG", "trace");
        let out = tests::cli::finish(&mut command, b"");
        said.push_str(&out.stdout);
        said.push_str(&out.stderr);
        out
    };
    run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>", "--policy", "strict"]).ok();
    let write = json!({ "path": "a.md", "content": "one\n" }).to_string();
    run(&["call", "write_file", &write, "--yes"]).ok();
    let stage = json!({ "files": ["a.md"], "message": "Begin" }).to_string();
    run(&["call", "git_stage", &stage, "--yes"]).ok();
    let shown = run(&["push", "--to", "local:project"]).exits(3);
    run(&["push", "--to", "local:project", "--approve", &crate::pushing::digest(&shown)]).ok();
    run(&["push", "HEAD", "--to", &format!("git:{url}")]).exits(2);
    run(&["call", "git_pull", "{}", "--yes"]);
    for arguments in [&["log"][..], &["log", "--json"], &["status"], &["history"], &["ls"], &["diff"]] {
        run(arguments);
    }
    // An agent that searches everything it can read for the credentials.
    let search = json!({ "pattern": SECRET }).to_string();
    let found = run(&["call", "search_files", &search, "--json"]).ok().json();
    assert_eq!(found["structured"]["matches"], json!([]), "{found}");
    for (at, line) in said.lines().enumerate() {
        assert!(!line.contains(SECRET) || line.contains("search_files"), "line {at}: {line}");
    }
    for (path, entry) in tree::read(&cli.home()) {
        let Entry::File(content, _) = entry else { continue };
        assert!(!content.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()), "{}", path.display());
    }
}
