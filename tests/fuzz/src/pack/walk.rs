//! Reads in few lines which objects name which, and what follows for a whole pack.

use std::collections::{BTreeMap, BTreeSet};

use gate::objects::Objects;
use gate::pack::VerifiedPack;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::model;

struct Link {
    id: ObjectId,
    kind: Kind,
    is_parent: bool,
}

/// The objects that an accepted object names. Names in trees are safe.
fn links(kind: Kind, content: &[u8]) -> Vec<Link> {
    let link = |id: ObjectId, kind| Link { id, kind, is_parent: false };
    let hex = |line: &[u8]| ObjectId::from_hex(line).expect("an accepted object has whole ids");
    let mut lines = content.split(|byte| *byte == b'\n');
    match kind {
        Kind::Blob => Vec::new(),
        Kind::Tree => entries(content),
        Kind::Commit => {
            let tree =
                lines.next().and_then(|line| line.strip_prefix(b"tree ")).expect("a commit begins with its tree");
            let parents = lines.map_while(|line| line.strip_prefix(b"parent "));
            let parents = parents.map(|line| Link { id: hex(line), kind: Kind::Commit, is_parent: true });
            std::iter::once(link(hex(tree), Kind::Tree)).chain(parents).collect()
        }
        Kind::Tag => {
            let mut field = |name: &[u8]| lines.next().and_then(|line| line.strip_prefix(name)).expect("a tag has it");
            let id = hex(field(b"object "));
            vec![link(id, Kind::from_bytes(field(b"type ")).expect("a tag says the kind"))]
        }
    }
}

fn entries(mut rest: &[u8]) -> Vec<Link> {
    let mut links = Vec::new();
    while !rest.is_empty() {
        let space = rest.iter().position(|byte| *byte == b' ').expect("an entry has a mode");
        let mode = std::str::from_utf8(&rest[..space]).expect("digits are ASCII");
        let mode = u32::from_str_radix(mode, 8).expect("an entry has a mode") & 0o170000;
        rest = &rest[space + 1..];
        let end = rest.iter().position(|byte| *byte == 0).expect("a name has an end");
        assert!(model::is_safe(&rest[..end]), "{} was accepted", rest[..end].escape_ascii());
        let id = ObjectId::from_bytes_or_panic(&rest[end + 1..end + 21]);
        match mode {
            0o160000 => {}
            0o040000 => links.push(Link { id, kind: Kind::Tree, is_parent: false }),
            _ => links.push(Link { id, kind: Kind::Blob, is_parent: false }),
        }
        rest = &rest[end + 21..];
    }
    links
}

/// Every object of the pack finds what it names.
pub fn complete(pack: &VerifiedPack, have: &dyn Objects, shallow: &[ObjectId], absent_blobs: bool) {
    let mut content = Vec::new();
    for object in pack.objects() {
        pack.find(&object.id, &mut content).expect("it was read once");
        for link in links(object.kind, &content) {
            let known = pack.object(&link.id).map(|object| object.kind);
            let known = known.or_else(|| have.header(&link.id).expect("it is in memory").map(|(kind, _)| kind));
            let may_lack = absent_blobs && link.kind == Kind::Blob || link.is_parent && shallow.contains(&object.id);
            assert!(known.map_or(may_lack, |kind| kind == link.kind), "{} lacks {}", object.id, link.id);
        }
    }
}

/// The objects that `new` reaches. Asserts that they include the whole pack, and that none is missing.
pub fn exact(pack: &VerifiedPack, target: &dyn Objects, new: ObjectId) -> BTreeSet<ObjectId> {
    let mut reached = BTreeMap::new();
    let mut next = vec![(new, Kind::Commit)];
    let mut content = Vec::new();
    while let Some((id, kind)) = next.pop() {
        match reached.insert(id, kind) {
            Some(before) => assert_eq!(before, kind, "{id} is one thing"),
            None => match pack.find(&id, &mut content).expect("it was read once") {
                Some(found) => {
                    assert_eq!(found, kind);
                    next.extend(links(kind, &content).into_iter().map(|link| (link.id, link.kind)));
                }
                None => {
                    assert_eq!(target.find(&id, &mut content).expect("it is in memory"), Some(kind), "{id} is lacking")
                }
            },
        }
    }
    assert!(pack.ids().all(|id| reached.contains_key(&id)), "the pack holds what nobody needs");
    reached.into_keys().collect()
}
