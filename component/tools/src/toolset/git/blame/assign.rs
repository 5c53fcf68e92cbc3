//! Assigns each line to a commit: passes lines on to the parents that have them, from the latest commit to the first.

use std::rc::Rc;

use patch::hunk::hunks;
use patch::sort::sort_by_key;

use super::history::{History, Place};
use super::origins::{OriginAt, Origins};
use super::rename::Renames;
use super::spans::{self, Span};
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::Repo;
use crate::git::store::version::LINK;

/// A blame in progress.
pub struct Assignment<'a> {
    pub repo: &'a Repo,
    pub deadline: &'a Deadline,
    pub history: History<'a>,
    pub origins: Origins,
    pub renames: Renames<'a>,
}

/// A run of lines and the file in a commit that git blames for it.
#[derive(Clone, Copy, Debug)]
pub struct Blamed {
    pub span: Span,
    pub origin: OriginAt,
}

impl Assignment<'_> {
    /// Finds the blamed files for the lines `span` of the file `start`, in the order of the lines.
    pub fn run(&mut self, start: OriginAt, span: Span) -> Result<Vec<Blamed>, ToolError> {
        let mut blamed: Vec<Blamed> = Vec::new();
        if span.count > 0 {
            self.suspect(start, vec![span])?;
        }
        while let Some(commit) = self.origins.next_commit() {
            while let Some(origin) = self.origins.next_of(commit) {
                self.deadline.poll()?;
                let parents = self.history.parents(commit)?;
                if self.history.get(commit).is_boundary {
                    self.history.mark_parents(commit, self.deadline)?;
                } else {
                    self.pass(origin, &parents)?;
                }
                if parents.is_empty() {
                    self.history.mark(commit);
                }
                let rest = std::mem::take(&mut self.origins.get_mut(origin).suspected);
                blamed.extend(rest.into_iter().map(|span| Blamed { span, origin }));
            }
        }
        sort_by_key(&mut blamed, |blamed| blamed.span.line);
        Ok(coalesced(blamed))
    }

    fn suspect(&mut self, origin: OriginAt, spans: Vec<Span>) -> Result<(), ToolError> {
        let time = self.history.time(self.origins.get(origin).commit)?;
        self.origins.suspect(origin, spans, time);
        Ok(())
    }

    /// Passes the lines of `origin` on to the parents of its commit that have them.
    fn pass(&mut self, origin: OriginAt, parents: &[Place]) -> Result<(), ToolError> {
        let mut found: Vec<Option<OriginAt>> = vec![None; parents.len()];
        for is_renamed in [false, true] {
            for (at, parent) in parents.iter().enumerate() {
                self.deadline.poll()?;
                if found[at].is_some() {
                    continue;
                }
                let before = match is_renamed {
                    false => self.same_path(*parent, origin)?,
                    true => self.renamed(*parent, origin)?,
                };
                let Some(before) = before else { continue };
                let blob = self.origins.get(before).blob;
                if blob == self.origins.get(origin).blob {
                    self.pass_whole(origin, before)?;
                    self.forget(origin, &found);
                    return Ok(());
                }
                let is_known = found[..at].iter().flatten().any(|other| self.origins.get(*other).blob == blob);
                found[at] = (!is_known).then_some(before);
            }
        }
        for before in found.iter().flatten() {
            if self.origins.get(origin).suspected.is_empty() {
                break;
            }
            self.compare(origin, *before)?;
        }
        self.forget(origin, &found);
        Ok(())
    }

    /// Drops contents that the next comparison does not need. With several parents it drops those of all and reads each again in its turn,
    /// because a merge can have very many parents.
    fn forget(&mut self, origin: OriginAt, found: &[Option<OriginAt>]) {
        self.origins.get_mut(origin).content = None;
        let is_only = found.iter().flatten().count() == 1;
        for before in found.iter().flatten() {
            let before = self.origins.get_mut(*before);
            if !is_only || before.suspected.is_empty() {
                before.content = None;
            }
        }
    }

    /// The file of `parent` at the path of `origin`, if it is of the same kind.
    fn same_path(&mut self, parent: Place, origin: OriginAt) -> Result<Option<OriginAt>, ToolError> {
        let (path, is_link) = (self.origins.get(origin).path, self.origins.get(origin).is_link);
        if let Some(known) = self.origins.known(parent, path) {
            return Ok(Some(known));
        }
        let tree = self.history.tree(parent)?;
        let before = self.origins.tree_path(path).find(self.repo, tree, self.deadline)?;
        let before = before.filter(|before| before.is_blob() && before.mode.is_link() == is_link);
        Ok(before.map(|before| self.origins.meet(parent, path, before.id, is_link)))
    }

    /// The file of `parent` that was renamed to `origin`.
    fn renamed(&mut self, parent: Place, origin: OriginAt) -> Result<Option<OriginAt>, ToolError> {
        let (path, commit) = (self.origins.get(origin).path, self.origins.get(origin).commit);
        let tree = self.history.tree(parent)?;
        // A path that exists in the parent, even as a file of another kind, is not new.
        let before = self.origins.tree_path(path).find(self.repo, tree, self.deadline)?;
        if before.is_some_and(|before| !before.mode.is_tree()) {
            return Ok(None);
        }
        let after = if self.history.is_worktree(commit) { None } else { Some(self.history.tree(commit)?) };
        let Some((name, version)) = self.renames.find(tree, after, self.origins.name(path))? else {
            return Ok(None);
        };
        let path = self.origins.path(name.as_ref());
        Ok(Some(self.origins.meet(parent, path, version.id, version.mode == LINK)))
    }

    /// Passes all lines on to a file with the same content.
    fn pass_whole(&mut self, origin: OriginAt, before: OriginAt) -> Result<(), ToolError> {
        let content = self.origins.get_mut(origin).content.take();
        let to = self.origins.get_mut(before);
        to.content = to.content.take().or(content);
        let spans = std::mem::take(&mut self.origins.get_mut(origin).suspected);
        self.suspect(before, spans)
    }

    /// Passes the lines that `before` has on to it.
    fn compare(&mut self, origin: OriginAt, before: OriginAt) -> Result<(), ToolError> {
        let contents = (self.content(before)?, self.content(origin)?);
        let suspected = std::mem::take(&mut self.origins.get_mut(origin).suspected);
        let parted = match contents {
            (Some(old), Some(new)) => {
                self.deadline.poll_units(units(old.len() + new.len()))?;
                let poll = || self.deadline.flow(1024);
                let options =
                    patch::Options { context: 0, deadline: patch::Deadline::new(&poll), ..Default::default() };
                let found = hunks(&old, &new, &options).map_err(|_| self.deadline.timeout(String::new()))?;
                let edits: Vec<_> = found.iter().flat_map(|hunk| hunk.edits.iter().cloned()).collect();
                spans::part(&suspected, &edits)
            }
            // The call asks for missing blobs and then starts again. Continuing now finds what else is missing.
            _ => spans::part(&suspected, &[]),
        };
        self.origins.get_mut(origin).suspected = parted.kept;
        self.suspect(before, parted.passed)
    }

    /// The content of a file, or `None` if the sandbox lacks it.
    fn content(&mut self, at: OriginAt) -> Result<Option<Rc<Vec<u8>>>, ToolError> {
        let origin = self.origins.get_mut(at);
        if origin.content.is_none() {
            origin.content = blob::read(self.repo, origin.blob)?.map(Rc::new);
        }
        Ok(origin.content.clone())
    }
}

/// Joins runs that are adjacent both in the blamed file and in their source.
fn coalesced(blamed: Vec<Blamed>) -> Vec<Blamed> {
    let mut joined: Vec<Blamed> = Vec::with_capacity(blamed.len());
    for next in blamed {
        if let Some(Blamed { span, origin }) = joined.last_mut()
            && *origin == next.origin
            && span.origin + span.count == next.span.origin
            && span.line + span.count == next.span.line
        {
            span.count += next.span.count;
        } else {
            joined.push(next);
        }
    }
    joined
}
