//! An in-memory GitHub: refs and objects with git's own ids, and troubles at any request.

mod graph;
mod objects;
mod read;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use gate::approval::Redeemed;
use gate::forge::{Cut, Exchange, Fault, Headers, Method, Poll, Request, Response};
use gate::github::Repository;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde_json::{Value, json};

use super::pushing::Scene;
use super::{Repo, Store};

pub use objects::link;

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The request is lost.
    CutBefore,
    /// The answer is lost.
    CutAfter,
    /// A 502 instead of acting.
    FailsBefore,
    /// A 502 after having acted.
    FailsAfter,
    /// A 503 after having acted, with seconds to wait.
    WaitsAfter,
    /// The token was revoked.
    Unauthorized,
    /// 403 with the seconds to wait.
    Limited(u64),
    /// 403 with a text alone.
    LimitedUnsaid,
    /// 404 without acting.
    NotFound,
    /// 409 without acting.
    Conflict,
    /// 422 without acting.
    Unprocessable,
    /// Acts, but names another object.
    WrongId,
    /// Acts, and answers with half of its JSON.
    Malformed,
    /// Acts, but answers with more than the host accepts.
    Huge,
}

impl Trouble {
    pub const ALL: [Trouble; 14] = [
        Trouble::CutBefore,
        Trouble::CutAfter,
        Trouble::FailsBefore,
        Trouble::FailsAfter,
        Trouble::WaitsAfter,
        Trouble::Unauthorized,
        Trouble::Limited(30),
        Trouble::LimitedUnsaid,
        Trouble::NotFound,
        Trouble::Conflict,
        Trouble::Unprocessable,
        Trouble::WrongId,
        Trouble::Malformed,
        Trouble::Huge,
    ];
}

type Event = Box<dyn FnMut(&mut Server)>;

/// One repository, `octo/hello`.
pub struct Server {
    pub objects: HashMap<ObjectId, (Kind, Vec<u8>)>,
    pub refs: BTreeMap<String, ObjectId>,
    /// Whether it has the GraphQL API.
    pub has_graph: bool,
    /// Whether the token may only read through that API.
    pub graph_is_closed: bool,
    pub is_archived: bool,
    /// The server's words if the token may do nothing here.
    pub forbids: Option<String>,
    /// Its new name, if it was renamed.
    pub renamed: Option<&'static str>,
    /// It lists larger trees in parts.
    pub most_entries: usize,
    /// It omits one commit from its lists.
    pub leaves_out_commits: bool,
    /// The refusal of a push to a protected branch.
    pub is_protected: bool,
    /// A rule that every commit has a signature.
    pub wants_signatures: bool,
    /// Open pull requests: number, head, base.
    pub pulls: Vec<(u64, String, String)>,
    /// What it says of a pull request beside its number, and of the checks of every commit, of apps and others. A token may not read them.
    pub told_pull: Value,
    pub told_checks: Option<[Value; 2]>,
    /// The requests so far.
    pub log: Vec<Request>,
    /// How often a branch was moved or created.
    pub moves: usize,
    /// The total waiting time of the exchanges.
    pub waited: Duration,
    /// Changes its answers at random.
    pub garbles: Option<fastrand::Rng>,
    troubles: HashMap<usize, Trouble>,
    events: HashMap<usize, Event>,
}

pub const NAME: &str = "octo/hello";

pub fn repository() -> Repository {
    NAME.parse().unwrap()
}

/// The approved push of a scene's work beyond its target to `branch`, which is at `old`.
pub fn approved(scene: &Scene, branch: &str, old: Option<ObjectId>) -> Redeemed {
    scene.approved(branch, old, repository().target())
}

impl Server {
    /// The repository that is a scene's target.
    pub fn before_push(scene: &Scene) -> Self {
        let mut server = Server::empty();
        let Store(objects) = scene.target.clone();
        server.objects = objects;
        server.set_main(scene.base);
        server
    }

    /// A repository with the contents of `repo` on `main`, if it has any.
    pub fn of(repo: &Repo) -> Self {
        let mut server = Server::empty();
        server.objects = repo.objects(&["main"]).0;
        server.refs.insert("refs/heads/main".to_owned(), repo.id("main"));
        server
    }

