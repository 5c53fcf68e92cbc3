//! Attachments: packs and their indexes, each in a file named after the SHA-256 of its content.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gate::hex;
use gix::ObjectId;
use sha2::{Digest, Sha256};

use super::checked::Checked;
use super::disk::{self, Disk};
use crate::error::{self, Doing, ErrorKind, HostError, Result};
use host::attachment::{Attachment, AttachmentId, INDEX_HEAD};

/// The folder of attachments.
#[derive(Debug)]
pub struct Attachments {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    checked: Checked,
}

impl Attachments {
    /// The attachments in `folder`. The first one creates the folder.
    pub fn new(folder: PathBuf, disk: Arc<dyn Disk>) -> Self {
        let checked = Checked::new(folder.with_extension("checked"), Arc::clone(&disk));
        Attachments { folder, disk, checked }
    }

    /// Stores one durably, unless it is already stored and whole.
    pub fn add(&self, attachment: &Attachment) -> Result<()> {
        let Attachment { id, content } = attachment;
        let path = self.path(id);
        if !self.has(id)? {
            disk::private_folder(&self.folder).doing("make", &self.folder)?;
            disk::replace(&*self.disk, &path, |file| self.disk.write(file, content)).doing("write", &path)?;
            self.checked.add(id, &fs::metadata(&path).doing("read", &path)?);
        }
        Ok(())
    }

    /// True if the attachment exists and is whole. An unused one may have been damaged unnoticed.
    fn has(&self, id: &AttachmentId) -> Result<bool> {
        let path = self.path(id);
        match fs::metadata(&path) {
            Ok(seen) if self.checked.contains(id, &seen) => Ok(true),
            Ok(_) => Ok(self.read(id, 1 << 20, |_, _| Ok(())).is_ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error::io("read", &path, &error)),
        }
    }

    /// Checks the whole attachment, whatever an earlier check found.
    pub fn verify(&self, id: &AttachmentId) -> Result<()> {
        self.read_as(id, 1 << 20, false, |_, _| Ok(()))
    }

    /// The ids of all attachments, sorted.
    pub fn list(&self) -> Result<Vec<AttachmentId>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error::io("read", &self.folder, &error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let name = entry.doing("read", &self.folder)?.file_name();
            // Any other file was never finished.
            ids.extend(name.to_str().and_then(hex::decode::<32>));
        }
        ids.sort_unstable();
        Ok(ids)
    }

    /// Passes the content of `id` to `take` in order, in parts of at most `part` bytes, each with
    /// the total size.
    ///
    /// The content is checked on the way, so `take` must not rely on it before this returns. A file
    /// that was whole recently and is unchanged since is trusted: its objects are checked when they
    /// are read, as in git.
    pub fn read(&self, id: &AttachmentId, part: usize, take: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
        self.read_as(id, part, true, take)
    }

    /// Like [`read`](Self::read), but uses and records earlier checks only with `notes`.
    fn read_as(
        &self,
        id: &AttachmentId,
        part: usize,
        notes: bool,
        mut take: impl FnMut(u64, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let path = self.path(id);
        let mut file = File::open(&path).doing("open", &path)?;
        let seen = file.metadata().doing("read", &path)?;
        let size = seen.len();
        let mut hash = (!notes || !self.checked.contains(id, &seen)).then(Sha256::new);
        let mut buf = vec![0; part.min(usize::try_from(size).unwrap_or(part)).max(1)];
        let mut done = 0;
        loop {
            let read = file.read(&mut buf).doing("read", &path)?;
            if read == 0 {
                break;
            }
            if let Some(hash) = &mut hash {
                hash.update(&buf[..read]);
            }
            done += read as u64;
            take(size, &buf[..read])?;
        }
        let is_checked = hash.is_none();
        if done != size || hash.is_some_and(|hash| hash.finalize()[..] != id[..]) {
            return Err(damaged(&path));
        }
        if notes && !is_checked {
            self.checked.add(id, &seen);
        }
        if size == 0 {
            take(0, &[])?;
        }
        Ok(())
    }

    /// The ids of all objects in the stored packs, from their indexes. The host verifies every
    /// object before it stores a pack with its index.
    pub fn packed(&self) -> Result<HashSet<ObjectId>> {
        let mut packed = HashSet::new();
        for id in self.list()? {
            if self.is_index(&id)? {
                let mut index = Vec::new();
                let read = self.read(&id, 1 << 20, |_, part| {
                    index.extend_from_slice(part);
                    Ok(())
                });
                match read {
                    // The sandbox is open, so it does not need this one. A push may leave out only
                    // objects that were verified.
                    Err(error) if error.kind == ErrorKind::Damaged => {
                        tracing::warn!("{error}");
                        continue;
                    }
                    read => read?,
                }
                packed.extend(ids_of_index(&index).ok_or_else(|| damaged(&self.path(&id)))?);
            }
        }
        Ok(packed)
    }

    fn is_index(&self, id: &AttachmentId) -> Result<bool> {
        let path = self.path(id);
        let mut head = Vec::new();
        File::open(&path)
            .doing("open", &path)?
            .take(INDEX_HEAD.len() as u64)
            .read_to_end(&mut head)
            .doing("read", &path)?;
        Ok(head == INDEX_HEAD)
    }

    /// Removes every attachment that is not in `needed`.
    pub fn keep_only(&self, needed: &[AttachmentId]) -> Result<()> {
        for id in self.list()? {
            if !needed.contains(&id) {
                let path = self.path(&id);
                fs::remove_file(&path).doing("remove", &path)?;
            }
        }
        Ok(())
    }

    fn path(&self, id: &AttachmentId) -> PathBuf {
        self.folder.join(hex::encode(id))
    }
}

