//! Sandboxes over HTTP: an agent proposes, a reviewer decides, and nobody exceeds their role.
//!
//! | file | what it tests |
//! |---|---|
//! | `commented` | comments on pushes, and what the agent answers |
//! | `git_attacks` | what an agent might try with git's protocol |
//! | `git_clients` | git itself as the client |
//! | `git_waiting` | a push that waits for its review |
//! | `scene` | a server of one sandbox, and requests to it |
//! | `shares` | the limits of one token or one role |
//! | `walled` | an agent in a container without a network |
//! | `site` | the names that it answers to, and the pages that may call it |

mod commented;
mod git_attacks;
mod git_clients;
#[cfg(unix)]
mod git_waiting;
mod scene;
mod shares;
mod site;
#[cfg(target_os = "linux")]
mod walled;

use serde_json::{Value, json};
use tests::cli::Cli;

use self::scene::{Served, scene};

#[test]
fn what_an_agent_proposes_lands_once_a_reviewer_has_approved_it_by_its_digest() {
    let (_cli, repo, served, [owner, reviewer, agent]) = scene();
    let before = repo.git(&["rev-parse", "main"]);
    let id = served.stage(&agent, "a.md");
    let push = json!({ "commitId": "HEAD" });
    let (status, pending) = served.call(&agent, "git_push", &push);
    assert_eq!((status, &pending["waits"], &pending["push"]["digest"]), (202, &json!(true), &Value::Null), "{pending}");
    let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
    let call = listed["waiting"][0]["id"].as_str().unwrap();
    let place = format!("/sandboxes/default/waiting/{call}");
    let (status, question) = served.get(&reviewer, &place);
    assert_eq!((status, &question["about"]), (200, &json!("push")), "{question}");
    let digest = question["push"]["push"]["digest"].as_str().unwrap();
    let decide = |body: Value| served.post(&reviewer, &format!("{place}/decision"), &body);
    let other = digest.chars().rev().collect::<String>();
    assert!(decide(json!({ "say": "approve", "digest": other })).0 != 200);
    assert_eq!(decide(json!({ "say": "approve" })).0, 422, "an approval names what it approves");
    assert_eq!(repo.git(&["rev-parse", "main"]), before);
    let (status, landed) = decide(json!({ "say": "approve", "digest": digest }));
    assert_eq!((status, &landed["structured"]["status"]), (200, &json!("success")), "{landed}");
    assert!(repo.git(&["rev-parse", "main"]).starts_with(&id));
    assert_eq!(decide(json!({ "say": "approve", "digest": digest })).0, 404, "it waits no more");
    let (status, again) = served.call(&agent, "git_push", &push);
    assert_eq!((status, &again), (200, &landed), "the agent reads what has landed");
    let (status, again) = served.call(&agent, "git_push", &push);
    assert_eq!((status, &again["text"]), (200, &json!("Everything up-to-date\n")), "{again}");
    let (_, decisions) = served.get(&owner, "/sandboxes/default/decisions");
    assert!(decisions.to_string().contains("Ada, reviewer token "), "the log says whose it was: {decisions}");
}

#[test]
fn an_agent_reads_why_its_push_was_rejected() {
    let (_cli, repo, served, [_, reviewer, agent]) = scene();
    let before = repo.git(&["rev-parse", "main"]);
    served.stage(&agent, "a.md");
    let push = json!({ "commitId": "HEAD" });
    served.call(&agent, "git_push", &push);
    let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
    let place = format!("/sandboxes/default/waiting/{}/decision", listed["waiting"][0]["id"].as_str().unwrap());
    let (status, said) = served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say why" }));
    assert_eq!(status, 422, "{said}");
    let (status, refused) = served.call(&agent, "git_push", &push);
    assert_eq!(
        (status, &refused["kind"], &refused["reason"]),
        (422, &json!("rejected"), &json!("Say why")),
        "{refused}"
    );
    assert_eq!(repo.git(&["rev-parse", "main"]), before);
}

#[test]
fn a_person_pushes_what_they_were_shown_and_nothing_else() {
    let (_cli, repo, served, [_, reviewer, agent]) = scene();
    let first = served.stage(&agent, "a.md");
    let push = |body: Value| served.post(&reviewer, "/sandboxes/default/pushes", &body);
    let (status, shown) = push(json!({}));
    assert_eq!(status, 202, "{shown}");
    let digest = shown["push"]["digest"].as_str().unwrap().to_owned();
    let second = served.stage(&agent, "b.md");
    let (status, other) = push(json!({ "digest": digest }));
    assert_ne!(status, 200, "what would leave is another push now: {other}");
    let (status, landed) = push(json!({ "commitId": first, "digest": digest }));
    assert_eq!(status, 200, "{landed}");
    assert!(repo.git(&["rev-parse", "main"]).starts_with(&first));
    assert_ne!(first, second);
}

