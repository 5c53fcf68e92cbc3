//! Makes a call from its beginning to its end: the rules before it, its questions, and the edits to a
//! push, after which it is made again.

use std::ops::ControlFlow;
use std::rc::Rc;

use bytes::Bytes;
use gate::approval::Proposal;
use gate::digest::Digest;
use gate::forge::Along;
use gate::policy::{Caller, Policy, Ruling};

use crate::answer::approval::waiting;
use crate::answer::approval::waiting::Pushed;
use crate::answer::call::following::Script;
use crate::answer::call::heard::heard;
use crate::answer::call::invocation::{End, Invocation, tool_call};
use crate::answer::call::suspend::{Advance, Ask, Given, Halt, Halting, Need, advanced};
use crate::answer::push::revise::Revising;
use crate::answer::recovery::server::Settling;
use crate::answer::{Call, Reply, approval, misbehaved};
use crate::approve::Revision;
use crate::attachment::Attachment;
use crate::error::Result;
use crate::sandbox::Sandbox;

/// A call, and what goes with it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The call.
    pub call: Call,
    /// What its arguments may name.
    pub attached: Vec<Attachment>,
    /// The policy that it follows.
    pub policy: Rc<Policy>,
    /// The digest of the push that was approved in advance.
    pub digest: Option<Digest>,
    /// Edits to the push that were given in advance.
    pub revision: Option<Revision>,
    /// The change request that the server shall make of the push.
    pub along: Option<Along>,
    /// Whether a person is asked, who takes their time. What they are asked is kept before, so that
    /// it can be answered elsewhere.
    pub takes_time: bool,
}

impl Wanted {
    /// A call by itself: nothing goes with it, nothing was said in advance, and nobody is there to be asked.
    pub fn new(call: Call, policy: Rc<Policy>) -> Self {
        Wanted { call, attached: Vec::new(), policy, digest: None, revision: None, along: None, takes_time: false }
    }
}

/// A call that is made step by step.
pub struct Run {
    wanted: Wanted,
    stage: Stage,
    /// The waiting call that was kept before a person was asked.
    kept: Option<String>,
    /// The script that has run, whose push this is.
    script: Option<Script>,
}

enum Stage {
    /// Pushes to servers that were cut off are settled.
    Settling(Box<Settling>),
    /// Nothing is known yet.
    Begin,
    /// The rules that apply before it runs.
    Before(Box<Invocation>),
    /// It runs.
    Invocation(Box<Invocation>),
    /// Its push is edited.
    Revising(Box<Revising>),
}

impl Run {
    /// A call that is to be made.
    pub fn new(wanted: Wanted) -> Self {
        Run { wanted, stage: Stage::Settling(Box::default()), kept: None, script: None }
    }

    /// Makes the call as far as it goes.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Reply>> {
        loop {
            let halting = self.go_on(sandbox);
            match &halting {
                Err(Halt::Need(need)) => {
                    if let (Need::Ask(ask), true) = (&**need, self.wanted.takes_time) {
                        self.keep(ask, sandbox)?;
                    }
                }
                // It still waits.
                Ok(Reply::NotApproved(_)) => {}
                Ok(Reply::Done(_)) | Err(Halt::Failed(_)) => {
                    if let Some(kept) = self.kept.take() {
                        waiting::forget_asked(sandbox, &kept)?;
                    }
                }
            }
            return advanced(match (halting, self.script.take()) {
                (Ok(reply), Some(script)) => Ok(behind(script, reply, self.wanted.call.caller, sandbox)),
                (Ok(Reply::Done(Ok(result))), None) => match Script::followed(&self.wanted.call, &result) {
                    Some(script) => {
                        let push = script.push().clone();
                        self.wanted = Wanted { call: push, attached: Vec::new(), ..self.wanted.clone() };
                        self.stage = Stage::Begin;
                        self.script = Some(script);
                        continue;
                    }
                    None => Ok(Reply::Done(Ok(result))),
                },
                (halting, script) => {
                    self.script = script;
                    halting
                }
            });
        }
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        match &mut self.stage {
            // What nobody has asked is no answer to anything.
            Stage::Begin => {}
            Stage::Settling(settling) => settling.give(given),
            Stage::Before(invocation) | Stage::Invocation(invocation) => invocation.give(given),
            Stage::Revising(revising) => revising.give(given),
        }
    }

    /// The push that the last step asked about.
    pub fn proposal(&self) -> Option<&Proposal> {
        match &self.stage {
            Stage::Invocation(invocation) => invocation.prepared.as_ref().map(|prepared| &prepared.proposal),
            _ => None,
        }
    }

    /// The pack that the tool made, once the call is done.
    pub fn take_pack(&mut self) -> Bytes {
        match &mut self.stage {
            Stage::Invocation(invocation) => std::mem::take(&mut invocation.pack),
            _ => Bytes::new(),
        }
    }

    fn go_on(&mut self, sandbox: &mut Sandbox) -> Halting<Reply> {
        loop {
            let Run { wanted, stage, .. } = self;
            match stage {
                Stage::Settling(settling) => {
                    settling.go_on(sandbox)?;
                    *stage = Stage::Begin;
                }
                Stage::Begin => match begin(wanted, sandbox)? {
                    ControlFlow::Continue(invocation) => *stage = Stage::Before(Box::new(invocation)),
                    ControlFlow::Break(reply) => return Ok(reply),
                },
                Stage::Before(invocation) => match approval::before(invocation, sandbox)? {
                    ControlFlow::Break(end) => return end_of(end, wanted, sandbox),
                    ControlFlow::Continue(()) => {
                        let Stage::Before(invocation) = std::mem::replace(stage, Stage::Begin) else { continue };
                        *stage = Stage::Invocation(invocation);
                    }
                },
                Stage::Invocation(invocation) => match invocation.go_on(sandbox)? {
                    End::Revise(otherwise) => {
                        match Revising::begin(sandbox, &wanted.call, *otherwise, &wanted.policy)? {
                            Ok(revising) => *stage = Stage::Revising(Box::new(revising)),
                            Err(reply) => return Ok(reply),
                        }
                    }
                    end => return end_of(end, wanted, sandbox),
                },
                Stage::Revising(revising) => match revising.go_on(sandbox, &wanted.call)? {
                    Ok(call) => {
                        wanted.call = call;
                        wanted.attached.clear();
                        *stage = Stage::Begin;
                    }
                    Err(reply) => return Ok(reply),
                },
            }
        }
    }

    /// Keeps what a person is about to be asked. A push that was edited is another call, and waits in the
    /// place of the one that they were asked about before.
    fn keep(&mut self, ask: &Ask, sandbox: &Sandbox) -> Result<()> {
        let (Stage::Invocation(invocation) | Stage::Before(invocation)) = &self.stage else { return Ok(()) };
        let Some(kept) = waiting::keep_asked(sandbox, &self.wanted.call, ask, invocation)? else { return Ok(()) };
        match self.kept.replace(kept) {
            Some(before) if self.kept.as_ref() != Some(&before) => waiting::forget_asked(sandbox, &before),
            _ => Ok(()),
        }
    }
}

