//! A sandbox on a disk that fails, a repository that it pulls from, and one that it pushes to.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use gate::digest::Digest;
use gate::ledger::{CallVerdict, PushResult, Record};
use gate::policy::PushMode;
use host::fake::plain_settings;

use super::by_git;
use super::calls::{BRANCHES, Ended, Person, Step, begun, look, make, pushed};
use crate::command::check;
use crate::home::{SandboxFile, ToolSettings};
use crate::sandbox::{Clock, Runtime, Sandbox, create, open_on};
use crate::store;
use crate::store::chaos::{Chaos, Fault, Mode, folder};

/// Everything but an open sandbox. The target's disk does not fail.
pub(super) struct Scene {
    folder: tempfile::TempDir,
    runtime: Rc<Runtime>,
}

/// A run in which nothing fails: how each call ended, the sandbox before and after each, and the
/// steps of the disk.
pub(super) struct Whole {
    ended: Vec<Ended>,
    states: Vec<String>,
    pub(super) steps: usize,
}

/// What the callers of a run were told, and so can count on.
#[derive(Debug, Default)]
struct Told {
    /// The digests of pushes that were shown since the last one went out.
    shown: Vec<Digest>,
    /// The arguments of calls that wait.
    waiting: Vec<String>,
    /// How many calls were approved and then made.
    approved: usize,
}

impl Told {
    fn note(&mut self, step: &Step, ended: Ended) {
        match (step.tool, step.person, ended) {
            ("git_push", Person::Agrees, _) => self.shown.clear(),
            ("git_stage", Person::Agrees, Ended::Done) => self.approved += 1,
            (_, _, Ended::Left(Some(digest))) => self.shown.push(digest),
            (_, Person::IsAwaited, Ended::Left(None)) => self.waiting.push(step.arguments.to_string()),
            _ => {}
        }
    }
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
    pub(super) fn new() -> Self {
        let scene = Scene { folder: folder(), runtime: Rc::new(Runtime::load(Clock::default(), || ()).unwrap()) };
        let (now, source) = (scene.now(), scene.now().join("source"));
        fs::create_dir_all(&source).unwrap();
        git(&source, &["init", "-q", "-b", "main"]);
        let commit = |file: &str| {
            fs::write(source.join(file), "# Project\n").unwrap();
            git(&source, &["add", "."]);
            git(&source, &["commit", "-q", "-m", file]);
        };
        commit("README.md");
        git(&now, &["clone", "-q", "--bare", "source", "target.git"]);
        for number in 0..BRANCHES {
            let branch = format!("b{number}");
            git(&source, &["checkout", "-q", "-b", &branch, "main"]);
            commit(&format!("{branch}.txt"));
        }
        git(&source, &["checkout", "-q", "main"]);
        fs::create_dir_all(scene.place()).unwrap();
        let file = SandboxFile {
            base: now.clone(),
            identity: Some("Ada <ada@example.org>".parse().unwrap()),
            targets: vec![format!("bare:{}", now.join("target.git").display()), format!("local:{}", source.display())],
            // What a client of git pushes is proposed to where the branch came from.
            push: Some(PushMode::Assisted),
            ..plain_settings()
        };
        store::put_settings(&scene.place(), &file).unwrap();
        create(&scene.place(), &ToolSettings::default(), Rc::clone(&scene.runtime)).unwrap();
        copy(&now, &scene.folder.path().join("saved"));
        scene
    }

    /// Where everything is.
    pub(super) fn now(&self) -> PathBuf {
        self.folder.path().join("now")
    }

    fn place(&self) -> PathBuf {
        self.now().join("sandboxes/one")
    }

    /// A folder for what a disk keeps aside, which is empty.
    fn aside(&self, name: &str) -> PathBuf {
        let aside = self.folder.path().join(name);
        let _ = fs::remove_dir_all(&aside);
        aside
    }

    /// The sandbox in `place`, as one more process opens it.
    fn open(&self, place: &Path, disk: Arc<Chaos>) -> Sandbox {
        let store = store::open_on(place, disk).unwrap();
        open_on(place, store, &ToolSettings::default(), Rc::clone(&self.runtime)).unwrap()
    }

    fn sound(&self, name: &str) -> Arc<Chaos> {
        Chaos::new(self.aside(name), None, 0)
    }

    /// The disk that fails, and as many processes, of which the first has it.
    fn begin(&self, hosts: usize, fault: Option<Fault>, seed: u64) -> (Arc<Chaos>, Vec<Sandbox>) {
        copy(&self.folder.path().join("saved"), &self.now());
        let chaos = Chaos::new(self.aside("aside-0"), fault, seed);
        let mut all = vec![self.open(&self.place(), Arc::clone(&chaos))];
        all.extend((1..hosts).map(|host| self.open(&self.place(), self.sound(&format!("aside-{host}")))));
        (chaos, all)
    }

    /// What another process finds that leaves everything as it is.
    fn seen(&self) -> String {
        let place = self.folder.path().join("seen/one");
        fs::create_dir_all(self.folder.path().join("seen")).unwrap();
        copy(&self.place(), &place);
        look(&mut self.open(&place, self.sound("aside-seen")))
    }

