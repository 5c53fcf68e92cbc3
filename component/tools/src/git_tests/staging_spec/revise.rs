//! The effects and limits of a revision.

use super::*;

/// A sandbox whose base commit has `text` with twelve lines, and `other`.
fn based() -> Sandbox {
    let mut sandbox = sandbox();
    sandbox.write("text", lines(&[]));
    sandbox.write("other", "other\n");
    let id = stage(&mut sandbox, &["text", "other"], "Base")["id"].as_str().unwrap().to_owned();
    push(&mut sandbox, &id, None, landed).unwrap();
    sandbox
}

/// Twelve lines with changes in some.
fn lines(changed: &[usize]) -> String {
    (1..=12).map(|n| if changed.contains(&n) { format!("changed {n}\n") } else { format!("line {n}\n") }).collect()
}

fn id(commit: &Value) -> String {
    commit["id"].as_str().unwrap().to_owned()
}

/// Revises as the user. Only the user may.
fn revised(sandbox: &mut Sandbox, arguments: Value) -> Finished {
    sandbox.calling("git_revise", arguments).as_user().done().unwrap()
}

fn refused(sandbox: &mut Sandbox, arguments: Value) -> ToolError {
    sandbox.calling("git_revise", arguments).as_user().done().unwrap_err()
}

/// HEAD's commit.
fn head(sandbox: &mut Sandbox) -> String {
    sandbox.session.repo().unwrap().head().unwrap().id().unwrap().to_string()
}

/// The content of `path` in a commit.
fn shown(sandbox: &mut Sandbox, commit: &str, path: &str) -> Option<String> {
    let repo = sandbox.session.repo().unwrap();
    let commit = crate::git::staged::staged_commit::resolve(&repo, commit).unwrap();
    let tree = repo.gix.find_tree(repo.tree_of(commit).unwrap()).unwrap();
    let entry = tree.lookup_entry_by_path(path).unwrap()?;
    Some(String::from_utf8(entry.object().unwrap().data.clone()).unwrap())
}

#[test]
fn a_file_that_is_left_out_stays_in_the_working_folder() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    sandbox.write("new", "new\n");
    sandbox.ok("delete_file", json!({ "path": "other" }));
    let staged = id(&stage(&mut sandbox, &["text", "new", "other"], "All"));
    let leave_out = json!([{ "path": "new" }, { "path": "other" }]);
    let revised = revised(&mut sandbox, json!({ "commitId": staged, "leaveOut": leave_out })).structured();
    assert_eq!(revised["commitId"], json!(staged), "it keeps its id");
    assert_eq!(revised["leftOut"], json!(["new", "other"]));
    assert_eq!(status(&mut sandbox), "## main\n D other\n?? new\n");
    assert_eq!(shown(&mut sandbox, &staged, "text"), Some(lines(&[1])));
    assert_eq!(shown(&mut sandbox, &staged, "other").as_deref(), Some("other\n"));
    assert_eq!(shown(&mut sandbox, &staged, "new"), None);
    assert_eq!(sandbox.read("new"), b"new\n");
}

#[test]
fn a_hunk_that_is_left_out_stays_in_the_working_folder() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1, 12]));
    let staged = id(&stage(&mut sandbox, &["text"], "Both ends"));
    let revise = |hunks: Value| json!({ "commitId": staged, "leaveOut": [{ "path": "text", "hunks": hunks }] });
    for (hunks, message) in [
        (json!([3]), "text has 2 hunk(s), but no hunk 3"),
        (json!([0]), "text has 2 hunk(s), but no hunk 0"),
        (json!([]), "hunks of text is empty"),
        (json!([1, 2]), "This would leave nothing to push"),
    ] {
        assert_eq!(refused(&mut sandbox, revise(hunks)).message, message);
    }
    revised(&mut sandbox, revise(json!([2])));
    assert_eq!(shown(&mut sandbox, &staged, "text"), Some(lines(&[1])));
    assert_eq!(String::from_utf8(sandbox.read("text")).unwrap(), lines(&[1, 12]));
    assert_eq!(status(&mut sandbox), "## main\n M text\n");
}

