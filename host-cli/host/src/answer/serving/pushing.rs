//! Answers a client of git that pushes: what it sends becomes staged commits of the sandbox, which are proposed as the agent would
//! propose them with a tool.

use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;
use gate::Fault;
use gate::git::serve::{Pushed, Unfit};
use gate::pack::{Origin, PackLimits, verify};
use gate::policy::{Caller, Policy};
use serde::Deserialize;
use serde_json::{Value, json};

use super::proposed::{self, Outcome};
use crate::answer::{Advance, Call, Given, Reply, Run, Wanted, misbehaved};
use crate::attachment::Attachment;
use crate::error::Result;
use crate::sandbox::Sandbox;

/// A push that is answered step by step.
pub struct Pushing {
    pushed: Pushed,
    policy: Rc<Policy>,
    stage: Stage,
    /// What is said to the person, line by line.
    words: String,
    /// What became of the refs so far.
    became: Vec<(String, std::result::Result<(), String>)>,
}

enum Stage {
    /// It is refused as a whole, or has nothing to say.
    Over(std::result::Result<(), String>),
    /// The sandbox takes it.
    Receiving(Box<Run>),
    /// What it took is proposed, branch by branch.
    Proposing { run: Option<Proposing>, rest: VecDeque<Became> },
}

/// The proposal of a branch.
struct Proposing {
    name: String,
    call: Call,
    run: Box<Run>,
    /// Whether what was decided before may be about another commit.
    is_new: bool,
}

/// The structured result of `sandbox_receive`.
#[derive(Deserialize)]
struct Received {
    refs: Vec<Became>,
}

#[derive(Deserialize)]
struct Became {
    name: String,
    refused: Option<String>,
    moved: bool,
    push: Option<Value>,
}

impl Pushing {
    /// Begins to answer a request to `receive-pack`. `by` names who pushes.
    ///
    /// # Errors
    /// If it is no push.
    pub fn new(body: Bytes, by: &str, policy: Rc<Policy>) -> std::result::Result<Self, Unfit> {
        let pushed = Pushed::read(&body)?;
        let mut pushing =
            Pushing { pushed, policy, stage: Stage::Over(Ok(())), words: String::new(), became: Vec::new() };
        let commands = &pushing.pushed.commands;
        let unsafe_name = commands.iter().find_map(|command| gate::refname::check_name(&command.name).err());
        pushing.stage = match unsafe_name {
            _ if commands.is_empty() => Stage::Over(Ok(())),
            Some(fault) => pushing.refused(&fault.message, &fault.hint),
            None => match receiving(&pushing.pushed, &body, by, &pushing.policy) {
                Ok(run) => Stage::Receiving(run),
                Err(fault) => {
                    pushing.refused("unpacker error", "");
                    Stage::Over(Err(fault.message))
                }
            },
        };
        Ok(pushing)
    }

