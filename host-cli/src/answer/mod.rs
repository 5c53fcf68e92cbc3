//! A call, from what somebody wants done to what came of it: run it, find the answer to its question, and run it again.
//!
//! | file | what it answers |
//! |---|---|
//! | `approval` | may this call go on? |
//! | `refs` | which refs has this target? |
//! | `fetch` | bring these commits, or these blobs |
//! | `push` | take these commits there: checks, review, decision |
//! | `revise` | a push that is to be another one |
//! | `landing` | an approved push, written and recorded |
//! | `export` | the same into a bundle file |
//! | `recover` | a push that was cut off |
//! | `unsettled` | why it keeps its branch from being pushed to |
//! | `record` | a call as the audit log keeps it |
//! | `audit` | what was decided, on its way into the audit log |
//! | `spend` | a nonce, spent by recording the intent |
//! | `waiting` | calls that another process answers |
//! | `said` | errors of the host in the component's words |

mod approval;
mod audit;
mod export;
#[cfg(all(test, unix))]
mod faults;
mod fetch;
mod landing;
mod paths;
mod push;
mod record;
mod recover;
mod refs;
mod revise;
mod said;
mod spend;
mod unsettled;
mod waiting;

use std::collections::HashMap;

use gate::digest::Digest;
use gate::policy::{Caller, Policy, RuleName, Ruling};

use self::revise::Otherwise;
use crate::approve::Approver;
use crate::error::{ErrorKind, HostError, Result};
use crate::interrupt::{self, Phase};
use crate::limits;
use crate::moment::Moment;
use crate::sandbox::{Locked, Question, Sandbox, Step, wit};
use crate::screen::{self, progress};
use crate::store::{Answer, Attachment, Inside};
use crate::target::Target;

pub use approval::facts_of;
pub use export::{export, target as export_target};
pub use recover::{recover_elsewhere, settle_by_word};
pub use refs::named_by as targets_named_by;
pub use unsettled::ensure_settled;
pub use waiting::{decide_waiting, reject_waiting, settle_waiting};

/// How often a call may ask before it is given up. Every round brings something new, so more would be a fault.
const ROUNDS: usize = 8;

/// The longest that any call may run, whatever it says itself.
const LONGEST_NANOS: u64 = limits::CALL_MS * 1_000_000;

/// What somebody wants done.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
    /// Who wants it, as the host knows.
    pub caller: Caller,
}

/// What came of it.
#[derive(Debug)]
pub enum Reply {
    /// The tool ran to its end, with a result or an error.
    Done(Result<wit::ToolResult, wit::ToolError>),
    /// Nobody has approved it, and nothing has changed.
    NotApproved(Box<NotApproved>),
}

/// What somebody would have had to approve.
#[derive(Clone, Debug)]
pub struct NotApproved {
    /// Why it is not approved.
    pub reason: String,
    /// How to approve it.
    pub hint: String,
    /// The push, if it is one.
    pub push: Option<ShownPush>,
    /// What it is, if it stays inside the sandbox.
    pub inside: Option<Inside>,
}

/// A push as it is shown to someone who cannot be asked now.
#[derive(Clone, Debug)]
pub struct ShownPush {
    /// What an approval must name.
    pub digest: Digest,
    /// The repository.
    pub target: String,
    /// The branch there.
    pub branch: String,
    /// A line for each file.
    pub summary: String,
    /// A line for each risk.
    pub warnings: String,
    /// The branch that it makes, if it makes one.
    pub new_branch: Option<String>,
    /// Every commit with its message, and everything that would change.
    pub whole: String,
    /// The whole review, for programs.
    pub review: serde_json::Value,
}

/// What the answers to one call are made with.
struct Asked<'a> {
    call: wit::ToolCall,
    caller: Caller,
    policy: &'a Policy,
    /// Whether the call is only to be ruled about.
    is_hypothetical: bool,
    /// Whether a person has approved it, but for what leaves the sandbox.
    is_approved: bool,
    /// Why rules have the person asked, as far as they have been told.
    heard: Vec<String>,
    /// What the sandbox was when it asked last.
    mark: Option<u64>,
    /// The rule that lets it go, where nobody is asked.
    rule: Option<RuleName>,
    /// Targets that the host has named in this call, by that name.
    named: HashMap<String, Target>,
    /// Packs and indices that the call, or answers to it, name.
    brought: Vec<Attachment>,
    approver: &'a mut dyn Approver,
}

