use std::path::Path;

use clap::Args;
use gate::id::SandboxId;
use gate::policy::Caller;
use host::answer::{self, Call, Reply};
use serde_json::{Value, json};

use super::Context;
use super::call;
use super::context::Approvals;
use super::landed::{self, landed_by};
use crate::approve::{Approver, Scripted, Talk};
use crate::driver;
use crate::error::{Doing, ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::Waiting;
use crate::terminal::Terminal;

/// What the help ends with.
const EXAMPLES: &str = r#"Examples:
  gitgate review                       # one call after the other
  gitgate review 1f0c9a2b --reject "Split this in two"
  gitgate review 1f0c9a2b --ask-changes "Add a test""#;

/// Answer the calls that wait for your approval
///
/// Without an ID, asks about one waiting call after the other at a terminal, in all sandboxes unless
/// -s names one, and only lists them elsewhere. gitgate makes a push as soon as you approve it. Any
/// other call runs when the agent makes it again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Review {
    /// Call to answer, as the list names it
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Reject it for this reason, which the agent reads; may be empty
    #[arg(long, value_name = "REASON", requires = "id", conflicts_with_all = ["yes", "approve"])]
    reject: Option<String>,
    /// Ask for changes of a push, for this reason, which may be empty: the agent gets it with every open comment
    #[arg(long, value_name = "REASON", requires = "id", conflicts_with_all = ["reject", "yes", "approve"])]
    ask_changes: Option<String>,
    #[command(flatten)]
    approvals: Approvals,
    /// List the waiting calls, one JSON object a line, and ask about none
    #[arg(long, conflicts_with_all = ["id", "reject", "ask_changes", "yes", "approve"])]
    pub json: bool,
    /// The key of the prompt that the person has pressed already.
    #[arg(skip)]
    pressed: Option<&'static str>,
    /// Whether the call was chosen in a list of those of all sandboxes.
    #[arg(skip)]
    is_of_list: bool,
}

impl Review {
    /// The same as `gitgate review`.
    pub(super) fn all() -> Self {
        Review {
            id: None,
            reject: None,
            ask_changes: None,
            approvals: Approvals::default(),
            json: false,
            pressed: None,
            is_of_list: false,
        }
    }

    /// Asks about one waiting call, as if `pressed` were the first key. One that was chosen in a list of those of all sandboxes may be of
    /// another repository.
    pub fn of(id: String, pressed: Option<&'static str>, is_of_list: bool) -> Self {
        Review { id: Some(id), pressed, is_of_list, ..Review::all() }
    }

    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        if self.id.is_none() && (self.approvals.yes || self.approvals.approve.is_some()) {
            return Err(HostError::new(ErrorKind::Usage, "an answer needs the call that it is for")
                .hint("name the call, as `gitgate review` lists it")
                .into());
        }
        let standing = context.standing()?;
        let context = context.meant_in(&standing, "Review the calls of")?;
        let names = match context.is_named {
            true => vec![context.name.clone()],
            false => standing.own_first(context.home.sandboxes()?),
        };
        let (is_one, is_named) = (names.len() == 1, context.is_named);
        let mut all = Vec::new();
        for name in names {
            match context.waiting(&name) {
                Ok(waiting) if waiting.is_empty() => {}
                Ok(waiting) => all.push((context.of(name), waiting)),
                Err(error) if is_one => return Err(error),
                // One that is damaged keeps none of the others from being answered.
                Err(error) => report::note(&format!("sandbox {name}: {error:#}")),
            }
        }
        if let Some(id) = &self.id {
            let has = |waiting: &[Waiting]| waiting.iter().any(|waiting| waiting.id.starts_with(id));
            let Some((context, _)) = all.iter().find(|(_, waiting)| has(waiting)) else {
                return Err(HostError::new(ErrorKind::Usage, format!("no call {} waits", screen::line(id)))
                    .hint("see what waits with `gitgate review`")
                    .into());
            };
            let heading = standing.heading(&context.name);
            match (standing.elsewhere(&context.name), Terminal::open()) {
                (Some(_), Some(mut terminal)) if !is_named || self.is_of_list => {
                    report::print(&format!("Sandbox {heading}:\n"))?;
                    if !is_wanted(&mut terminal)? {
                        return Err(HostError::new(ErrorKind::NotApproved, "nothing was decided").into());
                    }
                }
                (Some(_), None) => report::note(&format!("sandbox {heading}")),
                _ => {}
            }
            let mut sandbox = context.open()?;
            let waiting = sandbox.store.waiting.find(id)?;
            return self.decide(context, &mut sandbox, &waiting);
        }
        if self.json {
            let lines =
                all.iter().flat_map(|(context, waiting)| waiting.iter().map(|one| json_line(&context.name, one)));
            report::print(&lines.collect::<String>())?;
            return Ok(Exit::Done);
        }
        if all.is_empty() {
            report::print("No calls are waiting\n")?;
            return Ok(Exit::Done);
        }
        let mut terminal = Terminal::open();
        let mut last = Exit::Done;
        for (context, waiting) in &all {
            let is_elsewhere = standing.elsewhere(&context.name).is_some();
            let heading = format!("Sandbox {}", standing.heading(&context.name));
            let Some(terminal) = &mut terminal else {
                if !is_named || is_elsewhere {
                    report::print(&format!("{heading}:\n"))?;
                }
                report::print(&list(waiting))?;
                continue;
            };
            // A key that is meant for the repository here answers no call of another one.
            if is_elsewhere && !is_named {
                report::print(&format!("{heading}:\n{}", list(waiting)))?;
                if !is_wanted(terminal)? {
                    continue;
                }
            } else if !is_named {
                report::print(&format!("{heading}:\n"))?;
            }
            let mut sandbox = context.open()?;
            for waiting in waiting {
                report::print(&line(waiting))?;
                last = self.decide(context, &mut sandbox, waiting)?;
            }
        }
        Ok(last)
    }

    fn decide(&self, context: &Context, sandbox: &mut Sandbox, waiting: &Waiting) -> anyhow::Result<Exit> {
        if let Some(reason) = &self.reject {
            context.ensure_person("decide")?;
            answer::reject_waiting(sandbox, waiting, reason)?;
            report::print(&format!("Rejected {}\n", short(waiting)))?;
            return Ok(Exit::Done);
        }
        let mut approver: Box<dyn Approver> = match (&self.ask_changes, self.pressed) {
            (Some(reason), _) => {
                context.ensure_person("ask for changes")?;
                if waiting.inside.is_some() {
                    return Err(HostError::new(ErrorKind::Usage, "only a push can be changed")
                        .hint("reject the call with what is to change")
                        .into());
                }
                host::review::ensure_asked(sandbox, waiting.topic.as_ref(), reason)?;
                Box::new(Scripted { changes: Some(reason.clone()), ..context.scripted(&self.approvals)? })
            }
            (None, Some(key)) => context.approver_after(key)?,
            (None, None) => context.approver(&self.approvals)?,
        };
        if let Some(decided) = driver::decide_waiting(sandbox, waiting, &mut *approver)? {
            return Ok(match decided {
                Ok(verdict) => {
                    report::print(&format!("{verdict} {}\n", short(waiting)))?;
                    Exit::Done
                }
                Err(not) => {
                    let words = report::not_approved(&not);
                    report::error(&words);
                    words.exit
                }
            });
        }
        let call = Call::new(waiting.tool.clone(), waiting.arguments.clone(), Caller::Agent);
        let reply = context.run(sandbox, &call, &mut *approver)?;
        if answer::settle_waiting(sandbox, waiting, &reply)? && matches!(reply, Reply::Done(_)) {
            let id = short(waiting);
            report::note(&format!("the call still waits; `gitgate review {id} --reject REASON` rejects it"));
        }
        let landed = landed_by(&call, &reply).cloned();
        let exit = match context.may_decide()? {
            true => call::show_to(Caller::User, &call, &reply)?,
            false => call::show(&call, &reply.for_agent())?,
        };
        landed.iter().for_each(|result| landed::tell_next(sandbox, &context.servers, result));
        Ok(exit)
    }
}