/// The ids in an index of version 2. They follow the fan-out of 256 counts, the last of which is
/// the total.
fn ids_of_index(index: &[u8]) -> Option<impl Iterator<Item = ObjectId> + '_> {
    let (fan_out, rest) = index.strip_prefix(&INDEX_HEAD)?.split_at_checked(256 * 4)?;
    let count = u32::from_be_bytes(*fan_out.last_chunk()?);
    let ids = rest.get(..usize::try_from(count).ok()?.checked_mul(20)?)?;
    Some(ids.chunks_exact(20).map(ObjectId::from_bytes_or_panic))
}

fn damaged(path: &Path) -> HostError {
    HostError::new(ErrorKind::Damaged, format!("the attachment {} is damaged", path.display())).hint(
        "restore the file from a backup, or create the sandbox again from its repository; the disk may be failing",
    )
}

#[cfg(test)]
mod tests {
    use super::super::disk::RealDisk;
    use super::super::disk::faulty::Faulty;
    use super::*;

    fn add(attachments: &Attachments, content: &[u8]) -> Result<AttachmentId> {
        let attachment = Attachment::new(content.to_vec());
        attachments.add(&attachment).map(|()| attachment.id)
    }

    fn read(attachments: &Attachments, id: &AttachmentId) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        attachments.read(id, 4, |size, part| {
            all.extend_from_slice(part);
            assert!(part.len() <= 4 && all.len() as u64 <= size);
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn an_attachment_is_read_back_by_its_hash_and_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().join("a"), Arc::new(RealDisk));
        assert_eq!(attachments.list().unwrap(), Vec::<AttachmentId>::new());
        let id = add(&attachments, b"some content").unwrap();
        assert_eq!(add(&attachments, b"some content").unwrap(), id);
        let empty = add(&attachments, b"").unwrap();
        assert_eq!(attachments.list().unwrap().len(), 2);
        assert_eq!(read(&attachments, &id).unwrap(), b"some content");
        assert_eq!(read(&attachments, &empty).unwrap(), b"");
    }

