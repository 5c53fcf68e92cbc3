//! Checks everything a sandbox stores. Changes nothing and trusts no earlier check.
//!
//! Hashes prove what is whole: each attachment's over its content, each journal record's and each
//! log line's over the one before it. The objects in attached packs were verified when they
//! arrived, and the attachment's hash proves that they are unchanged. The component's export path
//! reads every object that HEAD reaches, and the gate verifies them as it does for a bundle.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use bytes::Bytes;
use gate::hex;
use gate::objects::{Nothing, Supplied};
use gate::push::{PushLimits, PushRequest, TargetFacts, check};
use gate::target::{CanonicalTarget, TargetKind};
use gate::{Fault, FaultKind};
use gix_hash::ObjectId;
use serde_json::{Value, json};

use crate::answer::questions::{Answering, Ended, Questions, play};
use crate::answer::{self, Halt, Halting};
use crate::attachment::AttachmentId;
use crate::component::Components;
use crate::error::{HostError, Result};
use crate::hint::{Act, Hint};
use crate::sandbox::{ensure_begun, options};
use crate::screen;
use crate::session::{CHUNK, Question, Session, Step};
use crate::settings::{SandboxFile, ToolSettings};
use crate::store::{self, Storage, Store};
use crate::wit;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong, in one sentence without a full stop.
    pub what: String,
    /// What to do.
    pub hint: Hint,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is worth knowing and needs no action.
    pub notes: Vec<String>,
}

impl Report {
    /// True if nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }

    /// The result for programs, with hints in the `words` of a body.
    pub fn json(&self, words: impl Fn(&Hint) -> String) -> Value {
        let each = |it: &Finding| json!({ "what": it.what, "hint": words(&it.hint), "act": it.hint.act() });
        let findings: Vec<Value> = self.findings.iter().map(each).collect();
        json!({ "sound": self.is_sound(), "findings": findings, "notes": self.notes })
    }

    fn found(&mut self, what: impl Into<String>, hint: impl Into<Hint>) {
        self.findings.push(Finding { what: what.into(), hint: hint.into() });
    }

    /// A call of a tool failed. Unlike a caller, the person sees the errors below its own.
    fn tool_failed(&mut self, what: &str, error: wit::ToolError) {
        self.found(format!("{what}: {}", error.message), error.hint);
        for cause in error.causes.iter().filter(|cause| !error.message.contains(cause.as_str())) {
            self.note(format!("{what}, caused by: {}", screen::line(cause)));
        }
    }

    fn error(&mut self, error: HostError) {
        self.found(error.message, error.hint);
    }

    fn note(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }
}

/// Checks everything that `storage` keeps of the sandbox `name`, while holding its lock. `policy`
/// says whether the policy can be read.
pub fn look(
    storage: Rc<dyn Storage>,
    name: &str,
    tools: &ToolSettings,
    components: &dyn Components,
    policy: impl FnOnce(&SandboxFile) -> Result<()>,
) -> Result<Report> {
    let mut report = Report::default();
    let file = match store::settings(&*storage) {
        Ok(file) => file,
        Err(error) => {
            // Everything else is bound to the id in these settings.
            report.error(error);
            return Ok(report);
        }
    };
    let store = Store::new(storage, file.id.name());
    let _held = store.lock.acquire()?;
    for place in store.leftovers()? {
        report.note(format!("{place} is left over from an interrupted write; the next call removes it"));
    }
    log(&store, name, &mut report)?;
    if let Err(error) = policy(&file) {
        report.error(error);
    }
    for (place, why) in store.pending.damaged()? {
        report.found(format!("{place} is not a pending push: {why}"), "remove it, then push again");
    }
    for (place, why) in store.waiting.damaged()? {
        report.found(format!("{place} is not a waiting call: {why}"), "remove it: the agent can call again");
    }
    for (place, why) in store.reviews.damaged()? {
        report.found(why, format!("move {place} away: what was said and looked at there is lost with it"));
    }
    let mut damaged = BTreeMap::new();
    for id in store.attachments.list()? {
        if let Err(error) = store.attachments.verify(&id) {
            damaged.insert(id, error);
        }
    }
    match &file.on_disk {
        Some(directory) => {
            damaged.into_values().for_each(|error| report.error(error));
            report.note(format!("the files are in {}: run `git fsck` there to check them", directory.display()));
        }
        None => sealed(&store, &options(&file, tools), components, damaged, &mut report)?,
    }
    Ok(report)
}

