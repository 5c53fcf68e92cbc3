//! The component reads only a clock from outside, and uses it only to stop in time.

use serde_json::json;
use tests::host::wit::{Caller, ErrorKind, Step};
use tests::host::{Sandbox, call, options, with_stack};
use tests::import::import;
use tests::repo::Repo;
use tests::session::{Mood, World, drive, glance, succeed};

/// A sandbox with a history, and enough files for every tool to work on.
fn sandbox(world: &mut World) -> Sandbox {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with_history(&folder.path().join("repository"));
    for n in 0..4000 {
        repo.write(&format!("many/{n}.txt"), &"a line to be searched\n".repeat(10));
    }
    repo.commit("Add many files");
    let mut sandbox = Sandbox::create(&options());
    import(&mut sandbox, &repo, world);
    for n in 0..50 {
        succeed(
            &mut sandbox,
            "write_file",
            &json!({ "path": format!("many/{n}.txt"), "content": "changed\n".repeat(n + 1) }),
            1,
            world,
        );
    }
    sandbox
}

#[test]
fn a_call_whose_time_is_over_says_so_and_has_never_been() {
    with_stack(|| {
        let mut world = World::default();
        let mut sandbox = sandbox(&mut world);
        let before = glance(&mut sandbox);
        let calls = [
            ("search_files", json!({ "pattern": "nothing like (this|that)" })),
            ("git_status", json!({})),
            ("git_diff", json!({})),
            ("git_stage", json!({ "files": ["/workspace"], "message": "All" })),
            ("git_add", json!({ "all": true })),
            ("git_restore", json!({ "paths": ["."] })),
            ("git_checkout", json!({ "paths": ["many"] })),
            ("git_stash", json!({ "include_untracked": true })),
            ("list_files", json!({ "recursive": true, "limit": 100_000 })),
        ];
        for (tool, arguments) in calls {
            let call = call(tool, &arguments.to_string(), Caller::User, 2);
            let mut timeouts = 0;
            for looks in [0, 1, 2, 3, 4, 6, 9, 17] {
                sandbox.clock_jumps_after(Some(looks));
                let heard = drive(&mut sandbox, &call, &mut world, Mood::Willing);
                sandbox.clock_jumps_after(None);
                let Some((Step::Done(done), record)) = heard.last() else { panic!("{tool} is never done") };
                match &done.outcome {
                    Err(error) => {
                        assert!(matches!(error.kind, ErrorKind::Timeout(_)), "{tool} after {looks} looks: {error:?}");
                        assert!(record.is_empty(), "{tool}");
                        timeouts += 1;
                        assert!(before == glance(&mut sandbox), "{tool} has left something behind after {looks} looks");
                    }
                    // It happened before the clock jumped, so undo its changes for the next round.
                    Ok(_) if record.is_empty() => {}
                    Ok(_) => sandbox = sandbox.before(record.len()),
                }
            }
            assert!(timeouts > 0, "{tool} never looks at the clock");
        }
    });
}
