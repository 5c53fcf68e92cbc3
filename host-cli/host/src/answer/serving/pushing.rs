//! Answers a client of git that pushes: what it sends becomes staged commits of the sandbox, which are proposed as the agent would
//! propose them with a tool.

use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;
use gate::Fault;
use gate::git::serve::{Pushed, Unfit};
use gate::pack::{Origin, PackLimits, verify};
use gate::policy::{Caller, Policy};
use gate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Served;
use super::awaiting::{self, Awaiting, Standing, Wait, Waits};
use super::proposed::{self, Outcome};
use super::verdicts;
use crate::answer::{Advance, Call, Given, Reply, Run, Wanted, misbehaved};
use crate::attachment::Attachment;
use crate::error::{HostError, Result};
use crate::sandbox::Sandbox;
use crate::screen;

/// A push that is answered step by step.
pub struct Pushing {
    pushed: Pushed,
    policy: Rc<Policy>,
    stage: Stage,
    /// What is said to the person, line by line.
    words: String,
    /// What became of the refs so far.
    became: Vec<(String, std::result::Result<(), String>)>,
    /// How long its client waits for a person.
    wait: Wait,
    /// What it waits for.
    waits: Vec<Waits>,
    /// Whether the client has the beginning of its answer.
    has_begun: bool,
    /// When its client has waited long enough.
    until: Option<Timestamp>,
}

enum Stage {
    /// It is refused as a whole, or has nothing to say.
    Over(std::result::Result<(), String>),
    /// The sandbox takes it.
    Receiving(Box<Run>),
    /// What it took is proposed, branch by branch.
    Proposing { run: Option<Proposing>, rest: VecDeque<Branch> },
}

/// The proposal of a branch.
struct Proposing {
    branch: Branch,
    run: Box<Run>,
}

