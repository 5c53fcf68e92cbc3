//! No secret leaves unnoticed with an approved push, wherever it is.

use std::collections::BTreeSet;

use crate::support::{
    Repo,
    packer::{self, Packer},
    planted::{Planted, fill},
    pushing::{Scene, facts, request},
};
use fastrand::Rng;
use gate::{
    objects::{Nothing, Supplied},
    push::{PushLimits, TargetFacts, check},
    review::{Flag, Review, Secret, Severity},
    secrets::{Allowed, Fingerprint},
};
use gix_object::Kind;

fn token(random: &mut Rng) -> String {
    fill("glpat-<a:20>", random)
}

fn secrets(review: &Review) -> Vec<&Secret> {
    let mut secrets = Vec::new();
    for flag in &review.flags {
        if let Flag::Secret(secret) = flag {
            secrets.push(secret);
        }
    }
    secrets
}

/// The sentences of the flags about secrets, without the parts that they show.
fn places(review: &Review) -> Vec<String> {
    let place = |secret: &&Secret| match secret.line {
        Some(line) => format!("{}, line {line}", secret.place),
        None => secret.place.clone(),
    };
    secrets(review).iter().map(place).collect()
}

fn review_with(scene: &Scene, allowed: Allowed) -> Review {
    let facts = TargetFacts { allowed, ..facts(Some(scene.base)) };
    let push = check(scene.request("topic"), &scene.target, facts, &PushLimits::default()).unwrap();
    Review::of(&push, &scene.target).unwrap()
}

#[test]
fn attack_19_a_secret_in_a_file_is_said_in_one_grave_sentence_and_a_field() {
    let scene = Scene::simple();
    let secret = token(&mut Rng::with_seed(1));
    scene.repo.write("src/config.rs", format!("\n\nconst KEY: &str = \"{secret}\";\n")).commit("add");
    let review = scene.review("topic");
    let shown = &secret[..8];
    let sentence = format!("Contains a GitLab personal access token ({shown}…) in src/config.rs, line 3");
    assert_eq!(review.flags.iter().map(Flag::sentence).collect::<Vec<_>>(), [sentence]);
    assert_eq!(review.severity(), Severity::High);
    let json = serde_json::to_value(&review).unwrap();
    let flag = &json["flags"][0];
    assert_eq!((&flag["flag"], &flag["kind"], &flag["line"]), (&"secret".into(), &"gitlab-pat".into(), &3.into()));
    assert_eq!(flag["fingerprint"], secrets(&review)[0].fingerprint.to_string());
}

#[test]
fn attack_19_secrets_in_messages_people_branch_names_paths_and_links_are_found() {
    let mut random = Rng::with_seed(2);
    let [message, author, committer, branch, path, link, only] = [(); 7].map(|()| token(&mut random));
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let kept = packer::id(Kind::Blob, b"kept\n");
    let [blob, target, gone] =
        [b"x".to_vec(), link.clone().into_bytes(), only.clone().into_bytes()].map(|content| packer.blob(&content));
    let first = packer.tree(&[("100644", b"kept.txt", kept), ("100644", b"only", gone)]);
    let first = packer.commit(first, &[scene.base], "first\n");
    let name = format!("a-{path}");
    let tree =
        packer.tree(&[("100644", name.as_bytes(), blob), ("100644", b"kept.txt", kept), ("120000", b"link", target)]);
    let when = "1700000000 +0000";
    let people = format!("author {author} <a@b.c> {when}\ncommitter C <{committer}@b.c> {when}");
    let body = format!("tree {tree}\nparent {first}\n{people}\n\nsecond\n\nuse {message} until Monday\n");
    let new = packer.object(Kind::Commit, body.as_bytes());
    let pushed = request(&format!("fix/{branch}"), Some(scene.base), new, packer.finish());
    let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
    let review = Review::of(&checked, &scene.target).unwrap();
    let (first, second) = (first.to_hex_with_len(7), new.to_hex_with_len(7));
    assert_eq!(
        places(&review),
        [
            "the name of the branch".to_owned(),
            format!("the name a-{}…", &path[..8]),
            "the target of the link link".to_owned(),
            format!("only of the commit {first}, line 1"),
            format!("the message of the commit {second}, line 3"),
            format!("the author of the commit {second}"),
            format!("the committer of the commit {second}"),
        ]
    );
    for secret in secrets(&review) {
        let said = format!("{secret:?}{}", serde_json::to_string(secret).unwrap());
        assert!(
            [&message, &author, &committer, &branch, &path, &link, &only].iter().all(|token| !said.contains(*token))
        );
    }
}

