//! Reads the files, and asks the component once they have changed.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use gate::id::SandboxId;
use host::session::Step;
use serde_json::json;

use super::marks::{Mark, Marks};
use super::seen::{self, Asked, Inside, Outside};
use crate::command::{Context, Standing};
use crate::error::{ErrorKind, HostError, Result};
use crate::moment;
use crate::report;
use crate::sandbox::{self, Locked, Runtime, Sandbox, wit};

/// How much longer the time between two looks into a sandbox is than a look takes, so that looking
/// keeps neither the machine nor the sandbox from work.
const REST: u32 = 5;
/// How long a sandbox that somebody else uses is left alone.
const BUSY: Duration = Duration::from_millis(300);

/// Looks at what is watched.
pub struct Look<'a> {
    context: &'a Context,
    /// Where the person stands.
    standing: Standing,
    runtime: Rc<Runtime>,
    /// What was read of each sandbox.
    known: BTreeMap<SandboxId, (Marks, Result<Vec<Asked>, String>)>,
    /// The sandboxes that were told last.
    told: Option<Outside>,
    /// The sandbox that is shown.
    open: Option<Open>,
}

/// A sandbox that is looked into.
struct Open {
    name: SandboxId,
    /// By which it is another one if somebody has removed it and made one of the same name.
    settings: Option<Mark>,
    sandbox: Sandbox,
    /// What was looked at. `None` if it has to be looked at in any case.
    marks: Option<Marks>,
    /// When it may be looked into again.
    next: Instant,
}

impl<'a> Look<'a> {
    /// Looks at the sandbox that `context` names, or at all, for a person who stands there.
    pub fn new(context: &'a Context, standing: Standing) -> anyhow::Result<Self> {
        if context.is_named {
            context.home.sandbox(&context.name)?;
        }
        let runtime = context.runtime()?;
        Ok(Look { context, standing, runtime, known: BTreeMap::new(), told: None, open: None })
    }

    /// The day, where the person is.
    pub fn today() -> String {
        let mut now = moment::now().rfc3339();
        now.truncate("2026-11-20".len());
        now
    }

    /// What waits, if that has changed since it was last told.
    pub fn outside(&mut self) -> anyhow::Result<Option<Outside>> {
        let names = match self.context.is_named {
            true => vec![self.context.name.clone()],
            false => self.context.home.sandboxes()?,
        };
        self.known.retain(|name, _| names.contains(name));
        for name in &names {
            let now = self.context.home.folder(name).map(|folder| Marks::of(&folder)).unwrap_or_default();
            let is_same = |marks: &Marks| marks.waiting == now.waiting && marks.settings == now.settings;
            if self.known.get(name).is_none_or(|(marks, _)| !is_same(marks)) {
                let read = self.context.waiting(name).map(|all| seen::asked(name, &all, moment::now().utc_offset));
                self.known.insert(name.clone(), (now, read.map_err(|error| format!("sandbox {name}: {error:#}"))));
            }
        }
        let reads = || self.known.values().map(|(_, read)| read);
        let mut asked: Vec<Asked> = reads().flatten().flatten().cloned().collect();
        let here = self.standing.of_here(&names);
        let order = |asked: &Asked| (!here.contains(&asked.sandbox), asked.at.clone(), asked.id.clone());
        asked.sort_by_cached_key(order);
        // One that is damaged keeps none of the others from being shown.
        let notes = reads().filter_map(|read| read.as_ref().err().cloned()).collect();
        let outside = Outside { names, here, asked, notes };
        let is_news = self.told.as_ref() != Some(&outside);
        self.told = Some(outside.clone());
        Ok(Some(outside).filter(|_| is_news))
    }

    /// What goes on in the sandbox `name`, if that may have changed since it was last told, or in any
    /// case unless it `is_known`. What fails is told, too, and tried again after the next change.
    pub fn inside(&mut self, name: &SandboxId, is_known: bool) -> Option<Inside> {
        self.look_into(name, is_known).unwrap_or_else(|error| {
            Some(Inside { notes: vec![format!("sandbox {name}: {error:#}")], ..Inside::of(name.clone()) })
        })
    }

