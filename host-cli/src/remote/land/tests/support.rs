//! A person's repository made by git, and a clone of it that stands for the sandbox.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use gate::objects::Overlay;
use gate::pack::{Origin, PackLimits, VerifiedPack};
use gix::ObjectId;
use tempfile::TempDir;

use crate::remote::land::changes::Finder;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;
use crate::remote::land::survey::{Update, survey};
use crate::remote::land::{Plan, log_line};
use crate::remote::{Committer, LandError, Landed, Target, TargetSpec};

/// Run git with everything pinned, and return what it printed.
pub(in crate::remote) fn git(dir: &Path, args: &[&str]) -> String {
    let (ok, text) = try_git(dir, args);
    assert!(ok, "git {args:?} in {}: {text}", dir.display());
    text
}

pub(in crate::remote) fn try_git(dir: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new(trial::git())
        .current_dir(dir)
        .args(args)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").expect("tests run with a PATH"))
        .env("HOME", dir)
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs([
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_AUTHOR_DATE", "1700000000 +0100"),
        ])
        .envs([
            ("GIT_COMMITTER_NAME", "C"),
            ("GIT_COMMITTER_EMAIL", "c@example.org"),
            ("GIT_COMMITTER_DATE", "1700000000 +0100"),
        ])
        .output()
        .expect("git starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

/// What is to be in a tree: `path=content`, `path!=content` for an executable, `path->text` for a link, `path-` to delete.
pub(in crate::remote) fn edit(root: &Path, edits: &[&str]) {
    for edit in edits {
        if let Some((path, text)) = edit.split_once("->") {
            let path = clear(root, path);
            std::os::unix::fs::symlink(text, path).unwrap();
        } else if let Some((path, content)) = edit.split_once('=') {
            let executable = path.ends_with('!');
            let path = clear(root, path.trim_end_matches('!'));
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 })).unwrap();
        } else {
            clear(root, edit.strip_suffix('-').expect("an edit has one of the forms"));
        }
    }
}

