//! The calls of a run, in an order that a seed gives.

use std::path::Path;

use gate::digest::Digest;
use gate::policy::{Base, Caller, Policy};
use host::answer::enter;
use serde_json::{Value, json};

use super::super::{Call, Reply, run};
use super::by_git;
use crate::approve::Scripted;
use crate::error::ErrorKind;
use crate::forge::Clients;
use crate::sandbox::{Clock, Sandbox};
use crate::store::chaos::Random;

/// One call, or what stands for the host's own work.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) person: Person,
    /// Which of the hosts makes it.
    pub(super) host: usize,
}

/// Who is there to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// Somebody who says yes.
    Agrees,
    /// Nobody, and it is their own call.
    IsAway,
    /// Nobody, and it is an agent's call, which waits.
    IsAwaited,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    /// The tool has refused it, or a push did not fit.
    Failed,
    /// Nobody has approved it. A push was shown.
    Left(Option<Digest>),
}

impl Ended {
    /// Whether it ended as another did. A push has a digest of its own each time.
    pub(super) fn is_like(self, other: Ended) -> bool {
        match (self, other) {
            (Ended::Left(one), Ended::Left(other)) => one.is_some() == other.is_some(),
            _ => self == other,
        }
    }
}

/// The kinds of what is done in a run.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// One record.
    Write,
    /// A record in many parts.
    WriteMuch,
    /// One that somebody is asked about first.
    Stage,
    Discard,
    Undo,
    /// A record that needs attachments.
    Pull,
    /// A push that is shown, for another process to approve.
    Show,
    /// One that nobody could be asked about.
    Wait,
    Push,
    /// One that a client of git makes, and that waits for a person.
    PushByGit,
    Compact,
}

impl Kind {
    const EVERY: [Kind; 11] = [
        Kind::Write,
        Kind::WriteMuch,
        Kind::Stage,
        Kind::Discard,
        Kind::Undo,
        Kind::Pull,
        Kind::Show,
        Kind::Wait,
        Kind::Push,
        Kind::PushByGit,
        Kind::Compact,
    ];
}

/// The branches of the source that a run pulls besides `main`, one each.
pub(super) const BRANCHES: usize = 3;

/// A run: a repository comes, and then there is each kind, in any order. What some of it asks for
/// the tools refuse, which changes nothing.
pub(super) fn steps(seed: u64, hosts: usize, place: &Path) -> Vec<Step> {
    let random = &mut Random::new(seed);
    let mut kinds = Kind::EVERY.to_vec();
    random.shuffle(&mut kinds);
    let mut steps = begun(place).to_vec();
    // What the first undo takes back is not the repository.
    steps.push(("write_file", json!({ "path": "first.md", "content": "one\n" }), Person::Agrees));
    for (number, kind) in kinds.into_iter().enumerate() {
        let name = format!("{number}.md");
        let write =
            |lines: usize| ("write_file", json!({ "path": name, "content": "one\n".repeat(lines) }), Person::Agrees);
        let stage = |person| ("git_stage", json!({ "files": [name], "message": name }), person);
        match kind {
            Kind::Write => steps.push(write(1)),
            Kind::WriteMuch => steps.push(write(200_000)),
            Kind::Stage => steps.extend([write(1), stage(Person::Agrees)]),
            Kind::Discard => steps.push(("git_discard", json!({ "commitId": "HEAD" }), Person::Agrees)),
            Kind::Undo => {
                // What was pushed and is taken back would be in the way of the next push.
                let last = steps.iter().rev().find(|(tool, ..)| *tool != "compact");
                if last.is_some_and(|(tool, _, person)| (*tool, *person) == ("git_push", Person::Agrees)) {
                    steps.push(write(1));
                }
                steps.push(("sandbox_undo", json!({}), Person::Agrees));
            }
            Kind::Pull => steps.push(pull(place, &format!("b{}", random.below(BRANCHES)))),
            Kind::Show => steps.extend([write(1), stage(Person::Agrees), push(place, Person::IsAway)]),
            Kind::Wait => steps.extend([write(1), stage(Person::IsAwaited)]),
            Kind::Push => steps.extend(pushed(place, &name)),
            Kind::PushByGit => steps.push(("receive-pack", json!({ "name": name }), Person::IsAway)),
            Kind::Compact => steps.push(("compact", json!({}), Person::Agrees)),
        }
    }
    let step = |(tool, arguments, person)| Step { tool, arguments, person, host: random.below(hosts) };
    steps.into_iter().map(step).collect()
}

