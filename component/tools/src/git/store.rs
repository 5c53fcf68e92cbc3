//! Reads and writes what `.git` stores: objects, refs, the index and the configuration. It never looks at the working folder.

pub mod abbrev;
pub mod blob;
pub mod commit_object;
pub mod config;
pub mod config_file;
pub mod delta_cache;
pub mod edit_tree;
pub mod flat_tree;
pub mod index;
pub mod index_edit;
pub mod missing;
pub mod names;
pub mod pack_objects;
pub mod packs;
pub mod pathspec;
pub mod refs;
pub mod refspec;
pub mod repo;
pub mod tree_diff;
pub mod tree_path;
pub mod version;
