use std::io::{BufRead, Read};

use clap::{Args, ValueEnum};
use gate::policy::Caller;
use host::answer::{Call, NotApproved, Reply};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::context::Approvals;
use super::{Context, conflicts};
use crate::approve::Approver;
use crate::error::{ErrorKind, HostError};
use crate::limits;
use crate::report::{self, Exit, Heard, Words};
use crate::sandbox::Sandbox;
use crate::screen;

/// What the help ends with.
const EXAMPLES: &str = r#"Examples:
  gitgate call git_status
  gitgate call read_file '{"path": "README.md"}'
  gitgate call write_file - < arguments.json"#;

/// Call a tool, as an agent would
///
/// Prints the tool's text unchanged. With --json, prints {text, structured, truncated}, or {error:
/// {kind, message, hint}}.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CallTool {
    /// Tool to call; `gitgate tools` lists them
    #[arg(required_unless_present = "batch")]
    tool: Option<String>,
    /// Arguments as a JSON object, or `-` to read them from standard input
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    /// Caller [default: agent]; a batch line may say "user" only with --as user
    #[arg(long = "as", value_enum, value_name = "CALLER")]
    caller: Option<As>,
    /// Approve calls inside the sandbox, and pushes if gitgate.toml says `unattended = true`
    #[arg(long)]
    yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Read calls from standard input, one {"tool", "arguments", "as"} per line, and print one JSON
    /// result per line
    #[arg(long, conflicts_with = "tool")]
    pub batch: bool,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum As {
    /// An AI agent
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

/// One line of a batch.
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
        if self.caller == Some(As::User) {
            context.ensure_person("call a tool as the user")?;
        }
        let approvals = Approvals { yes: self.yes, approve: None };
        let mut sandbox = context.open()?;
        let Some(tool) = self.tool else {
            return run_batch(&context, &mut sandbox, self.caller, &approvals);
        };
        let arguments = if self.arguments == "-" { read_input()? } else { self.arguments };
        let call = Call::new(tool, arguments, self.caller.unwrap_or(As::Agent).into());
        perform(&context, &mut sandbox, &call, &mut *context.approver(&approvals)?, self.json)
    }
}

/// Makes a call and prints its result.
pub fn perform(
    context: &Context,
    sandbox: &mut Sandbox,
    call: &Call,
    approver: &mut dyn Approver,
    json: bool,
) -> anyhow::Result<Exit> {
    finish(context, call, context.run(sandbox, call, approver)?, json)
}

/// Prints how a call ended.
pub fn finish(context: &Context, call: &Call, reply: Reply, json: bool) -> anyhow::Result<Exit> {
    let reply = for_reader(context, call, reply)?;
    if json {
        let (line, exit) = line(call, &reply)?;
        report::print(&format!("{line}\n"))?;
        return Ok(exit);
    }
    show(call, &reply)
}

/// A reply as whoever reads it may have it. Where nobody sits at a terminal, it may be an agent.
pub fn for_reader(context: &Context, call: &Call, reply: Reply) -> anyhow::Result<Reply> {
    let is_person = call.caller == Caller::User && context.may_decide()?;
    Ok(if is_person { reply } else { reply.for_agent() })
}

/// Prints the result of a call for whoever made it.
pub fn show(call: &Call, reply: &Reply) -> anyhow::Result<Exit> {
    show_to(call.caller, call, reply)
}

/// Prints the result of a call for a person, who may have been asked about an agent's, or for an agent.
pub fn show_to(reader: Caller, call: &Call, reply: &Reply) -> anyhow::Result<Exit> {
    let words = match reply {
        Reply::Done(Ok(result)) => {
            let text = hinted(call, &result.text);
            report::print(&screen::result(&format!("{text}{}", in_conflict(call, &result.structured))))?;
            return Ok(exit(call, &result.structured));
        }
        Reply::Done(Err(error)) => report::tool_error(error),
        Reply::NotApproved(not) => {
            report::print(&report::shown_push(not))?;
            not_approved(call, not)
        }
    };
    if let Some(partial) = words.said.more.get("partial").and_then(|partial| partial.as_str()) {
        report::print(&screen::result(partial))?;
    }
    let words = if reader == Caller::User { words.for_person() } else { words };
    report::error(&words);
    Ok(words.exit)
}

/// A missing approval in words. A person who left without a decision about their own call makes it again.
fn not_approved(call: &Call, not: &NotApproved) -> Words {
    let mut words = report::not_approved(not);
    if call.caller == Caller::User && words.said.hint.is_empty() {
        words.said.hint = "the same command asks again".to_owned();
    }
    words
}

/// The text of a result, of which a person's hint names commands.
fn hinted(call: &Call, text: &str) -> String {
    match text.rsplit_once("\nhint: ") {
        Some((text, hint)) if call.caller == Caller::User && ["git_pull", "git_push"].contains(&&*call.tool) => {
            format!("{text}\nhint: {}", screen::hint::for_person(hint))
        }
        _ => text.to_owned(),
    }
}

