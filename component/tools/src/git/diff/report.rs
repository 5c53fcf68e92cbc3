//! What a diff is to a program.

use gix::bstr::ByteSlice;
use serde::Serialize;

use super::text::Writer;
use crate::budget::{Room, is_zero};
use crate::git::changes::Change;
use crate::git::shown;
use crate::output::Output;

/// The structured result.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The text as it was before control characters were made visible, no longer than the text may be; where the text is all that git says,
    /// it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// The changed paths.
    files: Vec<File>,
    /// Paths that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    /// Staged commits, where they are shown too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<Commit>,
    /// Staged commits that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    commits_omitted: usize,
    truncated: bool,
    /// Paths whose patches are missing from the text, or not whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omitted: Vec<String>,
    /// How many of those paths are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    omitted_more: usize,
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
    /// Lines; left out where only names were asked for, and of a combined diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<bool>,
}

impl File {
    /// A path of which no lines are counted.
    pub fn plain(path: String, status: &'static str) -> File {
        File { path, from: None, status, added: None, deleted: None, binary: None }
    }

    /// `change`, its lines not counted.
    pub fn of(change: &Change) -> File {
        let status = match change.letter() {
            'A' => "added",
            'D' => "deleted",
            'R' => "renamed",
            'T' => "typechange",
            'U' => "unmerged",
            _ => "modified",
        };
        let from = change.from.as_ref();
        File {
            path: shown::absolute(change.path.as_bstr()),
            from: from.map(|from| shown::absolute(from.path.as_bstr())),
            status,
            added: None,
            deleted: None,
            binary: None,
        }
    }
}

/// A staged commit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Commit {
    pub id: String,
    pub commit_id: String,
    pub message: String,
    pub files: Vec<File>,
    /// Paths that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub files_omitted: usize,
}

const TRUNCATED: &str = "Name some of the omitted paths in paths, ask for stat or name_only, or allow more with max_bytes (at most 5000000).";

impl Report {
    /// Of a queue whose `files` were written first.
    pub fn new(files: Vec<File>) -> Report {
        Report { files, ..Report::default() }
    }

    /// The result of a diff that `writer` has written, its lists each no longer than the text may be; with the text once more for programs,
    /// if the diff `is_staged`.
    pub fn finish(mut self, writer: Writer<'_>, max_bytes: usize, is_staged: bool) -> Output {
        let (text, mut omitted) = writer.finish();
        let cut = text.len().min(max_bytes);
        self.diff = is_staged.then(|| String::from_utf8_lossy(&text[..cut]).into_owned());
        self.truncated = !omitted.is_empty();
        self.files_omitted = Room::new(max_bytes).cut(&mut self.files);
        // All commits that are listed go before the files of any.
        let mut room = Room::new(max_bytes);
        let apart = |commit: &mut Commit| {
            commit.files_omitted = commit.files.len();
            std::mem::take(&mut commit.files)
        };
        let files: Vec<_> = self.commits.iter_mut().map(apart).collect();
        self.commits_omitted = room.cut(&mut self.commits);
        for (commit, mut files) in self.commits.iter_mut().zip(files) {
            commit.files_omitted = room.cut(&mut files);
            commit.files = files;
        }
        self.omitted_more = Room::new(max_bytes).cut(&mut omitted);
        self.truncated |= self.files_omitted + self.commits_omitted > 0;
        self.hint = self.truncated.then_some(TRUNCATED);
        self.omitted = omitted;
        self.untrusted = true;
        Output::new(text, self).max_bytes(max_bytes)
    }
}
