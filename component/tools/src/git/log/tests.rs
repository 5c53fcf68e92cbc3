use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::{NOW, Sandbox};

/// A repository with these commits on one file, each by its author, a day apart; the last is of today.
fn with_commits(commits: &[(&str, &str)]) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    for (number, (author, message)) in commits.iter().enumerate() {
        let days = (commits.len() - 1 - number) as u64;
        let date = format!("{} +0000", NOW.nanos / 1_000_000_000 - days * 86_400);
        sandbox.write("a", format!("{number}\n"));
        sandbox.git(&["add", "-A"]);
        let author = format!("{author} <{}@example.com>", author.to_lowercase());
        let command = crate::testing::git_command(
            &sandbox.root(),
            &["commit", "--quiet", "--allow-empty-message", "--author", &author, "--date", &date, "-m", message],
        )
        .env("GIT_COMMITTER_DATE", &date)
        .status();
        assert!(command.unwrap().success());
    }
    sandbox
}

fn text(sandbox: &mut Sandbox, arguments: Value) -> String {
    sandbox.ok("git_log", arguments).text
}

const SUBJECTS: &str = "%s";

#[test]
fn t_git_log_01_max_count_is_the_most_commits() {
    let mut sandbox = with_commits(&[("Ada", "one"), ("Ada", "two"), ("Ada", "three")]);
    assert_eq!(text(&mut sandbox, json!({"max_count": 2, "format": SUBJECTS})), "three\ntwo\n");
    assert_eq!(text(&mut sandbox, json!({"max_count": 9, "format": SUBJECTS})), "three\ntwo\none\n");
}

#[test]
fn t_git_log_02_only_the_author_s_commits() {
    let mut sandbox = with_commits(&[("Ada", "one"), ("Bob", "two"), ("Ada", "three")]);
    assert_eq!(text(&mut sandbox, json!({"author": "^Ada ", "format": SUBJECTS})), "three\none\n");
    assert_eq!(text(&mut sandbox, json!({"author": "bob@", "format": SUBJECTS})), "two\n");
    assert_eq!(text(&mut sandbox, json!({"author": "Nobody", "format": SUBJECTS})), "");
}

#[test]
fn t_git_log_03_a_format_goes_before_oneline() {
    let mut sandbox = with_commits(&[("Ada", "one")]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    assert_eq!(text(&mut sandbox, json!({"oneline": true})), format!("{} one\n", &head[..7]));
    assert_eq!(text(&mut sandbox, json!({"oneline": true, "format": "%an"})), "Ada\n");
}

#[test]
fn t_git_edge_05_a_repository_with_one_commit() {
    let mut sandbox = with_commits(&[("Ada", "one\n\nbody")]);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let expected = format!(
        "commit {head}Author: Ada <ada@example.com>\nDate:   Fri Nov 20 09:00:00 2026 +0000\n\n    one\n    \n    body\n"
    );
    assert_eq!(text(&mut sandbox, json!({})), expected);
    let structured = sandbox.ok("git_log", json!({})).structured();
    assert_eq!(structured["commits"][0]["commitId"], head.trim_end());
    assert_eq!(structured["commits"][0]["message"], "one\n\nbody\n");
    assert_eq!(structured["commits"][0]["author"]["date"], "2026-11-20T09:00:00Z");
    assert_eq!((&structured["truncated"], &structured["untrusted"]), (&json!(false), &json!(true)));
}

#[test]
fn t_git_edge_06_no_commits_cannot_be_asked_for() {
    let mut sandbox = with_commits(&[("Ada", "one")]);
    let error = sandbox.fail("git_log", json!({"max_count": 0}));
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, "max_count must be at least 1"));
    let error = sandbox.fail("git_log", json!({"max_count": -1}));
    assert_eq!(error.kind, ErrorKind::BadArgs);
}

#[test]
fn t_git_int_06_by_author_and_dates() {
    let commits = [("Ada", "one"), ("Bob", "two"), ("Ada", "three"), ("Ada", "four")];
    let mut sandbox = with_commits(&commits);
    let arguments = json!({"author": "Ada", "since": "2 days ago", "until": "2026-11-19 12:00", "format": SUBJECTS});
    assert_eq!(text(&mut sandbox, arguments), "three\n");
    assert_eq!(text(&mut sandbox, json!({"until": "yesterday", "format": SUBJECTS})), "three\ntwo\none\n");
    assert_eq!(text(&mut sandbox, json!({"grep": "^t[hw]", "format": SUBJECTS})), "three\ntwo\n");
}

