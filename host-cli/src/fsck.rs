//! All of a sandbox, looked at without changing anything, and without believing that it was looked at before.
//!
//! What is whole is known by hashes: of each attachment over its content, of each journal record and each line of the log over the one before
//! it. The objects in attached packs were verified one by one when they came, and their attachment's hash says that they are the same.
//! Those that HEAD reaches, made inside or not, are read through the component's export path and verified by the gate, as for a bundle.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use gate::hex;
use gate::objects::{Nothing, Supplied};
use gate::push::{PushLimits, PushRequest, TargetFacts, check};
use gate::target::{CanonicalTarget, TargetKind};
use gate::{Fault, FaultKind};
use gix::ObjectId;
use serde::Serialize;

use crate::answer;
use crate::error::{ErrorKind, HostError, Result};
use crate::home::{GitSettings, SandboxFile, policy};
use crate::sandbox::{CHUNK, Question, Runtime, Session, Step, options, wit};
use crate::screen;
use crate::store::{AttachmentId, Store};

/// How often the export may ask.
const ROUNDS: usize = 8;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What, in one sentence without a full stop.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is as it may be.
    pub notes: Vec<String>,
}

impl Report {
    fn found(&mut self, what: impl Into<String>, hint: impl Into<String>) {
        self.findings.push(Finding { what: what.into(), hint: hint.into() });
    }

    fn error(&mut self, error: HostError) {
        self.found(error.message, error.hint);
    }

    fn note(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }
}

/// Looks at the sandbox in `folder`, whose lock is held meanwhile.
pub fn look(folder: &Path, git: &GitSettings, runtime: &Runtime) -> Result<Report> {
    let mut report = Report::default();
    let file = match SandboxFile::read(folder) {
        Ok(file) => file,
        Err(error) => {
            // The rest is bound to the id that is in it.
            report.error(error);
            return Ok(report);
        }
    };
    let store = Store::open(folder, file.id.name())?;
    let _held = store.lock.acquire()?;
    for path in store.leftovers()? {
        report.note(format!("{} is of a write that was cut off; the next call removes it", path.display()));
    }
    log(&store, folder, &mut report)?;
    if let Err(error) = policy::read(folder, &file, false) {
        report.error(error);
    }
    for (path, why) in store.pending.damaged()? {
        report
            .found(format!("{} is no push that was shown: {why}", path.display()), "remove it: the push is shown anew");
    }
    for (path, why) in store.waiting.damaged()? {
        report.found(format!("{} is no call that waits: {why}", path.display()), "remove it: the agent asks again");
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
            report.note(format!("its files are in {}: `git fsck` looks at them", directory.display()));
        }
        None => sealed(&store, &options(&file, git), runtime, damaged, &mut report)?,
    }
    Ok(report)
}

