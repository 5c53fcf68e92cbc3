//! Sandboxes over HTTP: an agent proposes, a reviewer decides, and nobody does what is not theirs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;

/// A server, which ends with this.
struct Served {
    child: Child,
    /// Held open: it may have something to say.
    _output: BufReader<ChildStdout>,
    address: String,
    operator: String,
}

impl Served {
    fn start(cli: &Cli) -> Served {
        let mut command = cli.command(&["serve", "--listen", "127.0.0.1:0", "--json"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let address = told["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        let operator = told["token"].as_str().unwrap().to_owned();
        Served { child, _output: output, address, operator }
    }

    /// Sends a request with these further lines in its head, and gives status and body.
    fn send(&self, head: &str, body: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (first, more) = head.split_once('\n').unwrap_or((head, ""));
        let mut text = format!("{first} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        more.lines().for_each(|line| text.push_str(&format!("{line}\r\n")));
        stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        // A server that has refused the head need not read the rest.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
        let json = if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() };
        let is_problem = head.to_ascii_lowercase().contains("content-type: application/problem+json");
        assert_eq!(is_problem, status >= 400, "{answer}");
        if is_problem {
            assert_eq!(json["status"], status, "{answer}");
            assert!(json["kind"].is_string() && json["detail"].is_string() && json["hint"].is_string(), "{answer}");
        }
        (status, json)
    }

    fn get(&self, token: &str, path: &str) -> (u16, Value) {
        self.send(&format!("GET {path}\nAuthorization: Bearer {token}"), b"")
    }

    fn post(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        let head = format!("POST {path}\nAuthorization: Bearer {token}\nContent-Type: application/json");
        self.send(&head, body.to_string().as_bytes())
    }

    /// Makes a token of the sandbox.
    fn token(&self, by: &str, role: &str) -> String {
        let wanted = json!({ "role": role, "note": "Ada" });
        let (status, made) = self.post(by, "/sandboxes/default/tokens", &wanted);
        assert_eq!(status, 201, "{made}");
        made["token"].as_str().unwrap().to_owned()
    }

    fn call(&self, token: &str, tool: &str, arguments: &Value) -> (u16, Value) {
        self.post(token, &format!("/sandboxes/default/tools/{tool}"), arguments)
    }

    /// Has the agent stage a file, and gives the beginning of the commit's id.
    fn stage(&self, agent: &str, path: &str) -> String {
        let (status, written) = self.call(agent, "write_file", &json!({ "path": path, "content": "one\n" }));
        assert_eq!(status, 200, "{written}");
        let (status, staged) = self.call(agent, "git_stage", &json!({ "files": [path], "message": "Add a file" }));
        assert_eq!(status, 200, "{staged}");
        staged["structured"]["commitId"].as_str().unwrap().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server of a sandbox with the content of a repository, whose agent may propose pushes, and a token of
/// each role: owner, reviewer, agent.
fn scene() -> (Cli, Repo, Served, [String; 3]) {
    let cli = Cli::default();
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let repo = cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    let served = Served::start(&cli);
    let owner = served.token(&served.operator, "owner");
    let (reviewer, agent) = (served.token(&owner, "reviewer"), served.token(&owner, "agent"));
    (cli, repo, served, [owner, reviewer, agent])
}

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
    cli.run(&["-s", "other", "new"]).ok();
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
