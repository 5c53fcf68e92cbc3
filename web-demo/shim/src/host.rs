//! What JavaScript begins with: sandboxes that are opened, made and checked.

use std::rc::Rc;

use ::host::component::Components;
use ::host::error::{ErrorKind, HostError, Result};
use ::host::fsck;
use ::host::platform::{Platform, random};
use ::host::sandbox::{self, Body};
use ::host::settings::{Config, HexId, SandboxFile};
use ::host::store::{self, Log, Storage, Store};
use ::host::target::bundle::read_bundle;
use ::host::target::{Silent, TargetError};
use js_sys::{Array, Reflect, Uint8Array};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::act;
use crate::component::{Engine, JsComponents};
use crate::error::{Thrown, thrown};
use crate::near::{JsFiles, Nearby};
use crate::platform::JsPlatform;
use crate::sandbox::{Sandbox, With};
use crate::settings::{New, Opened};
use crate::storage::{JsStorage, Kept};
use crate::value::{Maker, Value, of_json};

/// A host with what this body brings to every sandbox.
#[wasm_bindgen]
pub struct Host {
    body: Body,
}

impl Host {
    /// What a sandbox in `storage` is opened with.
    pub(crate) fn with(&self, storage: JsStorage, opened: JsValue) -> Result<With> {
        let opened = Opened::read(&Value::new(opened, Maker::Caller, "opened"))?;
        let config = Config::parse("gitgate.toml", &opened.config)?;
        let storage: Rc<dyn Storage> = Kept::new(storage);
        Ok(With { storage, body: self.body.clone(), opened: Rc::new(opened), config: Rc::new(config) })
    }

    /// Opens the sandbox that `storage` keeps.
    pub(crate) fn opening(&self, storage: JsStorage, opened: JsValue) -> Result<Sandbox> {
        let with = self.with(storage, opened)?;
        Ok(Sandbox::new(with.open()?, with))
    }

    /// The platform that it runs on.
    pub(crate) fn platform(&self) -> &dyn Platform {
        &*self.body.platform
    }

    /// Makes a sandbox with these settings.
    pub(crate) fn making(&self, with: With, file: &SandboxFile) -> Result<Sandbox> {
        let store = Store::new(Rc::clone(&with.storage), file.id.name());
        // The rules are read once before anything is there that they would have to hold for.
        with.policy(file)?;
        let held = store.lock.acquire()?;
        // Settings without a journal are what a creation has left that was cut off.
        if with.storage.mark(Log::Journal)?.is_some() {
            return Err(HostError::new(ErrorKind::SandboxExists, "there is a sandbox already")
                .hint("open it, or choose another storage"));
        }
        store::put_settings(&*with.storage, &held, file)?;
        let (name, tools) = (&with.opened.name, with.config.tools());
        let sandbox = sandbox::Sandbox::create(name, store, &held, tools, self.body.clone())?;
        drop(held);
        Ok(Sandbox::new(sandbox, with))
    }

    fn checking(&self, with: &With) -> Result<JsValue> {
        let policy = |file: &_| with.policy(file).map(drop);
        let (name, tools) = (&with.opened.name, with.config.tools());
        let report = fsck::look(Rc::clone(&with.storage), name, tools, &*self.body.components, policy)?;
        Ok(of_json(&report.json(act::words)))
    }
}

fn imported(bytes: Vec<u8>, place: &str) -> Result<JsValue> {
    let refused =
        |error: TargetError| HostError::new(ErrorKind::Refused, error.message).hint(error.hint.unwrap_or_default());
    let supplied = read_bundle(&bytes.into(), place, &Silent).map_err(refused)?;
    let import = supplied.import(None, None)?;
    let skipped: Vec<&str> = supplied.listing.left_out.iter().map(|odd| odd.reason.as_str()).collect();
    let found = of_json(&json!({ "arguments": import.arguments.to_string(), "skipped": skipped }));
    let attached: Array = import.attached.iter().map(|attached| Uint8Array::from(&*attached.content)).collect();
    Reflect::set(&found, &"attached".into(), &attached).expect("it is an object of its own");
    Ok(found)
}

#[wasm_bindgen]
impl Host {
    /// A host that runs the component by `components`, knows clock, randomness and user from
    /// `around`, and writes files by `files`.
    #[wasm_bindgen(constructor)]
    pub fn new(components: JsComponents, around: JsValue, files: JsFiles) -> Thrown<Host> {
        let platform: Rc<dyn Platform> = JsPlatform::new(around).map_err(thrown)?;
        let components: Rc<dyn Components> = Engine::new(components);
        Ok(Host { body: Body { components, platform, near: Rc::new(Nearby::new(files)) } })
    }

    /// Opens the sandbox that `storage` keeps: `{ name, config?, rules? }`. The first call replays
    /// its journal.
    pub fn open(&self, storage: JsStorage, opened: JsValue) -> Thrown<Sandbox> {
        self.opening(storage, opened).map_err(thrown)
    }

    /// Makes a sandbox in an empty `storage`: `{ identity?, policy?, from?, pushTo?, targets?, push? }`.
    pub fn create(&self, storage: JsStorage, opened: JsValue, new: JsValue) -> Thrown<Sandbox> {
        let made = self.with(storage, opened).and_then(|with| {
            let new = New::read(&Value::new(new, Maker::Caller, "settings"))?;
            let file = new.file(&with.opened.name, HexId(random(self.platform())?), self.platform().now().rfc3339())?;
            self.making(with, &file)
        });
        made.map_err(thrown)
    }

    /// Checks everything that `storage` keeps, and changes nothing.
    pub fn fsck(&self, storage: JsStorage, opened: JsValue) -> Thrown<JsValue> {
        self.with(storage, opened).and_then(|with| self.checking(&with)).map_err(thrown)
    }

    /// Reads a bundle that lies at the absolute path `place`: `{ arguments, attached, skipped }`, for
    /// the call of `sandbox_import` that brings it into a new sandbox, and the refs that are left out.
    pub fn bundle(&self, bytes: Vec<u8>, place: &str) -> Thrown<JsValue> {
        imported(bytes, place).map_err(thrown)
    }

    /// The names of all tools that there are.
    #[wasm_bindgen(js_name = toolNames)]
    pub fn tool_names(&self) -> Thrown<Vec<String>> {
        self.body.components.tools().map_err(thrown)
    }
}