#[test]
fn what_is_left_out_is_in_none_of_the_commits() {
    let mut sandbox = based();
    sandbox.write("secret", "draft\n");
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["secret", "text"], "First"));
    sandbox.write("secret", "final\n");
    let second = id(&stage(&mut sandbox, &["secret"], "Only the secret"));
    sandbox.write("text", lines(&[1, 12]));
    sandbox.write("secret", "final, really\n");
    let third = id(&stage(&mut sandbox, &["secret", "text"], "Third"));
    let leave_out = json!([{ "path": "secret" }, { "path": "text", "hunks": [2] }]);
    // Nothing of the last commit would remain either.
    let revised = revised(&mut sandbox, json!({ "commitId": third, "leaveOut": leave_out })).structured();
    assert_eq!(revised["dropped"], json!([second, third]));
    assert_eq!(staged_ids(&mut sandbox), [first.as_str()]);
    assert_eq!((shown(&mut sandbox, &first, "secret"), shown(&mut sandbox, &first, "text")), (None, Some(lines(&[1]))));
    assert_eq!(status(&mut sandbox), "## main\n M text\n?? secret\n");
}

#[test]
fn what_is_not_staged_is_not_left_out_though_the_review_compares_with_a_commit_before_it() {
    let mut sandbox = based();
    let base = head(&mut sandbox);
    sandbox.write("new", "1\n");
    sandbox.write("text", lines(&[1]));
    let landing = id(&stage(&mut sandbox, &["new", "text"], "Landed"));
    push(&mut sandbox, &landing, None, landed).unwrap();
    sandbox.write("text", lines(&[1, 12]));
    sandbox.write("more", "1\n");
    let staged = id(&stage(&mut sandbox, &["text", "more"], "More"));
    let revise = |leave_out: Value| json!({ "commitId": staged, "base": base, "leaveOut": [leave_out] });
    for (leave_out, message) in [
        (json!({ "path": "new" }), "These commits do not change new"),
        (json!({ "path": "text", "hunks": [2] }), "A commit that is not staged changes text, too"),
    ] {
        let error = refused(&mut sandbox, revise(leave_out));
        assert_eq!((error.kind, &*error.message), (ErrorKind::BadArgs, message));
    }
    revised(&mut sandbox, revise(json!({ "path": "text" })));
    assert_eq!(shown(&mut sandbox, &staged, "text"), Some(lines(&[1])), "as it has landed");
    assert_eq!(shown(&mut sandbox, &staged, "more").as_deref(), Some("1\n"));
    assert_eq!(status(&mut sandbox), "## main\n M text\n");
}

#[test]
fn a_staged_commit_that_the_target_has_stays_as_it_is() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    let first = stage(&mut sandbox, &["text"], "There");
    sandbox.write("text", lines(&[1, 12]));
    sandbox.write("more", "1\n");
    let second = id(&stage(&mut sandbox, &["text", "more"], "More"));
    let leave_out = json!([{ "path": "text" }]);
    revised(&mut sandbox, json!({ "commitId": second, "base": first["commitSha"], "leaveOut": leave_out }));
    let staged = sandbox.ok("git_status", json!({})).structured()["staged"].clone();
    assert_eq!(staged[0]["commitId"], first["commitSha"]);
    assert_eq!(shown(&mut sandbox, &second, "text"), Some(lines(&[1])));
}

#[test]
fn what_only_an_earlier_commit_has_is_left_out_of_it() {
    let mut sandbox = based();
    sandbox.write("draft", "a secret\n");
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["draft", "text"], "With a draft"));
    sandbox.ok("delete_file", json!({ "path": "draft" }));
    sandbox.write("text", lines(&[1, 12]));
    let second = id(&stage(&mut sandbox, &["draft", "text"], "Without it"));
    revised(&mut sandbox, json!({ "commitId": second, "leaveOut": [{ "path": "draft" }] }));
    assert_eq!(staged_ids(&mut sandbox), [first.as_str(), &second]);
    assert_eq!((shown(&mut sandbox, &first, "draft"), shown(&mut sandbox, &first, "text")), (None, Some(lines(&[1]))));
    assert_eq!(shown(&mut sandbox, &second, "text"), Some(lines(&[1, 12])));
    assert_eq!(status(&mut sandbox), "## main\n");
}

#[test]
fn a_file_that_was_a_folder_on_the_way_is_not_left_out() {
    let mut sandbox = based();
    sandbox.ok("delete_file", json!({ "path": "other" }));
    sandbox.write("other/inner", "1\n");
    stage(&mut sandbox, &["other", "other/inner"], "A folder");
    sandbox.ok("delete_file", json!({ "path": "other", "recursive": true }));
    sandbox.write("other", "changed\n");
    let last = id(&stage(&mut sandbox, &["other/inner", "other"], "A file again"));
    let error = refused(&mut sandbox, json!({ "commitId": last, "leaveOut": [{ "path": "other" }] }));
    assert_eq!(error.message, "Cannot leave out other without other/inner");
}

