//! A push that waits for its review, with git's push option `wait`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr};

use serde_json::json;
use tests::repo::Repo;

use super::git_clients::{clone, push, url, waiting};
use super::scene::scene;

/// A push that waits, and what it says.
struct Waits {
    child: Child,
    words: BufReader<ChildStderr>,
    said: String,
}

impl Waits {
    /// Starts one, and reads until its client has heard that it waits.
    fn begin(clone: &Repo, option: &str) -> Waits {
        let mut command = clone.command(&["push", "-o", option]);
        // Whoever ends it ends git's helpers, too.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().unwrap();
        let words = BufReader::new(child.stderr.take().unwrap());
        let mut waits = Waits { child, words, said: String::new() };
        while !waits.said.contains("for the reviewer") {
            assert_ne!(waits.words.read_line(&mut waits.said).unwrap(), 0, "{}", waits.said);
        }
        assert!(waits.said.contains("waiting for review"), "{}", waits.said);
        waits
    }

    /// Reads to the end. Returns whether git was content, and what it said.
    fn end(mut self) -> (bool, String) {
        self.words.read_to_string(&mut self.said).unwrap();
        (self.child.wait().unwrap().success(), self.said)
    }

    fn kill(mut self) {
        let group = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL).unwrap();
        self.child.wait().unwrap();
        // The end of its output is the end of git's helpers, and with them of the connection.
        self.words.read_to_string(&mut self.said).unwrap();
    }
}

#[test]
fn a_push_that_waits_hears_why_it_is_rejected_and_amended_that_it_has_landed() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    let first = Waits::begin(&clone, "wait");
    let (place, _) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say what of" })).0, 422);
    let (is_content, said) = first.end();
    assert!(!is_content && said.contains("remote: rejected: Say what of"), "{said}");
    clone.write("notes.md", "of today\n");
    clone.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let second = Waits::begin(&clone, "wait");
    let (place, digest) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0, 200);
    let (is_content, said) = second.end();
    assert!(is_content && said.contains("main -> main"), "{said}");
    assert_eq!(repo.id("main"), clone.id("HEAD"), "what was approved has its id");
    clone.git(&["fetch", "--quiet"]);
    assert_eq!(clone.id("origin/main"), clone.id("HEAD"));
}

#[test]
fn a_push_that_waits_is_told_where_the_reviewer_wants_what() {
    let (cli, repo, served, [_, reviewer, agent]) = scene();
    let before = repo.id("main");
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("notes.md", "one\ntwo\n");
    clone.commit("Add notes");
    let first = Waits::begin(&clone, "wait");
    let (place, _) = waiting(&served, &reviewer);
    let comments = place.replace("/decision", "/comments");
    let comment = json!({
        "commit": clone.id("HEAD"), "text": "Two of what?",
        "place": { "on": "lines", "path": "notes.md", "side": "new", "first": 2, "last": 2, "lines": ["two"] },
    });
    let (status, made) = served.post(&reviewer, &comments, &comment);
    assert_eq!(status, 201, "{made}");
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "askChanges", "reason": "Nearly" })).0, 200);
    let (is_content, said) = first.end();
    assert!(!is_content && said.contains("changes requested: Nearly"), "{said}");
    assert!(said.contains("notes.md:2") && said.contains("Two of what?"), "{said}");
    assert_eq!(repo.id("main"), before);
}

