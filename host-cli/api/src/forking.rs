//! Copies a sandbox under another name. The host decides what the copy contains. This module decides who may copy, when, and the answer.

use gate::id::SandboxId;
use host::answer;
use host::error::{HostError, Result};
use host::platform::Platform;
use host::sandbox::Sandbox;
use host::store::{Held, Store};
use serde::Deserialize;

use crate::authority::Authorized;
use crate::creation;
use crate::decision;
use crate::message::Response;

/// A request for a copy.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Its name.
    pub name: SandboxId,
}

impl Fork {
    /// Reads what is asked for.
    ///
    /// # Errors
    /// If such a sandbox cannot exist.
    pub fn read(wanted: &Authorized) -> Result<Self> {
        decision::read(&wanted.body)
    }

    /// Makes a sandbox of the copy in `store`, and returns its owner's token. `from` is the name of the original, whose tokens are invalid
    /// here.
    ///
    /// # Errors
    /// If it cannot be stored. Then the caller must remove the copy.
    pub fn made(&self, from: &SandboxId, store: &Store, held: &Held, platform: &dyn Platform) -> Result<Response> {
        store.part(held, platform.now().rfc3339())?;
        creation::created(&self.name, &format!("A copy of {from}\n"), store, held, platform)
    }
}

/// Answers that a sandbox may be copied. The server makes the copy, and lets nothing change meanwhile.
///
/// # Errors
/// If a push is not settled: both sandboxes would settle it, although one of them never pushed.
pub fn may(sandbox: &Sandbox) -> Result<Response> {
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    answer::ensure_settled(&ledger, &sandbox.name())?;
    Ok(Response::empty())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use gate::id::Nonce;
    use gate::ledger::{Brief, Decided, How, Outcome, PushResult, Record};
    use gate::time::Timestamp;
    use host::component::{Component, Components};
    use host::error::ErrorKind;
    use host::fake::{FakePlatform, plain_settings};
    use host::sandbox::Body;
    use host::settings::ToolSettings;
    use host::store::memory::MemoryStorage;
    use serde_json::{Value, json};

    use super::*;
    use crate::role::Role;
    use crate::token;

    /// No component runs in this test.
    struct Nothing;

    impl Components for Nothing {
        fn instance(&self, _: u64) -> Result<Box<dyn Component>> {
            Err(HostError::new(ErrorKind::Component, "there is none"))
        }

        fn tools(&self) -> Result<Vec<String>> {
            Ok(Vec::new())
        }
    }

    fn store(storage: &MemoryStorage) -> Store {
        Store::new(Rc::new(storage.clone()), plain_settings().id.name())
    }

    fn sandbox() -> Sandbox {
        let store = store(&MemoryStorage::default());
        let held = store.lock.acquire().unwrap();
        store.put_settings(&held, &plain_settings()).unwrap();
        store.create_journal(&held, b"journal").unwrap();
        drop(held);
        let fake = Rc::new(FakePlatform::default());
        let body = Body { components: Rc::new(Nothing), platform: Rc::clone(&fake) as Rc<dyn Platform>, near: fake };
        Sandbox::open("one", store, &ToolSettings::default(), body).unwrap()
    }

    #[test]
    fn a_sandbox_with_a_push_that_is_not_settled_is_not_copied() {
        let sandbox = sandbox();
        assert_eq!(may(&sandbox).unwrap(), Response::empty());
        let nonce = Nonce::from_random([1; 16]);
        let intent = json!({ "intent": {
            "sandbox": sandbox.file.id.name(),
            "call_id": "c",
            "call": {},
            "nonce": nonce,
            "digest": "0".repeat(64),
            "approved": Decided { by: Brief::of("ada"), how: How::Prompt },
            "target": "bare:/t.git",
            "reference": "refs/heads/main",
            "old": null,
            "new": "1".repeat(40),
            "at": 1,
        } });
        let held = sandbox.store.lock.acquire().unwrap();
        sandbox.store.ledger.append(&held, serde_json::from_value(intent).unwrap()).unwrap();
        assert_eq!(may(&sandbox).unwrap_err().kind, ErrorKind::InDoubt);
        let outcome = Outcome { nonce, result: PushResult::Landed, by: None, at: Timestamp(2) };
        sandbox.store.ledger.append(&held, Record::Outcome(outcome)).unwrap();
        assert_eq!(may(&sandbox).unwrap(), Response::empty());
    }

    #[test]
    fn a_copy_knows_its_owner_and_nobody_that_its_original_knows() {
        let (sandbox, platform) = (sandbox(), FakePlatform::default());
        let held = sandbox.store.lock.acquire().unwrap();
        let wanted = token::Wanted { role: Role::Owner, note: String::new(), expires_in: None };
        let theirs = token::make(&sandbox.store, &held, &platform, &wanted).unwrap();
        let copy = store(&MemoryStorage::default());
        let own = copy.lock.acquire().unwrap();
        sandbox.store.copy_to(&held, &copy, &own).unwrap();
        let fork = Fork { name: "two".parse().unwrap() };
        let response = fork.made(&"one".parse().unwrap(), &copy, &own, &platform).unwrap();
        let body: Value = serde_json::from_slice(&response.body.whole()).unwrap();
        assert_eq!((response.status, &body["name"], &body["text"]), (201, &json!("two"), &json!("A copy of one\n")));
        let now = platform.now().timestamp();
        let role = |token: &str| token::find(&copy, now, token).unwrap().map(|token| token.role);
        assert_eq!(role(body["owner"]["token"].as_str().unwrap()), Some(Role::Owner));
        assert_eq!(role(&theirs.token), None);
        assert_eq!(token::all(&copy, now).unwrap().len(), 1);
    }
}
