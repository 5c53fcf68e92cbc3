//! Comments over HTTP: of a reviewer, for the agent, and for the next reviewer.

use serde_json::json;

use super::scene::scene;

#[test]
fn two_reviewers_comment_the_agent_answers_and_mends_and_what_lands_settles_it() {
    let (_cli, repo, served, [owner, reviewer, agent]) = scene();
    let commit = served.stage(&agent, "a.md");
    let push = json!({ "commitId": commit });
    assert_eq!(served.call(&agent, "git_push", &push).0, 202);
    let waiting = |token: &str| {
        let (status, listed) = served.get(token, "/sandboxes/default/waiting");
        assert_eq!(status, 200, "{listed}");
        format!("/sandboxes/default/waiting/{}", listed["waiting"][0]["id"].as_str().unwrap())
    };
    let place = waiting(&reviewer);
    let (_, question) = served.get(&reviewer, &place);
    let head = question["push"]["push"]["review"]["new"].as_str().unwrap().to_owned();

    // Two people at one review see each other's comments, and the agent sees none of them yet.
    let line = json!({ "on": "lines", "path": "a.md", "side": "new", "first": 1, "last": 1, "lines": ["one"] });
    let comment = json!({ "commit": head, "place": line, "text": "Say more" });
    let (status, made) = served.post(&reviewer, &format!("{place}/comments"), &comment);
    assert_eq!((status, &made["weight"], &made["sent"]), (201, &json!("must"), &json!(false)), "{made}");
    let second = json!({ "commit": head, "place": { "on": "push" }, "weight": "note", "text": "Nice" });
    assert_eq!(served.post(&owner, &format!("{place}/comments"), &second).0, 201);
    let (_, listed) = served.get(&owner, &format!("{place}/comments"));
    let texts: Vec<_> = listed["comments"].as_array().unwrap().iter().map(|comment| &comment["text"]).collect();
    assert_eq!(texts, ["Say more", "Nice"]);
    assert_eq!(served.call(&agent, "git_review", &json!({})).1["structured"]["comments"], json!([]));
    // An agent comments on nothing, and decides nothing.
    for (path, body) in [
        (format!("{place}/comments"), comment.clone()),
        (format!("{place}/comments/{}", made["id"].as_str().unwrap()), json!({ "change": "settle" })),
        (format!("{place}/decision"), json!({ "say": "askChanges" })),
    ] {
        assert_eq!(served.post(&agent, &path, &body).0, 403, "{path}");
    }
    for (status, wrong) in [
        (400, json!({ "commit": "x", "place": { "on": "push" }, "text": "y" })),
        (422, json!({ "commit": "x".repeat(40), "place": { "on": "push" }, "text": "y" })),
        (422, json!({ "commit": head, "place": { "on": "push" }, "text": "   " })),
        (400, json!({ "commit": head, "place": { "on": "lines", "path": "a.md" }, "text": "y" })),
        (400, json!({ "commit": head, "place": { "on": "push" }, "text": "y", "by": "somebody else" })),
    ] {
        assert_eq!(served.post(&reviewer, &format!("{place}/comments"), &wrong).0, status, "{wrong}");
    }

    // What a reviewer has seen is kept, and known again in the next push.
    let unit = &question["push"]["listed"][0]["units"][0];
    assert_eq!((&question["push"]["listed"][0]["path"], &unit["state"]), (&json!("a.md"), &json!("new")));
    let patch = question["push"]["patches"][0]["head"].as_str().unwrap();
    let hunk = &patch[patch.find("@@ ").unwrap()..];
    let look = json!({ "path": "a.md", "key": unit["key"], "text": hunk, "seen": true });
    let seen = format!("{place}/seen");
    assert_eq!(served.post(&agent, &seen, &json!({ "looks": [look] })).0, 403);
    assert_eq!(served.post(&reviewer, &seen, &json!({ "looks": [{ "path": "a.md" }] })).0, 400);
    assert_eq!(served.post(&reviewer, &seen, &json!({ "looks": [look] })).0, 204);
    let (_, again) = served.get(&owner, &place);
    assert_eq!(again["push"]["listed"][0]["units"][0]["state"], "same");
    assert_eq!(again["push"]["comments"][0]["spot"], json!({ "file": 0, "side": "new", "first": 1, "last": 1 }));

    let (status, asked) =
        served.post(&reviewer, &format!("{place}/decision"), &json!({ "say": "askChanges", "reason": "Nearly" }));
    assert_eq!((status, &asked["structured"]["status"]), (200, &json!("changes-requested")), "{asked}");
    let (status, told) = served.call(&agent, "git_push", &push);
    let changes = &told["structured"]["changes"];
    assert_eq!((status, &changes["reason"]), (200, &json!("Nearly")), "{told}");
    assert_eq!(changes["comments"].as_array().unwrap().len(), 2);
    assert_eq!(changes["comments"][0]["lines"], json!(["one"]));
    let id = changes["comments"][0]["id"].as_str().unwrap();
    let answers = json!({ "answers": [{ "id": id, "text": "Done" }] });
    assert_eq!(served.call(&agent, "git_review", &answers).0, 200);
    // A reviewer's token is no agent's: it answers in nobody's name.
    assert_eq!(served.call(&reviewer, "git_review", &answers).0, 403);

    let edit = json!({ "path": "a.md", "content": "one and more\n" });
    assert_eq!(served.call(&agent, "write_file", &edit).0, 200);
    assert_eq!(served.call(&agent, "git_stage", &json!({ "files": ["a.md"], "message": "More" })).0, 200);
    assert_eq!(served.call(&agent, "git_push", &json!({ "commitId": "HEAD" })).0, 202);
    let place = waiting(&reviewer);
    let (_, listed) = served.get(&reviewer, &format!("{place}/comments"));
    assert_eq!(listed["comments"][0]["replies"][0]["text"], "Done", "the next push to the branch has them, too");
    let change = format!("{place}/comments/{id}");
    assert_eq!(served.post(&reviewer, &change, &json!({ "change": "withdraw" })).0, 422, "the agent has read it");
    let (status, settled) = served.post(&reviewer, &change, &json!({ "change": "settle" }));
    assert!(status == 200 && settled["settled"]["by"].as_str().unwrap().contains("reviewer"), "{settled}");
    let (_, question) = served.get(&reviewer, &place);
    assert_eq!(question["push"]["listed"][0]["units"][0]["state"], "changed");
    assert_eq!(question["push"]["listed"][0]["units"][0]["since"], "-one\n+one and more\n");
    let digest = &question["push"]["push"]["digest"];
    let (status, landed) =
        served.post(&reviewer, &format!("{place}/decision"), &json!({ "say": "approve", "digest": digest }));
    assert_eq!((status, &landed["structured"]["status"]), (200, &json!("success")), "{landed}");
    assert_eq!(served.call(&agent, "git_review", &json!({})).1["structured"]["comments"], json!([]));
    assert_eq!(repo.git(&["show", "main:a.md"]), "one and more");
    repo.is_sound();
}
