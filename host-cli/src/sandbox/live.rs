//! An open sandbox: its tools, and what they can be restored from.
//!
//! Two invariants: an instance of the component holds exactly what the journal holds, or there is
//! no instance. And tools run only under the sandbox's lock, after a check whether another process
//! has used the sandbox.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gate::policy::PushMode;
use gate::target::CanonicalTarget;

use super::options::{options, options_of_new, push_mode};
use super::running::Running;
use super::{Runtime, wit};
use crate::around::Native;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home::{self, GitSettings, HexId, SandboxFile, policy, sandbox_file};
use crate::store::{Attachment, Held, Journal, Store};
use crate::target::{Target, TargetError};
use host::around::Around;
use host::session::{Session, Step};
use host::settings::policy::REMEMBERED;

/// An open sandbox.
pub struct Sandbox {
    /// Its settings.
    pub file: SandboxFile,
    /// Its files.
    pub store: Store,
    folder: PathBuf,
    options: wit::Options,
    push: PushMode,
    runtime: Rc<Runtime>,
    around: Rc<dyn Around>,
    live: Option<Running>,
    /// Notes for the person, until somebody takes them.
    notes: Vec<String>,
    /// Notes that are told only once.
    told: HashSet<String>,
}

/// A number that changes whenever a sandbox does.
pub type Mark = u64;

/// A sandbox whose lock is held.
pub struct Locked<'a> {
    sandbox: &'a mut Sandbox,
    _held: Held,
}

impl Sandbox {
    /// Opens the sandbox in `folder`. The first lock replays its journal.
    pub fn open(folder: &Path, git: &GitSettings, runtime: Rc<Runtime>) -> Result<Self> {
        let file = sandbox_file::read(folder)?;
        let (options, push) = (options(&file, git), push_mode(&file, git));
        let store = Store::open(folder, file.id.name())?;
        let around = Rc::new(Native::new(runtime.clock().clone()));
        Ok(Sandbox {
            file,
            store,
            folder: folder.to_owned(),
            options,
            push,
            runtime,
            around,
            live: None,
            notes: Vec::new(),
            told: HashSet::new(),
        })
    }

    /// Sets the default target of pushes. Must be called before the first lock.
    #[must_use]
    pub fn with_default_target(mut self, target: wit::Target) -> Self {
        self.options.default_target = Some(target);
        self.live = None;
        self
    }

    /// Opens a new sandbox in `folder`, which holds only its settings file.
    pub fn create(folder: &Path, git: &GitSettings, runtime: Rc<Runtime>) -> Result<Self> {
        let mut sandbox = Sandbox::open(folder, git, runtime)?;
        let Sandbox { file, store, options, runtime, .. } = &sandbox;
        sandbox.live = Some(Running::create(file, store, options, runtime)?);
        Ok(sandbox)
    }

    /// The folder that it is kept in.
    pub fn folder(&self) -> &Path {
        &self.folder
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
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        self.folder.file_name().unwrap_or_default().to_string_lossy()
    }

    /// Adds a target permanently to those that an agent may name.
    pub fn add_target(&mut self, target: &CanonicalTarget) -> Result<()> {
        // Under the lock no other process replaces the file.
        let _held = self.store.lock.acquire()?;
        let mut file = self.file.clone();
        file.targets.push(target.to_string());
        sandbox_file::write(&file, &self.folder)?;
        self.file = file;
        Ok(())
    }

    /// Fails if `path`, absolute and without symlinks, is in the folder of all sandboxes.
    pub fn ensure_elsewhere(&self, path: &Path) -> Result<()> {
        let sandboxes = self.folder.parent().expect("a sandbox is in a folder of sandboxes");
        if path.starts_with(sandboxes.canonicalize().doing("find", sandboxes)?) {
            let what = format!("{} is in gitgate's own folder", path.display());
            return Err(HostError::new(ErrorKind::Refused, what).hint("choose a place outside it"));
        }
        home::ensure_in_no_sandbox(sandboxes, path)
    }

    /// Fails if another process has changed the sandbox since this one last ran a call. Needs the
    /// lock.
    pub fn ensure_unmoved(&self) -> Result<()> {
        match &self.live {
            Some(running) if !running.has_moved()? => Ok(()),
            _ => Err(HostError::new(ErrorKind::Busy, "another process has just changed the sandbox")
                .hint("check it again, then repeat the command")),
        }
    }

    /// The world around it.
    pub fn around(&self) -> Rc<dyn Around> {
        Rc::clone(&self.around)
    }

