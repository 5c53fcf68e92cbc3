//! What is to be written where: from the files as they are, what they are to hold, and what an
//! earlier set-up has left. Nothing is written here.

use std::path::{Path, PathBuf};

use super::change::Unfit;
use super::client::{Content, Edit};
use super::record::{Undo, Written};
use super::{ignore, json, markdown, toml};
use crate::error::{ErrorKind, HostError, Result};

/// A file that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The file.
    pub file: PathBuf,
    /// Its text now. `None` if it does not exist.
    pub before: Option<String>,
    /// Its text then. `None` if it goes away.
    pub after: Option<String>,
}

/// What is to be written.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The files that change.
    pub steps: Vec<Step>,
    /// What takes all of it back.
    pub written: Vec<Written>,
    /// Files of gitgate's that somebody else has changed, and that stay for it.
    pub kept: Vec<PathBuf>,
}

/// Reads a file's text. `None` if it does not exist.
pub type Read<'a> = dyn Fn(&Path) -> Result<Option<String>> + 'a;

/// Plans a set-up. What an earlier one has `written` is taken back first, so that nothing of it stays
/// that this one does not want.
pub fn set_up(written: &[Written], edits: &[Edit], read: &Read<'_>) -> Result<Plan> {
    let mut plan = Plan::default();
    let mut edits: Vec<(PathBuf, &Content)> =
        edits.iter().map(|edit| Ok((name(edit, read)?, &edit.content))).collect::<Result<_>>()?;
    for earlier in written {
        let at = edits.iter().position(|(file, _)| *file == earlier.file);
        let content = at.map(|at| edits.remove(at).1);
        plan.file(&earlier.file, Some(earlier), content, read)?;
    }
    for (file, content) in edits {
        plan.file(&file, None, Some(content), read)?;
    }
    Ok(plan)
}

/// Plans to take back what a set-up has written.
pub fn undo(written: &[Written], read: &Read<'_>) -> Result<Plan> {
    set_up(written, &[], read)
}

/// The name of the file that an edit is about.
fn name(edit: &Edit, read: &Read<'_>) -> Result<PathBuf> {
    match &edit.or {
        Some(other) if read(other)?.is_some() => Ok(other.clone()),
        _ => Ok(edit.file.clone()),
    }
}

impl Plan {
    /// The files that exist because of this set-up, or of an earlier one that it takes over.
    pub fn created(&self) -> Vec<&Path> {
        let created = self.written.iter().filter(|written| written.former.is_none());
        created.filter(|written| !matches!(written.undo, Undo::Ignored(_))).map(|written| &*written.file).collect()
    }

    /// Whether this file changes.
    pub fn changes(&self, file: &Path) -> bool {
        self.steps.iter().any(|step| step.file == file)
    }

    fn file(
        &mut self,
        file: &Path,
        earlier: Option<&Written>,
        content: Option<&Content>,
        read: &Read<'_>,
    ) -> Result<()> {
        let before = read(file)?;
        let fit = |fit: std::result::Result<_, Unfit>| fit.map_err(|unfit| named(file, unfit));
        let is_as_left = earlier.is_some_and(|earlier| before.as_ref().is_some_and(|text| earlier.left.contains(text)));
        let former = match (earlier, &before) {
            (Some(earlier), _) if is_as_left => earlier.former.clone(),
            (Some(earlier), Some(text)) => fit(reverted(text, earlier))?,
            (_, before) => before.clone(),
        };
        let is_theirs = before.is_some() && !is_as_left && earlier.is_some_and(|earlier| earlier.undo == Undo::Whole);
        if is_theirs && content.is_none() {
            self.kept.push(file.to_owned());
        }
        let mut after = former.clone();
        if let Some(content) = content {
            let (text, undo) = applied(former.as_deref(), content).map_err(|unfit| named(file, unfit))?;
            if let Some(undo) = undo {
                let mut left = vec![text.clone()];
                if is_as_left {
                    // A process that is killed between two files has written this one or not.
                    left.extend(earlier.iter().flat_map(|earlier| earlier.left.clone()).filter(|old| *old != text));
                }
                self.written.push(Written { file: file.to_owned(), former, left, undo });
                after = Some(text);
            }
        }
        if before != after {
            self.steps.push(Step { file: file.to_owned(), before, after });
        }
        Ok(())
    }
}

/// The text with the content, and what takes it back if it was not there.
fn applied(text: Option<&str>, content: &Content) -> Result<(String, Option<Undo>), Unfit> {
    let (mark, plain) = unmarked(text.unwrap_or_default());
    let (new, undo) = match content {
        Content::Whole(whole) => return Ok((whole.clone(), (text != Some(whole)).then_some(Undo::Whole))),
        Content::Json(changes) => {
            let (new, taken) = json::apply(plain, changes)?;
            (new, (!taken.is_empty()).then_some(Undo::Json(taken)))
        }
        Content::Toml(changes) => {
            let (new, taken) = toml::apply(plain, changes)?;
            (new, (!taken.is_empty()).then_some(Undo::Toml(taken)))
        }
        Content::Ignored(patterns) => {
            let (new, taken) = ignore::apply(plain, patterns);
            (new, taken.map(Undo::Ignored))
        }
        Content::Section(body) => {
            let (new, taken) = markdown::apply(plain, body)?;
            (new, taken.map(Undo::Section))
        }
    };
    Ok((format!("{mark}{new}"), undo))
}

/// The text without what was added to it, if it is not as it was left. `None` if nothing else is in
/// the file, and there was none before.
fn reverted(text: &str, earlier: &Written) -> Result<Option<String>, Unfit> {
    let (mark, plain) = unmarked(text);
    let (new, says_nothing): (String, fn(&str) -> bool) = match &earlier.undo {
        Undo::Json(taken) => (json::revert(plain, taken)?, json::says_nothing),
        Undo::Toml(taken) => (toml::revert(plain, taken)?, toml::says_nothing),
        Undo::Section(taken) => (markdown::revert(plain, taken)?, |text| text.trim().is_empty()),
        Undo::Ignored(taken) => (ignore::revert(plain, taken), |text| text.trim().is_empty()),
        Undo::Whole => return Ok(Some(text.to_owned())),
    };
    let goes = earlier.former.is_none() && says_nothing(&new);
    Ok((!goes).then(|| format!("{mark}{new}")))
}

/// The byte order mark, which no format takes for a part of itself, and the text behind it.
fn unmarked(text: &str) -> (&str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(plain) => ("\u{feff}", plain),
        None => ("", text),
    }
}

fn named(file: &Path, unfit: Unfit) -> HostError {
    HostError::new(ErrorKind::Usage, format!("{} {}", file.display(), unfit.message))
        .hint(format!("{}; nothing has changed", unfit.hint))
}
