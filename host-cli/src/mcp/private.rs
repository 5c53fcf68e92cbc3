//! The clients of an agent that this process has started, over a socket in a folder that nobody but
//! the user can enter. Who connects there may call what an agent may, and gets nothing else.

use std::convert::Infallible;
use std::fs::Permissions;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;

use rmcp::ServiceExt;
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::lines::Lines;
use super::server::Server;
use crate::error::{Doing, ErrorKind, HostError, Result};

/// Bytes of a socket's address, at least, on every system.
const LONGEST: usize = 103;

/// Where an agent's clients find the process that serves them.
#[derive(Debug)]
pub struct Socket {
    path: PathBuf,
    /// The folder, where it is not the one that was wanted.
    _other: Option<TempDir>,
}

impl Socket {
    /// Chooses the place: in `folder`, which is private and whose path is the same each time, unless
    /// its path is too long for a socket.
    ///
    /// # Errors
    /// If what is left of an earlier socket cannot be removed.
    pub fn choose(folder: &Path) -> Result<Socket> {
        let path = folder.join("socket");
        if path.as_os_str().len() > LONGEST {
            let private = Permissions::from_mode(0o700);
            let other = tempfile::Builder::new().prefix("gitgate-").permissions(private).tempdir();
            let other = other.doing("make a folder in", &std::env::temp_dir())?;
            return Ok(Socket { path: other.path().join("socket"), _other: Some(other) });
        }
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).doing("remove", &path),
            _ => Ok(Socket { path, _other: None }),
        }
    }

    /// Its path, for those who connect.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets clients connect from now on.
    pub(super) fn listen(&self) -> Result<UnixListener> {
        UnixListener::bind(&self.path).map_err(|error| {
            HostError::new(ErrorKind::Storage, format!("cannot listen at {}: {error}", self.path.display()))
                .hint("set TMPDIR or --home to a folder on a disk of this machine, with a short path")
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It may never have been made, and the next run removes what is left.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Serves every client that connects. When this is dropped, all connections end.
pub(super) async fn serve(listener: UnixListener, server: Server) -> Infallible {
    let mut clients = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(clients.spawn(client(stream, server.clone()))),
                Err(error) => tracing::debug!("a client is not accepted: {error}"),
            },
            Some(_) = clients.join_next() => {}
        }
    }
}

async fn client(stream: tokio::net::UnixStream, server: Server) {
    let (from, to) = tokio::io::split(stream);
    let lines = Lines::new(from, to);
    let served = async { anyhow::Ok(server.serve_with_ct(lines, CancellationToken::new()).await?.waiting().await?) };
    if let Err(error) = served.await {
        tracing::debug!("a client is served no more: {error}");
    }
}

/// Connects a client at the other end of standard input and output to the process that serves at
/// `socket`, until one of them goes. This reads no configuration, and needs no credentials.
///
/// # Errors
/// If nobody serves there.
pub fn connect(socket: &Path) -> Result<()> {
    let gone = |error: io::Error| {
        HostError::new(ErrorKind::Usage, format!("no `gitgate run` serves at {}: {error}", socket.display()))
            .hint("start the agent with `gitgate run`; outside of it, a client starts `gitgate mcp`")
    };
    let mut there = UnixStream::connect(socket).map_err(gone)?;
    let mut to = there.try_clone().map_err(gone)?;
    // Not joined: it reads until the client closes its end, and there is nothing to read for by then.
    thread::spawn(move || {
        let copied = pass_on(&mut io::stdin().lock(), &mut to);
        tracing::debug!("the client has closed its end: {copied:?}");
        // The other side may have gone before.
        let _ = to.shutdown(Shutdown::Write);
    });
    let copied = pass_on(&mut there, &mut io::stdout().lock());
    tracing::debug!("the server has closed its end: {copied:?}");
    Ok(())
}

/// Passes on what comes as soon as it comes. [`io::copy`] would have the kernel do it, which keeps a
/// pipe from its reader while it waits for more.
fn pass_on(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut bytes = vec![0; 1 << 16];
    loop {
        let count = match from.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        to.write_all(&bytes[..count])?;
        to.flush()?;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[tokio::test]
    async fn a_socket_is_at_the_same_place_each_time_whatever_is_left_there() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let socket = Socket::choose(folder.path()).unwrap();
            assert_eq!(socket.path(), folder.path().join("socket"));
            drop(socket.listen().unwrap());
            // As after a process that was killed.
            std::mem::forget(socket);
        }
    }

    #[tokio::test]
    async fn a_folder_with_a_long_path_has_its_socket_in_another_private_one() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("long".repeat(40));
        fs::create_dir(&long).unwrap();
        let socket = Socket::choose(&long).unwrap();
        let other = socket.path().parent().unwrap().to_owned();
        assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o077, 0);
        let listener = socket.listen().unwrap();
        UnixStream::connect(socket.path()).unwrap();
        drop((listener, socket));
        assert!(!other.exists());
    }

    #[test]
    fn who_finds_nobody_is_told_what_serves_there() {
        let folder = tempfile::tempdir().unwrap();
        let error = connect(&folder.path().join("socket")).unwrap_err();
        assert!(error.message.starts_with("no `gitgate run` serves at "), "{error:?}");
    }
}
