//! The specification of staged commits: stage, push, discard, import. The same tests run natively and in wasm.

mod discard;
mod limits;
mod only;
mod push;
mod revise;
mod signed;

use gix::ObjectId;
use serde_json::{Value, json};

use crate::answer::{Answer, Answers, Conflict, Landed, Reference, Refs};
use crate::dispatch::{Finished, Step};
use crate::error::{ErrorKind, ToolError};
use crate::options::{Identity, Options};
use crate::output::Effect;
use crate::question::{Push, Question};
use crate::testing::Sandbox;

const TARGET: &str = "bare:/backup/project.git";

/// A sandbox with an identity and a repository without commits.
fn sandbox() -> Sandbox {
    let identity = Some(Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() });
    let mut sandbox = Sandbox::with(Options { identity, ..Options::default() }, &[]);
    let imported = sandbox.calling("sandbox_import", json!({})).as_user().done().unwrap();
    assert_eq!(imported.effect, Effect::Settled);
    sandbox
}

/// Calls a tool as the user, who approves its question.
fn approved(sandbox: &mut Sandbox, tool: &str, arguments: Value) -> Result<Finished, ToolError> {
    let mut answers = Answers::default();
    loop {
        match sandbox.calling(tool, arguments.clone()).as_user().answers(answers.clone()).step() {
            Step::Done(outcome) => return outcome,
            Step::Ask(question) => match *question {
                Question::Approval(_) => answers.add(question.key(), Answer::Approved),
                other => panic!("{tool} asks {other:?}"),
            },
        }
    }
}

fn stage(sandbox: &mut Sandbox, files: &[&str], message: &str) -> Value {
    approved(sandbox, "git_stage", json!({"files": files, "message": message})).unwrap().structured()
}

fn stage_error(sandbox: &mut Sandbox, files: &[&str]) -> ToolError {
    approved(sandbox, "git_stage", json!({"files": files, "message": "m"})).unwrap_err()
}

fn status(sandbox: &mut Sandbox) -> String {
    sandbox.ok("git_status", json!({})).text
}

fn staged_ids(sandbox: &mut Sandbox) -> Vec<String> {
    let status = sandbox.ok("git_status", json!({})).structured();
    status["staged"].as_array().unwrap().iter().map(|commit| commit["id"].as_str().unwrap().to_owned()).collect()
}

/// Pushes to a target whose `main` is at `head`. Returns the question or the outcome.
fn push(
    sandbox: &mut Sandbox,
    id: &str,
    head: Option<ObjectId>,
    then: impl Fn(&Push) -> Option<Answer>,
) -> Result<Finished, Option<Push>> {
    let refs: Vec<(&str, ObjectId)> = head.map(|head| ("main", head)).into_iter().collect();
    push_with(sandbox, json!({"commitId": id}), &refs, then)
}

/// Pushes with these arguments to a target with these branches. Returns the question or the outcome.
fn push_with(
    sandbox: &mut Sandbox,
    mut arguments: Value,
    branches: &[(&str, ObjectId)],
    then: impl Fn(&Push) -> Option<Answer>,
) -> Result<Finished, Option<Push>> {
    if arguments["target"].is_null() {
        arguments["target"] = json!({"type": "local-bare", "path": "/backup/project.git"});
    }
    let mut answers = Answers::default();
    loop {
        match sandbox.calling("git_push", arguments.clone()).as_user().answers(answers.clone()).step() {
            Step::Done(outcome) => return outcome.map_err(|error| panic!("{error:?}")),
            Step::Ask(question) => {
                let key = question.key();
                match *question {
                    Question::Refs(target) => {
                        let reference = |(name, id): &(&str, ObjectId)| Reference {
                            name: format!("refs/heads/{name}"),
                            id: *id,
                            peeled: None,
                        };
                        let refs = Refs {
                            target: format!("bare:{}", target.location),
                            head: Some("refs/heads/main".to_owned()),
                            references: branches.iter().map(reference).collect(),
                        };
                        answers.add(key, Answer::Refs(refs));
                    }
                    Question::Push(push) => match then(&push) {
                        Some(answer) => answers.add(key, answer),
                        None => return Err(Some(push)),
                    },
                    other => panic!("a push is its own approval, and needs nothing: {other:?}"),
                }
            }
        }
    }
}

fn landed(push: &Push) -> Option<Answer> {
    Some(Answer::Landed(Landed {
        target: push.target.clone(),
        reference: push.reference.clone(),
        old: push.old,
        new: push.new,
    }))
}

fn sha(staged: &Value) -> ObjectId {
    ObjectId::from_hex(staged["commitSha"].as_str().unwrap().as_bytes()).unwrap()
}

#[test]
fn staging_asks_first_and_says_what() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let step = sandbox.calling("git_stage", json!({"files": ["a"], "message": "Add a"})).step();
    let Step::Ask(question) = step else { panic!("{step:?}") };
    let Question::Approval(approval) = *question else { panic!("{question:?}") };
    assert_eq!(approval.summary, "Stage 1 file(s): a");
    assert_eq!(status(&mut sandbox), "## No commits yet on main\n?? a\n");
}

