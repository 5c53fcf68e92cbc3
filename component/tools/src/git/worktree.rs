//! The working folder as git sees it: attributes, ignored paths, the comparison with the index, and writing entries.

pub mod add_to_index;
pub mod attributes;
pub mod changes;
pub mod checkout_entry;
pub mod content;
pub mod diff_files;
pub mod excludes;
pub mod first_checkout;
pub mod lstat_cache;
pub mod merge_markers;
pub mod nested;
pub mod rule_files;
pub mod sparse;
pub mod staged_paths;
pub mod writer;
