//! The component: the tools behind the interface `gitgate:sandbox/session`, on the kernel's
//! filesystem.
//!
//! This crate decides nothing. It passes a call to the tools, restores the tree unless the call
//! succeeds, and turns the changes into a journal record.

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
use wit::Convert;

wit_bindgen::generate!({ path: "../wit", world: "sandbox", generate_all });

use exports::gitgate::sandbox::session::{self as bound, Guest};

wit::mirror!(bound);

thread_local! {
    /// One instance of the component is one sandbox.
    static INSTANCE: RefCell<Option<Open>> = const { RefCell::new(None) };
}

/// Runs `run` on the sandbox, which must be open.
fn with<R>(run: impl FnOnce(&mut Open) -> R) -> Result<R, wit::Fault> {
    INSTANCE.with_borrow_mut(|instance| instance.as_mut().map(run).ok_or_else(|| misuse("the sandbox is not open")))
}

struct Component;

impl Guest for Component {
    fn open(options: bound::Options) -> Result<(), bound::Fault> {
        let opened = INSTANCE.with_borrow_mut(|instance| match instance {
            Some(_) => Err(misuse("the sandbox is already open")),
            None => {
                *instance = Some(Open::new(options.convert())?);
                Ok(())
            }
        });
        opened.convert()
    }

    fn attach(id: Vec<u8>, size: u64, part: Vec<u8>) -> Result<(), bound::Fault> {
        with(|open| open.attach(&id, size, &part)).flatten().convert()
    }

    fn replay(part: Vec<u8>) -> Result<(), bound::Fault> {
        with(|open| open.replay(part)).flatten().convert()
    }

    fn start() -> Result<bound::Restoration, bound::Fault> {
        with(Open::start).flatten().convert()
    }

    fn tools() -> Vec<bound::ToolSpec> {
        with(|open| open.tools()).unwrap_or_default().convert()
    }

    fn call(call: bound::ToolCall, answers: Vec<bound::Answer>) -> bound::Step {
        let closed = || tools::ToolError::failed("The sandbox is not open");
        with(|open| open.call(call.convert(), answers.convert()))
            .unwrap_or_else(|_| {
                wit::Step::Done(wit::Done { outcome: Err(convert::error(closed())), record_size: 0, pack_size: 0 })
            })
            .convert()
    }

    fn undo(steps: u32, now: u64) -> Result<bound::Undone, bound::Fault> {
        with(|open| open.undo(steps, now)).flatten().convert()
    }

    fn read_out(offset: u64, len: u32) -> Vec<u8> {
        with(|open| open.read_out(offset, len)).unwrap_or_default()
    }

    fn snapshot(part: u32) -> Result<u64, bound::Fault> {
        with(|open| open.snapshot(part)).flatten().convert()
    }

    fn compacted() -> Result<(), bound::Fault> {
        with(Open::compacted).flatten().convert()
    }

    fn attachments() -> Vec<Vec<u8>> {
        with(|open| open.attachments()).unwrap_or_default()
    }
}

export!(Component);
