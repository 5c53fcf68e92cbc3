//! Runs a call to its end, with a real repository outside: provides its refs, commits and blobs, as a host does.

use std::fs;

use crate::host::wit::{
    Answer, AnswerBody, AttachedPack, Caller, CommitsWanted, Fetched, Landed, QuestionBody, Reference, Refs, Step,
    ToolError, ToolResult,
};
use crate::host::{Sandbox, call};
use crate::repo::Repo;

/// The most rounds of a call, by the interface.
const ROUNDS: usize = 8;

/// Makes a call as the user, and approves it. Provides everything it asks for from `repo`. Pushes land in a fake world. Returns the result,
/// and the length of its record.
pub fn served(
    sandbox: &mut Sandbox,
    tool: &str,
    arguments: &serde_json::Value,
    second: u64,
    repo: &Repo,
) -> (Result<ToolResult, ToolError>, usize) {
    let call = call(tool, &arguments.to_string(), Caller::User, second);
    let mut answers: Vec<Answer> = Vec::new();
    for _ in 0..ROUNDS {
        let question = match sandbox.call(&call, &answers) {
            (Step::Done(done), record) => return (done.outcome, record.len()),
            (Step::Ask(question), _) => question,
        };
        let body = match &question.body {
            QuestionBody::Approval(_) => AnswerBody::Approved,
            QuestionBody::Refs(_) => AnswerBody::Refs(refs(repo)),
            QuestionBody::Commits(wanted) => {
                let shallow = if wanted.depth.is_some() { vec![wanted.want.clone()] } else { Vec::new() };
                let objects = objects(repo, wanted);
                AnswerBody::Fetched(Fetched { packs: vec![attached(sandbox, repo, &objects)], shallow })
            }
            QuestionBody::Blobs(wanted) => {
                let objects: String = wanted.blobs.iter().map(|blob| format!("{}\n", blob.id)).collect();
                let packs = vec![attached(sandbox, repo, &objects)];
                AnswerBody::Fetched(Fetched { packs, shallow: Vec::new() })
            }
            // Nobody has said anything.
            QuestionBody::Comments(_) => AnswerBody::Comments(Vec::new()),
            QuestionBody::Push(push) => AnswerBody::Landed(Landed {
                target: push.target.clone(),
                reference: push.reference.clone(),
                old: push.old.clone(),
                new: push.new.clone(),
            }),
        };
        answers.push(Answer { key: question.key, body });
    }
    panic!("a call asks more than {ROUNDS} times: {call:?}");
}

fn refs(repo: &Repo) -> Refs {
    let listed = repo.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]);
    let references = listed.lines().filter_map(|line| line.split_once(' '));
    let reference = |(name, id): (&str, &str)| Reference { name: name.to_owned(), id: id.to_owned(), peeled: None };
    Refs {
        target: format!("local:{}", repo.path()),
        head: Some("refs/heads/main".to_owned()),
        references: references.map(reference).collect(),
    }
}

/// The ids of the requested objects, one on each line. A depth is that of one commit.
fn objects(repo: &Repo, wanted: &CommitsWanted) -> String {
    let mut arguments = vec!["rev-list", "--objects", "--no-object-names"];
    if wanted.depth.is_some() {
        arguments.push("--no-walk");
    }
    if !wanted.blobs {
        arguments.push("--filter=blob:none");
    }
    arguments.push(&wanted.want);
    let have: Vec<String> = wanted.have.iter().map(|id| format!("^{id}")).collect();
    arguments.extend(have.iter().filter(|_| wanted.depth.is_none()).map(String::as_str));
    repo.git(&arguments) + "\n"
}

/// Attaches a pack of these objects, with its index.
fn attached(sandbox: &mut Sandbox, repo: &Repo, objects: &str) -> AttachedPack {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let base = folder.path().join("part");
    let base = base.to_str().expect("temporary folders are UTF-8");
    let made = repo.try_git(&["pack-objects", "--quiet", base], objects.as_bytes());
    assert!(made.success, "{}", made.stderr);
    let name = String::from_utf8(made.stdout).expect("it is an id");
    let mut attach = |extension: &str| {
        let bytes = fs::read(format!("{base}-{}.{extension}", name.trim_end())).expect("git has written it");
        sandbox.attach(&bytes).to_vec()
    };
    AttachedPack { pack: attach("pack"), index: attach("idx") }
}
