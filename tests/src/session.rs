//! Runs a call to its end, with a fake world outside: targets with refs, and a person who says yes or no.

use std::collections::BTreeMap;

use crate::host::Sandbox;
use crate::host::wit::{
    Answer, AnswerBody, Caller, Conflict, Landed, Question, QuestionBody, Reference, Refs, Step, ToolCall, ToolError,
};
use crate::host::{call, wit};

/// The most rounds of a call, by the interface.
const ROUNDS: usize = 8;

/// A step, and its bytes: a record or a pack.
pub type Heard = (Step, Vec<u8>);

/// The world outside. Equal worlds give equal answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The refs of the only target, by name.
    pub refs: BTreeMap<String, String>,
}

/// The world's reaction to the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It approves everything, and every push lands.
    Willing,
    /// The person rejects everything.
    Rejecting,
    /// Pushes meet a conflict.
    Conflicting,
    /// The host's requests fail.
    Failing,
    /// Nobody answers, and the call is never repeated.
    Silent,
}

/// A comment that is open, with these answers to it.
fn comment(answers: &[wit::CommentAnswer]) -> wit::Comment {
    let reply = |answer: &wit::CommentAnswer| wit::CommentReply {
        by: "the agent".to_owned(),
        agent: true,
        text: answer.text.clone(),
        at: 0,
    };
    wit::Comment {
        id: "0123456789abcdef".to_owned(),
        target: "local:/project".to_owned(),
        reference: "refs/heads/main".to_owned(),
        commit: "01".repeat(20),
        path: Some("a.md".to_owned()),
        lines: Some(wit::CommentLines { old: false, first: 1, last: 1, texts: vec!["a".to_owned()] }),
        must: true,
        text: "why?".to_owned(),
        by: "ada".to_owned(),
        at: 0,
        replies: answers.iter().map(reply).collect(),
    }
}

impl World {
    /// The answer to a question, if there is one.
    pub fn answer(&mut self, question: &Question, mood: Mood) -> Option<AnswerBody> {
        let body = match (&question.body, mood) {
            (_, Mood::Silent) => return None,
            (QuestionBody::Approval(_), Mood::Rejecting) | (QuestionBody::Push(_), Mood::Rejecting) => {
                AnswerBody::Rejected("not now".to_owned())
            }
            (QuestionBody::Approval(_), _) => AnswerBody::Approved,
            (_, Mood::Failing) => AnswerBody::Failed(ToolError {
                kind: wit::ErrorKind::ExecutionFailed,
                message: "the disk is full".to_owned(),
                hint: "free some space".to_owned(),
                causes: Vec::new(),
            }),
            // Its refs are the whole target.
            (QuestionBody::Commits(_) | QuestionBody::Blobs(_), _) => AnswerBody::Failed(ToolError {
                kind: wit::ErrorKind::NotFound,
                message: "there is no such object".to_owned(),
                hint: "pull again".to_owned(),
                causes: Vec::new(),
            }),
            (QuestionBody::Comments(answers), _) => AnswerBody::Comments(vec![comment(answers)]),
            (QuestionBody::Refs(target), _) => AnswerBody::Refs(self.refs(&target.location)),
            (QuestionBody::Push(push), Mood::Conflicting) => AnswerBody::Conflict(Conflict {
                reason: "non-fast-forward".to_owned(),
                message: "Target has new commits since your base".to_owned(),
                target_head: push.old.clone(),
            }),
            (QuestionBody::Push(push), _) => {
                self.refs.insert(push.reference.clone(), push.new.clone());
                AnswerBody::Landed(Landed {
                    target: push.target.clone(),
                    reference: push.reference.clone(),
                    old: push.old.clone(),
                    new: push.new.clone(),
                })
            }
        };
        Some(body)
    }

    fn refs(&self, location: &str) -> Refs {
        let reference = |(name, id): (&String, &String)| Reference { name: name.clone(), id: id.clone(), peeled: None };
        Refs {
            target: format!("local:{location}"),
            head: Some("refs/heads/main".to_owned()),
            references: self.refs.iter().map(reference).collect(),
        }
    }
}

