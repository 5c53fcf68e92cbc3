//! A real git server, without a network: each request is answered by `git http-backend`, unless it has trouble.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use bytes::Bytes;
use gate::forge::{Cut, Exchange, Fault, Forge, Headers, Poll, Request, Response, Server};
use gix_hash::ObjectId;
use trial::backend::{Asked, Backend};

use super::{Repo, hex};

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The request is lost.
    CutBefore,
    /// The answer is lost.
    CutAfter,
    /// This status instead of acting.
    Status(u16),
    /// A 502 after having acted.
    FailsAfter,
    /// Acts, and answers with half of it.
    Malformed,
    /// Acts, but answers with more than the host accepts.
    Huge,
    /// Answers with a page.
    Page,
}

impl Trouble {
    pub const ALL: [Trouble; 14] = [
        Trouble::CutBefore,
        Trouble::CutAfter,
        Trouble::Status(301),
        Trouble::Status(401),
        Trouble::Status(403),
        Trouble::Status(404),
        Trouble::Status(413),
        Trouble::Status(429),
        Trouble::Status(500),
        Trouble::Status(503),
        Trouble::FailsAfter,
        Trouble::Malformed,
        Trouble::Huge,
        Trouble::Page,
    ];
}

type Event = Box<dyn FnMut(&GitServer)>;

/// A server with one bare repository.
pub struct GitServer {
    folder: tempfile::TempDir,
    backend: Backend,
    /// The requests so far.
    pub log: Vec<Request>,
    /// The total waiting time of the exchanges.
    pub waited: Duration,
    /// Changes its answers at random.
    pub garbles: Option<fastrand::Rng>,
    troubles: HashMap<usize, Trouble>,
    events: HashMap<usize, Event>,
}

pub const LOCATION: &str = "https://git.example/x.git";

/// The repository, as an exchange is begun with it.
pub fn repository() -> Box<dyn Server> {
    Forge::Git.open(LOCATION).unwrap()
}

impl GitServer {
    /// A server with the branches and tags of `repo`.
    pub fn of(repo: &Repo) -> Self {
        let server = GitServer::empty();
        repo.git(&["push", "-q", "--mirror", server.path().to_str().unwrap()]);
        server
    }

    /// A server with a repository without a commit.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = GitServer {
            backend: Backend::of(folder.path()),
            folder,
            log: Vec::new(),
            waited: Duration::ZERO,
            garbles: None,
            troubles: HashMap::new(),
            events: HashMap::new(),
        };
        let made = Command::new(trial::git()).args(["init", "-q", "--bare", "-b", "main"]).arg(server.path()).status();
        assert!(made.unwrap().success());
        server.git(&["config", "uploadpack.allowFilter", "true"]);
        server
    }

    /// It speaks the oldest version only.
    pub fn old(mut self, is_old: bool) -> Self {
        self.backend.is_old = is_old;
        self
    }

    /// The repository on the server.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("x.git")
    }

    /// Runs git in the repository.
    pub fn git(&self, args: &[&str]) -> Vec<u8> {
        let output = Command::new(trial::git())
            .arg("-C")
            .arg(self.path())
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Where a branch is.
    pub fn tip(&self, branch: &str) -> Option<ObjectId> {
        let said = self.git(&["for-each-ref", "--format=%(objectname)", &format!("refs/heads/{branch}")]);
        let said = said.trim_ascii();
        (!said.is_empty()).then(|| hex(said))
    }

    /// Has `script` run before a push is taken.
    pub fn hook(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let file = self.path().join("hooks").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Causes trouble at request number `index`.
    pub fn troubled(mut self, index: usize, trouble: Trouble) -> Self {
        self.troubles.insert(index, trouble);
        self
    }

    /// Causes trouble at all requests from number `index` on.
    pub fn troubled_from(mut self, index: usize, trouble: Trouble) -> Self {
        self.troubles.extend((index..index + 100).map(|index| (index, trouble)));
        self
    }

    /// Lets an event happen just before request number `index` takes effect.
    pub fn before(mut self, index: usize, event: impl FnMut(&GitServer) + 'static) -> Self {
        self.events.insert(index, Box::new(event));
        self
    }

    /// Runs an exchange to its end.
    pub fn drive<E: Exchange>(&mut self, mut exchange: E) -> Result<E::Out, Fault> {
        let mut last = None;
        for _ in 0..1000 {
            match exchange.poll(last.take())? {
                Poll::Send(request) => last = Some(self.answer(request)),
                Poll::Sleep(duration) => self.waited += duration,
                Poll::Done(out) => return Ok(out),
            }
        }
        panic!("the exchange has no end");
    }

    fn answer(&mut self, request: Request) -> Result<Response, Cut> {
        let index = self.log.len();
        self.log.push(request.clone());
        if let Some(mut event) = self.events.remove(&index) {
            event(self);
        }
        let of = |status, body: Bytes| Response { status, headers: Headers::default(), body };
        let trouble = self.troubles.get(&index).copied();
        match trouble {
            Some(Trouble::CutBefore) => return Err(Cut::Lost),
            Some(Trouble::Status(status)) => return Ok(of(status, Bytes::from_static(b"no\n"))),
            Some(Trouble::Page) => return Ok(of(200, Bytes::from_static(b"<html>Sign in</html>"))),
            _ => {}
        }
        let answer = self.act(&request);
        match trouble {
            Some(Trouble::CutAfter) => Err(Cut::Lost),
            Some(Trouble::FailsAfter) => Ok(of(502, Bytes::new())),
            Some(Trouble::Malformed) => Ok(Response { body: answer.body.slice(..answer.body.len() / 2), ..answer }),
            Some(Trouble::Huge) => Err(Cut::TooBig),
            _ => Ok(self.garbled(answer)),
        }
    }

    fn act(&self, request: &Request) -> Response {
        let path = request.path.strip_prefix("https://git.example").expect("only this server is asked");
        let service = if path.contains("git-receive-pack") { "git-receive-pack" } else { "git-upload-pack" };
        let answered = self.backend.answer(&Asked {
            method: request.method.as_str(),
            path,
            content_type: &format!("application/x-{service}-request"),
            protocol: if service == "git-upload-pack" { "version=2" } else { "" },
            body: request.body.as_deref().unwrap_or_default(),
        });
        Response { status: answered.status, headers: Headers::default(), body: answered.body.into() }
    }

    fn garbled(&mut self, answer: Response) -> Response {
        let Some(random) = &mut self.garbles else { return answer };
        let mut bytes = answer.body.to_vec();
        for _ in 0..random.usize(0..3) {
            let at = random.usize(..=bytes.len());
            let until = bytes.len().min(at + random.usize(..8));
            let odd = [&b"0000"[..], b"0001", b"0008NAK\n", b"\0", b"ffff", b"PACK", b"0005\x03", b"ERR x"];
            bytes.splice(at..until, odd[random.usize(..odd.len())].to_vec());
        }
        Response { body: bytes.into(), ..answer }
    }
}
