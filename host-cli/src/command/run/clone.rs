//! The folder of an agent that works with git and tools of its own: a clone of its sandbox. Its remote is `gitgate:NAME`, and only the
//! environment of a running agent says where that is. Who finds the clone later finds neither address nor token in it.
//!
//! No git of the person's runs in it again: an agent has written there, and git does what a repository's configuration says.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind::NotFound;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::{Role, token};
use gate::hex;
use host::settings::SandboxFile;

use super::environment;
use super::folder::{Taken, remove};
use crate::command::Context;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::moment;
use crate::platform::Native;
use crate::serve::{First, Programs};
use crate::store::{self, disk};

/// How long an agent's token is worth something after its run has begun.
const EXPIRES: u64 = 30 * 24 * 60 * 60;

/// An agent's clone, for as long as it runs.
pub struct Clone {
    /// Where the agent starts. It stays, with what the agent has not pushed and what its tools have built.
    pub folder: PathBuf,
    /// A folder without anything.
    empty: PathBuf,
    file: SandboxFile,
    sandbox: String,
    token: String,
    _taken: Taken,
}

impl Clone {
    /// Takes the folder. Another sandbox of the same name has another one.
    ///
    /// # Errors
    /// If another agent runs there, or the sandbox is on disk, which nobody serves.
    pub fn take(context: &Context) -> Result<Clone> {
        let place = context.home.sandbox(&context.name)?;
        let file = store::settings(&place)?;
        if file.on_disk.is_some() {
            return Err(HostError::new(ErrorKind::Usage, format!("the sandbox '{}' is on disk", context.name))
                .hint("an agent works in its folder already; or open another sandbox of the repository"));
        }
        let taken = Taken::of(context)?;
        let folder = taken.root.join(format!("git-{}", hex::encode(&file.id.0[..8])));
        let empty = taken.empty()?;
        let token = token_of(context, &place, &taken.root.join("git-token"))?;
        Ok(Clone { folder, empty, file, sandbox: context.name.to_string(), token, _taken: taken })
    }

    /// The programs that run: the agent, after `git clone` the first time.
    ///
    /// # Errors
    /// If what an interrupted clone has left cannot be removed.
    pub fn programs(&self, mut agent: Command, address: SocketAddr) -> Result<Programs<'_>> {
        self.surround(&mut agent, address);
        agent.current_dir(&self.folder);
        if self.folder.exists() {
            return Ok(Programs { first: None, agent });
        }
        // It has its name once it is whole.
        let new = self.folder.with_extension("new");
        remove(&new)?;
        let mut git = Command::new("git");
        git.args(["clone", "--quiet"]).arg(format!("gitgate:{}", self.sandbox)).arg(&new);
        git.current_dir(&self.empty);
        self.surround(&mut git, address);
        let then = move || fs::rename(&new, &self.folder).doing("rename", &new);
        let first = First { command: git, then: Box::new(then) };
        Ok(Programs { first: Some(first), agent })
    }

    /// Gives a program what it needs to reach the sandbox with git, and none of the person's credentials.
    fn surround(&self, command: &mut Command, address: SocketAddr) {
        environment::strip(command, std::env::vars_os(), &self.empty);
        let url = format!("http://x:{}@{address}/git/{}", self.token, self.sandbox);
        let mut settings = vec![
            (format!("url.{url}.insteadOf"), format!("gitgate:{}", self.sandbox)),
            // A new branch is proposed as any other.
            ("push.autoSetupRemote".to_owned(), "true".to_owned()),
        ];
        if let Some(identity) = &self.file.identity {
            settings.push(("user.name".to_owned(), identity.name.clone()));
            settings.push(("user.email".to_owned(), identity.email.clone()));
        }
        command.env("GIT_CONFIG_COUNT", settings.len().to_string());
        for (number, (key, value)) in settings.into_iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
    }
}

/// The agent's token, the same for its next run: an agent replaces only what it has pushed with the same one.
fn token_of(context: &Context, place: &Path, kept: &Path) -> Result<String> {
    let store = store::open(place)?;
    match fs::read_to_string(kept) {
        Ok(text) => {
            let (held, now) = (store.lock.acquire()?, moment::now().timestamp());
            if let Some(found) = token::find(&store, now, &text)? {
                // It must not expire while the agent runs.
                token::extend(&store, &held, now, &found.id, EXPIRES)?;
                return Ok(text);
            }
        }
        Err(error) if error.kind() != NotFound => return Err(error).doing("read", kept),
        Err(_) => {}
    }
    let wanted = token::Wanted { role: Role::Agent, note: "gitgate run".to_owned(), expires_in: Some(EXPIRES) };
    let held = store.lock.acquire()?;
    let made = token::make(&store, &held, &Native::new(context.clock.clone()), &wanted)?;
    drop(held);
    let mut file =
        disk::private(OpenOptions::new().create(true).write(true).truncate(true)).open(kept).doing("write", kept)?;
    file.write_all(made.token.as_bytes()).doing("write", kept)?;
    Ok(made.token)
}

/// What to say if git cannot make the clone.
pub fn not_cloned(why: String) -> HostError {
    HostError::new(ErrorKind::Usage, format!("git cannot clone the sandbox: {why}"))
        .hint("install git 2.31 or newer, or leave --git away: the agent has gitgate's tools then")
}
