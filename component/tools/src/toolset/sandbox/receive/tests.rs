use std::collections::BTreeMap;

use gix::ObjectId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::dispatch::Finished;
use crate::error::ToolError;
use crate::git::staged::ids::Ids;
use crate::testing::Sandbox;
use crate::toolset::git::pull::MADE_ANEW;

/// A sandbox whose `main` has a commit that the target has, and a client's clone of it.
fn scene() -> (Sandbox, Sandbox, String) {
    let (mut sandbox, mut client) = (Sandbox::with_two_commits(), Sandbox::new());
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let place = sandbox.root().display().to_string();
    client.git(&["clone", "--quiet", &place, "."]);
    let base = id(&mut sandbox, "HEAD");
    (sandbox, client, base)
}

fn id(sandbox: &mut Sandbox, named: &str) -> String {
    sandbox.git(&["rev-parse", named]).trim_end().to_owned()
}

fn commit(client: &mut Sandbox, path: &str, text: &str) -> String {
    client.write(path, text);
    client.git(&["add", "-A"]);
    client.git(&["commit", "--quiet", "-m", text]);
    id(client, "HEAD")
}

/// The client's push of what `revisions` list, in git's words, to `commands`.
fn push(sandbox: &mut Sandbox, client: &mut Sandbox, revisions: &str, commands: Value) -> Result<Finished, ToolError> {
    let mut arguments = json!({ "commands": commands, "by": "ada" });
    let made = client.git_fed(&["pack-objects", "--revs", "--quiet", "sent"], revisions.replace(' ', "\n").as_bytes());
    let name = String::from_utf8(made.stdout).unwrap().trim_end().to_owned();
    for (field, end) in [("pack", "pack"), ("index", "idx")] {
        let content = client.read(&format!("sent-{name}.{end}"));
        let id: [u8; 32] = Sha256::digest(&content).into();
        arguments[field] = json!(id.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        sandbox.embedding.attachments.insert(id, content);
    }
    client.git(&["clean", "--quiet", "-f"]);
    sandbox.calling("sandbox_receive", arguments).as_user().done()
}

fn to(name: &str, old: Option<&str>, new: &str) -> Value {
    json!([{ "name": name, "old": old, "new": new }])
}

#[test]
fn what_is_pushed_is_staged_and_checked_out() {
    let (mut sandbox, mut client, base) = scene();
    let new = commit(&mut client, "a", "three\n");
    let done = push(&mut sandbox, &mut client, &format!("{new} ^{base}"), to("refs/heads/main", Some(&base), &new));
    let said = done.unwrap().structured();
    let expected =
        json!([{ "name": "refs/heads/main", "refused": null, "moved": true, "push": { "commitId": "HEAD" } }]);
    assert_eq!(said["refs"], expected);
    assert_eq!((sandbox.read("a"), id(&mut sandbox, "HEAD")), (b"three\n".to_vec(), new));
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    sandbox.git(&["fsck", "--strict"]);
    let status = sandbox.calling("git_status", json!({})).done().unwrap().structured();
    assert_eq!(status["staged"].as_array().map(Vec::len), Some(1), "{status}");
}

#[test]
fn the_same_person_may_replace_what_they_pushed_and_nothing_else() {
    let (mut sandbox, mut client, base) = scene();
    let range = |new: &str| format!("{new} ^{base}");
    let first = commit(&mut client, "a", "three\n");
    push(&mut sandbox, &mut client, &range(&first), to("refs/heads/main", Some(&base), &first)).unwrap();
    client.write("a", "four\n");
    client.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let amended = id(&mut client, "HEAD");
    push(&mut sandbox, &mut client, &range(&amended), to("refs/heads/main", Some(&base), &amended)).unwrap();
    assert_eq!((sandbox.read("a"), id(&mut sandbox, "HEAD")), (b"four\n".to_vec(), amended.clone()));
    // Pushed once more, it stays.
    let again =
        push(&mut sandbox, &mut client, &range(&amended), to("refs/heads/main", Some(&base), &amended)).unwrap();
    assert_eq!(again.structured()["refs"][0]["moved"], false);
    // A commit by a tool is not replaced.
    sandbox.write("b", "by a tool\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "by a tool"]);
    let before = sandbox.git(&["for-each-ref"]);
    let error = push(&mut sandbox, &mut client, &range(&amended), to("refs/heads/main", Some(&base), &amended));
    assert!(error.unwrap_err().message.contains("that you have not pushed"));
    assert_eq!(sandbox.git(&["for-each-ref"]), before);
}

#[test]
fn attack_what_others_committed_below_a_push_is_not_replaced() {
    let (mut sandbox, mut client, base) = scene();
    sandbox.write("c", "by the owner\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "by the owner"]);
    let owners = id(&mut sandbox, "HEAD");
    let place = sandbox.root().display().to_string();
    client.git(&["pull", "--quiet", &place, "main"]);
    let first = commit(&mut client, "a", "three\n");
    let done =
        push(&mut sandbox, &mut client, &format!("{first} ^{owners}"), to("refs/heads/main", Some(&base), &first));
    assert_eq!(done.unwrap().structured()["refs"][0]["moved"], true);
    client.git(&["reset", "--quiet", "--hard", &base]);
    let other = commit(&mut client, "a", "other\n");
    let refused =
        push(&mut sandbox, &mut client, &format!("{other} ^{base}"), to("refs/heads/main", Some(&base), &other));
    assert!(refused.unwrap_err().message.contains("that you have not pushed"));
    assert_eq!(id(&mut sandbox, "HEAD"), first);
    // Its own commit on top of the owner's may go.
    client.git(&["reset", "--quiet", "--hard", &owners]);
    let own = commit(&mut client, "a", "own\n");
    push(&mut sandbox, &mut client, &format!("{own} ^{owners}"), to("refs/heads/main", Some(&base), &own)).unwrap();
    assert_eq!(id(&mut sandbox, "HEAD"), own);
}

/// What a pull of a new commit of the target does to `main`: it applies the staged commits again, and notes what became of each.
fn pull(sandbox: &mut Sandbox) {
    let staged = |sandbox: &mut Sandbox| -> Vec<String> {
        let listed = sandbox.git(&["rev-list", "--reverse", "main", "^refs/remotes/origin/main"]);
        listed.lines().map(str::to_owned).collect()
    };
    let old = staged(sandbox);
    sandbox.git(&["checkout", "--quiet", "--detach", "refs/remotes/origin/main"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "Work elsewhere"]);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    old.iter().for_each(|commit| drop(sandbox.git(&["cherry-pick", "--allow-empty", commit])));
    sandbox.git(&["update-ref", "-m", MADE_ANEW, "refs/heads/main", "HEAD"]);
    sandbox.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    let object = |hex: &String| ObjectId::from_hex(hex.as_bytes()).unwrap();
    let new = staged(sandbox);
    rewritten(sandbox, &old.iter().map(object).zip(new.iter().map(object)).collect());
}

fn rewritten(sandbox: &mut Sandbox, successors: &BTreeMap<ObjectId, ObjectId>) {
    let repo = sandbox.session.repo().unwrap();
    let mut ids = Ids::load(&repo).unwrap();
    ids.rewritten(successors);
    ids.store(&repo).unwrap();
    sandbox.session.forget();
}

/// The client has what the sandbox has: its `main`, and the commit that the target has.
fn fetch(sandbox: &mut Sandbox, client: &mut Sandbox) -> (String, String) {
    let place = sandbox.root().display().to_string();
    client.git(&["fetch", "--quiet", &place, "+main:refs/there"]);
    (id(client, "refs/there"), id(sandbox, "refs/remotes/origin/main"))
}

#[test]
fn what_a_pull_has_made_anew_of_a_push_may_be_replaced() {
    let (mut sandbox, mut client, base) = scene();
    let first = commit(&mut client, "a", "three\n");
    push(&mut sandbox, &mut client, &format!("{first} ^{base}"), to("refs/heads/main", Some(&base), &first)).unwrap();
    for text in ["four\n", "five\n"] {
        pull(&mut sandbox);
        pull(&mut sandbox);
        let (there, base) = fetch(&mut sandbox, &mut client);
        client.git(&["reset", "--quiet", "--hard", &there]);
        client.write("a", text);
        client.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
        let amended = id(&mut client, "HEAD");
        let range = format!("{amended} ^{base}");
        push(&mut sandbox, &mut client, &range, to("refs/heads/main", Some(&base), &amended)).unwrap();
        assert_eq!(id(&mut sandbox, "HEAD"), amended);
    }
}

#[test]
fn attack_what_a_pull_has_made_anew_of_others_is_not_replaced() {
    for drags_in in [false, true] {
        let (mut sandbox, mut client, base) = scene();
        // The owner's commit, which they have amended.
        sandbox.write("c", "by the owner\n");
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", "by the owner"]);
        let (former, _) = fetch(&mut sandbox, &mut client);
        sandbox.git(&["commit", "--quiet", "--amend", "-m", "by the owner, amended"]);
        let (owners, _) = fetch(&mut sandbox, &mut client);
        let [old, new] = [&former, &owners].map(|hex| ObjectId::from_hex(hex.as_bytes()).unwrap());
        rewritten(&mut sandbox, &BTreeMap::from([(old, new)]));
        if drags_in {
            // A merge brings the former version along, and is replaced.
            client.git(&["reset", "--quiet", "--hard", &owners]);
            client.git(&["merge", "--quiet", "-s", "ours", "-m", "both", &former]);
            let merge = id(&mut client, "HEAD");
            let range = format!("{merge} ^{owners}");
            push(&mut sandbox, &mut client, &range, to("refs/heads/main", Some(&base), &merge)).unwrap();
        }
        client.git(&["reset", "--quiet", "--hard", &owners]);
        let own = commit(&mut client, "a", "own\n");
        let range = format!("{own} ^{owners}");
        push(&mut sandbox, &mut client, &range, to("refs/heads/main", Some(&base), &own)).unwrap();
        pull(&mut sandbox);
        let (there, base) = fetch(&mut sandbox, &mut client);
        client.git(&["reset", "--quiet", "--hard", &base]);
        let other = commit(&mut client, "a", "other\n");
        let range = format!("{other} ^{base}");
        let refused = push(&mut sandbox, &mut client, &range, to("refs/heads/main", Some(&base), &other));
        assert!(refused.unwrap_err().message.contains("that you have not pushed"));
        assert_eq!(id(&mut sandbox, "HEAD"), there);
        // Their own on top of it may go.
        client.git(&["reset", "--quiet", "--hard", &format!("{there}~1")]);
        let own = commit(&mut client, "a", "own again\n");
        let range = format!("{own} ^{base}");
        push(&mut sandbox, &mut client, &range, to("refs/heads/main", Some(&base), &own)).unwrap();
        assert_eq!(id(&mut sandbox, "HEAD"), own);
    }
}

#[test]
fn a_tag_beside_a_branch_is_refused_by_itself() {
    let (mut sandbox, mut client, base) = scene();
    let new = commit(&mut client, "a", "three\n");
    client.git(&["tag", "-a", "-m", "tag", "v1"]);
    let tag = id(&mut client, "v1");
    let commands = json!([
        { "name": "refs/heads/main", "old": base, "new": new },
        { "name": "refs/tags/v1", "new": tag },
    ]);
    let done = push(&mut sandbox, &mut client, &format!("{new} {tag} ^{base}"), commands).unwrap().structured();
    assert_eq!(done["refs"][0]["refused"], json!(null), "{done}");
    assert!(done["refs"][1]["refused"].as_str().unwrap().contains("tags are not proposed"), "{done}");
}

#[test]
fn uncommitted_changes_are_not_overwritten() {
    let (mut sandbox, mut client, base) = scene();
    sandbox.write("a", "unsaved\n");
    let new = commit(&mut client, "a", "three\n");
    let pushed = push(&mut sandbox, &mut client, &format!("{new} ^{base}"), to("refs/heads/main", Some(&base), &new));
    assert!(pushed.unwrap_err().message.contains("would be overwritten"));
    assert_eq!((sandbox.read("a"), id(&mut sandbox, "HEAD")), (b"unsaved\n".to_vec(), base.clone()));
    // What the push does not touch stays as it is.
    sandbox.write("a", "two\n");
    sandbox.write("sub/b", "unsaved\n");
    push(&mut sandbox, &mut client, &format!("{new} ^{base}"), to("refs/heads/main", Some(&base), &new)).unwrap();
    assert_eq!((sandbox.read("a"), sandbox.read("sub/b")), (b"three\n".to_vec(), b"unsaved\n".to_vec()));
}

#[test]
fn a_branch_of_its_own_goes_to_the_branch_of_that_name() {
    let (mut sandbox, mut client, base) = scene();
    let place = json!({ "type": "local", "path": "/srv/project", "branch": "fix" });
    sandbox.session.options.default_target = Some(crate::question::Target {
        kind: "local".to_owned(),
        location: "/srv/project".to_owned(),
        branch: Some("agent/project".to_owned()),
    });
    let new = commit(&mut client, "c", "new\n");
    let done = push(&mut sandbox, &mut client, &format!("{new} ^{base}"), to("refs/heads/fix", None, &new)).unwrap();
    assert_eq!(done.structured()["refs"][0]["push"], json!({ "commitId": "refs/heads/fix", "target": place }));
    assert_eq!((id(&mut sandbox, "fix"), id(&mut sandbox, "HEAD")), (new, base));
    assert!(!sandbox.exists("c"));
}

#[test]
fn attack_what_is_no_proposal_is_refused_and_changes_nothing() {
    let (mut sandbox, mut client, base) = scene();
    let new = commit(&mut client, "a", "three\n");
    client.git(&["tag", "-a", "-m", "tag", "v1"]);
    client.git(&["checkout", "--quiet", "--orphan", "other"]);
    let other = commit(&mut client, "a", "other\n");
    let tag = id(&mut client, "v1");
    let before = (sandbox.git(&["for-each-ref"]), sandbox.git(&["rev-parse", "HEAD"]));
    let zero = json!([{ "name": "refs/heads/main", "old": base }]);
    for (commands, revisions, said) in [
        (to("refs/tags/v1", None, &new), format!("{new} ^{base}"), "tags are not proposed"),
        (to("HEAD", None, &new), format!("{new} ^{base}"), "only branches"),
        (to("refs/gate/x", None, &new), format!("{new} ^{base}"), "only branches"),
        (to("refs/remotes/origin/main", Some(&base), &new), format!("{new} ^{base}"), "only branches"),
        (to("refs/heads/../../config", None, &new), format!("{new} ^{base}"), "no name of a branch"),
        (to("refs/heads/HEAD", None, &new), format!("{new} ^{base}"), "no name of a branch"),
        (to("refs/heads/-x", None, &new), format!("{new} ^{base}"), "no name of a branch"),
        (to("refs/heads/main/x", None, &new), format!("{new} ^{base}"), "in the way"),
        (to("refs/heads/main", None, &new), format!("{new} ^{base}"), "stale info"),
        (to("refs/heads/main", Some(&new), &new), format!("{new} ^{base}"), "stale info"),
        (to("refs/heads/main", Some(&base), &other), other.clone(), "non-fast-forward"),
        (zero, format!("^{base}"), "not deleted by a push"),
        (to("refs/heads/main", Some(&base), &tag), format!("{new} ^{base}"), "is missing"),
        // Objects that nothing needs, and such that need what is nowhere.
        (to("refs/heads/main", Some(&base), &new), format!("{new} {other} ^{base}"), "no branch of the push reaches"),
        (to("refs/heads/main", Some(&base), &new), other.clone(), "is missing"),
    ] {
        let error = push(&mut sandbox, &mut client, &revisions, commands.clone()).expect_err(said);
        assert!(error.message.contains(said), "{commands}: {}", error.message);
        let after = (sandbox.git(&["for-each-ref"]), sandbox.git(&["rev-parse", "HEAD"]));
        assert_eq!(after, before, "{commands}");
        // On disk nothing takes a refused pack away.
        sandbox.git(&["config", "gc.auto", "0"]);
        for end in ["pack", "idx"] {
            for file in std::fs::read_dir(sandbox.real(".git/objects/pack")).unwrap() {
                let path = file.unwrap().path();
                if path.extension().is_some_and(|found| found == end) {
                    std::fs::remove_file(path).unwrap();
                }
            }
        }
    }
    let agent = sandbox.fail("sandbox_receive", json!({ "commands": [], "by": "x" }));
    assert_eq!(agent.kind.name(), "not-permitted");
}

#[test]
fn of_several_branches_each_has_its_own_answer_unless_they_belong_together() {
    let (mut sandbox, mut client, base) = scene();
    let new = commit(&mut client, "a", "three\n");
    let commands = json!([
        { "name": "refs/heads/main", "old": base, "new": new },
        { "name": "refs/tags/v1", "new": new },
    ]);
    let range = format!("{new} ^{base}");
    let mut atomic = json!({ "commands": commands, "by": "ada", "atomic": true });
    atomic["commands"][0]["new"] = json!(base);
    atomic["commands"][1]["new"] = json!(base);
    assert!(sandbox.calling("sandbox_receive", atomic).as_user().done().unwrap_err().message.contains("tags"));
    let done = push(&mut sandbox, &mut client, &range, commands).unwrap().structured();
    assert_eq!(done["refs"][0]["refused"], json!(null));
    assert!(done["refs"][1]["refused"].as_str().unwrap().contains("tags"), "{done}");
    assert_eq!(id(&mut sandbox, "main"), new);
}
