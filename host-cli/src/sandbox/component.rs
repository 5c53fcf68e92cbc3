//! The component in wasmtime: the one file that names it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use wasmtime::component::{Component, HasSelf, InstancePre, Linker};
use wasmtime::{Config, Engine, ResourceLimiter, Store, UpdateDeadline};

use host::wit;
use wit::Convert;

use super::cache::Cached;
use super::clock::Clock;
use crate::error::{ErrorKind, HostError, Result};

mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "sandbox" });
}

use bindings::exports::gitgate::sandbox::session as bound;

::wit::mirror!(bound);

/// The sealed component. It imports only a clock.
static COMPONENT: &[u8] = include_bytes!(env!("GITGATE_COMPONENT"));

/// How often a running call is checked for being stopped.
const TICK: Duration = Duration::from_millis(50);

/// How far a call may exceed its time before it is stopped by force.
const GRACE: Duration = Duration::from_secs(10);

/// Bytes of stack for the component's code: wasmtime's default maximum. The thread that runs it
/// must have more.
pub const STACK: usize = 2 << 20;

/// The compiled component, ready to be instantiated.
pub struct Runtime {
    engine: Engine,
    ready: InstancePre<Host>,
    clock: Clock,
    /// How far a call may exceed its time.
    grace: Duration,
}

/// What an instance can reach of the host, the clock, and the limits it must keep.
struct Host {
    clock: Clock,
    memory: usize,
    memory_was_refused: bool,
    grace: Duration,
    stop_at: Instant,
}

impl bindings::wasi::clocks::monotonic_clock::Host for Host {
    fn now(&mut self) -> u64 {
        self.clock.now()
    }
}

impl ResourceLimiter for Host {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let granted = desired <= self.memory;
        self.memory_was_refused |= !granted;
        Ok(granted)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= 1 << 20)
    }
}

impl Runtime {
    /// Loads the component, from the cache if this machine has compiled it before. Calls
    /// `compiling` if not, because compiling takes some seconds.
    pub fn load(clock: Clock, compiling: impl FnOnce()) -> Result<Self> {
        let engine = engine().map_err(|error| unusable("cannot set up wasmtime", &error))?;
        let component = compiled(&engine, compiling)?;
        Runtime::of(engine, &component, clock)
    }

    /// The same, unless this machine has not compiled the component yet: who asks at every key cannot wait for that.
    pub fn load_compiled(clock: Clock) -> Result<Option<Self>> {
        let engine = engine().map_err(|error| unusable("cannot set up wasmtime", &error))?;
        let Some(component) = Cached::of(&key(&engine)).and_then(|cached| in_cache(&engine, &cached)) else {
            return Ok(None);
        };
        Runtime::of(engine, &component, clock).map(Some)
    }

    fn of(engine: Engine, component: &Component, clock: Clock) -> Result<Self> {
        let mut linker = Linker::new(&engine);
        let ready = bindings::wasi::clocks::monotonic_clock::add_to_linker::<_, HasSelf<_>>(&mut linker, |host| host)
            .and_then(|()| linker.instantiate_pre(component))
            .map_err(|error| unusable("the component does not match this gitgate", &error))?;
        tick(&engine)?;
        Ok(Runtime { engine, ready, clock, grace: GRACE })
    }

    /// The same runtime with another grace time.
    #[cfg(test)]
    pub fn with_grace(self, grace: Duration) -> Runtime {
        Runtime { grace, ..self }
    }

    /// The clock that all instances read.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}

impl host::component::Components for Runtime {
    fn tools(&self) -> Result<Vec<String>> {
        Ok(crate::on_disk::registry::names().map(str::to_owned).collect())
    }

    fn instance(&self, memory: u64) -> Result<Box<dyn host::component::Component>> {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        let host = Host {
            clock: self.clock.clone(),
            memory,
            memory_was_refused: false,
            grace: self.grace,
            // To be instantiated is no call: a test that gives calls no grace needs an instance all the same.
            stop_at: Instant::now() + GRACE,
        };
        let mut store = Store::new(&self.engine, host);
        store.limiter(|host| host);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|context| {
            let host = context.data();
            Ok(if host.clock.is_stopped() || Instant::now() >= host.stop_at {
                UpdateDeadline::Interrupt
            } else {
                UpdateDeadline::Continue(1)
            })
        });
        let exports = bindings::SandboxPre::new(self.ready.clone())
            .and_then(|ready| ready.instantiate(&mut store))
            .map_err(|error| unusable("cannot start the component", &error))?;
        Ok(Box::new(Instance { store, exports, lost: false }))
    }
}

/// One sandbox's memory and code. A trap loses it, and every further use is an error.
pub struct Instance {
    store: Store<Host>,
    exports: bindings::Sandbox,
    lost: bool,
}

/// The time allowed for opening, replaying and compacting. A call has its own time.
const HOUSEKEEPING: Duration = Duration::from_secs(600);

impl host::component::Component for Instance {
    fn open(&mut self, options: &wit::Options) -> Result<Result<(), wit::Fault>> {
        let options = options.clone().convert();
        self.run(HOUSEKEEPING, |exports, store| exports.call_open(store, &options)).map(Convert::convert)
    }

