//! The home folder: one folder per sandbox, and the person's configuration.
//!
//! ```text
//! gitgate.toml                 the person's settings
//! shell-history                the lines of `gitgate sh`
//! setup/                       what `gitgate setup` has written into other programs' files
//! sandboxes/<name>/
//!     sandbox.toml             the sandbox's settings
//!     lock                     held while the component runs
//!     journal, attachments/    the sandbox itself; for one on disk, its imports and `history`
//!     policy.toml              rules saved at the prompt
//!     audit.log                approvals, rejections and the results of pushes
//!     pending/                 pushes that were shown and await a decision
//!     waiting/                 calls that nobody could be asked about
//! ```

mod belonging;
pub mod config;
mod directories;
pub mod git_config;
mod identity;
pub mod policy;
pub mod safe_directory;
pub mod worker;

use std::fs;
use std::path::{Path, PathBuf};

use gate::id::SandboxId;

pub use belonging::Entry;
pub use directories::{ensure_elsewhere, ensure_in_no_sandbox};
pub use host::settings::{
    Config, HexId, Identity, NotifySettings, Place, PolicyChoice, SandboxFile, Setting, ToolSettings,
};
pub use identity::{Author, author};

use crate::error::{self, Doing, ErrorKind, HostError, Result};
use crate::store::{LockFile, LockedFile, disk};

/// Held while the folder of a new sandbox is made, put in its place or removed: never for long.
const LOCK: &str = ".lock";
/// In the folder of a new sandbox. It is held as long as somebody builds there.
const MAKING: &str = ".making";

/// The home folder. It is created when something is first stored in it.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The folder that `--home` or `GITGATE_HOME` names, else `gitgate` in the user's data folder.
    pub fn find(named: Option<PathBuf>) -> Result<Self> {
        // clap would show an option that the environment sets as one that a usage needs.
        let variable = || std::env::var_os("GITGATE_HOME").filter(|root| !root.is_empty()).map(PathBuf::from);
        let root = match named.or_else(variable) {
            Some(root) => root,
            None => user_folder("XDG_DATA_HOME", ".local/share")
                .ok_or_else(|| {
                    HostError::new(ErrorKind::Usage, "gitgate has no home folder: HOME is not set")
                        .hint("set it with --home or GITGATE_HOME")
                })?
                .join("gitgate"),
        };
        let root = std::path::absolute(&root).doing("find", &root)?;
        Ok(Home { root })
    }

    /// Reads the person's settings.
    pub fn config(&self) -> Result<Config> {
        config::read(&self.config_file())
    }

    /// The file with the person's configuration, which need not exist.
    pub fn config_file(&self) -> PathBuf {
        self.root.join("gitgate.toml")
    }

    /// The folder itself, which need not exist.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of what was written into other programs' files. It need not exist.
    pub fn setups(&self) -> PathBuf {
        self.root.join("setup")
    }

    /// The file with the lines of `gitgate sh`, which need not exist.
    pub fn shell_history(&self) -> PathBuf {
        self.root.join("shell-history")
    }

    /// The folder of the sandbox `name`, which exists.
    pub fn sandbox(&self, name: &SandboxId) -> Result<PathBuf> {
        let folder = self.folder(name)?;
        if folder.join(SandboxFile::NAME).try_exists().doing("read", &folder)? {
            return Ok(folder);
        }
        Err(HostError::new(ErrorKind::Damaged, format!("the sandbox '{name}' has no {}", SandboxFile::NAME))
            .hint(format!("restore the file from a backup, or remove the sandbox with `gitgate rm {name}`")))
    }

    /// The folder of the sandbox `name`, even if it is damaged.
    pub fn folder(&self, name: &SandboxId) -> Result<PathBuf> {
        let folder = self.folder_of(name);
        if folder.try_exists().doing("read", &folder)? {
            return Ok(folder);
        }
        let hint = match self.sandboxes()?.as_slice() {
            [] => format!("create one with `gitgate -s {name} new`"),
            names => {
                let names: Vec<_> = names.iter().map(SandboxId::as_str).collect();
                format!("create it with `gitgate -s {name} new`, or use one of: {}", names.join(", "))
            }
        };
        Err(HostError::new(ErrorKind::NoSuchSandbox, format!("there is no sandbox '{name}'")).hint(hint))
    }

    /// The names of all sandboxes, sorted.
    pub fn sandboxes(&self) -> Result<Vec<SandboxId>> {
        names_in(&self.root.join("sandboxes"))
    }

    /// Starts a new sandbox. It stays invisible until [`Unfinished::finish`].
    pub fn begin(&self, name: &SandboxId) -> Result<Unfinished> {
        let place = self.folder_of(name);
        if place.try_exists().doing("read", &place)? {
            return Err(exists(name));
        }
        let sandboxes = self.root.join("sandboxes");
        disk::private_folder(&sandboxes).doing("make", &sandboxes)?;
        let folders = LockFile::open(&sandboxes.join(LOCK))?.acquire()?;
        remove_leftovers(&sandboxes)?;
        // A name that no sandbox can have.
        let folder = sandboxes.join(format!(".{name}.new"));
        if folder.try_exists().doing("read", &folder)? {
            return Err(HostError::new(ErrorKind::SandboxExists, format!("the sandbox '{name}' is being created"))
                .hint("wait until it is there, or choose another name"));
        }
        disk::private_folder(&folder).doing("make", &folder)?;
        let making = LockFile::open(&folder.join(MAKING))?.try_acquire()?;
        drop(folders);
        Ok(Unfinished { name: name.clone(), folder, place, _making: making, is_over: false })
    }

    /// Removes a sandbox. Other processes see all of it or nothing.
    pub fn remove(&self, name: &SandboxId) -> Result<()> {
        let folder = self.folder_of(name);
        let aside = self.root.join("sandboxes").join(format!(".{name}.{}.old", std::process::id()));
        remove_folder(&aside)?;
        fs::rename(&folder, &aside).doing("remove", &folder)?;
        remove_folder(&aside)
    }

    /// The folder for the agent that runs on the sandbox `name`, which need not exist.
    pub fn agent(&self, name: &SandboxId) -> PathBuf {
        self.root.join("agents").join(name.as_str())
    }

    fn folder_of(&self, name: &SandboxId) -> PathBuf {
        self.root.join("sandboxes").join(name.as_str())
    }
}

