//! How a person edits a push: what it leaves out, and its message.

use std::collections::BTreeSet;
use std::str::FromStr;

use bstr::{BString, ByteSlice};
use gate::glob;
use gate::signing::Signed;
use gix_hash::ObjectId;
use serde::Serialize;

/// A person's edits to a push.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// What stays in the sandbox.
    pub leave_out: Vec<LeftOut>,
    /// The message of the last commit.
    pub message: Option<String>,
    /// Only the commits up to this one leave, by its full id.
    pub upto: Option<String>,
}

impl Revision {
    /// True if there are no edits.
    pub fn is_empty(&self) -> bool {
        self.leave_out.is_empty() && self.message.is_none() && self.upto.is_none()
    }
}

impl Revision {
    /// The same of the commits that the sandbox has. It has those that were shown without their signatures.
    pub(crate) fn of_unsigned(self, signed: &Signed) -> Self {
        let shown = self.upto.as_ref().and_then(|upto| ObjectId::from_hex(upto.as_bytes()).ok());
        let unsigned = shown.and_then(|shown| signed.unsigned(&shown));
        Revision { upto: unsigned.map(|id| id.to_string()).or(self.upto), ..self }
    }

    /// The same with the files themselves, where it names a folder or files by a pattern. `paths` are those of the push.
    pub(crate) fn spelled_out(mut self, paths: &BTreeSet<BString>) -> Self {
        let mut leave_out: Vec<LeftOut> = Vec::new();
        for one in std::mem::take(&mut self.leave_out) {
            let found = if one.hunks.is_none() { named(&one.path, paths) } else { Vec::new() };
            match found.is_empty() {
                // The tool says what is wrong with it.
                true => leave_out.push(one),
                false => {
                    let is_new = |path: &String| !leave_out.iter().any(|one| one.hunks.is_none() && one.path == *path);
                    let found: Vec<String> = found.into_iter().filter(is_new).collect();
                    leave_out.extend(found.into_iter().map(|path| LeftOut { path, ..one.clone() }));
                }
            }
        }
        Revision { leave_out, ..self }
    }
}

/// The paths that `name` names as a person does: a file, else everything in a folder, else what matches a pattern, which without a slash is
/// about the file's own name, as in `.gitignore`.
fn named(name: &str, paths: &BTreeSet<BString>) -> Vec<String> {
    if paths.contains(name.as_bytes().as_bstr()) {
        return vec![name.to_owned()];
    }
    let folder = format!("{}/", name.trim_end_matches('/'));
    let own_name = |path: &BString| path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec();
    let matches = |path: &BString| match name.contains('/') {
        true => glob::matches(name.as_bytes(), path),
        false => glob::matches(name.as_bytes(), &own_name(path)),
    };
    let inside: Vec<&BString> = paths.iter().filter(|path| path.starts_with(folder.as_bytes())).collect();
    let found = if inside.is_empty() { paths.iter().filter(|path| matches(path)).collect() } else { inside };
    found.into_iter().map(ToString::to_string).collect()
}

/// A file or some of its hunks, in the form that the tool `git_revise` takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// From the top of the repository.
    pub path: String,
    /// Numbered from 1 as in the review. `None` means the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<u32>>,
    /// The lines of context that the hunks are counted with. `None` means as many as in the review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
}

impl FromStr for LeftOut {
    type Err = String;

    /// `PATH:1,3`: two hunks of a file.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = |text: &str| text.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>();
        match text.rsplit_once(':').and_then(|(path, hunks)| Some((path, numbers(hunks)?))) {
            Some((path, hunks)) if !path.is_empty() => {
                Ok(LeftOut { path: path.to_owned(), hunks: Some(hunks), context: None })
            }
            _ => Err("name hunks as PATH:1,3".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(path: &str, hunks: Option<&[u32]>) -> LeftOut {
        LeftOut { path: path.to_owned(), hunks: hunks.map(<[u32]>::to_vec), context: None }
    }

    #[test]
    fn a_folder_or_a_pattern_names_the_files_of_the_push() {
        let paths = ["a.md", "docs/b.md", "docs/c.txt", "docs/d/e.md", "x*y"].map(BString::from).into_iter().collect();
        let named = |name: &str| {
            let revision = Revision { leave_out: vec![out(name, None)], ..Revision::default() };
            revision.spelled_out(&paths).leave_out.into_iter().map(|one| one.path).collect::<Vec<_>>()
        };
        assert_eq!(named("a.md"), ["a.md"]);
        for folder in ["docs", "docs/"] {
            assert_eq!(named(folder), ["docs/b.md", "docs/c.txt", "docs/d/e.md"]);
        }
        assert_eq!(named("*.md"), ["a.md", "docs/b.md", "docs/d/e.md"]);
        assert_eq!(named("docs/*.md"), ["docs/b.md"]);
        assert_eq!(named("docs/**"), ["docs/b.md", "docs/c.txt", "docs/d/e.md"]);
        assert_eq!(named("x*y"), ["x*y"]);
        assert_eq!(named("none"), ["none"], "the tool says that the push has no such file");
        let twice = Revision {
            leave_out: vec![out("docs", None), out("*.md", None), out("a.md", Some(&[1]))],
            ..Revision::default()
        };
        assert_eq!(twice.spelled_out(&paths).leave_out.len(), 5);
    }

    #[test]
    fn the_command_line_names_paths_and_hunks() {
        assert_eq!("a:1,3".parse(), Ok(out("a", Some(&[1, 3]))));
        assert_eq!("a:b:2".parse(), Ok(out("a:b", Some(&[2]))));
        for wrong in ["", ":1", "a", "a:b", "a:", "a:1,"] {
            assert!(wrong.parse::<LeftOut>().is_err(), "{wrong}");
        }
    }
}
