//! What is said to be undone is undone, and what cannot be undone is said to be so, by the tool and by the interface alike.

use serde_json::{Value, json};
use tests::host::wit::{Caller, FaultKind, Step, ToolError};
use tests::host::{Sandbox, call, options, with_stack};
use tests::session::{World, glance, look, succeed};

/// A call of the tool that must fail: its error.
#[track_caller]
fn refused(sandbox: &mut Sandbox, steps: u32) -> ToolError {
    let arguments = json!({ "steps": steps }).to_string();
    match sandbox.call(&call("sandbox_undo", &arguments, Caller::User, 0), &[]) {
        (Step::Done(done), record) if record.is_empty() => done.outcome.expect_err("so many calls cannot be undone"),
        step => panic!("{step:?}"),
    }
}

/// Undoing one call more than `possible` is refused in the same words by both, and changes nothing.
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

/// The calls that the history says can be undone.
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
        let ends = "\nThis call changed more than is kept for undo: neither it nor any call before it can be undone.\n";
        assert!(deleted.text.ends_with(ends), "{}", deleted.text);
        assert_eq!(serde_json::from_str::<Value>(&deleted.structured).unwrap()["undoable"], json!(false));
        assert!(glance(&mut sandbox).contains("(cannot be undone)"));
        only(&mut sandbox.reopened(), 0, "There is nothing to undo");
        only(&mut sandbox, 0, "There is nothing to undo");
        succeed(&mut sandbox, "write_file", &json!({ "path": "small.md", "content": "text" }), 4, &mut world);
        only(&mut sandbox, 1, "Only 1 call can be undone");
        succeed(&mut sandbox, "sandbox_undo", &json!({}), 5, &mut world);
        only(&mut sandbox, 0, "There is nothing to undo");
    });
}
