//! What the server refuses is a typed error with what to do about it, for an agent and for a
//! person, and changes nothing.

use gate::policy::Caller;
use host::store::Log;
use host::wit::ToolError;
use serde_json::json;

use super::scene::{Scene, deep, push_to, small, there};
use crate::support::github::{Server, Trouble};

/// How the server is before a call, and what the calls then say.
struct Case {
    change: fn(&mut Server),
    /// `None` if it succeeds.
    pull: Option<&'static str>,
    push: &'static str,
}

fn from_now_on(server: &mut Server, trouble: Trouble) {
    let from = server.log.len();
    (from..from + 100).for_each(|index| server.trouble(index, trouble));
}

fn said(error: &ToolError) -> String {
    format!("{:?}: {}. {}", error.kind, error.message, error.hint)
}

const MISSING: &str = "NotFound: there is no such repository, or the token may not see it. check the name, and use a \
                       token that may read and write the contents of the repository, and its workflows if a push \
                       changes any";
const RENAMED: &str = "NotFound: octo/hello is now octo/new-name. use the repository by its new name";
const FORBIDDEN: &str = "NotPermitted: the token may not do this: Resource not accessible. use a token that may read \
                         and write the contents of the repository, and its workflows if a push changes any";
const UNAUTHORIZED: &str = "NotPermitted: GitHub does not accept the token: Bad credentials. sign in again, or use a \
                            token that has not expired";

const CASES: [Case; 6] = [
    Case {
        change: |server| server.refs.clear(),
        pull: None,
        push: "ExecutionFailed: the repository is empty, and GitHub takes objects only after a first commit. make a \
               first commit on GitHub, such as a README, then pull and push again",
    },
    Case { change: |server| from_now_on(server, Trouble::NotFound), pull: Some(MISSING), push: MISSING },
    Case { change: |server| server.renamed = Some("octo/new-name"), pull: Some(RENAMED), push: RENAMED },
    Case {
        change: |server| server.is_archived = true,
        pull: None,
        push: "NotPermitted: the repository is archived, so nobody can push to it. unarchive the repository in its \
               settings, or push elsewhere",
    },
    Case {
        change: |server| server.forbids = Some("Resource not accessible".to_owned()),
        pull: Some(FORBIDDEN),
        push: FORBIDDEN,
    },
    Case { change: |server| from_now_on(server, Trouble::Unauthorized), pull: Some(UNAUTHORIZED), push: UNAUTHORIZED },
];

#[test]
fn what_the_server_refuses_is_an_error_with_a_hint_and_changes_nothing() {
    deep(|| {
        for has_graph in [false, true] {
            let ready = Scene::with_work(small().with_graph(has_graph));
            for Case { change, pull, push } in CASES {
                let scene = ready.copied();
                change(&mut scene.server.borrow_mut());
                let refs = scene.server.borrow().refs.clone();
                let journal = scene.storage.log(Log::Journal);
                let sandbox = &mut scene.open();
                for caller in [Caller::Agent, Caller::User] {
                    for (tool, named) in [("git_pull", "source"), ("git_branches", "target")] {
                        let error = scene.call(sandbox, caller, tool, json!({ named: there() })).err();
                        assert_eq!(error.as_ref().map(said).as_deref(), pull, "{tool}");
                    }
                }
                let error = scene.call(sandbox, Caller::User, "git_push", push_to("main")).unwrap_err();
                assert_eq!(said(&error), push);
                assert_eq!((&scene.server.borrow().refs, scene.server.borrow().moves), (&refs, 0));
                assert_eq!(scene.storage.log(Log::Journal), journal);
                assert!(scene.pushes().iter().all(|(_, result)| result.is_some()), "nothing is left open");
            }
        }
    });
}

#[test]
fn a_repository_without_a_commit_is_pulled_as_nothing() {
    deep(|| {
        let scene = Scene::new(Server::empty(), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        let listed = scene.agent(sandbox, "git_branches", json!({ "target": there() }));
        assert_eq!(listed["branches"], json!([]));
        let pulled = scene.agent(sandbox, "git_pull", json!({ "source": there() }));
        assert_eq!(pulled["pulled"], json!([]));
        scene.agent(sandbox, "write_file", json!({ "path": "a.md", "content": "one\n" }));
        scene.agent(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "One" }));
        let error = scene.call(sandbox, Caller::User, "git_push", push_to("main")).unwrap_err();
        assert!(error.hint.contains("make a first commit on GitHub"), "{error:?}");
        assert_eq!(scene.staged(sandbox), ["One"]);
    });
}
