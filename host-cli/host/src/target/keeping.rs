//! A file that is made for somebody who is not here.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use super::{Near, Repository, TargetError, TargetSpec};
use crate::error::{ErrorKind, HostError, Result};

/// What is near, but for the one file that is made: it is kept in memory. Whoever asked for it gets its
/// bytes, and the machine that serves them gets no file.
pub struct Keeping {
    near: Rc<dyn Near>,
    made: RefCell<Option<Vec<u8>>>,
}

impl Keeping {
    /// Nothing is made yet.
    pub fn new(near: Rc<dyn Near>) -> Self {
        Keeping { near, made: RefCell::default() }
    }

    /// Takes the file that was made.
    pub fn take(&self) -> Option<Vec<u8>> {
        self.made.take()
    }
}

impl Near for Keeping {
    fn open(&self, spec: &TargetSpec, base: &Path) -> Result<Box<dyn Repository>, TargetError> {
        self.near.open(spec, base)
    }

    fn create(&self, file: &Path, content: &[u8]) -> Result<()> {
        let mut made = self.made.borrow_mut();
        if made.is_some() {
            return Err(HostError::new(ErrorKind::Storage, format!("cannot write {}: it exists", file.display())));
        }
        *made = Some(content.to_vec());
        Ok(())
    }

    fn known(&self, target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        self.near.known(target, branch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakePlatform;

    #[test]
    fn one_file_is_kept_and_none_is_written() {
        let fake = Rc::new(FakePlatform::default());
        let keeping = Keeping::new(Rc::clone(&fake) as Rc<dyn Near>);
        let file = Path::new("/one.bundle");
        keeping.create(file, b"bundle").unwrap();
        assert_eq!(keeping.create(file, b"another").unwrap_err().kind, ErrorKind::Storage);
        assert_eq!((keeping.take().as_deref(), keeping.take()), (Some(&b"bundle"[..]), None));
        assert!(fake.files.borrow().is_empty());
    }
}
