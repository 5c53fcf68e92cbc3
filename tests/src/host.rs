//! The smallest host: one instance of the component, a clock set by hand, and a journal in memory.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};
use wasmtime::component::{Component, HasSelf, InstancePre, Linker};
use wasmtime::{Config, Engine, OptLevel, Store};

use crate::built::built;

mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "sandbox", additional_derives: [PartialEq] });
}

/// The types of the component's interface.
pub mod wit {
    pub use super::bindings::exports::gitgate::sandbox::session::*;
}

use wit::{Answer, Fault, Options, Step, ToolCall};

/// Bytes of stack for the component's code.
const STACK: usize = 2 << 20;

/// Bytes passed at a time. Small, so that everything passes in parts.
const CHUNK: usize = 60_001;

/// A time that no deadline reaches.
const FAR: u64 = 1 << 60;

/// Attachments by the SHA-256 of their content.
pub type Attachments = BTreeMap<[u8; 32], Vec<u8>>;

/// The clock. Time only passes when it is read, so that every run is the same.
#[derive(Debug)]
struct Clock {
    looks: u64,
    jumps_at: Option<u64>,
}

impl bindings::wasi::clocks::monotonic_clock::Host for Clock {
    fn now(&mut self) -> u64 {
        self.looks += 1;
        let far = self.jumps_at.is_some_and(|at| self.looks > at);
        self.looks * 1_000 + if far { FAR } else { 0 }
    }
}

/// An open sandbox.
pub struct Sandbox {
    store: Store<Clock>,
    exports: bindings::Sandbox,
    options: Options,
    /// A real host has this on its disk.
    pub journal: Vec<u8>,
    /// Attachments, which a real host also has on its disk.
    pub attachments: Attachments,
}

/// Runs `test` on a thread with a stack large enough for the component's code.
pub fn with_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(test_name()).stack_size(STACK + (16 << 20)).spawn(test);
    if let Err(panic) = thread.expect("a thread can be started").join() {
        std::panic::resume_unwind(panic);
    }
}

fn test_name() -> String {
    std::thread::current().name().unwrap_or("test").to_owned()
}

/// The options of every sandbox here.
pub fn options() -> Options {
    Options {
        sandbox: b"sixteen bytes id".to_vec(),
        identity: Some(wit::Identity { name: "Ada Example".to_owned(), email: "ada@example.org".to_owned() }),
        committer: None,
        zones: vec![
            wit::Zone { name: "notes".to_owned(), writable: true },
            wit::Zone { name: "reference".to_owned(), writable: false },
        ],
        toolsets: ["filesystem", "git", "repo", "session"].map(str::to_owned).to_vec(),
        git: wit::GitSettings { enabled: true, timeout_ms: 30_000, max_bytes: 200_000 },
        tasks: wit::TaskSettings { trailer_prefix: "Arborist".to_owned() },
        push: wit::PushMode::Assisted,
        default_target: None,
        limits: wit::Limits {
            bytes: 64 << 20,
            files: 10_000,
            file_bytes: 16 << 20,
            path_bytes: 1024,
            open_files: 256,
            undo_steps: 20,
            undo_bytes: 16 << 20,
        },
        seed: 7,
    }
}

/// A call that happens `second` seconds after the first.
pub fn call(tool: &str, arguments: &str, caller: wit::Caller, second: u64) -> ToolCall {
    ToolCall {
        id: format!("call-{second}"),
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        dialect: None,
        max_bytes: None,
        caller,
        now: (crate::environment::EPOCH + second) * 1_000_000_000,
        utc_offset: 3600,
        time_allowed: 600_000_000_000,
    }
}

impl Sandbox {
    /// A new sandbox.
    pub fn create(options: &Options) -> Sandbox {
        Sandbox::open(options, &[], &Attachments::new()).expect("an empty journal is whole")
    }

    /// A new instance that has replayed `journal`. Cuts a torn record at its end.
    pub fn open(options: &Options, journal: &[u8], attachments: &Attachments) -> Result<Sandbox, Fault> {
        let mut sandbox = Sandbox::unstarted(options, attachments)?;
        sandbox.replay(journal)?;
        sandbox.start()?;
        Ok(sandbox)
    }

    /// A new instance that has the attachments and waits for the journal.
    pub fn unstarted(options: &Options, attachments: &Attachments) -> Result<Sandbox, Fault> {
        let mut sandbox = Sandbox::instantiate(options);
        sandbox.session(|session, store| session.call_open(store, options))?;
        for (id, bytes) in attachments {
            sandbox.attach_as(id, bytes)?;
        }
        Ok(sandbox)
    }

    /// Replays a part of the journal.
    pub fn replay(&mut self, journal: &[u8]) -> Result<(), Fault> {
        for part in journal.chunks(CHUNK) {
            self.session(|session, store| session.call_replay(store, part))?;
        }
        self.journal.extend(journal);
        Ok(())
    }

    /// Ends the journal. Cuts a torn record at its end.
    pub fn start(&mut self) -> Result<(), Fault> {
        let restoration = self.session(|session, store| session.call_start(store))?;
        let whole = usize::try_from(restoration.valid_bytes).expect("it is no longer than the journal");
        self.journal.truncate(whole);
        self.journal.extend(restoration.preamble);
        Ok(())
    }

