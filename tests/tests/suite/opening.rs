//! Invalid options get an error message, never a trap. Limits hold, except for content that has landed.

use serde_json::json;
use tests::host::wit::{Caller, ErrorKind, FaultKind, Step, Zone};
use tests::host::{Attachments, Sandbox, call, options, with_stack};
use tests::session::{World, look, succeed};

#[test]
fn a_zone_has_one_name_that_no_other_has() {
    with_stack(|| {
        for writable in [true, false] {
            for name in ["a/b", "", ".", "..", "a\0b", "workspace", "notes", &"n".repeat(256)] {
                let mut options = options();
                options.zones.push(Zone { name: name.to_owned(), writable });
                let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
                assert_eq!(fault.kind, FaultKind::Misuse, "{name:?}: {fault:?}");
            }
        }
    });
}

#[test]
fn limits_that_leave_no_room_for_the_zones_are_said_to() {
    with_stack(|| {
        for files in 0..3 {
            let mut options = options();
            options.limits.files = files;
            let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
            assert_eq!(fault.kind, FaultKind::OutOfSpace, "{files} files: {fault:?}");
        }
        let mut options = options();
        options.limits.path_bytes = 3;
        let fault = Sandbox::open(&options, &[], &Attachments::new()).err().expect("it is refused");
        assert_eq!(fault.kind, FaultKind::Misuse, "{fault:?}");
        options.limits.path_bytes = 1024;
        options.limits.files = 3;
        Sandbox::create(&options);
    });
}

#[test]
fn a_push_that_landed_is_noted_in_a_sandbox_that_is_full() {
    with_stack(|| {
        let (mut options, mut world) = (options(), World::default());
        options.limits.files = 100;
        let mut sandbox = Sandbox::create(&options);
        succeed(&mut sandbox, "sandbox_import", &json!({}), 0, &mut world);
        succeed(&mut sandbox, "write_file", &json!({ "path": "a.md", "content": "text" }), 1, &mut world);
        succeed(&mut sandbox, "git_stage", &json!({ "files": ["a.md"], "message": "First" }), 2, &mut world);
        let files = (0..100).take_while(|n| write(&mut sandbox, *n).is_ok()).count();
        assert!((10..100).contains(&files));
        let target = json!({ "type": "local", "path": "/made/up", "branch": "main" });
        let push = json!({ "commitId": "HEAD", "target": target });
        let pushed = succeed(&mut sandbox, "git_push", &push, 200, &mut world);
        assert!(pushed.structured.contains("\"success\""), "{}", pushed.structured);
        let mut reopened = sandbox.reopened();
        assert_eq!(look(&mut reopened), look(&mut sandbox));
        for sandbox in [&mut reopened, &mut sandbox] {
            let again = succeed(sandbox, "git_push", &push, 201, &mut world.clone());
            assert_eq!(again.text, "Everything up-to-date\n");
            assert_eq!(write(sandbox, 202), Err(ErrorKind::OutOfSpace), "the limits hold again");
        }
    });
}

/// Writes a file of its own, or returns why it cannot.
fn write(sandbox: &mut Sandbox, n: u64) -> Result<(), ErrorKind> {
    let arguments = json!({ "path": format!("{n}.md"), "content": "text" }).to_string();
    let (Step::Done(done), _) = sandbox.call(&call("write_file", &arguments, Caller::User, n), &[]) else {
        panic!("it asks nothing")
    };
    done.outcome.map(drop).map_err(|error| error.kind)
}