    /// Saves a rule that the person accepted, as it would stand in a policy file.
    pub fn remember(&self, rule: &str) -> Result<()> {
        policy::remember(&self.folder, rule)
    }

    /// Where such rules are saved.
    pub fn remembered(&self) -> String {
        self.folder.join(REMEMBERED).display().to_string()
    }

    /// Whether a push to `target` could change the sandbox's policy file.
    pub fn holds_policy(&self, target: &Target) -> std::result::Result<bool, TargetError> {
        policy::is_in(&self.file, target)
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

    fn locked(&mut self, held: Held) -> Result<Locked<'_>> {
        if !self.folder.join(SandboxFile::NAME).exists() {
            return Err(HostError::new(ErrorKind::NoSuchSandbox, "another process has removed the sandbox"));
        }
        if let Some(running) = &self.live
            && running.has_moved()?
        {
            self.live = None;
        }
        let mut running = match self.live.take() {
            Some(running) => running,
            None => self.restore()?,
        };
        let settled = running.settle()?;
        self.live = Some(running);
        settled.iter().for_each(|note| self.tell_once(note));
        Ok(Locked { sandbox: self, _held: held })
    }

    /// The tools, restored to their last state. Needs the lock.
    fn restore(&mut self) -> Result<Running> {
        if let Err(error) = self.store.remove_leftovers() {
            // Leftovers take space but do no harm.
            tracing::debug!("{error}");
        }
        let mut notes = Vec::new();
        let restored = Running::restore(&self.file, &self.store, &self.options, &self.runtime, &mut notes);
        notes.iter().for_each(|note| self.tell_once(note));
        restored
    }
}

/// The tools that are on in a sandbox that `gitgate new` creates.
pub fn tools_of_new(runtime: &Runtime, git: &GitSettings) -> Result<Vec<wit::ToolSpec>> {
    let mut session = Session::open(runtime, &options_of_new(HexId([0; 16]), git))?;
    session.start()?;
    session.tools()
}

impl Locked<'_> {
    /// The sandbox's files.
    pub fn store(&self) -> &Store {
        &self.sandbox.store
    }

    /// The name by which the person knows it.
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        self.sandbox.name()
    }

    /// The sandbox.
    pub fn sandbox(&self) -> &Sandbox {
        self.sandbox
    }

    /// Adds a note for the person.
    pub fn tell(&mut self, note: String) {
        self.sandbox.tell(note);
    }

    /// Adds a note that every call repeats, once.
    pub fn tell_once(&mut self, note: &str) {
        self.sandbox.tell_once(note);
    }

    /// A number that changes whenever the sandbox does. `None` if that is unknown.
    pub fn mark(&self) -> Option<Mark> {
        self.sandbox.live.as_ref().and_then(Running::journal).map(Journal::len)
    }

    /// The tools that are switched on.
    pub fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.with(|running, _| running.tools())
    }

    /// Runs a call with `answers` and the attachments they name, until it ends or asks. Its changes
    /// are durable when this returns.
    pub fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer], brought: &[Attachment]) -> Result<Step> {
        let step = self.with(|running, store| running.call(call, answers, brought, store))?;
        self.compact_if_long();
        Ok(step)
    }

    /// Runs `f` on the tools. Any error except the component's own refusal drops them, and the next
    /// use restores them.
    fn with<T>(&mut self, function: impl FnOnce(&mut Running, &Store) -> Result<T>) -> Result<T> {
        let mut running = match self.sandbox.live.take() {
            Some(running) => running,
            None => self.sandbox.restore()?,
        };
        let done = function(&mut running, &self.sandbox.store);
        if done.as_ref().map_or_else(|error| error.kind == ErrorKind::Session, |_| true) {
            self.sandbox.live = Some(running);
        }
        done
    }

    /// A failure is only logged: the longer journal is just as good.
    fn compact_if_long(&mut self) {
        let Some(journal) = self.sandbox.live.as_ref().and_then(Running::journal) else { return };
        let compacted = self.sandbox.store.is_long(journal).and_then(|long| if long { self.compact() } else { Ok(()) });
        if let Err(error) = compacted {
            tracing::warn!("cannot compact the journal: {error}");
        }
    }

    /// Replaces the journal with a shorter one, and drops attachments that are no longer needed.
    pub fn compact(&mut self) -> Result<()> {
        let Some(needed) = self.with(|running, _| running.compact())? else { return Ok(()) };
        let store = &self.sandbox.store;
        store.attachments.keep_only(&needed)?;
        let len = self.sandbox.live.as_ref().and_then(Running::journal).map_or(0, Journal::len);
        store.note_base(len)
    }
}
