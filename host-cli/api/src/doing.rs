//! Performs an operation on an open sandbox, step by step. Nobody who waits for an answer gets a
//! question: an operation that needs a person returns as pending, and the person decides in a
//! separate request.

use std::rc::Rc;
use std::time::Duration;

use gate::policy::{Caller, Policy};
use host::answer::{self, Advance, Ask, Call, Given, Need, Reply, Run, Wanted};
use host::error::{ErrorKind, HostError, Result};
use host::review;
use host::sandbox::Sandbox;
use host::screen::audit;
use host::screen::times::Times;
use host::session::CHUNK;
use host::settings::SandboxFile;
use host::store::Waiting;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{question, reply};
use crate::authority::Authorized;
use crate::commenting;
use crate::creation::{Filling, NewSandbox};
use crate::decision::{self, Decision, Edits};
use crate::exporting::Exporting;
use crate::forking;
use crate::leaving::Leaving;
use crate::listening::Listening;
use crate::making::{Answers, Made};
use crate::mcp::{self, Heard, Speaking};
use crate::message::Response;
use crate::operation::Operation;
use crate::problem::Problem;
use crate::reach;
use crate::role::Role;
use crate::serving::Serving;
use crate::token;

/// The longest time that a request waits for a server that wants a later retry. After that, the
/// client gets an answer, and the sandbox is free for others.
const PAUSE: Duration = Duration::from_secs(30);

/// An operation that proceeds step by step.
pub struct Doing {
    stage: Stage,
    /// Who performs it.
    who: String,
}