#[test]
fn attack_13_and_22_a_token_is_worth_its_role_in_its_sandbox_and_nothing_else() {
    let (cli, _repo, served, [owner, reviewer, agent]) = scene();
    cli.run(&["-s", "other", "new", "--empty"]).ok();
    for (token, method, path, expected) in [
        (&agent, "GET", "/sandboxes/default/waiting", 403),
        (&agent, "GET", "/sandboxes/default/decisions", 403),
        (&agent, "POST", "/sandboxes/default/pushes", 403),
        (&agent, "GET", "/sandboxes/default/tokens", 403),
        (&agent, "GET", "/sandboxes/default/tools", 200),
        (&reviewer, "GET", "/sandboxes/default/tokens", 403),
        (&reviewer, "POST", "/sandboxes/default/tools/write_file", 403),
        (&reviewer, "GET", "/sandboxes", 401),
        (&owner, "GET", "/sandboxes", 401),
        (&owner, "GET", "/sandboxes/other/tools", 401),
        (&owner, "GET", "/sandboxes/none/tools", 401),
        (&served.operator, "GET", "/sandboxes/default/tools", 403),
        (&served.operator, "GET", "/sandboxes", 200),
    ] {
        let (status, said) = match method {
            "GET" => served.get(token, path),
            _ => served.post(token, path, &json!({})),
        };
        assert_eq!(status, expected, "{method} {path}: {said}");
    }
    let (_, listed) = served.get(&owner, "/sandboxes/default/tokens");
    for secret in [&owner, &reviewer, &agent] {
        assert!(!listed.to_string().contains(secret.rsplit('_').next().unwrap()));
    }
    let ids = listed["tokens"].as_array().unwrap();
    let agents = ids.iter().find(|token| token["role"] == "agent").unwrap()["id"].as_str().unwrap();
    let head = format!("DELETE /sandboxes/default/tokens/{agents}\nAuthorization: Bearer {owner}");
    assert_eq!(served.send(&head, b"").0, 204);
    assert_eq!(served.get(&agent, "/sandboxes/default/tools").0, 401, "it was withdrawn");
}

#[test]
fn attack_05_a_client_reaches_no_repository_of_this_machine_but_the_sandboxs_own() {
    let (cli, _repo, served, [owner, _, agent]) = scene();
    let other = cli.repository("other");
    let mut said = Vec::new();
    for place in [other.path().to_owned(), format!("{}/none", cli.work().display())] {
        let source = json!({ "type": "local", "path": place });
        for token in [&owner, &agent] {
            let (status, refused) = served.call(token, "git_pull", &json!({ "source": source }));
            assert!(status >= 400, "{refused}");
            said.push(refused.to_string().replace(&place, "PLACE"));
        }
        let (status, refused) = served.call(&owner, "git_push", &json!({ "commitId": "HEAD", "target": source }));
        assert!(status >= 400, "{refused}");
    }
    assert_eq!(said[..2], said[2..], "what is there is told from what is not");
}

#[test]
fn bad_input_is_a_problem_with_a_hint_and_changes_nothing() {
    let (_cli, _repo, served, [owner, _, agent]) = scene();
    let path = "/sandboxes/default/tools/write_file";
    let json = "Content-Type: application/json";
    let with = |token: &str, more: &str, body: &[u8]| {
        served.send(&format!("POST {path}\nAuthorization: Bearer {token}\n{more}"), body)
    };
    assert_eq!(with(&agent, json, b"{").0, 400);
    assert_eq!(with(&agent, json, b"[]").0, 400);
    assert_eq!(with(&agent, json, "[".repeat(100_000).as_bytes()).0, 400);
    assert_eq!(with(&agent, "Content-Type: text/plain", b"{}").0, 415);
    assert_eq!(with(&agent, &format!("{json}\nContent-Encoding: gzip"), b"{}").0, 415);
    assert_eq!(with(&agent, json, &vec![b' '; (16 << 20) + 1]).0, 413);
    assert_eq!(with(&agent, json, b"{\"path\": 1}").0, 422, "the tool's own error");
    assert_eq!(with("gitgate_x", json, b"{").0, 401, "who may not ask hears nothing of the body");
    let head = format!("PUT /sandboxes/default/tools\nAuthorization: Bearer {owner}");
    assert_eq!(served.send(&head, b"").0, 405);
    let (status, made) = served.post(&served.operator, "/sandboxes", &json!({ "name": "default" }));
    assert_eq!((status, &made["kind"]), (409, &json!("sandbox-exists")), "{made}");
    let (_, status) = served.call(&owner, "git_status", &json!({}));
    assert_eq!(status["structured"]["staged"], json!([]), "{status}");
}

#[test]
fn an_operator_makes_a_sandbox_and_removes_it_but_not_with_work_that_is_nowhere_else() {
    let cli = Cli::default();
    let served = Served::start(&cli);
    let (status, made) = served.post(&served.operator, "/sandboxes", &json!({ "name": "default" }));
    assert_eq!(status, 201, "{made}");
    let owner = made["owner"]["token"].as_str().unwrap().to_owned();
    served.stage(&owner, "a.md");
    let remove = |body: Value| served.post(&owner, "/sandboxes/default/removal", &body).0;
    assert_eq!(remove(json!({})), 409);
    assert_eq!(served.call(&owner, "git_status", &json!({})).0, 200);
    assert_eq!(remove(json!({ "force": true })), 204);
    assert_eq!(served.get(&owner, "/sandboxes/default/tools").0, 401);
    assert_eq!(served.get(&served.operator, "/sandboxes").1, json!({ "sandboxes": [] }));
}