/// Makes a call until it is done, or nobody answers. Only the last step can be `done`.
pub fn drive(sandbox: &mut Sandbox, call: &ToolCall, world: &mut World, mood: Mood) -> Vec<Heard> {
    let mut heard = Vec::new();
    let mut answers: Vec<Answer> = Vec::new();
    for _ in 0..ROUNDS {
        let (step, bytes) = sandbox.call(call, &answers);
        let question = match &step {
            Step::Done(_) => {
                heard.push((step, bytes));
                return heard;
            }
            Step::Ask(question) => question.clone(),
        };
        heard.push((step, bytes));
        assert!(answers.iter().all(|answer| answer.key != question.key), "it asks again what was answered: {call:?}");
        match world.answer(&question, mood) {
            Some(body) => answers.push(Answer { key: question.key, body }),
            None => return heard,
        }
    }
    panic!("a call asks more than {ROUNDS} times: {call:?}");
}

/// Makes a call that succeeds, as the user, in a world that approves everything.
#[track_caller]
pub fn succeed(
    sandbox: &mut Sandbox,
    tool: &str,
    arguments: &serde_json::Value,
    second: u64,
    world: &mut World,
) -> wit::ToolResult {
    let call = call(tool, &arguments.to_string(), Caller::User, second);
    let heard = drive(sandbox, &call, world, Mood::Willing);
    match heard.into_iter().last() {
        Some((Step::Done(done), _)) => done.outcome.unwrap_or_else(|error| panic!("{tool} {arguments}: {error:?}")),
        last => panic!("{tool} {arguments}: {last:?}"),
    }
}

/// The whole visible state of a sandbox: every file, the repository's status, its staged commits, and the history. Reading it changes
/// nothing.
pub fn look(sandbox: &mut Sandbox) -> String {
    let mut seen = glance(sandbox);
    for zone in ["/workspace", "/notes"] {
        let arguments = serde_json::json!({ "path": zone, "recursive": true, "limit": 100_000 });
        let listing = look_with(sandbox, "list_files", &arguments.to_string(), &mut seen);
        for path in files(&listing) {
            look_with(sandbox, "read_file", &serde_json::json!({ "path": path }).to_string(), &mut seen);
        }
    }
    seen
}

/// The same without unchanged files.
pub fn glance(sandbox: &mut Sandbox) -> String {
    let mut seen = String::new();
    look_with(sandbox, "sandbox_history", "{\"limit\": 1000}", &mut seen);
    seen + &repository(sandbox)
}

/// The visible state of the repository.
pub fn repository(sandbox: &mut Sandbox) -> String {
    let mut seen = String::new();
    for (tool, arguments) in [
        ("git_status", "{}"),
        ("git_diff", "{}"),
        ("git_diff", "{\"cached\": true}"),
        ("git_branch", "{\"list_all\": true}"),
        ("git_stash", "{\"action\": \"list\"}"),
        ("git_show", "{\"commit\": \"HEAD@{0}\", \"format\": \"%H\"}"),
        ("git_show", "{\"commit\": \"HEAD@{1}\", \"format\": \"%H\"}"),
    ] {
        look_with(sandbox, tool, arguments, &mut seen);
    }
    seen
}

fn look_with(sandbox: &mut Sandbox, tool: &str, arguments: &str, seen: &mut String) -> Step {
    let (step, record) = sandbox.call(&call(tool, arguments, Caller::User, 0), &[]);
    assert!(record.is_empty(), "{tool} only looks, and leaves a record");
    seen.push_str(&format!("{tool} {arguments}: {step:?}\n"));
    step
}

/// The files in a listing.
fn files(step: &Step) -> Vec<String> {
    let Step::Done(done) = step else { panic!("a listing asks nothing") };
    let result = done.outcome.as_ref().expect("zones can be listed");
    let listing: serde_json::Value = serde_json::from_str(&result.structured).expect("structured results are JSON");
    let entries = listing["entries"].as_array().expect("a listing has entries");
    let files = entries.iter().filter(|entry| entry["kind"] == "file").filter_map(|entry| entry["path"].as_str());
    files.map(str::to_owned).collect()
}