/// The reply to a script and its push. A person has just been asked about their own push, so nobody waits for them.
fn behind(script: Script, push: Reply, caller: Caller, sandbox: &Sandbox) -> Reply {
    match push {
        Reply::NotApproved(not) if caller == Caller::User => {
            script.and_waits(&not, &sandbox.platform().words(&not.hint))
        }
        push => script.with(push),
    }
}

/// Begins a call, unless a person has already rejected it.
fn begin(wanted: &mut Wanted, sandbox: &mut Sandbox) -> Result<ControlFlow<Reply, Invocation>> {
    if let Some(heard) = heard(&wanted.call, sandbox) {
        wanted.call = heard;
    }
    let call = &wanted.call;
    let heard = match waiting::decided(sandbox, call)? {
        ControlFlow::Break(rejected) => return Ok(ControlFlow::Break(rejected)),
        ControlFlow::Continue(heard) => heard,
    };
    let mut invocation = Invocation::new(tool_call(call, sandbox)?, call.caller, Rc::clone(&wanted.policy));
    invocation.brought.clone_from(&wanted.attached);
    invocation.digest = wanted.digest;
    invocation.revision = wanted.revision.take();
    invocation.along.clone_from(&wanted.along);
    invocation.is_approved = heard.is_some();
    invocation.heard = heard.unwrap_or_default();
    Ok(ControlFlow::Continue(invocation))
}

/// The reply that a call ends with. A call that nobody could be asked about is kept, and one that is done waits no more.
fn end_of(end: End, wanted: &Wanted, sandbox: &mut Sandbox) -> Halting<Reply> {
    let call = &wanted.call;
    Ok(match end {
        End::Over(Reply::NotApproved(not)) => Reply::NotApproved(Box::new(waiting::keep(sandbox, call, *not)?)),
        End::Over(Reply::Done(Ok(result))) if call.caller == Caller::Agent => {
            // A person may have had it pushed since the agent proposed it. The agent is told what that came to, and not
            // that it is up to date, if that is the same.
            let says = |result: &_| Pushed::read(&call.tool, result);
            let landed = waiting::take_made(sandbox, call).filter(|landed| says(landed) == says(&result));
            Reply::Done(Ok(landed.unwrap_or(result)))
        }
        End::Over(Reply::Done(Ok(result))) => {
            waiting::answer_landed(sandbox, call, &result);
            Reply::Done(Ok(result))
        }
        End::Over(reply) => reply,
        End::Ruled(_) | End::Revise(_) => return Err(misbehaved("it pushes before it has begun").into()),
    })
}

/// A push or pull of which only the policy's ruling is wanted, once its content and target are known.
/// It changes nothing.
pub struct Ruled {
    invocation: Invocation,
}

impl Ruled {
    /// Begins such a call.
    pub fn new(sandbox: &Sandbox, call: &Call, policy: Rc<Policy>) -> Result<Self> {
        let heard = heard(call, sandbox);
        let call = heard.as_ref().unwrap_or(call);
        let mut invocation = Invocation::new(tool_call(call, sandbox)?, call.caller, policy);
        invocation.is_hypothetical = true;
        Ok(Ruled { invocation })
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        self.invocation.give(given);
    }

    /// Goes on until the ruling is known, or the reply that prevents it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Result<Ruling, Reply>>> {
        advanced(self.invocation.go_on(sandbox).and_then(|end| match end {
            End::Ruled(ruling) => Ok(Ok(*ruling)),
            End::Over(reply) => Ok(Err(reply)),
            End::Revise(_) => Err(misbehaved("it asks a person about what is not made").into()),
        }))
    }
}
