//! What a diff is to a program.

use serde::Serialize;

use super::text::Writer;
use crate::output::Output;

/// The structured result.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The text as it was before control characters were made visible, no longer than the text may be.
    diff: String,
    /// The changed paths.
    files: Vec<File>,
    /// Staged commits, where they are shown too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<Commit>,
    truncated: bool,
    /// Paths whose patches are missing from the text, or not whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omitted: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    untrusted: bool,
}

/// A changed path.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    pub path: String,
    /// Where it was, if it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `added`, `deleted`, `modified`, `renamed`, `typechange` or `unmerged`.
    pub status: &'static str,
    /// Lines; left out where only names were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<bool>,
}

/// A staged commit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Commit {
    pub id: String,
    pub commit_id: String,
    pub message: String,
    pub files: Vec<File>,
}

const TRUNCATED: &str = "Name some of the omitted paths in paths, ask for stat or name_only, or allow more with max_bytes (at most 5000000).";

impl Report {
    /// Of a queue whose `files` were written first.
    pub fn new(files: Vec<File>) -> Report {
        Report { files, ..Report::default() }
    }

    /// The result of a diff that `writer` has written.
    pub fn finish(mut self, writer: Writer<'_>, max_bytes: usize) -> Output {
        let (text, omitted) = writer.finish();
        let cut = text.len().min(max_bytes);
        self.diff = String::from_utf8_lossy(&text[..cut]).into_owned();
        self.truncated = !omitted.is_empty();
        self.hint = self.truncated.then_some(TRUNCATED);
        self.omitted = omitted;
        self.untrusted = true;
        Output::new(text, self).max_bytes(max_bytes)
    }
}
