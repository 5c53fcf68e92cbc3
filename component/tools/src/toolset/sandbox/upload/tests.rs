use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::dispatch::Finished;
use crate::testing::Sandbox;

/// A history of ten commits with a file that grows, a branch beside it, and a tag.
fn scene() -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    let mut text = String::new();
    for number in 0..10 {
        text.push_str(&format!("line {number} of a file that grows\n").repeat(20));
        sandbox.write("grows", &text);
        sandbox.write(&format!("sub/{number}"), format!("{number}\n"));
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", &format!("commit {number}")]);
    }
    sandbox.git(&["branch", "side", "HEAD~4"]);
    sandbox.git(&["tag", "-a", "-m", "a tag", "v1", "HEAD~2"]);
    sandbox
}

fn id(sandbox: &mut Sandbox, named: &str) -> String {
    sandbox.git(&["rev-parse", named]).trim_end().to_owned()
}

fn upload(sandbox: &mut Sandbox, arguments: &Value) -> Finished {
    sandbox.calling("sandbox_upload", arguments.clone()).as_user().done().unwrap()
}

/// The ids of a pack in which nothing is missing, and whose objects git finds to be right.
fn ids(pack: &[u8]) -> BTreeSet<String> {
    taken(&["index-pack", "--stdin", "--strict"], pack)
}

/// The ids of a pack whose objects name others that are elsewhere.
fn ids_of_some(pack: &[u8]) -> BTreeSet<String> {
    taken(&["unpack-objects", "-q"], pack)
}

/// No pack is an attachment on a real directory, so the tool makes all of it but the checksum.
fn taken(command: &[&str], made: &[u8]) -> BTreeSet<String> {
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(made);
    let pack = &[made, hasher.try_finalize().unwrap().as_slice()].concat();
    let mut receiver = Sandbox::with_repository();
    let output = receiver.git_fed(command, pack);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"];
    receiver.git(&list).lines().map(str::to_owned).collect()
}

/// What git would send.
fn expected(sandbox: &mut Sandbox, arguments: &[&str]) -> BTreeSet<String> {
    let listed = sandbox.git(&[&["rev-list", "--objects", "--no-object-names"], arguments].concat());
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn a_clone_gets_what_the_refs_reach_loose_or_packed() {
    for packs in [&[][..], &["repack", "-adq"], &["repack", "-adfq", "--depth=50", "--window=50"]] {
        let mut sandbox = scene();
        if !packs.is_empty() {
            sandbox.git(packs);
        }
        let wants: Vec<String> = ["main", "side", "v1"].map(|name| id(&mut sandbox, name)).into();
        let done = upload(&mut sandbox, &json!({ "wants": wants }));
        assert_eq!(ids(&done.pack), expected(&mut sandbox, &["main", "side", "v1"]), "{packs:?}");
        assert_eq!(done.structured()["objects"], ids(&done.pack).len());
        if !packs.is_empty() {
            let whole: usize = done.pack.len();
            assert!(whole < 6000, "deltas stay deltas: {whole}");
        }
    }
}

#[test]
fn who_has_something_gets_the_rest() {
    let mut sandbox = scene();
    sandbox.git(&["repack", "-adq"]);
    let (main, side) = (id(&mut sandbox, "main"), id(&mut sandbox, "side"));
    let unknown = "1".repeat(40);
    let done = upload(&mut sandbox, &json!({ "wants": [main], "haves": [side, unknown], "pack": "if_ready" }));
    let said = done.structured();
    assert_eq!((&said["common"], &said["ready"]), (&json!([side]), &json!(true)));
    assert_eq!(ids_of_some(&done.pack), expected(&mut sandbox, &["main", "^side"]));
    let none = upload(&mut sandbox, &json!({ "wants": [main], "haves": [unknown], "pack": "if_ready" }));
    assert_eq!((none.pack.len(), &none.structured()["ready"]), (0, &json!(false)));
    let never = upload(&mut sandbox, &json!({ "wants": [main], "haves": [side], "pack": "never" }));
    assert_eq!((never.pack.len(), &never.structured()["common"]), (0, &json!([side])));
}

#[test]
fn a_history_is_cut_where_it_is_asked_for_and_grows_again() {
    let mut sandbox = scene();
    let at = |sandbox: &mut Sandbox, named: &str| id(sandbox, named);
    let main = at(&mut sandbox, "main");
    let shallow = upload(&mut sandbox, &json!({ "wants": [main], "depth": 2 }));
    assert_eq!(shallow.structured()["shallow"], json!([at(&mut sandbox, "main~1")]));
    assert_eq!(ids_of_some(&shallow.pack), expected(&mut sandbox, &["main", "main~1", "--no-walk"]));
    // A client that has main~1 alone, and wants three commits.
    let had = at(&mut sandbox, "main~1");
    let asked = json!({ "wants": [main], "haves": [had], "shallow": [had], "depth": 3 });
    let more = upload(&mut sandbox, &asked);
    assert_eq!(more.structured()["unshallow"], json!([had]));
    assert_eq!(more.structured()["shallow"], json!([at(&mut sandbox, "main~2")]));
    let commits: Vec<String> = ["main", "main~2"].map(|named| at(&mut sandbox, named)).into();
    assert!(commits.iter().all(|commit| ids_of_some(&more.pack).contains(commit)));
    // The same client without a depth gets what is new, and not what it had cut off.
    let new = upload(&mut sandbox, &json!({ "wants": [main], "haves": [had], "shallow": [had] }));
    assert_eq!(new.structured()["objects"], expected(&mut sandbox, &["main", "^main~1"]).len());
}

#[test]
fn a_client_gets_what_is_behind_its_border_and_comes_back() {
    let mut sandbox = Sandbox::with_repository();
    for (number, text) in [Some("kept\n"), None, Some("kept\n")].into_iter().enumerate() {
        match text {
            Some(text) => sandbox.write("f", text),
            None => std::fs::remove_file(sandbox.real("f")).unwrap(),
        }
        sandbox.write("number", format!("{number}\n"));
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "--quiet", "-m", "next"]);
    }
    let (border, main, blob) = (id(&mut sandbox, "HEAD~1"), id(&mut sandbox, "HEAD"), id(&mut sandbox, "HEAD:f"));
    let refetched = upload(&mut sandbox, &json!({ "wants": [main], "shallow": [border] }));
    assert!(ids_of_some(&refetched.pack).contains(&blob));
    let fetched = upload(&mut sandbox, &json!({ "wants": [main], "haves": [border], "shallow": [border] }));
    assert!(ids_of_some(&fetched.pack).contains(&blob));
}

