//! What the person does between a kill amid the files of a worktree and the recovery.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::crash::{Original, until_it, worktree_files};
use super::support::*;
use crate::remote::land::Plan;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;
use crate::remote::{Recovered, Undone};

/// A linked worktree whose landing was killed when `a` was moved aside and nothing was in its place yet.
struct CutOff {
    original: Original,
    plan: Plan,
    linked: PathBuf,
    git_dir: PathBuf,
}

impl CutOff {
    /// `found` is what the person wrote to `a` at the very moment.
    fn new(found: &str) -> Self {
        let scene = Scene::new(&["a=a\n", "b=b\n"]);
        let tree = scene.git(&["hash-object", "-t", "tree", "-w", "/dev/null"]);
        let empty = scene.git(&["commit-tree", tree.trim(), "-m", "empty"]);
        scene.git(&["branch", "empty", empty.trim()]);
        scene.git(&["worktree", "add", "-q", "-b", "side", "../repo/linked"]);
        let push = scene.push("side", &["a=new\n", "c=c\n"]);
        let (linked, git_dir) = (scene.repo.join("linked"), scene.repo.join(".git/worktrees/linked"));
        let original = Original::new(scene, push, "repo/linked");
        let plan = original.scene.plan(&original.push).unwrap();
        let moved = Cell::new(false);
        let dies = |step: &'static str| {
            if step == "rename" && !moved.get() {
                fs::write(linked.join("a"), found).unwrap();
            }
            moved.replace(moved.get() || step == "rename")
        };
        until_it(dies, |disk| execute(disk, &original.target(), &original.push.pack, &plan).unwrap());
        let cut_off = CutOff { original, plan, linked, git_dir };
        assert!(!cut_off.linked.join("a").exists() && cut_off.original.tip() == Some(cut_off.original.push.new));
        assert!(cut_off.lock().exists());
        cut_off
    }

    fn lock(&self) -> PathBuf {
        self.git_dir.join("index.lock")
    }

    fn repo(&self) -> &Path {
        &self.original.scene.repo
    }

    fn take_back(&self) {
        git(&self.linked, &["update-ref", "refs/heads/side", &self.original.push.old.unwrap().to_string()]);
    }

    fn check_out_another(&self) {
        fs::remove_file(self.lock()).unwrap();
        git(&self.linked, &["checkout", "-q", "-f", "empty"]);
    }

    fn recover(&self) -> (Recovered, Undone) {
        let report = self.original.recover(&Disk::new(), &self.plan).unwrap();
        (report.state, report.undone)
    }
}

#[test]
fn a_submodule_that_the_person_commits_is_no_obstacle() {
    let cut_off = CutOff::new("a\n");
    let linked = &cut_off.linked;
    fs::remove_file(cut_off.lock()).unwrap();
    git(linked, &["reset", "-q"]);
    fs::create_dir(linked.join("sub")).unwrap();
    git(linked, &["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", cut_off.original.push.new)]);
    git(linked, &["commit", "-q", "-m", "submodule"]);
    assert_eq!(cut_off.recover().0, Recovered::Landed);
    assert_eq!(git(linked, &["status", "--porcelain", "-uall"]), "");
    assert_nothing_left(cut_off.repo());
}

#[test]
fn a_recovery_that_fails_gives_up_the_lock_that_it_took() {
    let cut_off = CutOff::new("a\n");
    let full = |step: &'static str| if step == "replace" { Err(Errno::NOSPC) } else { Ok(()) };
    let recover = || cut_off.original.recover(&Disk::watched(&full), &cut_off.plan).unwrap_err();
    recover();
    assert!(cut_off.lock().exists(), "the landing's own lock stays until its worktree is in order");
    fs::remove_file(cut_off.lock()).unwrap();
    recover();
    assert!(!cut_off.lock().exists());
    assert_eq!(cut_off.recover().0, Recovered::Landed);
    cut_off.original.assert_before_or_after("after all");
}

#[test]
fn a_linked_worktree_that_is_gone_is_settled() {
    let cut_off = CutOff::new("a\n");
    let moved = cut_off.repo().join("moved");
    fs::rename(&cut_off.linked, &moved).unwrap();
    let files = snapshot(&moved);
    for _ in 0..2 {
        assert_eq!(cut_off.recover(), (Recovered::Landed, Undone::default()));
    }
    assert!(!cut_off.linked.exists() && snapshot(&moved) == files);
    assert_nothing_left(cut_off.repo());
}

#[test]
fn nothing_comes_into_the_files_of_another_branch_or_commit() {
    for (act, state) in [("checkout -q -f empty", Recovered::Landed), ("reset -q --hard empty", Recovered::InDoubt)] {
        let cut_off = CutOff::new("a\n");
        fs::remove_file(cut_off.lock()).unwrap();
        git(&cut_off.linked, &act.split(' ').collect::<Vec<_>>());
        let files = worktree_files(&cut_off.linked);
        assert_eq!(cut_off.recover(), (state, Undone::default()), "{act}");
        assert_eq!(worktree_files(&cut_off.linked), files, "{act}");
        assert_nothing_left(cut_off.repo());
    }
}

#[test]
fn what_is_aside_of_a_push_taken_back_is_put_back_and_told() {
    for found in ["a\n", "mine\n"] {
        let cut_off = CutOff::new(found);
        cut_off.take_back();
        let undone = Undone { restored: vec!["a".into()], kept_copies: Vec::new() };
        assert_eq!(cut_off.recover(), (Recovered::NotLanded, undone));
        assert_eq!(fs::read_to_string(cut_off.linked.join("a")).unwrap(), found);
        assert_nothing_left(cut_off.repo());
    }
}

#[test]
fn what_the_person_wrote_and_cannot_be_put_back_is_kept_and_told() {
    let gone = |cut_off: &CutOff| fs::remove_dir_all(&cut_off.linked).unwrap();
    let acts: [&dyn Fn(&CutOff); 2] = [&CutOff::check_out_another, &gone];
    for act in acts {
        let cut_off = CutOff::new("mine\n");
        act(&cut_off);
        let (state, undone) = cut_off.recover();
        let copy = format!("gitgate/kept-{}-0", cut_off.plan.nonce);
        let copy = cut_off.git_dir.canonicalize().unwrap().join(copy);
        let kept = Undone { restored: Vec::new(), kept_copies: vec![("a".into(), copy.clone())] };
        assert_eq!((state, undone), (Recovered::Landed, kept));
        assert_eq!(fs::read_to_string(&copy).unwrap(), "mine\n");
        // Once the person took the copy, the folder that holds such copies goes as well.
        fs::remove_file(copy).unwrap();
        assert_eq!(cut_off.recover(), (Recovered::Landed, Undone::default()));
        assert_nothing_left(cut_off.repo());
    }
}
