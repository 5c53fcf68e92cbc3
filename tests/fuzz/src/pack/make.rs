//! Builds packs from choices: objects and deltas on each other, right ones and wrong ones, and damaged bytes.

use std::collections::HashMap;

use bytes::Bytes;
use gate::Fault;
use gate::objects::Objects;
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use crate::choices::Choices;
use crate::packer::{self, Packer};

/// The target's content: one commit with one file.
pub struct Target {
    pub head: ObjectId,
    tree: ObjectId,
    objects: HashMap<ObjectId, (Kind, Vec<u8>)>,
}

impl Target {
    pub fn new() -> Self {
        let mut objects = HashMap::new();
        let mut add = |kind, content: Vec<u8>| {
            let id = packer::id(kind, &content);
            objects.insert(id, (kind, content));
            id
        };
        let blob = add(Kind::Blob, b"kept\n".to_vec());
        let tree = add(Kind::Tree, packer::tree(&[("100644", b"kept.txt", blob)]));
        let head = add(Kind::Commit, packer::commit(tree, &[], "base"));
        Target { head, tree, objects }
    }
}

impl Objects for Target {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        Ok(self.objects.get(id).map(|(kind, content)| {
            out.clone_from(content);
            *kind
        }))
    }
}

/// A pack, with the known facts about it.
pub struct Made {
    pub pack: Bytes,
    /// It is valid, and these are its objects.
    pub is_plain: bool,
    pub objects: Vec<ObjectId>,
    /// The branch's new head.
    pub head: Option<ObjectId>,
    pub shallow: Vec<ObjectId>,
    pub absent_blobs: bool,
    /// Whether the other side has the target's commit.
    pub thin: bool,
    pub tips_known: bool,
}

impl Made {
    /// Arbitrary bytes.
    pub fn of(pack: Bytes) -> Self {
        let (objects, shallow) = (Vec::new(), Vec::new());
        Made { pack, is_plain: false, objects, head: None, shallow, absent_blobs: false, thin: false, tips_known: true }
    }
}

/// A written entry, and its object if known.
struct Entry {
    offset: usize,
    kind: Kind,
    content: Vec<u8>,
    id: ObjectId,
    /// Whether another object names it.
    named: bool,
}

struct Maker<'c, 'i> {
    choices: &'c mut Choices<'i>,
    packer: Packer,
    entries: Vec<Entry>,
    target: Target,
    is_plain: bool,
}

pub fn made(choices: &mut Choices<'_>) -> Made {
    let (thin, tips_known, absent_blobs) = (!choices.one_in(3), !choices.one_in(4), choices.one_in(3));
    let is_tidy = !choices.one_in(3);
    let mut maker =
        Maker { choices, packer: Packer::new(), entries: Vec::new(), target: Target::new(), is_plain: true };
    for _ in 0..maker.choices.below(20) {
        maker.entry();
    }
    if is_tidy {
        maker.tie_together(thin);
    }
    let commits: Vec<ObjectId> = maker.ids(Kind::Commit);
    let shallow = commits.iter().copied().filter(|_| maker.choices.one_in(4)).collect();
    let head = commits.last().copied();
    let objects: Vec<ObjectId> = maker.entries.iter().map(|entry| entry.id).collect();
    let Maker { choices, packer, mut is_plain, .. } = maker;
    let mut pack = packer.finish().to_vec();
    if choices.one_in(3) {
        is_plain = false;
        damage(choices, &mut pack);
    }
    Made { pack: pack.into(), is_plain, objects, head, shallow, absent_blobs, thin, tips_known }
}

/// Changes some bytes. Mostly corrects the checksum, as any author of a pack can.
fn damage(choices: &mut Choices<'_>, pack: &mut Vec<u8>) {
    pack.truncate(pack.len() - 20);
    for _ in 0..=choices.below(4) {
        let at = choices.below(pack.len());
        match choices.below(5) {
            0 | 1 => pack[at] ^= choices.byte(),
            2 => pack.truncate(at.max(12)),
            3 => drop(pack.splice(at..at, choices.bytes(8).iter().copied())),
            _ => {
                let end = (at + choices.below(64)).min(pack.len());
                pack.extend_from_within(at..end);
            }
        }
    }
    if choices.one_in(8) {
        pack.extend([0; 20]);
    } else {
        *pack = packer::seal(std::mem::take(pack)).to_vec();
    }
}

