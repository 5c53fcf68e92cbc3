//! What a patch does to the tree: at once, or, since git's patches are all about one state of the tree, later.

use std::collections::BTreeSet;
use std::io;

use bstr::{BStr, BString, ByteSlice};
use bytes::Bytes;

use super::backup::{Naming, Style, number};
use crate::exec::Call;
use crate::io::reason;
use crate::world::{Kind, Stat, World};

/// How many links a name may lead through.
const LINKS: usize = 40;

/// A file as it will be.
pub struct Output {
    /// Its name.
    pub name: BString,
    /// Its content, or where it leads if it is a link.
    pub content: BString,
    /// Whether it is a link.
    pub link: bool,
    /// Whether it can be executed. As before, if nothing is said.
    pub executable: Option<bool>,
    /// Whether it is kept as it was.
    pub backup: bool,
}

/// A step that is to be made.
pub enum Step {
    /// A file is written.
    Write(Output),
    /// A file is removed, perhaps kept under another name.
    Remove(BString, bool),
}

impl Step {
    fn name(&self) -> &BString {
        match self {
            Step::Write(output) => &output.name,
            Step::Remove(name, _) => name,
        }
    }

    fn backup(&self) -> bool {
        match self {
            Step::Write(output) => output.backup,
            Step::Remove(_, backup) => *backup,
        }
    }
}

/// The steps that are not made yet.
pub struct Tree {
    folder: BString,
    follows: bool,
    steps: Vec<Step>,
    /// Files that are kept under another name, or were made here.
    kept: BTreeSet<BString>,
}

impl Tree {
    /// One below a folder.
    pub fn new(folder: BString, follows: bool) -> Tree {
        Tree { folder, follows, steps: Vec::new(), kept: BTreeSet::new() }
    }

    /// The absolute path of a name.
    pub fn path(&self, call: &Call<'_>, name: &[u8]) -> BString {
        match name.starts_with(b"/") {
            true => call.shell.path(name),
            false => call.shell.path(&[&self.folder[..], b"/", name].concat()),
        }
    }

    /// The metadata of a file. None if it is not there, or not below the folder.
    pub fn stat(&self, call: &Call<'_>, name: &[u8]) -> Option<Stat> {
        if self.leads_out(call, name) {
            return None;
        }
        call.shell.base.files.stat(self.path(call, name).as_bstr(), self.follows).ok()
    }

    /// Whether a name leads out of the folder by its own folders. An absolute one is out anyway, and meant.
    pub fn leads_out(&self, call: &Call<'_>, name: &[u8]) -> bool {
        if name.starts_with(b"/") {
            return false;
        }
        let Ok(world) = call.shell.base.files.world() else { return false };
        let split = |name: &[u8]| name.rsplit_str("/").map(BString::from).collect::<Vec<_>>();
        let mut left = split(name);
        let mut inside: Vec<BString> = Vec::new();
        let mut links = 0;
        while let Some(part) = left.pop() {
            if part.is_empty() || part == "." {
                continue;
            }
            if part == ".." {
                if inside.pop().is_none() {
                    return true;
                }
                continue;
            }
            inside.push(part);
            let path = self.path(call, &bstr::join("/", &inside));
            if left.is_empty() || !world.stat(path.as_bstr(), false).is_ok_and(|stat| stat.kind == Kind::Link) {
                continue;
            }
            links += 1;
            inside.pop();
            match world.read_link(path.as_bstr()) {
                Ok(target) if !target.starts_with(b"/") && links <= LINKS => left.extend(split(&target)),
                _ => return true,
            }
        }
        false
    }

    /// The content of a file, or where it leads if it is a link.
    pub fn read(&self, call: &Call<'_>, name: &[u8], link: bool) -> io::Result<Bytes> {
        let path = self.path(call, name);
        match link {
            true => Ok(Vec::from(call.shell.base.files.world()?.read_link(path.as_bstr())?).into()),
            false => call.shell.base.files.read(path.as_bstr()),
        }
    }

