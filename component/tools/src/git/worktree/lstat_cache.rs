//! Looks up the kinds of consecutive paths. It remembers the folders above the previous path, so for sorted paths it looks at each folder
//! once.

use gix::bstr::{BStr, ByteSlice};

use crate::error::ToolError;
use crate::platform::Kind;

/// The state of a path.
#[derive(Debug, Eq, PartialEq)]
pub enum Place<'p> {
    /// Nothing is there, and every existing parent is a folder.
    Free,
    /// An entry of this kind is there.
    Taken(Kind),
    /// The topmost parent that is not a folder.
    Blocked(&'p BStr),
}

/// The parents of the previous path.
#[derive(Default)]
pub struct LstatCache<'p> {
    before: &'p BStr,
    /// The length of its known folders, including the slash at the end.
    standing: usize,
    /// Its topmost missing parent, if one is missing.
    missing: Option<&'p BStr>,
}

impl<'p> LstatCache<'p> {
    /// The state of `path`. `kind` looks at a path whose parents all exist.
    pub fn at(
        &mut self,
        path: &'p BStr,
        mut kind: impl FnMut(&BStr) -> Result<Option<Kind>, ToolError>,
    ) -> Result<Place<'p>, ToolError> {
        let is_below = |folder: &BStr| path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"));
        if self.missing.is_some_and(is_below) {
            return Ok(Place::Free);
        }
        let shared = path.iter().zip(self.before[..self.standing].iter()).take_while(|(one, two)| one == two).count();
        (self.before, self.standing, self.missing) = (path, 0, None);
        for slash in path.find_iter(b"/") {
            let folder = path[..slash].as_bstr();
            // The shared prefix can end inside a name.
            let is_known = slash < shared;
            match if is_known { Some(Kind::Folder) } else { kind(folder)? } {
                Some(Kind::Folder) => self.standing = slash + 1,
                Some(_) => return Ok(Place::Blocked(folder)),
                None => {
                    self.missing = Some(folder);
                    return Ok(Place::Free);
                }
            }
        }
        Ok(kind(path)?.map_or(Place::Free, Place::Taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_looked_at_once_and_nothing_is_looked_at_below_what_is_none() {
        let mut places = LstatCache::default();
        let mut looked = Vec::new();
        let all = ["a/b/c", "a/b/d", "a/bc", "file/x/y", "file/z", "none/a/b", "none/c", "none"];
        let found: Vec<_> = all
            .iter()
            .map(|path| {
                let at = places.at((*path).into(), |path| {
                    looked.push(path.to_string());
                    Ok(match path.to_str_lossy().as_ref() {
                        "a" | "a/b" => Some(Kind::Folder),
                        "a/b/d" | "file" => Some(Kind::File),
                        _ => None,
                    })
                });
                at.unwrap()
            })
            .collect();
        let (blocked, taken) = (|| Place::Blocked("file".into()), Place::Taken(Kind::File));
        use Place::Free;
        assert_eq!(found, [Free, taken, Free, blocked(), blocked(), Free, Free, Free]);
        assert_eq!(looked, ["a", "a/b", "a/b/c", "a/b/d", "a/bc", "file", "file", "none", "none"]);
    }
}
