use serde_json::{Value, json};

use crate::error::{ErrorKind, ToolError};
use crate::testing::{NOW, Sandbox};

/// A repository with these commits on one file, each by its own author, a day apart, the last one today.
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

/// A repository with one commit that has exactly this message.
fn saying(message: impl AsRef<[u8]>) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write("message", message);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-F", "message"]);
    sandbox
}

/// The result if the call may look at the clock only `looks` times.
fn hurried(sandbox: &mut Sandbox, looks: u32, arguments: Value) -> Result<String, ToolError> {
    sandbox.calling("git_log", arguments).out_of_time_after(looks).done().map(|done| done.text)
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
    assert_eq!(structured["commits"][0]["message"], "one\n\nbody");
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

/// The complete entries of all pages, from the first one that `arguments` request.
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
    crate::git_tests::oracle::import(&mut sandbox, stream.as_bytes());
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
    assert!(structured["hint"].as_str().unwrap().starts_with("The text has every commit"));
    let stuck = sandbox.ok("git_log", json!({"skip": 1, "max_bytes": 40}));
    assert_eq!(stuck.structured()["next"]["skip"], 1);
    assert!(stuck.structured()["hint"].as_str().unwrap().starts_with("max_bytes is too small for a single commit"));
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

#[test]
fn what_is_nearly_a_placeholder_is_what_git_takes_it_for() {
    let mut sandbox = saying("a subject\n\nab\u{1}c\tX\n\nKey: value\n");
    for format in [
        "%w(+5)%s",
        "%w(\u{b}9)%s",
        "%w(-1)%s",
        "%w(9,\u{a0}1)%s",
        "%<(U+00A09)%an|",
        "%<(\u{a0}9)%an|",
        "%<( +9)%an|",
        "%<(4294967301)%an|",
        "%<(9223372036854775807)%an|",
        "%<|(-9223372036854775809)%an|",
        "%<(5)%C(always,blue)%>(12)%an|",
        "%<(5)%>(12)%an|",
        "%<(14)%C(always,blue)%><(3,ltrunc)%an|",
        "x    %<|(4)%>>(12)%an|",
        "%<(9,trunc%s|",
        "%<(4,trunc)%s|%>(6,cut)%s|",
        "%<(4)%C(always,red)%<(3,mtrunc%s|",
        "%w(9)%C(always,red)%C(always,bold)a subject",
        "%(describe:abbrev= 5)|",
        "%(describe:abbrev=5x)|",
        "%(trailers:only=0x1)|",
        "%(trailers:only= 1)|",
        "%(trailers:only=1 )|",
        "x  %>>(3)%an|",
        "medium",
    ] {
        let git = sandbox.git(&["log", &format!("--format={format}")]);
        let expected = patch::escape::escape(git.as_bytes()).into_owned();
        assert_eq!(text(&mut sandbox, json!({ "format": format })), expected, "{format}");
    }
}

#[test]
fn a_line_feed_before_what_took_more_spaces_than_it_needed_has_no_place() {
    let mut sandbox = saying("a subject\n");
    let format = format!("x{}%>>|(30)%+an", " ".repeat(50));
    let git = sandbox.git_output(&["log", &format!("--format={format}")]);
    assert_eq!(
        sandbox.fail("git_log", json!({ "format": format })).message,
        String::from_utf8(git.stderr).unwrap().trim_end()
    );
}

#[test]
fn a_format_that_makes_too_much_of_a_commit_is_refused() {
    let mut sandbox = saying("a\n".repeat(300_000));
    for format in ["%w(0,16000,16000)%B", "%w(1,16000,16000)%B%w()"] {
        let error = sandbox.fail("git_log", json!({ "format": format }));
        assert!(error.message.starts_with("format expands one commit to more than"), "{format}: {error:?}");
    }
}

#[test]
fn time_is_looked_at_as_often_as_a_long_line_is_looked_through() {
    let mut sandbox = saying("a\n");
    let long = "%<(16384)%s".repeat(60);
    hurried(&mut sandbox, 40, json!({ "format": long })).unwrap();
    let format = long + &"%<|(10)%s".repeat(400);
    let error = hurried(&mut sandbox, 40, json!({ "format": format })).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
}

#[test]
fn time_is_looked_at_as_often_as_a_long_message_is_looked_through() {
    let mut sandbox = saying("-".repeat(1 << 20));
    for placeholder in ["%f", "%b", "%an", "%(trailers:only)", "%G?"] {
        let format = placeholder.repeat(100);
        let error = hurried(&mut sandbox, 40, json!({ "format": format })).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{placeholder}: {error:?}");
    }
}

#[test]
fn time_is_looked_at_while_a_format_is_read() {
    let mut sandbox = saying("a\n");
    for piece in ["%<(5", "%(trailers:key=", "%(decorate:tag=", "%C(", "%w("] {
        let format = piece.repeat(2000);
        let error = hurried(&mut sandbox, 20, json!({ "format": format })).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{piece}: {error:?}");
        let whole = text(&mut sandbox, json!({ "format": format }));
        assert_eq!(whole, sandbox.git(&["log", &format!("--format={format}")]), "{piece}");
        let error = sandbox.fail("git_log", json!({ "format": piece.repeat(200_000) }));
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, "format is longer than 131072 bytes"));
    }
}