    /// Goes on as far as it can. Ends with the body of the answer.
    ///
    /// # Errors
    /// Errors of the host, which end it. What the sandbox or the policy refuses is an answer.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Vec<u8>>> {
        loop {
            match &mut self.stage {
                Stage::Over(end) => {
                    // A client that only looks whether it may push hears nothing.
                    if self.pushed.commands.is_empty() {
                        return Ok(Advance::Done(Vec::new()));
                    }
                    let end = end.as_ref().map(|&()| ()).map_err(String::as_str);
                    return Ok(Advance::Done(self.pushed.report(&self.words, end, &self.became)));
                }
                Stage::Receiving(run) => match run.advance(sandbox)? {
                    Advance::Need(need) => return Ok(Advance::Need(need)),
                    Advance::Done(reply) => self.received(reply)?,
                },
                Stage::Proposing { run: Some(proposing), .. } => match proposing.run.advance(sandbox)? {
                    Advance::Need(need) => return Ok(Advance::Need(need)),
                    Advance::Done(reply) => self.proposed(reply, sandbox),
                },
                Stage::Proposing { run: run @ None, rest } => match rest.pop_front() {
                    None => self.stage = Stage::Over(Ok(())),
                    Some(Became { name, refused: Some(why), .. }) => self.became.push((name, Err(why))),
                    Some(Became { name, refused: None, moved, push }) => {
                        let arguments = push.ok_or_else(|| misbehaved("it does not say how a branch is proposed"))?;
                        let call = Call::new("git_push", arguments.to_string(), Caller::Agent);
                        let made = Box::new(Run::new(Wanted::new(call.clone(), Rc::clone(&self.policy))));
                        *run = Some(Proposing { name, call, run: made, is_new: moved });
                    }
                },
            }
        }
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        match &mut self.stage {
            Stage::Receiving(run) | Stage::Proposing { run: Some(Proposing { run, .. }), .. } => run.give(given),
            Stage::Over(_) | Stage::Proposing { run: None, .. } => {}
        }
    }

    fn received(&mut self, reply: Reply) -> Result<()> {
        self.stage = match reply {
            Reply::Done(Ok(result)) => {
                let Received { refs } = serde_json::from_str(&result.structured)
                    .map_err(|_| misbehaved("it takes a push in no known form"))?;
                Stage::Proposing { run: None, rest: refs.into() }
            }
            Reply::Done(Err(error)) => self.refused(&error.message, &error.hint),
            Reply::NotApproved(not) => self.refused(&not.reason, ""),
        };
        Ok(())
    }

    /// Nothing has changed, for this reason.
    fn refused(&mut self, why: &str, hint: &str) -> Stage {
        if !hint.is_empty() {
            self.words.push_str(&format!("hint: {hint}\n"));
        }
        self.became = self.pushed.commands.iter().map(|command| (command.name.clone(), Err(why.to_owned()))).collect();
        Stage::Over(Ok(()))
    }

    fn proposed(&mut self, reply: Reply, sandbox: &Sandbox) {
        let Stage::Proposing { run, .. } = &mut self.stage else { return };
        let Some(mut proposing) = run.take() else { return };
        let Outcome { words, refused, is_decided } = proposed::outcome(reply, sandbox);
        self.words.push_str(&words);
        if is_decided && proposing.is_new {
            // That was about what the branch had before: what is there now is proposed by the same call.
            proposing.is_new = false;
            proposing.run = Box::new(Run::new(Wanted::new(proposing.call.clone(), Rc::clone(&self.policy))));
            *run = Some(proposing);
            return;
        }
        self.became.push((proposing.name, refused.map_or(Ok(()), Err)));
    }
}

/// Verifies the pack. Returns the call by which the sandbox takes it.
fn receiving(pushed: &Pushed, body: &Bytes, by: &str, policy: &Rc<Policy>) -> std::result::Result<Box<Run>, Fault> {
    let pack = body.slice(pushed.pack.clone());
    let commands: Vec<Value> = pushed
        .commands
        .iter()
        .map(|command| {
            let hex = |id: Option<gix_hash::ObjectId>| id.map(|id| id.to_string());
            json!({ "name": command.name, "old": hex(command.old), "new": hex(command.new) })
        })
        .collect();
    let mut arguments = json!({ "commands": commands, "by": by, "atomic": pushed.atomic });
    let mut attached = Vec::new();
    // A push of what is here already may have no pack.
    if !pack.is_empty() {
        let verified = verify(pack, &PackLimits::push(), Origin::New)?;
        if !verified.objects().is_empty() {
            attached = vec![Attachment::of_agent(verified.bytes().clone()), Attachment::of_agent(verified.index()?)];
            for (name, attachment) in ["pack", "index"].into_iter().zip(&attached) {
                arguments[name] = json!(gate::hex::encode(&attachment.id));
            }
        }
    }
    let call = Call::new("sandbox_receive", arguments.to_string(), Caller::User);
    Ok(Box::new(Run::new(Wanted { attached, ..Wanted::new(call, Rc::clone(policy)) })))
}
