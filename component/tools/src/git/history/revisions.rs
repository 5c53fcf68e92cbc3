//! Parses revisions in arguments.

mod misspelt;

use std::cell::RefCell;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::revision::plumbing::Spec;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::diff_selection::Selection;
use crate::git::history::merge_base;
use crate::git::store::abbrev::by_first_digits;
use crate::git::store::refs::{NAMED_LIKE_AN_ID, ambiguous, warns_of_ambiguity};
use crate::git::store::repo::{Repo, damaged};
use crate::platform;

/// Looks revisions up for one call.
pub struct Revisions<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// Whether git would need `--` to tell revisions from paths, because paths follow or a path has a revision's name. git's messages
    /// depend on it.
    has_end: bool,
    /// The working folder, relative to the root. A path there may have the name of a revision.
    folder: String,
    /// git's output on its error stream.
    warnings: RefCell<String>,
}

impl<'a> Revisions<'a> {
    /// Looks up the revisions `named` for a call in `folder`, which is relative to the root.
    pub fn new<'n>(
        repo: &'a Repo,
        folder: String,
        has_paths: bool,
        named: impl IntoIterator<Item = &'n String>,
    ) -> Revisions<'a> {
        let mut revisions = Revisions { repo, has_end: has_paths, folder, warnings: RefCell::default() };
        revisions.has_end |= named.into_iter().any(|name| revisions.is_path(name));
        revisions
    }

    /// Whether the working folder has a path with this name.
    fn is_path(&self, named: &str) -> bool {
        let folder = &self.folder;
        let path = if folder.is_empty() { named.to_owned() } else { format!("{folder}/{named}") };
        !named.is_empty() && !named.contains('\0') && self.repo.stat(path.as_str().into()).is_ok()
    }

    /// git's output on its error stream about the revisions looked up so far.
    pub fn warnings(self) -> String {
        self.warnings.into_inner()
    }

    /// The trees of two revisions. It looks up both before it checks either, as git does.
    pub fn trees(&self, from: &str, to: &str) -> Result<Selection, ToolError> {
        let (old, new) = (self.parse(from)?, self.parse(to)?);
        let tree = |spec, named: &str| match spec {
            Spec::Include(id) => self.peel(id, named),
            _ => Err(ToolError::bad_args(format!("Not a single revision: {named}"))),
        };
        Ok(Selection::Trees(tree(old, from)?, tree(new, to)?))
    }

    /// The sides that a single argument selects: `a` and the working tree, `a..b`, or `a...b`.
    pub fn selection(&self, named: &str, deadline: &Deadline) -> Result<Selection, ToolError> {
        deadline.poll()?;
        match self.parse(named)? {
            Spec::Include(id) => Ok(Selection::TreeToWorktree(self.peel(id, named)?)),
            Spec::Range { from, to } => {
                let from = self.peel(from, named)?;
                Ok(Selection::Trees(from, self.peel(to, named)?))
            }
            Spec::Merge { theirs, ours } => {
                let base = self.merge_base(theirs, ours, named, deadline)?;
                Ok(Selection::Trees(self.peel(base, named)?, self.peel(ours, named)?))
            }
            _ => Err(ToolError::bad_args(format!("Cannot compare with this revision: {named}"))),
        }
    }

    fn merge_base(
        &self,
        theirs: ObjectId,
        ours: ObjectId,
        named: &str,
        deadline: &Deadline,
    ) -> Result<ObjectId, ToolError> {
        let [theirs, ours] = [self.commit(theirs, named)?, self.commit(ours, named)?];
        let bases = merge_base::of(self.repo, theirs, ours, deadline)?;
        let (from, to) = named.split_once("...").unwrap_or((named, ""));
        let name = |side: &str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
        let named = format!("{}...{}", name(from), name(to));
        let Some(base) = bases.first() else {
            return Err(ToolError::failed(format!("fatal: {named}: no merge base")));
        };
        if bases.len() > 1 {
            self.warn(&format!("warning: {named}: multiple merge bases, using {base}\n"));
        }
        Ok(*base)
    }

    /// The revision or range that `named` means to git.
    pub fn parse(&self, named: &str) -> Result<Spec, ToolError> {
        // git would take a name with a leading dash as an option.
        if named.is_empty() || named.starts_with('-') || named.contains('\0') {
            return Err(misspelt::explain(self, named));
        }
        // An unborn branch has no usable reflog.
        let is_log =
            |side: &str| ["HEAD@{", "@{"].iter().any(|name| side.starts_with(name)) && !side.starts_with("@{u");
        if sides(named).any(is_log) && self.repo.head()?.id().is_none() {
            return Err(misspelt::explain(self, named));
        }
        let without = without_parent(named);
        if let Some((_, None)) = without {
            return Err(misspelt::explain(self, named));
        }
        self.warn_of_ambiguity(named)?;
        if let Some((name, Some(number))) = without {
            if let Some(range) = self.without_parent(name, number)? {
                // git looks up the name for its parent, and then for itself.
                self.warn_of_ambiguity(named)?;
                return Ok(range);
            }
            // The rest can only be a path, or a text to search for, that contains `^-`.
            if !named.contains(':') {
                return Err(misspelt::explain(self, named));
            }
        }
        // Forty digits mean an id, even if a ref has that name.
        let is_missing = |side| id(side).is_some_and(|id| !self.repo.gix.has_object(id));
        if sides(named).any(is_missing) {
            return Err(misspelt::explain(self, named));
        }
        let spelt = misspelt::spelt_out(self, named);
        if let Some(Ok(spec)) = spelt.map(|spelt| self.repo.gix.rev_parse(spelt.as_bytes().as_bstr())) {
            let spec = spec.detach();
            if let Spec::ExcludeParents(_) = spec {
                self.warn_of_ambiguity(named)?;
            }
            return Ok(spec);
        }
        // To choose its message, git walks to the ancestor once more.
        if !self.has_end && !named.contains("..") && !named.contains(':') && named.contains(['~', '^']) {
            self.warn_of_ambiguity(named)?;
        }
        Err(misspelt::explain(self, named))
    }

    /// The range from the parent with this number, counted from one, to `name`. `None` if there is no such parent. gix would apply the
    /// suffixes after the first name only to the parent.
    fn without_parent(&self, name: &str, number: usize) -> Result<Option<Spec>, ToolError> {
        let spelt = misspelt::spelt_out(self, name);
        let Some(Ok(to)) = spelt.map(|spelt| self.repo.gix.rev_parse_single(spelt.as_bytes().as_bstr())) else {
            return Ok(None);
        };
        let to = to.detach();
        let object = self.repo.gix.try_find_object(to).map_err(|error| damaged(&error))?;
        let Some(commit) = object.and_then(|object| object.peel_to_commit().ok()) else {
            return Ok(None);
        };
        // A boundary commit has no parents.
        if self.repo.shallow()?.contains(&commit.id) {
            return Ok(None);
        }
        Ok(commit.parent_ids().nth(number - 1).map(|from| Spec::Range { from: from.detach(), to }))
    }

    /// Warns of each name that means more than one ref.
    fn warn_of_ambiguity(&self, named: &str) -> Result<(), ToolError> {
        if !warns_of_ambiguity(self.repo) {
            return Ok(());
        }
        let mut before = None;
        for side in sides(named) {
            let before = before.replace(side);
            let name = name(side);
            // For a reflog, only refs with a log count. For an upstream, none do.
            let mark = &side[name.len()..];
            let is_log = mark.starts_with("@{") && !mark.starts_with("@{u");
            if mark.starts_with("@{u") {
                continue;
            }
            let mut refs = 0;
            for rule in RULES {
                let full = BString::from(rule.replace('%', name));
                let log = self.repo.git_dir().join("logs").join(rule.replace('%', name));
                let counts = !is_log || platform::stat(&log).is_ok_and(|log| log.kind == platform::Kind::File);
                refs += usize::from(!name.is_empty() && counts && self.repo.has_ref(full.as_bstr())?);
            }
            let is_id = id(side).is_some();
            let is_too = || refs > 1 || is_id || by_first_digits(self.repo, name.into()).is_some();
            // git stops at the first side that is unknown.
            if refs > 0 && is_too() && before.is_none_or(|before| misspelt::is_known(self, before)) {
                self.warn(&ambiguous(name));
                if is_id {
                    self.warn(NAMED_LIKE_AN_ID);
                }
            }
        }
        Ok(())
    }

    fn warn(&self, lines: &str) {
        self.warnings.borrow_mut().push_str(lines);
    }

    /// The warnings so far. They come before an error message.
    fn said(&self) -> String {
        self.warnings.borrow().clone()
    }

    fn peel(&self, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
        let object = self.repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        let tree = object.peel_to_tree();
        Ok(tree.map_err(|_| ToolError::bad_args(format!("Not a commit or a tree: {named}")))?.id)
    }

    fn commit(&self, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
        let object = self.repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        let commit = object.peel_to_kind(gix::objs::Kind::Commit);
        let invalid = format!("fatal: Invalid symmetric difference expression {named}");
        Ok(commit.map_err(|_| ToolError::bad_args(invalid))?.id)
    }
}

