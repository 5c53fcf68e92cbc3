//! What a sandbox lacks, with git as the oracle of what that is.

use gix::ObjectId;

use super::*;
use crate::remote::{BlobAt, CommitsWanted, Fetched, Silent, TargetErrorKind};

/// A repository with two lines of history that meet, and one that is dropped.
fn forked() -> Scene {
    let scene = rich();
    scene.git(&["checkout", "-q", "-f", "-b", "side", "HEAD~3"]);
    edit(&scene.repo, &["side/s=s\n", "d/b=side\n"]);
    scene.git(&["add", "-A"]);
    scene.git(&["commit", "-q", "-m", "side"]);
    scene.git(&["checkout", "-q", "main"]);
    scene.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    edit(&scene.repo, &["a=last\n"]);
    scene.git(&["commit", "-qam", "last"]);
    scene
}

fn id(scene: &Scene, revision: &str) -> ObjectId {
    let hex = scene.git(&["rev-parse", "--verify", revision]);
    ObjectId::from_hex(hex.trim().as_bytes()).unwrap()
}

fn wanted(scene: &Scene, want: &str, have: &[&str]) -> CommitsWanted {
    CommitsWanted {
        want: id(scene, want),
        have: have.iter().map(|have| id(scene, have)).collect(),
        shallow: Vec::new(),
        depth: None,
        blobs: true,
    }
}

fn fetch(scene: &Scene, wanted: &CommitsWanted) -> Fetched {
    scene.target().fetch_commits(wanted, &Silent).unwrap()
}

/// The objects in a pack, as git reads its index.
fn ids(scene: &Scene, fetched: &Fetched) -> BTreeSet<String> {
    let (pack, index) = (scene.temp.path().join("f.pack"), scene.temp.path().join("f.idx"));
    fs::write(&pack, &fetched.pack).unwrap();
    fs::write(&index, &fetched.index).unwrap();
    let listed = git(&scene.repo, &["verify-pack", "-v", index.to_str().unwrap()]);
    let is_object = |line: &&str| [" commit ", " tree   ", " blob   "].iter().any(|kind| line[40..].starts_with(kind));
    listed.lines().filter(|line| line.len() > 48).filter(is_object).map(|line| line[..40].to_owned()).collect()
}

fn listed(scene: &Scene, arguments: &[&str]) -> BTreeSet<String> {
    let listed = git(&scene.repo, &[&["rev-list", "--objects"], arguments, &["--"]].concat());
    listed.lines().map(|line| line[..40].to_owned()).collect()
}

#[test]
fn what_is_fetched_is_what_git_would_list() {
    let scene = forked();
    for (want, have) in
        [("main", "side"), ("main", "main~1"), ("main", "main~4"), ("side", "main~4"), ("main~1", "main~2")]
    {
        let mut asked = wanted(&scene, want, &[have]);
        let hidden = format!("^{have}");
        assert_eq!(ids(&scene, &fetch(&scene, &asked)), listed(&scene, &[want, &hidden]), "{want} {have}");
        asked.blobs = false;
        let without = listed(&scene, &[want, &hidden, "--filter=blob:none"]);
        assert_eq!(ids(&scene, &fetch(&scene, &asked)), without, "{want} {have}");
    }
    let all = fetch(&scene, &wanted(&scene, "main", &[]));
    assert_eq!((ids(&scene, &all), all.shallow), (listed(&scene, &["main"]), Vec::new()));
}

