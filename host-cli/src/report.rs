//! Prints results, errors and notes on the right stream and chooses the exit code. Only this file
//! does.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::error::{ContextKind, ContextValue};
use host::answer::{self, NotApproved};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::error::{ErrorKind, HostError, Result};
use crate::remote::{TargetError, TargetErrorKind};
use crate::sandbox::wit;
use crate::screen;

/// How a process ends, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: an error of a tool, or of the host.
    Error,
    /// 2: the command line or the configuration is invalid.
    Usage,
    /// 3: a person has not approved it.
    NotApproved,
    /// 4: a push met a conflict and changed nothing, or a pull left files in conflict.
    Conflict,
    /// 130: a person interrupted it.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Error => 1,
            Exit::Usage => 2,
            Exit::NotApproved => 3,
            Exit::Conflict => 4,
            Exit::Interrupted => crate::interrupt::INTERRUPTED,
        })
    }
}

/// An error in words, and how the process ends with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Words {
    /// The words.
    #[serde(flatten)]
    pub said: answer::Words,
    /// How the process ends.
    #[serde(skip)]
    pub exit: Exit,
}

impl Words {
    /// The same for the person who made the call or decided about it: with commands instead of calls in the hint.
    pub fn for_person(mut self) -> Self {
        if let Some(reason) = self.said.more.get("reason").and_then(|reason| reason.as_str()) {
            self.said.message = match reason {
                "" => "you rejected it".to_owned(),
                reason => format!("you rejected it: {reason}"),
            };
            // What was revised before stays so.
            self.said.hint = "nothing has left the sandbox".to_owned();
        }
        self.said.hint = screen::hint::for_person(&self.said.hint);
        self
    }
}

/// The error of a tool that a person's command called, on its way to [`explain`].
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct ToolFailure(pub wit::ToolError);

/// Turns any error into words.
pub fn explain(error: &anyhow::Error) -> Words {
    if let Some(ToolFailure(error)) = error.downcast_ref() {
        return tool_error(error).for_person();
    }
    if let Some(error) = error.downcast_ref::<HostError>() {
        let exit = match error.kind {
            ErrorKind::Usage => Exit::Usage,
            ErrorKind::NotApproved => Exit::NotApproved,
            ErrorKind::Interrupted => Exit::Interrupted,
            _ => Exit::Error,
        };
        return Words { said: answer::Words::of_host(error, screen::hint::words), exit };
    }
    if let Some(error) = error.downcast_ref::<TargetError>() {
        let (kind, exit) = match error.kind {
            TargetErrorKind::BadSpec => ("usage", Exit::Usage),
            TargetErrorKind::NotARepository => ("not-a-repository", Exit::Error),
            TargetErrorKind::NoSuchBranch => ("not-found", Exit::Error),
            TargetErrorKind::Damaged | TargetErrorKind::MissingObject => ("damaged", Exit::Error),
            TargetErrorKind::ReadOnly | TargetErrorKind::Io => ("storage", Exit::Error),
            TargetErrorKind::Unsupported => ("unsupported", Exit::Error),
            TargetErrorKind::Locked => ("busy", Exit::Error),
            TargetErrorKind::Untrusted | TargetErrorKind::Refused => ("refused", Exit::Error),
        };
        return words(kind, &error.to_string(), error.hint.as_deref().unwrap_or_default(), exit);
    }
    if let Some(fault) = error.downcast_ref::<gate::Fault>() {
        return words("refused", &fault.message, &fault.hint, Exit::Error);
    }
    words("error", &format!("{error:#}"), "", Exit::Error)
}

/// Turns a tool's error into words.
pub fn tool_error(error: &wit::ToolError) -> Words {
    let exit = if matches!(error.kind, wit::ErrorKind::Rejected(_)) { Exit::NotApproved } else { Exit::Error };
    Words { said: answer::Words::of_tool(error), exit }
}

/// Turns a missing approval into words; a push comes with its digest and review.
pub fn not_approved(not: &NotApproved) -> Words {
    Words { said: answer::Words::of_unapproved(not, screen::hint::words), exit: Exit::NotApproved }
}

/// Formats a push that nobody has approved: a summary, then the whole diff.
pub fn shown_push(not: &NotApproved) -> String {
    let Some(push) = &not.push else { return String::new() };
    let place = screen::line(&format!("{} (branch: {})", push.target, push.branch));
    let digest = push.digest.map_or_else(String::new, |digest| format!("Digest: {digest}\n"));
    let mut out = format!("{digest}Target: {place}\n{}{}\n", push.summary, push.total);
    if let Some(branch) = &push.new_branch {
        out.push_str(&format!("new branch: {}\n", screen::line(branch)));
    }
    out.push_str(&push.warnings);
    out.push('\n');
    out.push_str(&push.whole);
    out
}