/// Names the files that a person's pull has left in conflict, below a text that names them among all others.
fn in_conflict(call: &Call, structured: &str) -> String {
    match call.caller == Caller::User && call.tool == "git_pull" {
        true => conflicts::named(&conflicts::of_pull(structured)),
        false => String::new(),
    }
}

/// Formats a reply as a line of JSON, with the exit code it stands for.
fn line(call: &Call, reply: &Reply) -> anyhow::Result<(String, Exit)> {
    let error = |words: Words| (report::error_json(&words), words.exit);
    Ok(match reply {
        Reply::Done(Ok(result)) => (report::result_json(result)?, exit(call, &result.structured)),
        Reply::Done(Err(failed)) => error(report::tool_error(failed)),
        Reply::NotApproved(not) => error(not_approved(call, not)),
    })
}

/// Returns the exit code of a successful call. A conflict is a result with its own code: of a push that changed nothing, and of a pull
/// that left files to resolve. So is a push that a person wants otherwise.
pub fn exit(call: &Call, structured: &str) -> Exit {
    #[derive(Deserialize)]
    struct Pushed {
        status: String,
    }
    match &*call.tool {
        "git_push" => match serde_json::from_str::<Pushed>(structured) {
            Ok(pushed) if pushed.status == "conflict" => Exit::Conflict,
            Ok(pushed) if pushed.status == "changes-requested" => Exit::NotApproved,
            _ => Exit::Done,
        },
        "git_pull" if !conflicts::of_pull(structured).is_empty() => Exit::Conflict,
        _ => Exit::Done,
    }
}

/// Makes the calls on standard input one after the other. A call that fails prints its error as
/// its line, and the batch goes on.
fn run_batch(
    context: &Context,
    sandbox: &mut Sandbox,
    caller: Option<As>,
    approvals: &Approvals,
) -> anyhow::Result<Exit> {
    // Standard input holds the calls, so it cannot hold a person's answers.
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
            let reply = for_reader(context, &call, context.run(sandbox, &call, &mut approver)?)?;
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

fn parse(input: &[u8], most: Option<As>) -> anyhow::Result<Call> {
    let not_a_call = |why: &str| {
        HostError::new(ErrorKind::Usage, format!("this line is not a call: {why}"))
            .hint("write {\"tool\": \"read_file\", \"arguments\": {\"path\": \"a.md\"}} on one line")
    };
    // Serde would also accept an array as a struct.
    if !input.trim_ascii_start().starts_with(b"{") {
        return Err(not_a_call("it is not a JSON object").into());
    }
    let line: Line = serde_json::from_slice(input).map_err(|error| not_a_call(&error.to_string()))?;
    let caller = match (most.unwrap_or(As::Agent), line.caller) {
        (As::Agent, Some(As::User)) => {
            return Err(not_a_call("it says \"as\": \"user\", but --as user was not given").into());
        }
        (most, claimed) => claimed.unwrap_or(most),
    };
    let arguments = line.arguments.map_or_else(|| "{}".to_owned(), |arguments| arguments.get().to_owned());
    Ok(Call::new(line.tool, arguments, caller.into()))
}

fn read_input() -> Result<String, HostError> {
    let mut arguments = String::new();
    read_at_most(&mut std::io::stdin().lock(), |most| most.read_to_string(&mut arguments))?;
    Ok(arguments)
}

/// Reads at most as many bytes as the longest call allowed.
fn read_at_most<R: BufRead>(
    input: &mut R,
    read: impl FnOnce(&mut std::io::Take<&mut R>) -> std::io::Result<usize>,
) -> Result<(), HostError> {
    let mut most = input.take(limits::CALL_BYTES + 1);
    read(&mut most).map_err(|error| unreadable(&error))?;
    if most.limit() == 0 {
        return Err(HostError::new(ErrorKind::Usage, "the input is longer than the longest call allowed")
            .hint(format!("split the call: a call may have at most {} MiB", limits::CALL_BYTES >> 20)));
    }
    Ok(())
}

fn unreadable(error: &std::io::Error) -> HostError {
    HostError::new(ErrorKind::Usage, format!("cannot read the input: {error}")).hint("send UTF-8")
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
    fn a_conflict_has_an_exit_code_of_its_own() {
        let call = |tool: &str| Call::new(tool, String::new(), Caller::User);
        assert_eq!(exit(&call("git_push"), "{\"status\":\"conflict\"}"), Exit::Conflict);
        assert_eq!(exit(&call("git_push"), "{\"status\":\"success\"}"), Exit::Done);
        assert_eq!(exit(&call("git_pull"), "{\"conflicts\":[\"/workspace/a\"]}"), Exit::Conflict);
        assert_eq!(exit(&call("git_pull"), "{\"conflicts\":[]}"), Exit::Done);
        assert_eq!(exit(&call("git_merge"), "{\"status\":\"conflict\"}"), Exit::Done);
    }
}
