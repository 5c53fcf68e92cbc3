//! Walks the trees of a push in bounded memory.

use patch::sort::{sort, sort_by_key};
use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    connectivity::wrong_kind,
    error::Fault,
    format::{
        Broken,
        special::Special,
        tree::{self, Mode},
    },
    history,
    objects::{Objects, Overlay, Supplied},
    text,
};

/// The most bytes of parents' trees that a push may be compared with. Each folder is compared with
/// those of every parent, so merges can require far more than they bring. A push of 10,000 commits
/// with folders of 100 kB takes 1 GiB.
const COMPARED: u64 = 8 << 30;

/// The most bytes of folders still to be followed, including the parents' folders to compare each
/// with. A tree names a folder in fewer bytes than it takes here, and a chain of trees keeps the
/// folders of all its levels open.
const OPEN: usize = 512 << 20;

/// A folder still to be followed.
struct Folder {
    id: ObjectId,
    /// The parents' entries in its place.
    others: Vec<ObjectId>,
    name: BString,
}

impl Folder {
    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.others) + self.name.len()
    }
}

/// How a tree compares with the parents' trees, by position of its entries.
struct Alike {
    /// A parent has the same entry.
    same: Vec<bool>,
    /// The parents' folders in the place of a differing one; sorted.
    folders: Vec<(usize, ObjectId)>,
}

impl Alike {
    /// The folders in the place of entry `at`, without duplicates.
    fn folders(&self, at: usize) -> Vec<ObjectId> {
        let from = self.folders.partition_point(|(place, _)| *place < at);
        let to = self.folders.partition_point(|(place, _)| *place <= at);
        self.folders[from..to].iter().map(|(_, id)| *id).collect()
    }
}

/// The trees of a push, each walked once.
pub(crate) struct Walk<'a> {
    all: Overlay<'a>,
    supplied: &'a Supplied,
    /// By position in the pack: whether a commit or a tree named the object.
    pub needed: Vec<bool>,
    walked: HashSet<ObjectId>,
    /// Files that git obeys and that turned out harmless.
    obeyed: HashSet<(ObjectId, Special)>,
    /// The unused part of [`COMPARED`].
    comparable: u64,
    /// The unused part of [`OPEN`].
    room: usize,
}

impl<'a> Walk<'a> {
    pub fn new(all: Overlay<'a>, supplied: &'a Supplied) -> Self {
        Walk {
            all,
            supplied,
            needed: vec![false; all.pack.objects().len()],
            walked: HashSet::new(),
            obeyed: HashSet::new(),
            comparable: COMPARED,
            room: OPEN,
        }
    }