#[test]
fn blobs_can_be_left_out_and_wanted_later() {
    let mut sandbox = scene();
    let main = id(&mut sandbox, "main");
    let partial = upload(&mut sandbox, &json!({ "wants": [main], "omitBlobs": true }));
    assert_eq!(ids_of_some(&partial.pack), expected(&mut sandbox, &["main", "--filter=blob:none"]));
    let blob = id(&mut sandbox, "main~3:grows");
    let one = upload(&mut sandbox, &json!({ "wants": [blob], "omitBlobs": true }));
    assert_eq!(ids(&one.pack), BTreeSet::from([blob]));
}

#[test]
fn attack_what_no_ref_reaches_is_not_sent() {
    let mut sandbox = scene();
    sandbox.write("secret", "undone\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "undone"]);
    let (undone, blob) = (id(&mut sandbox, "HEAD"), id(&mut sandbox, "HEAD:secret"));
    sandbox.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    for want in [undone, blob, "1".repeat(40)] {
        let error = sandbox.calling("sandbox_upload", json!({ "wants": [want] })).as_user().done().unwrap_err();
        assert_eq!(error.message, format!("upload-pack: not our ref {want}"));
    }
    let agent = sandbox.fail("sandbox_upload", json!({ "wants": [] }));
    assert_eq!(agent.kind.name(), "not-permitted");
}

#[test]
fn the_refs_are_told_with_what_a_target_has_of_them() {
    let mut sandbox = scene();
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "main~3"]);
    sandbox.git(&["update-ref", "refs/hidden", "main"]);
    let done = sandbox.calling("sandbox_refs", json!({ "bases": true })).as_user().done().unwrap();
    let told = done.structured();
    let [main, base, side, tag, tagged] = ["main", "main~3", "side", "v1", "v1^{}"].map(|name| id(&mut sandbox, name));
    assert_eq!(
        told,
        json!({
            "head": "refs/heads/main",
            "at": main,
            "refs": [
                { "name": "refs/heads/main", "id": main, "base": base },
                { "name": "refs/heads/side", "id": side, "base": side },
                { "name": "refs/tags/v1", "id": tag, "peeled": tagged },
            ],
            "shallow": [],
        })
    );
}
