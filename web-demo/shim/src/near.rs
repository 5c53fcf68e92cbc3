//! Files that are written, and repositories that are not reached: JavaScript has no git
//! repositories that answer at once.

use std::path::Path;

use ::host::error::{ErrorKind, Result};
use ::host::target::{Near, Repository, TargetError, TargetSpec};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::caught;

#[wasm_bindgen]
extern "C" {
    /// `{ create(path: string, content: Uint8Array): void }`, which makes a file that a person
    /// gets.
    pub type JsFiles;

    #[wasm_bindgen(method, catch)]
    fn create(this: &JsFiles, path: &str, content: Vec<u8>) -> Result<JsValue, JsValue>;
}

/// What this body has nearby.
pub struct Nearby {
    files: JsFiles,
}

impl Nearby {
    /// Writes files by `files`.
    pub fn new(files: JsFiles) -> Self {
        Nearby { files }
    }
}

impl Near for Nearby {
    fn open(&self, spec: &TargetSpec, _: &Path) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::not_near(&spec.to_string()))
    }

    fn create(&self, file: &Path, content: &[u8]) -> Result<()> {
        let path = file.to_string_lossy();
        // JavaScript keeps it, so it gets a copy.
        let created = self.files.create(&path, content.to_vec());
        created.map(drop).map_err(|error| caught(&error, ErrorKind::Storage, &format!("write {path}")))
    }

    fn known(&self, target: &CanonicalTarget, _: Option<&BranchRef>) -> Result<Box<dyn Repository>, TargetError> {
        Err(TargetError::not_near(&target.to_string()))
    }
}
