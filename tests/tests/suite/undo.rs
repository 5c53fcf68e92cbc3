//! A reported undo happened, and an impossible undo is reported, by the tool and by the interface alike.

use serde_json::{Value, json};
use tests::host::wit::{Caller, FaultKind, Step, ToolError, Zone};
use tests::host::{Sandbox, call, options, with_stack};
use tests::session::{World, glance, look, succeed};

/// The hint if more steps are requested than are kept.
const KEPT: &str = "Nothing has changed. The sandbox keeps no older calls for undo. Call sandbox_history to see which calls you can undo.";

/// A call of the tool that must fail. Returns its error.
#[track_caller]
fn refused(sandbox: &mut Sandbox, steps: u32) -> ToolError {
    let arguments = json!({ "steps": steps }).to_string();
    match sandbox.call(&call("sandbox_undo", &arguments, Caller::User, 0), &[]) {
        (Step::Done(done), record) if record.is_empty() => done.outcome.expect_err("so many calls cannot be undone"),
        step => panic!("{step:?}"),
    }
}

/// Both refuse to undo one call more than `possible` in the same words, and change nothing.
#[track_caller]
fn only(sandbox: &mut Sandbox, possible: u32, message: &str) {
    let before = look(sandbox);
    let error = refused(sandbox, possible + 1);
    assert_eq!(error.message, message);
    let fault = sandbox.undo(possible + 1, 0).expect_err("so many calls cannot be undone");
    assert_eq!((fault.kind, fault.message, fault.hint), (FaultKind::NothingToUndo, error.message, error.hint));
    assert!(before == look(sandbox), "an undo that was refused has changed something");
    assert_eq!(undoable(sandbox), possible as usize);
}

/// The number of calls that the history calls undoable.
fn undoable(sandbox: &mut Sandbox) -> usize {
    let history = succeed(sandbox, "sandbox_history", &json!({ "limit": 1000 }), 0, &mut World::default());
    let history: Value = serde_json::from_str(&history.structured).unwrap();
    history["calls"].as_array().unwrap().iter().filter(|call| call["undoable"] == true).count()
}

#[test]
fn more_calls_than_are_kept_cannot_be_undone() {
    with_stack(|| {
        let mut options = options();
        options.limits.undo_steps = 100;
        let (mut sandbox, mut world) = (Sandbox::create(&options), World::default());
        let mut states = vec![glance_files(&mut sandbox)];
        for n in 0..101 {
            let arguments = json!({ "path": format!("{n}.md"), "content": "text" });
            succeed(&mut sandbox, "write_file", &arguments, n, &mut world);
            states.push(glance_files(&mut sandbox));
        }
        only(&mut sandbox.reopened(), 100, "Only 100 calls can be undone");
        only(&mut sandbox, 100, "Only 100 calls can be undone");
        assert_eq!(refused(&mut sandbox, 101).hint, KEPT);
        let undone = succeed(&mut sandbox, "sandbox_undo", &json!({ "steps": 60 }), 200, &mut world);
        assert_eq!(undone.text.lines().count(), 60);
        assert_eq!(glance_files(&mut sandbox), states[41]);
        only(&mut sandbox, 40, "Only 40 calls can be undone");
        let (undone, _) = sandbox.undo(40, 0).expect("so many can be undone");
        assert_eq!(undone.calls.len(), 40);
        assert_eq!(glance_files(&mut sandbox), states[1]);
        only(&mut sandbox, 0, "There is nothing to undo");
    });
}

/// The names of all files.
fn glance_files(sandbox: &mut Sandbox) -> String {
    succeed(sandbox, "list_files", &json!({ "limit": 1000 }), 0, &mut World::default()).text
}

#[test]
fn a_call_that_changes_more_than_is_kept_says_that_it_cannot_be_undone() {
    with_stack(|| {
        let (mut sandbox, mut world) = (Sandbox::create(&options()), World::default());
        for n in 0..3 {
            let arguments = json!({ "path": format!("big/{n}.txt"), "content": "x".repeat(6 << 20) });
            let written = succeed(&mut sandbox, "write_file", &arguments, n, &mut world);
            assert!(!written.text.contains("cannot be undone"), "{}", written.text);
        }
        let deleted = succeed(&mut sandbox, "delete_file", &json!({ "path": "big", "recursive": true }), 3, &mut world);
        let ends = "\nThis call changed more than the undo limit allows. You cannot undo it or any earlier call.\n";
        assert!(deleted.text.ends_with(ends), "{}", deleted.text);
        assert_eq!(serde_json::from_str::<Value>(&deleted.structured).unwrap()["undoable"], json!(false));
        assert!(glance(&mut sandbox).contains("(cannot be undone)"));
        only(&mut sandbox.reopened(), 0, "There is nothing to undo");
        only(&mut sandbox, 0, "There is nothing to undo");
        assert_eq!(refused(&mut sandbox, 1).hint, KEPT);
        succeed(&mut sandbox, "write_file", &json!({ "path": "small.md", "content": "text" }), 4, &mut world);
        only(&mut sandbox, 1, "Only 1 call can be undone");
        succeed(&mut sandbox, "sandbox_undo", &json!({}), 5, &mut world);
        only(&mut sandbox, 0, "There is nothing to undo");
    });
}

