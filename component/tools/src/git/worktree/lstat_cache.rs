//! What is at paths that come one after the other. Of the folders above a path those are not looked at again that the path before was in:
//! where paths come in order, each folder is looked at once.

use gix::bstr::{BStr, ByteSlice};

use crate::error::ToolError;
use crate::platform::Kind;

/// What is at a path.
#[derive(Debug, Eq, PartialEq)]
pub enum Place<'p> {
    /// Nothing, and all folders above that there are, are folders.
    Free,
    /// Something of this kind.
    Taken(Kind),
    /// The first of the folders above it that is something else.
    Blocked(&'p BStr),
}

/// What is known of the folders above the path before.
#[derive(Default)]
pub struct LstatCache<'p> {
    before: &'p BStr,
    /// How much of it is folders, with a slash at the end.
    standing: usize,
    /// The folder in it that is not there, if there is one.
    missing: Option<&'p BStr>,
}

impl<'p> LstatCache<'p> {
    /// What is at `path`, where `kind` looks at a path whose folders are all there.
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
            // What was shared ends with a whole folder, or in the middle of a name.
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
