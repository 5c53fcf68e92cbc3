//! Stores the new objects in the target: a few as loose objects, many as the pack they came in, as
//! with git's `receive.unpackLimit`. Never overwrites existing objects.

use gate::pack::VerifiedPack;
use gix::objs::Kind;

use super::dir::Dir;
use super::disk::Disk;
use super::error::Doing;
use super::plan::Plan;
use crate::remote::{LandError, Target, TargetError};

/// From this many objects on a pack is kept as it is (git's default of `receive.unpackLimit`).
const UNPACK_LIMIT: usize = 100;

/// Nobody writes to objects once they are there.
const READ_ONLY: u32 = 0o444;

/// Writes and syncs the objects that the target lacks.
pub(super) fn store(
    disk: &Disk<'_>,
    target: &Target,
    own: &Dir,
    plan: &Plan,
    pack: &VerifiedPack,
) -> Result<(), LandError> {
    let repo = target.fresh()?;
    let objects = open(target)?;
    if pack.objects().len() < UNPACK_LIMIT {
        let missing: Vec<_> = pack.ids().filter(|id| !repo.objects.exists_without_refresh(id)).collect();
        store_loose(disk, &objects, plan, pack, &missing)
    } else {
        store_pack(disk, &objects, own, plan, pack)
    }
}

fn open(target: &Target) -> Result<Dir, LandError> {
    Dir::open_git(target.repo().objects.store_ref().path(), target.sharing()).doing("open the object database")
}

fn store_loose(
    disk: &Disk<'_>,
    objects: &Dir,
    plan: &Plan,
    pack: &VerifiedPack,
    missing: &[gix::ObjectId],
) -> Result<(), LandError> {
    let temporary = loose_name(plan);
    let mut content = Vec::new();
    for id in missing {
        let kind = pack.find(id, &mut content).map_err(unreadable)?.expect("its id came from this pack");
        let bytes = to_loose(kind, &content).doing("compress an object")?;
        let hex = id.to_string();
        let (folder, name) = hex.split_at(2);
        let folder = disk.make_folder(objects, folder.as_bytes()).doing("make a folder of the object database")?;
        disk.recreate(objects, &temporary, &bytes, READ_ONLY).doing("write an object")?;
        // A name that is taken is the same object, written by somebody else meanwhile.
        disk.publish(objects, &temporary, &folder, name.as_bytes()).doing("write an object")?;
        disk.sync(&folder).doing("sync the object database")?;
    }
    disk.remove(objects, &temporary).doing("write an object")?;
    disk.sync(objects).doing("sync the object database")
}

fn store_pack(disk: &Disk<'_>, objects: &Dir, own: &Dir, plan: &Plan, pack: &VerifiedPack) -> Result<(), LandError> {
    let folder = disk.make_folder(objects, b"pack").doing("open the object database")?;
    let name = format!("pack-{}", pack.checksum());
    disk.recreate(own, b"pack", name.as_bytes(), 0o666).doing("note the pack's name")?;
    let [pack_file, index_file] = pack_names(plan);
    disk.recreate(&folder, &pack_file, pack.bytes(), READ_ONLY).doing("write a pack")?;
    let index = pack.index().map_err(unreadable)?;
    disk.recreate(&folder, &index_file, &index, READ_ONLY).doing("write a pack's index")?;
    // Git looks for the index first, so that comes last.
    disk.publish(&folder, &pack_file, &folder, format!("{name}.pack").as_bytes()).doing("write a pack")?;
    disk.publish(&folder, &index_file, &folder, format!("{name}.idx").as_bytes()).doing("write a pack's index")?;
    disk.remove(&folder, &index_file).doing("write a pack")?;
    disk.remove(&folder, &pack_file).doing("write a pack")?;
    disk.sync(&folder).doing("sync the object database")
}

/// Remove what an interrupted [`store`] left of half-written files. Whole objects stay: nothing
/// refers to them, and git's own housekeeping takes them.
pub(super) fn undo(disk: &Disk<'_>, target: &Target, own: Option<&Dir>, plan: &Plan) -> Result<(), LandError> {
    let objects = open(target)?;
    let remove = |dir: &Dir, name: &[u8]| match dir.stat(name) {
        Ok(None) => Ok(()),
        _ => disk.remove(dir, name).doing("remove a half-written object"),
    };
    remove(&objects, &loose_name(plan))?;
    let Ok(folder) = objects.child(b"pack") else {
        return Ok(());
    };
    for name in pack_names(plan) {
        remove(&folder, &name)?;
    }
    // A pack whose index did not get its name is of no use to git.
    if let Some(name) = own.and_then(|own| own.read(b"pack").ok())
        && name.starts_with(b"pack-")
        && !name.contains(&b'/')
        && folder.stat(&[&name[..], b".idx"].concat()).doing("look for a pack")?.is_none()
    {
        remove(&folder, &[&name[..], b".pack"].concat())?;
    }
    Ok(())
}

fn loose_name(plan: &Plan) -> Vec<u8> {
    format!("tmp_obj_gitgate_{}", plan.nonce).into_bytes()
}

fn pack_names(plan: &Plan) -> [Vec<u8>; 2] {
    ["pack", "idx"].map(|kind| format!("tmp_{kind}_gitgate_{}", plan.nonce).into_bytes())
}

/// The bytes of a loose object: header and content, compressed for speed as a push is small.
fn to_loose(kind: Kind, content: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let level = gix::zlib::Compression::new(1).expect("zlib has level 1");
    let mut out = gix::zlib::stream::deflate::Write::new(Vec::new(), level);
    out.write_all(&gix::objs::encode::loose_header(kind, content.len() as u64))?;
    out.write_all(content)?;
    out.flush()?;
    Ok(out.into_inner())
}

fn unreadable(fault: gate::Fault) -> LandError {
    LandError::Failed(TargetError::damaged("cannot read the approved pack", fault))
}
