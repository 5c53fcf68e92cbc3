//! The component, and one sandbox in it.
//!
//! | file | what it does |
//! |---|---|
//! | `component` | wasmtime: load, instantiate, call, stop |
//! | `cache` | the component compiled ahead of time |
//! | `clock` | the one import |
//! | `session` | the component's interface in order and in chunks |
//! | `options` | the component's options |
//! | `running` | a session and its journal, as one; or the tools on a real directory |
//! | `live` | a sandbox and its lock |

mod cache;
mod clock;
mod component;
mod live;
mod options;
mod running;
mod session;
#[cfg(test)]
mod stopped;

pub use clock::Clock;
pub use component::{Runtime, STACK, wit};
pub use live::{Locked, Sandbox, tools_of_new};
pub use options::options;
#[cfg(test)]
pub use options::options_of_new;
#[cfg(test)]
pub use session::memory;
pub use session::{CHUNK, Question, Session, Step};
