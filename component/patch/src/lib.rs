//! git's patch text and git's merge: exactly the bytes of git 2.47.3.
//!
//! Pure functions: no repository, no I/O, no clock, no configuration. The sandbox's tools print with them, and a host reviews with them.
//! All output is what git prints without colour under `LC_ALL=C` and with git's default configuration (`core.quotePath`,
//! `diff.indentHeuristic`, renames at 50 %).
//!
//! ```text
//! unified(&Change, &Options, &mut Vec<u8>) -> Result<LineCounts, Interrupted>     git diff
//! unified_in_hunks(&Change, &Options, &mut Vec<u8>, &mut Vec<Placed>)            and where its hunks are
//!     -> Result<LineCounts, Interrupted>
//! combined::combined(&Combined, &Options, &mut Vec<u8>) -> Result<(), Interrupted>   git show of a merge
//! count(&Change, &Options) -> Result<LineCounts, Interrupted>                     added and deleted lines
//! stat::FileStat::new(&Change, LineCounts) -> FileStat                            counts are count's
//! stat::stat(&[FileStat], width, &mut Vec<u8>)                                    --stat
//! stat::shortstat(&[FileStat], &mut Vec<u8>)                                      --shortstat
//! merge::merge(&[u8], &[u8], &[u8], &merge::Options) -> Result<Merged, Interrupted>    git merge-file
//! tree_merge::merge(&dyn Files, &[Change], &[Change], &mut Objects, &Options)
//!     -> Result<tree_merge::Merged, Objects::Error>                               git merge-tree
//! tree_merge::texts(&[u8], &[u8], &[u8], Driver, &Options)
//!     -> Result<Option<tree_merge::MergedText>, Interrupted>                      one file of it
//! name_only(&Change, &mut Vec<u8>)                                                --name-only
//! summary(&Change, &mut Vec<u8>)                                                  --summary
//! rename::detect(&[File], &[File], &rename::Options, FnMut(&ObjectId) -> Option<Cow<[u8]>>)
//!     -> Result<rename::Detection, Interrupted>                                   -M
//! hunk::hunks(&[u8], &[u8], &Options) -> Result<Hunks, Interrupted>               ranges and lines
//! function::Driver::name(self, &[u8]) -> Option<&[u8]>                            the text after @@
//! function::Driver::named(&[u8]) -> Option<Driver>                                diff=<name>
//! binary::is_binary(&[u8]) -> bool
//! quote::{quote_path, quote_status_path}(&BStr) -> Cow<BStr>                      C-style names
//! quote::quote_prefixed(&BStr, &BStr) -> BString
//! escape::escape(&[u8]) -> Cow<str>, into_escaped(Vec<u8>) -> String              for a terminal
//! escape::escaped_len(&[u8], usize) -> usize, beginning(Vec<u8>, usize) -> Vec<u8>    of what is cut
//! glob::is_bounded(usize, &[u8]) -> bool                                          before a glob is matched
//! sort::{sort, sort_by, sort_by_key}(&mut [T], ..), sort::map(..) -> BTreeMap     in little code
//! signature::with_signature(&[u8], &str) -> Vec<u8>                               git commit -S
//! ago::ago(u64) -> String                                                         --date=relative
//! Deadline::new(&dyn Fn() -> ControlFlow<()>)                                     stopping in time
//! ```
//!
//! A diff of many paths concatenates [`unified`] over the changes in path order. Where [`rename::detect`] pairs an addition with a
//! deletion, one [`Change::Rename`] takes the place of the addition.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod ago;
pub mod binary;
mod change;
pub mod combined;
mod compare;
pub mod conflict;
pub mod deadline;
pub mod escape;
pub mod function;
pub mod glob;
mod hash_order;
mod header;
pub mod hunk;
mod line_diff;
pub mod merge;
mod name_only;
mod options;
mod path;
pub mod quote;
pub mod rename;
pub mod signature;
mod slider;
pub mod sort;
pub mod stat;
mod summary;
pub mod tree_merge;
mod unified;

pub use change::{Change, Content, Side};
pub use compare::{LineCounts, count};
pub use deadline::{Deadline, Interrupted};
pub use function::Driver;
pub use gix_hash::ObjectId;
pub use name_only::name_only;
pub use options::{Abbrev, DiffAttribute, Options};
pub use summary::summary;
pub use unified::{Placed, unified, unified_in_hunks};
