//! Abbreviates object ids to the length that git uses.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::hash::Prefix;

use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::platform;

/// The minimum number of digits.
const LEAST: usize = 7;

/// The position of the object count in a pack index of version 2: after the signature, at the end of the fan-out.
const COUNT_OFFSET: u64 = 8 + 255 * 4;

/// Abbreviates ids in a repository.
pub struct Abbrev<'a> {
    repo: &'a Repo,
    length: usize,
}

impl<'a> Abbrev<'a> {
    /// Takes the length that git chooses for the number of packed objects. With it, two abbreviated ids are unlikely to be equal.
    pub fn of(repo: &'a Repo) -> Result<Abbrev<'a>, ToolError> {
        let packs = repo.gix.objects.store_ref().path().join("pack");
        let mut objects = 0;
        for entry in platform::list(&packs).unwrap_or_default() {
            if entry.name.ends_with(b".idx") {
                objects += count(&platform::join(&packs, &entry.name))
                    .map_err(|error| ToolError::io(".git/objects/pack", &error))?;
            }
        }
        let bits = u64::BITS - objects.leading_zeros();
        let length = LEAST.max(bits.div_ceil(2) as usize);
        Ok(Abbrev { repo, length })
    }

    /// Takes `length` as the minimum number of digits, whatever the size of the repository.
    pub fn at_least(repo: &'a Repo, length: usize) -> Abbrev<'a> {
        Abbrev { repo, length }
    }

    /// The number of digits that tell `id` from every other object.
    pub fn length_of(&self, id: &ObjectId) -> Result<usize, ToolError> {
        let all = id.kind().len_in_hex();
        for length in self.length..all {
            let prefix = Prefix::new(id, length).expect("the length is one of this kind of id");
            let found = self.repo.gix.objects.lookup_prefix(prefix, None);
            match found.map_err(|error| damaged(&error))? {
                None => return Ok(length),
                Some(Ok(only)) if only == *id => return Ok(length),
                Some(_) => {}
            }
        }
        Ok(all)
    }

    /// The abbreviated form of `id`.
    pub fn short(&self, id: &ObjectId) -> Result<String, ToolError> {
        let length = self.length_of(id)?;
        Ok(id.to_hex_with_len(length).to_string())
    }
}

/// The only object whose id begins with the digits `name`.
pub fn by_first_digits(repo: &Repo, name: &BStr) -> Option<ObjectId> {
    let prefix = name.to_str().ok().filter(|name| name.len() >= 4).and_then(|name| Prefix::from_hex(name).ok());
    repo.gix.objects.lookup_prefix(prefix?, None).ok()??.ok()
}

fn count(index: &Path) -> std::io::Result<u64> {
    let mut file = File::open(index)?;
    file.seek(SeekFrom::Start(COUNT_OFFSET))?;
    let mut count = [0; 4];
    file.read_exact(&mut count)?;
    Ok(u64::from(u32::from_be_bytes(count)))
}
