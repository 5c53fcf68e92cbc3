//! The folder that an agent starts in: nothing is there but what connects it to this process.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Context;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::mcp::Socket;
use crate::setup::client::{Wiring, of_program, plain};
use crate::setup::place::Place;
use crate::setup::plan;
use crate::setup::server::Server;
use crate::setup::write::Files;
use crate::store::{LockFile, LockedFile, disk};

/// An agent's folder, for as long as it runs.
pub struct Folder {
    /// Where the agent starts. The same for each run of a sandbox, so that a client which asks whether
    /// its folder is to be trusted asks once.
    pub start: PathBuf,
    /// A folder without anything.
    pub empty: PathBuf,
    /// Where its clients connect.
    pub socket: Socket,
    /// What the error streams of other servers are written to: the agent has the terminal.
    pub errors: PathBuf,
    /// What the person has to know about the agent's program. Sentences.
    pub notes: Vec<String>,
    _taken: Taken,
}

/// The place for the agents of a sandbox, where one runs at a time.
pub struct Taken {
    pub root: PathBuf,
    _lock: LockedFile,
}

impl Taken {
    /// Takes it.
    ///
    /// # Errors
    /// If another agent runs there.
    pub fn of(context: &Context) -> Result<Taken> {
        let root = context.home.agent(&context.name);
        disk::private_folder(&root).doing("make", &root)?;
        let lock = LockFile::open(&root.join("lock"))?.try_acquire().map_err(|error| match error.kind {
            ErrorKind::Busy => HostError::new(ErrorKind::Busy, format!("an agent runs on {} already", context.name))
                .hint("end it first, or run this one on another sandbox, with -s NAME"),
            _ => error,
        })?;
        Ok(Taken { root, _lock: lock })
    }

    /// A folder without anything.
    pub fn empty(&self) -> Result<PathBuf> {
        self.fresh("empty")
    }

    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        remove(&folder)?;
        disk::private_folder(&folder).doing("make", &folder)?;
        Ok(folder)
    }
}

impl Folder {
    /// Makes the folder for `program`. What an earlier run left there is gone.
    ///
    /// # Errors
    /// If another agent runs there.
    pub fn make(context: &Context, program: &Path) -> Result<Folder> {
        let taken = Taken::of(context)?;
        let (start, empty) = (taken.fresh("folder")?, taken.empty()?);
        let start = start.canonicalize().doing("find", &start)?;
        let (socket, errors) = (Socket::choose(&taken.root)?, taken.root.join("servers.log"));
        remove_file(&errors)?;
        let Wiring { edits, notes } = wiring(program, &start, &Server::at(socket.path())?);
        let files = Files { root: Some(start.clone()), git_dir: None };
        for step in plan::set_up(&[], &edits, &|path| files.read(path))?.steps {
            files.write(&step)?;
        }
        Ok(Folder { start, empty, socket, errors, notes, _taken: taken })
    }

    /// What the agent has left that was not there, as a list of names.
    pub fn left(&self) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for entry in fs::read_dir(&self.start).doing("read", &self.start)? {
            let name = entry.doing("read", &self.start)?.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') && !["AGENTS.md", "GEMINI.md"].contains(&name.as_str()) {
                left.push(name);
            }
        }
        left.sort();
        Ok(left)
    }
}

/// What an unknown program is given is what most can read.
fn wiring(program: &Path, start: &Path, server: &Server) -> Wiring {
    let place = Place::Project(start.to_owned());
    match of_program(program) {
        Some(client) => client.wiring(&place, server, false),
        None => plain(start, server),
    }
}

fn remove_file(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.doing("remove", file),
    }
}

pub fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.doing("remove", folder),
    }
}
