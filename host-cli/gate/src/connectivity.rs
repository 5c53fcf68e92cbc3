//! Whether everything that objects name is there, and whether everything that came is needed.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::{Fault, FaultKind},
    format::{
        special::Special,
        tree::{self, Mode},
    },
    history::{self, History, Trees},
    objects::{Objects, Overlay, Supplied},
    pack::VerifiedPack,
    text,
};

/// Checks that every object of a pack finds what it names: in the pack, in `have`, or, where the pack says
/// so, not at all: parents of commits in `shallow`, and blobs if `absent_blobs`.
///
/// As this holds for every object, it holds for whatever is reachable from any of them.
///
/// # Errors
/// [`FaultKind::MissingObject`], or [`FaultKind::MalformedObject`] if something is there as another kind.
pub fn complete(
    pack: &VerifiedPack,
    have: &dyn Objects,
    shallow: &HashSet<ObjectId>,
    absent_blobs: bool,
) -> Result<(), Fault> {
    let all = Overlay { pack, below: have };
    for (id, kind) in pack.links() {
        match all.header(id)? {
            Some((found, _)) if found == *kind => {}
            Some((found, _)) => return Err(wrong_kind(id, *kind, found)),
            None if absent_blobs && *kind == Kind::Blob => {}
            None => return Err(history::missing(id, &kind.to_string())),
        }
    }
    for (commit, parent) in pack.parents() {
        match all.header(parent)? {
            Some((Kind::Commit, _)) => {}
            Some((found, _)) => return Err(wrong_kind(parent, Kind::Commit, found)),
            None if shallow.contains(commit) => {}
            None => return Err(history::missing(parent, "commit")),
        }
    }
    Ok(())
}

/// Checks that the commits of a push are whole, and that the pack holds nothing else.
///
/// A tree is compared with the trees at the same path of the commit's parents: what they have the target
/// has, or an earlier commit of the push brought. Everything else is followed to its end, also through
/// trees of the target, which may hold leftovers that are not whole.
pub(crate) fn exact(all: Overlay<'_>, history: &History, supplied: &Supplied) -> Result<(), Fault> {
    let mut walk = Walk {
        all,
        supplied,
        needed: vec![false; all.pack.objects().len()],
        walked: HashSet::new(),
        obeyed: HashSet::new(),
        comparable: COMPARED,
    };
    let commits = || history.supplied.iter().chain(&history.new);
    let mut trees = Trees::of(&all, commits());
    for commit in commits() {
        walk.take(&commit.id, Kind::Commit, b"".as_bstr())?;
        walk.tree(commit.tree, trees.of_all(&commit.parents)?)?;
    }
    let mut unneeded =
        walk.needed.iter().zip(all.pack.objects()).filter(|(needed, _)| !**needed).map(|(_, object)| object);
    let Some(first) = unneeded.next() else {
        return Ok(());
    };
    let others = match unneeded.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Err(Fault::new(
        FaultKind::UnneededObject,
        format!("the pack holds the {} {}{others}, which the push does not need", first.kind, first.id),
    ))
}

/// Bytes of parents' trees that a push may be compared with: a folder is compared with that of every parent, so
/// merges can ask for far more than they bring. A push of 10,000 commits with folders of 100 kB takes 1 GiB.
const COMPARED: u64 = 8 << 30;

struct Walk<'a> {
    all: Overlay<'a>,
    supplied: &'a Supplied,
    /// By position in the pack.
    needed: Vec<bool>,
    walked: HashSet<ObjectId>,
    /// Files that git obeys and that were found harmless.
    obeyed: HashSet<(ObjectId, Special)>,
    /// What is left of [`COMPARED`].
    comparable: u64,
}

impl Walk<'_> {
    /// Notes that `id` is needed, as `kind`; `name` is where it was named.
    fn take(&mut self, id: &ObjectId, kind: Kind, name: &BStr) -> Result<(), Fault> {
        let found = match self.all.pack.position(id) {
            Some(at) => {
                self.needed[at] = true;
                Some(self.all.pack.objects()[at].kind)
            }
            None => self.all.below.header(id)?.map(|(kind, _)| kind),
        };
        match found {
            Some(found) if found == kind => Ok(()),
            Some(found) => Err(wrong_kind(id, kind, found)),
            None if name.is_empty() => Err(history::missing(id, &kind.to_string())),
            None => Err(history::missing(id, &format!("{kind} '{}',", text::name(name)))),
        }
    }

    fn tree(&mut self, root: ObjectId, parents: Vec<ObjectId>) -> Result<(), Fault> {
        let mut open = vec![(root, parents, BString::default())];
        let mut data = Vec::new();
        while let Some((id, others, name)) = open.pop() {
            if others.contains(&id) || !self.walked.insert(id) {
                continue;
            }
            self.take(&id, Kind::Tree, name.as_bstr())?;
            self.all.find(&id, &mut data)?;
            let new = !self.supplied.contains(&id);
            let others = others.iter().map(|other| self.entries(other)).collect::<Result<Vec<_>, _>>()?;
            for entry in tree::entries(&data) {
                let entry = entry.map_err(|broken| broken.of(Kind::Tree, &id))?;
                let there = || others.iter().filter_map(|other| other.get(entry.name));
                // What a link points to is no content for git: a link that becomes a file is looked at.
                let alike = |mode: Mode| {
                    mode.kind() == entry.mode.kind() && (mode == Mode::Symlink) == (entry.mode == Mode::Symlink)
                };
                if there().any(|(mode, id)| alike(*mode) && *id == entry.id) {
                    continue;
                }
                if new {
                    tree::check_new(&entry).map_err(|broken| broken.of(Kind::Tree, &id))?;
                }
                let Some(kind) = entry.mode.kind() else {
                    continue;
                };
                if kind == Kind::Tree {
                    let below = there().filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| *id).collect();
                    open.push((entry.id.to_owned(), below, entry.name.to_owned()));
                } else {
                    self.take(&entry.id.to_owned(), kind, entry.name)?;
                    if new {
                        self.special(&entry)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks the content of a file that git obeys. What the parents have under the same name is theirs.
    fn special(&mut self, entry: &tree::Entry<'_>) -> Result<(), Fault> {
        let Some(special) = Special::named(entry.name).filter(|_| entry.mode != Mode::Symlink) else {
            return Ok(());
        };
        if self.obeyed.insert((entry.id.to_owned(), special)) {
            let mut data = Vec::new();
            self.all.find(entry.id, &mut data)?;
            special.check(&data).map_err(|broken| broken.of(Kind::Blob, entry.id))?;
        }
        Ok(())
    }

    /// A parent's tree; one that cannot be found vouches for nothing.
    fn entries(&mut self, id: &ObjectId) -> Result<HashMap<BString, (Mode, ObjectId)>, Fault> {
        let mut data = Vec::new();
        match self.all.find(id, &mut data)? {
            Some(Kind::Tree) => {
                self.comparable = self
                    .comparable
                    .checked_sub(data.len() as u64)
                    .ok_or_else(|| Fault::too_large("the push has more folders than can be compared"))?;
                let read = tree::read(&data).map_err(|broken| broken.of(Kind::Tree, id))?;
                Ok(read.into_iter().map(|(name, mode, id)| (name, (mode, id))).collect())
            }
            _ => Ok(HashMap::new()),
        }
    }
}

fn wrong_kind(id: &ObjectId, expected: Kind, found: Kind) -> Fault {
    Fault::new(FaultKind::MalformedObject, format!("{id} is named as a {expected} and is a {found}"))
}
