//! Plays the script on a sandbox in memory, and writes down what happens.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use gate::approval::Decision;
use gate::digest::Digest;
use gate::hex;
use gate::ledger::How;
use gate::policy::{Caller, Policy};
use gate::refname::BranchRef;
use host::answer::{self, Advance, Answered, Ask, Call, Export, Given, Making, Need, Reply, Run, Said, Wanted};
use host::approve::{CallDecision, LeftOut, PushDecision, Response, Revision};
use host::fake::{FakePlatform, plain_settings};
use host::fsck;
use host::sandbox::{Body, Sandbox};
use host::screen::audit;
use host::screen::times::Times;
use host::settings::{Config, HexId, SandboxFile, policy};
use host::store::memory::MemoryStorage;
use host::store::{self, Kind, Log, Storage, Store, Wait};
use host::target::supply::Import;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{notes, words};
use crate::sandbox::Runtime;

pub struct Player<'a> {
    pub script: &'a Value,
    /// What the script brings into the sandbox.
    pub import: &'a Import,
    pub runtime: Rc<Runtime>,
    pub storage: MemoryStorage,
    pub world: Rc<FakePlatform>,
    /// Whether the host is dropped at every step.
    pub drops: bool,
    /// The digest that was last shown.
    digest: RefCell<Option<Digest>>,
    /// How long the logs were after the last step.
    lengths: RefCell<BTreeMap<Log, usize>>,
}

impl<'a> Player<'a> {
    pub fn new(script: &'a Value, import: &'a Import, runtime: Rc<Runtime>, drops: bool) -> Self {
        let number = |name: &str| script[name].as_u64().expect("it is a number");
        let offset = i32::try_from(number("utcOffset")).expect("it is a zone");
        let begins = Duration::from_millis(number("begins"));
        let world = Rc::new(FakePlatform::new(text(&script["who"]), offset, begins).saying(super::act::act));
        Player {
            script,
            import,
            runtime,
            storage: MemoryStorage::default(),
            world,
            drops,
            digest: RefCell::default(),
            lengths: RefCell::default(),
        }
    }

    fn config(&self) -> Config {
        Config::parse("gitgate.toml", text(&self.script["opened"]["config"])).unwrap()
    }

    fn policy(&self, file: &SandboxFile) -> Policy {
        let tools = host::component::Components::tools(&*self.runtime).unwrap();
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        let rules =
            policy::parse("the policy file", text(&self.script["opened"]["rules"]), &tools, super::act::act).unwrap();
        Policy::new(file.policy, [rules], self.config().unattended)
    }

    fn body(&self) -> Body {
        Body {
            components: Rc::clone(&self.runtime) as Rc<_>,
            platform: Rc::clone(&self.world) as Rc<_>,
            near: Rc::clone(&self.world) as Rc<_>,
        }
    }

    fn store(&self) -> Store {
        Store::open(Rc::new(self.storage.clone())).unwrap()
    }

    pub fn create(&self) -> Sandbox {
        let new = &self.script["new"];
        let id = HexId(host::platform::random(&*self.world).unwrap());
        let file = SandboxFile {
            id,
            created: host::platform::Platform::now(&*self.world).rfc3339(),
            base: "/".into(),
            identity: Some(text(&new["identity"]).parse().unwrap()),
            policy: serde_json::from_value(new["policy"].clone()).unwrap(),
            push: serde_json::from_value(new["push"].clone()).unwrap(),
            ..plain_settings()
        };
        let held = self.storage.lock(Wait::Not).unwrap();
        store::put_settings(&self.storage, &held, &file).unwrap();
        Sandbox::create("one", self.store(), &held, self.config().tools(), self.body()).unwrap()
    }

    fn open(&self) -> Sandbox {
        Sandbox::open("one", self.store(), self.config().tools(), self.body()).unwrap()
    }

    /// Plays all steps. Each is written with what went in and what came out, and what is stored
    /// after it.
    pub fn play(&self) -> Value {
        let mut sandbox = self.create();
        let mut played = Vec::new();
        for step in self.script["steps"].as_array().expect("there are steps") {
            played.push(self.look(step, &mut sandbox));
        }
        Value::from(played)
    }

    /// Plays one step.
    pub fn look(&self, step: &Value, sandbox: &mut Sandbox) -> Value {
        if self.drops {
            *sandbox = self.open();
        }
        let turns = self.step(step, sandbox);
        let logs = [Log::Journal, Log::Audit].map(|log| self.news(log));
        json!({ "turns": turns, "notes": sandbox.take_notes(), "logs": logs })
    }

