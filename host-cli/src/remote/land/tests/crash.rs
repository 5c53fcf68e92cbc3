//! Landings cut off before every single change they make, as a kill would.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::support::*;
use crate::remote::land::Plan;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;
use crate::remote::land::recover::recover;
use crate::remote::{LandError, Recovered, RecoveryReport, Target};

/// What a cut-off run unwinds with.
struct Killed;

/// Run `work` with a disk that ends it before its `at`-th change; `None` when it was cut off.
pub(super) fn until<T>(at: usize, work: impl FnOnce(&Disk<'_>) -> T) -> Option<T> {
    let left = Cell::new(at);
    // To be killed before a folder is synced is to be killed before the change that comes next.
    until_it(|step| step != "sync" && left.replace(left.get().wrapping_sub(1)) == 0, work)
}

/// Run `work` with a disk that ends it before the first change for which `dies` holds; `None` when it was cut off.
pub(super) fn until_it<T>(dies: impl Fn(&'static str) -> bool, work: impl FnOnce(&Disk<'_>) -> T) -> Option<T> {
    let hook = |step: &'static str| if dies(step) { resume_unwind(Box::new(Killed)) } else { Ok(()) };
    match catch_unwind(AssertUnwindSafe(|| work(&Disk::watched(&hook)))) {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<Killed>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// A repository that is copied afresh for every run.
pub(super) struct Original {
    pub(super) scene: Scene,
    pub(super) push: Push,
    pub(super) dirty: String,
    /// Where the repository of git's worktree commands is, below the copied folder.
    worktree: &'static str,
    before: BTreeMap<String, (u32, Vec<u8>)>,
}

impl Original {
    pub(super) fn new(scene: Scene, push: Push, worktree: &'static str) -> Self {
        let path = scene.repo.parent().unwrap().join(worktree);
        let dirty =
            if path.join(".git").exists() { git(&path, &["status", "--porcelain", "-uall"]) } else { String::new() };
        let before = state(&scene.repo);
        Original { scene, push, dirty, worktree, before }
    }

    /// A checked-out branch, and a push with every kind of change.
    pub(super) fn checked_out() -> Self {
        let scene = Scene::new(&[
            "mod=m\n",
            "mode=x\n",
            "gone/deep/f=f\n",
            "file=f\n",
            "dir/x=x\n",
            "l->mod",
            "mine=m\n",
            ".gitattributes=*.crlf text eol=crlf\n",
        ]);
        edit(&scene.repo, &["mine=work\n", "untracked=u\n", "dir2/u=u\n"]);
        let push = scene.push(
            "main",
            &[
                "mod=m2\n",
                "mode!=x\n",
                "gone-",
                "file-",
                "file/in=i\n",
                "dir-",
                "dir=d\n",
                "l->mode",
                "new/n.crlf=a\nb\n",
            ],
        );
        Original::new(scene, push, "repo")
    }

    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Original::checked_out()];
        let scene = Scene::bare(&["a=a\n"]);
        let push = scene.push("feature/new", &["a=b\n"]);
        scene.git(&["config", "core.logAllRefUpdates", "true"]);
        all.push(Original::new(scene, push, "bare.git"));
        let scene = Scene::bare(&["a=a\n"]);
        let push = scene.push("main", &["a=b\n"]);
        scene.git(&["config", "core.logAllRefUpdates", "true"]);
        all.push(Original::new(scene, push, "bare.git"));
        let scene = Scene::new(&["a=a\n", "b=b\n"]);
        scene.git(&["worktree", "add", "-q", "-b", "side", "../repo/linked"]);
        let push = scene.push("side", &["a=b\n", "b-"]);
        all.push(Original::new(scene, push, "repo/linked"));
        let scene = Scene::new(&[]);
        let push = scene.push("main", &["a=a\n", "d/b=b\n"]);
        all.push(Original::new(scene, push, "repo"));
        let scene = Scene::bare(&["a=a\n"]);
        let files: Vec<String> = (0..120).map(|n| format!("many/{n}={n}\n")).collect();
        let push = scene.push("main", &files.iter().map(String::as_str).collect::<Vec<_>>());
        all.push(Original::new(scene, push, "bare.git"));
        all
    }

    /// Put the repository back to its beginning. The place stays the same, for plans and linked worktrees name it.
    pub(super) fn reset(&self) {
        let saved = self.scene.temp.path().join("saved");
        if !saved.exists() {
            copy(&self.scene.repo, &saved);
        }
        fs::remove_dir_all(&self.scene.repo).unwrap();
        copy(&saved, &self.scene.repo);
    }

    pub(super) fn target(&self) -> Target {
        self.scene.target()
    }

    pub(super) fn tip(&self) -> Option<ObjectId> {
        let (found, id) = try_git(&self.scene.repo, &["rev-parse", "--verify", "-q", &self.push.reference]);
        found.then(|| ObjectId::from_hex(id.trim().as_bytes()).unwrap())
    }

    pub(super) fn recover(&self, disk: &Disk<'_>, plan: &Plan) -> Result<RecoveryReport, LandError> {
        recover(disk, &self.target(), plan, self.tip())
    }

    fn worktree(&self) -> PathBuf {
        self.scene.temp.path().join(self.worktree)
    }

    /// The repository is wholly before or wholly after the push, whichever its branch says.
    pub(super) fn assert_before_or_after(&self, context: &str) {
        if self.tip() == Some(self.push.new) {
            assert_landed(&self.worktree(), &self.push, &self.dirty);
        } else {
            assert_eq!(self.tip(), self.push.old, "{context}");
            let now = state(&self.scene.repo);
            for (path, content) in &now {
                assert_eq!(Some(content), self.before.get(path), "{context}: {path}");
            }
            assert_eq!(now.len(), self.before.len(), "{context}");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    let status = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

/// All of the repository but its object database, which may keep what nothing refers to.
pub(super) fn state(repo: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut state = snapshot(repo);
    state.retain(|path, _| {
        let object = path.contains("objects/") && !path.contains("tmp_");
        let whole = ["pack", "idx", "rev"].iter().any(|end| path.ends_with(end)) || !path.contains("objects/pack/");
        !(object && whole)
    });
    state
}

#[test]
fn a_landing_cut_off_anywhere_is_before_or_after() {
    for original in Original::all() {
        let plan = original.scene.plan(&original.push).unwrap();
        let mut landed = 0;
        for at in 0.. {
            original.reset();
            let done = until(at, |disk| execute(disk, &original.target(), &original.push.pack, &plan).unwrap());
            let report = original.recover(&Disk::new(), &plan).unwrap();
            original.assert_before_or_after(&format!("cut off at {at}"));
            let expected =
                if original.tip() == Some(original.push.new) { Recovered::Landed } else { Recovered::NotLanded };
            assert_eq!(report.state, expected, "cut off at {at}");
            assert!(
                report.landed.kept.is_empty() && report.landed.kept_copies.is_empty(),
                "cut off at {at}: {report:?}"
            );
            landed += usize::from(report.state == Recovered::Landed);
            if done.is_some() {
                assert!(
                    at > 10 && landed > 3,
                    "there were {at} places to cut, {landed} of them after the branch moved"
                );
                break;
            }
        }
    }
}

#[test]
fn a_recovery_cut_off_anywhere_is_recovered_by_the_next() {
    let original = Original::checked_out();
    let plan = original.scene.plan(&original.push).unwrap();
    for at in 0.. {
        original.reset();
        if until(at, |disk| execute(disk, &original.target(), &original.push.pack, &plan).unwrap()).is_some() {
            assert!(at > 40);
            break;
        }
        // One more step of recovery each time, so that it is cut off everywhere and still gets on.
        for again in 0.. {
            if until(again, |disk| original.recover(disk, &plan).unwrap()).is_some() {
                break;
            }
        }
        original.assert_before_or_after(&format!("cut off at {at} and then again and again"));
    }
}

#[test]
fn what_the_person_does_after_the_crash_is_kept() {
    let original = Original::checked_out();
    let plan = original.scene.plan(&original.push).unwrap();
    let mut cases = 0;
    for at in 0.. {
        original.reset();
        let done = until(at, |disk| execute(disk, &original.target(), &original.push.pack, &plan).unwrap()).is_some();
        if original.tip() == Some(original.push.new) && !done {
            cases += 1;
            let repo = &original.scene.repo;
            for (path, text) in [("mod", "after the crash\n"), ("new/n.crlf", "mine\n")] {
                fs::create_dir_all(repo.join(path).parent().unwrap()).unwrap();
                fs::write(repo.join(path), text).unwrap();
            }
            let report = original.recover(&Disk::new(), &plan).unwrap();
            assert_eq!(report.state, Recovered::Landed);
            assert_eq!(fs::read_to_string(repo.join("mod")).unwrap(), "after the crash\n", "cut off at {at}");
            assert_eq!(fs::read_to_string(repo.join("new/n.crlf")).unwrap(), "mine\n", "cut off at {at}");
            assert_landed(repo, &original.push, " M mine\n M mod\n M new/n.crlf\n?? dir2/u\n?? untracked\n");
        }
        if done {
            break;
        }
    }
    assert!(cases > 10);
}

#[test]
fn a_file_changed_under_the_landing_is_put_back_and_named() {
    let original = Original::checked_out();
    let plan = original.scene.plan(&original.push).unwrap();
    let mut kept = 0;
    for at in 0.. {
        original.reset();
        let repo = &original.scene.repo;
        let count: Cell<usize> = Cell::new(at);
        let hook = |_: &'static str| {
            if count.get() == 0 && repo.join("mod").exists() && fs::read_to_string(repo.join("mod")).unwrap() == "m\n" {
                fs::write(repo.join("mod"), "mine\n").unwrap();
            }
            count.set(count.get().wrapping_sub(1));
            Ok(())
        };
        let result = execute(&Disk::watched(&hook), &original.target(), &original.push.pack, &plan);
        let finished = count.get() < usize::MAX / 2;
        match result {
            Ok(landed) => {
                let mine = fs::read_to_string(repo.join("mod")).unwrap() == "mine\n";
                assert_eq!(landed.kept.iter().any(|path| path == "mod"), mine, "at {at}");
                kept += usize::from(mine);
                assert!(landed.kept_copies.is_empty());
                let status = git(repo, &["status", "--porcelain", "--", "mod"]);
                assert_eq!(status, if mine { " M mod\n" } else { "" }, "at {at}");
                assert_sound(repo);
            }
            Err(LandError::Conflict { .. }) => {
                assert_eq!(fs::read_to_string(repo.join("mod")).unwrap(), "mine\n");
                assert_eq!(original.tip(), original.push.old);
                assert_sound(repo);
            }
            Err(other) => panic!("at {at}: {other}"),
        }
        if finished {
            break;
        }
    }
    assert!(kept > 3, "only {kept} times was the file changed between check and rename");
}

#[test]
fn a_recovery_long_after_leaves_later_commits_alone() {
    let original = Original::checked_out();
    let plan = original.scene.plan(&original.push).unwrap();
    for at in 0.. {
        original.reset();
        if until(at, |disk| execute(disk, &original.target(), &original.push.pack, &plan).unwrap()).is_some() {
            break;
        }
        if original.tip() != Some(original.push.new) {
            continue;
        }
        // The person throws the lock away, and commits the worktree as it is.
        let repo = &original.scene.repo;
        let _ = fs::remove_file(repo.join(".git/index.lock"));
        for path in ["mod", "mode", "gone", "file", "dir", "l", "new"] {
            let tracked = !git(repo, &["ls-files", "--", path]).is_empty();
            if tracked || repo.join(path).symlink_metadata().is_ok() {
                git(repo, &["add", "-A", "--", path]);
            }
        }
        git(repo, &["commit", "-q", "--allow-empty", "-m", "person"]);
        let committed = git(repo, &["rev-parse", "HEAD"]);
        let files = worktree_files(repo);
        let report = original.recover(&Disk::new(), &plan).unwrap();
        assert_eq!(report.state, Recovered::Landed);
        assert_eq!(git(repo, &["rev-parse", "HEAD"]), committed);
        assert_eq!(worktree_files(repo), files, "cut off at {at}");
        assert_eq!(git(repo, &["status", "--porcelain", "-uall"]), original.dirty, "cut off at {at}");
        assert_sound(repo);
    }
}

pub(super) fn worktree_files(repo: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut files = snapshot(repo);
    // Git knows no empty folders, so what happens to them shows in nothing it says.
    files.retain(|path, _| !path.starts_with(".git/") && !repo.join(path).is_dir());
    files
}
