//! A sandbox, its body, and the server that the body reaches.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use gate::forge::{self, Cut, Request};
use gate::ledger::{Intent, Ledger, PushResult};
use gate::policy::{Base, Caller, Policy, PushMode};
use gix_hash::ObjectId;
use host::answer::{Advance, Need, Run, Wanted};
use host::fake::{FakePlatform, plain_settings};
use host::fsck;
use host::sandbox::Body;
use host::store::memory::MemoryStorage;
use host::store::{Kind, Storage, Store, Wait, put_settings};
use host::wit;
use serde_json::{Value, json};

use super::super::{Call, Here, Reply, Servers};
use super::person::Person;
use crate::error::{ErrorKind, HostError, Result};
use crate::home::{SandboxFile, ToolSettings};
use crate::sandbox::{Clock, Runtime, STACK, Sandbox};
use crate::support::github::{NAME, Server};
use crate::support::{Repo, hex};

/// The token that the body adds to each request.
pub(super) const TOKEN: &str = "not-a-real-token-3b18e51";

/// Runs a test with a stack that is deep enough for the component.
pub(super) fn deep(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Everything but an open sandbox.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) storage: MemoryStorage,
    pub(super) server: Rc<RefCell<Server>>,
    pub(super) platform: Rc<FakePlatform>,
    /// From this request on, the body cannot send any.
    pub(super) offline_from: usize,
    runtime: Rc<Runtime>,
}

impl Scene {
    /// A new sandbox that may name `targets`, and a server.
    pub(super) fn new(server: Server, targets: &[&str]) -> Self {
        let file = SandboxFile {
            base: "/nowhere".into(),
            identity: Some("Ada <ada@example.org>".parse().unwrap()),
            targets: targets.iter().copied().map(str::to_owned).collect(),
            ..plain_settings()
        };
        let scene = Scene {
            storage: MemoryStorage::default(),
            server: Rc::new(RefCell::new(server)),
            platform: Rc::new(FakePlatform::default().saying(crate::screen::hint::act)),
            offline_from: usize::MAX,
            runtime: Rc::new(Runtime::load(Clock::default(), || ()).unwrap()),
        };
        let held = scene.storage.lock(Wait::Not).unwrap();
        put_settings(&scene.storage, &held, &file).unwrap();
        let store = Store::open(Rc::new(scene.storage.clone())).unwrap();
        let sandbox = &mut Sandbox::create("one", store, &held, &ToolSettings::default(), scene.body()).unwrap();
        drop(held);
        scene.user(sandbox, "sandbox_import", json!({}));
        scene
    }

    /// The same at another place and time, from where each goes its own way.
    pub(super) fn copied(&self) -> Self {
        let platform = FakePlatform::clone(&self.platform);
        let server = Rc::new(RefCell::new(self.server.borrow().copied()));
        Scene { storage: self.storage.copied(), server, platform: Rc::new(platform), ..self.clone() }
    }

    fn body(&self) -> Body {
        let (platform, near) = (Rc::clone(&self.platform) as _, Rc::clone(&self.platform) as _);
        Body { components: Rc::clone(&self.runtime) as _, platform, near }
    }

    pub(super) fn open(&self) -> Sandbox {
        self.open_on(self.storage.clone())
    }

    pub(super) fn open_on(&self, storage: MemoryStorage) -> Sandbox {
        let store = Store::open(Rc::new(storage)).unwrap();
        Sandbox::open("one", store, &ToolSettings::default(), self.body()).unwrap()
    }

    /// Checks all that is stored.
    pub(super) fn check(&self) -> fsck::Report {
        let storage = Rc::new(self.storage.clone());
        fsck::look(storage, "one", &ToolSettings::default(), &*self.runtime, |_| Ok(())).unwrap()
    }

    pub(super) fn main(&self) -> ObjectId {
        self.server.borrow().main().expect("it has a branch main")
    }

    /// How many requests were sent.
    pub(super) fn sent(&self) -> usize {
        self.server.borrow().log.len()
    }

    pub(super) fn ledger(&self) -> Ledger {
        let (ledger, damage) = Store::open(Rc::new(self.storage.clone())).unwrap().ledger.look().unwrap();
        assert_eq!(damage, None);
        Ledger::clone(&ledger)
    }

    /// The intents, with what became of each.
    pub(super) fn pushes(&self) -> Vec<(Intent, Option<PushResult>)> {
        let ledger = self.ledger();
        ledger.intents().map(|intent| (intent.clone(), ledger.result(intent.nonce))).collect()
    }

    /// Makes a call, and cuts it off after `steps`. What it needs is one step, and that somebody
    /// has given it is the next.
    pub(super) fn play(
        &self,
        sandbox: &mut Sandbox,
        call: Call,
        policy: Policy,
        person: &mut Person,
        steps: usize,
    ) -> Played {
        let policy = Rc::new(policy);
        let (attached, takes_time) = (Vec::new(), person.takes_time);
        let mut run =
            Run::new(Wanted { call, attached, policy, digest: None, revision: None, along: None, takes_time });
        let mut left = steps;
        loop {
            let advanced = run.advance(sandbox);
            Here::new(person, self).tell(sandbox);
            let need = match advanced {
                Ok(Advance::Need(need)) => need,
                Ok(Advance::Done(reply)) => return Played::Over(Ok(reply)),
                Err(error) => return Played::Over(Err(error)),
            };
            if left == 0 {
                return Played::Cut(Some(need));
            }
            let given = Here::new(person, self).perform(&need, run.proposal().map(|proposal| (proposal, &*sandbox)));
            if left == 1 {
                return Played::Cut(None);
            }
            left = left.saturating_sub(2);
            run.give(given);
        }
    }

