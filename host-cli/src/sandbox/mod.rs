//! The component, and one sandbox in it.
//!
//! | file | what it does |
//! |---|---|
//! | `component` | wasmtime: load, instantiate, call, stop |
//! | `cache` | the component compiled ahead of time |
//! | `clock` | the one import |
//! | `open` | a sandbox with all that this body brings to it |

mod cache;
mod clock;
mod component;
mod open;
#[cfg(test)]
mod stopped;

pub use clock::Clock;
pub use component::{Runtime, STACK};
pub use host::sandbox::{Locked, Sandbox, tools_of_new};
pub use host::session::{CHUNK, Question, Session, Step};
pub use host::wit;
#[cfg(test)]
pub(crate) use open::open_on;
pub use open::{create, open, open_for_others};
