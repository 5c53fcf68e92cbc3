//! What a sandbox has pushed itself is in no attachment.

use gix::objs::Kind;
use serde_json::json;

use super::scene::{Scene, begun, deep, id, push_to};
use crate::support::github::Server;

#[test]
fn commits_of_others_on_top_of_an_own_push_come_in() {
    deep(|| {
        let scene = Scene::with_work(Server::of(&begun()));
        let sandbox = &mut scene.open();
        scene.user(sandbox, "git_push", push_to("main"));
        let (own, theirs) = {
            let mut server = scene.server.borrow_mut();
            let own = server.main().unwrap();
            let (tree, them) = (server.commit(own).tree, "They <they@example.org> 1795168800 +0000");
            let theirs = format!("tree {tree}\nparent {own}\nauthor {them}\ncommitter {them}\n\nTheirs\n");
            let theirs = server.keep(Kind::Commit, theirs.into_bytes());
            server.set_main(theirs);
            (own, theirs)
        };
        assert_ne!(own, theirs);
        scene.agent(sandbox, "write_file", json!({ "path": "c.md", "content": "three\n" }));
        scene.agent(sandbox, "git_stage", json!({ "files": ["c.md"], "message": "Three" }));
        let pulled = scene.agent(sandbox, "git_pull", json!({}));
        assert_eq!(id(&pulled["commitSha"]), theirs);
        assert_eq!(scene.staged(sandbox), ["Three"]);
        scene.user(sandbox, "git_push", push_to("main"));
        assert_eq!(scene.server.borrow().commit(scene.main()).parents, [theirs]);
    });
}
