//! A repository outside a sandbox, and a host that reads it. It is the repository of another sandbox, with loose objects.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU32;
use std::path::PathBuf;

use gix::ObjectId;
use serde_json::{Value, json};

use crate::answer::{Answer, Answers, Fetched, Landed, Reference, Refs};
use crate::dispatch::{Finished, Step};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::options::{Identity, Options};
use crate::question::{CommitsWanted, Push, Question};
use crate::testing::Sandbox;

/// A repository to pull from. It may have branches besides its own.
pub struct Target {
    /// The sandbox that holds the repository.
    pub sandbox: Sandbox,
    /// The host's name for it.
    pub name: &'static str,
    /// The name of its branch outside.
    pub branch: &'static str,
    /// Other branches and their commits.
    pub others: Vec<(&'static str, ObjectId)>,
    /// How often a tool asked it for objects.
    pub fetches: usize,
    /// The pushes that it reported as landed. Its branch does not move.
    pub pushed: Vec<Push>,
}

/// A sandbox with an empty repository and an identity for commits.
pub fn with_identity() -> Sandbox {
    with_identity_and(&[])
}

/// As [`with_identity`], with more zones, each writable or not.
pub fn with_identity_and(zones: &[(&str, bool)]) -> Sandbox {
    let identity = Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() };
    let mut sandbox = Sandbox::with(Options { identity: Some(identity), ..Options::default() }, zones);
    sandbox.calling("sandbox_import", json!({})).as_user().done().unwrap();
    sandbox
}

impl Default for Target {
    fn default() -> Target {
        Target::new()
    }
}

impl Target {
    /// A target without a commit, at `local:/project`.
    pub fn new() -> Target {
        Target::named("local:/project")
    }

    /// A target without a commit.
    pub fn named(name: &'static str) -> Target {
        Target { sandbox: with_identity(), name, branch: "main", others: Vec::new(), fetches: 0, pushed: Vec::new() }
    }

    /// Commits everything in its working folder, and returns the commit.
    pub fn commit(&mut self, message: &str) -> ObjectId {
        commit(&mut self.sandbox, message)
    }

    /// Commits one file with this content, and returns the commit.
    pub fn commit_file(&mut self, path: &str, content: &str) -> ObjectId {
        self.sandbox.write(path, content);
        self.commit(path)
    }

    /// Calls a tool of `sandbox` until it is done, and answers its questions from this target.
    pub fn serve(&mut self, sandbox: &mut Sandbox, tool: &str, arguments: Value) -> Result<Finished, ToolError> {
        let mut answers = Answers::default();
        for _ in 0..8 {
            match sandbox.calling(tool, arguments.clone()).as_user().answers(answers.clone()).step() {
                Step::Done(outcome) => return outcome,
                Step::Ask(question) => answers.add(question.key(), self.answer(sandbox, *question)),
            }
        }
        panic!("{tool} asks and asks");
    }

    fn answer(&mut self, sandbox: &Sandbox, question: Question) -> Answer {
        match question {
            Question::Approval(_) => Answer::Approved,
            Question::Refs(_) => Answer::Refs(self.refs()),
            Question::Commits(wanted) => {
                assert_eq!(wanted.target, self.name);
                self.fetches += 1;
                self.commits(sandbox, &wanted)
            }
            Question::Blobs(wanted) => {
                assert_eq!(wanted.target, self.name);
                self.fetches += 1;
                for blob in &wanted.blobs {
                    self.copy(sandbox, blob.id);
                }
                Answer::Fetched(Fetched::default())
            }
            // Nobody has said anything about it.
            Question::Comments(_) => Answer::Comments(Vec::new()),
            Question::Push(push) => {
                let Push { target, reference, old, new, .. } = push.clone();
                self.pushed.push(push);
                Answer::Landed(Landed { target, reference, old, new })
            }
        }
    }

    fn refs(&mut self) -> Refs {
        let head = self.sandbox.session.repo().unwrap().head().unwrap();
        let own = format!("refs/heads/{}", self.branch);
        let branches = head.id().map(|id| (self.branch, id)).into_iter().chain(self.others.iter().copied());
        let reference = |(name, id)| Reference { name: format!("refs/heads/{name}"), id, peeled: None };
        Refs { target: self.name.to_owned(), head: Some(own), references: branches.map(reference).collect() }
    }