#[test]
fn a_branch_without_commits_has_no_log() {
    let mut sandbox = Sandbox::with_repository();
    let error = sandbox.fail("git_log", json!({}));
    assert_eq!(error.message, "fatal: your current branch 'main' does not have any commits yet");
    assert_eq!(error.kind, ErrorKind::NotFound);
}

#[test]
fn t_git_common_03_a_log_that_is_cut_says_where_to_go_on() {
    let commits: Vec<(&str, String)> = (0..40).map(|number| ("Ada", format!("commit number {number}"))).collect();
    let commits: Vec<(&str, &str)> = commits.iter().map(|(author, message)| (*author, message.as_str())).collect();
    let mut sandbox = with_commits(&commits);
    assert_eq!(
        pages(&mut sandbox, json!({"format": SUBJECTS, "max_bytes": 250})),
        sandbox.git(&["log", "--format=%s"])
    );
    let arguments = json!({"format": SUBJECTS, "max_bytes": 90, "grep": "[13]$"});
    assert_eq!(pages(&mut sandbox, arguments), sandbox.git(&["log", "--format=%s", "--grep=[13]$"]));
}

/// All pages from the first that `arguments` ask for to the last, without what was cut in the middle.
fn pages(sandbox: &mut Sandbox, mut arguments: Value) -> String {
    let mut found = String::new();
    for _ in 0..40 {
        let page = sandbox.ok("git_log", arguments.clone());
        let structured = page.structured();
        if !page.truncated {
            return found + &page.text;
        }
        assert!(structured["truncated"] == true && structured["hint"].is_string());
        let skip = structured["next"]["skip"].as_u64().expect("it says where to go on");
        let whole = skip - arguments["skip"].as_u64().unwrap_or(0);
        found.extend(page.text.split_inclusive('\n').take(whole as usize));
        arguments["skip"] = json!(skip);
    }
    panic!("every page has a commit at least");
}

#[test]
fn commits_of_one_second_or_out_of_order_are_all_on_some_page() {
    let mut sandbox = Sandbox::with_repository();
    let mut stream = String::new();
    for (number, time) in [300, 400, 100, 500, 500, 500, 500, 500, 500, 7, 500, 500, 9, 8, 500].iter().enumerate() {
        stream.push_str(&format!(
            "commit refs/heads/main\ncommitter C <c> {time} +0000\ndata <<E\ncommit number {number} of some\nE\n\n"
        ));
    }
    crate::git::oracle::import(&mut sandbox, stream.as_bytes());
    assert_eq!(
        pages(&mut sandbox, json!({"format": SUBJECTS, "max_bytes": 100})),
        sandbox.git(&["log", "--format=%s"])
    );
}

#[test]
fn a_list_that_is_shorter_than_the_text_says_where_it_goes_on() {
    let mut sandbox = with_commits(&[("Ada", "one"), ("Ada", "two"), ("Ada", "three")]);
    let page = sandbox.ok("git_log", json!({"format": "%s", "max_bytes": 800}));
    let structured = page.structured();
    assert_eq!((page.text.as_str(), page.truncated), ("three\ntwo\none\n", false));
    assert_eq!((&structured["commitsOmitted"], &structured["next"]["skip"]), (&json!(1), &json!(2)));
    assert!(structured["hint"].as_str().unwrap().starts_with("The text has all commits"));
    let stuck = sandbox.ok("git_log", json!({"skip": 1, "max_bytes": 40}));
    assert_eq!(stuck.structured()["next"]["skip"], 1);
    assert!(stuck.structured()["hint"].as_str().unwrap().starts_with("Not even one commit has room"));
}

#[test]
fn t_git_timeout_02_a_log_out_of_time_has_what_was_found() {
    let mut sandbox = with_commits(&[("Ada", "one"), ("Ada", "two")]);
    let many = (0..3000).map(|at| format!("%{at}")).collect::<String>();
    let format = format!("{}{many}", "%h%n".repeat(2000));
    let outcome = sandbox.calling("git_log", json!({"format": format})).out_of_time().done();
    let error = outcome.expect_err("a format of more pieces than are looked at without a look at the clock");
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
    assert!(error.message.starts_with("git command timed out after"));
}
