//! Holds conversations with a server through the person's ssh, with their agent, keys and known hosts.
//!
//! The first request of a conversation starts the program on the server, and what that says of itself is the answer.
//! What is sent next goes to the same program.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gate::forge::{Cut, Headers, Response};

use super::place::Place;
use super::settings;
use crate::error::{ErrorKind, HostError, Result};
use crate::program::Environment;
use crate::sandbox::Clock;
use crate::wire::{Broken, Limits};

/// How often a person who calls it off is noticed.
const TICK: Duration = Duration::from_millis(20);
/// Bytes of a piece that is read.
const PIECE: usize = 64 << 10;
/// Bytes of what ssh says about a failure.
const MOST_SAID: u64 = 4 << 10;

/// A conversation with a program on a server.
pub struct Talk {
    repository: String,
    service: String,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<String>,
    /// The program answers each request by itself, up to a flush. An older one speaks until it ends.
    is_two: bool,
    /// What came behind the answer that was asked for.
    rest: Vec<u8>,
    /// The program has said what it is.
    has_begun: bool,
    /// Counts the pieces that were sent: a server that takes a large push says nothing meanwhile.
    sent: Arc<AtomicUsize>,
}

/// Who may end a request, and when.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    pub clock: &'a Clock,
    pub limits: Limits,
    pub moves: bool,
}

type Came = std::result::Result<Response, Broken>;