    /// Plays a run on a disk that does not fail.
    pub(super) fn whole(&self, steps: &[Step], hosts: usize, seed: u64) -> Whole {
        let (chaos, mut all) = self.begin(hosts, None, seed);
        let mut whole = Whole { ended: Vec::new(), states: vec![self.seen()], steps: 0 };
        let mut told = Told::default();
        for step in steps {
            let ended = make(&mut all[step.host], step.tool, &step.arguments, step.person);
            let ended = ended.unwrap_or_else(|error| panic!("{} fails by itself: {error}", step.tool));
            told.note(step, ended);
            whole.ended.push(ended);
            whole.states.push(self.seen());
            println!("{} {ended:?}, the disk has taken {} steps", step.tool, chaos.steps());
        }
        whole.steps = chaos.steps();
        drop(all);
        self.is_sound(&told, whole.states.last().map(std::slice::from_ref));
        whole
    }

    /// Plays a run on a disk that fails. Gives the call in which it did, if one ended otherwise.
    pub(super) fn broken(&self, steps: &[Step], hosts: usize, seed: u64, fault: Fault, whole: &Whole) -> Option<usize> {
        let (chaos, mut all) = self.begin(hosts, Some(fault), seed);
        let (mut told, mut failed) = (Told::default(), None);
        // Without power there is no next call, and on a disk that stays full it is like this one.
        // Without a repository the others are other calls.
        let can_go_on = fault.mode == Mode::Once || fault.mode == Mode::Stays && hosts > 1;
        let goes_on = |number: usize| can_go_on && number >= begun(&self.now()).len();
        for (number, step) in steps.iter().enumerate() {
            let made = make(&mut all[step.host], step.tool, &step.arguments, step.person);
            let is_as_whole = made.as_ref().is_ok_and(|ended| ended.is_like(whole.ended[number]));
            if let Ok(ended) = made {
                told.note(step, ended);
            }
            if is_as_whole || failed.is_some() {
                continue;
            }
            failed = Some(number);
            if !goes_on(number) {
                break;
            }
            may_be(&self.seen(), &whole.states[number..=number + 1], number);
        }
        drop(all);
        if fault.mode == Mode::Power {
            chaos.lose_power(&self.place());
        }
        let may_be = match failed {
            None => Some(&whole.states[steps.len()..]),
            Some(number) if !goes_on(number) => Some(&whole.states[number..=number + 1]),
            Some(_) => None,
        };
        self.is_sound(&told, may_be);
        failed
    }

    /// A new process finds everything whole, nothing lost that a caller was told, and can go on.
    fn is_sound(&self, told: &Told, states: Option<&[String]>) {
        let mut sandbox = self.open(&self.place(), self.sound("aside-new"));
        let seen = look(&mut sandbox);
        if let Some(states) = states {
            may_be(&seen, states, states.len());
        }
        assert_eq!(sandbox.store.leftovers().unwrap(), Vec::<String>::new(), "what a failed write has left is removed");
        self.agrees(&sandbox, told);
        let report = check(&self.place(), &ToolSettings::default(), &self.runtime).unwrap();
        assert_eq!(report.findings, [], "{report:?}");
        // There may be no repository yet.
        let missing = begun(&self.now()).into_iter().filter(|(tool, ..)| !seen.contains(tool));
        for (tool, arguments, person) in missing.chain(pushed(&self.now(), "more.md")) {
            let ended = make(&mut sandbox, tool, &arguments, person);
            // A run that went on without one of its calls may have taken back the pull that a push
            // builds on.
            let may_conflict = states.is_none() && tool == "git_push" && ended == Ok(Ended::Failed);
            assert!(ended == Ok(Ended::Done) || may_conflict, "{tool}: it can be worked on: {ended:?}");
        }
        let ledger = sandbox.store.ledger.read().unwrap();
        let mut results = ledger.intents().map(|intent| ledger.result(intent.nonce));
        assert!(results.all(|result| result.is_some()), "a push is not settled");
        drop(sandbox);
        let report = check(&self.place(), &ToolSettings::default(), &self.runtime).unwrap();
        assert_eq!(report.findings, [], "{report:?}");
    }

    /// The sandbox's log and the target say the same, and what was told is there.
    fn agrees(&self, sandbox: &Sandbox, told: &Told) {
        let target = self.now().join("target.git");
        let landed = git(&target, &["rev-list", "main"]);
        let landed: HashSet<&str> = landed.lines().collect();
        let (ledger, damage) = sandbox.store.ledger.look().unwrap();
        assert_eq!(damage, None);
        for intent in ledger.intents() {
            let has_landed = landed.contains(intent.new.to_string().as_str());
            let expected = if has_landed { PushResult::Landed } else { PushResult::NotLanded };
            assert_eq!(ledger.result(intent.nonce), Some(expected), "the target has {landed:?}");
        }
        let approved = ledger.entries().iter().filter(|entry| match &entry.record {
            Record::Call(call) => call.tool.as_str() == "git_stage" && call.verdict == CallVerdict::Approved,
            _ => false,
        });
        assert!(approved.count() >= told.approved, "an approval is lost");
        let waiting = sandbox.store.waiting.all().unwrap();
        let waits = |arguments: &String| waiting.iter().any(|waiting| waiting.arguments == *arguments);
        assert!(told.waiting.iter().all(waits), "a call that waits is lost");
        let pending = by_git::pending(sandbox).unwrap();
        let is_pending = |digest: &Digest| pending.iter().any(|pending| pending.digest == *digest);
        assert!(told.shown.iter().all(is_pending), "a push that was shown is lost");
    }
}

fn may_be(seen: &str, states: &[String], number: usize) {
    assert!(states.iter().any(|state| state == seen), "at call {number} it is {seen}, and not one of {states:#?}");
}
