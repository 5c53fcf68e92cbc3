//! Finds new files that the repository's own `.gitignore` files ignore.

use std::{collections::HashMap, rc::Rc};

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{
    diff::{self, Bounds, Delta},
    flags::Flag,
};
use crate::{error::Fault, format::tree::Mode, ignore::Patterns, objects::Objects, text};

/// Nobody writes a larger `.gitignore`, so it is skipped.
const LARGEST: u64 = 1 << 20;

/// A flag for each added file that is ignored, or for the whole ignored folder.
pub(super) fn find(
    objects: &dyn Objects,
    tree: ObjectId,
    deltas: &[Delta],
    bounds: &mut Bounds,
) -> Result<Vec<Flag>, Fault> {
    let mut folders = Folders { objects, known: HashMap::new(), patterns: HashMap::new() };
    let top = folders.enter(BString::default(), Some(tree), None, bounds)?;
    let mut flags = Vec::new();
    for Delta { path, new, .. } in deltas.iter().filter(|delta| delta.old.is_none() && delta.new.is_some()) {
        // Git treats a submodule as a folder.
        let is_submodule = new.as_ref().is_some_and(|(mode, _)| *mode == Mode::Submodule);
        let (mut start, mut above) = (0, top.clone());
        while let Some(length) = path[start..].find_byte(b'/') {
            let folder = &path[..start + length];
            above = folders.below(&above, folder, bounds)?;
            if above.ignored.is_some() {
                break;
            }
            start += length + 1;
        }
        let flag = |path: &[u8], pattern: &BString| Flag::IgnoredAdded {
            path: text::path(path),
            pattern: text::name(pattern),
        };
        if let Some(pattern) = &above.ignored {
            let folder = [&above.path[..], b"/"].concat();
            let flag = flag(&folder, pattern);
            if flags.last() != Some(&flag) {
                flags.push(flag);
            }
        } else if let Some(pattern) = above.verdict(path, is_submodule, bounds)? {
            flags.push(flag(path, &pattern));
        }
    }
    Ok(flags)
}

/// A folder of the tree, with its `.gitignore`.
struct Folder {
    path: BString,
    above: Option<Rc<Folder>>,
    folders: HashMap<BString, ObjectId>,
    patterns: Rc<Patterns>,
    /// The pattern that ignores the whole folder.
    ignored: Option<BString>,
}

impl Folder {
    /// The pattern that ignores `path` in this folder. The nearest file with a match decides.
    fn verdict(&self, path: &[u8], is_folder: bool, bounds: &mut Bounds) -> Result<Option<BString>, Fault> {
        let steps = bounds.patterns();
        let mut folder = Some(self);
        let mut decided = None;
        while let Some(at) = folder {
            let from = if at.path.is_empty() { 0 } else { at.path.len() + 1 };
            if let Some(verdict) = at.patterns.verdict(&path[from..], is_folder, steps) {
                decided = verdict.ignored.then(|| verdict.line.to_owned());
                break;
            }
            folder = at.above.as_deref();
        }
        bounds.ensure_patterns()?;
        Ok(decided)
    }
}

struct Folders<'a> {
    objects: &'a dyn Objects,
    known: HashMap<BString, Rc<Folder>>,
    /// By blob id, because many folders may have the same file.
    patterns: HashMap<ObjectId, Rc<Patterns>>,
}

impl Folders<'_> {
    /// The folder `path` inside `above`.
    fn below(&mut self, above: &Rc<Folder>, path: &[u8], bounds: &mut Bounds) -> Result<Rc<Folder>, Fault> {
        if let Some(known) = self.known.get(path.as_bstr()) {
            return Ok(known.clone());
        }
        let name = path.rfind_byte(b'/').map_or(path, |at| &path[at + 1..]);
        let tree = above.folders.get(name.as_bstr()).copied();
        self.enter(path.into(), tree, Some(above.clone()), bounds)
    }

    fn enter(
        &mut self,
        path: BString,
        tree: Option<ObjectId>,
        above: Option<Rc<Folder>>,
        bounds: &mut Bounds,
    ) -> Result<Rc<Folder>, Fault> {
        bounds.path(path.len())?;
        let ignored = match &above {
            Some(above) => above.verdict(&path, true, bounds)?,
            None => None,
        };
        let mut folder = Folder { path, above, folders: HashMap::new(), patterns: Rc::default(), ignored };
        if folder.ignored.is_none() {
            for (name, mode, id) in diff::entries(self.objects, tree, bounds)? {
                match mode {
                    Mode::Tree => {
                        folder.folders.insert(name, id);
                    }
                    Mode::File | Mode::Executable if name == ".gitignore" => {
                        folder.patterns = self.patterns(id, bounds)?;
                    }
                    _ => {}
                }
            }
        }
        let folder = Rc::new(folder);
        self.known.insert(folder.path.clone(), folder.clone());
        Ok(folder)
    }

    fn patterns(&mut self, id: ObjectId, bounds: &mut Bounds) -> Result<Rc<Patterns>, Fault> {
        if let Some(known) = self.patterns.get(&id) {
            return Ok(known.clone());
        }
        let mut content = Vec::new();
        let small = self.objects.header(&id)?.is_some_and(|(kind, size)| kind == Kind::Blob && size <= LARGEST);
        let found = small && self.objects.find(&id, &mut content)?.is_some();
        bounds.ignore_file(content.len())?;
        let patterns = Rc::new(if found { Patterns::parse(content) } else { Patterns::default() });
        self.patterns.insert(id, patterns.clone());
        Ok(patterns)
    }
}
