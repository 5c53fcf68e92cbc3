//! A sandbox for the unit tests of all tools: natively a temporary folder, in wasm a fresh folder of the tree in memory. The same tests
//! run in both.
//!
//! There is no kernel natively, so nothing is rolled back: a test that a failed call changes nothing shows that the tool itself looked
//! before it wrote.

mod embedding;
#[cfg(not(target_os = "wasi"))]
mod git;
pub mod target;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use self::embedding::FakeEmbedding;
#[cfg(not(target_os = "wasi"))]
pub use self::git::{git, git_command};
use crate::answer::{Answer, Answers};
use crate::call::{Caller, Moment, ToolCall};
use crate::deadline::Deadline;
use crate::dispatch::{Finished, Step, dispatch};
use crate::error::ToolError;
use crate::options::{Identity, Options};
use crate::paths::{WORKSPACE, Zone, Zones};
use crate::platform::{self, Kind};
use crate::question::Question;
use crate::session::Session;

/// What the clock of every call says unless a test sets it: 2026-11-20T10:00:00+01:00.
pub const NOW: Moment = Moment { nanos: 1_795_165_200_000_000_000, utc_offset: 3600 };

/// A sandbox with an empty workspace.
pub struct Sandbox {
    base: PathBuf,
    /// What lives from call to call.
    pub session: Session,
    /// What is around the tools.
    pub embedding: FakeEmbedding,
    #[cfg(not(target_os = "wasi"))]
    _folder: tempfile::TempDir,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox::new()
    }
}

impl Sandbox {
    /// With default options and no zone but the workspace.
    pub fn new() -> Sandbox {
        Sandbox::with(Options::default(), &[])
    }

    /// With other options, and more zones, each writable or not.
    pub fn with(options: Options, zones: &[(&str, bool)]) -> Sandbox {
        #[cfg(not(target_os = "wasi"))]
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        #[cfg(not(target_os = "wasi"))]
        // A system may keep its temporary folders behind a link, and links out of a zone are what tests are about.
        let base = folder.path().canonicalize().expect("the folder was made just now");
        #[cfg(target_os = "wasi")]
        let base = fresh_folder();
        fs::create_dir_all(base.join(WORKSPACE)).expect("the folder is fresh");
        let others = zones.iter().map(|&(name, writable)| {
            fs::create_dir(base.join(name)).expect("the folder is fresh");
            Zone { name: name.to_owned(), root: base.join(name), writable }
        });
        let zones = Zones::new(base.join(WORKSPACE), others.collect());
        Sandbox {
            base,
            session: Session::new(options, zones),
            embedding: FakeEmbedding::default(),
            #[cfg(not(target_os = "wasi"))]
            _folder: folder,
        }
    }

    /// Where the workspace really is.
    pub fn root(&self) -> PathBuf {
        self.base.join(WORKSPACE)
    }

    /// Where `path`, relative to the workspace or starting with `/` and a zone's name, really is.
    pub fn real(&self, path: &str) -> PathBuf {
        match path.strip_prefix('/') {
            Some(in_zone) => self.base.join(in_zone),
            None => self.root().join(path),
        }
    }

