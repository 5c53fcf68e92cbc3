//! As `store::faults`, with the real component and everything above it: calls from the person's word to the target, of which one is cut off
//! where the disk of the sandbox fails. The target's disk does not fail here.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use gate::ledger::PushResult;
use gate::policy::{Base, Caller, Policy};
use gix::ObjectId;
use host::answer::enter;
use serde_json::{Value, json};

use super::{Call, Reply, run};
use crate::approve::Scripted;
use crate::command::check;
use crate::github::Client;
use crate::home::{GitSettings, HexId, SandboxFile, sandbox_file};
use crate::sandbox::{Clock, Runtime, STACK, Sandbox, create, open_on};
use crate::store;
use crate::store::faults::chaos::{Chaos, Fault, Mode};
use crate::store::faults::folder;

/// A sandbox, a repository that it pulls from, and one that it pushes to.
struct Scene {
    folder: tempfile::TempDir,
    runtime: Rc<Runtime>,
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new(trial::git());
    git.current_dir(folder).args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = git.output().expect("git is there");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    assert!(Command::new("cp").arg("-R").arg(from).arg(to).status().unwrap().success());
}

impl Scene {
    fn new() -> Self {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("now/source")).unwrap();
        git(&at("now/source"), &["init", "-q", "-b", "main"]);
        fs::write(at("now/source/README.md"), "# Project\n").unwrap();
        git(&at("now/source"), &["add", "."]);
        git(&at("now/source"), &["commit", "-q", "-m", "Begin"]);
        git(&at("now"), &["clone", "-q", "--bare", "source", "target.git"]);
        for name in ["attachments", "pending"] {
            fs::create_dir_all(at("now/sandboxes/one").join(name)).unwrap();
        }
        let file = SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId([7; 16]),
            created: String::new(),
            base: at("now"),
            on_disk: None,
            identity: Some("Ada <ada@example.org>".parse().unwrap()),
            policy: Base::Strict,
            policy_file: None,
            targets: vec![format!("bare:{}", at("now/target.git").display())],
            worker: None,
            push: None,
            default_target: None,
            auto_pull: Vec::new(),
        };
        sandbox_file::write(&file, &at("now/sandboxes/one")).unwrap();
        let runtime = Rc::new(Runtime::load(Clock::default(), || ()).unwrap());
        create(&at("now/sandboxes/one"), &GitSettings::default(), Rc::clone(&runtime)).unwrap();
        copy(&at("now"), &at("saved"));
        Scene { folder, runtime }
    }

    fn place(&self) -> std::path::PathBuf {
        self.folder.path().join("now/sandboxes/one")
    }

    fn open(&self, disk: Arc<Chaos>) -> Sandbox {
        let store = store::open_on(&self.place(), HexId([7; 16]).name(), disk).unwrap();
        open_on(&self.place(), store, &GitSettings::default(), Rc::clone(&self.runtime)).unwrap()
    }

    fn head(&self) -> ObjectId {
        let head = git(&self.folder.path().join("now/target.git"), &["rev-parse", "main"]);
        ObjectId::from_hex(head.as_bytes()).unwrap()
    }

    /// The calls of a run: the tool, or what stands for the host's own work, and the arguments.
    fn calls(&self) -> Vec<(&'static str, Value)> {
        let place = |name: &str| self.folder.path().join("now").join(name);
        vec![
            ("sandbox_import", json!({})),
            ("git_pull", json!({ "source": { "type": "local", "path": place("source") } })),
            ("write_file", json!({ "path": "a.md", "content": "one\n" })),
            ("git_stage", json!({ "files": ["a.md"], "message": "One" })),
            ("write_file", json!({ "path": "b.md", "content": "two\n".repeat(200_000) })),
            ("compact", json!({})),
            (
                "git_push",
                json!({ "commitId": "HEAD", "target": { "type": "local-bare", "path": place("target.git") } }),
            ),
            ("git_stage", json!({ "files": ["b.md"], "message": "Two" })),
            ("git_discard", json!({ "commitId": "HEAD" })),
            ("sandbox_undo", json!({})),
        ]
    }

    /// Plays the run on a disk that fails. Gives how many calls were answered as done, what the sandbox was after each if nothing failed, and
    /// the steps of the disk.
    fn play(&self, fault: Option<Fault>) -> (usize, Vec<String>, usize) {
        copy(&self.folder.path().join("saved"), &self.folder.path().join("now"));
        let aside = self.folder.path().join("aside");
        let _ = fs::remove_dir_all(&aside);
        let chaos = Chaos::new(aside, fault, 1);
        let mut sandbox = self.open(Arc::clone(&chaos));
        let (mut done, mut states) = (0, Vec::new());
        for (tool, arguments) in self.calls() {
            if fault.is_none() {
                states.push(look(&mut sandbox));
            }
            if !make(&mut sandbox, tool, &arguments) {
                assert!(fault.is_some(), "{tool} fails by itself");
                break;
            }
            done += 1;
            if fault.is_none() {
                println!("{tool}: the disk has taken {} steps", chaos.steps());
            }
        }
        if fault.is_none() {
            states.push(look(&mut sandbox));
        }
        drop(sandbox);
        if fault.is_some_and(|fault| fault.mode == Mode::Power) {
            chaos.lose_power(&self.place());
        }
        (done, states, chaos.steps())
    }

    /// A new process finds the sandbox as after the calls that were answered as done, or after one more.
    fn is_sound(&self, done: usize, states: &[String]) {
        let mut sandbox = self.open(Chaos::new(self.folder.path().join("aside-2"), None, 2));
        let seen = look(&mut sandbox);
        let may_be = &states[done..(done + 2).min(states.len())];
        assert!(may_be.contains(&seen), "after {done} calls it is {seen}, and not one of {may_be:#?}");
        let (ledger, damage) = sandbox.store.ledger.look().unwrap();
        assert_eq!(damage, None);
        let head = self.head();
        for intent in ledger.intents() {
            let landed = intent.new == head;
            let expected = if landed { PushResult::Landed } else { PushResult::NotLanded };
            assert_eq!(ledger.result(intent.nonce), Some(expected), "the target is at {head}");
        }
        drop(sandbox);
        let report = check(&self.place(), &GitSettings::default(), &self.runtime).unwrap();
        assert_eq!(report.findings, [], "{report:?}");
    }
}