    /// Brings exactly the commits that the sandbox lacks, their trees, and the blobs if wanted.
    fn commits(&mut self, sandbox: &Sandbox, wanted: &CommitsWanted) -> Answer {
        self.sandbox.session.forget();
        let repo = self.sandbox.session.repo().unwrap();
        let known: Vec<ObjectId> = wanted.have.iter().filter(|id| repo.gix.has_object(**id)).copied().collect();
        let depth = wanted.depth.filter(|_| known.is_empty()).map_or(u32::MAX, NonZeroU32::get);
        let before = history(&repo, &known, &[]);
        let mut had = history(&repo, &known, &wanted.shallow);
        let mut shallow = Vec::new();
        let mut level = BTreeSet::from([wanted.want]);
        for number in 1.. {
            level.retain(|commit| had.insert(*commit));
            let mut above = BTreeSet::new();
            for commit in level {
                self.copy(sandbox, commit);
                self.copy_tree(&repo, sandbox, repo.tree_of(commit).unwrap(), wanted.blobs);
                let parents = parents(&repo, commit);
                match number == depth || before.contains(&commit) {
                    true => shallow.extend((!parents.is_empty()).then_some(commit)),
                    false => above.extend(parents),
                }
            }
            level = above;
            if level.is_empty() {
                break;
            }
        }
        Answer::Fetched(Fetched { packs: Vec::new(), shallow })
    }

    fn copy_tree(&self, repo: &Repo, sandbox: &Sandbox, tree: ObjectId, blobs: bool) {
        self.copy(sandbox, tree);
        for entry in repo.gix.find_tree(tree).unwrap().iter().map(Result::unwrap) {
            match entry.mode() {
                mode if mode.is_tree() => self.copy_tree(repo, sandbox, entry.object_id(), blobs),
                mode if blobs && !mode.is_commit() => self.copy(sandbox, entry.object_id()),
                _ => {}
            }
        }
    }

    fn copy(&self, sandbox: &Sandbox, id: ObjectId) {
        let hex = id.to_string();
        let path =
            |sandbox: &Sandbox| -> PathBuf { sandbox.real(&format!(".git/objects/{}/{}", &hex[..2], &hex[2..])) };
        let to = path(sandbox);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, fs::read(path(&self.sandbox)).unwrap()).unwrap();
    }
}

fn parents(repo: &Repo, commit: ObjectId) -> Vec<ObjectId> {
    repo.gix.find_commit(commit).unwrap().parent_ids().map(gix::Id::detach).collect()
}

/// `tips` and their ancestors, down to the commits in `shallow`.
fn history(repo: &Repo, tips: &[ObjectId], shallow: &[ObjectId]) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    let mut pending = tips.to_vec();
    while let Some(commit) = pending.pop() {
        if found.insert(commit) && !shallow.contains(&commit) {
            pending.extend(parents(repo, commit));
        }
    }
    found
}

/// Commits everything in the working folder of `sandbox` as the user, and returns the commit.
pub fn commit(sandbox: &mut Sandbox, message: &str) -> ObjectId {
    let staged = stage(sandbox, &["."], message);
    ObjectId::from_hex(staged["commitSha"].as_str().unwrap().as_bytes()).unwrap()
}

/// Stages `files` as the user, approves, and expects success.
pub fn stage(sandbox: &mut Sandbox, files: &[&str], message: &str) -> Value {
    approved_stage(sandbox, files, message).unwrap().structured()
}

/// As [`stage`], but returns an error too.
pub fn approved_stage(sandbox: &mut Sandbox, files: &[&str], message: &str) -> Result<Finished, ToolError> {
    let arguments = json!({"files": files, "message": message});
    let Step::Ask(question) = sandbox.calling("git_stage", arguments.clone()).step() else { panic!("staging asks") };
    let mut answers = Answers::default();
    answers.add(question.key(), Answer::Approved);
    sandbox.calling("git_stage", arguments).answers(answers).done()
}
