//! `edit_file`

mod place;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use self::place::{Search, Wanted};
use super::line_ends::LineEnds;
use super::planned::{File, Planned};
use crate::approval::Annotations;
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Replace text in files. Fails and changes nothing unless `old` occurs exactly once, or `all` is
/// true. Line breaks follow the file.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EditFile {
    /// File to edit
    path: Option<String>,
    /// Text to replace, exactly as in the file. Empty: makes a new file of `new`
    old: Option<String>,
    /// Replacement text
    new: Option<String>,
    /// Replace every occurrence of `old`
    #[serde(default)]
    all: bool,
    /// How often `old` must occur. Replaces all of them
    count: Option<NonZeroUsize>,
    /// Several edits in order: all are made or none
    #[serde(default, deserialize_with = "objects")]
    edits: Vec<Edit>,
}

/// One of several edits.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(description = ""))]
#[serde(deny_unknown_fields)]
struct Edit {
    path: Option<String>,
    old: String,
    new: String,
    #[serde(default)]
    all: bool,
    count: Option<NonZeroUsize>,
}

/// Reads objects only: serde would also take a list for a struct, in which a host that looks for `path` finds none.
fn objects<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Vec<Edit>, D::Error> {
    let edits = Vec::<serde_json::Map<String, serde_json::Value>>::deserialize(deserializer)?;
    let edit = |fields| Edit::deserialize(serde_json::Value::Object(fields)).map_err(D::Error::custom);
    edits.into_iter().map(edit).collect()
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum Result {
    /// One edit.
    One(Edited),
    /// Several.
    Several {
        /// Each edit, in order.
        edits: Vec<Edited>,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edited {
    path: String,
    /// 0 if the file is new.
    replacements: usize,
    /// Where the replaced texts began, in the file as it was. At most 10.
    lines: Vec<usize>,
    /// Bytes in the file as it is now.
    size: usize,
    /// How the line breaks of `new` were written, if that differs from how they were given: as all lines of the file end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lineEnds")]
    line_ends: Option<&'static str>,
}

impl Call for EditFile {
    const NAME: &'static str = "edit_file";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Filesystem, Toolset::Lean];
    const ANNOTATIONS: Annotations = Annotations::writes().destructive();
    const FILE: &'static str = schema_file!("edit_file");
    type Result = Result;

    fn run(self, context: &mut Context<'_>) -> std::result::Result<Output, Stop> {
        let edits = self.edits()?;
        let mut planned = Planned::default();
        let mut text = String::new();
        let mut made = Vec::new();
        let count = edits.len();
        for (at, (path, edit)) in edits.iter().enumerate() {
            let edited = planned.file(context, path).and_then(|file| edit.make(file, context.deadline, &mut text));
            made.push(edited.map_err(|error| in_order(error, at, count))?);
        }
        planned.write()?;
        let result = match made.len() {
            1 => Result::One(made.remove(0)),
            _ => Result::Several { edits: made },
        };
        Ok(Output::new::<EditFile>(text, result))
    }
}

/// The error of an edit, which says which one of several it is.
fn in_order(error: ToolError, at: usize, count: usize) -> ToolError {
    match count {
        1 => error,
        _ => ToolError { message: format!("Edit {} of {count}: {}", at + 1, error.message), ..error },
    }
}

impl EditFile {
    /// The edits in order, each with its file.
    fn edits(self) -> std::result::Result<Vec<(String, Edit)>, ToolError> {
        let EditFile { path, old, new, all, count, edits } = self;
        let missing = |name: &str| ToolError::bad_args(format!("{name} is required"));
        if edits.is_empty() {
            let path = path.ok_or_else(|| missing("`path`"))?;
            let (old, new) = (old.ok_or_else(|| missing("`old`"))?, new.ok_or_else(|| missing("`new`"))?);
            return Ok(vec![(path, Edit { path: None, old, new, all, count })]);
        }
        if old.is_some() || new.is_some() || all || count.is_some() {
            return Err(ToolError::bad_args("`edits` stands in place of `old` and `new`")
                .hint("Put every edit into `edits`, with its own `old` and `new`."));
        }
        let with_file = |edit: Edit| {
            let path = edit.path.clone().or_else(|| path.clone());
            Ok((path.ok_or_else(|| missing("`path`"))?, edit))
        };
        edits.into_iter().map(with_file).collect()
    }
}

impl Edit {
    /// Makes the edit in `file`, and says in `text` what it did.
    fn make(&self, file: &mut File, deadline: &Deadline, text: &mut String) -> std::result::Result<Edited, ToolError> {
        if self.old.is_empty() {
            return self.create(file, text);
        }
        if self.old == self.new {
            return Err(ToolError::bad_args("`old` and `new` are the same"));
        }
        let content = file.present()?;
        let ends = LineEnds::of(content);
        let (old, new) = (ends.follow(self.old.as_bytes()), ends.follow(self.new.as_bytes()));
        if old == new {
            let hint = "They differ in line breaks only, and the lines of the file all end alike. Use write_file to change them.";
            return Err(ToolError::bad_args("`old` and `new` are the same").hint(hint));
        }
        let wanted = match self.count.map(NonZeroUsize::get) {
            Some(1) => Wanted::One,
            Some(count) => Wanted::Exactly(count),
            None if self.all => Wanted::All,
            None => Wanted::One,
        };
        let places = Search { named: &file.named, content, old: &old, ends }.places(wanted, deadline)?;
        let lines = place::lines_of(content, &places);
        let size = place::size_after(content.len(), places.len(), old.len(), new.len()).unwrap_or(usize::MAX);
        file.ensure_room(size)?;
        let edited = place::replaced(content, &places, old.len(), &new, size);
        file.put(edited)?;
        let shown = file.path.shown();
        let named = place::named(&lines, places.len());
        text.push_str(&match places.len() {
            1 => format!("Replaced 1 occurrence in {shown} ({named})\n"),
            count => format!("Replaced {count} occurrences in {shown} ({named})\n"),
        });
        let line_ends = ends.name().filter(|_| new.as_ref() != self.new.as_bytes());
        if let Some(name) = line_ends {
            text.push_str(&format!("The line breaks of new were written as {name}, as all lines of the file end.\n"));
        } else if ends == LineEnds::Mixed && self.new.contains('\n') {
            text.push_str("Some lines of the file end with LF and some with CRLF, so new was written as it is.\n");
        }
        Ok(Edited { path: shown, replacements: places.len(), lines, size, line_ends })
    }

    /// Makes the file, which must be new or empty.
    fn create(&self, file: &mut File, text: &mut String) -> std::result::Result<Edited, ToolError> {
        if file.content.as_ref().is_some_and(|content| !content.is_empty()) {
            return Err(ToolError::bad_args(format!("`old` cannot be empty: {} has text", file.named))
                .hint("Give the text to replace, or use write_file to replace the whole file."));
        }
        file.put(self.new.clone().into_bytes())?;
        let (path, size) = (file.path.shown(), self.new.len());
        text.push_str(&format!("Wrote {size} bytes to {path}\n"));
        Ok(Edited { path, replacements: 0, lines: Vec::new(), size, line_ends: None })
    }
}