/// A branch that is to be proposed.
struct Branch {
    what: Waits,
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
        let wait = Wait::of(&pushed).map_err(|option| {
            let known = "the push options are wait and wait=SECONDS";
            format!("there is no push option {} here: {known}", screen::line(option))
        });
        let mut pushing = Pushing {
            wait: *wait.as_ref().unwrap_or(&Wait::Not),
            has_begun: false,
            until: None,
            waits: Vec::new(),
            stage: Stage::Over(Ok(())),
            words: String::new(),
            became: Vec::new(),
            pushed,
            policy,
        };
        let commands = &pushing.pushed.commands;
        let unsafe_name = commands.iter().find_map(|command| gate::refname::check_name(&command.name).err());
        pushing.stage = match (wait, unsafe_name) {
            _ if commands.is_empty() => Stage::Over(Ok(())),
            (Err(why), _) => pushing.refused(&why, ""),
            (Ok(wait), _) if wait != Wait::Not && commands.len() > awaiting::MOST => {
                let most = awaiting::MOST;
                pushing
                    .refused(&format!("a push that waits has at most {most} branches"), "push fewer, or without wait")
            }
            (_, Some(fault)) => pushing.refused(&fault.message, &fault.hint),
            (Ok(_), None) => match receiving(&pushing.pushed, &body, by, &pushing.policy) {
                Ok(run) => Stage::Receiving(run),
                Err(fault) => {
                    pushing.refused("unpacker error", "");
                    Stage::Over(Err(fault.message))
                }
            },
        };
        Ok(pushing)
    }

    /// Goes on with an answer whose beginning has been sent.
    pub fn resumed(awaiting: Awaiting, policy: Rc<Policy>) -> Self {
        let Awaiting { pushed, became, proposals, until } = awaiting;
        let rest = proposals.into_iter().map(|what| Branch { what, is_new: false }).collect();
        let stage = Stage::Proposing { run: None, rest };
        let (wait, has_begun) = (Wait::ForEver, true);
        Pushing { pushed, policy, stage, words: String::new(), became, wait, waits: Vec::new(), has_begun, until }
    }

    /// Goes on as far as it can. Ends with the answer, or with its beginning if its client waits for a person.
    ///
    /// # Errors
    /// Errors of the host, which end it. What the sandbox or the policy refuses is an answer.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Served>> {
        loop {
            match &mut self.stage {
                Stage::Over(_) => return Ok(Advance::Done(self.served())),
                Stage::Receiving(run) => match run.advance(sandbox)? {
                    Advance::Need(need) => return Ok(Advance::Need(need)),
                    Advance::Done(reply) => self.received(reply)?,
                },
                Stage::Proposing { run: Some(proposing), .. } => match proposing.run.advance(sandbox) {
                    Ok(Advance::Need(need)) => return Ok(Advance::Need(need)),
                    Ok(Advance::Done(reply)) => self.proposed(reply, sandbox),
                    Err(error) => self.broken(&error),
                },
                Stage::Proposing { run: run @ None, rest } => match rest.pop_front() {
                    None if self.waits.is_empty() => self.stage = Stage::Over(Ok(())),
                    None => return Ok(Advance::Done(self.begun(sandbox))),
                    Some(branch) => {
                        let all = if self.has_begun { sandbox.store.waiting.all()? } else { Vec::new() };
                        match branch.what.standing(&all) {
                            // Its client knows.
                            Standing::Waits => self.waits.push(branch.what),
                            // What is not proposed any more is not proposed again: nobody has pushed anew.
                            Standing::Gone if self.has_begun => self.gone(branch.what, sandbox)?,
                            Standing::Answered | Standing::Gone => {
                                let made = branch.call(&self.policy);
                                *run = Some(Proposing { branch, run: made });
                            }
                        }
                    }
                },
            }
        }
    }

    /// The end of the answer.
    fn served(&self) -> Served {
        let Stage::Over(end) = &self.stage else { unreachable!("it is called at the end") };
        // A client that only looks whether it may push hears nothing.
        let body = match self.pushed.commands.is_empty() {
            true => Vec::new(),
            false => self.pushed.report(&self.words, end.as_ref().map(|&()| ()).map_err(String::as_str), &self.became),
        };
        Served { body: vec![body.into()], rest: None }
    }

    /// The beginning of the answer, or its next part.
    fn begun(&mut self, sandbox: &Sandbox) -> Served {
        let mut body = Vec::new();
        self.pushed.band().words(&std::mem::take(&mut self.words), &mut body);
        let rest = Awaiting {
            pushed: self.pushed.clone(),
            became: std::mem::take(&mut self.became),
            proposals: std::mem::take(&mut self.waits),
            until: self.until.or_else(|| self.wait.until(sandbox.platform().now().timestamp())),
        };
        Served { body: vec![body.into()], rest: Some(Box::new(rest)) }
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
                let mut rest = VecDeque::new();
                for Became { name, refused, moved: is_new, push } in refs {
                    match refused {
                        Some(why) => self.became.push((name, Err(why))),
                        None => {
                            let push = push.ok_or_else(|| misbehaved("it does not say how a branch is proposed"))?;
                            let command = self.pushed.commands.iter().find(|command| command.name == name);
                            let commit = command.and_then(|command| command.new);
                            let commit = commit.ok_or_else(|| misbehaved("it takes what was not pushed"))?;
                            rest.push_back(Branch {
                                what: Waits { name, arguments: push.to_string(), commit },
                                is_new,
                            });
                        }
                    }
                }
                Stage::Proposing { run: None, rest }
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
        let Some(Proposing { mut branch, .. }) = run.take() else { return };
        let Outcome { words, refused, is_decided, waits } = proposed::outcome(reply, sandbox);
        self.words.push_str(&words);
        if is_decided && branch.is_new {
            // That was about what the branch had before: what is there now is proposed by the same call.
            branch.is_new = false;
            *run = Some(Proposing { run: branch.call(&self.policy), branch });
        } else if waits && self.wait != Wait::Not {
            self.waits.push(branch.what);
        } else {
            if waits {
                self.words.push_str(proposed::LATER);
            }
            self.became.push((branch.what.name, refused.map_or(Ok(()), Err)));
        }
    }
}

impl Pushing {
    /// The host has failed. What was decided about other branches is told all the same: it may be known nowhere else.
    fn broken(&mut self, error: &HostError) {
        let Stage::Proposing { run, rest } = &mut self.stage else { return };
        let why = screen::line(&error.message);
        let failed = run.take().map(|proposing| (proposing.branch.what.name, why.clone()));
        let others =
            rest.drain(..).map(|branch| (branch.what.name, "not proposed: another branch has failed".to_owned()));
        self.became.extend(failed.into_iter().chain(others).map(|(name, why)| (name, Err(why))));
        self.became.extend(self.waits.drain(..).map(|waits| (waits.name, Ok(()))));
        self.words.push_str(&format!("{why}\nPush again: nothing is lost.\n"));
        self.stage = Stage::Over(Ok(()));
    }

    /// The proposal waits no more, and its answer was given to somebody else, if there was one.
    fn gone(&mut self, what: Waits, sandbox: &Sandbox) -> Result<()> {
        let (words, refused) = verdicts::about_push(sandbox, what.commit)?.unwrap_or_else(|| {
            let words =
                "it waits for review no more: a later push has taken its place\nPush again to propose it again.\n";
            (words.to_owned(), Some("another push has taken its place".to_owned()))
        });
        self.words.push_str(&words);
        self.became.push((what.name, refused.map_or(Ok(()), Err)));
        Ok(())
    }
}

impl Branch {
    /// The agent's own call that proposes it.
    fn call(&self, policy: &Rc<Policy>) -> Box<Run> {
        let call = Call::new("git_push", self.what.arguments.clone(), Caller::Agent);
        Box::new(Run::new(Wanted::new(call, Rc::clone(policy))))
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