    /// How many folders of a name are missing.
    pub fn missing_folders(&self, call: &Call<'_>, name: &[u8]) -> usize {
        let slashes = name.find_iter("/").filter(|at| *at > 0);
        slashes.filter(|at| self.stat(call, &name[..*at]).is_none()).count()
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Whether a step about this file is to be made.
    pub fn is_due(&self, name: &BString) -> bool {
        self.steps.iter().any(|step| step.name() == name)
    }

    /// Makes the steps. Says what else was removed. An error says what could not be done.
    pub fn flush(&mut self, call: &Call<'_>, naming: &Naming) -> Result<Vec<String>, String> {
        let steps = std::mem::take(&mut self.steps);
        let mut said = Vec::new();
        for step in steps.iter().filter(|step| step.backup()) {
            if self.kept.insert(step.name().clone()) {
                self.keep(call, step.name(), naming)?;
            }
        }
        let mut written = BTreeSet::new();
        let mut gone = Vec::new();
        for step in steps {
            match step {
                Step::Write(output) => {
                    self.write(call, &output).map_err(|error| failed("Can't create file", &output.name, &error))?;
                    // What was made here is nothing to be kept.
                    self.kept.insert(output.name.clone());
                    written.insert(output.name);
                }
                Step::Remove(name, _) => gone.push(name),
            }
        }
        for name in gone.into_iter().filter(|name| !written.contains(name)) {
            let path = self.path(call, &name);
            let world = call.shell.base.files.world().map_err(|error| failed("Can't remove file", &name, &error))?;
            match world.remove_file(path.as_bstr()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed("Can't remove file", &name, &error));
                }
                _ => said.push(format!("Removing file {}\n", super::names::shown(&name))),
            }
            self.remove_folders(call, world, &name, &mut said);
        }
        Ok(said)
    }

    /// Removes the folders of a name as far as they are empty.
    fn remove_folders(&self, call: &Call<'_>, world: &dyn World, name: &[u8], said: &mut Vec<String>) {
        let mut rest = name;
        while let Some(at) = rest.rfind_byte(b'/').filter(|at| *at > 0) {
            rest = &rest[..at];
            let path = self.path(call, rest);
            let empty = world.list(path.as_bstr()).is_ok_and(|entries| entries.is_empty());
            if !empty || path == self.folder || world.remove_folder(path.as_bstr()).is_err() {
                break;
            }
            said.push(format!("Removed empty directory {}\n", super::names::shown(rest)));
        }
    }

    fn write(&self, call: &Call<'_>, output: &Output) -> io::Result<()> {
        let path = self.path(call, &output.name);
        let files = &call.shell.base.files;
        self.make_folders(call, &output.name)?;
        let now = files.stat(path.as_bstr(), false).ok();
        let is_link = now.as_ref().is_some_and(|stat| stat.kind == Kind::Link);
        if is_link || output.link && now.is_some() {
            files.world()?.remove_file(path.as_bstr())?;
        }
        if output.link {
            return files.world()?.link(output.content.as_bstr(), path.as_bstr());
        }
        files.put(path.as_bstr(), output.content.to_vec())?;
        let executable = now.filter(|_| !is_link).is_some_and(|stat| stat.executable);
        match output.executable {
            Some(wanted) if wanted != executable => files.world()?.set_executable(path.as_bstr(), wanted),
            _ => Ok(()),
        }
    }

    /// Makes the folders of a name that are missing.
    pub fn make_folders(&self, call: &Call<'_>, name: &[u8]) -> io::Result<()> {
        let world = call.shell.base.files.world()?;
        for at in name.find_iter("/").filter(|at| *at > 0) {
            let path = self.path(call, &name[..at]);
            if world.stat(path.as_bstr(), true).is_err() {
                world.make_folder(path.as_bstr())?;
            }
        }
        Ok(())
    }

    /// Keeps a file as it is under another name. One that is not there is kept as an empty one.
    pub fn keep(&self, call: &Call<'_>, name: &BString, naming: &Naming) -> Result<(), String> {
        let backup = naming.of(name, &self.numbers(call, name, naming));
        let kept = self.copy(call, name, &backup);
        kept.map_err(|error| failed("Can't create file", &backup, &error))
    }

    fn copy(&self, call: &Call<'_>, name: &[u8], backup: &BString) -> io::Result<()> {
        let path = self.path(call, name);
        let stat = call.shell.base.files.stat(path.as_bstr(), false).ok();
        let link = stat.as_ref().is_some_and(|stat| stat.kind == Kind::Link);
        let content = if stat.is_some() { self.read(call, name, link)?.to_vec() } else { Vec::new() };
        let executable = Some(!link && stat.is_some_and(|stat| stat.executable));
        let output = Output { name: backup.clone(), content: content.into(), link, executable, backup: false };
        self.write(call, &output)
    }

    fn numbers(&self, call: &Call<'_>, name: &[u8], naming: &Naming) -> Vec<u64> {
        if naming.style == Style::Simple {
            return Vec::new();
        }
        let (folder, base) = match name.rfind_byte(b'/') {
            Some(at) => (&name[..=at], &name[at + 1..]),
            None => (&b"."[..], name),
        };
        let entries = call.shell.base.files.list(self.path(call, folder).as_bstr()).unwrap_or_default();
        entries.iter().filter_map(|(entry, _)| number(entry, base)).collect()
    }
}

/// What could not be done with a file, and why.
pub fn failed(what: &str, name: &[u8], error: &io::Error) -> String {
    let name: &BStr = name.as_bstr();
    format!("{what} {name} : {}", reason(error))
}