/// The names of the sandboxes in `folder`, sorted.
fn names_in(folder: &Path) -> Result<Vec<SandboxId>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error::io("read", folder, &error)),
    };
    let mut names: Vec<SandboxId> = Vec::new();
    for entry in entries {
        let entry = entry.doing("read", folder)?;
        if entry.path().join(SandboxFile::NAME).is_file() {
            names.extend(entry.file_name().to_str().and_then(|name| name.parse().ok()));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// A sandbox under construction. It is removed unless it is finished.
#[derive(Debug)]
pub struct Unfinished {
    name: SandboxId,
    folder: PathBuf,
    place: PathBuf,
    /// Whoever can take it knows that this was abandoned.
    _making: LockedFile,
    is_over: bool,
}

impl Unfinished {
    /// Where to build it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the sandbox in its place, durably.
    pub fn finish(mut self) -> Result<()> {
        let parent = self.place.parent().expect("a sandbox is in a folder of sandboxes");
        let _folders = LockFile::open(&parent.join(LOCK))?.acquire()?;
        let put = self.put(parent);
        if put.is_err() {
            // The next `new` removes what this cannot.
            let _ = remove_folder(&self.folder);
        }
        // Others may build in a folder of this name from now on.
        self.is_over = true;
        put
    }

    fn put(&self, parent: &Path) -> Result<()> {
        let making = self.folder.join(MAKING);
        fs::remove_file(&making).doing("remove", &making)?;
        disk::Disk::sync_folder(&disk::RealDisk, &self.folder).doing("write", &self.folder)?;
        // Linux and macOS replace an empty folder of that name, and a sandbox's is never empty.
        fs::rename(&self.folder, &self.place).map_err(|error| match error.kind() {
            std::io::ErrorKind::DirectoryNotEmpty | std::io::ErrorKind::AlreadyExists => exists(&self.name),
            _ => error::io("make", &self.place, &error),
        })?;
        disk::Disk::sync_folder(&disk::RealDisk, parent).doing("write", parent)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_over {
            let folders = LockFile::open(&self.folder.with_file_name(LOCK)).and_then(|lock| lock.acquire());
            // The next `new` removes what this cannot.
            let _ = folders.and_then(|_folders| remove_folder(&self.folder));
        }
    }
}

/// Removes what an interrupted process left when it created or removed a sandbox. The caller holds
/// [`LOCK`].
fn remove_leftovers(sandboxes: &Path) -> Result<()> {
    for entry in fs::read_dir(sandboxes).doing("read", sandboxes)? {
        let path = entry.doing("read", sandboxes)?.path();
        let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        if name.starts_with('.') && (name.ends_with(".old") || name.ends_with(".new") && is_abandoned(&path)?) {
            remove_folder(&path)?;
        }
    }
    Ok(())
}

/// Whether nobody builds there. What has no such file was never begun, or was finished by now.
fn is_abandoned(folder: &Path) -> Result<bool> {
    let making = folder.join(MAKING);
    if !making.try_exists().doing("read", &making)? {
        return Ok(true);
    }
    match LockFile::open(&making)?.try_acquire() {
        Ok(_) => Ok(true),
        Err(error) if error.kind == ErrorKind::Busy => Ok(false),
        Err(error) => Err(error),
    }
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error::io("remove", folder, &error)),
        _ => Ok(()),
    }
}