impl Talk {
    /// Starts the program that `place` names, and returns what it says of itself.
    ///
    /// # Errors
    /// There is no ssh, or its settings make no sense.
    pub fn begin(place: &Place<'_>, environment: &Environment, watched: Watched<'_>) -> Result<(Talk, Came)> {
        let mut command = command(place, environment, watched.clock)?;
        let mut child = command.spawn().map_err(|error| {
            HostError::new(ErrorKind::Usage, format!("cannot start ssh: {error}")).hint("install OpenSSH's client")
        })?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (mut stdout, stderr) = (stdout.expect("it is piped"), stderr.expect("it is piped"));
        let (send, receive) = sync_channel(16);
        // Neither is joined: what ssh has started may keep the pipes open.
        std::thread::spawn(move || {
            let mut piece = vec![0; PIECE];
            while let Ok(length @ 1..) = stdout.read(&mut piece) {
                if send.send(piece[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (tell, told) = channel();
        std::thread::spawn(move || {
            let mut said = Vec::new();
            // Whoever reads it takes what there is.
            let _ = stderr.take(MOST_SAID).read_to_end(&mut said);
            let _ = tell.send(String::from_utf8_lossy(&said).into_owned());
        });
        let mut talk = Talk {
            repository: place.repository.to_owned(),
            service: place.service.to_owned(),
            stdin: child.stdin.take(),
            child,
            stdout: receive,
            stderr: told,
            is_two: false,
            rest: Vec::new(),
            has_begun: false,
            sent: Arc::default(),
        };
        let came = talk.hear(true, watched)?;
        talk.has_begun = true;
        talk.is_two = came.as_ref().is_ok_and(|answer| answer.body.starts_with(b"000eversion 2\n"));
        Ok((talk, came))
    }

    /// Whether it is with the program that `place` names.
    pub fn is_with(&self, place: &Place<'_>) -> bool {
        self.repository == place.repository && self.service == place.service
    }

    /// Says `body`, and returns the answer.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if it was called off.
    pub fn go_on(&mut self, body: &Bytes, watched: Watched<'_>) -> Result<Came> {
        let Some(mut stdin) = self.stdin.take() else { return Ok(Err(lost("the conversation is over"))) };
        let body = body.clone();
        let (give_back, given_back) = channel();
        let sent = Arc::clone(&self.sent);
        // A server may answer before it has heard everything.
        std::thread::spawn(move || {
            let written = body.chunks(PIECE).try_for_each(|piece| {
                stdin.write_all(piece)?;
                sent.fetch_add(1, Ordering::Relaxed);
                stdin.flush()
            });
            // Nobody waits for it any more after the end of the answer.
            let _ = give_back.send(written.is_ok().then_some(stdin));
        });
        if !self.is_two {
            // An older one reads until the end of what it is sent: nobody may hold that open.
            drop(given_back);
            return self.hear(false, watched);
        }
        let came = self.hear(true, watched)?;
        self.stdin = given_back.recv_timeout(watched.limits.silence).ok().flatten();
        Ok(came)
    }

    /// Hears an answer: up to a flush, or to the end.
    fn hear(&mut self, to_flush: bool, watched: Watched<'_>) -> Result<Came> {
        let Watched { clock, limits, moves } = watched;
        let mut heard = std::mem::take(&mut self.rest);
        let (mut at, begin, mut last) = (0, Instant::now(), Instant::now());
        let mut sent = self.sent.load(Ordering::Relaxed);
        loop {
            if to_flush {
                match flush(&heard, &mut at) {
                    Ok(true) => {
                        self.rest = heard.split_off(at);
                        return Ok(Ok(answer(200, heard)));
                    }
                    Ok(false) => {}
                    Err(()) => return Ok(Err(lost("it is no git server that answers"))),
                }
            }
            if heard.len() > limits.answer {
                return Ok(Err(Broken(Cut::TooBig, format!("the answer has more than {} bytes", limits.answer))));
            }
            match self.stdout.recv_timeout(TICK) {
                Ok(piece) => {
                    heard.extend_from_slice(&piece);
                    last = Instant::now();
                }
                Err(RecvTimeoutError::Disconnected) if !to_flush && !heard.is_empty() => {
                    return Ok(Ok(answer(200, heard)));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(self.ended(heard.is_empty(), limits)),
                Err(RecvTimeoutError::Timeout) => {
                    if clock.is_cancelled() && !moves {
                        let what = "interrupted while the git server was asked";
                        return Err(HostError::new(ErrorKind::Interrupted, what));
                    }
                    let now = self.sent.load(Ordering::Relaxed);
                    if std::mem::replace(&mut sent, now) != now {
                        last = Instant::now();
                    }
                    if last.elapsed() > limits.silence || begin.elapsed() > limits.whole {
                        return Ok(Err(lost("it took too long")));
                    }
                }
            }
        }
    }

    /// What it means that the program has ended before it answered. That it does not begin is a refusal, which is an
    /// answer. What it did after that, nobody knows.
    fn ended(&mut self, is_silent: bool, limits: Limits) -> Came {
        let code = self.code(limits.silence);
        let said = self.stderr.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said = lines.join("; ");
        let is_shut_out = ["Permission denied", "Host key verification failed", "Too many authentication"]
            .iter()
            .any(|why| said.contains(why));
        match code {
            _ if self.has_begun => Err(lost(if said.is_empty() { "the connection has ended" } else { &said })),
            Some(255) if is_shut_out => Ok(answer(401, said)),
            Some(255) if is_silent => Err(Broken(Cut::Unreached, said)),
            Some(255) | None => Err(lost(&said)),
            Some(_) => Ok(answer(404, said)),
        }
    }

    /// The code that the person's ssh ends with, if it does in that time.
    fn code(&mut self, limit: Duration) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < limit {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                Ok(None) => std::thread::sleep(TICK),
                Err(_) => return None,
            }
        }
        None
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // It ends by itself when nobody speaks to it, but not surely.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether `heard` has a flush at its end, looking from `at`, which moves on. What is no packet line is an error.
fn flush(heard: &[u8], at: &mut usize) -> std::result::Result<bool, ()> {
    while let Some(head) = heard.get(*at..*at + 4) {
        let length = std::str::from_utf8(head).ok().and_then(|hex| usize::from_str_radix(hex, 16).ok()).ok_or(())?;
        if length == 0 {
            *at += 4;
            return Ok(true);
        }
        // A line of fewer than four bytes ends a section.
        let length = length.max(4);
        if heard.len() < *at + length {
            return Ok(false);
        }
        *at += length;
    }
    Ok(false)
}

fn answer(status: u16, body: impl Into<Bytes>) -> Response {
    Response { status, headers: Headers::default(), body: body.into() }
}

fn lost(why: &str) -> Broken {
    Broken(Cut::Lost, why.to_owned())
}

/// The command that runs the service at a place.
fn command(place: &Place<'_>, environment: &Environment, clock: &Clock) -> Result<Command> {
    let (host, port, path) = parts(place.repository);
    let words = words(environment, clock)?;
    let (program, options) = words.split_first().ok_or_else(no_ssh)?;
    let mut command = environment.program(program).ok_or_else(no_ssh)?;
    command.args(options);
    // Nobody is asked on a terminal: what is written there may be a conversation with an agent.
    command.args(["-o", "BatchMode=yes"]);
    if place.service == "git-upload-pack" {
        command.args(["-o", "SendEnv=GIT_PROTOCOL"]).env("GIT_PROTOCOL", "version=2");
    }
    if let Some(port) = port {
        command.args(["-p", port]);
    }
    // An address has neither quotes nor spaces in its path, and no host begins with a dash.
    command.arg(host).arg(format!("{} '{path}'", place.service));
    command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Where to connect to, the port if it is not ssh's own, and the path there, as git reads an address.
fn parts(repository: &str) -> (String, Option<&str>, &str) {
    let Some(rest) = repository.strip_prefix("ssh://") else {
        let (host, path) = repository.split_once(':').unwrap_or((repository, ""));
        return (host.replace(['[', ']'], ""), None, path);
    };
    let (authority, _) = rest.split_once('/').unwrap_or((rest, ""));
    let path = &rest[authority.len()..];
    // A path from somebody's home begins with the tilde.
    let path = if path.starts_with("/~") { &path[1..] } else { path };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    // ssh takes an address of IPv6 without brackets.
    (host.replace(['[', ']'], ""), port, path)
}

/// The words of the person's ssh command: `GIT_SSH_COMMAND`, `core.sshCommand`, `GIT_SSH`, or `ssh`. No shell reads
/// them.
fn words(environment: &Environment, clock: &Clock) -> Result<Vec<String>> {
    let configured = || settings::one("core.sshCommand", environment, clock);
    let text = match environment.text("GIT_SSH_COMMAND") {
        Some(text) => Some(text.to_owned()),
        None => configured()?,
    };
    let Some(text) = text else {
        return Ok(vec![environment.text("GIT_SSH").unwrap_or("ssh").to_owned()]);
    };
    let words = shlex::split(&text).filter(|_| !text.contains(['$', '`', ';', '|', '&', '<', '>', '(', ')']));
    let words = words.ok_or_else(|| {
        HostError::new(ErrorKind::Usage, "git's ssh command needs a shell, which gitgate does not run")
            .hint("write GIT_SSH_COMMAND or core.sshCommand as a program and its options")
    })?;
    let home = environment.home();
    let expand = |word: String| match (word.strip_prefix("~/"), &home) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => word,
    };
    Ok(words.into_iter().map(expand).collect())
}

fn no_ssh() -> HostError {
    HostError::new(ErrorKind::Usage, "there is no ssh").hint("install OpenSSH's client, or use an https address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_git_reads_it() {
        assert_eq!(parts("git@h:me/x.git"), ("git@h".to_owned(), None, "me/x.git"));
        assert_eq!(parts("git@h:/srv/x.git"), ("git@h".to_owned(), None, "/srv/x.git"));
        assert_eq!(parts("ssh://git@h/me/x.git"), ("git@h".to_owned(), None, "/me/x.git"));
        assert_eq!(parts("ssh://git@h:2222/x"), ("git@h".to_owned(), Some("2222"), "/x"));
        assert_eq!(parts("ssh://[::1]/x"), ("::1".to_owned(), None, "/x"));
        assert_eq!(parts("ssh://[::1]:22/x"), ("::1".to_owned(), Some("22"), "/x"));
        assert_eq!(parts("ssh://ada@[::1]:22/x"), ("ada@::1".to_owned(), Some("22"), "/x"));
        assert_eq!(parts("ssh://h/~me/x"), ("h".to_owned(), None, "~me/x"));
    }

    #[test]
    fn an_answer_ends_with_a_flush_and_not_within_a_line() {
        let whole = b"000eversion 2\n00010007abc0000rest";
        for length in 0..whole.len() {
            let mut at = 0;
            let found = flush(&whole[..length], &mut at).unwrap();
            assert_eq!(found, length >= 29, "{length}");
        }
        let mut at = 0;
        assert_eq!((flush(whole, &mut at), at), (Ok(true), 29));
        assert_eq!(flush(b"<html>", &mut 0), Err(()));
    }

    #[test]
    fn attack_05_the_persons_command_is_words_and_no_shell_script() {
        let of =
            |text: &str| words(&Environment::of([("GIT_SSH_COMMAND", text), ("HOME", "/home/ada")]), &Clock::default());
        assert_eq!(of("ssh -i '~/my key' -v").unwrap(), ["ssh", "-i", "/home/ada/my key", "-v"]);
        assert_eq!(of("ssh -i ~/key").unwrap(), ["ssh", "-i", "/home/ada/key"]);
        for text in ["ssh $(id)", "ssh; id", "ssh | id", "ssh `id`", "ssh 'open"] {
            assert_eq!(of(text).unwrap_err().kind, ErrorKind::Usage, "{text}");
        }
        assert_eq!(words(&Environment::of::<&str, &str>([]), &Clock::default()).unwrap(), ["ssh"]);
    }
}