#[test]
fn a_depth_is_that_of_a_shallow_clone() {
    let scene = forked();
    for depth in 1..8 {
        let asked = CommitsWanted { depth: NonZeroU32::new(depth), ..wanted(&scene, "main", &[]) };
        let fetched = fetch(&scene, &asked);
        let (from, clone) = (format!("file://{}", scene.repo.display()), scene.temp.path().join(depth.to_string()));
        let to = clone.to_str().unwrap();
        git(scene.temp.path(), &["clone", "-q", "--no-tags", "--depth", &depth.to_string(), &from, to]);
        let cloned = git(&clone, &["rev-list", "--objects", "HEAD"]);
        let cloned: BTreeSet<String> = cloned.lines().map(|line| line[..40].to_owned()).collect();
        assert_eq!(ids(&scene, &fetched), cloned, "{depth}");
        let boundary: Vec<String> = fetched.shallow.iter().map(ToString::to_string).collect();
        let file = fs::read_to_string(clone.join(".git/shallow")).unwrap_or_default();
        assert_eq!(boundary, file.lines().collect::<Vec<_>>(), "{depth}");
    }
}

#[test]
fn a_shallow_sandbox_stays_so_whatever_its_branch_becomes() {
    let scene = forked();
    let first = CommitsWanted { depth: NonZeroU32::new(2), blobs: false, ..wanted(&scene, "main~2", &[]) };
    let have = fetch(&scene, &first);
    // Somebody goes back to before where the sandbox begins, and on from there.
    scene.git(&["checkout", "-q", "-f", "-B", "main", "main~5"]);
    edit(&scene.repo, &["a=again\n"]);
    scene.git(&["commit", "-qam", "again"]);
    let asked = CommitsWanted {
        have: vec![first.want],
        shallow: have.shallow.clone(),
        blobs: false,
        ..wanted(&scene, "main", &[])
    };
    let more = fetch(&scene, &asked);
    assert_eq!(more.shallow, [id(&scene, "main~1")]);
    let sandbox = scene.temp.path().join("sandbox.git");
    git(scene.temp.path(), &["init", "-q", "--bare", "sandbox.git"]);
    let mut shallow = Vec::new();
    for (number, fetched) in [&have, &more].into_iter().enumerate() {
        let base = sandbox.join(format!("objects/pack/pack-{number:040}"));
        fs::write(base.with_extension("pack"), &fetched.pack).unwrap();
        fs::write(base.with_extension("idx"), &fetched.index).unwrap();
        shallow.extend(fetched.shallow.iter().map(|id| format!("{id}\n")));
    }
    fs::write(sandbox.join("shallow"), shallow.concat()).unwrap();
    for tip in [first.want, asked.want] {
        git(&sandbox, &["rev-list", "--objects", "--filter=blob:none", "--filter-provided-objects", &tip.to_string()]);
    }
}

#[test]
fn what_no_ref_reaches_is_not_given_away() {
    let scene = forked();
    let dropped = id(&scene, "main");
    scene.git(&["reset", "-q", "--hard", "main~1"]);
    let refused =
        scene.target().fetch_commits(&CommitsWanted { want: dropped, ..wanted(&scene, "main", &[]) }, &Silent);
    assert_eq!(refused.unwrap_err().kind, TargetErrorKind::MissingObject);
    let blob =
        |commit, path: &str, id| scene.target().fetch_blobs(&[BlobAt { commit, path: path.into(), id }], &Silent);
    let (commit, a) = (id(&scene, "main"), id(&scene, "main:a"));
    assert_eq!(ids(&scene, &blob(commit, "a", a).unwrap()), BTreeSet::from([a.to_string()]));
    blob(id(&scene, "main~3"), "a", id(&scene, "main~3:a")).unwrap();
    assert_eq!(blob(dropped, "a", a).unwrap_err().kind, TargetErrorKind::MissingObject);
    let garbage = git(&scene.repo, &["rev-parse", &format!("{dropped}:a")]);
    let garbage = ObjectId::from_hex(garbage.trim().as_bytes()).unwrap();
    for (path, id) in [("a", garbage), ("d", id(&scene, "main:d")), ("nowhere", a), ("", a), ("a/b", a)] {
        assert_eq!(blob(commit, path, id).unwrap_err().kind, TargetErrorKind::Refused, "{path}");
    }
}
