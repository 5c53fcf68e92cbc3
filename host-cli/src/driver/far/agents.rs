//! No server hears of a call that it must not hear of.

use gate::policy::{Base, Caller, Policy, PolicyFile};
use serde_json::{Value, json};

use super::person::Person;
use super::scene::{Outcome, Scene, begun, called, deep, outcome, push_to, small, there};
use crate::sandbox::Sandbox;
use crate::support::github::Server;

/// Every way of an agent to name a repository.
fn naming(place: &Value) -> Vec<(&'static str, Value)> {
    vec![
        ("git_pull", json!({ "source": place })),
        ("git_pull", json!({ "source": place, "paths": ["README.md"] })),
        ("git_branches", json!({ "target": place })),
        ("git_push", json!({ "commitId": "HEAD", "target": place })),
    ]
}

fn policy(text: &str) -> Policy {
    let tools = ["git_pull", "git_push", "git_branches", "read_file", "git_show"];
    Policy::new(Base::Gate, [PolicyFile::parse(text, "policy.toml", &tools).unwrap()], false)
}

fn ask(scene: &Scene, sandbox: &mut Sandbox, caller: Caller, call: (&str, Value), text: &str) -> (Outcome, Person) {
    let mut person = Person::default();
    let call = called(caller, call.0, &call.1);
    let over = scene.play(sandbox, call, policy(text), &mut person, usize::MAX).over();
    (outcome(over.unwrap()), person)
}

#[test]
fn attack_22_no_request_is_sent_about_a_repository_that_is_not_the_agents_own() {
    deep(|| {
        // One sandbox has another repository, and one has none at all.
        for targets in [&["github:octo/hello"][..], &[]] {
            let scene = Scene::new(small(), targets);
            let sandbox = &mut scene.open();
            for repo in ["octo/other", "other/hello", "octo/hello/../other", "octo%2Fother/x", "-x/y"] {
                for (tool, arguments) in naming(&json!({ "type": "github", "repo": repo })) {
                    let error = scene.call(sandbox, Caller::Agent, tool, arguments).unwrap_err();
                    assert!(!error.hint.is_empty() || !error.message.is_empty(), "{error:?}");
                }
            }
            assert_eq!(scene.sent(), 0);
        }
        let scene = Scene::new(small(), &[]);
        for (tool, arguments) in naming(&there()) {
            scene.call(&mut scene.open(), Caller::Agent, tool, arguments).unwrap_err();
        }
        assert_eq!(scene.sent(), 0);
    });
}

#[test]
fn attack_22_an_agent_cannot_tell_a_repository_that_is_there_from_one_that_is_not() {
    deep(|| {
        let scene = Scene::new(small(), &["github:octo/elsewhere"]);
        let sandbox = &mut scene.open();
        let mut said = |repo: &str| {
            let place = json!({ "type": "github", "repo": repo });
            let error = scene.call(sandbox, Caller::Agent, "git_branches", json!({ "target": place })).unwrap_err();
            (error.kind, error.message.replace(repo, "IT"), error.hint)
        };
        assert_eq!(said("octo/hello"), said("octo/absent"));
        assert_eq!(scene.sent(), 0);
    });
}

#[test]
fn attack_22_an_agents_push_is_refused_before_the_server_is_asked() {
    deep(|| {
        let scene = Scene::with_work(small());
        let sent = scene.sent();
        let error = scene.call(&mut scene.open(), Caller::Agent, "git_push", push_to("main")).unwrap_err();
        assert_eq!(error.message, "Only the user can call git_push");
        assert_eq!(scene.sent(), sent);
    });
}

#[test]
fn what_a_person_pulls_first_is_the_sandboxs_own_from_then_on() {
    deep(|| {
        let scene = Scene::new(small(), &[]);
        let sandbox = &mut scene.open();
        scene.user(sandbox, "git_pull", json!({ "source": { "type": "github", "repo": "Octo/Hello" } }));
        assert_eq!(sandbox.file.targets, ["github:octo/hello"]);
        scene.agent(&mut scene.open(), "git_pull", json!({}));
    });
}

