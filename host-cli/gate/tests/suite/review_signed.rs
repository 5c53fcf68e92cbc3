//! The review shows the claimed authors and times of commits.

use crate::support::{
    Repo,
    pushing::{Scene, facts},
};
use gate::{
    push::{PushLimits, TargetFacts, Usual, check},
    review::{Flag, Review, Severity},
    time::Timestamp,
};

fn review(scene: &Scene, identity: Option<&str>, now: u64) -> Review {
    let usual = Usual { identity: identity.map(str::to_owned), committer: None, now: Timestamp(now) };
    let facts = TargetFacts { commits: Some(usual), ..facts(Some(scene.base)) };
    let push = check(scene.request("topic"), &scene.target, facts, &PushLimits::default()).unwrap();
    Review::of(&push, &scene.target).unwrap()
}

fn commit(repo: &Repo, author: &str, committer: &str) {
    let tree = repo.id("HEAD^{tree}");
    let parent = repo.id("HEAD");
    let body = format!("tree {tree}\nparent {parent}\nauthor {author}\ncommitter {committer}\n\nx\n");
    let id = repo.git_with(&["hash-object", "-w", "-t", "commit", "--stdin"], body.as_bytes());
    repo.git(&["reset", "-q", "--hard", str::from_utf8(&id).unwrap().trim()]);
}

const NOW: u64 = 1_790_000_000;
const ADA: &str = "Ada <ada@example.org>";

fn sentences(review: &Review) -> Vec<String> {
    assert!(review.flags.iter().all(|flag| flag.severity() == Severity::Medium), "{:?}", review.flags);
    review.flags.iter().map(Flag::sentence).collect()
}

#[test]
fn attack_18_a_well_known_name_is_said() {
    let scene = Scene::simple();
    let linus = format!("Linus Torvalds <torvalds@linux-foundation.org> {NOW} +0000");
    commit(&scene.repo, &linus, &format!("{ADA} {NOW} +0000"));
    let first = scene.repo.id("HEAD").to_string();
    commit(&scene.repo, &linus, &linus);
    let second = scene.repo.id("HEAD").to_string();
    let said = |role: &str, which: &str| {
        let name = "\"Linus Torvalds <torvalds@linux-foundation.org>\"";
        format!("Names {name} as {role} of {which}, not who the sandbox commits as")
    };
    let expected = [said("author", &format!("{} and 1 more", &first[..7])), said("committer", &second[..7])];
    assert_eq!(sentences(&review(&scene, Some(ADA), NOW)), expected);
    assert_eq!(sentences(&review(&scene, None, NOW)), [""; 0], "a sandbox without an identity has no usual one");
}

#[test]
fn attack_18_a_date_far_away_is_said() {
    let scene = Scene::simple();
    commit(&scene.repo, &format!("{ADA} 1000000000 +0000"), &format!("{ADA} 2115000000 +0100"));
    let id = scene.repo.id("HEAD").to_string();
    let expected = [
        format!("Has 2001-09-09 01:46:40 +0000 as the author's date of {}", &id[..7]),
        format!("Has 2037-01-08 05:00:00 +0100 as the committer's date of {}", &id[..7]),
    ];
    assert_eq!(sentences(&review(&scene, Some(ADA), NOW)), expected);
}

#[test]
fn a_commit_of_the_sandbox_is_no_warning() {
    for (now, identity) in [(NOW, ADA), (NOW + 86_400 * 300, ADA), (NOW - 80_000, ADA), (NOW, "Ada. <ada@example.org>")]
    {
        let scene = Scene::simple();
        commit(&scene.repo, &format!("{ADA} {NOW} +0200"), &format!("{ADA} {NOW} +0200"));
        assert_eq!(sentences(&review(&scene, Some(identity), now)), [""; 0]);
    }
}