#[test]
fn without_context_every_change_is_a_hunk_of_its_own() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1, 3, 5]));
    let staged = id(&stage(&mut sandbox, &["text"], "Close together"));
    let revise = |context: u32, hunks: Value| json!({ "commitId": staged, "leaveOut": [{ "path": "text", "hunks": hunks, "context": context }] });
    let error = refused(&mut sandbox, revise(3, json!([2])));
    assert_eq!(error.message, "text has 1 hunk(s), but no hunk 2");
    revised(&mut sandbox, revise(0, json!([2])));
    assert_eq!(shown(&mut sandbox, &staged, "text"), Some(lines(&[1, 5])));
    assert_eq!(sandbox.read("text"), lines(&[1, 3, 5]).into_bytes());
}

#[test]
fn an_earlier_form_of_a_hunk_that_is_left_out_is_left_out_as_well() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[12]).replace("changed 12", "draft 12"));
    let first = id(&stage(&mut sandbox, &["text"], "Draft"));
    sandbox.write("text", lines(&[1, 12]));
    let second = id(&stage(&mut sandbox, &["text"], "Both"));
    let leave_out = json!([{ "path": "text", "hunks": [2] }]);
    revised(&mut sandbox, json!({ "commitId": second, "leaveOut": leave_out }));
    for commit in staged_ids(&mut sandbox) {
        let text = shown(&mut sandbox, &commit, "text").unwrap();
        assert!(!text.contains("draft 12") && !text.contains("changed 12"), "{text}");
    }
    assert_eq!(staged_ids(&mut sandbox).len(), 1, "{first} {second}");
}

#[test]
fn a_new_message_is_that_of_the_last_commit() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    stage(&mut sandbox, &["text"], "First");
    sandbox.write("text", lines(&[1, 2]));
    let second = id(&stage(&mut sandbox, &["text"], "Secnd"));
    revised(&mut sandbox, json!({ "commitId": second, "message": "Second\n\nWith reasons.  \n\n" }));
    let structured = sandbox.ok("git_status", json!({})).structured();
    let subjects: Vec<_> = structured["staged"].as_array().unwrap().iter().map(|staged| &staged["message"]).collect();
    assert!(subjects[0].as_str().unwrap().starts_with("First"), "{subjects:?}");
    assert_eq!(subjects[1].as_str().unwrap().trim_end(), "Second\n\nWith reasons.");
    assert_eq!(status(&mut sandbox), "## main\n");
    assert_eq!(refused(&mut sandbox, json!({ "commitId": second, "message": " \n" })).kind, ErrorKind::BadArgs);
}

#[test]
fn commits_that_are_not_pushed_yet_go_on_top_of_what_is_left() {
    let mut sandbox = based();
    sandbox.write("new", "1\n");
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["new", "text"], "First"));
    sandbox.write("more", "1\n");
    let second = id(&stage(&mut sandbox, &["more"], "Second"));
    revised(&mut sandbox, json!({ "commitId": first, "leaveOut": [{ "path": "new" }] }));
    assert_eq!(staged_ids(&mut sandbox), [first.as_str(), second.as_str()]);
    assert_eq!(
        (shown(&mut sandbox, &second, "new"), shown(&mut sandbox, &second, "more")),
        (None, Some("1\n".to_owned()))
    );
}

#[test]
fn a_later_commit_that_builds_on_what_is_left_out_is_a_conflict_that_changes_nothing() {
    let mut sandbox = based();
    sandbox.write("new", "1\n");
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["new", "text"], "First"));
    sandbox.write("new", "2\n");
    stage(&mut sandbox, &["new"], "Second");
    let before = sandbox.ok("git_status", json!({})).structured();
    let error = refused(&mut sandbox, json!({ "commitId": first, "leaveOut": [{ "path": "new" }] }));
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert!(error.message.ends_with("\"Second\" builds on the changes you leave out"), "{}", error.message);
    assert_eq!(sandbox.ok("git_status", json!({})).structured(), before);
}