#[test]
fn staging_commits_exactly_the_named_paths() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    sandbox.write("b", "2\n");
    sandbox.write("sub/c", "3\n");
    let staged = stage(&mut sandbox, &["/workspace/a", "sub"], "Add a and sub\n\n\nBody  \n");
    assert_eq!(staged["fileCount"], 2);
    assert_eq!(staged["message"], "Add a and sub\n\nBody");
    assert_eq!(
        staged["files"][1],
        json!({"path": "/workspace/sub/c", "operation": "create", "size": 2, "contentHash": "00750edc07d6415dcc07ae0351e9397b0222b7ba"})
    );
    assert_eq!(status(&mut sandbox), "## main\n?? b\n");
    assert_eq!(staged_ids(&mut sandbox), [staged["id"].as_str().unwrap()]);
}

#[test]
fn a_commit_has_the_same_message_in_every_result() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let staged = stage(&mut sandbox, &["a"], "Add a\n\nBody\n");
    assert_eq!(staged["message"], "Add a\n\nBody");
    for (tool, list) in
        [("git_status", "staged"), ("git_diff", "commits"), ("git_log", "commits"), ("git_show", "commits")]
    {
        let listed = sandbox.ok(tool, json!({})).structured();
        assert_eq!(listed[list][0]["message"], staged["message"], "{tool}");
    }
}

#[test]
fn staging_takes_changes_deletions_and_the_executable_bit() {
    let mut sandbox = sandbox();
    sandbox.write("gone", "1\n");
    sandbox.write("folder/x", "1\n");
    sandbox.write("kept", "1\n2\n");
    sandbox.write("run", "#!\n");
    stage(&mut sandbox, &["."], "First");
    sandbox.ok("delete_file", json!({"path": "gone"}));
    sandbox.ok("delete_file", json!({"path": "folder", "recursive": true}));
    sandbox.write("kept", "1\n3\n");
    sandbox.write_executable("run", "#!\n");
    let arguments = json!({"files": ["gone", "folder", "kept", "run"], "message": "Second"});
    let finished = approved(&mut sandbox, "git_stage", arguments).unwrap();
    let mut lines = finished.text.lines();
    assert!(lines.next().unwrap().ends_with("\"Second\" (4 files)"));
    let rest: Vec<&str> = lines.collect();
    assert_eq!(
        rest,
        [
            "D /workspace/folder/x (-1)",
            "D /workspace/gone (-1)",
            "M /workspace/kept (+1 -1)",
            "M /workspace/run (+0 -0)"
        ]
    );
    assert_eq!(status(&mut sandbox), "## main\n");
}

#[test]
fn a_file_can_take_the_place_of_a_folder_and_the_other_way_round() {
    let mut sandbox = sandbox();
    sandbox.write("a/x", "1\n");
    sandbox.write("b", "1\n");
    stage(&mut sandbox, &["a", "b"], "First");
    sandbox.ok("delete_file", json!({"path": "a", "recursive": true}));
    sandbox.write("a", "file\n");
    sandbox.ok("delete_file", json!({"path": "b"}));
    sandbox.write("b/y", "1\n");
    let staged = stage(&mut sandbox, &["a", "b"], "Second");
    assert_eq!(staged["fileCount"], 4);
    assert_eq!(status(&mut sandbox), "## main\n");
}

#[test]
fn nothing_to_stage_is_an_error_that_says_so() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    stage(&mut sandbox, &["a"], "First");
    assert_eq!(stage_error(&mut sandbox, &["a"]).message, "nothing to commit");
    let missing = stage_error(&mut sandbox, &["b"]);
    assert_eq!((missing.kind, missing.message.as_str()), (ErrorKind::NotFound, "pathspec 'b' did not match any files"));
    let empty = approved(&mut sandbox, "git_stage", json!({"files": ["a"], "message": " \n"})).unwrap_err();
    assert_eq!(empty.message, "message must not be empty");
}

#[test]
fn ignored_files_are_staged_only_if_tracked() {
    let mut sandbox = sandbox();
    sandbox.write(".gitignore", "*.log\nout/\n");
    sandbox.write("x.log", "1\n");
    sandbox.write("out/y", "1\n");
    sandbox.write("z", "1\n");
    let refused = stage_error(&mut sandbox, &["x.log", "z", "out"]);
    assert_eq!(refused.message, "The following paths are ignored by one of your .gitignore files:\nx.log\nout");
    assert_eq!(stage(&mut sandbox, &["."], "All")["fileCount"], 2);
}

