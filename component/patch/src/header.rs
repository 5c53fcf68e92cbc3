//! The lines of a patch before its hunks.

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;

use crate::change::Side;
use crate::options::Options;
use crate::quote::{quote_path, quote_prefixed};

/// git's name for a side that does not exist.
const DEV_NULL: &str = "/dev/null";

/// How the new path got its content.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// It kept its own, or the path is new or gone.
    Itself,
    Renamed(u8),
    Copied(u8),
}

/// The header for two sides. At least one of them exists.
pub(crate) struct Header {
    /// From `diff --git` to `index`.
    pub text: Vec<u8>,
    /// The old name as it follows `--- `, without the tab.
    pub old_label: BString,
    /// The new name as it follows `+++ `, without the tab.
    pub new_label: BString,
    /// Whether the header says something by itself, even if no line changed.
    pub stands_alone: bool,
}

impl Header {
    /// `None` if neither side exists.
    pub(crate) fn of(
        old: Option<&Side<'_>>,
        new: Option<&Side<'_>>,
        origin: Origin,
        options: &Options<'_>,
    ) -> Option<Self> {
        let some = old.or(new)?;
        let (old_prefix, new_prefix) = options.prefixes;
        let old_name = quote_prefixed(old_prefix, old.unwrap_or(some).path);
        let new_name = quote_prefixed(new_prefix, new.unwrap_or(some).path);
        let mut header = Self {
            text: Vec::new(),
            stands_alone: old.is_none()
                || new.is_none()
                || old.map(|side| side.mode) != new.map(|side| side.mode)
                || !matches!(origin, Origin::Itself),
            old_label: old.map_or_else(|| DEV_NULL.into(), |_| old_name.clone()),
            new_label: new.map_or_else(|| DEV_NULL.into(), |_| new_name.clone()),
        };
        header.line(&[b"diff --git ", &old_name, b" ", &new_name]);
        match (old, new) {
            (Some(old), Some(new)) if old.mode != new.mode => {
                header.line(&[b"old mode ", mode(old).as_bytes()]);
                header.line(&[b"new mode ", mode(new).as_bytes()]);
            }
            (Some(old), None) => header.line(&[b"deleted file mode ", mode(old).as_bytes()]),
            (None, Some(new)) => header.line(&[b"new file mode ", mode(new).as_bytes()]),
            _ => {}
        }
        header.origin(old, new, origin);
        header.index(old, new, options);
        Some(header)
    }

    /// `--- a/x` and `+++ b/x`. A tab marks the end of a name with a space in it.
    pub(crate) fn labels(&self, out: &mut Vec<u8>) {
        for (marker, label) in [("--- ", &self.old_label), ("+++ ", &self.new_label)] {
            out.extend_from_slice(marker.as_bytes());
            out.extend_from_slice(label);
            out.extend_from_slice(if label.contains(&b' ') { b"\t\n" } else { b"\n" });
        }
    }

    fn line(&mut self, parts: &[&[u8]]) {
        for part in parts {
            self.text.extend_from_slice(part);
        }
        self.text.push(b'\n');
    }

    fn origin(&mut self, old: Option<&Side<'_>>, new: Option<&Side<'_>>, origin: Origin) {
        let (verb, similarity) = match origin {
            Origin::Itself => return,
            Origin::Renamed(similarity) => ("rename", similarity),
            Origin::Copied(similarity) => ("copy", similarity),
        };
        self.line(&[format!("similarity index {similarity}%").as_bytes()]);
        for (preposition, side) in [("from", old), ("to", new)] {
            if let Some(side) = side {
                self.line(&[format!("{verb} {preposition} ").as_bytes(), &quote_path(side.path)]);
            }
        }
    }

    fn index(&mut self, old: Option<&Side<'_>>, new: Option<&Side<'_>>, options: &Options<'_>) {
        let Some(some) = old.or(new) else { return };
        let id = |side: Option<&Side<'_>>| side.map_or_else(|| ObjectId::null(some.id.kind()), |side| side.id);
        let (old_id, new_id) = (id(old), id(new));
        if old_id == new_id {
            return;
        }
        let mode = match (old, new) {
            (Some(old), Some(new)) if old.mode == new.mode => format!(" {}", mode(new)),
            _ => String::new(),
        };
        let (old_hex, new_hex) = (options.abbrev.hex(&old_id), options.abbrev.hex(&new_id));
        self.line(&[format!("index {old_hex}..{new_hex}{mode}").as_bytes()]);
    }
}

fn mode(side: &Side<'_>) -> String {
    format!("{:06o}", side.mode)
}

/// The last line of a header when no lines can be shown.
pub(crate) fn binary_files_differ(header: &Header, out: &mut Vec<u8>) {
    for part in [
        b"Binary files ".as_bstr(),
        header.old_label.as_bstr(),
        b" and ".as_bstr(),
        header.new_label.as_bstr(),
        b" differ\n".as_bstr(),
    ] {
        out.extend_from_slice(part);
    }
}
