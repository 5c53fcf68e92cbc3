//! The refs that point to a commit, for `%d` and `%D` (git-log, `--decorate`).

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::store::repo::{Repo, damaged};

/// A ref that points to a commit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Name {
    /// The shown name, without `refs/heads/`, `refs/tags/` and `refs/remotes/`.
    pub short: BString,
    /// The kind of ref.
    pub kind: Kind,
}

/// The kind of a ref.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// HEAD's branch.
    Current,
    /// HEAD itself.
    Head,
    /// A tag.
    Tag,
    /// Anything else.
    Other,
}

/// The refs of all commits.
#[derive(Debug, Default)]
pub struct Decorations(BTreeMap<ObjectId, Vec<Name>>);

/// The prefixes of the shown refs. HEAD is shown too.
const SHOWN: [&str; 3] = ["refs/heads/", "refs/tags/", "refs/remotes/"];

impl Decorations {
    /// Collects the refs of `repo`.
    pub fn of(repo: &Repo, history: &History<'_>, deadline: &Deadline) -> Result<Decorations, ToolError> {
        let mut found = Decorations::default();
        let head = repo.head()?;
        let current = head.branch().map(|name| name.as_bstr());
        let platform = repo.gix.references().map_err(|error| damaged(&error))?;
        for reference in platform.all().map_err(|error| damaged(&error))? {
            deadline.poll()?;
            let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
            let name = reference.name().as_bstr().to_owned();
            let is_shown = name == "refs/stash" || SHOWN.iter().any(|prefix| name.starts_with_str(prefix));
            if !is_shown {
                continue;
            }
            // A symbolic ref can dangle.
            let Ok(target) = reference.follow_to_object() else { continue };
            let target = target.detach();
            let Ok(peeled) = reference.peel_to_id() else { continue };
            found.add(peeled.detach(), name.as_bstr(), peeled != target, current);
        }
        if let Some(id) = head.id() {
            found.0.entry(id).or_default().push(Name { short: "HEAD".into(), kind: Kind::Head });
        }
        for id in history.boundary() {
            found.0.entry(*id).or_default().push(Name { short: "grafted".into(), kind: Kind::Other });
        }
        Ok(found)
    }

    fn add(&mut self, id: ObjectId, name: &BStr, is_annotated: bool, current: Option<&BStr>) {
        let short = SHOWN.iter().find_map(|prefix| name.strip_prefix(prefix.as_bytes())).unwrap_or(name);
        let kind = match () {
            () if is_annotated || name.starts_with(b"refs/tags/") => Kind::Tag,
            () if current == Some(name) => Kind::Current,
            () => Kind::Other,
        };
        self.0.entry(id).or_default().push(Name { short: short.into(), kind });
    }

    /// The refs of `id` in git's order, the last found first. HEAD's branch appears together with HEAD.
    pub fn on(&self, id: &ObjectId) -> impl Iterator<Item = &Name> {
        self.0.get(id).into_iter().flat_map(|names| names.iter().rev())
    }
}
