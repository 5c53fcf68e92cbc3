//! What tests of the server have: a home with a sandbox, and its desk.

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;

use gate::policy::Caller;
use host::answer::{Call, Reply};
use host::fake::plain_settings;
use host::settings::SandboxFile;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Desk, Desks};
use crate::command::Context;
use crate::home::{Home, ToolSettings};
use crate::sandbox::{Clock, Runtime, STACK, create, wit};
use crate::{driver, store};

/// A home with a sandbox `one`, and a desk for it.
pub struct Scene {
    pub desk: Desk,
    pub tools: Vec<wit::ToolSpec>,
    /// What the desk's thread has told of its end.
    pub desks: Desks,
    /// It is removed with this.
    pub home: tempfile::TempDir,
}

impl Deref for Scene {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl Scene {
    /// Makes an agent's call that succeeds.
    pub async fn call(&self, tool: &str, arguments: Value) -> wit::ToolResult {
        let call = Call::new(tool, arguments.to_string(), Caller::Agent);
        match self.desk.call(call, &never()).await.unwrap() {
            Reply::Done(Ok(result)) => result,
            other => panic!("{tool}: {other:?}"),
        }
    }
}

/// As a person has it who has set nothing.
pub fn desk() -> Scene {
    desk_with("")
}

/// As a person has it with these settings in `gitgate.toml`.
pub fn desk_with(settings: &str) -> Scene {
    let home = tempfile::tempdir().unwrap();
    let root = PathBuf::from(home.path());
    let place = root.join("sandboxes/one");
    for name in ["attachments", "pending"] {
        fs::create_dir_all(place.join(name)).unwrap();
    }
    fs::write(root.join("gitgate.toml"), settings).unwrap();
    let settings = SandboxFile { identity: Some("Ada <ada@example.org>".parse().unwrap()), ..plain_settings() };
    store::put_settings(&place, &settings).unwrap();
    let made = move || {
        let runtime = Runtime::load(Clock::default(), || ()).unwrap();
        let mut sandbox = create(&place, &ToolSettings::default(), Rc::new(runtime)).unwrap();
        driver::enter(&mut sandbox).map(drop).unwrap();
    };
    thread::Builder::new().stack_size(STACK + (16 << 20)).spawn(made).unwrap().join().unwrap();
    let context = Context::new(Home::find(Some(root)).unwrap(), None, Clock::default());
    let desks = Desks::new();
    let (desk, tools) =
        Desk::open(context.home, context.clock, "one".parse().unwrap(), Context::open, desks.running()).unwrap();
    assert!(tools.iter().any(|tool| tool.name == "write_file"));
    Scene { desk, tools, desks, home }
}

/// Plays it to its end, on this thread.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Nobody calls it off.
pub fn never() -> CancellationToken {
    CancellationToken::new()
}