    fn step(&self, step: &Value, sandbox: &mut Sandbox) -> Value {
        match text(&step["do"]) {
            "call" | "export" => self.turns(step, sandbox),
            "tools" => {
                let tools = answer::enter(sandbox).unwrap().tools().unwrap();
                json!(
                    tools
                        .iter()
                        .map(|tool| [&tool.name, &tool.schema, &tool.output_schema, &tool.description])
                        .collect::<Vec<_>>()
                )
            }
            "waiting" => json!(sandbox.store.waiting.all().unwrap()),
            "decide" => {
                let waiting = self.waiting(step, sandbox);
                let asked = Ask::Call(answer::ask_waiting(&waiting).expect("it stays inside"));
                let decided = answer::decide_waiting(sandbox, &waiting, self.given(&asked, &step["answer"], None));
                decided.unwrap().expect("somebody has answered");
                Value::Null
            }
            "reject" => {
                let waiting = self.waiting(step, sandbox);
                answer::reject_waiting(sandbox, &waiting, text(&step["reason"])).unwrap();
                Value::Null
            }
            "compact" => {
                answer::enter(sandbox).unwrap().compact().unwrap();
                Value::Null
            }
            "reopen" => {
                *sandbox = self.open();
                Value::Null
            }
            "pass" => {
                let minutes = step["minutes"].as_u64().expect("it is a number");
                self.world.pass(Duration::from_secs(60 * minutes));
                Value::Null
            }
            "fsck" => {
                let storage = Rc::new(self.storage.clone());
                let policy = |file: &SandboxFile| {
                    self.policy(file);
                    Ok(())
                };
                fsck::look(storage, "one", self.config().tools(), &*self.runtime, policy)
                    .unwrap()
                    .json(super::act::words)
            }
            "audit" => {
                let ledger = sandbox.store.ledger.read().unwrap();
                let records: Vec<_> = ledger.entries().iter().map(|entry| json!(entry.record)).collect();
                json!({ "text": audit::screen(&ledger, Times::EXACT), "records": records })
            }
            other => panic!("the script cannot do {other}"),
        }
    }

    fn waiting(&self, step: &Value, sandbox: &Sandbox) -> host::store::Waiting {
        let all = sandbox.store.waiting.all().unwrap().into_iter();
        all.into_iter().find(|waiting| waiting.tool == text(&step["tool"])).expect("it waits")
    }

    /// Makes a call or an export, and writes down its turns.
    fn turns(&self, step: &Value, sandbox: &mut Sandbox) -> Value {
        let always = step["always"].as_object().map(|_| &step["always"]);
        let mut answers = step["answers"].as_array().into_iter().flatten();
        let mut turns = Vec::new();
        let mut making = self.make(step, sandbox);
        let mut own;
        let mut sandbox = sandbox;
        loop {
            let need = match making.advance(sandbox).unwrap() {
                Advance::Done(reply) => {
                    if let Reply::NotApproved(not) = &reply
                        && let Some(push) = &not.push
                    {
                        self.digest.replace(push.digest);
                    }
                    assert!(answers.next().is_none(), "the script has an answer too many");
                    let reply = if step["as"] == "agent" { reply.for_agent() } else { reply };
                    turns.push(json!({ "done": words::reply(&reply) }));
                    return Value::from(turns);
                }
                Advance::Need(need) => need,
            };
            let asked = words::need(&need, making.proposal(), sandbox);
            let answer = answers.next().or(always).expect("the script has an answer");
            notes::make(sandbox, &asked["val"], answer);
            turns.push(json!({ "need": asked }));
            let Need::Ask(ask) = &need else { panic!("the script reaches no server") };
            if !self.drops {
                let given = self.given(ask, answer, making.proposal());
                making.give(Given::Answer(given));
                continue;
            }
            // The host is gone while the person thinks. A question that was kept is answered
            // elsewhere.
            own = self.open();
            sandbox = &mut own;
            if step["takesTime"] == true {
                let waiting = self.waiting(step, sandbox);
                let given = self.given(ask, answer, None);
                answer::decide_waiting(sandbox, &waiting, given).unwrap().expect("somebody has answered");
                own = self.open();
                sandbox = &mut own;
                making = self.make(step, sandbox);
                continue;
            }
            making = self.make(step, sandbox);
            let Advance::Need(need) = making.advance(sandbox).unwrap() else { panic!("it asks again") };
            turns.push(json!({ "need": words::need(&need, making.proposal(), sandbox) }));
            let Need::Ask(ask) = &need else { panic!("the script reaches no server") };
            let given = self.given(ask, answer, making.proposal());
            making.give(Given::Answer(given));
        }
    }