#[test]
fn t_git_edge_21_without_an_identity_nothing_is_committed() {
    let mut sandbox = Sandbox::new();
    sandbox.calling("sandbox_import", json!({})).as_user().done().unwrap();
    sandbox.write("a", "1\n");
    let error = stage_error(&mut sandbox, &["a"]);
    assert!(
        error.message.starts_with("Git user.name or user.email not configured. Run: git config --global user.name"),
        "{error:?}"
    );
    assert_eq!(status(&mut sandbox), "## No commits yet on main\n?? a\n");
}

#[test]
fn a_link_in_the_place_of_rules_makes_no_rules() {
    let mut sandbox = sandbox();
    sandbox.write("rules", "* text\nx*\n");
    for name in [".gitattributes", ".gitignore", "sub/.gitattributes", "sub/.gitignore"] {
        let up = if name.starts_with("sub") { "../rules" } else { "rules" };
        sandbox.symlink(up, name);
    }
    sandbox.write("x", "1\r\n");
    sandbox.write("sub/x", "1\r\n");
    let staged = stage(&mut sandbox, &["x", "sub/x"], "As they are");
    for file in staged["files"].as_array().unwrap() {
        assert_eq!(file["contentHash"], "f33dfa25aa16a97ca941fe1d9cabdc3689179f3f");
    }
    assert_eq!(staged["fileCount"], 2);
    assert!(!status(&mut sandbox).contains("x\n"));
}

#[test]
fn an_identity_that_no_commit_can_hold_is_refused() {
    for (name, email) in [("A\x1bB", "a@example.com"), ("A", "a\tb"), ("A <b>", "a@example.com"), ("A\nB", "a@b")] {
        let mut sandbox = sandbox();
        sandbox.session.options.identity = Some(Identity { name: name.to_owned(), email: email.to_owned() });
        sandbox.write("a", "1\n");
        let error = stage_error(&mut sandbox, &["a"]);
        assert_eq!(
            error.message, "Git user.name or user.email contains a character that a commit cannot store",
            "{name:?}"
        );
        assert_eq!(status(&mut sandbox), "## No commits yet on main\n?? a\n");
    }
}

#[test]
fn attack_03_staging_never_leaves_the_workspace_and_takes_paths_literally() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    for path in ["../a", "/etc/passwd", "a/../../b", ".git/config", ".GIT/config", "git~1/config", "sub/.git/hooks/x"] {
        assert_eq!(stage_error(&mut sandbox, &[path]).kind, ErrorKind::SandboxViolation, "{path}");
    }
    for path in ["*", ":(top)a", ":!x", "--all", "[a]"] {
        assert_eq!(stage_error(&mut sandbox, &[path]).kind, ErrorKind::NotFound, "{path}");
    }
}

#[test]
fn what_no_one_would_accept_is_not_staged() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let nul = approved(&mut sandbox, "git_stage", json!({"files": ["a"], "message": "one\0two"})).unwrap_err();
    assert_eq!((nul.kind, nul.message.as_str()), (ErrorKind::BadArgs, "a NUL byte in commit log message not allowed"));
    for name in ["a\\..\\b", "..\\x", ".\\x", "folder/..\\x"] {
        let written = sandbox.fail("write_file", json!({"path": name, "content": ""}));
        let moved = sandbox.fail("move_file", json!({"from": "a", "to": name}));
        // The author of the file does not matter.
        sandbox.write(name, "1\n");
        for refused in [written, moved, stage_error(&mut sandbox, &[name]), stage_error(&mut sandbox, &["."])] {
            let expected = (ErrorKind::SandboxViolation, format!("invalid path '{name}'"));
            assert_eq!((refused.kind, refused.message), expected);
        }
        std::fs::remove_file(sandbox.real(name)).unwrap();
    }
    sandbox.symlink("a", ".gitmodules");
    let link = stage_error(&mut sandbox, &["."]);
    assert_eq!((link.kind, link.message.as_str()), (ErrorKind::SandboxViolation, "invalid path '.gitmodules'"));
}

#[test]
fn attack_04_messages_are_only_ever_messages() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let message = "$(touch /tmp/x); `id` && rm -rf / | --amend 'q' \"q\"";
    assert_eq!(stage(&mut sandbox, &["a"], message)["message"], message);
}

#[test]
fn a_rejection_comes_back_with_its_reason() {
    let mut sandbox = sandbox();
    sandbox.write("a", "1\n");
    let mut answers = Answers::default();
    let arguments = json!({"files": ["a"], "message": "m"});
    let Step::Ask(question) = sandbox.calling("git_stage", arguments.clone()).step() else { panic!() };
    answers.add(question.key(), Answer::Rejected("not this file".to_owned()));
    let error = sandbox.calling("git_stage", arguments).answers(answers).done().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Rejected("not this file".to_owned()));
    assert_eq!(error.message, "Rejected by the user: not this file");
}

#[test]
fn a_sandbox_is_imported_once() {
    let mut sandbox = sandbox();
    let error = sandbox.calling("sandbox_import", json!({})).as_user().done().unwrap_err();
    assert_eq!(error.message, "The sandbox already has a repository");
}