    /// A repository without a commit.
    pub fn empty() -> Self {
        Server {
            objects: HashMap::new(),
            refs: BTreeMap::new(),
            has_graph: false,
            graph_is_closed: false,
            is_archived: false,
            forbids: None,
            renamed: None,
            most_entries: usize::MAX,
            leaves_out_commits: false,
            wants_signatures: false,
            told_pull: Value::Null,
            told_checks: None,
            is_protected: false,
            pulls: Vec::new(),
            log: Vec::new(),
            moves: 0,
            waited: Duration::ZERO,
            garbles: None,
            troubles: HashMap::new(),
            events: HashMap::new(),
        }
    }

    /// Another server with the same contents and no events.
    #[allow(dead_code, reason = "the tests of hosts start from the same state many times")]
    pub fn copied(&self) -> Self {
        Server {
            objects: self.objects.clone(),
            refs: self.refs.clone(),
            forbids: self.forbids.clone(),
            pulls: self.pulls.clone(),
            told_pull: self.told_pull.clone(),
            told_checks: self.told_checks.clone(),
            log: self.log.clone(),
            garbles: self.garbles.clone(),
            troubles: self.troubles.clone(),
            events: HashMap::new(),
            ..*self
        }
    }

    pub fn with_graph(mut self, has_graph: bool) -> Self {
        self.has_graph = has_graph;
        self
    }

    /// Causes trouble at request number `index`.
    pub fn troubled(mut self, index: usize, trouble: Trouble) -> Self {
        self.trouble(index, trouble);
        self
    }

    /// Causes trouble at all requests from number `index` on.
    pub fn troubled_from(mut self, index: usize, trouble: Trouble) -> Self {
        self.troubles.extend((index..index + 100).map(|index| (index, trouble)));
        self
    }

    /// Lets an event happen just before request number `index` takes effect.
    pub fn before(mut self, index: usize, event: impl FnMut(&mut Server) + 'static) -> Self {
        self.happens(index, event);
        self
    }

    /// As above.
    pub fn happens(&mut self, index: usize, event: impl FnMut(&mut Server) + 'static) {
        self.events.insert(index, Box::new(event));
    }

    /// The head of `main`.
    pub fn main(&self) -> Option<ObjectId> {
        self.refs.get("refs/heads/main").copied()
    }

    pub fn set_main(&mut self, id: ObjectId) {
        self.refs.insert("refs/heads/main".to_owned(), id);
    }

    /// Method and path of every request, relative to the repository.
    pub fn asked(&self) -> Vec<String> {
        let of = |request: &Request| {
            let path = request.path.strip_prefix("/repos/octo/hello").unwrap_or(&request.path);
            format!("{} {path}", request.method.as_str())
        };
        self.log.iter().map(of).collect()
    }

    /// Runs an exchange to its end.
    pub fn drive<E: Exchange>(&mut self, mut exchange: E) -> Result<E::Out, Fault> {
        let mut last = None;
        for _ in 0..100_000 {
            match exchange.poll(last.take())? {
                Poll::Send(request) => last = Some(self.answer(request).map(|answer| self.garbled(answer))),
                Poll::Sleep(duration) => self.waited += duration,
                Poll::Done(out) => return Ok(out),
            }
        }
        panic!("the exchange has no end");
    }

    fn garbled(&mut self, mut answer: Response) -> Response {
        let Some(random) = &mut self.garbles else { return answer };
        let mut bytes = answer.body.to_vec();
        let changes = if random.u8(..4) == 0 { random.usize(1..3) } else { 0 };
        for _ in 0..changes {
            let (from, to) = (random.usize(..=bytes.len()), random.usize(..=bytes.len()));
            let piece = bytes[from.min(to)..from.max(to).min(from.min(to) + 40)].to_vec();
            let odd =
                [&piece[..], b"0", b"null", b"\"\"", b"[]", b"{}", b"-1", b"Z", b"\\u0000", b"99999999999999999999"];
            let at = random.usize(..=bytes.len());
            let until = bytes.len().min(at + random.usize(..8));
            bytes.splice(at..until, odd[random.usize(..odd.len())].to_vec());
        }
        answer.body = bytes.into();
        answer
    }

    /// Causes trouble at request number `index`.
    pub fn trouble(&mut self, index: usize, trouble: Trouble) {
        self.troubles.insert(index, trouble);
    }

