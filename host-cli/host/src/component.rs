//! The component, whichever engine runs it.
//!
//! Every function is one of the interface's (`wit/sandbox.wit`). An error outside is the engine's:
//! the component trapped, was stopped, or could not be reached, and this instance is lost. The faults
//! inside are the component's own.

use std::path::Path;

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Tools;
use crate::wit;

/// One instance.
pub trait Component {
    /// `open`
    fn open(&mut self, options: &wit::Options) -> Result<Result<(), wit::Fault>>;
    /// `attach`
    fn attach(&mut self, id: &[u8], size: u64, part: &[u8]) -> Result<Result<(), wit::Fault>>;
    /// `replay`
    fn replay(&mut self, part: &[u8]) -> Result<Result<(), wit::Fault>>;
    /// `start`
    fn start(&mut self) -> Result<Result<wit::Restoration, wit::Fault>>;
    /// `tools`
    fn tools(&mut self) -> Result<Vec<wit::ToolSpec>>;
    /// `call`, for at most the time that the call is allowed, and some grace.
    fn call(&mut self, call: &wit::ToolCall, answers: &[wit::Answer]) -> Result<wit::Step>;
    /// `read-out`
    fn read_out(&mut self, offset: u64, len: u32) -> Result<Vec<u8>>;
    /// `snapshot`
    fn snapshot(&mut self, part: u32) -> Result<Result<u64, wit::Fault>>;
    /// `compacted`
    fn compacted(&mut self) -> Result<Result<(), wit::Fault>>;
    /// `attachments`
    fn attachments(&mut self) -> Result<Vec<Vec<u8>>>;
}

/// Makes instances.
pub trait Components {
    /// A new instance that may use `memory` bytes.
    fn instance(&self, memory: u64) -> Result<Box<dyn Component>>;

    /// The names of all tools that there are, for policies. A body may have to ask the component.
    fn tools(&self) -> Result<Vec<String>>;

    /// The same tools on a directory, without a wall around them.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] from a body that has no directories.
    fn on_disk(&self, directory: &Path, _: &wit::Options) -> Result<Box<dyn Tools>> {
        Err(HostError::new(ErrorKind::Usage, format!("there is no directory {} here", directory.display())))
    }
}
