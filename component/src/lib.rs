//! The component: the tools behind the interface `gitgate:sandbox/session`, on the kernel's
//! filesystem.
//!
//! This crate decides nothing. It passes a call to the tools, restores the tree unless the call
//! succeeds, and turns the changes into a journal record.

mod convert;
mod embedding;
mod fault;
mod instance;
mod kernel;
mod meta;
mod out;
mod running;

use std::cell::RefCell;

use fault::misuse;
use instance::Open;

wit_bindgen::generate!({ path: "../wit", world: "sandbox", generate_all });

use exports::gitgate::sandbox::session::{
    Answer, Done, Fault, Guest, Options, Restoration, Step, ToolCall, ToolSpec, Undone,
};

thread_local! {
    /// One instance of the component is one sandbox.
    static INSTANCE: RefCell<Option<Open>> = const { RefCell::new(None) };
}

/// Runs `run` on the sandbox, which must be open.
fn with<R>(run: impl FnOnce(&mut Open) -> R) -> Result<R, Fault> {
    INSTANCE.with_borrow_mut(|instance| instance.as_mut().map(run).ok_or_else(|| misuse("the sandbox is not open")))
}

struct Component;

impl Guest for Component {
    fn open(options: Options) -> Result<(), Fault> {
        INSTANCE.with_borrow_mut(|instance| match instance {
            Some(_) => Err(misuse("the sandbox is already open")),
            None => {
                *instance = Some(Open::new(options)?);
                Ok(())
            }
        })
    }

    fn attach(id: Vec<u8>, size: u64, part: Vec<u8>) -> Result<(), Fault> {
        with(|open| open.attach(&id, size, &part))?
    }

    fn replay(part: Vec<u8>) -> Result<(), Fault> {
        with(|open| open.replay(part))?
    }

    fn start() -> Result<Restoration, Fault> {
        with(Open::start)?
    }

    fn tools() -> Vec<ToolSpec> {
        with(|open| open.tools()).unwrap_or_default()
    }

    fn call(call: ToolCall, answers: Vec<Answer>) -> Step {
        let closed = || tools::ToolError::failed("The sandbox is not open");
        with(|open| open.call(call, answers))
            .unwrap_or_else(|_| Step::Done(Done { outcome: Err(convert::error(closed())), record_size: 0 }))
    }

    fn undo(steps: u32, now: u64) -> Result<Undone, Fault> {
        with(|open| open.undo(steps, now))?
    }

    fn read_out(offset: u64, len: u32) -> Vec<u8> {
        with(|open| open.read_out(offset, len)).unwrap_or_default()
    }

    fn snapshot(part: u32) -> Result<u64, Fault> {
        with(|open| open.snapshot(part))?
    }

    fn compacted() -> Result<(), Fault> {
        with(Open::compacted)?
    }

    fn attachments() -> Vec<Vec<u8>> {
        with(|open| open.attachments()).unwrap_or_default()
    }
}

export!(Component);
