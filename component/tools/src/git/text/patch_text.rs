//! Prints patches as git does: selects the paths that differ, reads their sides, and formats each one, a page at a time.

pub mod file;
pub mod form;
pub mod pages;
pub mod queue;
pub mod render;
pub mod sides;
pub mod unmerged;
pub mod writer;