    fn look_into(&mut self, name: &SandboxId, is_known: bool) -> anyhow::Result<Option<Inside>> {
        let folder = self.context.home.folder(name)?;
        let now = Marks::of(&folder);
        let is_open = |open: &Open| open.name == *name && open.settings == now.settings;
        if !self.open.as_ref().is_some_and(is_open) {
            let config = self.context.config()?;
            let sandbox = sandbox::open(&folder, config.tools(), Rc::clone(&self.runtime))?;
            let settings = now.settings;
            self.open = Some(Open { name: name.clone(), settings, sandbox, marks: None, next: Instant::now() });
        }
        let open = self.open.as_mut().expect("it was just opened");
        let is_same = open.marks.as_ref().is_some_and(|marks| marks.calls == now.calls && marks.log == now.log);
        if is_known && is_same || Instant::now() < open.next {
            return Ok(None);
        }
        open.look(now)
    }
}

impl Open {
    /// `now` was taken before: what changes meanwhile is looked at again.
    fn look(&mut self, now: Marks) -> anyhow::Result<Option<Inside>> {
        let begin = Instant::now();
        let mut inside = Inside::of(self.name.clone());
        let looked = look_inside(&mut self.sandbox, &mut inside);
        if looked.as_ref().is_err_and(is_busy) {
            self.next = begin + BUSY;
            return Ok(None);
        }
        (self.marks, self.next) = (Some(now), Instant::now() + REST * begin.elapsed());
        looked.map(|()| Some(inside))
    }
}

fn is_busy(error: &anyhow::Error) -> bool {
    error.downcast_ref::<HostError>().is_some_and(|error| error.kind == ErrorKind::Busy)
}

/// Asks the tools what is in the sandbox. Nobody waits for a screen, and it waits for nobody.
fn look_inside(sandbox: &mut Sandbox, inside: &mut Inside) -> anyhow::Result<()> {
    // The entries before what is damaged hold.
    let (ledger, damage) = sandbox.store.ledger.look()?;
    inside.log = seen::log(&ledger, moment::now().utc_offset);
    inside.notes.extend(damage.map(|damage| damage.message));
    let time_allowed = sandbox.git_timeout_ms().saturating_mul(1_000_000);
    let mut locked = sandbox.try_lock()?;
    let history = call(&mut locked, "sandbox_history", &json!({ "limit": seen::MOST }), time_allowed)?;
    inside.calls = seen::calls(&history?.structured)?;
    match call(&mut locked, "git_status", &json!({}), time_allowed)? {
        Ok(status) => (inside.staged, inside.unstaged) = seen::staged(&status.structured)?,
        // The git tools may be off.
        Err(error) => inside.notes.push(error.0.message),
    }
    inside.notes.extend(sandbox.take_notes());
    Ok(())
}

/// Makes a call that changes nothing, asks nothing and needs nothing from outside. So nothing of it
/// is recorded, and no other call can be taken for it.
fn call(
    locked: &mut Locked<'_>,
    tool: &str,
    arguments: &serde_json::Value,
    time_allowed: u64,
) -> anyhow::Result<Result<wit::ToolResult, report::ToolFailure>> {
    let now = moment::now();
    let call = wit::ToolCall {
        id: "watch".to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.to_string(),
        dialect: None,
        max_bytes: None,
        caller: wit::Caller::User,
        now: now.nanos,
        utc_offset: now.utc_offset,
        time_allowed,
    };
    match locked.call(&call, &[], &[])? {
        Step::Done { outcome, .. } => Ok(outcome.map_err(report::ToolFailure)),
        Step::Ask { .. } => {
            anyhow::bail!("{tool} asked for something, though it changes nothing")
        }
    }
}
