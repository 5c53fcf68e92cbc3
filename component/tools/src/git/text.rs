//! Prints what git prints: commits in its pretty formats, patches, and the short forms of files and paths.

pub mod log_entries;
pub mod mailmap;
pub mod merge_messages;
pub mod notes;
pub mod patch_text;
pub mod pretty;
pub mod summary;
pub mod workspace_path;