    /// Pushes what is staged to a branch.
    pub(super) fn push(&self, sandbox: &mut Sandbox, branch: &str, steps: usize) -> Played {
        let call = called(Caller::User, "git_push", &push_to(branch));
        self.play(sandbox, call, strict(), &mut Person::default(), steps)
    }

    /// Makes a call to its end, which an error of the host is not.
    pub(super) fn call(&self, sandbox: &mut Sandbox, caller: Caller, tool: &str, arguments: Value) -> Outcome {
        let mut person = Person::default();
        let reply = self.play(sandbox, called(caller, tool, &arguments), strict(), &mut person, usize::MAX);
        outcome(reply.over().unwrap_or_else(|error| panic!("{tool}: {error:?}")))
    }

    /// Makes a call of the agent that succeeds.
    pub(super) fn agent(&self, sandbox: &mut Sandbox, tool: &str, arguments: Value) -> Value {
        self.call(sandbox, Caller::Agent, tool, arguments).unwrap_or_else(|error| panic!("{tool}: {error:?}"))
    }

    /// Lets the server have a branch or tag of `repo`.
    pub(super) fn publish(&self, repo: &Repo, name: &str) {
        let mut server = self.server.borrow_mut();
        server.objects.extend(repo.objects(&[name]).0);
        server.refs.insert(name.to_owned(), repo.id(name));
    }

    /// Makes a call of the person that succeeds.
    pub(super) fn user(&self, sandbox: &mut Sandbox, tool: &str, arguments: Value) -> Value {
        self.call(sandbox, Caller::User, tool, arguments).unwrap_or_else(|error| panic!("{tool}: {error:?}"))
    }

    /// A sandbox that has pulled from the server, changed a file and staged the change.
    pub(super) fn with_work(server: Server) -> Self {
        let scene = Scene::new(server, &["github:octo/hello"]);
        let sandbox = &mut scene.open();
        scene.user(sandbox, "git_pull", json!({ "source": there() }));
        scene.user(sandbox, "write_file", json!({ "path": "a.md", "content": "one\n" }));
        scene.user(sandbox, "git_stage", json!({ "files": ["a.md"], "message": "One" }));
        scene
    }

    /// The same where an agent may propose pushes.
    pub(super) fn assisted(self) -> Self {
        let file = SandboxFile { push: Some(PushMode::Assisted), ..self.open().file };
        put_settings(&self.storage, &self.storage.lock(Wait::Not).unwrap(), &file).unwrap();
        self
    }

    /// The server's end of a request. It answers nobody without the token.
    fn arrives(&self, authorization: &str, request: Request) -> Result<forge::Response, Cut> {
        assert_eq!(authorization, format!("Bearer {TOKEN}"));
        self.server.borrow_mut().answer(request)
    }

    /// The messages of the staged commits, as `git_status` lists them.
    pub(super) fn staged(&self, sandbox: &mut Sandbox) -> Vec<String> {
        let status = self.user(sandbox, "git_status", json!({}));
        let staged = status["staged"].as_array().unwrap();
        staged.iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect()
    }
}

impl Servers for Scene {
    fn send(&self, request: &Request) -> Result<Result<forge::Response, Cut>> {
        if request.moves {
            // Whatever becomes of it, the next host knows of it.
            let ledger = self.ledger();
            let intent = ledger.open_intents().next().expect("the intent is in the log");
            let sent = self.storage.record(Kind::Sent, &intent.nonce.to_string()).unwrap();
            assert_eq!(sent, Some(self.platform.seconds().to_string().into_bytes()));
        }
        if self.sent() >= self.offline_from {
            return Err(HostError::new(ErrorKind::Interrupted, "called off"));
        }
        assert!(!format!("{request:?}").contains(TOKEN), "the body adds the token, and nobody else");
        Ok(self.arrives(&format!("Bearer {TOKEN}"), request.clone()))
    }

    fn why(&self) -> Option<String> {
        None
    }

    fn sleep(&self, time: Duration) -> Result<()> {
        self.platform.pass(time);
        Ok(())
    }
}

/// How far a call came.
pub(super) enum Played {
    Over(Result<Reply>),
    /// It was cut off when it needed this, or when it had been given what it needed.
    Cut(Option<Need>),
}

impl Played {
    pub(super) fn over(self) -> Result<Reply> {
        match self {
            Played::Over(result) => result,
            Played::Cut(need) => panic!("it was cut off at {need:?}"),
        }
    }
}

/// How a call ended: with its structured result, or an error.
pub(super) type Outcome = Result<Value, wit::ToolError>;

pub(super) fn outcome(reply: Reply) -> Outcome {
    match reply {
        Reply::Done(outcome) => outcome.map(|result| serde_json::from_str(&result.structured).unwrap()),
        Reply::NotApproved(not) => panic!("{not:?}"),
    }
}

pub(super) fn called(caller: Caller, tool: &str, arguments: &Value) -> Call {
    Call::new(tool, arguments.to_string(), caller)
}

/// The policy that asks about every push.
pub(super) fn strict() -> Policy {
    Policy::new(Base::Strict, [], false)
}

/// The server's repository, as a tool names it.
pub(super) fn there() -> Value {
    json!({ "type": "github", "repo": NAME })
}

/// A push of everything that is staged to a branch.
pub(super) fn push_to(branch: &str) -> Value {
    json!({ "commitId": "HEAD", "target": { "type": "github", "repo": NAME, "branch": branch } })
}

/// A repository with one file.
pub(super) fn begun() -> Repo {
    let repo = Repo::new();
    repo.write("README.md", "# Project\n").commit("Begin");
    repo
}

/// A server that has that.
pub(super) fn small() -> Server {
    Server::of(&begun())
}

pub(super) fn id(value: &Value) -> ObjectId {
    hex(value.as_str().unwrap().as_bytes())
}