fn words(kind: &str, message: &str, hint: &str, exit: Exit) -> Words {
    Words { said: answer::Words::new(kind, message, hint), exit }
}

/// Formats a result as JSON.
pub fn result_json(result: &wit::ToolResult) -> Result<String> {
    #[derive(Serialize)]
    struct Printed<'a> {
        text: &'a str,
        structured: &'a RawValue,
        truncated: bool,
    }
    let structured = serde_json::from_str(&result.structured).map_err(|error| {
        HostError::new(ErrorKind::Component, format!("the tool's structured result is not JSON: {error}"))
    })?;
    let printed = Printed { text: &result.text, structured, truncated: result.truncated };
    Ok(serde_json::to_string(&printed).expect("it has only string keys"))
}

/// Formats an error as JSON.
pub fn error_json(words: &Words) -> String {
    #[derive(Serialize)]
    struct Printed<'a> {
        error: &'a Words,
    }
    serde_json::to_string(&Printed { error: words }).expect("it has only string keys")
}

/// Prints the error of a command: on the error stream, or as JSON on the output stream.
pub fn failure(error: &anyhow::Error, json: bool) -> Exit {
    let words = explain(error);
    tracing::debug!("{error:?}");
    match json {
        true => drop(print(&format!("{}\n", error_json(&words)))),
        false => self::error(&words),
    }
    words.exit
}

/// Whether the output stream still has a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// No error says otherwise.
    BySomebody,
    /// The reader has closed the stream.
    ByNobody,
}

/// Prints to the output stream, byte for byte.
pub fn print(text: &str) -> Result<Heard> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Heard::BySomebody),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Heard::ByNobody),
        Err(error) => Err(HostError::new(ErrorKind::Storage, format!("cannot write to the output: {error}"))),
    }
}

/// Prints an error and its hint to the error stream.
pub fn error(words: &Words) {
    let mut text = format!("error: {}\n", screen::block(&words.said.message));
    if !words.said.hint.is_empty() {
        text.push_str(&format!("hint: {}\n", screen::block(&words.said.hint)));
    }
    complain(&text);
}

/// Prints a note for the person to the error stream, or keeps it while others have the terminal.
pub fn note(message: &str) {
    let text = format!("note: {}\n", screen::block(message));
    match &mut *kept() {
        Some(kept) if kept.contains(&text) => {}
        Some(kept) => kept.push(text),
        None => complain(&text),
    }
}

/// Prints a line about what is being done to the error stream, unless others have the terminal: it means nothing later.
pub fn progress(message: &str) {
    if !is_quiet() {
        complain(&format!("{}\n", screen::line(message)));
    }
}

/// Keeps notes until the guard is dropped, which prints each once.
pub fn keep_notes() -> KeptNotes {
    kept().get_or_insert_default();
    KeptNotes(())
}

/// Whether the error stream is another program's for now, which what is printed would disturb.
pub fn is_quiet() -> bool {
    kept().is_some()
}

/// The notes that are kept, if any are to be.
fn kept() -> MutexGuard<'static, Option<Vec<String>>> {
    static KEPT: Mutex<Option<Vec<String>>> = Mutex::new(None);
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the notes that were kept when it is dropped.
#[derive(Debug)]
pub struct KeptNotes(());

impl Drop for KeptNotes {
    fn drop(&mut self) {
        kept().take().iter().flatten().for_each(|text| complain(text));
    }
}

/// Prints the message for a panic.
pub fn unexpected() {
    complain(
        "error: gitgate failed unexpectedly\nhint: run it again with GITGATE_LOG=error for details, and report them to the developers\n",
    );
}

/// Prints clap's message. Help and version are not errors.
pub fn usage(mut error: clap::Error) -> Exit {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
        let shown = without_login(value);
        error.insert(ContextKind::InvalidValue, ContextValue::String(shown));
    }
    if error.use_stderr() {
        complain(&error.render().to_string());
        return Exit::Usage;
    }
    match print(&error.render().to_string()) {
        Ok(_) => Exit::Done,
        Err(_) => Exit::Error,
    }
}

/// Removes the name and password from a value that may be a URL, because errors end up in logs.
fn without_login(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((login, _)) => format!("{scheme}://…{}", &rest[login.len()..]),
        None => value.to_owned(),
    }
}

