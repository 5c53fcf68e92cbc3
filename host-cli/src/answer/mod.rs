//! Makes a call: runs it, answers its question, and runs it again until it is done.
//!
//! | file | what it answers |
//! |---|---|
//! | `approval` | may this call go on? |
//! | `refs` | which refs has this target? |
//! | `fetch` | bring these commits, or these blobs |
//! | `push` | take these commits there: checks, review, decision |
//! | `revise` | edits a push before it is approved |
//! | `landing` | writes and records an approved push |
//! | `export` | the same into a bundle file |
//! | `recover` | settles an interrupted push |
//! | `unsettled` | blocks pushes to the branch of an unsettled one |
//! | `record` | a call as the audit log keeps it |
//! | `audit` | writes decisions to the audit log |
//! | `spend` | spends a nonce by recording the intent |
//! | `waiting` | calls that wait for an answer from another process |
//! | `said` | errors of the host in the component's words |

mod approval;
mod audit;
mod export;
#[cfg(all(test, unix))]
mod faults;
mod fetch;
mod landing;
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
use crate::moment;
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

/// How many questions a call may ask. Every round brings something new, so more means a fault.
const ROUNDS: usize = 8;

/// The longest that any call may run, whatever its arguments say.
const LONGEST_NANOS: u64 = limits::CALL_MS * 1_000_000;

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
    /// Who makes it, as the host knows.
    pub caller: Caller,
}

/// The end of a call.
#[derive(Debug)]
pub enum Reply {
    /// The tool ran to its end, with a result or an error.
    Done(Result<wit::ToolResult, wit::ToolError>),
    /// Nobody approved it, and nothing has changed.
    NotApproved(Box<NotApproved>),
}

impl Reply {
    /// The same for whoever made the call as an agent: it says what waits, but not how to answer it.
    pub fn for_agent(self) -> Self {
        let Reply::NotApproved(mut not) = self else { return self };
        if not.waits {
            not.hint =
                "Tell the user that it waits for their approval, and make the same call again after that.".to_owned();
        }
        if let Some(push) = &mut not.push {
            push.digest = None;
        }
        Reply::NotApproved(not)
    }
}

/// A call that needs an approval it did not get.
#[derive(Clone, Debug)]
pub struct NotApproved {
    /// Why it is not approved.
    pub reason: String,
    /// How to approve it.
    pub hint: String,
    /// True if it is kept for a person to answer.
    pub waits: bool,
    /// The push, if it is one.
    pub push: Option<ShownPush>,
    /// The call, if it stays inside the sandbox.
    pub inside: Option<Inside>,
}

/// A push as printed where nobody can be asked.
#[derive(Clone, Debug)]
pub struct ShownPush {
    /// What an approval must name, for who may approve.
    pub digest: Option<Digest>,
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

/// The state of one call while its questions are answered.
struct Asked<'a> {
    call: wit::ToolCall,
    caller: Caller,
    policy: &'a Policy,
    /// True if only the policy's ruling is wanted.
    is_hypothetical: bool,
    /// True if a person has approved it. A push still needs its own approval.
    is_approved: bool,
    /// The rules' reasons that the person has been told.
    heard: Vec<String>,
    /// The state of the sandbox at the last question.
    mark: Option<u64>,
    /// The rule that approves the push without asking.
    rule: Option<RuleName>,
    /// Targets opened in this call, by canonical name.
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

    /// True if the call would still ask this question. The sandbox may have changed meanwhile.
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
    /// The call is done: the push has landed, or the given approval does not fit.
    Finished(Reply),
    /// Nobody could be asked.
    NotApproved(Box<NotApproved>),
    /// The ruling about a hypothetical call.
    Ruled(Box<Ruling>),
    /// Edit the push, then push again.
    Revise(Box<Otherwise>),
}

/// How a call ended.
enum End {
    /// With a reply.
    Over(Reply),
    /// With the ruling about a hypothetical call.
    Ruled(Box<Ruling>),
    /// With edits to a push.
    Revise(Box<Otherwise>),
}

/// Takes the sandbox's lock and settles the pushes that an earlier process left open. Fails if the
/// person has interrupted the call meanwhile.
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

/// Returns the policy's ruling about a push or pull, once its content and target are known, or the
/// reply that prevents it. Changes nothing.
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

/// Makes the call until it asks no more questions.
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
            return Err(misbehaved("it repeated an answered question"));
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
    Err(misbehaved("it asked too many questions"))
}

/// Builds the component's form of a call, with a random id.
fn tool_call(call: &Call, git_timeout_ms: u64) -> Result<wit::ToolCall> {
    let now = moment::now();
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

/// The longest time the call may run, in nanoseconds. Its instance is stopped soon after. An
/// agent's call has the time its tool gives it. A person can interrupt their own.
fn time_allowed(call: &Call, git_timeout_ms: u64) -> u64 {
    #[derive(serde::Deserialize)]
    struct Asked {
        timeout_ms: Option<u64>,
    }
    match call.caller {
        Caller::User => LONGEST_NANOS,
        Caller::Agent => {
            let asked = serde_json::from_str::<Asked>(&call.arguments).ok().and_then(|asked| asked.timeout_ms);
            // The tool refuses a time that is too short.
            asked.unwrap_or_default().max(git_timeout_ms).saturating_mul(1_000_000).min(LONGEST_NANOS)
        }
    }
}

/// Bytes from the system's source of randomness.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| HostError::new(ErrorKind::Storage, format!("the system provides no random bytes: {error}")))?;
    Ok(bytes)
}

fn misbehaved(how: &str) -> HostError {
    HostError::new(ErrorKind::Component, format!("the component broke its interface: {how}"))
        .hint("rebuild gitgate, because the component is part of it; nothing has changed")
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
