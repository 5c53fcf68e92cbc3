//! What becomes of a sandbox whose call has to be stopped the hard way.

use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use host::fake::plain_settings;
use host::session::Step;
use host::wit;
use serde_json::{Value, json};

use super::{Clock, Runtime, STACK, Sandbox, create};
use crate::error::{ErrorKind, Result};
use crate::home::{SandboxFile, ToolSettings};
use crate::store;

/// A call by the user that may take `allowed`. Whatever it asks is approved.
fn call(sandbox: &mut Sandbox, tool: &str, arguments: Value, allowed: Duration) -> Result<wit::ToolResult> {
    let call = wit::ToolCall {
        id: format!("{tool} {arguments:.20}"),
        tool: tool.to_owned(),
        arguments: arguments.to_string(),
        dialect: None,
        max_bytes: None,
        caller: wit::Caller::User,
        now: 1_767_225_600_000_000_000,
        utc_offset: 0,
        time_allowed: u64::try_from(allowed.as_nanos()).unwrap(),
    };
    let mut answers = Vec::new();
    loop {
        match sandbox.lock()?.call(&call, &answers, &[])? {
            Step::Done { outcome, .. } => return Ok(outcome.expect("the tool does not refuse it")),
            Step::Ask { key, .. } => answers.push(wit::Answer { key, body: wit::AnswerBody::Approved }),
        }
    }
}

/// Two kinds of lines in no order, which take seconds to compare.
fn lines(seed: u64) -> String {
    let mut state = seed;
    let mut line = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if state >> 63 == 0 { "a\n" } else { "b\n" }
    };
    (0..400_000).map(|_| line()).collect()
}

fn in_folder(folder: &Path) {
    let place = folder.join("one");
    for name in ["attachments", "pending"] {
        fs::create_dir_all(place.join(name)).unwrap();
    }
    let identity = Some("Ada <ada@example.org>".parse().unwrap());
    store::put_settings(&place, &SandboxFile { identity, ..plain_settings() }).unwrap();
    let long = Duration::from_secs(600);
    // To the component no time passes: it never sees that its time is over.
    let runtime = Runtime::load(Clock::fake(), || ()).unwrap().with_grace(Duration::ZERO);
    let mut sandbox = create(&place, &ToolSettings::default(), Rc::new(runtime)).unwrap();
    call(&mut sandbox, "sandbox_import", json!({}), long).unwrap();
    call(&mut sandbox, "write_file", json!({"path": "file", "content": lines(1)}), long).unwrap();
    call(&mut sandbox, "git_stage", json!({"files": ["file"], "message": "One"}), long).unwrap();
    call(&mut sandbox, "write_file", json!({"path": "file", "content": lines(2)}), long).unwrap();
    let status = |sandbox: &mut Sandbox| call(sandbox, "git_status", json!({}), long).unwrap().text;
    let before = status(&mut sandbox);
    let length = fs::metadata(place.join("journal")).unwrap().len();

    let error = call(&mut sandbox, "git_diff", json!({"unified": 3}), Duration::from_millis(1)).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Component, "the tool exceeded its time and was stopped")
    );
    assert!(crate::screen::hint::words(&error.hint).ends_with("nothing has changed"));
    assert_eq!(fs::metadata(place.join("journal")).unwrap().len(), length);
    // The instance is lost, and the next call has one with everything that was there.
    assert_eq!(status(&mut sandbox), before);
    call(&mut sandbox, "write_file", json!({"path": "file", "content": "short\n"}), long).unwrap();
    let diff = call(&mut sandbox, "git_diff", json!({"unified": 3, "max_bytes": 5_000_000}), long).unwrap();
    assert!(diff.text.contains("+short\n"));
}

/// There is no process to be ended: what runs is an instance of the component.
#[test]
fn t_git_timeout_04_a_call_that_does_not_end_is_stopped_and_the_sandbox_opened_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(move || in_folder(&path));
    thread.unwrap().join().unwrap();
}
