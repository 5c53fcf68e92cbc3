//! Everything reachable, as one pack.

use std::sync::Mutex;

use gate::objects::Objects as _;

use super::*;
use crate::remote::{Progress, Silent, Stage, TargetErrorKind};

#[test]
fn a_supply_is_everything_reachable_and_nothing_else() {
    let scene = rich();
    let supplied = scene.target().supply(&Silent).unwrap();
    assert_whole(&scene.repo, &supplied);
    scene.git(&["checkout", "-q", "-f", "--detach", "HEAD~1"]);
    edit(&scene.repo, &["a=detached\n"]);
    scene.git(&["commit", "-qam", "detached"]);
    let supplied = scene.target().supply(&Silent).unwrap();
    assert_whole(&scene.repo, &supplied);
    assert_eq!(supplied.supply.tips.iter().filter(|(name, _)| name == "HEAD").count(), 1);
}

#[test]
fn a_pack_that_holds_just_what_is_reachable_is_taken_as_it_is() {
    let scene = rich();
    git(scene.temp.path(), &["clone", "-q", "--mirror", "repo", "mirror.git"]);
    let mirror = scene.temp.path().join("mirror.git");
    git(&mirror, &["repack", "-adfq"]);
    let pack = fs::read_dir(mirror.join("objects/pack"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "pack"))
        .unwrap();
    let target = open(&format!("bare:{}", mirror.display())).unwrap();
    let supplied = target.supply(&Silent).unwrap();
    assert_eq!(supplied.supply.verified.bytes(), &fs::read(&pack).unwrap());
    // One ref less, and the pack holds something that nobody should get.
    git(&mirror, &["update-ref", "-d", "refs/remotes/origin/y"]);
    let supplied = target.supply(&Silent).unwrap();
    assert_ne!(supplied.supply.verified.bytes(), &fs::read(&pack).unwrap());
    assert_whole(&mirror, &supplied);
}

#[test]
fn the_boundary_of_a_shallow_clone_stays() {
    let scene = rich();
    let from = format!("file://{}", scene.repo.display());
    git(scene.temp.path(), &["clone", "-q", "--depth", "2", &from, "shallow"]);
    let shallow = scene.temp.path().join("shallow");
    let supplied = open(&format!("local:{}", shallow.display())).unwrap().supply(&Silent).unwrap();
    assert_whole(&shallow, &supplied);
    let boundary: Vec<String> = supplied.supply.shallow.iter().map(ToString::to_string).collect();
    assert_eq!(boundary.join("\n"), fs::read_to_string(shallow.join(".git/shallow")).unwrap().trim());
}

#[test]
fn an_empty_repository_supplies_an_empty_pack() {
    let supplied = Scene::new(&[]).target().supply(&Silent).unwrap();
    assert!(supplied.supply.tips.is_empty() && supplied.supply.verified.objects().is_empty());
    assert_eq!(supplied.listing.head.as_deref(), Some("refs/heads/main"));
}

#[test]
fn what_is_missing_or_damaged_is_named() {
    for (what, spec) in [("commit", "HEAD"), ("tree", "HEAD^{tree}"), ("blob", "HEAD:a")] {
        for damage in [false, true] {
            let scene = Scene::new(&["a=a\n"]);
            let id = scene.git(&["rev-parse", spec]);
            let id = id.trim();
            let file = scene.repo.join(".git/objects").join(&id[..2]).join(&id[2..]);
            fs::remove_file(&file).unwrap();
            if damage {
                fs::write(&file, "not zlib").unwrap();
            }
            let error = scene.target().supply(&Silent).unwrap_err();
            assert!(matches!(error.kind, TargetErrorKind::MissingObject | TargetErrorKind::Damaged), "{what}: {error}");
            // A loose object may be named by its file.
            assert!(error.message.replace('/', "").contains(id), "{what}, damaged {damage}: {}", error.message);
            assert!(error.hint.is_some());
        }
    }
}

#[derive(Default)]
struct Seen(Mutex<Vec<(Stage, u64, Option<u64>)>>);

impl Progress for Seen {
    fn at(&self, stage: Stage, done: u64, total: Option<u64>) {
        self.0.lock().unwrap().push((stage, done, total));
    }
}

#[test]
fn progress_tells_every_stage_to_its_end() {
    let scene = rich();
    let seen = Seen::default();
    let supplied = scene.target().supply(&seen).unwrap();
    let seen = seen.0.into_inner().unwrap();
    let objects = supplied.supply.verified.objects().len() as u64;
    let bytes = supplied.supply.verified.bytes().len() as u64;
    for (stage, total) in [(Stage::Counting, objects), (Stage::Packing, objects), (Stage::Verifying, bytes)] {
        assert_eq!(seen.iter().rfind(|(at, ..)| *at == stage), Some(&(stage, total, Some(total))));
    }
}

#[test]
fn submodules_are_named_and_not_brought() {
    let scene = Scene::new(&["a=a\n"]);
    let elsewhere = format!("160000,{},sub", "1".repeat(40));
    for packed in [false, true] {
        scene.git(&["update-index", "--add", "--cacheinfo", &elsewhere]);
        scene.git(&["commit", "-q", "--allow-empty", "-m", "sub"]);
        if packed {
            scene.git(&["repack", "-adq"]);
        }
        let supplied = scene.target().supply(&Silent).unwrap();
        let ids = supplied.supply.verified.ids().len();
        assert_eq!(ids, git(&scene.repo, &["rev-list", "--objects", "--all"]).lines().count());
    }
}

#[test]
fn replacements_are_not_supplied() {
    let scene = rich();
    let ids = |scene: &Scene| -> BTreeSet<_> {
        let supplied = scene.target().supply(&Silent).unwrap();
        supplied.supply.verified.ids().collect()
    };
    let before = ids(&scene);
    let seen = scene.target().objects().unwrap();
    scene.git(&["config", "core.useReplaceRefs", "true"]);
    for (old, new) in [("HEAD~1", "HEAD"), ("HEAD~2^{tree}", "HEAD^{tree}"), ("HEAD:a", "HEAD:d/b")] {
        let [old, new] =
            [old, new].map(|name| scene.git(&["--no-replace-objects", "rev-parse", name]).trim().to_owned());
        scene.git(&["replace", "-f", &old, &new]);
    }
    assert_eq!(ids(&scene), before);
    let id =
        gix::ObjectId::from_hex(scene.git(&["--no-replace-objects", "rev-parse", "HEAD:a"]).trim().as_bytes()).unwrap();
    let (mut real, mut now) = (Vec::new(), Vec::new());
    seen.find(&id, &mut real).unwrap();
    scene.target().objects().unwrap().find(&id, &mut now).unwrap();
    assert_eq!(now, real);
}
