use std::io::{BufRead, Read};

use clap::{Args, ValueEnum};
use gate::policy::Caller;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Context;
use super::context::Approvals;
use crate::answer::{Call, Reply};
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit, Heard, Words};
use crate::sandbox::Sandbox;

/// Call a tool, as an agent would
///
/// Prints the tool's text as it is. With --json, prints {text, structured, truncated}, or {error: {kind, message, hint}}.
#[derive(Debug, Args)]
pub struct CallTool {
    /// The tool; `gitgate tools` lists them
    #[arg(required_unless_present = "batch")]
    tool: Option<String>,
    /// Its arguments, a JSON object; `-` reads it from the input
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    /// Who calls
    #[arg(long = "as", value_enum, value_name = "CALLER", default_value_t = As::Agent)]
    caller: As,
    #[command(flatten)]
    approvals: Approvals,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Read calls from the input, one {"tool", "arguments", "as"} a line, and print one JSON result a line
    #[arg(long, conflicts_with = "tool")]
    pub batch: bool,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum As {
    /// A model
    Agent,
    /// The person
    User,
}

impl From<As> for Caller {
    fn from(caller: As) -> Caller {
        match caller {
            As::Agent => Caller::Agent,
            As::User => Caller::User,
        }
    }
}

/// A line of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    tool: String,
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
    #[serde(default, rename = "as")]
    caller: Option<As>,
}

impl CallTool {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut sandbox = context.open()?;
        let Some(tool) = self.tool else {
            return run_batch(&context, &mut sandbox, self.caller, &self.approvals);
        };
        let arguments = if self.arguments == "-" { read_input()? } else { self.arguments };
        let call = Call { tool, arguments, caller: self.caller.into() };
        perform(&context, &mut sandbox, &call, &self.approvals, self.json)
    }
}

/// Makes a call and prints what comes of it.
pub fn perform(
    context: &Context,
    sandbox: &mut Sandbox,
    call: &Call,
    approvals: &Approvals,
    json: bool,
) -> anyhow::Result<Exit> {
    let mut approver = context.approver(approvals)?;
    let reply = context.run(sandbox, call, &mut *approver)?;
    if json {
        let (line, exit) = line(call, &reply)?;
        report::print(&format!("{line}\n"))?;
        return Ok(exit);
    }
    show(call, &reply)
}

/// Prints what came of a call, for a person.
pub fn show(call: &Call, reply: &Reply) -> anyhow::Result<Exit> {
    let words = match reply {
        Reply::Done(Ok(result)) => {
            report::print(&result.text)?;
            return Ok(exit(call, &result.structured));
        }
        Reply::Done(Err(error)) => report::tool_error(error),
        Reply::NotApproved(not) => {
            report::print(&report::shown_push(not))?;
            report::not_approved(not)
        }
    };
    if let Some(partial) = words.more.get("partial").and_then(|partial| partial.as_str()) {
        report::print(partial)?;
    }
    report::error(&words);
    Ok(words.exit)
}

/// A reply as a line of JSON, and what the process ends with if it is the last.
fn line(call: &Call, reply: &Reply) -> anyhow::Result<(String, Exit)> {
    let error = |words: Words| (report::error_json(&words), words.exit);
    Ok(match reply {
        Reply::Done(Ok(result)) => (report::result_json(result)?, exit(call, &result.structured)),
        Reply::Done(Err(failed)) => error(report::tool_error(failed)),
        Reply::NotApproved(not) => error(report::not_approved(not)),
    })
}

/// A push that meets a conflict is a result of its tool, and an exit code of its own.
fn exit(call: &Call, structured: &str) -> Exit {
    #[derive(Deserialize)]
    struct Pushed {
        status: String,
    }
    let conflict = call.tool == "git_push"
        && serde_json::from_str::<Pushed>(structured).is_ok_and(|pushed| pushed.status == "conflict");
    if conflict { Exit::Conflict } else { Exit::Done }
}

/// Makes the calls of the input one after the other, in one process. A call that fails is a line like any other.
fn run_batch(context: &Context, sandbox: &mut Sandbox, caller: As, approvals: &Approvals) -> anyhow::Result<Exit> {
    // The input has the calls, so nobody can be asked there.
    let mut approver = context.scripted(approvals)?;
    for input in std::io::stdin().lock().split(b'\n') {
        let input = input.map_err(|error| unreadable(&error))?;
        if input.trim_ascii().is_empty() {
            continue;
        }
        let answer = parse(&input, caller).and_then(|call| {
            let reply = context.run(sandbox, &call, &mut approver)?;
            Ok(line(&call, &reply)?.0)
        });
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) if context.clock.is_cancelled() => return Err(error),
            Err(error) => report::error_json(&report::explain(&error)),
        };
        let heard = report::print(&format!("{answer}\n"))?;
        if context.clock.is_cancelled() {
            return Ok(Exit::Interrupted);
        }
        if heard == Heard::ByNobody {
            break;
        }
    }
    Ok(Exit::Done)
}

fn parse(input: &[u8], caller: As) -> anyhow::Result<Call> {
    let line: Line = serde_json::from_slice(input).map_err(|error| {
        HostError::new(ErrorKind::Usage, format!("this line is no call: {error}"))
            .hint("write {\"tool\": \"read_file\", \"arguments\": {\"path\": \"a.md\"}} on one line")
    })?;
    let arguments = line.arguments.map_or_else(|| "{}".to_owned(), |arguments| arguments.get().to_owned());
    Ok(Call { tool: line.tool, arguments, caller: line.caller.unwrap_or(caller).into() })
}

fn read_input() -> Result<String, HostError> {
    let mut arguments = String::new();
    std::io::stdin().lock().read_to_string(&mut arguments).map_err(|error| unreadable(&error))?;
    Ok(arguments)
}

fn unreadable(error: &std::io::Error) -> HostError {
    HostError::new(ErrorKind::Usage, format!("the input cannot be read: {error}")).hint("it must be UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_batch_is_a_call() {
        let call = parse(br#"{"tool":"read_file","arguments":{"path": "a"},"as":"user"}"#, As::Agent).unwrap();
        assert_eq!(
            (call.tool.as_str(), call.arguments.as_str(), call.caller),
            ("read_file", "{\"path\": \"a\"}", Caller::User)
        );
        let call = parse(br#"{"tool":"git_status"}"#, As::Agent).unwrap();
        assert_eq!((call.arguments.as_str(), call.caller), ("{}", Caller::Agent));
        assert!(parse(br#"{"tool":"x","more":1}"#, As::Agent).is_err());
    }

    #[test]
    fn a_push_that_meets_a_conflict_has_an_exit_code_of_its_own() {
        let call = |tool: &str| Call { tool: tool.to_owned(), arguments: String::new(), caller: Caller::User };
        assert_eq!(exit(&call("git_push"), "{\"status\":\"conflict\"}"), Exit::Conflict);
        assert_eq!(exit(&call("git_push"), "{\"status\":\"success\"}"), Exit::Done);
        assert_eq!(exit(&call("git_merge"), "{\"status\":\"conflict\"}"), Exit::Done);
    }
}
