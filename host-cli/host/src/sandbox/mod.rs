//! An open sandbox: its tools, and what they can be restored from.
//!
//! Two invariants: an instance of the component holds exactly what the journal holds, or there is
//! no instance. And tools run only under the sandbox's lock, after a check whether another process
//! has used the sandbox.

mod options;
mod sealed;
mod settings;
#[cfg(test)]
mod tests;
mod tools;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gate::id::Nonce;
use gate::policy::PushMode;
use gate::time::Timestamp;

pub use options::{options, options_of_new};
pub use sealed::Sealed;
pub(crate) use sealed::ensure_begun;
pub use tools::Tools;

use crate::attachment::{Attachment, AttachmentId};
use crate::component::Components;
use crate::error::{ErrorKind, HostError, Result};
use crate::platform::Platform;
use crate::session::{Session, Step};
use crate::settings::policy::{self, REMEMBERED};
use crate::settings::{HexId, SandboxFile, ToolSettings};
use crate::store::{Held, Item, Mark, Store, pushed};
use crate::target::{Near, Repository, TargetError};
use crate::wit;

/// What a body brings to a sandbox, besides the place where it is kept.
#[derive(Clone)]
pub struct Body {
    /// The engine that runs the component.
    pub components: Rc<dyn Components>,
    /// Clock, randomness, user.
    pub platform: Rc<dyn Platform>,
    /// Repositories that are reached synchronously.
    pub near: Rc<dyn Near>,
}

/// An open sandbox.
pub struct Sandbox {
    /// Its settings.
    pub file: SandboxFile,
    /// What is durable of it.
    pub store: Store,
    name: String,
    options: wit::Options,
    push: PushMode,
    body: Body,
    live: Option<Box<dyn Tools>>,
    /// Who uses it, where its body says it for each call.
    who: Option<String>,
    /// Notes for the person, until somebody takes them.
    notes: Vec<String>,
    /// Notes that are told only once.
    told: HashSet<String>,
    /// When pushes to servers that could not be settled are looked at again.
    look_again: HashMap<Nonce, Timestamp>,
}

/// A sandbox whose lock is held.
pub struct Locked<'a> {
    sandbox: &'a mut Sandbox,
    held: Held,
}

impl Sandbox {
    /// Opens the sandbox that a person knows by `name`. The first lock replays its journal.
    pub fn open(name: &str, store: Store, tools: &ToolSettings, body: Body) -> Result<Self> {
        let mut file = store.settings()?;
        if file.identity.is_none()
            && let Some((author, committer)) = body.platform.who_commits(&file)
        {
            (file.identity, file.committer) = (Some(author), committer);
        }
        let (mut options, push) = (options(&file, tools), options::push_mode(&file, tools));
        options::hold_to(body.platform.most_bytes(), &mut options.limits);
        Ok(Sandbox {
            file,
            store,
            name: name.to_owned(),
            options,
            push,
            body,
            live: None,
            who: None,
            notes: Vec::new(),
            told: HashSet::new(),
            look_again: HashMap::new(),
        })
    }

    /// Opens a new sandbox, of which there are only its settings. `held` is its lock.
    pub fn create(name: &str, store: Store, held: &Held, tools: &ToolSettings, body: Body) -> Result<Self> {
        let mut sandbox = Sandbox::open(name, store, tools, body)?;
        sandbox.live = Some(match &sandbox.file.on_disk {
            Some(directory) => sandbox.body.components.on_disk(directory, &sandbox.options)?,
            None => Box::new(Sealed::create(&sandbox.store, held, &sandbox.options, &*sandbox.body.components)?),
        });
        Ok(sandbox)
    }

    /// Who may start a push.
    pub fn push_mode(&self) -> PushMode {
        self.push
    }

    /// The default time of a tool in milliseconds.
    pub fn git_timeout_ms(&self) -> u64 {
        self.options.git.timeout_ms
    }

    /// The name by which the person knows it.
    pub fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    /// The platform that it runs on.
    pub fn platform(&self) -> Rc<dyn Platform> {
        Rc::clone(&self.body.platform)
    }

    /// From now on `who` uses it, for the audit log: a server has many users. Never what anybody could
    /// claim.
    pub fn used_by(&mut self, who: String) {
        self.who = Some(who);
    }

    /// Who uses it.
    pub fn who(&self) -> String {
        self.who.clone().unwrap_or_else(|| self.body.platform.who())
    }