impl Maker<'_, '_> {
    fn ids(&self, kind: Kind) -> Vec<ObjectId> {
        self.entries.iter().filter(|entry| entry.kind == kind).map(|entry| entry.id).collect()
    }

    fn whole(&mut self, kind: Kind, content: Vec<u8>) -> ObjectId {
        let offset = self.packer.bytes.len();
        let id = self.packer.object(kind, &content);
        self.note(offset, kind, content, id);
        id
    }

    fn note(&mut self, offset: usize, kind: Kind, content: Vec<u8>, id: ObjectId) {
        self.is_plain &= self.entries.iter().all(|entry| entry.id != id);
        self.entries.push(Entry { offset, kind, content, id, named: false });
    }

    fn entry(&mut self) {
        match self.choices.below(9) {
            0 => {
                let content = self.choices.bytes(60).to_vec();
                self.whole(Kind::Blob, content);
            }
            1 => {
                let content = vec![self.choices.byte(); self.choices.below(100_000)];
                self.whole(Kind::Blob, content);
            }
            2 | 3 => self.tree(),
            4 => self.commit(),
            5 => self.tag(),
            6 | 7 => self.delta(),
            _ => {
                self.is_plain = false;
                let (bits, size) = (self.choices.byte() & 7, self.choices.number() >> self.choices.below(64));
                let (between, stream) = (self.choices.bytes(24), self.choices.bytes(40));
                let stream = if self.choices.one_in(2) { packer::deflate(stream) } else { stream.to_vec() };
                self.packer.entry(bits, size, between, &stream);
            }
        }
    }

    /// Some existing object of this kind, rarely a missing one.
    fn some(&mut self, kind: Kind) -> ObjectId {
        let mut ids = self.ids(kind);
        match kind {
            Kind::Tree => ids.push(self.target.tree),
            Kind::Commit => ids.push(self.target.head),
            _ => {}
        }
        if ids.is_empty() || self.choices.one_in(12) {
            return ObjectId::Sha1([self.choices.byte(); 20]);
        }
        let id = self.choices.of_these(&ids);
        self.entries.iter_mut().filter(|entry| entry.id == id).for_each(|entry| entry.named = true);
        id
    }

    fn tree(&mut self) {
        const NAMES: &[&str] = &["a", "b", "a.txt", "a-b", "dir", "z", "link", ".gitattributes"];
        const BAD: &[&str] = &[".git", "GIT~1", "..", ".g\u{200c}it", "", "a/b", ".gitmodules", "a\\.gitmodules"];
        let mut entries: Vec<(&str, Vec<u8>, ObjectId)> = Vec::new();
        for _ in 0..self.choices.below(5) {
            let mode = self.choices.of_these(&["100644", "100755", "120000", "40000", "160000", "100664", "040000"]);
            let kind = if mode.ends_with("40000") { Kind::Tree } else { Kind::Blob };
            let name = match self.choices.below(12) {
                0 => self.choices.of_these(BAD).as_bytes().to_vec(),
                1 => self.choices.bytes(6).to_vec(),
                _ => self.choices.of_these(NAMES).as_bytes().to_vec(),
            };
            let id = self.some(kind);
            // This model cannot know what the gate makes of the rest.
            let is_usual = NAMES.contains(&&*String::from_utf8_lossy(&name)) && !mode.starts_with('0');
            self.is_plain &= is_usual && !entries.iter().any(|(_, other, _)| *other == name);
            entries.push((mode, name, id));
        }
        if !self.choices.one_in(8) {
            let key = |mode: &str, name: &[u8]| [name, if mode.ends_with("40000") { b"/" } else { b"" }].concat();
            entries.sort_by_key(|(mode, name, _)| key(mode, name));
        }
        let entries: Vec<_> = entries.iter().map(|(mode, name, id)| (*mode, &name[..], *id)).collect();
        self.whole(Kind::Tree, packer::tree(&entries));
    }

