//! bash's language, and the commands that scripts call, without processes, threads or signals.
//!
//! A script runs on a [`World`]: a tree, a clock, and programs such as git. Everything else is here. The commands of a pipeline are
//! coroutines that take turns over bounded pipes, so `yes | head -1` ends, and nothing depends on a scheduler: the same script on the
//! same tree gives the same bytes.
//!
//! | folder | what it has |
//! |---|---|
//! | `io` | pipes, open files, and who reads and writes what |
//! | `expand` | words: parameters, commands, arithmetic, braces, globs, fields |
//! | `exec` | lists, pipelines, compound commands, redirections, functions |
//! | `builtins` | the commands that change the shell |
//! | `commands` | the others: what coreutils, grep, sed, awk, jq and their like do |

mod builtins;
mod commands;
mod exec;
mod expand;
mod io;
mod parse;
mod regexp;
mod script;
mod state;
mod value;
pub mod world;

/// Which lines match, as `grep` decides it.
pub mod grep {
    pub use crate::commands::grep::matcher::{Kind, Matcher, Meaning};
    pub use crate::regexp::Around;
}

/// The names of all commands that a script can call beside its world's.
pub fn names() -> impl Iterator<Item = &'static str> {
    builtins::names().chain(commands::names())
}

pub use self::parse::is_unfinished;
pub use self::script::{Kept, Outcome, Script};
pub use self::world::World;