    /// The repositories that are reached synchronously.
    pub fn near(&self) -> Rc<dyn Near> {
        Rc::clone(&self.body.near)
    }

    /// Saves a rule that the person accepted, as it would stand in a policy file.
    pub fn remember(&self, held: &Held, rule: &str) -> Result<()> {
        let text = policy::with_rule(self.store.text(REMEMBERED)?, rule);
        let tools = self.body.components.tools()?;
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        policy::parse(&self.remembered(), &text, &tools, |act| self.body.platform.act(act))?;
        self.store.put_text(held, REMEMBERED, &text)
    }

    /// Where such rules are saved.
    pub fn remembered(&self) -> String {
        self.store.place(Item::Text(REMEMBERED))
    }

    /// True if a push to `target` could change the sandbox's policy file. A person then reviews the
    /// push, whatever the rules say.
    pub fn holds_policy(&self, target: &dyn Repository) -> Result<bool, TargetError> {
        let Some(path) = &self.file.policy_file else { return Ok(false) };
        Ok(target.folders()?.iter().any(|folder| path.starts_with(folder)))
    }

    /// Adds a note for the person.
    pub fn tell(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Adds a note that every call repeats, once.
    pub fn tell_once(&mut self, note: &str) {
        if self.told.insert(note.to_owned()) {
            self.notes.push(note.to_owned());
        }
    }

    /// Takes the notes for the person.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Fails if another process has changed the sandbox since this one last ran a call. None does
    /// as long as the lock is held.
    pub fn ensure_unmoved(&self, _: &Held) -> Result<()> {
        match &self.live {
            Some(tools) if !tools.has_moved()? => Ok(()),
            _ => Err(HostError::new(ErrorKind::Busy, "another process has just changed the sandbox")
                .hint("check it again, then repeat the command")),
        }
    }

    /// Waits for the lock and updates the instance to the journal's state.
    pub fn lock(&mut self) -> Result<Locked<'_>> {
        let held = self.store.lock.acquire()?;
        self.locked(held)
    }

    /// Like [`lock`](Self::lock), but fails if another process holds the lock.
    pub fn try_lock(&mut self) -> Result<Locked<'_>> {
        let held = self.store.lock.try_acquire()?;
        self.locked(held)
    }

    /// Makes a call that changes nothing, on what the journal says now. Takes no lock and writes nothing: what somebody is just writing is
    /// not seen.
    ///
    /// # Errors
    /// If the sandbox cannot be read, its tools run on a folder, or the call asks something.
    pub fn look(&self, call: &wit::ToolCall) -> Result<Result<wit::ToolResult, wit::ToolError>> {
        if self.file.on_disk.is_some() {
            return Err(HostError::new(ErrorKind::Refused, "tools that run on a folder are not used without the lock"));
        }
        sealed::look(&self.store, &self.options, &*self.body.components, call)
    }

    /// Goes on with a lock that was held all the time.
    pub(crate) fn resume(&mut self, held: Held) -> Result<Locked<'_>> {
        self.locked(held)
    }

    /// Lets this push to a server be until then: a server that does not answer must not slow down
    /// every call.
    pub(crate) fn look_again(&mut self, nonce: Nonce, at: Timestamp) {
        self.look_again.insert(nonce, at);
    }

    /// True if this push to a server may be looked at now.
    pub(crate) fn may_look_at(&self, nonce: Nonce) -> bool {
        self.look_again.get(&nonce).is_none_or(|at| *at <= self.body.platform.now().timestamp())
    }

    fn locked(&mut self, held: Held) -> Result<Locked<'_>> {
        if !self.store.has_settings()? {
            return Err(HostError::new(ErrorKind::NoSuchSandbox, "another process has removed the sandbox"));
        }
        if let Some(tools) = &self.live
            && tools.has_moved()?
        {
            self.live = None;
        }
        let mut tools = match self.live.take() {
            Some(tools) => tools,
            None => self.restore(&held)?,
        };
        let settled = tools.settle(&held)?;
        self.live = Some(tools);
        settled.iter().for_each(|note| self.tell_once(note));
        Ok(Locked { sandbox: self, held })
    }

    /// The tools, restored to their last state.
    fn restore(&mut self, held: &Held) -> Result<Box<dyn Tools>> {
        if let Err(error) = self.store.remove_leftovers(held) {
            // Leftovers take space but do no harm.
            tracing::debug!("{error}");
        }
        if let Some(directory) = &self.file.on_disk {
            return self.body.components.on_disk(directory, &self.options);
        }
        let mut notes = Vec::new();
        let restored = Sealed::restore(&self.store, held, &self.options, &*self.body.components, &mut notes);
        notes.iter().for_each(|note| self.tell_once(note));
        Ok(Box::new(restored?))
    }
}

