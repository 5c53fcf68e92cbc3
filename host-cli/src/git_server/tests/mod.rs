//! A client against git's own server, and servers that misbehave.

mod over_ssh;
mod signing_in;
mod web;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use gate::forge::{Cut, Exchange, Fault, Forge, Listing, Method, Poll, Request};
use trial::backend::Backend;
use trial::http::{Reply, Seen, Server};

use super::Client;
use crate::program::Environment;
use crate::sandbox::Clock;
use crate::wire::Limits;

/// Nothing here is slow, except what hangs: only there does a client have to be impatient.
const PATIENT: Limits = Limits { silence: Duration::from_secs(60), whole: Duration::from_secs(60), answer: 1 << 20 };
const IMPATIENT: Limits = Limits { silence: Duration::from_millis(300), ..PATIENT };

/// A person's machine with a bare repository, `x.git`, of one commit.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        let made = machine.folder.path().join("made");
        let there = machine.repository();
        for arguments in [
            vec!["init", "-q", "-b", "main", text(&made)],
            vec!["-C", text(&made), "commit", "-q", "--allow-empty", "-m", "first"],
            vec!["clone", "-q", "--bare", text(&made), text(&there)],
        ] {
            machine.git(&arguments);
        }
        machine
    }

    fn home(&self) -> &Path {
        self.folder.path()
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("x.git")
    }

    /// Runs git with the person's configuration.
    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(trial::git());
        command.args(arguments).env_clear().env("HOME", self.home()).env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs([("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@example.org")]);
        command.envs([("GIT_COMMITTER_NAME", "A"), ("GIT_COMMITTER_EMAIL", "a@example.org")]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Puts a setting into the person's configuration.
    fn configure(&self, name: &str, value: &str) {
        self.git(&["config", "--global", name, value]);
    }

    /// git's own server for the repository. `guard` may answer first.
    fn serve(&self, mut guard: impl FnMut(&Seen) -> Option<Reply> + Send + 'static) -> Server {
        let backend = Backend::of(self.folder.path());
        Server::new(move |seen| guard(seen).unwrap_or_else(|| backend.reply(seen)))
    }

    fn client(&self, variables: &[(&'static str, &str)]) -> Client {
        self.client_within(variables, PATIENT, Clock::default())
    }

    fn client_within(&self, variables: &[(&'static str, &str)], limits: Limits, clock: Clock) -> Client {
        let path = std::env::var("PATH").unwrap();
        let mine = [("HOME", text(self.home())), ("PATH", &path), ("GIT_CONFIG_NOSYSTEM", "1")];
        let all = mine.into_iter().chain(variables.iter().copied());
        Client::with(clock, Environment::of(all), limits)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary folder is text")
}

/// Lists the refs of the repository at `address`.
fn list(client: &Client, address: &str) -> Result<Listing, Fault> {
    drive(client, Forge::Git.open(address).unwrap().refs())
}

/// Plays an exchange to its end, without waiting.
fn drive<E: Exchange>(client: &Client, mut exchange: E) -> Result<E::Out, Fault> {
    let mut last = None;
    loop {
        match exchange.poll(last.take())? {
            Poll::Send(request) => last = Some(client.send(&request).unwrap()),
            Poll::Sleep(_) => {}
            Poll::Done(out) => return Ok(out),
        }
    }
}

/// The first request of a fetch.
fn get(address: &str) -> Request {
    let path = format!("{address}/info/refs?service=git-upload-pack");
    Request { forge: Forge::Git, method: Method::Get, path, body: None, moves: false }
}

/// The status of an answer, or why there is none.
fn outcome(client: &Client, request: &Request) -> Result<u16, Cut> {
    client.send(request).unwrap().map(|response| response.status)
}
