//! What a sandbox does that needs no component.

use super::*;
use crate::component::Component;
use crate::fake::{FakePlatform, plain_settings};
use crate::store::memory::MemoryStorage;
use crate::store::{Storage, Wait, put_settings};

/// Knows two tools, and runs none.
struct Names;

impl Components for Names {
    fn instance(&self, _: u64) -> Result<Box<dyn Component>> {
        Err(HostError::new(ErrorKind::Component, "there is no component here"))
    }

    fn tools(&self) -> Result<Vec<String>> {
        Ok(["git_stage", "git_pull"].map(str::to_owned).to_vec())
    }
}

fn sandbox() -> Sandbox {
    let storage = MemoryStorage::default();
    put_settings(&storage, &storage.lock(Wait::Not).unwrap(), &plain_settings()).unwrap();
    open(Rc::new(storage))
}

fn open(storage: Rc<dyn Storage>) -> Sandbox {
    let world = Rc::new(FakePlatform::default());
    let body = Body { components: Rc::new(Names), platform: Rc::clone(&world) as _, near: world };
    Sandbox::open("one", Store::open(storage).unwrap(), &ToolSettings::default(), body).unwrap()
}

#[test]
fn a_target_that_another_body_has_added_stays() {
    let storage = MemoryStorage::default();
    put_settings(&storage, &storage.lock(Wait::Not).unwrap(), &plain_settings()).unwrap();
    let (mut one, mut other) = (open(Rc::new(storage.clone())), open(Rc::new(storage.clone())));
    let targets = ["bare:/one.git", "bare:/other.git"];
    one.add_target(&targets[0].parse().unwrap()).unwrap();
    other.add_target(&targets[1].parse().unwrap()).unwrap();
    one.add_target(&targets[1].parse().unwrap()).unwrap();
    assert_eq!(crate::store::settings(&storage).unwrap().targets, targets);
    assert_eq!(one.file.targets, targets);
}

#[test]
fn a_rule_is_remembered_behind_those_before_it_and_one_that_is_none_is_not() {
    let sandbox = sandbox();
    let held = sandbox.store.lock.acquire().unwrap();
    let saved = || sandbox.store.text(REMEMBERED).unwrap();
    for tool in ["git_stage", "git_pull"] {
        sandbox.remember(&held, &format!("[[allow]]\ntool = \"{tool}\"\n")).unwrap();
    }
    let before = saved();
    let rules = policy::parse("", before.as_deref().unwrap(), &["git_stage", "git_pull"], |act| format!("{act:?}"))
        .unwrap()
        .rules;
    assert_eq!(rules.len(), 2);
    let error = sandbox.remember(&held, "[[allow]]\ntool = \"x\"\n").unwrap_err();
    assert_eq!((error.kind, saved()), (ErrorKind::Usage, before));
    assert!(error.message.contains("there is no tool \"x\""), "{error}");
}