    /// Makes a file, and the folders that it is in.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let real = self.real(path);
        fs::create_dir_all(real.parent().expect("a file is in a folder")).unwrap();
        fs::write(real, content).unwrap();
    }

    /// Makes a file that can be executed.
    pub fn write_executable(&self, path: &str, content: impl AsRef<[u8]>) {
        self.write(path, content);
        platform::set_executable(&self.real(path), true).unwrap();
    }

    /// Makes a folder, and those that it is in.
    pub fn mkdir(&self, path: &str) {
        fs::create_dir_all(self.real(path)).unwrap();
    }

    /// Makes a link, and the folders that it is in.
    pub fn symlink(&self, target: impl AsRef<Path>, path: &str) {
        let real = self.real(path);
        fs::create_dir_all(real.parent().expect("a link is in a folder")).unwrap();
        platform::symlink(target.as_ref(), &real).unwrap();
    }

    /// What is in a file.
    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.real(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether there is something at `path`, if only a link that leads nowhere.
    pub fn exists(&self, path: &str) -> bool {
        platform::stat(&self.real(path)).is_ok()
    }

    /// Whether the file at `path` can be executed.
    pub fn is_executable(&self, path: &str) -> bool {
        platform::stat(&self.real(path)).unwrap().executable
    }

    /// Everything in all zones, for comparison: `/workspace/a.md` and a line that says what it is and what is in it.
    pub fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.base.clone()];
        while let Some(folder) = folders.pop() {
            for entry in platform::list(&folder).unwrap() {
                let real = platform::join(&folder, &entry.name);
                let line = match entry.stat.kind {
                    Kind::Folder => "folder".to_owned(),
                    Kind::File => format!(
                        "file {} {:?}",
                        entry.stat.executable,
                        String::from_utf8_lossy(&fs::read(&real).unwrap())
                    ),
                    Kind::Link => format!("link {}", fs::read_link(&real).unwrap().display()),
                    Kind::Other => "other".to_owned(),
                };
                let below = real.strip_prefix(&self.base).expect("it was found there");
                tree.insert(format!("/{}", below.to_string_lossy()), line);
                if entry.stat.kind == Kind::Folder {
                    folders.push(real);
                }
            }
        }
        tree
    }

    /// Calls a tool as an agent, without answers.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<Finished, ToolError> {
        self.calling(tool, arguments).done()
    }

    /// Calls a tool that has to succeed.
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool that has to fail.
    pub fn fail(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.call(tool, arguments).expect_err(&named)
    }

    /// Commits in the name of `A U Thor`.
    pub fn with_identity(mut self) -> Sandbox {
        let identity = Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() };
        self.session.options.identity = Some(identity);
        self
    }

    /// Calls a tool that has to succeed, if a person allows it.
    pub fn approved(&mut self, tool: &str, arguments: Value) -> Finished {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().unwrap_or_else(|error| panic!("{named}: {error:?}"))
    }

    /// Calls a tool that has to fail, though a person allows it.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> ToolError {
        let named = format!("{tool} {arguments}");
        self.calling(tool, arguments).approved().expect_err(&named)
    }

    /// Makes a call with ever more time, a quarter more each time, until it comes to its end. Before that, what it has changed is taken back as for
    /// a sandbox on a disk, and everything has to be as it was, but for objects; how often that was is given.
    #[cfg(not(target_os = "wasi"))]
    pub fn cut_off_in_between(&mut self, tool: &str, arguments: &Value) -> u32 {
        use crate::error::ErrorKind;
        use crate::platform::undo;
        let state = |sandbox: &Sandbox| {
            let mut tree = sandbox.tree();
            tree.retain(|path, _| !path.starts_with("/workspace/.git/objects/"));
            tree
        };
        let before = state(self);
        let beside = tempfile::tempdir().unwrap();
        let (noted, aside) = (beside.path().join("undo"), beside.path().join("aside"));
        let mut looks = 1;
        for times in 0.. {
            undo::begin(&noted, "call");
            let outcome = self.calling(tool, arguments.clone()).out_of_time_after(looks).approved();
            undo::end();
            let Err(error) = outcome else { return times };
            assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{tool} after {looks}: {error:?}");
            assert_eq!(undo::roll_back(&noted, &aside).unwrap(), [], "{tool} after {looks}");
            let after = state(self);
            let changed = after.iter().find(|(path, now)| before.get(*path) != Some(now));
            assert_eq!((changed, after.len()), (None, before.len()), "{tool} after {looks}");
            looks += 1 + looks / 4;
        }
        unreachable!("there is always a next number")
    }

    /// A call that is not the plainest one.
    pub fn calling(&mut self, tool: &str, arguments: Value) -> Calling<'_> {
        let call = ToolCall {
            id: "call-1".to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            caller: Caller::Agent,
            now: NOW,
        };
        Calling { sandbox: self, call, answers: Answers::default(), clock: standing_clock }
    }
}

/// A call that is being put together.
pub struct Calling<'a> {
    sandbox: &'a mut Sandbox,
    call: ToolCall,
    answers: Answers,
    clock: fn() -> u64,
}

impl Calling<'_> {
    /// By the user.
    pub fn as_user(mut self) -> Self {
        self.call.caller = Caller::User;
        self
    }

    /// With this text for arguments.
    pub fn arguments(mut self, text: &str) -> Self {
        self.call.arguments = text.to_owned();
        self
    }

    /// With the host's answers.
    pub fn answers(mut self, answers: Answers) -> Self {
        self.answers = answers;
        self
    }

    /// At this time.
    pub fn at(mut self, now: Moment) -> Self {
        self.call.now = now;
        self
    }

    /// With no time left when the tool first looks.
    pub fn out_of_time(self) -> Self {
        self.out_of_time_after(1)
    }

    /// With no time left any more after so many looks at the clock.
    pub fn out_of_time_after(mut self, looks: u32) -> Self {
        LOOKS.set(looks);
        self.clock = leaping_clock;
        self
    }

    /// How far it comes.
    pub fn step(self) -> Step {
        let deadline = Deadline::after(self.clock, u64::MAX / 2);
        dispatch(&mut self.sandbox.session, &self.call, &self.answers, deadline, &mut self.sandbox.embedding)
    }

    /// What comes out, if a person allows whatever is asked.
    pub fn approved(self) -> Result<Finished, ToolError> {
        let Calling { sandbox, call, mut answers, clock } = self;
        loop {
            let deadline = Deadline::after(clock, u64::MAX / 2);
            match dispatch(&mut sandbox.session, &call, &answers, deadline, &mut sandbox.embedding) {
                Step::Done(outcome) => return outcome,
                Step::Ask(question) if matches!(*question, Question::Approval(_)) => {
                    answers.add(question.key(), Answer::Approved);
                }
                Step::Ask(question) => panic!("the call asks {question:?}"),
            }
        }
    }

    /// What comes out. A call that asks fails the test.
    pub fn done(self) -> Result<Finished, ToolError> {
        match self.step() {
            Step::Done(outcome) => outcome,
            Step::Ask(question) => panic!("the call asks {question:?}"),
        }
    }
}

fn standing_clock() -> u64 {
    0
}

thread_local! {
    /// How many more looks see the time stand still.
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// Stands still for so many looks, the first of which is that of the call's beginning, and is past every deadline afterwards.
fn leaping_clock() -> u64 {
    let left = LOOKS.get();
    LOOKS.set(left.saturating_sub(1));
    if left > 0 { 0 } else { u64::MAX }
}

#[cfg(target_os = "wasi")]
fn fresh_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    PathBuf::from(format!("/t{}", FOLDERS.fetch_add(1, Ordering::Relaxed)))
}
