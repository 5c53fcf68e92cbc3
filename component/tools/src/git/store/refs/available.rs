//! Checks whether a ref name is free: no ref can be a folder of another.

use gix::bstr::{BStr, BString, ByteSlice};

use super::read::{Refs, Value, path};
use crate::error::ToolError;
use crate::platform::{self, Kind};

/// The refs to check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Among {
    /// All refs.
    All,
    /// Only packed refs.
    Packed,
}

impl Refs<'_> {
    /// The conflict of a new ref `name` with another ref, in git's words. It ignores `but`, which is about to be deleted.
    pub fn conflict(&self, name: &BStr, but: Option<&BStr>, among: Among) -> Result<Option<String>, ToolError> {
        for slash in name.find_iter(b"/") {
            let above = name[..slash].as_bstr();
            let exists = match among {
                _ if but == Some(above) => false,
                Among::All => matches!(self.value(above)?, Some(Value::Id(_) | Value::Symbolic(_))),
                Among::Packed => self.packed()?.find(above).is_some(),
            };
            if exists {
                return Ok(Some(in_the_way(above, name)));
            }
        }
        let mut below = name.to_owned();
        below.push(b'/');
        let packed = self.packed()?.from(below.as_bstr()).take_while(|record| record.name.starts_with(&below[..]));
        let packed = packed.map(|record| record.name.to_owned());
        let loose = if among == Among::All { self.loose_below(below.as_bstr())? } else { Vec::new() };
        let is_left = |name: &BString| but != Some(name.as_bstr());
        let first = [packed.into_iter().find(is_left), loose.into_iter().find(is_left)].into_iter().flatten().min();
        Ok(first.map(|found| in_the_way(found.as_bstr(), name)))
    }

    /// Checks that no other ref conflicts with a new ref `name`.
    ///
    /// # Errors
    ///
    /// In git's words without `fatal: `, if one does.
    pub fn ensure_available(&self, name: &BStr) -> Result<(), ToolError> {
        match self.conflict(name, None, Among::All)? {
            Some(words) => Err(ToolError::failed(format!("cannot lock ref '{name}': {words}"))),
            None => Ok(()),
        }
    }

    /// Whether a file is in the place of a parent folder of the ref `name`.
    pub fn is_below_a_file(&self, name: &BStr) -> bool {
        let above = name.find_iter(b"/").filter_map(|slash| path(self.repo, name[..slash].as_bstr()));
        above.into_iter().any(|path| platform::stat(&path).is_ok_and(|stat| stat.kind != Kind::Folder))
    }
}

fn in_the_way(there: &BStr, name: &BStr) -> String {
    format!("'{there}' exists; cannot create '{name}'")
}