/// The audit log, and pushes that it says are not settled.
fn log(store: &Store, folder: &Path, report: &mut Report) -> Result<()> {
    let (ledger, damage) = store.ledger.look()?;
    let torn = store.ledger.torn()?;
    if torn > 0 {
        report.note(screen::audit::torn(torn));
    }
    if let Some(fault) = damage {
        report.error(fault.into());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    for intent in ledger.open_intents() {
        let what = format!("the push to {} at {} was cut off", intent.reference.branch(), intent.target);
        report.found(what, format!("`gitgate -s {name} status` settles it, or says what is in the way"));
    }
    for intent in ledger.in_doubt() {
        let what = format!("the push to {} at {} is in doubt", intent.reference.branch(), intent.target);
        report.found(
            what,
            format!("look at that branch, then say `gitgate -s {name} settle {}`", intent.reference.branch()),
        );
    }
    Ok(())
}

/// The journal, replayed in an instance of its own, and what it needs.
fn sealed(
    store: &Store,
    options: &wit::Options,
    runtime: &Runtime,
    mut damaged: BTreeMap<AttachmentId, HostError>,
    report: &mut Report,
) -> Result<()> {
    let mut options = options.clone();
    options.default_target = Some(answer::export_target(Path::new("/fsck")));
    let mut session = Session::open(runtime, &options)?;
    let whole: Vec<_> = store.attachments.list()?.into_iter().filter(|id| !damaged.contains_key(id)).collect();
    for id in &whole {
        store.attachments.read(id, CHUNK, |size, part| session.attach(id, size, part))?;
    }
    let replayed = store.journal().and_then(|mut journal| {
        if journal.is_empty() {
            return Err(HostError::new(ErrorKind::Damaged, "the sandbox's journal is empty, which no journal ever is")
                .hint("put the file back from a backup, or remove the sandbox with `gitgate rm`"));
        }
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
            "the next call puts them aside and goes on without them; or put the file back from a backup first",
        ),
    }
    let needed = session.attachments()?;
    for id in whole.iter().filter(|id| !needed.contains(id)) {
        report.note(format!(
            "the attachment {} is needed by nothing but the journal, until that is compacted",
            hex::encode(id)
        ));
    }
    for id in needed.iter().filter(|id| !whole.contains(id)) {
        damaged.remove(id);
        report.found(format!("the attachment {} is missing or damaged", hex::encode(id)), "put it back from a backup");
    }
    for error in damaged.into_values() {
        report.found(error.message, "nothing needs it: remove the file");
    }
    repository(store, &mut session, report)
}

/// The repository inside: its index and refs by a look at its status, and every object that HEAD reaches.
fn repository(store: &Store, session: &mut Session, report: &mut Report) -> Result<()> {
    match session.call(&call("git_status", "{}"), &[])? {
        Step::Done { outcome: Err(error), .. } if matches!(error.kind, wit::ErrorKind::NotARepository) => {
            report.note("there is no repository in it yet");
            return Ok(());
        }
        Step::Done { outcome: Err(error), .. } => {
            report.found(format!("the repository cannot be read: {}", error.message), error.hint);
            return Ok(());
        }
        _ => {}
    }
    let call = call("git_push", r#"{"commitId": "HEAD"}"#);
    let mut answers = Vec::new();
    for _ in 0..ROUNDS {
        let (key, body) = match session.call(&call, &answers)? {
            Step::Done { outcome: Ok(_), .. } => return Ok(()),
            Step::Done { outcome: Err(error), .. } if matches!(error.kind, wit::ErrorKind::NotFound) => {
                report.note(format!("there is no commit to look at: {}", screen::line(&error.message)));
                return Ok(());
            }
            // A part of a history goes only where the rest is.
            Step::Done { outcome: Err(error), .. } if error.message.contains("shallow sandbox") => {
                report.note("not all objects were looked at: the sandbox was opened without a part of the history");
                return Ok(());
            }
            Step::Done { outcome: Err(error), .. } => {
                report.found(format!("the commits cannot be read: {}", error.message), error.hint);
                return Ok(());
            }
            Step::Ask { key, question: Question::Approval(_) } => (key, wit::AnswerBody::Approved),
            Step::Ask { key, question: Question::Refs(_) } => {
                let head = Some("refs/heads/fsck".to_owned());
                (key, wit::AnswerBody::Refs(wit::Refs { target: TARGET.to_owned(), head, references: Vec::new() }))
            }
            Step::Ask { question: Question::Push { push, pack }, .. } => {
                match objects(store, &push, pack)? {
                    Ok(()) => {}
                    Err(fault) if is_damage(&fault) => report.found(
                        format!("an object of the repository is not what it was: {}", fault.message),
                        "put the sandbox back from a backup, or undo to before it",
                    ),
                    Err(fault) => report.note(format!("not all objects were looked at: {}", fault.message)),
                }
                return Ok(());
            }
            Step::Ask { question: Question::Commits(_) | Question::Blobs(_), .. } => {
                report.note("not all objects were looked at: the sandbox was opened without some of them");
                return Ok(());
            }
        };
        answers.push(wit::Answer { key, body });
    }
    report.note("not all objects were looked at: the export did not come to its end");
    Ok(())
}

/// A target that is nowhere.
const TARGET: &str = "bare:/fsck";

/// Verifies the objects, as those of a bundle: each by its id, and that whatever they name is there.
fn objects(store: &Store, push: &wit::Push, pack: Vec<u8>) -> Result<Result<(), Fault>> {
    let supplied = store.attachments.packed()?;
    let facts = TargetFacts { supplied: Supplied::by(move |id| supplied.contains(id)), ..TargetFacts::default() };
    let request = || {
        Ok(PushRequest {
            sandbox: "fsck".parse()?,
            target: CanonicalTarget::new(TargetKind::Bare, "/fsck")?,
            reference: push.reference.parse()?,
            old: None,
            new: ObjectId::from_hex(push.new.as_bytes())
                .map_err(|_| Fault::new(FaultKind::MalformedObject, "a commit is named by what is no id"))?,
            pack: Bytes::from(pack),
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
        caller: wit::Caller::User,
        now: 0,
        utc_offset: 0,
        time_allowed: crate::limits::CALL_MS * 1_000_000,
    }
}