#[test]
fn time_is_looked_at_for_each_tag_and_each_is_looked_at_once() {
    let mut sandbox = with_commits(&[("Ada", "one"), ("Ada", "two"), ("Ada", "three")]);
    let head = sandbox.git(&["rev-parse", "HEAD~1"]);
    let lines: String = (0..3000).map(|at| format!("{} refs/tags/t{at}\n", head.trim_end())).collect();
    sandbox.write(".git/packed-refs", lines);
    let format = "%(describe:tags)";
    let expected = sandbox.git(&["log", "--max-count=1", &format!("--format={format}")]);
    let arguments = |count: usize| json!({"max_count": 1, "format": format.repeat(count)});
    let error = hurried(&mut sandbox, 4, arguments(1)).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{error:?}");
    // Ten are as fast as one.
    let enough = (5..).find(|looks| hurried(&mut sandbox, *looks, arguments(1)).is_ok()).unwrap();
    let ten = hurried(&mut sandbox, enough + 2, arguments(10)).unwrap();
    assert_eq!(ten, expected.trim_end().repeat(10) + "\n");
}

#[test]
fn a_description_counts_what_is_open_as_git_does() {
    let mut sandbox = Sandbox::with_repository();
    let mut random = fastrand::Rng::with_seed(7);
    let tree = sandbox.git(&["write-tree"]);
    let mut commits: Vec<String> = Vec::new();
    for at in 0..120 {
        let mut parents: Vec<String> = (0..at.min(1 + random.usize(..3)))
            .map(|_| commits[at.saturating_sub(1 + random.usize(..12).min(at - 1))].clone())
            .collect();
        parents.dedup();
        // Some commits are older than their parents.
        let date = format!("{} +0000", 1_700_000_000 + (at as i64 + random.i64(-6..6)) * 100);
        let mut arguments = vec!["commit-tree", tree.trim_end(), "-m", "x"];
        parents.iter().for_each(|parent| arguments.extend(["-p", parent]));
        let command =
            crate::testing::git_command(&sandbox.root(), &arguments).env("GIT_COMMITTER_DATE", &date).output();
        commits.push(String::from_utf8(command.unwrap().stdout).unwrap().trim_end().to_owned());
        if random.usize(..5) == 0 {
            sandbox.git(&["tag", &format!("t{at}"), &commits[at]]);
        }
    }
    sandbox.git(&["reset", "--quiet", "--hard", &commits[119]]);
    let format = "%h %(describe:tags) %(describe:tags,match=t?1) %(describe:tags,exclude=t*0,exclude=t*5)";
    let expected = sandbox.git(&["log", &format!("--format={format}")]);
    assert_eq!(text(&mut sandbox, json!({ "format": format })), expected);
}