#[test]
fn what_cannot_be_left_out_by_itself_is_refused() {
    let mut sandbox = based();
    sandbox.ok("delete_file", json!({ "path": "other" }));
    sandbox.write("other/file", "1\n");
    sandbox.write("binary", "\0");
    let staged = id(&stage(&mut sandbox, &["other", "binary"], "Folder"));
    let revise = |leave_out: Value| json!({ "commitId": staged, "leaveOut": leave_out });
    for (leave_out, message) in [
        (json!([{ "path": "other" }]), "Cannot leave out other without other/file"),
        (json!([{ "path": "text" }]), "These commits do not change text"),
        (json!([{ "path": "binary" }, { "path": "binary" }]), "binary is named twice"),
        (json!([{ "path": "binary", "hunks": [1] }]), "binary has no hunks, because it is new, deleted or not text"),
    ] {
        assert_eq!(refused(&mut sandbox, revise(leave_out)).message, message);
    }
    assert_eq!(refused(&mut sandbox, json!({ "commitId": staged })).message, "There is nothing to revise");
    revised(&mut sandbox, revise(json!([{ "path": "other" }, { "path": "other/file" }])));
    assert_eq!(shown(&mut sandbox, &staged, "other").as_deref(), Some("other\n"));
}

#[test]
fn an_agent_revises_nothing() {
    let mut sandbox = based();
    sandbox.write("new", "1\n");
    let staged = id(&stage(&mut sandbox, &["new"], "New"));
    let error = sandbox.fail("git_revise", json!({ "commitId": staged, "message": "Other" }));
    assert_eq!(error.kind, ErrorKind::NotPermitted);
}

#[test]
fn a_commit_that_is_pushed_alone_is_revised_alone_and_in_whole_files() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["text"], "First"));
    sandbox.write("text", lines(&[1, 12]));
    sandbox.write("new", "1\n");
    let second = id(&stage(&mut sandbox, &["text", "new"], "Second"));
    // On another base, the hunks would differ from those here.
    let hunks = json!([{ "path": "text", "hunks": [1] }]);
    let error = refused(&mut sandbox, json!({ "commitId": second, "leaveOut": hunks, "only": true }));
    assert_eq!(error.kind, ErrorKind::BadArgs);
    let leave_out = json!([{ "path": "text" }]);
    revised(&mut sandbox, json!({ "commitId": second, "leaveOut": leave_out, "only": true }));
    assert_eq!(staged_ids(&mut sandbox), [first.as_str(), second.as_str()]);
    assert_eq!(shown(&mut sandbox, &first, "text"), Some(lines(&[1])));
    assert_eq!(shown(&mut sandbox, &second, "text"), Some(lines(&[1])));
    assert_eq!(status(&mut sandbox), "## main\n M text\n");
}

#[test]
fn what_is_left_out_is_not_left_elsewhere_in_an_earlier_commit() {
    let mut sandbox = based();
    let moved = |at: usize| {
        let mut text: Vec<String> = lines(&[]).lines().map(str::to_owned).collect();
        text.insert(at, "KEY".to_owned());
        text.join("\n") + "\n"
    };
    sandbox.write("text", moved(2));
    stage(&mut sandbox, &["text"], "Add");
    sandbox.write("text", moved(10).replace("line 1\n", "changed 1\n"));
    let second = id(&stage(&mut sandbox, &["text"], "Move"));
    revised(&mut sandbox, json!({ "commitId": second, "leaveOut": [{ "path": "text", "hunks": [2] }] }));
    for commit in staged_ids(&mut sandbox) {
        assert!(!shown(&mut sandbox, &commit, "text").unwrap().contains("KEY"));
    }
}

#[test]
fn a_commit_of_which_nothing_changes_stays_the_commit_it_is() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    let first = stage(&mut sandbox, &["text"], "First");
    sandbox.write("new", "1\n");
    let second = stage(&mut sandbox, &["new"], "Second");
    revised(&mut sandbox, json!({ "commitId": id(&second), "message": "Other" }));
    let staged = sandbox.ok("git_status", json!({})).structured()["staged"].clone();
    assert_eq!(staged[0]["commitId"], first["commitSha"]);
    assert_ne!(staged[1]["commitId"], second["commitSha"]);
}

#[test]
fn where_nothing_is_left_of_the_last_commit_the_message_is_for_the_one_before_it() {
    let mut sandbox = based();
    sandbox.write("text", lines(&[1]));
    let first = id(&stage(&mut sandbox, &["text"], "First"));
    sandbox.write("new", "1\n");
    let second = id(&stage(&mut sandbox, &["new"], "Second"));
    let arguments = json!({ "commitId": second, "leaveOut": [{ "path": "new" }], "message": "Only the text" });
    let revised = revised(&mut sandbox, arguments).structured();
    assert_eq!((&revised["commitId"], &revised["dropped"]), (&json!(first), &json!([second])));
    let staged = sandbox.ok("git_status", json!({})).structured()["staged"].clone();
    assert_eq!(staged[0]["message"], json!("Only the text"));
}
