//! A copy of a sandbox in another storage. JavaScript copies what is kept, and the host says what.

use ::host::error::{HostError, Result};
use ::host::store::{COPIED_KINDS, COPIED_TEXTS, Kind, Store};
use api::Fork;
use gate::id::SandboxId;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, thrown};
use crate::host::Host;
use crate::storage::{JsStorage, Kept};
use crate::value::of_json;

/// What a copy gets besides both logs and all blobs: `{ kinds, texts }`, of records and by name.
#[wasm_bindgen]
pub fn copied() -> JsValue {
    of_json(&json!({ "kinds": COPIED_KINDS.map(Kind::name), "texts": COPIED_TEXTS }))
}

/// Makes the sandbox `name` of what was copied from `from` into `storage`. Gives the body of the answer.
/// Until then nobody may use it, and nothing of it is to be left if this fails.
#[wasm_bindgen]
pub fn forked(host: &Host, storage: JsStorage, name: &str, from: &str) -> Thrown<Vec<u8>> {
    let made = || -> Result<Vec<u8>> {
        let named = |name: &str| name.parse::<SandboxId>().map_err(HostError::from);
        let (fork, from) = (Fork { name: named(name)? }, named(from)?);
        let store = Store::open(Kept::new(storage))?;
        let held = store.lock.acquire()?;
        Ok(fork.made(&from, &store, &held, host.platform())?.body.whole().into())
    };
    made().map_err(thrown)
}
