//! Patches as git prints them: which paths differ, their sides, and the text of each, a page at a time.

pub mod file;
pub mod form;
pub mod pages;
pub mod queue;
pub mod render;
pub mod sides;
pub mod unmerged;
pub mod writer;
