//! A platform for tests, on which nothing happens by itself: its clock stands, its randomness is a row
//! of numbers, nothing is near, and files are only noted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use gate::policy::Base;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Act;
use crate::moment::Moment;
use crate::platform::{Guard, Phase, Platform};
use crate::settings::{HexId, SandboxFile};
use crate::target::{Near, Progress, Repository, Silent, TargetError, TargetSpec};

/// The platform. A clone goes its own way.
#[derive(Clone, Debug)]
pub struct FakePlatform {
    who: String,
    utc_offset: i32,
    /// Since the Unix epoch.
    now: Cell<Duration>,
    random: Cell<u32>,
    words: fn(&Act) -> String,
    /// The files that were written.
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Default for FakePlatform {
    fn default() -> Self {
        FakePlatform::new("ada", 3600, Duration::from_secs(1_767_225_600))
    }
}

impl FakePlatform {
    /// The platform of `who`, in a zone that is `utc_offset` seconds ahead, so long after the Unix
    /// epoch.
    pub fn new(who: &str, utc_offset: i32, now: Duration) -> Self {
        FakePlatform {
            who: who.to_owned(),
            utc_offset,
            now: Cell::new(now),
            random: Cell::new(7),
            words: |act| format!("{act:?}"),
            files: RefCell::default(),
        }
    }

    /// The same platform, with a body's words for what a person can do.
    pub fn saying(self, words: fn(&Act) -> String) -> Self {
        FakePlatform { words, ..self }
    }

    /// Lets time pass.
    pub fn pass(&self, time: Duration) {
        self.now.set(self.now.get() + time);
    }

    /// Whole seconds since the Unix epoch.
    pub fn seconds(&self) -> u64 {
        self.now.get().as_secs()
    }
}

impl Platform for FakePlatform {
    fn now(&self) -> Moment {
        let nanos = u64::try_from(self.now.get().as_nanos()).expect("tests end before the year 2554");
        Moment { nanos, utc_offset: self.utc_offset }
    }

    /// The numbers of a small generator, which the script in node has, too.
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        for byte in bytes {
            self.random.set(self.random.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
            *byte = self.random.get().to_be_bytes()[0];
        }
        Ok(())
    }

    fn who(&self) -> String {
        self.who.clone()
    }

    fn act(&self, act: &Act) -> String {
        (self.words)(act)
    }

    fn ensure_wanted(&self) -> Result<()> {
        Ok(())
    }

    fn during(&self, _: Phase) -> Guard {
        Box::new(())
    }

    fn doing(&self, _: &str) -> Guard {
        Box::new(())
    }

    fn progress(&self) -> Box<dyn Progress> {
        Box::new(Silent)
    }
}

impl Near for FakePlatform {
    fn open(&self, spec: &TargetSpec, _: &Path) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::not_near(&spec.to_string()))
    }

    fn known(&self, target: &CanonicalTarget, _: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::not_near(&target.to_string()))
    }

    fn create(&self, file: &Path, content: &[u8]) -> Result<()> {
        let name = file.display().to_string();
        if self.files.borrow().contains_key(&name) {
            return Err(HostError::new(ErrorKind::Storage, format!("cannot write {name}: it exists")));
        }
        self.files.borrow_mut().insert(name, content.to_vec());
        Ok(())
    }
}

/// Settings that say as little as they can.
pub fn plain_settings() -> SandboxFile {
    SandboxFile {
        version: SandboxFile::VERSION,
        id: HexId([7; 16]),
        created: String::new(),
        base: "/home/ada".into(),
        repository: None,
        on_disk: None,
        identity: None,
        committer: None,
        policy: Base::Strict,
        policy_file: None,
        targets: Vec::new(),
        worker: None,
        push: None,
        tasks: None,
        default_target: None,
        auto_pull: Vec::new(),
    }
}
