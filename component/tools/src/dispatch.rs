//! Runs a call as far as the host's answers allow.

mod hooks;

use std::borrow::Cow;

use dialect::Dialect;
use serde_json::Value;

use self::hooks::Coming;
use crate::answer::Answers;
use crate::approval::Mode;
use crate::call::ToolCall;
use crate::deadline::Deadline;
use crate::embedding::Embedding;
use crate::error::{ErrorKind, Stop, Timeout, ToolError};
use crate::options::{MAX_TIMEOUT_MS, MIN_TIMEOUT_MS, Options};
use crate::output::{Effect, Output, Structured, truncate};
use crate::question::Question;
use crate::registry;
use crate::session::{Context, Made, Session};
use crate::tool::Tool;

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
    /// A pack for the host, from a tool that changes nothing.
    pub pack: Vec<u8>,
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
    let mut dialect = call.dialect;
    let usual = session.options.git.max_bytes;
    session.options.git.max_bytes = call.max_bytes.map_or(usual, |most| most.min(usual));
    let result = run(session, call, &mut dialect, answers, &mut deadline, embedding);
    session.options.git.max_bytes = usual;
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
    let error = name_timeout(error, own_name(&call.tool));
    Step::Done(Err(escape(in_dialect(error, &call.tool, dialect))))
}

/// See [`Within`](crate::session::Within).
fn within(context: &mut Context<'_>, name: &'static str, folder: &str, mut arguments: Value) -> Result<Made, Stop> {
    let tool = registry::find(name).expect("parts are calls of tools that exist");
    permit(tool.annotations.mode, context.call, &context.session.options)?;
    if tool.has_field("working_dir") {
        arguments["working_dir"] = folder.into();
    }
    let asked = tool.annotations.approval(&arguments);
    let output = tool.run(tool.read(arguments.clone()), context)?;
    Ok(Made { output, changes: !tool.annotations.read_only, asked, arguments })
}

/// The tool's own name, by whatever name it is called.
fn own_name(name: &str) -> &str {
    dialect::tool(name).unwrap_or(name)
}

/// The error with its hint in the caller's names.
fn in_dialect(error: ToolError, tool: &str, dialect: Option<Dialect>) -> ToolError {
    let said = |text: &str| dialect::words(dialect, own_name(tool), text).into_owned();
    ToolError { message: said(&error.message), hint: said(&error.hint), ..error }
}

/// Adds the tool's name (SRD appendix B) and a hint to a timeout. Returns any other `error` unchanged.
fn name_timeout(error: ToolError, name: &str) -> ToolError {
    let ErrorKind::Timeout(Timeout { ms, .. }) = error.kind else {
        return error;
    };
    let tool = registry::find(name);
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
    dialect: &mut Option<Dialect>,
    answers: &Answers,
    deadline: &mut Deadline,
    embedding: &mut dyn Embedding,
) -> Result<Output, Stop> {
    // A fact from outside always applies, even if the tool is disabled by now: it needs no approval, and no limit of time or room stops it.
    let is_fact = answers.landed().is_some();
    let arguments = read(call, dialect);
    let name = match &arguments {
        Ok((name, _)) => name,
        Err(_) => own_name(&call.tool),
    };
    let tool = find(name, call, &session.options, is_fact)?;
    if is_fact {
        embedding.lift_limits();
    } else {
        permit(tool.annotations.mode, call, &session.options)?;
    }
    let arguments = tool.read(arguments?.1);
    if !is_fact {
        let timeout_ms = timeout_ms(&arguments, &session.options)?;
        if tool.hurried {
            deadline.shorten(timeout_ms);
        }
        embedding.stop_at(deadline.at());
        if let Some(approval) = tool.annotations.approval(&arguments) {
            answers.get(Question::Approval(approval))?;
        }
    }
    let mut context = Context { session, call, dialect: *dialect, answers, deadline, embedding, within };
    let coming = Coming { arguments: &arguments, reads: tool.annotations.read_only, is_fact };
    let hooks = hooks::before(&mut context, &coming)?;
    let done = tool.run(arguments, &mut context);
    hooks::after(hooks, &mut context, done)
}

/// Finds the called tool if it is enabled. A fact may need a disabled tool.
fn find(name: &str, call: &ToolCall, options: &Options, is_fact: bool) -> Result<&'static Tool, ToolError> {
    let mut tools = registry::REGISTRY.iter().filter(|tool| is_fact || registry::is_enabled(tool, options));
    tools.find(|tool| tool.name == name).ok_or_else(|| {
        let may_call = |tool: &&Tool| tool.annotations.mode.allows(call.caller, options);
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

/// The tool and its arguments in its own names. A host that decides by them has read them with the same function.
fn read<'a>(call: &'a ToolCall, dialect: &mut Option<Dialect>) -> Result<(Cow<'a, str>, Value), ToolError> {
    match parse(&call.arguments)? {
        Value::Object(arguments) => {
            let spoken = dialect::read(call.dialect, &call.tool, arguments)
                .map_err(|clash| ToolError::bad_args(clash.to_string()).hint("Give one of them."))?;
            *dialect = spoken.dialect;
            Ok((spoken.tool, Value::Object(spoken.arguments)))
        }
        other => Ok((own_name(&call.tool).into(), other)),
    }
}

fn parse(arguments: &str) -> Result<Value, ToolError> {
    if arguments.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    dialect::json::from_str(arguments).map_err(|error| {
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
    let Output { text, structured, truncated, max_bytes, effect, pack } = output;
    // Escapes only the beginning, because the rest is cut off.
    let text = patch::escape::into_escaped(patch::escape::beginning(text, max_bytes));
    let (text, cut) = truncate(text, max_bytes);
    Finished { text, structured, truncated: cut || truncated, effect, pack, max_bytes }
}

fn escape(mut error: ToolError) -> ToolError {
    let escape = |text: &mut String| *text = patch::escape::escape(text.as_bytes()).into_owned();
    escape(&mut error.message);
    escape(&mut error.hint);
    if let ErrorKind::Timeout(Timeout { partial, .. }) = &mut error.kind {
        escape(partial);
    }
    error
}

#[cfg(test)]
mod tests;
