//! How much each path changed: `--stat` and `--shortstat`.

mod graph;
mod name;

use bstr::BString;

use crate::change::{Change, Side};
use crate::compare::LineCounts;
use crate::quote::quote_path;

pub use graph::stat;
pub(crate) use name::rename_name;

/// The width that git assumes if it does not print to a terminal.
pub const DEFAULT_WIDTH: usize = 80;

/// How much one path changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    /// The path after the change, or the deleted path.
    pub path: BString,
    /// The old path, if this one was renamed or copied.
    pub from: Option<BString>,
    /// How much changed.
    pub extent: Extent,
}

/// The amount of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Lines of text.
    Lines {
        /// Lines added.
        added: u64,
        /// Lines removed.
        deleted: u64,
    },
    /// Binary contents. Both sizes are 0 if the content stayed the same or is absent.
    Binary {
        /// Bytes before.
        old_size: u64,
        /// Bytes after.
        new_size: u64,
    },
    /// Unresolved merge stages.
    Unmerged,
}

impl FileStat {
    /// The stat of `change` with the `counts` that [`count`](crate::count) returned for it.
    pub fn new(change: &Change<'_>, counts: LineCounts) -> Self {
        let from = match change {
            Change::Rename { old, .. } | Change::Copy { old, .. } => Some(old.path.to_owned()),
            _ => None,
        };
        let extent = match change {
            Change::Unmerged { .. } => Extent::Unmerged,
            _ if !counts.binary => Extent::Lines { added: counts.added, deleted: counts.deleted },
            _ if change.old_side().map(|side| side.id) == change.new_side().map(|side| side.id) => {
                Extent::Binary { old_size: 0, new_size: 0 }
            }
            _ => Extent::Binary { old_size: size(change.old_side()), new_size: size(change.new_side()) },
        };
        Self { path: change.path().to_owned(), from, extent }
    }

    /// The name as the two forms of stat print it: `a/{b => c}/d` for a rename.
    fn printed_name(&self) -> BString {
        match &self.from {
            Some(from) => rename_name(from.as_ref(), self.path.as_ref()),
            None => quote_path(self.path.as_ref()).into_owned(),
        }
    }
}

fn size(side: Option<&Side<'_>>) -> u64 {
    side.and_then(Side::text).map_or(0, |text| text.len() as u64)
}

/// Appends the summary line, ` 2 files changed, 3 insertions(+), 1 deletion(-)`. Appends nothing if
/// there is no file.
pub fn shortstat(files: &[FileStat], out: &mut Vec<u8>) {
    if files.is_empty() {
        return;
    }
    let (mut changed, mut insertions, mut deletions) = (0u64, 0u64, 0u64);
    for file in files {
        match file.extent {
            Extent::Lines { added, deleted } => {
                changed += 1;
                insertions += added;
                deletions += deleted;
            }
            Extent::Binary { .. } => changed += 1,
            Extent::Unmerged => {}
        }
    }
    out.extend_from_slice(summary(changed, insertions, deletions).as_bytes());
}

fn summary(changed: u64, insertions: u64, deletions: u64) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(" {changed} file{} changed", plural(changed));
    if changed > 0 {
        if insertions > 0 || deletions == 0 {
            text += &format!(", {insertions} insertion{}(+)", plural(insertions));
        }
        if deletions > 0 || insertions == 0 {
            text += &format!(", {deletions} deletion{}(-)", plural(deletions));
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn a_side_of_the_summary_is_left_out_if_only_the_other_has_lines() {
        assert_eq!(summary(0, 0, 0), " 0 files changed\n");
        assert_eq!(summary(1, 0, 0), " 1 file changed, 0 insertions(+), 0 deletions(-)\n");
        assert_eq!(summary(2, 1, 0), " 2 files changed, 1 insertion(+)\n");
        assert_eq!(summary(2, 0, 3), " 2 files changed, 3 deletions(-)\n");
        assert_eq!(summary(2, 3, 1), " 2 files changed, 3 insertions(+), 1 deletion(-)\n");
    }
}
