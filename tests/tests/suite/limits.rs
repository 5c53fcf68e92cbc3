//! Every limit of a sandbox, reached by every tool that can reach it: a typed error that says what to do, and nothing has changed. What makes
//! room works in a sandbox that is full.
//!
//! | file | what it tests |
//! |---|---|
//! | `scene` | a sandbox that is opened again with lower limits |
//! | `size` | bytes, files, bytes of one file |
//! | `length` | names and paths |
//! | `command` | what the command line reads |

mod command;
mod length;
mod scene;
mod size;
