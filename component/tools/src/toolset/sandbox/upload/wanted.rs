//! The objects that a client may want: those that the refs reach that it is told of.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::objs::Kind;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::{peeling, rev_list};
use crate::git::store::pack_objects;
use crate::git::store::repo::{Repo, damaged};
use crate::toolset::sandbox::refs;

/// What is wanted.
pub struct Wanted {
    /// Commits, with all that they reach.
    pub commits: Vec<ObjectId>,
    /// Tags, and trees and blobs that are wanted by themselves.
    pub others: Vec<(ObjectId, Kind)>,
}

impl Wanted {
    /// Finds these objects.
    ///
    /// # Errors
    ///
    /// In git's words, if a ref that is told reaches one of them not: nobody gets what was undone or left aside by its id.
    pub fn find(repo: &Repo, wants: &BTreeSet<ObjectId>, deadline: &Deadline) -> Result<Wanted, ToolError> {
        let mut told = BTreeSet::from_iter(repo.head()?.id());
        refs::each(repo, deadline, &mut |_, id| {
            told.insert(id);
            Ok(())
        })?;
        let mut wanted = Wanted { commits: Vec::new(), others: Vec::new() };
        let (mut reached, mut trees) = (None, Vec::new());
        for want in wants {
            if !told.contains(want) {
                let reached = match &reached {
                    Some(reached) => reached,
                    None => reached.insert(Reached::by(repo, &told, deadline)?),
                };
                reached.ensure(repo, *want, deadline)?;
            }
            wanted.take(repo, *want, &mut trees)?;
        }
        wanted.others.extend(pack_objects::below(repo, &trees, deadline)?);
        Ok(wanted)
    }

    fn take(&mut self, repo: &Repo, want: ObjectId, trees: &mut Vec<ObjectId>) -> Result<(), ToolError> {
        let mut id = want;
        loop {
            let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
            match object.kind {
                Kind::Commit => {
                    self.commits.push(id);
                    return Ok(());
                }
                Kind::Tree => {
                    trees.push(id);
                    return Ok(());
                }
                Kind::Blob => {
                    self.others.push((id, Kind::Blob));
                    return Ok(());
                }
                Kind::Tag => {
                    self.others.push((id, Kind::Tag));
                    id = object.into_tag().target_id().map_err(|error| damaged(&error))?.detach();
                }
            }
        }
    }
}

/// What the refs reach, found as far as it has to be.
struct Reached {
    commits: BTreeSet<ObjectId>,
    /// Trees and blobs.
    others: std::cell::OnceCell<BTreeMap<ObjectId, Kind>>,
}

impl Reached {
    fn by(repo: &Repo, told: &BTreeSet<ObjectId>, deadline: &Deadline) -> Result<Reached, ToolError> {
        let mut tips = Vec::new();
        for id in told {
            tips.extend(peeling::end(repo, *id)?.filter(|(_, kind)| *kind == Kind::Commit).map(|(id, _)| id));
        }
        let commits = rev_list::between(repo, tips, &BTreeSet::new(), deadline)?.into_iter().collect();
        Ok(Reached { commits, others: Default::default() })
    }

    fn ensure(&self, repo: &Repo, want: ObjectId, deadline: &Deadline) -> Result<(), ToolError> {
        if self.commits.contains(&want) {
            return Ok(());
        }
        let others = match self.others.get() {
            Some(others) => others,
            None => {
                let commits = Vec::from_iter(self.commits.iter().copied());
                let objects = pack_objects::objects(repo, &commits, &[], &|_| false, true, deadline)?;
                self.others.get_or_init(|| patch::sort::map(objects))
            }
        };
        match others.contains_key(&want) {
            true => Ok(()),
            false => Err(ToolError::not_found(format!("upload-pack: not our ref {want}"))
                .hint("Fetch a branch or a tag, or what one of them reaches.")),
        }
    }
}