    /// Notes that `id` is needed as `kind`; `name` is the place that names it.
    pub fn take(&mut self, id: &ObjectId, kind: Kind, name: &BStr) -> Result<(), Fault> {
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

    /// Follows the tree of a commit whose parents have the trees `parents`.
    pub fn tree(&mut self, root: ObjectId, parents: Vec<ObjectId>) -> Result<(), Fault> {
        let mut open = Vec::new();
        self.open(&mut open, Folder { id: root, others: parents, name: BString::default() })?;
        let mut data = Vec::new();
        while let Some(folder) = open.pop() {
            self.room += folder.bytes();
            let Folder { id, others, name } = folder;
            if others.contains(&id) || !self.walked.insert(id) {
                continue;
            }
            self.take(&id, Kind::Tree, name.as_bstr())?;
            self.all.find(&id, &mut data)?;
            let new = !self.supplied.contains(&id);
            let alike = self.compare(&id, &data, &others)?;
            for (at, entry) in tree::entries(&data).enumerate() {
                let entry = entry.map_err(|broken| broken.of(Kind::Tree, &id))?;
                if alike.same.get(at) == Some(&true) {
                    continue;
                }
                if new {
                    tree::check_new(&entry).map_err(|broken| broken.of(Kind::Tree, &id))?;
                }
                let Some(kind) = entry.mode.kind() else {
                    continue;
                };
                if kind == Kind::Tree {
                    let (id, others, name) = (entry.id.to_owned(), alike.folders(at), entry.name.to_owned());
                    self.open(&mut open, Folder { id, others, name })?;
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

    /// Checks the content of a file that git obeys, unless a parent already has it under the same
    /// name.
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

    fn open(&mut self, open: &mut Vec<Folder>, folder: Folder) -> Result<(), Fault> {
        self.room = self.room.checked_sub(folder.bytes()).ok_or_else(too_many_folders)?;
        open.push(folder);
        Ok(())
    }

    /// Compares the tree `id`, whose content is `data`, with `others`, one in memory at a time. A
    /// missing tree vouches for nothing.
    fn compare(&mut self, id: &ObjectId, data: &[u8], others: &[ObjectId]) -> Result<Alike, Fault> {
        let mut alike = Alike { same: Vec::new(), folders: Vec::new() };
        if others.is_empty() {
            return Ok(alike);
        }
        let mut entries = tree::entries(data)
            .enumerate()
            .map(|(at, entry)| Ok((entry?, at)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|broken: Broken| broken.of(Kind::Tree, id))?;
        sort_by_key(&mut entries, |(entry, _)| entry.name);
        alike.same = vec![false; entries.len()];
        let mut theirs = Vec::new();
        for other in others {
            if self.all.find(other, &mut theirs)? != Some(Kind::Tree) {
                continue;
            }
            self.comparable = self
                .comparable
                .checked_sub(theirs.len() as u64)
                .ok_or_else(|| Fault::too_large("the push has more folders than can be compared"))?;
            for their in tree::entries(&theirs) {
                let their = their.map_err(|broken| broken.of(Kind::Tree, other))?;
                let from = entries.partition_point(|(entry, _)| entry.name < their.name);
                for (entry, at) in entries[from..].iter().take_while(|(entry, _)| entry.name == their.name) {
                    // git does not read the target of a link as content, so check a link that
                    // becomes a file.
                    let kind = entry.mode.kind() == their.mode.kind()
                        && (entry.mode == Mode::Symlink) == (their.mode == Mode::Symlink);
                    if kind && entry.id == their.id {
                        alike.same[*at] = true;
                    } else if entry.mode == Mode::Tree && their.mode == Mode::Tree {
                        alike.folders.push((*at, their.id.to_owned()));
                    }
                }
            }
            if size_of_val(&*alike.folders) > self.room {
                return Err(too_many_folders());
            }
        }
        sort(&mut alike.folders);
        alike.folders.dedup();
        Ok(alike)
    }
}

fn too_many_folders() -> Fault {
    Fault::too_large("the push has more folders than can be followed at once")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use gix_hash::oid;

    use super::*;
    use crate::{
        error::FaultKind,
        pack::{self, Origin, PackLimits},
    };

    #[derive(Default)]
    struct Folders(HashMap<ObjectId, Vec<u8>>);

    impl Folders {
        /// A tree of folders `a`, `b` and so on.
        fn add(&mut self, folders: &[ObjectId]) -> ObjectId {
            let entries = (b'a'..).zip(folders).map(|(name, id)| [b"40000 ", &[name, 0][..], id.as_slice()].concat());
            self.put(entries.collect::<Vec<_>>().concat())
        }

        /// A tree of a submodule, which has nothing below.
        fn leaf(&mut self, name: u8) -> ObjectId {
            self.put([&b"160000 "[..], &[name, 0], &[1; 20]].concat())
        }

        fn put(&mut self, tree: Vec<u8>) -> ObjectId {
            let id = gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Tree, &tree).unwrap();
            self.0.insert(id, tree);
            id
        }
    }

    impl Objects for Folders {
        fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
            Ok(self.0.get(id).map(|tree| {
                out.clone_from(tree);
                Kind::Tree
            }))
        }
    }

    #[test]
    fn attack_21_open_folders_take_no_more_room_than_there_is() {
        let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
        let head = b"PACK\0\0\0\x02\0\0\0\0";
        hasher.update(head);
        let empty = [&head[..], hasher.try_finalize().unwrap().as_slice()].concat();
        let pack = pack::verify(empty.into(), &PackLimits::push(), Origin::New).unwrap();
        let mut folders = Folders::default();
        let [new, old] = [b'A', b'a'].map(|name| {
            let leaves: Vec<_> = (0..10).map(|leaf| folders.leaf(name + leaf)).collect();
            folders.add(&leaves)
        });
        let twin = folders.put([&folders.0[&new][..], b"160000 z\0", &[1; 20]].concat());
        let walked = |room, parents: &[ObjectId]| {
            let nothing = Supplied::default();
            let mut walk = Walk { room, ..Walk::new(Overlay { pack: &pack, below: &folders }, &nothing) };
            walk.tree(new, parents.to_vec()).map(|()| walk.room).map_err(|fault| fault.kind)
        };
        let room = 10 * (size_of::<Folder>() + 1);
        assert_eq!(walked(room, &[]), Ok(room), "it is given back");
        assert_eq!(walked(room - 1, &[]), Err(FaultKind::TooLarge));
        // The parents' entries in the place of each folder take room as well.
        assert_eq!(walked(room + 199, &[old]), Err(FaultKind::TooLarge));
        assert_eq!(walked(room + 200, &[old]), Ok(room + 200));
        // So do folders that turn out useless, because another parent has the same as the new tree.
        let compared = 10 * size_of::<(usize, ObjectId)>();
        assert_eq!(walked(compared - 1, &[old, twin]), Err(FaultKind::TooLarge));
        assert_eq!(walked(compared, &[old, twin]), Ok(compared));
    }
}
