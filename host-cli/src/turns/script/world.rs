//! A world in which the same things happen in wasmtime and in node: a clock that stands still,
//! numbers in the place of randomness, and files that are only noted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::around::{Around, Guard, Phase};
use host::hint::Act;
use host::moment::Moment;
use host::target::{Near, Progress, Repository, Silent, TargetError, TargetErrorKind, TargetSpec};

use crate::error::{ErrorKind, HostError, Result};

/// What is left when a host is dropped.
#[derive(Clone, Debug)]
pub struct World {
    who: String,
    utc_offset: i32,
    /// Milliseconds since the Unix epoch.
    now: Rc<Cell<u64>>,
    random: Rc<Cell<u32>>,
    /// The files that were written.
    pub files: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
}

impl World {
    pub fn new(who: &str, utc_offset: i32, begins: u64) -> Self {
        let (now, random) = (Rc::new(Cell::new(begins)), Rc::new(Cell::new(7)));
        World { who: who.to_owned(), utc_offset, now, random, files: Rc::default() }
    }

    pub fn pass(&self, minutes: u64) {
        self.now.set(self.now.get() + minutes * 60_000);
    }
}

impl Around for World {
    fn now(&self) -> Moment {
        Moment { nanos: self.now.get() * 1_000_000, utc_offset: self.utc_offset }
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
        super::act::act(act)
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

impl Near for World {
    fn open(&self, spec: &TargetSpec, _: &Path) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::new(TargetErrorKind::Unsupported, format!("cannot reach {spec} from here")))
    }

    fn create(&self, file: &Path, content: &[u8]) -> Result<()> {
        let name = file.display().to_string();
        if self.files.borrow().contains_key(&name) {
            return Err(HostError::new(ErrorKind::Storage, format!("cannot write {name}: it exists")));
        }
        self.files.borrow_mut().insert(name, content.to_vec());
        Ok(())
    }

    fn known(&self, target: &CanonicalTarget, _: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::new(TargetErrorKind::Unsupported, format!("cannot reach {target} from here")))
    }
}