    fn attach(&mut self, id: &[u8], size: u64, part: &[u8]) -> Result<Result<(), wit::Fault>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_attach(store, id, size, part)).map(Convert::convert)
    }

    fn replay(&mut self, part: &[u8]) -> Result<Result<(), wit::Fault>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_replay(store, part)).map(Convert::convert)
    }

    fn start(&mut self) -> Result<Result<wit::Restoration, wit::Fault>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_start(store)).map(Convert::convert)
    }

    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_tools(store)).map(Convert::convert)
    }

    fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer]) -> Result<wit::Step> {
        let allowed = Duration::from_nanos(call.time_allowed);
        let (call, answers): (bound::ToolCall, Vec<_>) = (call.clone().convert(), answers.to_vec().convert());
        self.run(allowed, |exports, store| exports.call_call(store, &call, &answers)).map(Convert::convert)
    }

    fn read_out(&mut self, offset: u64, len: u32) -> Result<Vec<u8>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_read_out(store, offset, len))
    }

    fn snapshot(&mut self, part: u32) -> Result<Result<u64, wit::Fault>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_snapshot(store, part)).map(Convert::convert)
    }

    fn compacted(&mut self) -> Result<Result<(), wit::Fault>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_compacted(store)).map(Convert::convert)
    }

    fn attachments(&mut self) -> Result<Vec<Vec<u8>>> {
        self.run(HOUSEKEEPING, |exports, store| exports.call_attachments(store))
    }
}

impl Instance {
    /// Runs `function` for at most the time `allowed` plus the grace time. Stopping it loses the
    /// instance.
    fn run<T>(
        &mut self,
        allowed: Duration,
        function: impl FnOnce(&bound::Guest, &mut Store<Host>) -> wasmtime::Result<T>,
    ) -> Result<T> {
        if self.lost {
            return Err(HostError::new(ErrorKind::Component, "the sandbox's instance is lost"));
        }
        let host = self.store.data_mut();
        host.stop_at = Instant::now() + allowed + host.grace;
        function(self.exports.gitgate_sandbox_session(), &mut self.store).map_err(|error| {
            self.lost = true;
            self.trapped(&error)
        })
    }

    /// Explains a trap to a person. The instance's tree is lost; the journal holds the state before
    /// the call.
    fn trapped(&self, error: &wasmtime::Error) -> HostError {
        tracing::error!("the component trapped: {error:?}");
        let host = self.store.data();
        if host.clock.is_stopped() {
            return HostError::new(ErrorKind::Interrupted, "interrupted; nothing has changed");
        }
        if host.memory_was_refused {
            let mib = host.memory >> 20;
            return HostError::new(
                ErrorKind::Component,
                format!("the sandbox needs more than its {mib} MiB of memory"),
            )
            .hint("ask for less at a time, such as fewer or smaller files; nothing has changed");
        }
        if Instant::now() >= host.stop_at {
            return HostError::new(ErrorKind::Component, "the tool exceeded its time and was stopped")
                .hint("ask for less at a time, or allow more time with timeout_ms; nothing has changed");
        }
        HostError::new(ErrorKind::Component, "the tool failed unexpectedly").hint(
            "run it again with GITGATE_LOG=error for details, and report them to the developers; nothing has changed",
        )
    }
}

/// The component as machine code, from the cache if possible.
fn compiled(engine: &Engine, compiling: impl FnOnce()) -> Result<Component> {
    let cached = Cached::of(&key(engine));
    if let Some(component) = cached.as_ref().and_then(|cached| in_cache(engine, cached)) {
        return Ok(component);
    }
    compiling();
    let component =
        Component::new(engine, COMPONENT).map_err(|error| unusable("cannot compile the component", &error))?;
    let serialized = component.serialize().map_err(|error| unusable("cannot serialize the component", &error))?;
    // Everything works without a cache, but starts later.
    match cached.map(|cached| cached.store(&serialized)) {
        Some(Err(error)) => tracing::warn!("cannot cache the compiled component: {error}"),
        Some(Ok(())) => {}
        None => tracing::warn!("there is no cache folder: HOME is not set"),
    }
    Ok(component)
}

/// The machine code that this machine has made before.
fn in_cache(engine: &Engine, cached: &Cached) -> Option<Component> {
    let file = cached.file()?;
    // SAFETY: wasmtime asks that the file was made by `Component::serialize` and not changed
    // since. Its folder and itself belong to the user and can be written by nobody else, as
    // `Cached::file` has checked; it was put in place whole; and its name holds the hash of the
    // component and of all settings that it was compiled with.
    unsafe { Component::deserialize_file(engine, file) }
        .inspect_err(|error| tracing::warn!("cannot use the compiled component in the cache: {error:#}"))
        .ok()
}

/// Names the machine code after the component, wasmtime's version and settings, and this
/// processor's features.
fn key(engine: &Engine) -> String {
    let mut settings = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut settings);
    format!("{:.32}-{:016x}", env!("GITGATE_COMPONENT_SHA256"), settings.finish())
}

fn engine() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config.epoch_interruption(true).max_wasm_stack(STACK);
    Engine::new(&config)
}

/// Advances the engine's epoch while the engine lives, so that every call is checked regularly.
fn tick(engine: &Engine) -> Result<()> {
    let engine = engine.weak();
    let ticker = move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
        }
    };
    match std::thread::Builder::new().name("epoch".to_owned()).spawn(ticker) {
        Ok(_) => Ok(()),
        Err(error) => Err(HostError::new(ErrorKind::Component, format!("cannot start a thread: {error}"))),
    }
}

fn unusable(what: &str, error: &wasmtime::Error) -> HostError {
    HostError::new(ErrorKind::Component, format!("{what}: {error:#}"))
        .hint("rebuild gitgate, because the component is part of it")
}