fn exists(name: &SandboxId) -> HostError {
    HostError::new(ErrorKind::SandboxExists, format!("the sandbox '{name}' already exists"))
        .hint(format!("choose another name with -s, or remove it with `gitgate rm {name}`"))
}

/// The user's folder by the base directory specification: an absolute path in `variable`, else
/// below HOME.
pub(crate) fn user_folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        (folder, home)
    }

    fn name(name: &str) -> SandboxId {
        name.parse().unwrap()
    }

    fn make(home: &Home, sandbox: &str) -> Result<()> {
        let unfinished = home.begin(&name(sandbox))?;
        fs::write(unfinished.folder().join(SandboxFile::NAME), "").unwrap();
        unfinished.finish()
    }

    #[test]
    fn a_sandbox_is_seen_when_it_is_finished_and_only_then() {
        let (_folder, home) = home();
        assert_eq!(home.sandboxes().unwrap(), []);
        let unfinished = home.begin(&name("a")).unwrap();
        fs::write(unfinished.folder().join(SandboxFile::NAME), "").unwrap();
        assert_eq!(home.sandboxes().unwrap(), []);
        assert_eq!(home.sandbox(&name("a")).unwrap_err().kind, ErrorKind::NoSuchSandbox);
        unfinished.finish().unwrap();
        assert_eq!(home.sandboxes().unwrap(), [name("a")]);
        home.sandbox(&name("a")).unwrap();
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let (folder, home) = home();
        drop(home.begin(&name("a")).unwrap());
        let sandboxes = folder.path().join("home/sandboxes");
        let left = || fs::read_dir(&sandboxes).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        assert_eq!(left(), [".lock"]);
        // As a process leaves it that was killed.
        fs::create_dir(sandboxes.join(".b.new")).unwrap();
        fs::create_dir(sandboxes.join(".c.123.old")).unwrap();
        make(&home, "a").unwrap();
        assert_eq!(home.sandboxes().unwrap(), [name("a")]);
        assert_eq!(left().len(), 2);
    }

    #[test]
    fn several_are_made_at_once_each_of_another_name() {
        let (_folder, home) = home();
        let slow = home.begin(&name("slow")).unwrap();
        fs::write(slow.folder().join(SandboxFile::NAME), "").unwrap();
        make(&home, "quick").unwrap();
        assert_eq!(home.begin(&name("slow")).unwrap_err().kind, ErrorKind::SandboxExists);
        slow.finish().unwrap();
        assert_eq!(home.sandboxes().unwrap(), [name("quick"), name("slow")]);
        let left = fs::read_dir(home.sandbox(&name("slow")).unwrap()).unwrap();
        assert_eq!(left.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), [SandboxFile::NAME]);
    }

    #[test]
    fn a_name_is_taken_once_however_close_the_race() {
        let (_folder, home) = home();
        let first = home.begin(&name("a")).unwrap();
        fs::write(first.folder().join(SandboxFile::NAME), "").unwrap();
        // Another process of the same name would build in a folder of its own; here it is done
        // first.
        let place = first.place.clone();
        fs::create_dir(&place).unwrap();
        fs::write(place.join(SandboxFile::NAME), "other").unwrap();
        assert_eq!(first.finish().unwrap_err().kind, ErrorKind::SandboxExists);
        assert_eq!(make(&home, "a").unwrap_err().kind, ErrorKind::SandboxExists);
        assert_eq!(fs::read_to_string(place.join(SandboxFile::NAME)).unwrap(), "other");
    }

    #[test]
    fn a_sandbox_that_is_not_there_is_answered_with_those_that_are() {
        let (_folder, home) = home();
        make(&home, "one").unwrap();
        make(&home, "two").unwrap();
        let error = home.sandbox(&name("thre")).unwrap_err();
        assert_eq!(error.message, "there is no sandbox 'thre'");
        assert_eq!(error.hint, "create it with `gitgate -s thre new`, or use one of: one, two".into());
    }

    #[test]
    fn removing_leaves_the_others() {
        let (_folder, home) = home();
        make(&home, "one").unwrap();
        make(&home, "two").unwrap();
        home.remove(&name("one")).unwrap();
        assert_eq!(home.sandboxes().unwrap(), [name("two")]);
    }
}