#[test]
fn a_name_in_another_case_is_the_same_repository() {
    deep(|| {
        let scene = Scene::new(small(), &["github:octo/hello"]);
        let place = json!({ "type": "github", "repo": "OCTO/Hello" });
        let listed = scene.agent(&mut scene.open(), "git_branches", json!({ "target": place }));
        assert_eq!(listed["target"], "github:octo/hello");
    });
}

#[test]
fn a_rule_that_denies_is_applied_before_the_server_is_asked() {
    deep(|| {
        let scene = Scene::with_work(small());
        let (sandbox, sent) = (&mut scene.open(), scene.sent());
        for tool in ["tool = \"git_*\"", ""] {
            let text = format!("[[deny]]\n{tool}\ntarget = \"github:octo/*\"\nreason = \"not there\"\n");
            for caller in [Caller::Agent, Caller::User] {
                for call in naming(&there()) {
                    let (outcome, person) = ask(&scene, sandbox, caller, call, &text);
                    let error = outcome.unwrap_err();
                    assert!(person.calls.is_empty() && person.pushes.is_empty());
                    assert!(
                        error.message.contains("not there") || error.message.contains("Only the user"),
                        "{error:?}"
                    );
                }
            }
        }
        assert_eq!(scene.sent(), sent);
    });
}

#[test]
fn a_rule_that_asks_is_applied_before_the_server_is_asked() {
    deep(|| {
        let scene = Scene::with_work(small());
        let (sandbox, sent) = (&mut scene.open(), scene.sent());
        let text = "[[ask]]\ntool = \"git_pull\"\ntarget = \"github:octo/*\"\n";
        let mut person = Person { refuses: true, ..Person::default() };
        let call = called(Caller::Agent, "git_pull", &json!({ "source": there() }));
        let over = scene.play(sandbox, call.clone(), policy(text), &mut person, usize::MAX).over();
        outcome(over.unwrap()).unwrap_err();
        assert_eq!((person.calls.len(), scene.sent()), (1, sent));
        let mut person = Person::default();
        let over = scene.play(sandbox, call, policy(text), &mut person, usize::MAX).over();
        outcome(over.unwrap()).unwrap();
        assert_eq!(person.calls.len(), 1);
        assert!(scene.sent() > sent);
    });
}

#[test]
fn a_file_that_a_sparse_sandbox_lacks_is_fetched_only_as_the_rules_allow() {
    deep(|| {
        let repo = begun();
        repo.write("src/a.rs", "a\n").write("src/b.rs", "b\n").commit("Files");
        let scene = Scene::new(Server::of(&repo), &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        scene.agent(sandbox, "git_pull", json!({ "source": there(), "paths": ["src/a.rs"] }));
        let sent = scene.sent();
        let show = || ("git_show", json!({ "commit": "HEAD:src/b.rs" }));
        let text = "[[deny]]\ntarget = \"github:octo/*\"\nreason = \"not there\"\n";
        let error = ask(&scene, sandbox, Caller::Agent, show(), text).0.unwrap_err();
        assert!(error.message.contains("not there"), "{error:?}");
        assert_eq!(scene.sent(), sent);
        let text = "[[ask]]\ntarget = \"github:octo/*\"\n";
        let (shown, person) = ask(&scene, sandbox, Caller::Agent, show(), text);
        assert_eq!(person.calls.len(), 1);
        assert_eq!(scene.sent(), sent + 1);
        shown.unwrap();
        // What is there needs no server, and nobody is asked about it.
        let (_, person) = ask(&scene, sandbox, Caller::Agent, show(), text);
        assert_eq!((person.calls.len(), scene.sent()), (0, sent + 1));
    });
}
