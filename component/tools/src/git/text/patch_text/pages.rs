//! Records where the patches of a text end, so that a cut text can say how to continue.

use patch::Placed;
use patch::escape::escaped_len;
use serde::Serialize;

use crate::output::TRUNCATION_MARKER;

/// The patches of a text that is cut to `max_bytes` after escaping.
pub struct Pages {
    max_bytes: usize,
    patches: Vec<Patch>,
}

/// A patch. Lengths count after control characters are escaped.
struct Patch {
    path: String,
    /// The staged commit of the patch.
    commit: Option<String>,
    /// The length of the text before it.
    start: usize,
    /// The length of the text including it.
    end: usize,
    /// The length of the text up to the end of each hunk, if the text may be cut among them.
    hunks: Vec<usize>,
    /// The number of its first hunk within the whole patch, counted from one. `None` if it has no hunks to ask for.
    first: Option<usize>,
}

/// The missing part of a cut text.
#[derive(Debug, Default)]
pub struct Cut {
    /// The paths whose patches are incomplete or missing.
    pub omitted: Vec<String>,
    /// How to continue.
    pub next: Option<Next>,
}

/// Where to go on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// The first path whose patch is missing, or not whole.
    pub path: String,
    /// The staged commit that it is the patch of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<String>,
    /// The first hunk of it that is missing, or not whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_hunk: Option<usize>,
    /// Whether the text does not even have what it begins with.
    #[serde(skip)]
    pub is_stuck: bool,
}

/// A patch to add to a text.
pub struct Added<'t> {
    /// The path.
    pub path: String,
    /// The staged commit of the patch.
    pub commit: Option<String>,
    /// The patch.
    pub text: &'t [u8],
    /// The positions of its hunks in `text`.
    pub hunks: &'t [Placed],
    /// The number of its first hunk within the whole patch, counted from one.
    pub first: usize,
}

impl Pages {
    /// Starts without a patch.
    pub fn new(max_bytes: usize) -> Pages {
        Pages { max_bytes, patches: Vec::new() }
    }

    /// Adds a patch that extends the text from length `before` to `end`.
    pub fn add(&mut self, added: Added<'_>, before: usize, end: usize) {
        let Added { path, commit, text, hunks, first } = added;
        // The final length is still unknown, but the cut can only be inside such a patch.
        let may_be_cut = end > self.room(true) && before <= self.max_bytes;
        let ends = if may_be_cut { self.ends(text, hunks, before) } else { Vec::new() };
        let first = (!hunks.is_empty()).then_some(first);
        self.patches.push(Patch { path, commit, start: before, end, hunks: ends, first });
    }

    /// The length of the part that is shown.
    fn room(&self, is_cut: bool) -> usize {
        if is_cut { self.max_bytes.saturating_sub(TRUNCATION_MARKER.len()) } else { self.max_bytes }
    }

    /// The missing part of the text, whose length is `shown`.
    pub fn cut(self, shown: usize) -> Cut {
        let room = self.room(shown > self.max_bytes);
        let mut missing = self.patches.into_iter().filter(|patch| patch.end > room).peekable();
        let next = missing.peek().map(|patch| {
            let whole = patch.hunks.iter().take_while(|end| **end <= room).count();
            Next {
                path: patch.path.clone(),
                commit_id: patch.commit.clone(),
                start_hunk: patch.first.map(|first| first + whole),
                is_stuck: whole == 0 && patch.start == 0,
            }
        });
        Cut { omitted: missing.map(|patch| patch.path).collect(), next }
    }

    /// Each patch with the length of the text including it.
    pub fn into_ends(self) -> Vec<(String, usize)> {
        self.patches.into_iter().map(|patch| (patch.path, patch.end)).collect()
    }

    /// The length of the text up to the end of each of `hunks`, within the limit. `before` is its length without `text`.
    fn ends(&self, text: &[u8], hunks: &[Placed], before: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let (mut shown, mut start) = (before, 0);
        for end in hunks.iter().skip(1).map(|hunk| hunk.at).chain(hunks.last().map(|_| text.len())) {
            shown += escaped_len(&text[start..end], self.max_bytes);
            if shown > self.max_bytes {
                break;
            }
            ends.push(shown);
            start = end;
        }
        ends
    }
}