fn clear(root: &Path, path: &str) -> PathBuf {
    let path = root.join(path);
    if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        fs::remove_dir_all(&path).unwrap();
    } else if path.symlink_metadata().is_ok() {
        fs::remove_file(&path).unwrap();
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

/// A repository and what is to be pushed to it.
pub(in crate::remote) struct Scene {
    pub(in crate::remote) temp: TempDir,
    /// The person's repository, or its bare folder.
    pub(in crate::remote) repo: PathBuf,
    sandbox: PathBuf,
    kind: &'static str,
}

/// A push that is ready to land.
pub(super) struct Push {
    pub(super) pack: VerifiedPack,
    pub(super) reference: String,
    pub(super) old: Option<ObjectId>,
    pub(super) new: ObjectId,
}

impl Scene {
    /// A repository with branch `main` checked out and one commit of these files; none makes an unborn branch.
    pub(in crate::remote) fn new(files: &[&str]) -> Scene {
        let temp = tempfile::tempdir().unwrap();
        let repo = temp.path().join("repo");
        fs::create_dir(&repo).unwrap();
        git(&repo, &["init", "-q", "-b", "main"]);
        if !files.is_empty() {
            edit(&repo, files);
            git(&repo, &["add", "-A"]);
            git(&repo, &["commit", "-q", "-m", "base"]);
        }
        let sandbox = temp.path().join("sandbox");
        git(temp.path(), &["clone", "-q", "repo", "sandbox"]);
        Scene { temp, repo, sandbox, kind: "local" }
    }

    /// The same as a bare repository.
    pub(in crate::remote) fn bare(files: &[&str]) -> Scene {
        let mut scene = Scene::new(files);
        git(scene.temp.path(), &["clone", "-q", "--bare", "repo", "bare.git"]);
        git(&scene.temp.path().join("bare.git"), &["remote", "remove", "origin"]);
        scene.repo = scene.temp.path().join("bare.git");
        scene.kind = "bare";
        scene
    }

    pub(in crate::remote) fn git(&self, args: &[&str]) -> String {
        git(&self.repo, args)
    }

    /// The sandbox's git converts nothing, whatever attributes are committed.
    pub(super) fn ignore_attributes_in_the_sandbox(&self) {
        fs::write(self.sandbox.join(".git/info/attributes"), "* !filter !ident !working-tree-encoding\n").unwrap();
    }

    pub(in crate::remote) fn target(&self) -> Target {
        self.target_at(&self.repo)
    }

    pub(super) fn target_at(&self, repo: &Path) -> Target {
        let spec = TargetSpec::parse(&format!("{}:{}", self.kind, repo.display())).unwrap();
        Target::open(&spec, Path::new("/")).unwrap()
    }

    /// Commit these edits on top of what the repository's `main` is, and make a push of it to `branch`.
    pub(super) fn push(&self, branch: &str, edits: &[&str]) -> Push {
        edit(&self.sandbox, edits);
        git(&self.sandbox, &["add", "-A"]);
        git(&self.sandbox, &["commit", "-q", "--allow-empty", "-m", "pushed"]);
        let new = git(&self.sandbox, &["rev-parse", "HEAD"]);
        let reference = format!("refs/heads/{branch}");
        let old = match try_git(&self.repo, &["rev-parse", "--verify", "-q", &reference]) {
            (true, id) => Some(ObjectId::from_hex(id.trim().as_bytes()).unwrap()),
            (false, _) => None,
        };
        let base = try_git(&self.repo, &["rev-parse", "--verify", "-q", "HEAD"]);
        let not_base = if base.0 { format!("^{}", base.1.trim()) } else { String::new() };
        Push {
            pack: self.pack(&[new.trim(), &not_base]),
            reference,
            old,
            new: ObjectId::from_hex(new.trim().as_bytes()).unwrap(),
        }
    }

    fn pack(&self, revisions: &[&str]) -> VerifiedPack {
        let list = self.temp.path().join("revisions");
        fs::write(&list, revisions.join("\n")).unwrap();
        let prefix = self.temp.path().join("out");
        let script = format!("git pack-objects -q --revs {} < {}", prefix.display(), list.display());
        let output = Command::new("sh").current_dir(&self.sandbox).args(["-c", &script]).output().unwrap();
        let id = String::from_utf8(output.stdout).unwrap();
        let bytes = fs::read(format!("{}-{}.pack", prefix.display(), id.trim())).unwrap();
        gate::pack::verify(bytes.into(), &PackLimits::push(), Origin::New).unwrap()
    }

    pub(super) fn plan(&self, push: &Push) -> Result<Plan, LandError> {
        plan(&self.target(), push)
    }

    /// Plan and carry out.
    pub(super) fn land(&self, push: &Push) -> Result<Landed, LandError> {
        let plan = self.plan(push)?;
        let plan: Plan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
        execute(&Disk::new(), &self.target(), &push.pack, &plan)
    }

    /// The repository is sound, the branch is at the push, and a checked-out worktree shows only `dirty`.
    pub(super) fn assert_landed(&self, push: &Push, dirty: &str) {
        assert_landed(&self.repo, push, dirty);
    }

    /// Landing is a conflict with this obstacle about these paths, and not one byte of the repository changes.
    pub(super) fn assert_conflict(&self, push: &Push, expected: crate::remote::Obstacle, about: &[&str]) {
        let before = snapshot(self.temp.path());
        match self.land(push) {
            Err(LandError::Conflict { obstacle, paths, message, hint, .. }) => {
                assert_eq!(
                    (obstacle, &paths[..]),
                    (expected, &about.iter().map(|p| (*p).into()).collect::<Vec<_>>()[..]),
                    "{message}"
                );
                assert!(!hint.is_empty());
            }
            other => panic!("expected a conflict: {other:?}"),
        }
        assert_eq!(snapshot(self.temp.path()), before);
    }
}

pub(super) fn plan(target: &Target, push: &Push) -> Result<Plan, LandError> {
    let committer = Committer { identity: None, seconds: 1_700_000_100, offset_minutes: -90 };
    let update = Update {
        reference: push.reference.clone(),
        old: push.old,
        new: push.new,
        nonce: gate::id::Nonce::from_random(*b"0123456789abcdef"),
        log_line: log_line(target, push.old, push.new, &committer),
    };
    let objects = target.objects()?;
    survey(target, &update, Finder(&Overlay { pack: &push.pack, below: &objects }), false)
}

pub(super) fn assert_landed(repo: &Path, push: &Push, dirty: &str) {
    assert_eq!(git(repo, &["rev-parse", &push.reference]).trim(), push.new.to_string());
    assert_sound(repo);
    if git(repo, &["rev-parse", "--is-bare-repository"]).trim() == "false" {
        assert_eq!(git(repo, &["status", "--porcelain", "-uall"]), dirty);
    }
}

/// No git finds a fault, and nothing of a landing is left.
pub(super) fn assert_sound(repo: &Path) {
    let (ok, text) = try_git(repo, &["fsck", "--strict", "--no-dangling"]);
    assert!(
        ok && text
            .replace("notice: HEAD points to an unborn branch (main)\n", "")
            .replace("notice: No default references\n", "")
            .is_empty(),
        "{text}"
    );
    assert_nothing_left(repo);
}

/// Nothing of a landing is left but what it keeps for the person.
pub(super) fn assert_nothing_left(repo: &Path) {
    for (path, _) in snapshot(repo) {
        let ours = ["gitgate", "tmp_obj", "tmp_pack", "tmp_idx", ".lock"].iter().any(|part| path.contains(part));
        assert!(!ours || path.contains("kept-"), "left behind: {path}");
    }
}

/// Every file, link and folder below a folder, with its mode and bytes.
pub(super) fn snapshot(root: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stat = path.symlink_metadata().unwrap();
            let content = if stat.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if stat.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), (stat.mode(), content));
        }
    }
    found
}