/// Undo is refused because of `why`, even after a replay and after compaction.
#[track_caller]
fn ends_at(sandbox: &mut Sandbox, possible: u32, message: &str, why: &str) {
    only(sandbox, possible, message);
    only(&mut sandbox.reopened(), possible, message);
    sandbox.compact().expect("nothing else is going on");
    for sandbox in [&mut sandbox.reopened(), sandbox] {
        only(sandbox, possible, message);
        let hint = refused(sandbox, possible + 1).hint;
        assert_eq!(hint, format!("Nothing has changed. {why} Call sandbox_history to see which calls you can undo."));
    }
}

#[test]
fn undo_leaves_the_repository_that_was_imported() {
    with_stack(|| {
        let (mut sandbox, mut world) = (Sandbox::create(&options()), World::default());
        succeed(&mut sandbox, "write_file", &json!({ "path": "a.md", "content": "text" }), 0, &mut world);
        succeed(&mut sandbox, "sandbox_import", &json!({}), 1, &mut world);
        let why = "Undo cannot go back past sandbox_import.";
        ends_at(&mut sandbox, 0, "There is nothing to undo", why);
        succeed(&mut sandbox, "write_file", &json!({ "path": "b.md", "content": "text" }), 2, &mut world);
        ends_at(&mut sandbox, 1, "Only 1 call can be undone", why);
        succeed(&mut sandbox, "sandbox_undo", &json!({}), 3, &mut world);
        let status = succeed(&mut sandbox, "git_status", &json!({}), 4, &mut world);
        assert_eq!(status.text, "## No commits yet on main\n?? a.md\n");
    });
}

#[test]
fn undo_leaves_the_zones_that_came_later_and_their_guard() {
    with_stack(|| {
        let (mut options, mut world) = (options(), World::default());
        let mut sandbox = Sandbox::create(&options);
        succeed(&mut sandbox, "write_file", &json!({ "path": "a.md", "content": "text" }), 0, &mut world);
        for (name, writable) in [("more", true), ("fixed", false)] {
            options.zones.push(Zone { name: name.to_owned(), writable });
        }
        let mut sandbox = Sandbox::open(&options, &sandbox.journal, &sandbox.attachments).expect("it is whole");
        let why = "Undo cannot go back to a time when the sandbox had other zones.";
        ends_at(&mut sandbox, 0, "There is nothing to undo", why);
        succeed(&mut sandbox, "write_file", &json!({ "path": "/more/b.md", "content": "text" }), 1, &mut world);
        succeed(&mut sandbox, "sandbox_undo", &json!({}), 2, &mut world);
        succeed(&mut sandbox, "write_file", &json!({ "path": "/more/c.md", "content": "text" }), 3, &mut world);
        let fixed = call("write_file", r#"{"path": "/fixed/d.md", "content": ""}"#, Caller::User, 4);
        let (Step::Done(done), _) = sandbox.call(&fixed, &[]) else { panic!("it asks nothing") };
        assert!(done.outcome.is_err_and(|error| error.message.starts_with("Read-only zone")));
    });
}

#[test]
fn the_history_counts_all_that_a_call_has_changed_and_names_the_first() {
    with_stack(|| {
        let (mut sandbox, mut world) = (Sandbox::create(&options()), World::default());
        for n in 0..50 {
            let arguments = json!({ "path": format!("folder/{n}"), "content": "text" });
            succeed(&mut sandbox, "write_file", &arguments, n, &mut world);
        }
        let arguments = json!({ "path": "folder", "recursive": true });
        succeed(&mut sandbox, "delete_file", &arguments, 50, &mut world);
        for sandbox in [&mut sandbox.reopened(), &mut sandbox] {
            let history = succeed(sandbox, "sandbox_history", &json!({ "limit": 1 }), 51, &mut world);
            let history: Value = serde_json::from_str(&history.structured).unwrap();
            let last = &history["calls"][0];
            // The folder counts as one more.
            assert_eq!((&last["changedCount"], last["changed"].as_array().unwrap().len()), (&json!(51), 20));
        }
    });
}
