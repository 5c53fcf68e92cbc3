//! What an agent might try with git's protocol.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;

use serde_json::json;
use tests::repo::Repo;

use super::git_clients::{clone, push, url, waiting};
use super::scene::{Served, scene};

const ZERO: &str = "0000000000000000000000000000000000000000";

/// Sends a request as a client of git does, with these further header lines. Returns status and answer.
fn ask(served: &Served, head: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(&served.address).unwrap();
    let (first, more) = head.split_once('\n').unwrap_or((head, ""));
    let host = if more.contains("Host: ") { String::new() } else { format!("Host: {}\r\n", served.address) };
    let mut text = format!("{first} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {}\r\n", body.len());
    more.lines().for_each(|line| text.push_str(&format!("{line}\r\n")));
    stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
    // A server that has refused the head need not read the rest.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn packet(line: &str) -> String {
    format!("{:04x}{line}", line.len() + 4)
}

/// Moves a branch from `old` to `id`, with this pack.
fn send(served: &Served, token: &str, branch: &str, [old, id]: [&str; 2], pack: &[u8]) -> (u16, String) {
    let command = packet(&format!("{old} {id} refs/heads/{branch}\0report-status side-band-64k"));
    let body = [command.as_bytes(), b"0000", pack].concat();
    let kind = "Content-Type: application/x-git-receive-pack-request";
    ask(served, &format!("POST /git/default/git-receive-pack\nAuthorization: Bearer {token}\n{kind}"), &body)
}

/// A pack of what these revisions name, as `git rev-list` reads them.
fn pack(clone: &Repo, options: &[&str], revisions: &str) -> Vec<u8> {
    let said = clone
        .try_git(&[&["pack-objects", "--quiet", "--stdout"], options].concat(), format!("{revisions}\n").as_bytes());
    assert!(said.success, "{}", said.stderr);
    said.stdout
}

/// A commit beside the others, with a file of its own.
fn commit_beside(clone: &Repo, name: &str) -> String {
    clone.git(&["checkout", "--quiet", "--detach", "origin/main"]);
    clone.write(name, &format!("{name}\n"));
    clone.commit(&format!("Add {name}"))
}

#[test]
fn attack_12_a_pack_that_lies_is_refused_and_changes_nothing() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    let main = clone.id("origin/main");
    // A file that git sends as a delta of what the server has.
    let lines: String = (0..2000).map(|n| format!("line {n} {}\n", n * 7919 % 10_007)).collect();
    clone.write("src/numbers.rs", &clone.read("src/numbers.rs").replace("N7", "SEVEN"));
    clone.write("new.txt", &lines);
    let id = clone.commit("Change");
    let range = format!("{id}\n^origin/main");
    let whole = pack(&clone, &["--revs"], &range);
    let [tree, blob] = ["HEAD^{tree}", "HEAD:new.txt"].map(|name| clone.id(name));
    let stray = clone.try_git(&["hash-object", "-w", "--stdin"], b"not part of it\n").stdout;
    let stray = String::from_utf8(stray).unwrap();
    let mut turned = whole.clone();
    let middle = turned.len() / 2;
    turned[middle] ^= 1;
    let objects = clone.git(&["rev-list", "--objects", "--no-object-names", &id, "^origin/main"]);
    let without = |left: &str| objects.lines().filter(|line| *line != left).collect::<Vec<_>>().join("\n");
    let before = [repo.git(&["for-each-ref"]), clone.git(&["ls-remote", "origin"])];
    for (name, pack, words) in [
        ("cut", whole[..whole.len() - 30].to_vec(), "unpack "),
        ("turned", turned, "unpack "),
        ("longer", [&whole[..], b"more"].concat(), "unpack "),
        ("none", Vec::new(), "ng refs/heads/main"),
        ("thin", pack(&clone, &["--revs", "--thin", "--delta-base-offset"], &range), "unpack "),
        ("without a file", pack(&clone, &[], &without(&blob)), "ng refs/heads/main"),
        ("without a tree", pack(&clone, &[], &without(&tree)), "ng refs/heads/main"),
        ("without its commit", pack(&clone, &[], &without(&id)), "ng refs/heads/main"),
        (
            "with what is not part of it",
            pack(&clone, &[], &format!("{objects}\n{}", stray.trim_end())),
            "ng refs/heads/main",
        ),
    ] {
        let (status, said) = send(&served, &agent, "main", [&main, &id], &pack);
        assert_eq!(status, 200, "{name}: {said}");
        assert!(said.contains(words) && said.contains("ng refs/heads/main"), "{name}: {said}");
        assert_eq!([repo.git(&["for-each-ref"]), clone.git(&["ls-remote", "origin"])], before, "{name}");
    }
    let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
    assert_eq!(listed["waiting"], json!([]));
    let (status, said) = send(&served, &agent, "main", [&main, &id], &whole);
    assert!(status == 200 && said.contains("waiting for review"), "the pack itself is taken: {said}");
}