enum Stage {
    /// It has its answer.
    Over(Response),
    /// A call of a tool.
    Making(Box<Made>),
    /// A call by a client of the Model Context Protocol.
    Speaking(Box<Speaking>),
    /// Filling a new sandbox.
    Filling(Box<Filling>),
    /// Checking whether removing the sandbox would lose work.
    Leaving(Box<Leaving>),
    /// Exporting a branch.
    Exporting(Box<Exporting>),
    /// Answering a client of git.
    Serving(Box<Serving>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pushing {
    #[serde(default = "head")]
    commit_id: String,
    target: Option<Value>,
    only: Option<bool>,
    digest: Option<String>,
    revision: Option<Edits>,
}

fn head() -> String {
    "HEAD".to_owned()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenWanted {
    role: Role,
    #[serde(default)]
    note: String,
    expires_in: Option<u64>,
}

impl Doing {
    /// Starts a permitted operation on this sandbox. `policy` is the sandbox's policy.
    pub fn begin(wanted: &Authorized, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Doing {
        let who = wanted.who();
        sandbox.used_by(who.clone());
        let stage = stage(wanted, sandbox, policy).unwrap_or_else(|error| Stage::Over(failed(&error, sandbox)));
        Doing { stage, who }
    }

    /// Goes on with the answer that this listener has the beginning of.
    pub fn go_on(listening: &Listening, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Doing {
        let who = listening.by().who();
        sandbox.used_by(who.clone());
        let stage =
            match (listening.by().no_more(&sandbox.store, sandbox.platform().now().timestamp()), listening.rest()) {
                (Ok(None), Some(rest)) => Stage::Serving(Box::new(Serving::resumed(rest.clone(), policy))),
                (Ok(Some(problem)), _) => Stage::Over(problem.response()),
                (Ok(None), None) => Stage::Over(Response::empty()),
                (Err(error), _) => Stage::Over(failed(&error, sandbox)),
            };
        Doing { stage, who }
    }

    /// Starts to fill a new sandbox. If the answer does not say that it was created, the caller
    /// must remove everything.
    pub fn create(new: NewSandbox, sandbox: &mut Sandbox) -> Doing {
        let who = "the operator".to_owned();
        sandbox.used_by(who.clone());
        Doing { stage: Stage::Filling(Box::new(Filling::new(new))), who }
    }

    /// Continues until it ends, or until it needs a server's answer or time.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Advance<Response> {
        // Something else may have happened since the last step.
        sandbox.used_by(self.who.clone());
        loop {
            match self.stage.advance(sandbox) {
                Ok(Advance::Need(Need::Http(request))) if !reach::is_given(&request, &sandbox.file.targets) => {
                    self.give(Given::Failed(reach::refused()));
                }
                Ok(Advance::Need(Need::Sleep(time))) if time > PAUSE => self.give(Given::Failed(busy(time))),
                Ok(Advance::Need(need)) => return Advance::Need(need),
                Ok(Advance::Done(response)) => return self.end(response),
                // A failed step may have done half of its work, so the operation is over.
                Err(error) => return self.end(failed(&error, sandbox)),
            }
        }
    }

    fn end(&mut self, response: Response) -> Advance<Response> {
        self.stage = Stage::Over(response.clone());
        Advance::Done(response)
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        match &mut self.stage {
            Stage::Over(_) => {}
            Stage::Making(made) => made.give(given),
            Stage::Speaking(speaking) => speaking.give(given),
            Stage::Filling(filling) => filling.give(given),
            Stage::Leaving(leaving) => leaving.give(given),
            Stage::Exporting(exporting) => exporting.give(given),
            Stage::Serving(serving) => serving.give(given),
        }
    }
}

impl Stage {
    fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        match self {
            Stage::Over(response) => Ok(Advance::Done(response.clone())),
            Stage::Making(made) => made.advance(sandbox),
            Stage::Speaking(speaking) => Ok(speaking.advance(sandbox)),
            Stage::Filling(filling) => filling.advance(sandbox),
            Stage::Leaving(leaving) => leaving.advance(sandbox),
            Stage::Exporting(exporting) => exporting.advance(sandbox),
            Stage::Serving(serving) => serving.advance(sandbox),
        }
    }
}

fn stage(wanted: &Authorized, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Result<Stage> {
    let over = |response| Ok(Stage::Over(response));
    if let Some(problem) = wanted.no_more(&sandbox.store, sandbox.platform().now().timestamp())? {
        return over(problem.response());
    }
    match wanted.operation {
        Operation::ListTools => over(Response::json(200, &json!({ "tools": tools(sandbox)? }))),
        Operation::CallTool => call(wanted, sandbox, policy),
        Operation::Mcp => Ok(match mcp::hear(&wanted.mcp, &wanted.body, sandbox)? {
            Heard::Over(response) => Stage::Over(response),
            Heard::Call(asker, call) => {
                Stage::Speaking(Box::new(Speaking::new(asker, Run::new(Wanted::new(call, policy)).into())))
            }
        }),
        Operation::ListWaiting => over(Response::json(200, &json!({ "waiting": sandbox.store.waiting.unanswered()? }))),
        Operation::Review => match find(wanted, sandbox)? {
            Err(gone) => over(gone),
            Ok(waiting) => match answer::ask_waiting(&waiting) {
                Some(request) => over(question(&waiting.id, &Ask::Call(request), None, sandbox)?),
                None => Ok(again(waiting.clone(), Answers::Look(waiting), policy)),
            },
        },
        Operation::Decide => match find(wanted, sandbox)? {
            Err(gone) => over(gone),
            Ok(waiting) => decide(wanted, waiting, sandbox, policy),
        },
        Operation::ListComments | Operation::AddComment | Operation::ChangeComment | Operation::MarkSeen => {
            match find(wanted, sandbox)? {
                Err(gone) => over(gone),
                Ok(waiting) => over(match wanted.operation {
                    Operation::MarkSeen => commenting::mark(sandbox, &waiting, &wanted.body)?,
                    Operation::AddComment => commenting::add(sandbox, &waiting, &wanted.body)?,
                    Operation::ChangeComment => {
                        commenting::change(sandbox, &waiting, wanted.parameter("comment"), &wanted.body)?
                    }
                    _ => commenting::list(sandbox, &waiting)?,
                }),
            }
        }
        Operation::Push => push(wanted, policy),
        Operation::Settings => over(Response::json(200, &settings(sandbox))),
        Operation::Audit => {
            let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
            over(Response::of(200, "text/plain; charset=utf-8", audit::screen(&ledger, Times::EXACT).into_bytes()))
        }
        Operation::Journal => over(Response::of(200, "application/octet-stream", journal(sandbox)?)),
        Operation::ListDecisions => over(Response::json(200, &json!({ "decisions": decisions(sandbox)? }))),
        Operation::ListTokens => {
            let tokens = token::all(&sandbox.store, sandbox.platform().now().timestamp())?;
            let shown: Vec<_> = tokens.iter().map(token::Token::shown).collect();
            over(Response::json(200, &json!({ "tokens": shown })))
        }
        Operation::MakeToken => {
            let TokenWanted { role, note, expires_in } = decision::read(&wanted.body)?;
            let held = sandbox.store.lock.acquire()?;
            let made = token::Wanted { role, note, expires_in };
            over(Response::json(201, &token::make(&sandbox.store, &held, &*sandbox.platform(), &made)?.shown()))
        }
        Operation::WithdrawToken => {
            let held = sandbox.store.lock.acquire()?;
            let now = sandbox.platform().now().timestamp();
            match token::withdraw(&sandbox.store, &held, now, wanted.parameter("id"))? {
                true => over(Response::empty()),
                false => over(Problem::gone("there is no such token").response()),
            }
        }
        Operation::DeleteSandbox => leave(wanted, sandbox),
        Operation::ForkSandbox => over(forking::may(sandbox)?),
        Operation::ExportBundle => Ok(Stage::Exporting(Box::new(Exporting::new(wanted, sandbox, policy)?))),
        Operation::GitRefs | Operation::GitUploadPack | Operation::GitReceivePack => {
            Ok(match Serving::new(wanted, policy) {
                Ok(serving) => Stage::Serving(Box::new(serving)),
                Err(problem) => Stage::Over(problem.response()),
            })
        }
        Operation::Describe | Operation::ListSandboxes | Operation::CreateSandbox | Operation::Listen => {
            Err(HostError::new(ErrorKind::Usage, "no open sandbox does this"))
        }
    }
}

fn tools(sandbox: &mut Sandbox) -> Result<Vec<Value>> {
    Ok(answer::enter(sandbox)?.tools()?.iter().map(answer::json::tool_spec).collect())
}

/// The settings that others may see: no path of the machine.
fn settings(sandbox: &Sandbox) -> Value {
    let SandboxFile { id, created, identity, policy, targets, .. } = &sandbox.file;
    let push = sandbox.push_mode();
    json!({ "id": id, "created": created, "identity": identity, "policy": policy, "targets": targets, "push": push })
}

fn journal(sandbox: &Sandbox) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let take = |part: &[u8]| {
        bytes.extend_from_slice(part);
        Ok(())
    };
    sandbox.store.journal()?.read(CHUNK, take)?;
    Ok(bytes)
}

fn decisions(sandbox: &Sandbox) -> Result<Vec<Value>> {
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    Ok(ledger.entries().iter().map(|entry| json!(entry.record)).collect())
}

/// Checks whether the sandbox may be removed. The server removes it once the answer says that it is
/// gone.
fn leave(wanted: &Authorized, sandbox: &mut Sandbox) -> Result<Stage> {
    if wanted.body["force"] == true {
        return Ok(Stage::Over(Response::empty()));
    }
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    answer::ensure_settled(&ledger, &sandbox.name())?;
    Ok(Stage::Leaving(Box::default()))
}

/// A call of a tool, on behalf of the role.
fn call(wanted: &Authorized, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Result<Stage> {
    let named = wanted.parameter("tool");
    let tool = match &wanted.body {
        Value::Object(arguments) => dialect::addressed(named, arguments),
        _ => named,
    };
    let tool = tool.to_owned();
    let role = wanted.role();
    if role == Some(Role::Reviewer) {
        let found = answer::enter(sandbox)?.tools()?.into_iter().find(|spec| spec.name == tool);
        if !found.is_some_and(|spec| spec.read_only) {
            return Err(HostError::new(ErrorKind::NotApproved, format!("a reviewer does not call {tool}"))
                .hint("a reviewer's token calls only tools that change nothing"));
        }
    }
    let caller = if role == Some(Role::Agent) { Caller::Agent } else { Caller::User };
    let call = Call::new(tool, wanted.body.to_string(), caller);
    Ok(making(Run::new(Wanted::new(call, policy)), Answers::Nobody, caller == Caller::Agent))
}

/// A push on behalf of the user. It happens if the request gives its digest.
fn push(wanted: &Authorized, policy: Rc<Policy>) -> Result<Stage> {
    let Pushing { commit_id, target, only, digest, revision } = decision::read(&wanted.body)?;
    let mut arguments = json!({ "commitId": commit_id });
    if let Some(target) = target {
        arguments["target"] = target;
    }
    if let Some(only) = only {
        arguments["only"] = json!(only);
    }
    let call = Call::new("git_push", arguments.to_string(), Caller::User);
    let parsed = digest.as_deref().map(decision::digest).transpose()?;
    let run = Run::new(Wanted { digest: parsed, revision: revision.map(Edits::revision), ..Wanted::new(call, policy) });
    Ok(making(run, Answers::by_digest(digest), false))
}

fn decide(wanted: &Authorized, waiting: Waiting, sandbox: &mut Sandbox, policy: Rc<Policy>) -> Result<Stage> {
    let decision: Decision = decision::read(&wanted.body)?;
    if let Decision::AskChanges { reason } = &decision {
        review::ensure_asked(sandbox, waiting.topic.as_ref(), reason)?;
    }
    if answer::ask_waiting(&waiting).is_none() {
        let answers = Answers::Decided { waiting: Some(waiting.clone()), decision, is_said: false };
        return Ok(again(waiting, answers, policy));
    }
    let decided = answer::decide_waiting(sandbox, &waiting, decision.about_call()?)?;
    let platform = sandbox.platform();
    Ok(Stage::Over(match decided {
        Ok(_) => Response::empty(),
        Err(not) => reply(&Reply::NotApproved(Box::new(not)), |hint| platform.words(hint)),
    }))
}

/// Repeats a waiting call, as the agent made it.
fn again(waiting: Waiting, answers: Answers, policy: Rc<Policy>) -> Stage {
    let call = Call::new(waiting.tool, waiting.arguments, Caller::Agent);
    making(Run::new(Wanted::new(call, policy)), answers, false)
}

fn making(run: Run, answers: Answers, for_agent: bool) -> Stage {
    Stage::Making(Box::new(Made::new(run, answers, for_agent)))
}

/// The full record of the waiting call that the path names.
fn find(wanted: &Authorized, sandbox: &Sandbox) -> Result<Result<Waiting, Response>> {
    let id = wanted.parameter("id");
    let found = sandbox.store.waiting.unanswered()?.into_iter().find(|waiting| waiting.id == id);
    Ok(found.ok_or_else(|| Problem::gone("no call with this id waits").response()))
}

fn busy(time: Duration) -> HostError {
    let what = format!("the repository's server is busy for {} seconds", time.as_secs());
    HostError::new(ErrorKind::Busy, what).hint("make the same call again after that; nothing is lost")
}

fn failed(error: &HostError, sandbox: &Sandbox) -> Response {
    let platform = sandbox.platform();
    Problem::of(error, |hint| platform.words(hint)).response()
}
