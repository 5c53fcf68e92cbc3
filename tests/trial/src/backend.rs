//! git's own server: `git http-backend` for the bare repositories in a folder, run as a web server runs it (CGI).

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::http::{Reply, Seen};

/// Repositories that are served.
#[derive(Clone, Debug)]
pub struct Backend {
    folder: PathBuf,
    /// Only the oldest version of the protocol is spoken.
    pub is_old: bool,
}

/// What the server is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Such as `GET`.
    pub method: &'a str,
    /// Path below the folder, and query.
    pub path: &'a str,
    /// What the body is.
    pub content_type: &'a str,
    /// The header `Git-Protocol`.
    pub protocol: &'a str,
    /// What is sent.
    pub body: &'a [u8],
}

/// What it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Of HTTP.
    pub status: u16,
    /// Names as they are sent.
    pub headers: Vec<(String, String)>,
    /// What follows them.
    pub body: Vec<u8>,
}

impl Backend {
    /// A server of what is in `folder`. Whoever asks may push.
    pub fn of(folder: impl Into<PathBuf>) -> Self {
        Backend { folder: folder.into(), is_old: false }
    }

    /// Answers a request that came over HTTP.
    ///
    /// # Panics
    ///
    /// As [`Backend::answer`].
    pub fn reply(&self, seen: &Seen) -> Reply {
        let header = |name| seen.header(name).unwrap_or_default();
        let answered = self.answer(&Asked {
            method: &seen.method,
            path: &seen.path,
            content_type: header("content-type"),
            protocol: header("git-protocol"),
            body: &seen.body,
        });
        let headers: Vec<(&str, &str)> = answered.headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        Reply::with(answered.status, &headers, answered.body)
    }

    /// Answers one request.
    ///
    /// # Panics
    ///
    /// If git cannot be run, or gives no answer.
    pub fn answer(&self, asked: &Asked<'_>) -> Answered {
        let (path, query) = asked.path.split_once('?').unwrap_or((asked.path, ""));
        let mut command = Command::new(crate::git());
        command
            .arg("http-backend")
            .env_clear()
            .envs([("GIT_PROJECT_ROOT", self.folder.as_os_str()), ("HOME", self.folder.as_os_str())]);
        command.envs([
            ("PATH", std::env::var("PATH").unwrap_or_default().as_str()),
            ("GIT_HTTP_EXPORT_ALL", "1"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_PROTOCOL", if self.is_old { "" } else { asked.protocol }),
            ("PATH_INFO", path),
            ("QUERY_STRING", query),
            ("REQUEST_METHOD", asked.method),
            ("CONTENT_TYPE", asked.content_type),
            ("CONTENT_LENGTH", &asked.body.len().to_string()),
            ("REMOTE_USER", "ada"),
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("git can be run");
        let mut stdin = child.stdin.take().expect("it is piped");
        let body = asked.body.to_vec();
        // A service that refuses does not read to the end.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&body)));
        let output = child.wait_with_output().expect("git ends");
        writer.join().expect("writing does not panic");
        Answered::read(&output.stdout)
    }
}

impl Answered {
    fn read(said: &[u8]) -> Self {
        let end = said.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8_lossy(&said[..end]);
        let (mut status, mut headers) = (200, Vec::new());
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            match name {
                "Status" => status = value[..3].parse().expect("a status is a number"),
                _ => headers.push((name.to_owned(), value.to_owned())),
            }
        }
        Answered { status, headers, body: said[end + 4..].to_vec() }
    }
}
