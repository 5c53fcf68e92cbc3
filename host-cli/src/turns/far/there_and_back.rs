//! What is pulled and pushed arrives as it is.

use gate::ledger::PushResult;
use gate::policy::Caller;
use serde_json::json;

use super::scene::{Scene, deep, push_to, small, there};

#[test]
fn a_push_to_the_branch_that_was_pulled_lands_as_approved() {
    deep(|| {
        for has_graph in [false, true] {
            let scene = Scene::new(small().with_graph(has_graph), &["github:octo/hello"]);
            let sandbox = &mut scene.open();
            let pulled = scene.call(sandbox, Caller::Agent, "git_pull", json!({ "source": there() })).unwrap();
            println!("{pulled}");
            let branches = scene.call(sandbox, Caller::Agent, "git_branches", json!({ "target": there() })).unwrap();
            println!("{branches}");
            scene.user(sandbox, "write_file", json!({ "path": "a.md", "content": "one\n" }));
            let staged = scene.user(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "One" }));
            println!("{staged}");
            let from = scene.sent();
            let pushed = scene.user(sandbox, "git_push", push_to("main"));
            println!("{pushed}");
            println!("{:#?}", &scene.server.borrow().asked()[from..]);
            let [(intent, Some(PushResult::Landed))] = &scene.pushes()[..] else { panic!("{:?}", scene.pushes()) };
            assert_eq!(scene.main(), intent.new);
            assert_eq!(scene.staged(sandbox), Vec::<String>::new());
        }
    });
}
