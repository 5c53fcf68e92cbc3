//! Every limit of a sandbox, through every tool that can reach it: a typed error with a hint, and nothing changed. In a full sandbox, the
//! calls that free space still work.
//!
//! | file | what it tests |
//! |---|---|
//! | `scene` | a sandbox that is reopened with lower limits |
//! | `size` | bytes, files, bytes of one file |
//! | `length` | names and paths |
//! | `command` | the command line's input |

mod command;
mod length;
mod scene;
mod size;
