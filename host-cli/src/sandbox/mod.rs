//! The component, and one sandbox in it.
//!
//! | file | what it does |
//! |---|---|
//! | `component` | wasmtime: load, instantiate, call, stop |
//! | `cache` | the component compiled ahead of time |
//! | `clock` | the one import |
//! | `convert` | the interface's plain types, to and from wasmtime's |
//! | `options` | the component's options |
//! | `running` | a session and its journal, as one; or the tools on a real directory |
//! | `live` | a sandbox and its lock |

mod cache;
mod clock;
mod component;
mod convert;
mod live;
mod options;
mod running;
#[cfg(test)]
mod stopped;

pub use clock::Clock;
pub use component::{Runtime, STACK};
pub use host::session::{CHUNK, Question, Session, Step};
pub use host::wit;
pub use live::{Locked, Mark, Sandbox, tools_of_new};
pub use options::options;
#[cfg(test)]
pub use options::options_of_new;