#[test]
fn attack_19_eight_hundred_planted_secrets_are_found_in_contents_messages_and_intermediate_commits() {
    let mut random = Rng::with_seed(3);
    let scene = Scene::simple();
    let mut packer = Packer::new();
    let kept = packer::id(Kind::Blob, b"kept\n");
    let (mut new, mut expected) = (scene.base, BTreeSet::new());
    let mut last = Vec::new();
    for round in 0..20 {
        // Each commit removes what the previous one added, except for the last.
        let mut files = Vec::new();
        for number in round * 30..round * 30 + 30 {
            let planted = Planted::number(number, &mut random);
            let (path, content, _) = planted.file(number, &mut random);
            let blob = packer.blob(content.as_bytes());
            files.push((format!("{number}-{}", path.rsplit('/').next().unwrap()), blob));
            expected.insert((planted.rule, fingerprint(&content)));
        }
        files.push(("kept.txt".to_owned(), kept));
        files.sort();
        let entries: Vec<_> = files.iter().map(|(name, id)| ("100644", name.as_bytes(), *id)).collect();
        let tree = packer.tree(&entries);
        let mut message = format!("round {round}\n\n");
        for number in round * 10..round * 10 + 10 {
            let planted = Planted::number(number, &mut random);
            let text = format!("{}={}\n", planted.name, planted.secret);
            expected.insert((planted.rule, fingerprint(&text)));
            message += &text;
        }
        new = packer.commit(tree, &[new], &message);
        last = files;
    }
    assert_eq!(last.len(), 31);
    let pushed = request("topic", Some(scene.base), new, packer.finish());
    let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
    let review = Review::of(&checked, &scene.target).unwrap();
    let found: BTreeSet<_> = secrets(&review).iter().map(|secret| (secret.kind, secret.fingerprint)).collect();
    assert_eq!(expected.len(), 800);
    let missed: Vec<_> = expected.difference(&found).collect();
    assert!(missed.is_empty(), "{} missed: {missed:?}", missed.len());
}

fn fingerprint(content: &str) -> Fingerprint {
    let found = gate::secrets::scan(content.as_bytes());
    found.first().unwrap_or_else(|| panic!("nothing in {content}")).fingerprint
}

#[test]
fn what_the_target_has_at_the_same_path_or_moves_is_not_new() {
    let mut random = Rng::with_seed(4);
    let [old, new] = [(); 2].map(|()| token(&mut random));
    let repo = Repo::new();
    repo.write("a", format!("{old}\n")).write("b", format!("{old} b\n")).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("a", format!("one\n{old}\n")).remove("b").write("c", format!("{old} b\n")).commit("more");
    assert_eq!(places(&scene.review("topic")), [""; 0]);
    scene.repo.write("a", format!("one\n{old}\n{new}\n")).write("d", &old).commit("and more");
    let review = scene.review("topic");
    assert_eq!(places(&review), ["a, line 3", "d, line 1"]);
}

#[test]
fn what_the_host_supplied_is_not_flagged() {
    let secret = token(&mut Rng::with_seed(5));
    let repo = Repo::new();
    let given = repo.write("a", &secret).commit("given");
    let blob = repo.id("HEAD:a");
    let new = repo.write("b", &secret).commit("new");
    let pack = repo.pack(&["HEAD"]);
    for (ids, expected) in [(vec![], 2), (vec![blob], 0)] {
        let supplied = Supplied::by(move |id| ids.iter().any(|known: &gix_hash::ObjectId| *known == id));
        let pushed = request("topic", None, new, pack.clone());
        let facts = TargetFacts { supplied, ..facts(None) };
        let checked = check(pushed, &Nothing, facts, &PushLimits::default()).unwrap();
        assert_eq!(places(&Review::of(&checked, &Nothing).unwrap()).len(), expected, "{given}");
    }
}

#[test]
fn what_the_person_allows_is_not_flagged_and_nothing_else() {
    let mut random = Rng::with_seed(6);
    let [one, two] = [(); 2].map(|()| token(&mut random));
    let scene = Scene::simple();
    scene.repo.write("a", format!("{one}\n{two}\n")).write("tests/data/x.txt", &two).commit(&format!("with {one}"));
    let all = review_with(&scene, Allowed::default());
    assert_eq!(places(&all).len(), 4);
    let first = secrets(&all)[0].fingerprint;
    let by_secret = review_with(&scene, Allowed::new([first], []));
    assert_eq!(places(&by_secret), ["a, line 2", "tests/data/x.txt, line 1"]);
    let by_path = review_with(&scene, Allowed::new([], ["tests/**".to_owned(), "*.md".to_owned()]));
    let message = places(&all)[3].clone();
    assert_eq!(places(&by_path), ["a, line 1", "a, line 2", &message]);
    // What the repository itself says about it does not count.
    scene.repo.write(".gitgate/allow", first.to_string()).write(".secretsignore", "**\n").commit("leave");
    assert_eq!(places(&scene.review("topic")).len(), 4);
}

#[test]
fn attack_19_text_that_a_nul_makes_binary_is_searched_as_text() {
    let secret = fill("PASSWORD=<a:20>\n", &mut Rng::with_seed(7));
    let scene = Scene::simple();
    scene.repo.write("run.sh", format!("#!/bin/sh\n{secret}\0")).commit("disguised");
    assert_eq!(places(&scene.review("topic")), ["run.sh, line 2"]);
}

#[test]
fn attack_21_of_secrets_without_number_the_first_thousand_are_named_and_the_rest_counted() {
    let mut random = Rng::with_seed(8);
    let text: String = (0..1500).map(|_| token(&mut random) + "\n").collect();
    let scene = Scene::simple();
    scene.repo.write("a", &text).commit("many");
    let review = scene.review("topic");
    assert_eq!(secrets(&review).len(), 1000);
    let last = review.flags.last().unwrap();
    assert_eq!(last.sentence(), "Contains 500 more secrets that are not listed");
    assert_eq!(last.severity(), Severity::High);
}