/// No call of these reaches a server.
fn servers() -> Client {
    Client::new(Clock::default())
}

/// Whether the call was answered as done.
fn make(sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> bool {
    let approver = &mut Scripted { yes: true, unattended: true, ..Scripted::default() };
    if tool == "compact" {
        return enter(sandbox).and_then(|mut locked| locked.compact()).is_ok();
    }
    let call = Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller: Caller::User };
    let policy = Policy::new(Base::Strict, [], false);
    match run(sandbox, &call, Vec::new(), policy, approver, &servers()) {
        Ok(Reply::Done(Ok(_))) => true,
        Ok(Reply::Done(Err(error))) => {
            println!("{tool}: {}", error.message);
            false
        }
        Ok(other) => panic!("{tool}: {other:?}"),
        Err(error) => {
            println!("{tool}: {error}");
            false
        }
    }
}

/// What can be seen of a sandbox, but for ids and times: the files, what is staged, and what the history names.
fn look(sandbox: &mut Sandbox) -> String {
    let mut structured = |tool: &str, arguments: Value| -> Option<Value> {
        let call = Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller: Caller::User };
        match run(sandbox, &call, Vec::new(), Policy::default(), &mut Scripted::default(), &servers()).unwrap() {
            Reply::Done(Ok(result)) => Some(serde_json::from_str(&result.structured).unwrap()),
            _ => None,
        }
    };
    let files = structured("list_files", json!({ "recursive": true }));
    let lines = structured("search_files", json!({ "pattern": "^(# |one|two)", "limit": 20 }));
    let status = structured("git_status", json!({}));
    let staged = status.map(|status| {
        let messages: Vec<Value> =
            status["staged"].as_array().unwrap().iter().map(|one| one["message"].clone()).collect();
        (messages, status["unstaged"].clone())
    });
    let history = structured("sandbox_history", json!({})).unwrap();
    let mut tools: Vec<Value> = history["calls"].as_array().unwrap().iter().map(|call| call["tool"].clone()).collect();
    // A push that had landed before it was cut off, the sandbox may be told of twice. No two other calls in a row are of one tool here.
    tools.dedup();
    format!("{files:?} {lines:?} {staged:?} {tools:?}")
}

#[test]
fn whichever_step_of_a_call_fails_the_sandbox_its_log_and_the_target_agree() {
    let thread = std::thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(|| {
        let scene = Scene::new();
        let (done, states, steps) = scene.play(None);
        assert_eq!(done, scene.calls().len());
        scene.is_sound(done, &states);
        let mut faults = 0;
        for at in 0..steps {
            for mode in [Mode::Once, Mode::Stays, Mode::Power] {
                let (done, _, _) = scene.play(Some(Fault { at, mode }));
                println!("step {at} of {steps}, {mode:?}: {done} calls were done");
                scene.is_sound(done, &states);
                assert!(at + 1 < steps || done + 2 == states.len(), "the last step is one of the last call");
                faults += 1;
            }
        }
        assert!(faults >= 150, "{faults} faults were tried");
    });
    thread.unwrap().join().unwrap();
}
