//! One call of the component that goes on, question by question.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use bytes::Bytes;
use gate::digest::Digest;
use gate::forge::Along;
use gate::policy::{Caller, Policy, RuleName, Ruling};
use gate::review::Review;
use gate::signing::Signed;

use crate::answer::approval::person::Person;
use crate::answer::call::questions::{Answering, Ended, Questions, play};
use crate::answer::call::suspend::{Given, Halting};
use crate::answer::landing::OnItsWay;
use crate::answer::push::Prepared;
use crate::answer::push::revise::Otherwise;
use crate::answer::repository::exchanges::Exchanges;
use crate::answer::repository::opened::Opened;
use crate::answer::repository::{fetch, refs};
use crate::answer::{Call, Reply, approval, comments, enter, push};
use crate::approve::Revision;
use crate::attachment::Attachment;
use crate::error::Result;
use crate::limits;
use crate::platform::{self, Phase};
use crate::sandbox::{Locked, Sandbox};
use crate::screen;
use crate::session::{Question, Step};
use crate::store::Mark;
use crate::wit;

/// The longest that any call may run, whatever its arguments say.
pub(crate) const LONGEST_NANOS: u64 = limits::CALL_MS * 1_000_000;

/// The state of a call while its questions are answered.
pub(crate) struct Invocation {
    pub(crate) call: wit::ToolCall,
    pub(crate) caller: Caller,
    pub(crate) policy: Rc<Policy>,
    /// True if only the policy's ruling is wanted.
    pub(crate) is_hypothetical: bool,
    /// True if a person has approved it. A push still needs its own approval.
    pub(crate) is_approved: bool,
    /// The rules' reasons that the person has been told.
    pub(crate) heard: Vec<String>,
    /// The state of the sandbox at the last question.
    mark: Option<Mark>,
    /// The rule that approves the push without asking.
    pub(crate) rule: Option<RuleName>,
    /// Targets opened in this call, by canonical name.
    pub(crate) named: HashMap<String, Box<dyn Opened>>,
    /// Packs and indices that the call, or answers to it, name.
    pub(crate) brought: Vec<Attachment>,
    /// The pack that the tool made.
    pub(crate) pack: Bytes,
    /// The push that was approved in advance.
    pub(crate) digest: Option<Digest>,
    /// Edits to the push that were given in advance.
    pub(crate) revision: Option<Revision>,
    /// The change request that the server shall make of the push.
    pub(crate) along: Option<Along>,
    /// The push that a person is asked about.
    pub(crate) prepared: Option<Prepared>,
    /// The push's commits that the host has signed.
    pub(crate) signed: Signed,
    /// The push that a person has approved, if it has to be looked at again.
    pub(crate) seen: Option<Box<Review>>,
    /// The push that is being written to a server.
    pub(crate) landing: Option<OnItsWay>,
    /// What the person is asked and says.
    pub(crate) person: Person,
    /// What servers are asked and say.
    pub(crate) exchanges: Exchanges,
    questions: Questions,
}

/// How a call ended.
pub(crate) enum End {
    /// With a reply.
    Over(Reply),
    /// With the ruling about a hypothetical call.
    Ruled(Box<Ruling>),
    /// With edits to a push, after which it is pushed again.
    Revise(Box<Otherwise>),
}

/// The answer to a question, or the end of its call.
pub(crate) type Found = ControlFlow<End, wit::AnswerBody>;

impl Invocation {
    /// Begins a call that follows the policy.
    pub(crate) fn new(call: wit::ToolCall, caller: Caller, policy: Rc<Policy>) -> Self {
        Invocation {
            call,
            caller,
            policy,
            is_hypothetical: false,
            is_approved: false,
            heard: Vec::new(),
            mark: None,
            rule: None,
            named: HashMap::new(),
            brought: Vec::new(),
            pack: Bytes::new(),
            digest: None,
            revision: None,
            along: None,
            prepared: None,
            signed: Signed::default(),
            seen: None,
            landing: None,
            person: Person::default(),
            exchanges: Exchanges::default(),
            questions: Questions::default(),
        }
    }

    /// Takes what the last step needed.
    pub(crate) fn give(&mut self, given: Given) {
        if let Some(given) = self.person.give(given) {
            self.exchanges.take(given);
        }
    }

    /// Makes the call until it asks no more questions.
    pub(crate) fn go_on(&mut self, sandbox: &mut Sandbox) -> Halting<End> {
        // The loop keeps its questions while they are answered by what the call has else.
        let mut questions = std::mem::take(&mut self.questions);
        let played = play(&mut questions, &mut Making { invocation: self, sandbox });
        self.questions = questions;
        Ok(match played? {
            Ended::Done(outcome) => {
                if outcome.is_ok() {
                    refs::adopt(self, sandbox);
                }
                End::Over(Reply::Done(outcome))
            }
            Ended::Early(end) => end,
        })
    }

