//! The git toolset, on gix.

mod abbrev;
pub(crate) mod absent;
pub(crate) mod add;
mod advice;
mod attributes;
mod basic_regex;
pub(crate) mod blame;
mod blob;
pub(crate) mod branch;
mod branch_state;
pub(crate) mod branches;
mod c_number;
pub(crate) mod caches;
mod changes;
#[cfg(all(test, not(target_os = "wasi")))]
mod changing_attacks;
#[cfg(all(test, not(target_os = "wasi")))]
mod changing_endings;
#[cfg(all(test, not(target_os = "wasi")))]
mod changing_spec;
pub(crate) mod checkout;
mod columns;
pub(crate) mod commit;
mod config;
pub(crate) mod config_file;
mod content;
mod dates;
mod decorations;
mod delta_cache;
pub(crate) mod diff;
pub(crate) mod discard;
mod edit_tree;
mod entries;
mod excludes;
pub(crate) mod fetch;
pub(crate) mod first_checkout;
mod flat_tree;
mod folder_rules;
mod follow_head;
mod history;
pub(crate) mod identity;
mod ids;
pub(crate) mod index;
mod index_edit;
pub mod landed;
mod landed_as;
pub(crate) mod log;
mod mailmap;
pub(crate) mod merge;
mod merge_base;
mod nested;
mod new_commit;
mod notes;
mod operation;
mod oracle;
mod pack;
mod packed;
mod paint;
mod pathspec;
mod places;
mod placing;
mod pretty;
pub(crate) mod pull;
#[cfg(test)]
mod pulling_spec;
pub(crate) mod push;
#[cfg(all(test, not(target_os = "wasi")))]
mod reading_attacks;
#[cfg(all(test, not(target_os = "wasi")))]
mod reading_limits;
#[cfg(all(test, not(target_os = "wasi")))]
mod reading_spec;
mod records;
mod refs;
mod refspec;
mod replay;
pub(crate) mod repo;
mod restack;
pub(crate) mod restore;
mod restoring;
mod rev_list;
pub(crate) mod revise;
#[cfg(test)]
mod rules_spec;
mod selection;
pub(crate) mod show;
mod shown;
mod space;
pub(crate) mod sparse;
pub(crate) mod stage;
mod staged;
mod staging;
#[cfg(test)]
mod staging_spec;
pub(crate) mod stash;
pub(crate) mod status;
mod summary;
mod target;
pub(crate) mod targets;
pub(crate) mod tasks;
mod tracking;
mod tree_diff;
mod tree_merge;
mod tree_path;
mod two_way;
mod unfinished;
mod version;
mod worktree;
mod writer;
