//! The lines of a combined diff before its hunks.

use bstr::{BString, ByteSlice};
use gix_hash::{Kind, ObjectId};

use super::{Combined, Outcome, id_of};
use crate::options::Options;
use crate::quote::{quote_path, quote_prefixed};

const DEV_NULL: &[u8] = b"/dev/null";

/// `--- a/x` and `+++ b/x`. git prints them only if it shows lines.
pub(super) struct Labels {
    old: BString,
    new: BString,
}

impl Labels {
    /// Appends both lines. Unlike in a diff of two sides, no tab follows a name with a space.
    pub(super) fn append_to(self, out: &mut Vec<u8>) {
        for (marker, label) in [(b"--- ", self.old), (b"+++ ", self.new)] {
            out.extend_from_slice(marker);
            out.extend_from_slice(&label);
            out.push(b'\n');
        }
    }
}

/// Appends the lines from `diff --cc` to the mode lines.
pub(super) fn header(change: &Combined<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Labels {
    let mut line = |text: &[u8]| {
        out.extend_from_slice(text);
        out.push(b'\n');
    };
    line(&[&b"diff --cc "[..], &quote_path(change.path)].concat());
    let ids: Vec<String> = change.ids().map(|id| options.abbrev.hex(&id)).collect();
    let id = match change.outcome {
        Outcome::Committed(side) => id_of(Some(&side)),
        _ => ObjectId::null(Kind::Sha1),
    };
    line(format!("index {}..{}", ids.join(","), options.abbrev.hex(&id)).as_bytes());
    let mode = change.outcome.mode();
    let is_deleted = mode == 0;
    let is_new = !is_deleted && change.parents.iter().all(Option::is_none);
    if change.has_other_mode() {
        let modes: Vec<String> = change.modes().map(|mode| format!("{mode:06o}")).collect();
        let modes = modes.join(",");
        line(&match (is_new, is_deleted) {
            (true, _) => format!("new file mode {mode:06o}").into_bytes(),
            (_, true) => format!("deleted file mode {modes}").into_bytes(),
            _ => format!("mode {modes}..{mode:06o}").into_bytes(),
        });
    }
    let (old, new) = options.prefixes;
    let label = |is_none: bool, prefix| match is_none {
        true => DEV_NULL.into(),
        false => quote_prefixed(prefix, change.path.as_bstr()),
    };
    Labels { old: label(is_new, old), new: label(is_deleted, new) }
}