    fn commit(&mut self) {
        let tree = self.some(Kind::Tree);
        let parents: Vec<ObjectId> = (0..self.choices.below(3)).map(|_| self.some(Kind::Commit)).collect();
        let message = self.choices.text(12);
        self.is_plain &= !message.contains('\0');
        self.whole(Kind::Commit, packer::commit(tree, &parents, &message));
    }

    fn tag(&mut self) {
        let kind = self.choices.of_these(&[Kind::Commit, Kind::Tree, Kind::Blob]);
        let (id, name) = (self.some(kind), self.choices.text(6));
        let is_usual = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        self.is_plain &= is_usual;
        let tagger = "A U Thor <author@example.com> 1700000000 +0000";
        self.whole(Kind::Tag, format!("object {id}\ntype {kind}\ntag {name}\ntagger {tagger}\n\ntext\n").into_bytes());
    }

    /// On an earlier entry, by its distance or by its id.
    fn delta(&mut self) {
        let Some(last) = self.entries.len().checked_sub(1) else { return };
        let base = last - self.choices.below(last + 1);
        let (from, kind) = (self.entries[base].content.clone(), self.entries[base].kind);
        let (delta, result) = self.instructions(&from);
        let offset = self.packer.bytes.len();
        if self.choices.one_in(3) {
            self.packer.reference_delta(self.entries[base].id, &delta);
        } else {
            self.packer.offset_delta((offset - self.entries[base].offset) as u64, &delta);
        }
        match result {
            Some(content) => {
                self.is_plain &= kind == Kind::Blob;
                let id = packer::id(kind, &content);
                self.note(offset, kind, content, id);
            }
            None => self.is_plain = false,
        }
    }

    /// The instructions of a delta, and their result on `from` if they are right.
    fn instructions(&mut self, from: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
        let (mut body, mut result, mut is_right) = (Vec::new(), Vec::new(), true);
        for _ in 0..=self.choices.below(4) {
            let (start, size) = (self.choices.below(from.len() + 1), self.choices.below(300));
            if self.choices.one_in(2) && !from.is_empty() {
                let size = size.clamp(1, 0xffff);
                body.push(0xb7);
                body.extend_from_slice(&(start as u32).to_le_bytes()[..3]);
                body.extend_from_slice(&(size as u16).to_le_bytes());
                match from.get(start..start + size) {
                    Some(copied) => result.extend_from_slice(copied),
                    None => is_right = false,
                }
            } else {
                let inserted = self.choices.bytes(20);
                is_right &= !inserted.is_empty();
                body.push(inserted.len() as u8);
                body.extend_from_slice(inserted);
                result.extend_from_slice(inserted);
            }
        }
        let stated = if self.choices.one_in(12) { self.choices.number() as usize >> 32 } else { result.len() };
        is_right &= stated == result.len() && result.len() <= 200_000;
        ([packer::sizes(from.len(), stated), body].concat(), is_right.then_some(result))
    }

    /// A last commit that needs everything so far.
    fn tie_together(&mut self, thin: bool) {
        let mut named = Vec::new();
        for (at, entry) in self.entries.iter_mut().enumerate().filter(|(_, entry)| !entry.named) {
            let mode = match entry.kind {
                Kind::Blob => "100644",
                Kind::Tree => "40000",
                _ => continue,
            };
            entry.named = true;
            named.push((mode, format!("f{at:02}"), entry.id));
        }
        let entries: Vec<_> = named.iter().map(|(mode, name, id)| (*mode, name.as_bytes(), *id)).collect();
        let mut parents = self.ids(Kind::Commit);
        parents.extend(thin.then_some(self.target.head));
        parents.reverse();
        let tree = if entries.is_empty() { self.target.tree } else { self.whole(Kind::Tree, packer::tree(&entries)) };
        self.whole(Kind::Commit, packer::commit(tree, &parents, "together"));
    }
}
