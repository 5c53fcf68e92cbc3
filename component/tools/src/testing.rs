//! A sandbox for the unit tests of all tools. Natively it is a temporary folder, in wasm a fresh folder of the tree in memory. The same
//! tests run in both.
//!
//! Natively no kernel rolls anything back. So a test that a failed call changes nothing shows that the tool itself checks before it writes.

mod embedding;
#[cfg(not(target_os = "wasi"))]
mod git;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub use self::embedding::FakeEmbedding;
#[cfg(not(target_os = "wasi"))]
pub use self::git::{git, git_command};
use crate::call::Moment;
use crate::options::{Identity, Options};
use crate::paths::{WORKSPACE, Zone, Zones};
use crate::platform::{self, Kind};
use crate::session::Session;

/// The time of every call, unless a test sets another: 2026-11-20T10:00:00+01:00.
pub const NOW: Moment = Moment { nanos: 1_795_165_200_000_000_000, utc_offset: 3600 };

/// A sandbox with an empty workspace.
pub struct Sandbox {
    base: PathBuf,
    /// The state between calls.
    pub session: Session,
    /// The test's replacement for the embedding code.
    pub embedding: FakeEmbedding,
    #[cfg(not(target_os = "wasi"))]
    _folder: tempfile::TempDir,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox::new()
    }
}

impl Sandbox {
    /// A sandbox with default options and only the workspace.
    pub fn new() -> Sandbox {
        Sandbox::with(Options::default(), &[])
    }

    /// A sandbox with other options and more zones, each writable or not.
    pub fn with(options: Options, zones: &[(&str, bool)]) -> Sandbox {
        #[cfg(not(target_os = "wasi"))]
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        #[cfg(not(target_os = "wasi"))]
        // The system's temporary folder may be behind a link, but links that leave a zone are what some tests check.
        let base = folder.path().canonicalize().expect("the folder was made just now");
        #[cfg(target_os = "wasi")]
        let base = fresh_folder();
        fs::create_dir_all(base.join(WORKSPACE)).expect("the folder is fresh");
        let others = zones.iter().map(|&(name, writable)| {
            fs::create_dir(base.join(name)).expect("the folder is fresh");
            Zone { name: name.to_owned(), root: base.join(name), writable }
        });
        let zones = Zones::new(base.join(WORKSPACE), others.collect());
        Sandbox {
            base,
            session: Session::new(options, zones),
            embedding: FakeEmbedding::default(),
            #[cfg(not(target_os = "wasi"))]
            _folder: folder,
        }
    }

    /// The real location of the workspace.
    pub fn root(&self) -> PathBuf {
        self.base.join(WORKSPACE)
    }

    /// The real location of `path`, which is relative to the workspace or starts with `/` and a zone's name.
    pub fn real(&self, path: &str) -> PathBuf {
        match path.strip_prefix('/') {
            Some(in_zone) => self.base.join(in_zone),
            None => self.root().join(path),
        }
    }

    /// Writes a file, and creates its parent folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let real = self.real(path);
        fs::create_dir_all(real.parent().expect("a file is in a folder")).unwrap();
        fs::write(real, content).unwrap();
    }

    /// Writes an executable file.
    pub fn write_executable(&self, path: &str, content: impl AsRef<[u8]>) {
        self.write(path, content);
        platform::set_executable(&self.real(path), true).unwrap();
    }

    /// Creates a folder and its parents.
    pub fn mkdir(&self, path: &str) {
        fs::create_dir_all(self.real(path)).unwrap();
    }

    /// Creates a link and its parent folders.
    pub fn symlink(&self, target: impl AsRef<Path>, path: &str) {
        let real = self.real(path);
        fs::create_dir_all(real.parent().expect("a link is in a folder")).unwrap();
        platform::symlink(target.as_ref(), &real).unwrap();
    }

    /// The content of a file.
    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.real(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether `path` exists, even as a dangling link.
    pub fn exists(&self, path: &str) -> bool {
        platform::stat(&self.real(path)).is_ok()
    }

    /// Whether the file at `path` is executable.
    pub fn is_executable(&self, path: &str) -> bool {
        platform::stat(&self.real(path)).unwrap().executable
    }

    /// Everything in all zones, for comparison: maps `/workspace/a.md` to a line with its type and content.
    pub fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.base.clone()];
        while let Some(folder) = folders.pop() {
            for entry in platform::list(&folder).unwrap() {
                let real = platform::join(&folder, &entry.name);
                let line = match entry.stat.kind {
                    Kind::Folder => "folder".to_owned(),
                    Kind::File => format!(
                        "file {} {:?}",
                        entry.stat.executable,
                        String::from_utf8_lossy(&fs::read(&real).unwrap())
                    ),
                    Kind::Link => format!("link {}", fs::read_link(&real).unwrap().display()),
                    Kind::Other => "other".to_owned(),
                };
                let below = real.strip_prefix(&self.base).expect("it was found there");
                tree.insert(format!("/{}", below.to_string_lossy()), line);
                if entry.stat.kind == Kind::Folder {
                    folders.push(real);
                }
            }
        }
        tree
    }

    /// Sets `A U Thor` as the author of commits.
    pub fn with_identity(mut self) -> Sandbox {
        let identity = Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() };
        self.session.options.identity = Some(identity);
        self
    }
}

#[cfg(target_os = "wasi")]
fn fresh_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    PathBuf::from(format!("/t{}", FOLDERS.fetch_add(1, Ordering::Relaxed)))
}
