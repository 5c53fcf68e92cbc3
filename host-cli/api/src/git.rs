//! Requests of git's own clients. They name the service and the version of the protocol, send what is no JSON, and show a person
//! what is said to them as plain text.

use gate::git::serve::{Protocol, Service, Unfit, unzipped};

use crate::message::{Request, Response};
use crate::operation::Operation;
use crate::problem::{Problem, Refusal};
use crate::share::LONGEST_BODY;

/// What a request's head says to a server of git.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    /// The service that the query names.
    pub service: Option<Service>,
    pub protocol: Protocol,
    /// Whether the body is compressed.
    is_zipped: bool,
}

impl Operation {
    /// The service that the operation is of.
    pub(crate) fn service(self) -> Option<Service> {
        match self {
            Operation::GitUploadPack => Some(Service::UploadPack),
            Operation::GitReceivePack => Some(Service::ReceivePack),
            _ => None,
        }
    }

    fn is_of_git(self) -> bool {
        self == Operation::GitRefs || self.service().is_some()
    }
}

impl Head {
    pub fn of(request: &Request) -> Self {
        let named = request.query.split('&').find_map(|pair| pair.strip_prefix("service="));
        Head {
            service: named.and_then(Service::named),
            protocol: Protocol::of(request.header("git-protocol")),
            is_zipped: encoding(request) == Some("gzip"),
        }
    }

    /// The body of a request to a service.
    pub fn body(self, service: Service, content_type: Option<&str>, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        if content_type != Some(service.request()) {
            let hint = format!("send {}, as git does", service.request());
            return Err(Problem::refused(Refusal::UnsupportedMediaType, "the body is no request of git", hint));
        }
        match self.is_zipped {
            true => unzipped(bytes, LONGEST_BODY as usize).map_err(|unfit| problem(&unfit)),
            false => Ok(bytes.to_vec()),
        }
    }
}

/// The answer to a request that asks for nothing that there is.
pub(crate) fn problem(unfit: &Unfit) -> Problem {
    Problem::refused(Refusal::BadRequest, unfit.to_string(), "use git 2.20 or newer, or another client of its protocol")
}

/// The answer to who reads a repository file by file.
pub(crate) fn no_dumb_protocol() -> Problem {
    let hint = "clone it with git, or another client that speaks git's smart protocol";
    Problem::refused(Refusal::BadRequest, "a sandbox's repository cannot be read file by file", hint)
}

/// The answer to who would push with a token of another role.
pub(crate) fn only_agents_push() -> Problem {
    Problem::refused(
        Refusal::Forbidden,
        "only an agent's token pushes",
        "use the agent's token, or propose with a tool",
    )
}

/// Whether the body of such a request may be compressed.
pub(crate) fn takes(operation: Operation, request: &Request) -> bool {
    operation.is_of_git() && encoding(request) == Some("gzip")
}

fn encoding(request: &Request) -> Option<&str> {
    request.header("content-encoding")
}

impl Response {
    /// The answer, in the form that its client understands: git shows a person only plain text, and sends a token only
    /// once it is asked for a password.
    pub fn for_client(self, request: &Request) -> Response {
        if !request.path.starts_with("/git/") || self.content_type != Some(Problem::TYPE) {
            return self;
        }
        let body = Problem::in_words(&self.body.whole()).into();
        Response { content_type: Some("text/plain; charset=utf-8"), body, asks_for_password: true, ..self }
    }
}