#[test]
fn who_waits_a_while_only_or_goes_away_hears_the_decision_by_the_next_push() {
    let (cli, _repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    let (is_content, said) = Waits::begin(&clone, "wait=0").end();
    assert!(is_content && said.contains("nobody has decided yet"), "{said}");
    let gone = Waits::begin(&clone, "wait");
    let (place, _) = waiting(&served, &reviewer);
    gone.kill();
    assert_eq!(waiting(&served, &reviewer).0, place, "the same waits on");
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say what of" })).0, 422);
    let said = push(&clone, &[]);
    assert!(!said.success && said.stderr.contains("rejected: Say what of"), "{}", said.stderr);
    let said = push(&clone, &["-o", "ci.skip"]);
    assert!(!said.success && said.stderr.contains("no push option ci.skip"), "{}", said.stderr);
}

#[test]
fn what_was_decided_is_fetched_as_a_ref_named_after_the_commit() {
    let (cli, _repo, served, [_, reviewer, agent]) = scene();
    let url = url(&served, &agent);
    let clone = clone(&cli, "clone", &[], &url).unwrap();
    let refs = "refs/gate/verdicts/*:refs/gate/verdicts/*";
    let verdict = |id: &str| {
        let text = clone.git(&["cat-file", "blob", &format!("refs/gate/verdicts/{id}")]);
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    clone.write("notes.md", "one\ntwo\n");
    let first = clone.commit("Add notes");
    push(&clone, &[]);
    let (place, _) = waiting(&served, &reviewer);
    let comment = json!({
        "commit": first, "text": "Two of what?",
        "place": { "on": "lines", "path": "notes.md", "side": "new", "first": 2, "last": 2, "lines": ["two"] },
    });
    assert_eq!(served.post(&reviewer, &place.replace("/decision", "/comments"), &comment).0, 201);
    clone.git(&["fetch", "--quiet", "origin", refs]);
    assert_eq!(clone.git(&["for-each-ref", "refs/gate"]), "", "nothing is told before it is decided");
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "askChanges", "reason": "Nearly" })).0, 200);
    clone.git(&["-c", "protocol.version=0", "fetch", "--quiet", "origin", refs]);
    let told = verdict(&first);
    assert_eq!((&told["verdict"], &told["reason"]), (&json!("changes-requested"), &json!("Nearly")), "{told}");
    assert_eq!(told["comments"][0]["text"], "Two of what?");
    assert_eq!(
        (&told["comments"][0]["place"]["path"], &told["comments"][0]["place"]["first"]),
        (&json!("notes.md"), &json!(2))
    );
    push(&clone, &[]);
    clone.write("notes.md", "one\ntwo notes\n");
    clone.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let second = clone.id("HEAD");
    assert!(push(&clone, &[]).success);
    let (place, digest) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "approve", "digest": digest })).0, 200);
    // With a branch that has something new, and over again, in both versions.
    let later = served.stage(&agent, "later.md");
    for version in ["protocol.version=0", "protocol.version=2"] {
        clone.git(&["update-ref", "-d", &format!("refs/gate/verdicts/{second}")]);
        clone.git(&["-c", version, "fetch", "--quiet", "origin", refs, "refs/heads/*:refs/remotes/origin/*"]);
        assert_eq!(verdict(&second)["verdict"], "landed");
        assert!(clone.id("origin/main").starts_with(&later));
    }
    assert_eq!(verdict(&first)["verdict"], "changes-requested", "the first stays");
    clone.is_sound();
    let fresh = super::git_clients::clone(&cli, "fresh", &[], &url).unwrap();
    assert_eq!(fresh.git(&["for-each-ref", "refs/gate"]), "", "who does not ask for them gets none");
}

#[test]
fn whoever_waits_for_the_same_hears_the_same_and_nothing_is_proposed_again() {
    let (cli, _repo, served, [_, reviewer, agent]) = scene();
    let clone = clone(&cli, "clone", &[], &url(&served, &agent)).unwrap();
    clone.write("notes.md", "one\n");
    clone.commit("Add notes");
    let both = [Waits::begin(&clone, "wait"), Waits::begin(&clone, "wait")];
    let (place, _) = waiting(&served, &reviewer);
    assert_eq!(served.post(&reviewer, &place, &json!({ "say": "reject", "reason": "Say what of" })).0, 422);
    for waits in both {
        let (is_content, said) = waits.end();
        assert!(!is_content && said.contains("remote: rejected: Say what of"), "{said}");
    }
    let (_, listed) = served.get(&reviewer, "/sandboxes/default/waiting");
    assert_eq!(listed["waiting"], json!([]));
    let many: Vec<String> = (0..17).map(|number| format!("HEAD:refs/heads/branch{number}")).collect();
    let arguments: Vec<&str> = ["-o", "wait", "origin"].into_iter().chain(many.iter().map(String::as_str)).collect();
    let said = push(&clone, &arguments);
    assert!(!said.success && said.stderr.contains("at most 16 branches"), "{}", said.stderr);
}
