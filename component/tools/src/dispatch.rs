//! From a call to a step.

mod fetched;
mod json;

use serde_json::Value;

use crate::answer::Answers;
use crate::approval::{self, Mode};
use crate::call::ToolCall;
use crate::deadline::Deadline;
use crate::embedding::Embedding;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::staged::wanted_blobs;
use crate::git::worktree::sparse;
use crate::options::{MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, Options};
use crate::output::{Effect, Output, Structured, truncate};
use crate::question::Question;
use crate::registry;
use crate::session::{Context, Session};
use crate::tool::Tool;
use crate::toolset::tasks::append_only;

/// How far a call has come.
#[derive(Debug)]
pub enum Step {
    /// The call is done.
    Done(Result<Finished, ToolError>),
    /// The call needs an answer. The tree must be as it was before the call.
    Ask(Box<Question>),
}

/// The result of a call, ready to leave the sandbox.
#[derive(Debug)]
pub struct Finished {
    /// For a model: escaped, and within the size limit.
    pub text: String,
    /// For a program.
    pub structured: Structured,
    /// Whether the text lacks something.
    pub truncated: bool,
    /// What the call does to the tree.
    pub effect: Effect,
    /// The size limit of the text.
    max_bytes: usize,
}

/// Note on a call whose changes exceed the undo limit.
const BEYOND_UNDO: &str =
    "\nThis call changed more than the undo limit allows. You cannot undo it or any earlier call.\n";

impl Finished {
    /// The same result with a note that neither this call nor an earlier one can be undone. The
    /// text gets the note if it has room.
    #[must_use]
    pub fn beyond_undo(mut self) -> Finished {
        if self.text.len() + BEYOND_UNDO.len() <= self.max_bytes {
            self.text.push_str(BEYOND_UNDO);
        }
        self.structured.add("undoable", false);
        self
    }

    /// The structured result, for tests.
    #[cfg(test)]
    pub fn structured(&self) -> Value {
        self.structured.value()
    }
}

/// Runs `call` as far as `answers` allow. The caller restores the old tree unless the call returns
/// a result.
pub fn dispatch(
    session: &mut Session,
    call: &ToolCall,
    answers: &Answers,
    mut deadline: Deadline,
    embedding: &mut dyn Embedding,
) -> Step {
    let result = run(session, call, answers, &mut deadline, embedding);
    let error = match result {
        _ if embedding.was_stopped() => deadline.timeout(String::new()),
        Ok(output) => return Step::Done(Ok(finish(output))),
        Err(Stop::Ask(question)) => return Step::Ask(question),
        // Whatever error the tool reports, the cause is the timeout.
        Err(Stop::Failed(error)) if deadline.is_over() && !matches!(error.kind, ErrorKind::Timeout { .. }) => {
            deadline.timeout(String::new())
        }
        Err(Stop::Failed(error)) => error,
    };
    Step::Done(Err(escape(name_timeout(error, &call.tool))))
}

/// Returns `error` unchanged unless it is a timeout. A timeout gets the tool's name (SRD appendix
/// B) and a hint.
fn name_timeout(error: ToolError, name: &str) -> ToolError {
    let ErrorKind::Timeout { ms, .. } = error.kind else {
        return error;
    };
    let tool = registry::REGISTRY.iter().find(|tool| tool.name == name);
    let message = match name.starts_with("git_") {
        true => format!("git command timed out after {ms}ms"),
        false => format!("{name} timed out after {ms}ms"),
    };
    let hint = match tool.is_some_and(|tool| tool.has_field("timeout_ms")) {
        true => "Nothing has changed. Raise timeout_ms, or ask for less, such as fewer paths.",
        false => "Nothing has changed. Ask for less, such as fewer paths, or ask the user to allow more time.",
    };
    ToolError { message, hint: hint.to_owned(), ..error }
}

fn run(
    session: &mut Session,
    call: &ToolCall,
    answers: &Answers,
    deadline: &mut Deadline,
    embedding: &mut dyn Embedding,
) -> Result<Output, Stop> {
    // A fact from outside always applies: even if the tool is now disabled, without approval, and
    // without limits of time and room.
    let is_fact = answers.landed().is_some();
    let tool = find(call, &session.options, is_fact)?;
    let row = approval::row(tool.name).expect("every tool has a row, as a test asserts");
    if is_fact {
        embedding.lift_limits();
    } else {
        permit(row.mode, call, &session.options)?;
    }
    let arguments = parse(&call.arguments)?;
    if !is_fact {
        let timeout_ms = timeout_ms(&arguments, &session.options)?;
        if tool.hurried {
            deadline.shorten(timeout_ms);
        }
        embedding.stop_at(deadline.at());
        if let Some(approval) = row.approval(&arguments) {
            answers.get(Question::Approval(approval))?;
        }
    }
    fetched::place(session, answers, embedding)?;
    let named = ["path", "from", "file"].iter().find_map(|field| arguments.get(field)?.as_str()).map(str::to_owned);
    let before = if is_fact { None } else { append_only::Before::of(session, call, row.read_only)? };
    let mut done = tool.run(arguments, &mut Context { session, call, answers, deadline, embedding });
    if let (Ok(output), Some(before)) = (&done, before) {
        let kept = before.ensure_kept(session, call, output.effect, embedding, deadline);
        done = kept.map_err(Stop::from).and(done);
    }
    if let (Err(Stop::Failed(error)), Some(named)) = (&done, named) {
        done = Err(explained(session, &named, error.clone()).into());
    }
    if !is_fact && !matches!(done, Err(Stop::Ask(_))) {
        ask_for_missed(session, answers, deadline)?;
    }
    let has_read_only = row.read_only && answers.fetched().next().is_some();
    // Objects that a reading tool fetched stay, and nobody would undo them.
    done.map(|output| if has_read_only { output.effect(Effect::Fact) } else { output })
}