    /// Begins a call, or an export.
    fn make(&self, step: &Value, sandbox: &Sandbox) -> Making {
        let policy = Rc::new(self.policy(&sandbox.file));
        if step["do"] == "export" {
            let file = Path::new(text(&step["file"]));
            let branch = BranchRef::from_branch("main").unwrap();
            let digest = if step["approved"] == true { *self.digest.borrow() } else { None };
            return Export::new(sandbox, sandbox.near(), file, &branch, policy, digest, None).unwrap().into();
        }
        let imports = step["imports"] == true;
        // What is no JSON is there as a text.
        let arguments = match step["text"].as_str() {
            _ if imports => self.import.arguments.to_string(),
            Some(text) => text.to_owned(),
            None if step["answers-comment"].is_string() => notes::answered(sandbox, &step["answers-comment"]),
            None => step["arguments"].to_string(),
        };
        let caller = if step["as"] == "user" { Caller::User } else { Caller::Agent };
        let call = Call::new(text(&step["tool"]), arguments, caller);
        let run = Run::new(Wanted {
            call,
            attached: if imports { self.import.attached.clone() } else { Vec::new() },
            policy,
            digest: None,
            revision: None,
            along: None,
            takes_time: step["takesTime"] == true,
        });
        run.into()
    }

    fn given(&self, ask: &Ask, answer: &Value, proposal: Option<&gate::approval::Proposal>) -> Answered {
        let reason = || answer["reason"].as_str().unwrap_or_default().to_owned();
        let unavailable = ("nobody is there".to_owned(), "ask again".to_owned());
        let said = match (ask, text(&answer["said"])) {
            (Ask::Call(_), "approve") => Said::Call(Response::Given(CallDecision::Approve)),
            (Ask::Call(_), "reject") => Said::Call(Response::Given(CallDecision::Reject(reason()))),
            (Ask::Call(_), _) => Said::Call(Response::Unavailable { reason: unavailable.0, hint: unavailable.1 }),
            (Ask::Push(_), "approve") => {
                let digest = proposal.expect("it is proposed").digest();
                Said::Push(Response::Given(PushDecision::Decided(Decision::Approve { digest })))
            }
            (Ask::Push(_), "reject") => {
                Said::Push(Response::Given(PushDecision::Decided(Decision::Reject { reason: reason() })))
            }
            (Ask::Push(_), "ask-changes") => Said::Push(Response::Given(PushDecision::AskChanges { reason: reason() })),
            (Ask::Push(_), "revise") => {
                Said::Push(Response::Given(PushDecision::Revise(revision(&answer["revision"]))))
            }
            (Ask::Push(_), _) => Said::Push(Response::Unavailable { reason: unavailable.0, hint: unavailable.1 }),
        };
        Answered { said, how: How::Prompt, was_shown: false }
    }

    /// How long a log is, and the hash of what is new in it since the last step.
    fn news(&self, log: Log) -> Value {
        let bytes = self.log(log);
        let before = self.lengths.borrow_mut().insert(log, bytes.len()).unwrap_or_default();
        let new = bytes.get(before..).unwrap_or(&bytes);
        json!([bytes.len(), hex::encode(&Sha256::digest(new))])
    }

    fn log(&self, log: Log) -> Vec<u8> {
        self.storage.log(log).unwrap_or_default()
    }

    /// All that is stored, and the files that were written.
    pub fn kept(&self) -> Value {
        let record = |kind: Kind| {
            let keys = self.storage.records(kind).unwrap().into_iter();
            let content = |key: &str| self.storage.record(kind, key).unwrap().expect("it is listed");
            keys.map(|key| (key.clone(), Value::from(hex::encode(&content(&key))))).collect::<serde_json::Map<_, _>>()
        };
        let blob = |id: &store::BlobId| {
            let mut blob = self.storage.blob(id).unwrap().expect("it is listed");
            let mut content = vec![0; usize::try_from(blob.size()).unwrap()];
            assert_eq!(blob.read(&mut content).unwrap(), content.len());
            (hex::encode(id), Value::from(hex::encode(&content)))
        };
        let files = self.world.files.borrow();
        json!({
            "journal": hex::encode(&self.log(Log::Journal)),
            "audit": hex::encode(&self.log(Log::Audit)),
            "pending": record(Kind::Pending),
            "waiting": record(Kind::Waiting),
            "comments": record(Kind::Comments),
            "seen": record(Kind::Seen),
            "blobs": self.storage.blobs().unwrap().iter().map(blob).collect::<serde_json::Map<_, _>>(),
            "settings": self.storage.text(SandboxFile::NAME).unwrap(),
            "files": files.iter().map(|(name, bytes)| (name.clone(), hex::encode(bytes).into())).collect::<serde_json::Map<_, _>>(),
        })
    }
}

fn revision(edits: &Value) -> Revision {
    let left_out = |one: &Value| LeftOut {
        path: text(&one["path"]).to_owned(),
        hunks: serde_json::from_value(one["hunks"].clone()).expect("they are numbers"),
        context: None,
    };
    Revision {
        leave_out: edits["leaveOut"].as_array().into_iter().flatten().map(left_out).collect(),
        message: edits["message"].as_str().map(str::to_owned),
        upto: edits["upto"].as_str().map(str::to_owned),
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("it is text")
}
