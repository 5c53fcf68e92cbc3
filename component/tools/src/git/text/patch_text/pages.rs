//! Where the patches of a text end, and where to go on if it is cut.

use patch::Placed;
use patch::escape::escaped_len;
use serde::Serialize;

use crate::output::TRUNCATION_MARKER;

/// The patches of a text that is no longer than `max_bytes` when it is shown.
pub struct Pages {
    max_bytes: usize,
    patches: Vec<Patch>,
}

/// A patch, measured as it is shown: control characters made visible.
struct Patch {
    path: String,
    /// The staged commit that it belongs to.
    commit: Option<String>,
    /// The length of the text without it and what follows.
    start: usize,
    /// The length of the text with it.
    end: usize,
    /// The length of the text with each of its hunks, where the text may be cut among them.
    hunks: Vec<usize>,
    /// The hunk of the whole patch that is the first here, counted from one; none where it has no hunks, or none that can be asked for.
    first: Option<usize>,
}

/// What is missing from a text that is cut.
#[derive(Debug, Default)]
pub struct Cut {
    /// Paths whose patches are missing, or not whole.
    pub omitted: Vec<String>,
    /// Where to go on.
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

/// A patch that is added to a text.
pub struct Added<'t> {
    /// The path.
    pub path: String,
    /// The staged commit that it belongs to.
    pub commit: Option<String>,
    /// The patch.
    pub text: &'t [u8],
    /// Its hunks, as they are placed in `text`.
    pub hunks: &'t [Placed],
    /// The number of the first of them in the whole patch, counted from one.
    pub first: usize,
}

impl Pages {
    /// No patch yet.
    pub fn new(max_bytes: usize) -> Pages {
        Pages { max_bytes, patches: Vec::new() }
    }

    /// Adds a patch, with which the length of the text grows from `before` to `end`.
    pub fn add(&mut self, added: Added<'_>, before: usize, end: usize) {
        let Added { path, commit, text, hunks, first } = added;
        // How long the text will be is not known yet, but that it is not cut in any other patch.
        let may_be_cut = end > self.room(true) && before <= self.max_bytes;
        let ends = if may_be_cut { self.ends(text, hunks, before) } else { Vec::new() };
        let first = (!hunks.is_empty()).then_some(first);
        self.patches.push(Patch { path, commit, start: before, end, hunks: ends, first });
    }

    /// How much of a text is shown.
    fn room(&self, is_cut: bool) -> usize {
        if is_cut { self.max_bytes.saturating_sub(TRUNCATION_MARKER.len()) } else { self.max_bytes }
    }

    /// What is missing from the text, whose length is `shown`.
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

    /// Each patch, and the length of the text with it.
    pub fn into_ends(self) -> Vec<(String, usize)> {
        self.patches.into_iter().map(|patch| (patch.path, patch.end)).collect()
    }

    /// The length of the text with each of `hunks`, if it is `before` without `text`, as far as the text is not cut.
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