#[test]
fn attack_21_of_64_pushes_at_once_none_is_lost_and_none_is_taken_in_part() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let before = repo.git(&["for-each-ref"]);
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    let pushes: Vec<(String, String, Vec<u8>)> = (0..64)
        .map(|n| {
            let id = commit_beside(&clone, &format!("file{n}"));
            let pack = pack(&clone, &["--revs"], &format!("{id}\n^origin/main"));
            (format!("branch{n}"), id, pack)
        })
        .collect();
    let (all, served, agent) = (&Barrier::new(pushes.len()), &served, &agent);
    std::thread::scope(|scope| {
        for (branch, id, pack) in &pushes {
            scope.spawn(move || {
                all.wait();
                loop {
                    let (status, said) = send(served, agent, branch, [ZERO, id], pack);
                    if status == 200 {
                        return assert!(said.contains("waiting for review"), "{branch}: {said}");
                    }
                    assert_eq!(status, 429, "{branch}: {said}");
                }
            });
        }
    });
    let there = clone.git(&["ls-remote", "origin"]);
    for (branch, id, _) in &pushes {
        assert!(there.contains(&format!("{id}\trefs/heads/{branch}\n")), "{branch}");
    }
    let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
    assert_eq!(listed["waiting"].as_array().unwrap().len(), 64);
    assert_eq!(repo.git(&["for-each-ref"]), before);
    clone.git(&["fetch", "--quiet"]);
    clone.is_sound();
}

#[test]
fn a_push_during_a_landing_is_before_or_after_and_what_lands_is_what_was_approved() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    for round in 0..4 {
        clone.write("notes.md", &format!("{round}\n"));
        let approved = clone.commit("Write notes");
        assert!(push(&clone, &[]).success);
        let (place, digest) = waiting(&served, &reviewer);
        clone.write("notes.md", &format!("{round}, amended\n"));
        clone.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
        let amended = clone.id("HEAD");
        let before = repo.id("main");
        let both = Barrier::new(2);
        let (status, said) = std::thread::scope(|scope| {
            let decided = scope.spawn(|| {
                both.wait();
                served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0
            });
            both.wait();
            let said = push(&clone, &[]);
            (decided.join().unwrap(), said)
        });
        if status == 200 {
            assert_eq!(repo.id("main"), approved, "{}", said.stderr);
            clone.git(&["fetch", "--quiet"]);
            clone.git(&["reset", "--quiet", "--hard", "origin/main"]);
        } else {
            // It was amended first, so nobody has seen what would land.
            assert!(said.success && repo.id("main") == before, "{status}: {}", said.stderr);
            let (place, digest) = waiting(&served, &reviewer);
            assert_eq!(served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0, 200);
            assert_eq!(repo.id("main"), amended);
            clone.git(&["fetch", "--quiet"]);
        }
        // Whatever waits of the push that came too late is of no branch that the next round is about.
        let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
        for late in listed["waiting"].as_array().unwrap() {
            let place = format!("/sandboxes/default/waiting/{}/decision", late["id"].as_str().unwrap());
            served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "It came too late" }));
        }
        assert!(!push(&clone, &[]).stderr.contains("waiting"), "nothing is left to propose");
    }
    repo.is_sound();
}

