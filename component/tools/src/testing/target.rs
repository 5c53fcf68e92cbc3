//! A repository outside a sandbox, and a host that reads it: another sandbox's repository, whose objects are loose.

use std::fs;
use std::path::PathBuf;

use gix::ObjectId;
use gix::objs::Kind;
use serde_json::{Value, json};

use super::Sandbox;
use crate::answer::{Answer, Answers, Fetched, Landed, Reference, Refs};
use crate::dispatch::{Finished, Step};
use crate::error::ToolError;
use crate::git::repo::Repo;
use crate::options::{Identity, Options};
use crate::question::{CommitsWanted, Push, Question};

/// A repository that is pulled from.
pub struct Target {
    /// Where it is made.
    pub sandbox: Sandbox,
    /// The host's name for it.
    pub name: &'static str,
    /// What its branch is called outside.
    pub branch: &'static str,
    /// How often it was asked for objects.
    pub fetches: usize,
    /// What was pushed to it and is said to have landed. Its branch stays where it is.
    pub pushed: Vec<Push>,
}

/// A sandbox with an empty repository, in which commits can be made.
pub fn with_identity() -> Sandbox {
    with_identity_and(&[])
}

/// The same with more zones, each writable or not.
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
    /// One without a commit, at `local:/project`.
    pub fn new() -> Target {
        Target::named("local:/project")
    }

    /// One without a commit.
    pub fn named(name: &'static str) -> Target {
        Target { sandbox: with_identity(), name, branch: "main", fetches: 0, pushed: Vec::new() }
    }

    /// Commits everything in its working folder, and gives the commit.
    pub fn commit(&mut self, message: &str) -> ObjectId {
        commit(&mut self.sandbox, message)
    }

    /// Commits one file with this content, and gives the commit.
    pub fn commit_file(&mut self, path: &str, content: &str) -> ObjectId {
        self.sandbox.write(path, content);
        self.commit(path)
    }

    /// Calls a tool of `sandbox` to its end, with this target for the world outside.
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
            Question::Push(push) => {
                let Push { target, reference, old, new, .. } = push.clone();
                self.pushed.push(push);
                Answer::Landed(Landed { target, reference, old, new })
            }
        }
    }

    fn refs(&mut self) -> Refs {
        let head = Repo::of(&mut self.sandbox.session).unwrap().head().unwrap();
        let name = format!("refs/heads/{}", self.branch);
        let reference = |id| Reference { name: name.clone(), id, peeled: None };
        Refs {
            target: self.name.to_owned(),
            head: Some(name.clone()),
            references: head.id().map(reference).into_iter().collect(),
        }
    }

    /// Brings every commit and tree there is, and the blobs if they are wanted. What is too much does no harm.
    fn commits(&mut self, sandbox: &Sandbox, wanted: &CommitsWanted) -> Answer {
        self.sandbox.session.forget();
        let repo = Repo::of(&mut self.sandbox.session).unwrap();
        for id in self.objects() {
            match repo.gix.find_header(id).unwrap().kind() {
                Kind::Commit if wanted.depth.is_some() && id != wanted.want => {}
                Kind::Blob if !wanted.blobs => {}
                _ => self.copy(sandbox, id),
            }
        }
        let has_parents = repo.gix.find_commit(wanted.want).unwrap().parent_ids().next().is_some();
        let shallow = if wanted.depth.is_some() && has_parents { vec![wanted.want] } else { Vec::new() };
        Answer::Fetched(Fetched { packs: Vec::new(), shallow })
    }

    fn objects(&self) -> Vec<ObjectId> {
        let mut ids = Vec::new();
        for folder in fs::read_dir(self.sandbox.real(".git/objects")).unwrap() {
            let folder = folder.unwrap();
            let start = folder.file_name().to_str().unwrap().to_owned();
            if start.len() == 2 {
                let files = fs::read_dir(folder.path()).unwrap();
                let names = files.map(|file| start.clone() + file.unwrap().file_name().to_str().unwrap());
                ids.extend(names.map(|hex| ObjectId::from_hex(hex.as_bytes()).unwrap()));
            }
        }
        ids
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

/// Commits everything in the working folder of `sandbox`, as the user, and gives the commit.
pub fn commit(sandbox: &mut Sandbox, message: &str) -> ObjectId {
    let staged = stage(sandbox, &["."], message);
    ObjectId::from_hex(staged["commitSha"].as_str().unwrap().as_bytes()).unwrap()
}

/// Stages `files` as the user, who approves.
pub fn stage(sandbox: &mut Sandbox, files: &[&str], message: &str) -> Value {
    approved_stage(sandbox, files, message).unwrap().structured
}

/// The same, whatever comes of it.
pub fn approved_stage(sandbox: &mut Sandbox, files: &[&str], message: &str) -> Result<Finished, ToolError> {
    let arguments = json!({"files": files, "message": message});
    let Step::Ask(question) = sandbox.calling("git_stage", arguments.clone()).step() else { panic!("staging asks") };
    let mut answers = Answers::default();
    answers.add(question.key(), Answer::Approved);
    sandbox.calling("git_stage", arguments).answers(answers).done()
}