    #[test]
    fn a_turned_bit_and_a_cut_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().to_owned(), Arc::new(RealDisk));
        let id = add(&attachments, b"some content").unwrap();
        let path = attachments.path(&id);
        for damage in [&b"some cOntent"[..], b"some conten", b"some content!", b""] {
            fs::write(&path, damage).unwrap();
            assert_eq!(read(&attachments, &id).unwrap_err().kind, ErrorKind::Damaged);
        }
    }

    #[test]
    fn attack_23_what_is_there_and_damaged_is_stored_again_when_it_comes_again() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().to_owned(), Arc::new(RealDisk));
        let id = add(&attachments, b"some content").unwrap();
        fs::write(attachments.path(&id), "some cOntent").unwrap();
        add(&attachments, b"some content").unwrap();
        assert_eq!(read(&attachments, &id).unwrap(), b"some content");
        assert_eq!(attachments.list().unwrap(), [id]);
    }

    #[test]
    fn all_of_an_attachment_is_looked_at_whatever_was_noted_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().join("a"), Arc::new(RealDisk));
        let id = add(&attachments, b"some content").unwrap();
        fs::write(attachments.path(&id), "some cOntent").unwrap();
        attachments.checked.add(&id, &fs::metadata(attachments.path(&id)).unwrap());
        read(&attachments, &id).unwrap();
        assert_eq!(attachments.verify(&id).unwrap_err().kind, ErrorKind::Damaged);
    }

    #[test]
    fn what_was_found_whole_is_checked_again_once_it_was_touched() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().join("a"), Arc::new(RealDisk));
        let id = add(&attachments, b"some content").unwrap();
        let seen = || fs::metadata(attachments.path(&id)).unwrap();
        assert!(attachments.checked.contains(&id, &seen()), "it was hashed when it was stored");
        // As when a sandbox is put back from a backup.
        fs::copy(attachments.path(&id), folder.path().join("copy")).unwrap();
        fs::rename(folder.path().join("copy"), attachments.path(&id)).unwrap();
        assert!(!attachments.checked.contains(&id, &seen()));
        read(&attachments, &id).unwrap();
        assert!(attachments.checked.contains(&id, &seen()));
        assert_eq!(read(&attachments, &id).unwrap(), b"some content");
        let modified = seen().modified().unwrap();
        fs::write(attachments.path(&id), "some cOntent").unwrap();
        File::options().write(true).open(attachments.path(&id)).unwrap().set_modified(modified).unwrap();
        assert_eq!(read(&attachments, &id).unwrap_err().kind, ErrorKind::Damaged);
    }

    #[test]
    fn a_store_that_fails_at_any_step_leaves_no_attachment_that_is_not_whole() {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let failing = Attachments::new(folder.path().to_owned(), Arc::new(Faulty::at(step)));
            let added = add(&failing, b"some content");
            let attachments = Attachments::new(folder.path().to_owned(), Arc::new(RealDisk));
            for id in attachments.list().unwrap() {
                assert_eq!(read(&attachments, &id).unwrap(), b"some content");
            }
            if added.is_ok() {
                assert!(step > 3);
                break;
            }
        }
    }

    #[test]
    fn the_objects_of_all_packs_are_known_by_their_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().to_owned(), Arc::new(RealDisk));
        let ids = [[1; 20], [255; 20]];
        let counts = (0..=255_u32).flat_map(|first| [u32::from(first > 0) + u32::from(first == 255)]);
        let mut index = INDEX_HEAD.to_vec();
        index.extend(counts.flat_map(u32::to_be_bytes));
        index.extend(ids.concat());
        add(&attachments, &index).unwrap();
        add(&attachments, b"PACK and what follows").unwrap();
        add(&attachments, b"").unwrap();
        assert_eq!(attachments.packed().unwrap(), HashSet::from(ids.map(ObjectId::Sha1)));
        let whole = attachments.list().unwrap();
        index.truncate(index.len() - 1);
        let short = add(&attachments, &index).unwrap();
        assert_eq!(attachments.packed().unwrap_err().kind, ErrorKind::Damaged);
        attachments.keep_only(&whole).unwrap();
        // One that is no more what it was counts for nothing, and is in nobody's way.
        fs::write(attachments.path(&short), &index[..index.len() - 1]).unwrap();
        assert_eq!(attachments.packed().unwrap().len(), 2);
    }

    #[test]
    fn what_nothing_needs_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let attachments = Attachments::new(folder.path().to_owned(), Arc::new(RealDisk));
        let keep = add(&attachments, b"keep").unwrap();
        add(&attachments, b"drop").unwrap();
        attachments.keep_only(&[keep]).unwrap();
        assert_eq!(attachments.list().unwrap(), [keep]);
    }
}
