//! git, on gix, in layers. Each names only those above it in this list:
//!
//! | layer | what it knows |
//! |---|---|
//! | [`words`] | what texts, numbers, dates and patterns mean |
//! | [`store`] | what `.git` stores: objects, refs, index, configuration |
//! | [`worktree`] | the working folder: attributes, ignored paths, what differs |
//! | [`history`] | the graph of commits, revisions, branches |
//! | [`change`] | merging, re-applying, switching, restoring |
//! | [`text`] | what git prints |
//! | [`staged`] | what gitgate adds: staged commits, targets, what has landed, records |
//!
//! History and change do not name each other. The tools on top are in `toolset`.

pub mod caches;
pub mod change;
pub mod history;
pub mod staged;
pub mod store;
pub mod text;
pub mod words;
pub mod worktree;