impl<'a> Asked<'a> {
    fn new(call: wit::ToolCall, caller: Caller, policy: &'a Policy, approver: &'a mut dyn Approver) -> Self {
        let (named, brought) = (HashMap::new(), Vec::new());
        let (is_hypothetical, is_approved, rule, heard) = (false, false, None, Vec::new());
        let mark = None;
        Asked { call, caller, policy, is_hypothetical, is_approved, heard, mark, rule, named, brought, approver }
    }

    /// Makes the call with the answers so far.
    fn step(&mut self, sandbox: &mut Sandbox, answers: &[wit::Answer]) -> Result<Step> {
        sandbox.ensure_wanted()?;
        let mut locked = enter(sandbox, self.approver)?;
        let _running = interrupt::during(Phase::Call);
        let _waiting = progress::spinner(format!("Running {}", screen::line(&self.call.tool)));
        let step = locked.call(&self.call, answers, &self.brought)?;
        self.mark = locked.mark();
        Ok(step)
    }

    /// Whether the call, with the answers so far, would still ask this question: the sandbox may have changed since.
    fn still_asks(&self, key: &[u8], answers: &[wit::Answer], locked: &mut Locked<'_>) -> Result<bool> {
        if self.mark.is_some() && locked.mark() == self.mark {
            return Ok(true);
        }
        let step = locked.call(&self.call, answers, &self.brought)?;
        Ok(matches!(step, Step::Ask { key: now, .. } if now == key))
    }
}

/// The answer to a question.
enum Found {
    /// Call again with it.
    Answer(wit::AnswerBody),
    /// The push has landed, or what was given approves nothing, and with that the call is done.
    Finished(Reply),
    /// Nobody could be asked.
    NotApproved(Box<NotApproved>),
    /// The call is hypothetical, and this is what would be done about it.
    Ruled(Box<Ruling>),
    /// The push is to be made anew.
    Revise(Box<Otherwise>),
}

/// How the making of a call ended.
enum End {
    /// With what came of it.
    Over(Reply),
    /// With what the policy says of it, as it was hypothetical.
    Ruled(Box<Ruling>),
    /// With what is to be different.
    Revise(Box<Otherwise>),
}

/// Takes the sandbox's lock, and settles what an earlier process may have left open. An error if the person has called it off meanwhile.
pub fn enter<'s>(sandbox: &'s mut Sandbox, approver: &mut dyn Approver) -> Result<Locked<'s>> {
    let mut locked = sandbox.lock()?;
    locked.tell_notes(approver);
    recover::recover(&mut locked, approver)?;
    locked.ensure_wanted()?;
    Ok(locked)
}

