//! The paths that a script changes, and what was there before.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;

use crate::paths::SandboxPath;
use crate::platform::{self, Contents, Kind};

/// What is at a path.
#[derive(Debug, Eq, PartialEq)]
enum Was {
    Nothing,
    File {
        content: Contents,
        executable: bool,
    },
    Folder,
    /// A link or something else, with where it leads.
    Link(Option<std::path::PathBuf>),
}

impl Was {
    fn at(place: &SandboxPath) -> io::Result<Was> {
        let real = place.real();
        Ok(match platform::stat(&real) {
            Err(_) => Was::Nothing,
            Ok(stat) => match stat.kind {
                Kind::File => Was::File { content: platform::read(&real)?, executable: stat.executable },
                Kind::Folder => Was::Folder,
                Kind::Link | Kind::Other => Was::Link(std::fs::read_link(&real).ok()),
            },
        })
    }
}

/// How a path differs from before.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Differs {
    /// It was not there.
    Added,
    /// It is another.
    Modified,
    /// It is not there any more.
    Deleted,
}

impl Differs {
    /// git's letter.
    pub fn letter(self) -> char {
        match self {
            Differs::Added => 'A',
            Differs::Modified => 'M',
            Differs::Deleted => 'D',
        }
    }
}

/// Paths that were about to be changed.
#[derive(Debug, Default)]
pub struct Touched(BTreeMap<String, (SandboxPath, Was)>);

impl Touched {
    /// Remembers what is at a path, unless that was done before.
    pub fn note(&mut self, place: &SandboxPath) -> io::Result<()> {
        if let Entry::Vacant(vacant) = self.0.entry(place.shown()) {
            vacant.insert((place.clone(), Was::at(place)?));
        }
        Ok(())
    }

    /// Remembers all that is below the first path, and what is at the same paths below the second.
    pub fn note_all(&mut self, below: &SandboxPath, and: &SandboxPath) -> io::Result<()> {
        let mut folders = vec![(below.clone(), and.clone())];
        while let Some((folder, other)) = folders.pop() {
            if platform::stat(&folder.real()).is_ok_and(|stat| stat.kind == Kind::Folder) {
                for entry in platform::list(&folder.real())? {
                    let Ok(name) = std::str::from_utf8(&entry.name) else { continue };
                    let (inner, there) = (folder.join(name), other.join(name));
                    self.note(&inner)?;
                    self.note(&there)?;
                    folders.push((inner, there));
                }
            }
        }
        Ok(())
    }

    /// The files and links that differ from what they were, sorted, but for those that only scripts see.
    pub fn differing(&self) -> io::Result<Vec<(String, Differs)>> {
        let mut differing = Vec::new();
        for (shown, (place, was)) in self.0.iter().filter(|(_, (place, _))| !place.is_temporary()) {
            let now = Was::at(place)?;
            let is_entry = |was: &Was| matches!(was, Was::File { .. } | Was::Link(_));
            let differs = match (is_entry(was), is_entry(&now)) {
                (false, true) => Differs::Added,
                (true, false) => Differs::Deleted,
                (true, true) if *was != now => Differs::Modified,
                _ => continue,
            };
            differing.push((shown.clone(), differs));
        }
        Ok(differing)
    }
}
