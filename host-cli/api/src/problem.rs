//! Errors in the form of RFC 9457, with kind and hint.

use host::error::{ErrorKind, HostError};
use host::hint::Hint;
use serde_json::{Value, json};

use crate::message::Response;

/// Reasons to refuse a request before it reaches a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not match the description.
    BadRequest,
    /// It has no valid token.
    Unauthorized,
    /// Its token has another role.
    Forbidden,
    /// Nothing is at this path.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// The body is too large.
    TooLarge,
    /// Its headers say that the body is not JSON.
    UnsupportedMediaType,
    /// The server is too busy.
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
    pub(crate) detail: String,
    hint: String,
    allow: Option<String>,
}

impl Problem {
    /// The `Content-Type` of a problem.
    pub(crate) const TYPE: &'static str = "application/problem+json";

    /// The detail and the hint of a problem in that form, for a person.
    pub(crate) fn in_words(body: &[u8]) -> Vec<u8> {
        let problem: Value = serde_json::from_slice(body).unwrap_or_default();
        let word = |name: &str| problem[name].as_str().unwrap_or_default();
        format!("{}\nhint: {}\n", word("detail"), word("hint")).into_bytes()
    }

    /// A request that is refused before it reaches a sandbox.
    pub fn refused(refusal: Refusal, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        let (status, kind) = (refusal.status(), refusal.kind());
        Problem { status, kind, detail: detail.into(), hint: hint.into(), allow: None }
    }

    /// A named item does not exist.
    pub(crate) fn gone(what: &str) -> Self {
        Problem::refused(Refusal::NotFound, what, "list what there is")
    }

    /// An error of the host, with the hint in the front end's `words`.
    pub fn of(error: &HostError, words: impl Fn(&Hint) -> String) -> Self {
        let status = match error.kind {
            ErrorKind::NoSuchSandbox => 404,
            ErrorKind::SandboxExists | ErrorKind::InDoubt | ErrorKind::Unpushed => 409,
            ErrorKind::NotApproved => 403,
            // A body that does not match the described shape is refused before it reaches a
            // sandbox.
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

    /// The same with the permitted methods.
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

/// An answer with these members and those of every problem.
pub(crate) fn problem(status: u16, members: &Value) -> Response {
    let mut all = json!({ "type": "about:blank", "title": title(status), "status": status });
    if let (Some(all), Some(members)) = (all.as_object_mut(), members.as_object()) {
        all.extend(members.clone());
    }
    Response::of(status, Problem::TYPE, all.to_string().into_bytes())
}

/// The name in RFC 9110.
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
