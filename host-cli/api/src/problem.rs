//! Errors, as RFC 9457 has them, with kind and hint.

use host::error::{ErrorKind, HostError};
use host::hint::Hint;
use serde_json::{Value, json};

use crate::message::Response;

/// What a request can be refused with before any sandbox is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not as the description says.
    BadRequest,
    /// It has no token that is worth something here.
    Unauthorized,
    /// Its token has another role.
    Forbidden,
    /// There is nothing at this path.
    NotFound,
    /// There is, but for another method.
    MethodNotAllowed,
    /// The body is too large.
    TooLarge,
    /// The body is no JSON, by its own word.
    UnsupportedMediaType,
    /// Too much is going on.
    TooMany,
}

impl Refusal {
    fn status(self) -> u16 {
        match self {
            Refusal::BadRequest => 400,
            Refusal::Unauthorized => 401,
            Refusal::Forbidden => 403,
            Refusal::NotFound => 404,
            Refusal::MethodNotAllowed => 405,
            Refusal::TooLarge => 413,
            Refusal::UnsupportedMediaType => 415,
            Refusal::TooMany => 429,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Refusal::BadRequest => "usage",
            Refusal::Unauthorized => "unauthorized",
            Refusal::Forbidden => "forbidden",
            Refusal::NotFound => "not-found",
            Refusal::MethodNotAllowed => "method-not-allowed",
            Refusal::TooLarge => "too-large",
            Refusal::UnsupportedMediaType => "unsupported-media-type",
            Refusal::TooMany => "busy",
        }
    }
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: u16,
    kind: &'static str,
    detail: String,
    hint: String,
    allow: Option<String>,
}

impl Problem {
    /// A request that is refused before any sandbox is asked.
    pub fn refused(refusal: Refusal, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        let (status, kind) = (refusal.status(), refusal.kind());
        Problem { status, kind, detail: detail.into(), hint: hint.into(), allow: None }
    }

    /// Something with a name of its own is not there.
    pub(crate) fn gone(what: &str) -> Self {
        Problem::refused(Refusal::NotFound, what, "list what there is")
    }

    /// An error of the host, with the hint in a body's `words`.
    pub fn of(error: &HostError, words: impl Fn(&Hint) -> String) -> Self {
        let status = match error.kind {
            ErrorKind::NoSuchSandbox => 404,
            ErrorKind::SandboxExists | ErrorKind::InDoubt | ErrorKind::Unpushed => 409,
            ErrorKind::NotApproved => 403,
            // What has not the described shape is refused before any sandbox is asked.
            ErrorKind::Usage | ErrorKind::Session | ErrorKind::Refused => 422,
            ErrorKind::Storage | ErrorKind::Damaged | ErrorKind::Component => 500,
            ErrorKind::Busy | ErrorKind::Interrupted => 503,
        };
        Problem {
            status,
            kind: error.kind.name(),
            detail: error.message.clone(),
            hint: words(&error.hint),
            allow: None,
        }
    }

    /// The same with the methods that would have been right.
    pub(crate) fn allowing(self, allow: String) -> Self {
        Problem { allow: Some(allow), ..self }
    }

    /// The answer.
    pub fn response(&self) -> Response {
        let Problem { status, kind, detail, hint, allow } = self;
        let response = problem(*status, &json!({ "kind": kind, "detail": detail, "hint": hint }));
        Response { allow: allow.clone(), ..response }
    }
}

/// An answer with these members and those that every problem has.
pub(crate) fn problem(status: u16, members: &Value) -> Response {
    let mut all = json!({ "type": "about:blank", "title": title(status), "status": status });
    if let (Some(all), Some(members)) = (all.as_object_mut(), members.as_object()) {
        all.extend(members.clone());
    }
    Response::of(status, "application/problem+json", all.to_string().into_bytes())
}

/// What RFC 9110 calls it.
fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