    /// True if the call would still ask this question. The sandbox may have changed meanwhile.
    pub(crate) fn still_asks(&self, key: &[u8], answers: &[wit::Answer], locked: &mut Locked<'_>) -> Result<bool> {
        if self.mark.is_some() && locked.mark() == self.mark {
            return Ok(true);
        }
        let step = locked.call(&self.call, answers, &self.brought)?;
        Ok(matches!(step, Step::Ask { key: now, .. } if now == key))
    }
}

/// A call, and the sandbox that it is made in.
struct Making<'a> {
    invocation: &'a mut Invocation,
    sandbox: &'a mut Sandbox,
}

impl Answering for Making<'_> {
    type End = End;

    fn step(&mut self, answers: &[wit::Answer]) -> Result<Step> {
        let Making { invocation, sandbox } = self;
        let (mut step, mark) = step(sandbox, &invocation.call, answers, &invocation.brought)?;
        invocation.mark = mark;
        if let Step::Done { pack, .. } = &mut step {
            invocation.pack = std::mem::take(pack);
        }
        Ok(step)
    }

    fn find(&mut self, key: &[u8], question: &Question, answers: &[wit::Answer]) -> Halting<Found> {
        let Making { invocation, sandbox } = self;
        match question {
            Question::Approval(approval) => approval::find(invocation, approval, sandbox),
            Question::Refs(target) => refs::find(invocation, target, sandbox),
            Question::Push { push, pack } => push::find(invocation, key, push, pack, answers, sandbox),
            Question::Commits(wanted) => fetch::commits(invocation, wanted, sandbox),
            Question::Blobs(wanted) => fetch::blobs(invocation, wanted, sandbox),
            Question::Comments(answers) => comments::find(answers, sandbox),
        }
    }
}

/// Makes a call with the answers so far, and returns the state of the sandbox after it.
pub(crate) fn step(
    sandbox: &mut Sandbox,
    call: &wit::ToolCall,
    answers: &[wit::Answer],
    brought: &[Attachment],
) -> Result<(Step, Option<Mark>)> {
    let platform = sandbox.platform();
    platform.ensure_wanted()?;
    let mut locked = enter(sandbox)?;
    let _running = platform.during(Phase::Call);
    let _waiting = platform.doing(&format!("Running {}", screen::line(&call.tool)));
    let step = locked.call(call, answers, brought)?;
    Ok((step, locked.mark()))
}

/// Builds the component's form of a call, with a random id.
pub(crate) fn tool_call(call: &Call, sandbox: &Sandbox) -> Result<wit::ToolCall> {
    let platform = sandbox.platform();
    let now = platform.now();
    Ok(wit::ToolCall {
        id: gate::hex::encode(&platform::random::<8>(&*platform)?),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        dialect: call.dialect.map(|dialect| dialect.name().to_owned()),
        max_bytes: call.max_bytes,
        caller: match call.caller {
            Caller::Agent => wit::Caller::Agent,
            Caller::User => wit::Caller::User,
        },
        now: now.nanos,
        utc_offset: now.utc_offset,
        time_allowed: time_allowed(call, sandbox.git_timeout_ms()),
    })
}

/// The longest time the call may run, in nanoseconds. Its instance is stopped soon after. An
/// agent's call has the time its tool gives it. A person can interrupt their own.
fn time_allowed(call: &Call, git_timeout_ms: u64) -> u64 {
    #[derive(serde::Deserialize)]
    struct Named {
        timeout_ms: Option<serde_json::Value>,
    }
    match call.caller {
        Caller::User => LONGEST_NANOS,
        Caller::Agent => {
            let named = serde_json::from_str::<Named>(&call.arguments).ok().and_then(|named| named.timeout_ms);
            // The tool reads a number in a text as one.
            let named = named.and_then(|named| named.as_u64().or_else(|| named.as_str()?.trim().parse().ok()));
            // The tool refuses a time that is too short.
            named.unwrap_or_default().max(git_timeout_ms).saturating_mul(1_000_000).min(LONGEST_NANOS)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_21_an_agents_call_has_the_time_of_its_tool_and_no_more() {
        let allowed = |caller, arguments: &str| {
            time_allowed(&Call::new("git_status", arguments.to_owned(), caller), 30_000) / 1_000_000
        };
        assert_eq!(allowed(Caller::Agent, "{}"), 30_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 60000}"#), 60_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": "60000"}"#), 60_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 0}"#), 30_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": 18446744073709551615}"#), 600_000);
        assert_eq!(allowed(Caller::Agent, r#"{"timeout_ms": "soon"}"#), 30_000);
        assert_eq!(allowed(Caller::Agent, "no JSON"), 30_000);
        assert_eq!(allowed(Caller::User, r#"{"timeout_ms": 100}"#), 600_000);
    }
}
