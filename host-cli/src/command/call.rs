use std::io::{BufRead, Read};

use clap::{Args, ValueEnum};
use gate::policy::Caller;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Context;
use super::context::Approvals;
use crate::answer::{Call, Reply};
use crate::approve::Approver;
use crate::error::{ErrorKind, HostError};
use crate::limits;
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
    /// Who calls [default: agent]; no line of a batch is more than this says
    #[arg(long = "as", value_enum, value_name = "CALLER")]
    caller: Option<As>,
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
        let call = Call { tool, arguments, caller: self.caller.unwrap_or(As::Agent).into() };
        perform(&context, &mut sandbox, &call, &mut *context.approver(&self.approvals)?, self.json)
    }
}

/// Makes a call and prints what comes of it.
pub fn perform(
    context: &Context,
    sandbox: &mut Sandbox,
    call: &Call,
    approver: &mut dyn Approver,
    json: bool,
) -> anyhow::Result<Exit> {
    let reply = context.run(sandbox, call, approver)?;
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
pub fn exit(call: &Call, structured: &str) -> Exit {
    #[derive(Deserialize)]
    struct Pushed {
        status: String,
    }
    let conflict = call.tool == "git_push"
        && serde_json::from_str::<Pushed>(structured).is_ok_and(|pushed| pushed.status == "conflict");
    if conflict { Exit::Conflict } else { Exit::Done }
}

/// Makes the calls of the input one after the other, in one process. A call that fails is a line like any other.
fn run_batch(
    context: &Context,
    sandbox: &mut Sandbox,
    caller: Option<As>,
    approvals: &Approvals,
) -> anyhow::Result<Exit> {
    // The input has the calls, so nobody can be asked there.
    let mut approver = context.scripted(approvals)?;
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut input = Vec::new();
        read_at_most(&mut stdin, |most| most.read_until(b'\n', &mut input))?;
        if input.is_empty() {
            break;
        }
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

fn parse(input: &[u8], said: Option<As>) -> anyhow::Result<Call> {
    let no_call = |why: &str| {
        HostError::new(ErrorKind::Usage, format!("this line is no call: {why}"))
            .hint("write {\"tool\": \"read_file\", \"arguments\": {\"path\": \"a.md\"}} on one line")
    };
    // Serde would take an array for a struct, too.
    if !input.trim_ascii_start().starts_with(b"{") {
        return Err(no_call("it is no JSON object").into());
    }
    let line: Line = serde_json::from_slice(input).map_err(|error| no_call(&error.to_string()))?;
    let caller = match (said.unwrap_or(As::Agent), line.caller) {
        (As::Agent, Some(As::User)) => {
            return Err(no_call("it claims to be the user's, and --as user does not stand").into());
        }
        (said, claimed) => claimed.unwrap_or(said),
    };
    let arguments = line.arguments.map_or_else(|| "{}".to_owned(), |arguments| arguments.get().to_owned());
    Ok(Call { tool: line.tool, arguments, caller: caller.into() })
}

fn read_input() -> Result<String, HostError> {
    let mut arguments = String::new();
    read_at_most(&mut std::io::stdin().lock(), |most| most.read_to_string(&mut arguments))?;
    Ok(arguments)
}

/// Reads something that is to be one call: no more than the longest call there can be.
fn read_at_most<R: BufRead>(
    input: &mut R,
    read: impl FnOnce(&mut std::io::Take<&mut R>) -> std::io::Result<usize>,
) -> Result<(), HostError> {
    let mut most = input.take(limits::CALL_BYTES + 1);
    read(&mut most).map_err(|error| unreadable(&error))?;
    if most.limit() == 0 {
        return Err(HostError::new(ErrorKind::Usage, "the input is longer than a call can be")
            .hint(format!("ask for less at a time: a call has at most {} MiB", limits::CALL_BYTES >> 20)));
    }
    Ok(())
}

fn unreadable(error: &std::io::Error) -> HostError {
    HostError::new(ErrorKind::Usage, format!("the input cannot be read: {error}")).hint("it must be UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_batch_is_a_call() {
        let call = parse(br#"{"tool":"read_file","arguments":{"path": "a"},"as":"user"}"#, Some(As::User)).unwrap();
        assert_eq!(
            (call.tool.as_str(), call.arguments.as_str(), call.caller),
            ("read_file", "{\"path\": \"a\"}", Caller::User)
        );
        let call = parse(br#"{"tool":"git_status"}"#, None).unwrap();
        assert_eq!((call.arguments.as_str(), call.caller), ("{}", Caller::Agent));
        assert!(parse(br#"{"tool":"x","more":1}"#, None).is_err());
        assert!(parse(br#"["read_file",{"path":"a"},"user"]"#, None).is_err());
    }

    #[test]
    fn attack_22_a_line_is_no_more_than_the_command_line_says() {
        let user = br#"{"tool":"git_push","as":"user"}"#;
        assert!(parse(user, Some(As::Agent)).is_err());
        assert!(parse(user, None).is_err(), "who says nothing says agent");
        assert_eq!(parse(user, Some(As::User)).unwrap().caller, Caller::User);
        assert_eq!(parse(br#"{"tool":"git_push","as":"agent"}"#, Some(As::User)).unwrap().caller, Caller::Agent);
        assert_eq!(parse(br#"{"tool":"git_push"}"#, Some(As::User)).unwrap().caller, Caller::User);
    }

    #[test]
    fn input_without_end_is_not_read_to_its_end() {
        let mut input = std::io::BufReader::new(std::io::repeat(b'x'));
        let mut line = Vec::new();
        let refused = read_at_most(&mut input, |most| {
            // As if all of it had been read.
            most.set_limit(0);
            most.read_until(b'\n', &mut line)
        });
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Usage);
    }

    #[test]
    fn a_push_that_meets_a_conflict_has_an_exit_code_of_its_own() {
        let call = |tool: &str| Call { tool: tool.to_owned(), arguments: String::new(), caller: Caller::User };
        assert_eq!(exit(&call("git_push"), "{\"status\":\"conflict\"}"), Exit::Conflict);
        assert_eq!(exit(&call("git_push"), "{\"status\":\"success\"}"), Exit::Done);
        assert_eq!(exit(&call("git_merge"), "{\"status\":\"conflict\"}"), Exit::Done);
    }
}
