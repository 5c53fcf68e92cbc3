//! Opens a sandbox with what this body has: files, the component in wasmtime, and folders.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use host::component::{Component, Components};
use host::sandbox::{Body, Sandbox, Tools};
use host::wit;

use super::Runtime;
use crate::error::{ErrorKind, HostError, Result};
use crate::home::ToolSettings;
use crate::on_disk::OnDisk;
use crate::platform::Native;
use crate::remote::{Given, Outside};
use crate::store::{self, Store};

/// Opens the sandbox in `folder`. The first lock replays its journal.
pub fn open(folder: &Path, tools: &ToolSettings, runtime: Rc<Runtime>) -> Result<Sandbox> {
    let store = store::open(folder)?;
    open_on(folder, store, tools, runtime)
}

/// The same for others, who reach no repository of this machine but those that the sandbox was given.
///
/// # Errors
/// Also if its tools run on a folder of this machine.
pub fn open_for_others(folder: &Path, tools: &ToolSettings, runtime: Rc<Runtime>) -> Result<Sandbox> {
    let store = store::open(folder)?;
    let file = store.settings()?;
    if file.on_disk.is_some() {
        return Err(HostError::new(ErrorKind::Refused, "the tools of this sandbox run on a folder of this machine")
            .hint("serve a sandbox that is sealed: make one without --on-disk"));
    }
    let near = Rc::new(Given::of(folder, file.targets));
    Sandbox::open(&name(folder), store, tools, Body { near, ..body(folder, runtime) })
}

/// As [`open`], with a store on a disk that may fail.
pub(crate) fn open_on(folder: &Path, store: Store, tools: &ToolSettings, runtime: Rc<Runtime>) -> Result<Sandbox> {
    Sandbox::open(&name(folder), store, tools, body(folder, runtime))
}

/// Opens a new sandbox in `folder`, which holds only its settings file.
pub fn create(folder: &Path, tools: &ToolSettings, runtime: Rc<Runtime>) -> Result<Sandbox> {
    let store = store::open(folder)?;
    // The folder is still nobody else's, so nobody is waited for.
    let held = store.lock.try_acquire()?;
    Sandbox::create(&name(folder), store, &held, tools, body(folder, runtime))
}

/// The name by which the person knows the sandbox in `folder`.
fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn body(folder: &Path, runtime: Rc<Runtime>) -> Body {
    Body {
        platform: Rc::new(Native::new(runtime.clock().clone())),
        near: Rc::new(Outside::of(folder)),
        components: Rc::new(Engine { folder: folder.to_owned(), runtime }),
    }
}

/// Runs the tools of the sandbox in one folder. No other file tells the two ways apart.
struct Engine {
    folder: PathBuf,
    runtime: Rc<Runtime>,
}

impl Components for Engine {
    fn instance(&self, memory: u64) -> Result<Box<dyn Component>> {
        self.runtime.instance(memory)
    }

    fn tools(&self) -> Result<Vec<String>> {
        self.runtime.tools()
    }

    fn on_disk(&self, directory: &Path, options: &wit::Options) -> Result<Box<dyn Tools>> {
        Ok(Box::new(OnDisk::open(&self.folder, directory, options, self.runtime.clock())?))
    }
}