/// The full names that a short name can mean. The first match wins.
const RULES: [&str; 6] = ["%", "refs/%", "refs/tags/%", "refs/heads/%", "refs/remotes/%", "refs/remotes/%/HEAD"];

/// The name in `name^-` or `name^-2`, and the number of the parent, counted from one. The number is `None` if it is invalid.
fn without_parent(named: &str) -> Option<(&str, Option<usize>)> {
    let (name, number) = named.split_once("^-").filter(|_| !named.contains(".."))?;
    let number = if number.is_empty() { Some(1) } else { number.trim_ascii_start().parse::<u32>().ok() };
    let number = number.and_then(|number| usize::try_from(number).ok());
    Some((name, number.filter(|number| *number > 0)))
}

/// The name at the beginning of a revision.
fn name(side: &str) -> &str {
    let end = side.find(['~', '^', ':']).into_iter().chain(side.find("@{")).min();
    end.map_or(side, |end| &side[..end])
}

/// The id at the beginning of a revision. Before a reflog entry, the same digits are a ref's name.
fn id(side: &str) -> Option<ObjectId> {
    let name = name(side);
    misspelt::full(name).filter(|_| !side[name.len()..].starts_with("@{"))
}

/// The one or two revisions in `named`.
fn sides(named: &str) -> impl Iterator<Item = &str> {
    let two = named.split_once("...").or_else(|| named.split_once(".."));
    let (first, second) = two.map_or((named, None), |(first, second)| (first, Some(second)));
    std::iter::once(first).chain(second)
}