/// The tools that are on in a new sandbox.
pub fn tools_of_new(components: &dyn Components, tools: &ToolSettings) -> Result<Vec<wit::ToolSpec>> {
    let mut session = Session::open(components, &options_of_new(HexId([0; 16]), tools))?;
    session.start()?;
    session.tools()
}

impl Locked<'_> {
    /// The lock, as the proof that a change needs.
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// The lock, to go on with later.
    pub(crate) fn into_held(self) -> Held {
        self.held
    }

    /// The sandbox.
    pub fn sandbox(&self) -> &Sandbox {
        self.sandbox
    }

    /// What is durable of the sandbox.
    pub fn store(&self) -> &Store {
        &self.sandbox.store
    }

    /// The name by which the person knows it.
    pub fn name(&self) -> Cow<'_, str> {
        self.sandbox.name()
    }

    /// Adds a note for the person.
    pub fn tell(&mut self, note: String) {
        self.sandbox.tell(note);
    }

    /// Adds a note that every call repeats, once.
    pub fn tell_once(&mut self, note: &str) {
        self.sandbox.tell_once(note);
    }

    /// What changes whenever the sandbox does. `None` if that is unknown.
    pub fn mark(&self) -> Option<Mark> {
        self.sandbox.live.as_ref().and_then(|tools| tools.mark())
    }

    /// The tools that are switched on.
    pub fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.with(|tools, _, _| tools.tools())
    }

    /// The attachments that the sandbox holds.
    pub(crate) fn attachments(&mut self) -> Result<Vec<AttachmentId>> {
        self.with(|tools, _, _| tools.attachments()).map(Option::unwrap_or_default)
    }

    /// Runs a call with `answers` and the attachments they name, until it ends or asks. Its changes
    /// are durable when this returns.
    pub fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer], brought: &[Attachment]) -> Result<Step> {
        let step = self.with(|tools, held, store| tools.call(held, call, answers, brought, store))?;
        if let Step::Done { .. } = step {
            self.compact_if_long();
        }
        Ok(step)
    }

    /// Runs `f` on the tools. Any error except the component's own refusal drops them, and the next
    /// use restores them.
    fn with<T>(&mut self, function: impl FnOnce(&mut dyn Tools, &Held, &Store) -> Result<T>) -> Result<T> {
        let mut tools = match self.sandbox.live.take() {
            Some(tools) => tools,
            None => self.sandbox.restore(&self.held)?,
        };
        let done = function(&mut *tools, &self.held, &self.sandbox.store);
        if done.as_ref().map_or_else(|error| error.kind == ErrorKind::Session, |_| true) {
            self.sandbox.live = Some(tools);
        }
        done
    }

    /// A failure is only logged: the longer journal is just as good. It costs a replay, so it is not
    /// tried again before the journal has doubled once more.
    fn compact_if_long(&mut self) {
        let Some(tools) = self.sandbox.live.as_ref() else { return };
        let length = tools.mark().map(|mark| mark.length);
        let is_long = tools.is_long(&self.held, &self.sandbox.store);
        let compacted = is_long.and_then(|long| if long { self.compact() } else { Ok(()) });
        if let Err(error) = compacted {
            tracing::warn!("cannot compact the journal: {error}");
            length.into_iter().for_each(|length| self.sandbox.store.put_off_compaction(length));
        }
    }

    /// Replaces the journal with one without what undo cannot reach, and drops attachments that are
    /// no longer needed.
    pub fn compact(&mut self) -> Result<()> {
        let Some(mut needed) = self.with(|tools, held, _| tools.compact(held))? else { return Ok(()) };
        let store = &self.sandbox.store;
        needed.extend(pushed::packs(&store.ledger, None)?);
        store.attachments.keep_only(&self.held, &needed)?;
        self.mark().map_or(Ok(()), |mark| store.note_base(&self.held, mark.length))
    }
}