    /// Answers a request, unless it has trouble.
    pub fn answer(&mut self, request: Request) -> Result<Response, Cut> {
        let index = self.log.len();
        self.log.push(request.clone());
        if let Some(mut event) = self.events.remove(&index) {
            event(self);
        }
        let told = |status, message: &str| Response { body: body(&json!({"message": message})), ..of(status) };
        match self.troubles.get(&index) {
            None => Ok(self.act(&request)),
            Some(Trouble::CutBefore) => Err(Cut::Lost),
            Some(Trouble::CutAfter) => {
                self.act(&request);
                Err(Cut::Lost)
            }
            Some(Trouble::FailsBefore) => Ok(of(502)),
            Some(Trouble::FailsAfter) => {
                self.act(&request);
                Ok(of(502))
            }
            Some(Trouble::WaitsAfter) => {
                self.act(&request);
                let headers = Headers { retry_after: Some("9".to_owned()), ..Headers::default() };
                Ok(Response { headers, ..of(503) })
            }
            Some(Trouble::Unauthorized) => Ok(told(401, "Bad credentials")),
            Some(Trouble::Limited(seconds)) => {
                let headers = Headers { retry_after: Some(seconds.to_string()), ..Headers::default() };
                Ok(Response { headers, ..told(403, "Slow down") })
            }
            Some(Trouble::LimitedUnsaid) => Ok(told(403, "You have exceeded a secondary rate limit.")),
            Some(Trouble::NotFound) => Ok(told(404, "Not Found")),
            Some(Trouble::Conflict) => Ok(told(409, "Conflict")),
            Some(Trouble::Unprocessable) => Ok(told(422, "Validation Failed")),
            Some(Trouble::WrongId) => {
                let answer = self.act(&request);
                let mut told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
                for place in ["/sha", "/object/sha"] {
                    if let Some(id) = told.pointer_mut(place) {
                        *id = "1234567890123456789012345678901234567890".into();
                    }
                }
                Ok(Response { body: body(&told), ..answer })
            }
            Some(Trouble::Malformed) => {
                let answer = self.act(&request);
                Ok(Response { body: answer.body.slice(..answer.body.len() / 2), ..answer })
            }
            Some(Trouble::Huge) => {
                self.act(&request);
                Err(Cut::TooBig)
            }
        }
    }

    fn act(&mut self, request: &Request) -> Response {
        let sent = request.body.as_ref().map_or(Value::Null, |body| serde_json::from_slice(body).unwrap());
        if request.path == "/graphql" {
            return if self.has_graph { self.graph(&sent) } else { of(404) };
        }
        if request.path == "/repositories/7" {
            return ok(json!({"full_name": self.renamed}));
        }
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let rest = path.strip_prefix("/repos/octo/hello").expect("all requests are about the repository");
        if self.renamed.is_some() {
            let location = Some("https://api.example/repositories/7/x".to_owned());
            return Response { headers: Headers { location, ..Headers::default() }, ..of(301) };
        }
        if let Some(words) = &self.forbids {
            return refused(403, words);
        }
        if self.refs.is_empty() && rest.starts_with("/git/") {
            return refused(409, "Git Repository is empty.");
        }
        let query: HashMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        match request.method {
            Method::Get => self.get(&decoded(rest), &query),
            Method::Post | Method::Patch if self.is_archived => {
                refused(403, "Repository was archived so is read-only.")
            }
            Method::Post | Method::Patch => self.write(&decoded(rest), &sent),
        }
    }

    /// Whether `tip` is `ancestor` or a descendant of it.
    pub fn descends(&self, tip: ObjectId, ancestor: ObjectId) -> bool {
        self.ancestors(tip).contains(&ancestor)
    }

    fn ancestors(&self, tip: ObjectId) -> HashSet<ObjectId> {
        let (mut seen, mut open) = (HashSet::new(), vec![tip]);
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.commit(id).parents);
            }
        }
        seen
    }
}

fn of(status: u16) -> Response {
    Response { status, ..Response::default() }
}

fn body(value: &Value) -> bytes::Bytes {
    serde_json::to_vec(value).unwrap().into()
}

fn ok(value: Value) -> Response {
    Response { body: body(&value), ..of(200) }
}

fn refused(status: u16, message: &str) -> Response {
    Response { body: body(&json!({"message": message})), ..of(status) }
}

fn decoded(path: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            out.push(u8::from_str_radix(str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            out.push(*first);
            rest = after;
        }
    }
    String::from_utf8(out).unwrap()
}
