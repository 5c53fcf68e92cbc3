//! A shell for scripts. Its commands work on the tree, and its git is the tools of the toolset `repo`.

pub mod bash;
mod done;
mod git;
mod touched;