/// Checks the audit log and finds the pushes that are not settled.
fn log(store: &Store, name: &str, report: &mut Report) -> Result<()> {
    let (ledger, damage) = store.ledger.look()?;
    let torn = store.ledger.torn()?;
    if torn > 0 {
        report.note(screen::audit::torn(torn));
    }
    if let Some(fault) = damage {
        report.error(fault.into());
    }
    for intent in ledger.open_intents() {
        let what = format!("the push to {} at {} was interrupted", intent.reference.branch(), intent.target);
        let status = Act::Status { sandbox: Some(name.to_owned()) };
        report.found(what, Hint::new("", status, ": it settles the push or says what blocks it"));
    }
    for intent in ledger.in_doubt() {
        let what = format!("the push to {} at {} is in doubt", intent.reference.branch(), intent.target);
        let settle = Act::Settle { sandbox: name.to_owned(), branch: intent.reference.branch().to_owned() };
        report.found(what, Hint::new("check that branch, then ", settle, ""));
    }
    Ok(())
}

/// Replays the journal in a new instance and checks what it needs.
fn sealed(
    store: &Store,
    options: &wit::Options,
    components: &dyn Components,
    mut damaged: BTreeMap<AttachmentId, HostError>,
    report: &mut Report,
) -> Result<()> {
    let mut session = Session::open(components, options)?;
    let whole: Vec<_> = store.attachments.list()?.into_iter().filter(|id| !damaged.contains_key(id)).collect();
    for id in &whole {
        store.attachments.read(id, CHUNK, |size, part| session.attach(id, size, part))?;
    }
    let replayed = store.journal().and_then(|journal| {
        ensure_begun(&journal)?;
        journal.read(CHUNK, |part| session.replay(part))?;
        let valid = session.start()?.valid_bytes;
        Ok(journal.len() - valid)
    });
    match replayed {
        Err(error) => {
            damaged.into_values().for_each(|error| report.error(error));
            report.error(error);
            return Ok(());
        }
        Ok(0) => {}
        Ok(torn) => report.found(
            format!("the last {torn} bytes of the journal are cut off or damaged"),
            "restore the file from a backup first, or go on: the next call sets these bytes aside",
        ),
    }
    let needed = session.attachments()?;
    for id in whole.iter().filter(|id| !needed.contains(id)) {
        report.note(format!("only the journal needs the attachment {}, until it is compacted", hex::encode(id)));
    }
    for id in needed.iter().filter(|id| !whole.contains(id)) {
        damaged.remove(id);
        report.found(format!("the attachment {} is missing or damaged", hex::encode(id)), "restore it from a backup");
    }
    for error in damaged.into_values() {
        report.found(error.message, "remove the file: nothing needs it");
    }
    repository(store, &mut session, report)
}