/// The error, with a hint where a sparse sandbox lacks what the repository has.
fn explained(session: &mut Session, named: &str, error: ToolError) -> ToolError {
    match session.repo() {
        Ok(repo) if error.kind == ErrorKind::NotFound => {
            sparse::explain(&repo, &mut session.caches.index, &session.zones, named, error)
        }
        // Without a repository, nothing more can be said.
        _ => error,
    }
}

/// Asks for the objects that the run missed, if some target has them. The result of that run is then ignored.
fn ask_for_missed(session: &mut Session, answers: &Answers, deadline: &Deadline) -> Result<(), Stop> {
    let missed = std::mem::take(&mut *session.caches.repo.missed.borrow_mut());
    match missed.is_empty() {
        true => Ok(()),
        false => wanted_blobs::ask(&session.repo()?, missed, answers, deadline),
    }
}

/// The called tool, if it is enabled. A fact finds a disabled tool too.
fn find(call: &ToolCall, options: &Options, is_fact: bool) -> Result<&'static Tool, ToolError> {
    let mut tools = registry::REGISTRY.iter().filter(|tool| is_fact || registry::is_enabled(tool, options));
    tools.find(|tool| tool.name == call.tool).ok_or_else(|| {
        let may_call = |tool: &&Tool| approval::row(tool.name).is_some_and(|row| row.mode.allows(call.caller, options));
        let names: Vec<&str> = registry::enabled(options).filter(may_call).map(|tool| tool.name).collect();
        ToolError::new(ErrorKind::UnknownTool, format!("Unknown tool: {}", call.tool))
            .hint(format!("Tools: {}.", names.join(", ")))
    })
}

fn permit(mode: Mode, call: &ToolCall, options: &Options) -> Result<(), ToolError> {
    if mode.allows(call.caller, options) {
        return Ok(());
    }
    let hint = match mode {
        Mode::ManualPush => "Stage the changes with git_stage and ask the user to review and push them.",
        Mode::Manual | Mode::Both => "Ask the user to call it.",
    };
    Err(ToolError::new(ErrorKind::NotPermitted, format!("Only the user can call {}", call.tool)).hint(hint))
}

fn parse(arguments: &str) -> Result<Value, ToolError> {
    if arguments.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    json::from_str(arguments).map_err(|error| {
        ToolError::bad_args(format!("Invalid arguments: {error}")).hint("Pass the arguments as one JSON object.")
    })
}

/// The time limit in the call's arguments. The tool checks types later, so this ignores anything
/// but a number.
fn timeout_ms(arguments: &Value, options: &Options) -> Result<u64, ToolError> {
    let Some(timeout_ms) = arguments.get("timeout_ms").and_then(Value::as_u64) else {
        return Ok(options.git.timeout_ms);
    };
    if !(MIN_TIMEOUT_MS..=MAX_TIMEOUT_MS).contains(&timeout_ms) {
        return Err(ToolError::bad_args(format!("timeout_ms must be between {MIN_TIMEOUT_MS} and {MAX_TIMEOUT_MS}")));
    }
    Ok(timeout_ms)
}

fn finish(output: Output) -> Finished {
    let Output { text, structured, truncated, max_bytes, effect } = output;
    // Only the beginning is escaped. The rest is cut off.
    let text = patch::escape::into_escaped(patch::escape::beginning(text, max_bytes));
    let (text, cut) = truncate(text, max_bytes);
    Finished { text, structured, truncated: cut || truncated, effect, max_bytes }
}

fn escape(mut error: ToolError) -> ToolError {
    let escape = |text: &mut String| *text = patch::escape::escape(text.as_bytes()).into_owned();
    escape(&mut error.message);
    escape(&mut error.hint);
    if let ErrorKind::Timeout { partial, .. } = &mut error.kind {
        escape(partial);
    }
    error
}

#[cfg(test)]
mod tests;