    /// A new instance that has replayed this sandbox's journal.
    pub fn reopened(&self) -> Sandbox {
        Sandbox::open(&self.options, &self.journal, &self.attachments).expect("the journal was written by an instance")
    }

    /// The sandbox before the last record of its journal, which has `len` bytes.
    pub fn before(&self, len: usize) -> Sandbox {
        let journal = &self.journal[..self.journal.len() - len];
        Sandbox::open(&self.options, journal, &self.attachments).expect("the journal is cut between two records")
    }

    fn instantiate(options: &Options) -> Sandbox {
        let ready = ready();
        let mut store = Store::new(ready.engine(), Clock { looks: 0, jumps_at: None });
        let exports = bindings::SandboxPre::new(ready.clone()).expect("the component has the interface");
        let exports = exports.instantiate(&mut store).expect("its only import is a clock");
        Sandbox { store, exports, options: options.clone(), journal: Vec::new(), attachments: Attachments::new() }
    }

    /// A trap is always a bug of the component.
    #[track_caller]
    fn session<T>(
        &mut self,
        run: impl FnOnce(&bindings::exports::gitgate::sandbox::session::Guest, &mut Store<Clock>) -> wasmtime::Result<T>,
    ) -> T {
        run(self.exports.gitgate_sandbox_session(), &mut self.store)
            .unwrap_or_else(|trap| panic!("the component trapped: {trap:?}"))
    }

    /// Passes an attachment, and returns its id.
    pub fn attach(&mut self, bytes: &[u8]) -> [u8; 32] {
        let id: [u8; 32] = Sha256::digest(bytes).into();
        self.attach_as(&id, bytes).expect("its parts come in order");
        id
    }

    fn attach_as(&mut self, id: &[u8; 32], bytes: &[u8]) -> Result<(), Fault> {
        for part in bytes.chunks(CHUNK) {
            self.session(|session, store| session.call_attach(store, id, bytes.len() as u64, part))?;
        }
        self.attachments.insert(*id, bytes.to_vec());
        Ok(())
    }

    /// Runs a call up to its next step. Returns the step with its bytes: a record, which is now in the journal, or a pack.
    pub fn call(&mut self, call: &ToolCall, answers: &[Answer]) -> (Step, Vec<u8>) {
        let step = self.session(|session, store| session.call_call(store, call, answers));
        let bytes = match &step {
            Step::Done(done) => self.record(done.record_size),
            Step::Ask(question) => match &question.body {
                wit::QuestionBody::Push(push) => self.read_out(push.pack_size),
                _ => Vec::new(),
            },
        };
        (step, bytes)
    }

    /// Undoes calls, and returns the record.
    pub fn undo(&mut self, steps: u32, now: u64) -> Result<(wit::Undone, Vec<u8>), Fault> {
        let undone = self.session(|session, store| session.call_undo(store, steps, now))?;
        let record = self.record(undone.record_size);
        Ok((undone, record))
    }

    /// The enabled tools.
    pub fn tools(&mut self) -> Vec<wit::ToolSpec> {
        self.session(|session, store| session.call_tools(store))
    }

    /// Replaces this journal by a shorter one.
    pub fn compact(&mut self) -> Result<(), Fault> {
        let mut journal = Vec::new();
        for part in 0.. {
            let size = self.session(|session, store| session.call_snapshot(store, part))?;
            if size == 0 {
                break;
            }
            journal.extend(self.read_out(size));
        }
        self.session(|session, store| session.call_compacted(store))?;
        self.journal = journal;
        Ok(())
    }

    /// After this many more reads, the clock jumps past every deadline. With `None` it never does.
    pub fn clock_jumps_after(&mut self, looks: Option<u64>) {
        let clock = self.store.data_mut();
        clock.jumps_at = looks.map(|looks| clock.looks + looks);
    }

    fn record(&mut self, size: u64) -> Vec<u8> {
        let record = self.read_out(size);
        self.journal.extend(&record);
        record
    }

    fn read_out(&mut self, size: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < size {
            let part = self.session(|session, store| session.call_read_out(store, bytes.len() as u64, CHUNK as u32));
            assert!(!part.is_empty(), "there are {} bytes instead of {size}", bytes.len());
            bytes.extend(part);
        }
        assert_eq!(bytes.len() as u64, size);
        bytes
    }
}

/// The component, compiled once in this process.
fn ready() -> &'static InstancePre<Clock> {
    static READY: OnceLock<InstancePre<Clock>> = OnceLock::new();
    READY.get_or_init(|| {
        let mut config = Config::new();
        // Only the compilation time matters here.
        config.cranelift_opt_level(OptLevel::None).max_wasm_stack(STACK);
        let engine = Engine::new(&config).expect("the settings agree");
        let component = Component::from_file(&engine, &built().component).expect("it was built");
        let mut linker = Linker::new(&engine);
        bindings::wasi::clocks::monotonic_clock::add_to_linker::<_, HasSelf<_>>(&mut linker, |clock| clock)
            .expect("the linker is new");
        linker.instantiate_pre(&component).expect("its only import is a clock")
    })
}