/// Checks the repository inside: its index and refs by reading its status, and every object that
/// HEAD reaches.
fn repository(store: &Store, session: &mut Session, report: &mut Report) -> Result<()> {
    match session.call(&call("git_status", "{}"), &[])? {
        Step::Done { outcome: Err(error), .. } if matches!(error.kind, wit::ErrorKind::NotARepository) => {
            report.note("the sandbox has no repository yet");
            return Ok(());
        }
        Step::Done { outcome: Err(error), .. } => {
            report.tool_failed("cannot read the repository", error);
            return Ok(());
        }
        _ => {}
    }
    let export = answer::export_call(Path::new("/fsck"))?;
    let call = call(&export.tool, &export.arguments);
    let mut checking = Checking { store, session, report, call, has_commit: false };
    let ended = play(&mut Questions::default(), &mut checking);
    let Checking { report, has_commit, .. } = checking;
    match ended {
        Ok(Ended::Done(Ok(_)) | Ended::Early(())) => {}
        Ok(Ended::Done(Err(error))) if matches!(error.kind, wit::ErrorKind::NotFound) => {
            // The component pushes a partial history only where the rest is.
            report.note(match has_commit {
                true => "not all objects were checked: the sandbox was opened with part of the history".to_owned(),
                false => format!("there is no commit to check: {}", screen::line(&error.message)),
            });
        }
        Ok(Ended::Done(Err(error))) => {
            report.tool_failed("cannot read the commits", error);
        }
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::Need(_)) => report.note("not all objects were checked: the export did not finish"),
    }
    Ok(())
}

/// The call that exports everything, for its objects to be checked.
struct Checking<'a> {
    store: &'a Store,
    session: &'a mut Session,
    report: &'a mut Report,
    call: wit::ToolCall,
    /// Whether there is a commit at all: the component finds it before it asks where to push.
    has_commit: bool,
}

impl Answering for Checking<'_> {
    type End = ();

    fn step(&mut self, answers: &[wit::Answer]) -> Result<Step> {
        self.session.call(&self.call, answers)
    }

    fn find(&mut self, _: &[u8], question: &Question, _: &[wit::Answer]) -> Halting<ControlFlow<(), wit::AnswerBody>> {
        let Checking { store, report, has_commit, .. } = self;
        Ok(match question {
            Question::Approval(_) => ControlFlow::Continue(wit::AnswerBody::Approved),
            Question::Refs(_) => {
                *has_commit = true;
                let head = Some("refs/heads/fsck".to_owned());
                let refs = wit::Refs { target: TARGET.to_owned(), head, references: Vec::new() };
                ControlFlow::Continue(wit::AnswerBody::Refs(refs))
            }
            Question::Push { push, pack } => {
                match objects(store, push, pack)? {
                    Ok(()) => {}
                    Err(fault) if is_damage(&fault) => report.found(
                        format!("an object of the repository is damaged: {}", fault.message),
                        "restore the sandbox from a backup, or undo to a state before the damage",
                    ),
                    Err(fault) => report.note(format!("not all objects were checked: {}", fault.message)),
                }
                ControlFlow::Break(())
            }
            Question::Commits(_) | Question::Blobs(_) | Question::Comments(_) => {
                report.note("not all objects were checked: the sandbox was opened without some of them");
                ControlFlow::Break(())
            }
        })
    }
}

/// A target that does not exist.
const TARGET: &str = "bare:/fsck";

/// Verifies the objects as those of a bundle: each one's id, and that every object they name
/// exists.
fn objects(store: &Store, push: &wit::Push, pack: &Bytes) -> Result<Result<(), Fault>> {
    let supplied = store.attachments.packed()?;
    let facts = TargetFacts { supplied: Supplied::by(move |id| supplied.contains(id)), ..TargetFacts::default() };
    let request = || {
        Ok(PushRequest {
            sandbox: "fsck".parse()?,
            target: CanonicalTarget::new(TargetKind::Bare, "/fsck")?,
            reference: push.reference.parse()?,
            old: None,
            new: ObjectId::from_hex(push.new.as_bytes())
                .map_err(|_| Fault::new(FaultKind::MalformedObject, "a commit has an invalid id"))?,
            pack: pack.clone(),
        })
    };
    Ok(request().and_then(|request| check(request, &Nothing, facts, &PushLimits::default())).map(drop))
}

fn is_damage(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::MalformedPack | FaultKind::MalformedObject | FaultKind::MissingObject)
}

fn call(tool: &str, arguments: &str) -> wit::ToolCall {
    wit::ToolCall {
        id: "fsck".to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        dialect: None,
        max_bytes: None,
        caller: wit::Caller::User,
        now: 0,
        utc_offset: 0,
        time_allowed: crate::limits::CALL_MS * 1_000_000,
    }
}