/// How a repository comes.
pub(super) fn begun(place: &Path) -> [(&'static str, Value, Person); 2] {
    [("sandbox_import", json!({}), Person::Agrees), pull(place, "main")]
}

/// Work that goes out: a file is written, staged and pushed.
pub(super) fn pushed(place: &Path, name: &str) -> [(&'static str, Value, Person); 3] {
    [
        ("write_file", json!({ "path": name, "content": "one\n" }), Person::Agrees),
        ("git_stage", json!({ "files": [name], "message": name }), Person::Agrees),
        push(place, Person::Agrees),
    ]
}

fn push(place: &Path, person: Person) -> (&'static str, Value, Person) {
    let target = json!({ "type": "local-bare", "path": place.join("target.git") });
    ("git_push", json!({ "commitId": "HEAD", "target": target }), person)
}

fn pull(place: &Path, branch: &str) -> (&'static str, Value, Person) {
    let source = json!({ "type": "local", "path": place.join("source"), "branch": branch });
    ("git_pull", json!({ "source": source }), Person::Agrees)
}

/// No call of these reaches a server.
pub(super) fn servers() -> Clients {
    Clients::new(Clock::default())
}

/// Makes a call to its end. An error of the host says what it was.
pub(super) fn make(sandbox: &mut Sandbox, tool: &str, arguments: &Value, person: Person) -> Result<Ended, String> {
    let approver = &mut match person {
        Person::Agrees => Scripted { yes: true, unattended: true, ..Scripted::default() },
        Person::IsAway | Person::IsAwaited => Scripted::default(),
    };
    if tool == "compact" {
        let compacted = enter(sandbox).and_then(|mut locked| locked.compact());
        return compacted.map(|()| Ended::Done).map_err(|error| error.to_string());
    }
    if tool == "receive-pack" {
        let name = arguments["name"].as_str().expect("it has a name");
        let pushed = by_git::push(sandbox, name)?;
        return Ok(pushed.map_or(Ended::Failed, |digest| Ended::Left(Some(digest))));
    }
    let caller = if person == Person::IsAwaited { Caller::Agent } else { Caller::User };
    let call = Call::new(tool, arguments.to_string(), caller);
    let policy = Policy::new(Base::Strict, [], false);
    match run(sandbox, &call, Vec::new(), policy, approver, &servers()) {
        Ok(Reply::Done(Ok(result))) => {
            let structured: Value = serde_json::from_str(&result.structured).unwrap();
            if structured["status"] != "conflict" {
                return Ok(Ended::Done);
            }
            println!("{tool}: {structured}");
            Ok(Ended::Failed)
        }
        Ok(Reply::Done(Err(error))) => {
            println!("{tool}: {}", error.message);
            Ok(Ended::Failed)
        }
        Ok(Reply::NotApproved(not)) => Ok(Ended::Left(not.push.and_then(|push| push.digest))),
        Err(error) => {
            assert_ne!(error.kind, ErrorKind::Component, "{error}");
            Err(error.to_string())
        }
    }
}

/// What can be seen of a sandbox, but for ids and times: the files, what is staged, and what the
/// history names.
pub(super) fn look(sandbox: &mut Sandbox) -> String {
    let mut structured = |tool: &str, arguments: Value| -> Option<Value> {
        let call = Call::new(tool, arguments.to_string(), Caller::User);
        match run(sandbox, &call, Vec::new(), Policy::default(), &mut Scripted::default(), &servers()).unwrap() {
            Reply::Done(Ok(result)) => Some(serde_json::from_str(&result.structured).unwrap()),
            _ => None,
        }
    };
    let files = structured("list_files", json!({ "recursive": true }));
    let lines = structured("search_files", json!({ "pattern": "^(# |one)", "limit": 40 }));
    let status = structured("git_status", json!({}));
    let staged = status.map(|status| {
        let messages: Vec<Value> =
            status["staged"].as_array().unwrap().iter().map(|one| one["message"].clone()).collect();
        (messages, status["unstaged"].clone())
    });
    let history = structured("sandbox_history", json!({})).unwrap();
    let mut tools: Vec<Value> = history["calls"].as_array().unwrap().iter().map(|call| call["tool"].clone()).collect();
    // A push that had landed before it was cut off, the sandbox may be told of twice. Two other
    // calls in a row of one tool differ in the files.
    tools.dedup();
    format!("{files:?} {lines:?} {staged:?} {tools:?}")
}
