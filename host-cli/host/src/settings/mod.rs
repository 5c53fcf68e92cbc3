//! What a person has set: for all sandboxes, for one, and for one kind of work.

mod config;
mod front_matter;
mod identity;
pub mod own_branch;
mod place;
pub mod policy;
mod sandbox_file;
mod speaks;
mod worker;

pub use config::{Config, GitSettings, McpServer, NotifySettings, Setting, TaskSettings, ToolSettings};
pub use identity::Identity;
pub use place::{AutoPull, Place};
pub use policy::PolicyChoice;
pub use sandbox_file::{Belonging, HexId, SandboxFile, TaskChoice};
pub use speaks::Speaks;
pub use worker::Worker;