/// Runs a call to its end. Its arguments may name what is `attached`.
pub fn run(
    sandbox: &mut Sandbox,
    call: &Call,
    attached: Vec<Attachment>,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Reply> {
    let answered = match waiting::answered(sandbox, call)? {
        Some((Answer::Rejected(reason), _)) => return Ok(waiting::rejected(reason)),
        Some((Answer::Approved, heard)) => Some(heard),
        None => None,
    };
    let mut asked = Asked::new(tool_call(call, sandbox.git_timeout_ms())?, call.caller, policy, approver);
    asked.brought = attached;
    asked.is_approved = answered.is_some();
    asked.heard = answered.unwrap_or_default();
    let end = match approval::before(&mut asked, sandbox)? {
        Some(reply) => End::Over(reply),
        None => go_on(asked, sandbox)?,
    };
    let otherwise = match end {
        End::Over(Reply::NotApproved(not)) => {
            return Ok(Reply::NotApproved(Box::new(waiting::keep(sandbox, call, *not)?)));
        }
        End::Over(reply) => return Ok(reply),
        End::Revise(otherwise) => *otherwise,
        End::Ruled(_) => unreachable!("the call is not hypothetical"),
    };
    match revise::revise(sandbox, call, otherwise, policy, approver)? {
        Ok(call) => run(sandbox, &call, Vec::new(), policy, approver),
        Err(reply) => Ok(reply),
    }
}

/// What the policy says of a push, or of a pull, once it can be seen what it is and where it goes; or what keeps it from being seen. Nothing
/// is changed.
pub fn rule_on(
    sandbox: &mut Sandbox,
    call: &Call,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Result<Ruling, Reply>> {
    let mut asked = Asked::new(tool_call(call, sandbox.git_timeout_ms())?, call.caller, policy, approver);
    asked.is_hypothetical = true;
    Ok(match go_on(asked, sandbox)? {
        End::Ruled(ruling) => Ok(*ruling),
        End::Over(reply) => Err(reply),
        End::Revise(_) => unreachable!("nobody is asked about a hypothetical call"),
    })
}

/// Makes the call, again and again, until it is done.
fn go_on(mut asked: Asked<'_>, sandbox: &mut Sandbox) -> Result<End> {
    let mut answers: Vec<wit::Answer> = Vec::new();
    for _ in 0..ROUNDS {
        let (key, question) = match asked.step(sandbox, &answers)? {
            Step::Done { outcome, .. } => {
                if outcome.is_ok() {
                    refs::adopt(&mut asked, sandbox);
                }
                return Ok(End::Over(Reply::Done(outcome)));
            }
            Step::Ask { key, question } => (key, question),
        };
        if answers.iter().any(|answer| answer.key == key) {
            return Err(misbehaved("it asked again what was answered"));
        }
        let found = match question {
            Question::Approval(approval) => approval::find(&mut asked, &approval, sandbox)?,
            Question::Refs(target) => refs::find(&mut asked, &target, sandbox)?,
            Question::Push { push, pack } => push::find(&mut asked, &key, &push, pack, &answers, sandbox)?,
            Question::Commits(wanted) => fetch::commits(&mut asked, &wanted, sandbox)?,
            Question::Blobs(wanted) => fetch::blobs(&mut asked, &wanted, sandbox)?,
        };
        match found {
            Found::Answer(body) => answers.push(wit::Answer { key, body }),
            Found::Finished(reply) => return Ok(End::Over(reply)),
            Found::NotApproved(reason) => return Ok(End::Over(Reply::NotApproved(reason))),
            Found::Ruled(ruling) => return Ok(End::Ruled(ruling)),
            Found::Revise(otherwise) => return Ok(End::Revise(otherwise)),
        }
    }
    Err(misbehaved("it asked more than a call can need"))
}

/// A call in the component's terms, with a name of its own.
fn tool_call(call: &Call, git_timeout_ms: u64) -> Result<wit::ToolCall> {
    let now = Moment::now();
    Ok(wit::ToolCall {
        id: gate::hex::encode(&random::<8>()?),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        caller: match call.caller {
            Caller::Agent => wit::Caller::Agent,
            Caller::User => wit::Caller::User,
        },
        now: now.nanos,
        utc_offset: now.utc_offset,
        time_allowed: time_allowed(call, git_timeout_ms),
    })
}

/// How long the call may run at the most, in nanoseconds; soon after, its instance is stopped, whatever it does. An agent's call has
/// the time that its tool gives it; a person is there to call theirs off.
fn time_allowed(call: &Call, git_timeout_ms: u64) -> u64 {
    #[derive(serde::Deserialize)]
    struct Asked {
        timeout_ms: Option<u64>,
    }
    match call.caller {
        Caller::User => LONGEST_NANOS,
        Caller::Agent => {
            let asked = serde_json::from_str::<Asked>(&call.arguments).ok().and_then(|asked| asked.timeout_ms);
            // One that is too short is the tool's to refuse.
            asked.unwrap_or_default().max(git_timeout_ms).saturating_mul(1_000_000).min(LONGEST_NANOS)
        }
    }
}

/// Bytes from the system's source of randomness.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| HostError::new(ErrorKind::Storage, format!("the system gives no random bytes: {error}")))?;
    Ok(bytes)
}

fn misbehaved(how: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("the component broke its interface: {how}"))
        .hint("nothing has changed; build gitgate again, as the component is part of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_21_an_agents_call_has_the_time_of_its_tool_and_no_more() {
        let allowed = |caller, arguments: &str| {
            time_allowed(&Call { tool: "git_status".to_owned(), arguments: arguments.to_owned(), caller }, 30_000)
                / 1_000_000
        };
        assert_eq!(allowed(Caller::Agent, "{}"), 30_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 60000}"#), 60_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 0}"#), 30_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 18446744073709551615}"#), 600_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": "soon"}"#), 30_000);
        assert_eq!(allowed(Caller::Agent, "no JSON"), 30_000);
        assert_eq!(allowed(Caller::User, r#"{"timeout_ms": 100}"#), 600_000);
    }
}