#[test]
fn attack_13_a_token_that_was_withdrawn_pushes_nothing_and_hears_nothing_more() {
    let (cli, _repo, served, [owner, _, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    let main = clone.id("origin/main");
    let id = commit_beside(&clone, "notes.md");
    let pack = pack(&clone, &["--revs"], &format!("{id}\n^origin/main"));
    let (_, listed) = served.get(&owner, "/sandboxes/default/tokens");
    let tokens = listed["tokens"].as_array().unwrap();
    let named = tokens.iter().find(|token| token["role"] == "agent").unwrap()["id"].as_str().unwrap();
    assert_eq!(
        served.send(&format!("DELETE /sandboxes/default/tokens/{named}\nAuthorization: Bearer {owner}"), b"").0,
        204
    );
    let (status, said) = send(&served, &agent, "main", [&main, &id], &pack);
    assert!(status == 401 && said.contains("withdrawn"), "{status}: {said}");
    let (status, _) = ask(
        &served,
        &format!("GET /git/default/info/refs?service=git-upload-pack\nAuthorization: Bearer {agent}"),
        b"",
    );
    assert_eq!(status, 401);
    let (_, staged) = served.call(&owner, "git_status", &json!({}));
    assert_eq!(staged["structured"]["staged"], json!([]));
}

#[test]
fn attack_an_object_that_no_branch_reaches_is_not_given_by_its_id() {
    let (cli, _repo, served, [owner, _, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    // What was undone is in the journal still, and another sandbox has commits of its own.
    let id = served.stage(&owner, "secret.md");
    clone.git(&["fetch", "--quiet"]);
    let hidden = clone.id("origin/main");
    assert!(hidden.starts_with(&id));
    assert_eq!(served.call(&owner, "sandbox_undo", &json!({})).0, 200);
    let elsewhere = commit_beside(&clone, "elsewhere.md");
    for wanted in [&hidden, &elsewhere, &"1".repeat(40)] {
        let two =
            format!("{}0001{}{}0000", packet("command=fetch\n"), packet(&format!("want {wanted}\n")), packet("done\n"));
        let zero = format!("{}0000{}", packet(&format!("want {wanted} side-band-64k\n")), packet("done\n"));
        for (body, version) in [(two, "Git-Protocol: version=2\n"), (zero, "")] {
            let head = format!(
                "POST /git/default/git-upload-pack\nAuthorization: Bearer {agent}\n{version}Content-Type: \
                 application/x-git-upload-pack-request"
            );
            let (status, said) = ask(&served, &head, body.as_bytes());
            assert!(status == 200 && said.contains("ERR ") && !said.contains("PACK"), "{wanted}: {status} {said}");
        }
    }
}

#[test]
fn attack_a_page_or_another_name_reaches_no_repository() {
    let (_cli, _repo, served, [_, _, agent]) = scene();
    let refs = "GET /git/default/info/refs?service=git-upload-pack";
    let token = format!("Authorization: Bearer {agent}");
    assert_eq!(ask(&served, &format!("{refs}\n{token}"), b"").0, 200);
    assert_eq!(ask(&served, &format!("{refs}\n{token}\nOrigin: https://evil.example"), b"").0, 403);
    assert_eq!(ask(&served, &format!("{refs}\n{token}\nHost: evil.example"), b"").0, 403);
    for (head, status) in [
        (format!("{refs}\nAuthorization: Basic eDo="), 401),
        (refs.to_owned(), 401),
        (format!("GET /git/default/info/refs\n{token}"), 400),
        (format!("GET /git/default/HEAD\n{token}"), 404),
        (format!("GET /git/..%2fdefault/info/refs?service=git-upload-pack\n{token}"), 400),
        (format!("POST /git/default/git-upload-pack\n{token}\nContent-Type: application/json"), 415),
    ] {
        assert_eq!(ask(&served, &head, b"").0, status, "{head}");
    }
}

#[test]
fn a_secret_that_a_later_commit_takes_away_again_is_shown() {
    let (cli, _repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("keys.env", "AWS_ACCESS_KEY_ID=AKIAQYLPMN5HFIQR7XYA\n");
    clone.commit("Add a file");
    clone.git(&["rm", "--quiet", "keys.env"]);
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    assert!(push(&clone, &[]).success);
    let (place, _) = waiting(&served, &reviewer);
    let (_, question) = served.get(&reviewer, &place.replace("/decision", ""));
    let warnings = question["push"]["push"]["review"]["risks"].to_string() + &question.to_string();
    assert!(warnings.contains("keys.env") && warnings.contains("secret"), "{question}");
}