/// Asks whether the calls of a sandbox of another repository are to be answered.
fn is_wanted(terminal: &mut Terminal) -> anyhow::Result<bool> {
    terminal.forget_typed()?;
    let answer = terminal.press("Review it from here? [y]es [n]o ").doing("write to", Path::new("/dev/tty"))?;
    Ok(matches!(answer.as_deref(), Some("y" | "yes")))
}

/// A waiting call as JSON: in which sandbox, which tool with which arguments, since when in RFC 3339, and what it does inside the sandbox.
fn json_line(sandbox: &SandboxId, waiting: &Waiting) -> String {
    let arguments: Value = serde_json::from_str(&waiting.arguments).unwrap_or_default();
    let line = json!({
        "sandbox": sandbox.as_str(),
        "id": waiting.id,
        "tool": waiting.tool,
        "arguments": arguments,
        "at": screen::times::exact(waiting.at),
        "summary": waiting.inside.as_ref().map(|inside| &inside.summary),
    });
    format!("{line}\n")
}

fn short(waiting: &Waiting) -> &str {
    waiting.id.get(..8).unwrap_or(&waiting.id)
}

/// Waiting calls of one kind that are listed.
const ALIKE: usize = 3;

/// The waiting calls, one line each, and a line for more of one kind.
fn list(all: &[Waiting]) -> String {
    let mut kinds: Vec<(String, String)> = Vec::new();
    all.iter().map(Waiting::kind).for_each(|kind| {
        if !kinds.contains(&kind) {
            kinds.push(kind)
        }
    });
    let mut out = String::new();
    for kind in &kinds {
        let alike: Vec<&Waiting> = all.iter().filter(|waiting| waiting.kind() == *kind).collect();
        let most = if alike.len() == ALIKE + 1 { ALIKE + 1 } else { ALIKE };
        alike.iter().take(most).for_each(|waiting| out.push_str(&line(waiting)));
        if alike.len() > most {
            let (more, tool) = (alike.len() - most, screen::line(&kind.0));
            out.push_str(&format!("          {tool}  … and {more} more of the same\n"));
        }
    }
    out
}

/// A waiting call in one line.
fn line(waiting: &Waiting) -> String {
    let what = waiting.inside.as_ref().map_or(&waiting.arguments, |inside| &inside.summary);
    format!("{}  {}  {}\n", short(waiting), screen::line(&waiting.tool), screen::line(what))
}