fn complain(text: &str) {
    // If the error stream is closed, there is nowhere to report it.
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: wit::ErrorKind) -> Words {
        tool_error(&wit::ToolError::new(kind, "It failed", "Do this."))
    }

    #[test]
    fn a_note_waits_while_others_have_the_terminal_and_is_told_once() {
        let guard = keep_notes();
        assert!(is_quiet());
        note("told in a test");
        note("told in a test");
        let told = kept().iter().flatten().filter(|text| text.contains("told in a test")).count();
        assert_eq!(told, 1);
        drop(guard);
        assert!(!is_quiet());
    }

    #[test]
    fn attack_13_a_login_in_a_value_is_not_said_again() {
        assert_eq!(without_login("https://ada:k3v9@x.net/a@b"), "https://…@x.net/a@b");
        for harmless in ["github:a/b", "https://x.net/a@b", "a@b", "://", "x://@"] {
            assert_eq!(without_login(harmless), harmless.replace("://@", "://…@"), "{harmless}");
        }
    }

    #[test]
    fn an_error_is_printed_as_kind_message_and_hint() {
        let words = error(wit::ErrorKind::BadArgs);
        assert_eq!(error_json(&words), r#"{"error":{"kind":"bad-args","message":"It failed","hint":"Do this."}}"#);
        assert_eq!(words.exit, Exit::Error);
    }

    #[test]
    fn a_timeout_keeps_what_there_is_and_a_rejection_its_reason() {
        let timeout = wit::Timeout { ms: 100, partial: "so far".to_owned() };
        assert_eq!(
            error_json(&error(wit::ErrorKind::Timeout(timeout))),
            r#"{"error":{"kind":"timeout","message":"It failed","hint":"Do this.","ms":100,"partial":"so far"}}"#
        );
        let words = error(wit::ErrorKind::Rejected("no".to_owned()));
        assert_eq!(words.said.more["reason"], "no");
        assert_eq!(words.exit, Exit::NotApproved);
    }

    #[test]
    fn a_person_is_not_told_what_an_agent_should_do_after_a_rejection() {
        let told = |reason: &str| {
            let words = error(wit::ErrorKind::Rejected(reason.to_owned())).for_person();
            assert_eq!((words.exit, &*words.said.hint), (Exit::NotApproved, "nothing has left the sandbox"));
            words.said.message
        };
        assert_eq!(told(""), "you rejected it");
        assert_eq!(told("no tests"), "you rejected it: no tests");
        assert_eq!(error(wit::ErrorKind::BadArgs).for_person().said.message, "It failed");
    }

    #[test]
    fn a_result_keeps_its_structured_part_as_it_is() {
        let result = wit::ToolResult {
            text: "a\n".to_owned(),
            structured: r#"{"z": 1.0, "a": 2}"#.to_owned(),
            truncated: false,
        };
        assert_eq!(
            result_json(&result).unwrap(),
            r#"{"text":"a\n","structured":{"z": 1.0, "a": 2},"truncated":false}"#
        );
        let broken = wit::ToolResult { structured: "{".to_owned(), ..result };
        assert_eq!(result_json(&broken).unwrap_err().kind, ErrorKind::Component);
    }

    #[test]
    fn every_error_that_reaches_the_edge_has_a_kind_and_an_exit_code() {
        let host = |kind| explain(&HostError::new(kind, "m").hint("h").into());
        assert_eq!(host(ErrorKind::Usage).exit, Exit::Usage);
        assert_eq!(host(ErrorKind::Interrupted).exit, Exit::Interrupted);
        assert_eq!(host(ErrorKind::Damaged).exit, Exit::Error);
        let target = crate::remote::TargetSpec::parse("nonsense").unwrap_err();
        assert_eq!(explain(&target.into()).exit, Exit::Usage);
        let tool = wit::ToolError::new(wit::ErrorKind::NotFound, "m", "");
        assert_eq!(explain(&ToolFailure(tool).into()).said.kind, "not-found");
        assert_eq!(explain(&anyhow::anyhow!("anything else")).said.message, "anything else");
    }

    #[test]
    fn a_call_that_nobody_approved_shows_no_push() {
        let not = NotApproved {
            reason: "r".to_owned(),
            hint: "h".into(),
            waits: false,
            push: None,
            topic: None,
            inside: None,
            script: None,
        };
        assert_eq!(shown_push(&not), "");
        assert_eq!(not_approved(&not).exit, Exit::NotApproved);
    }
}
