//! The head of a request, and its answer, with the parts that matter here.

use std::collections::BTreeMap;

use bytes::Bytes;
use host::answer::Awaiting;
use serde_json::Value;

/// A request without its body. The body is read only once the request is permitted.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The method: `GET`.
    pub method: String,
    /// Path, percent-encoded, without the query.
    pub path: String,
    /// The query, percent-encoded. Empty without one.
    pub query: String,
    headers: BTreeMap<String, String>,
}

impl Request {
    /// A request with these headers. Repeated headers count as one, as in RFC 9110.
    pub fn new(method: String, path: String, headers: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut all = BTreeMap::<String, String>::new();
        for (name, value) in headers {
            let before = all.entry(name.to_ascii_lowercase()).or_default();
            if !before.is_empty() {
                before.push_str(", ");
            }
            before.push_str(&value);
        }
        Request { method, path, query: String::new(), headers: all }
    }

    /// The same with this query.
    pub fn with_query(self, query: &str) -> Self {
        Request { query: query.to_owned(), ..self }
    }

    /// A header by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// The headers that a page of another origin may send.
const ALLOWED: &str =
    "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, gitgate-dialect, gitgate-structured";

/// Bytes in parts. A pack is large, and is not copied into one piece with what is around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content(Vec<Bytes>);

impl Content {
    /// The parts.
    pub fn parts(&self) -> &[Bytes] {
        &self.0
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All in one piece.
    pub fn whole(&self) -> Bytes {
        match &self.0[..] {
            [one] => one.clone(),
            parts => parts.concat().into(),
        }
    }

    /// The same with these behind them.
    pub(crate) fn then(mut self, more: Vec<u8>) -> Self {
        self.0.push(more.into());
        self
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Content(vec![bytes.into()])
    }
}

impl From<Vec<Bytes>> for Content {
    fn from(parts: Vec<Bytes>) -> Self {
        Content(parts)
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The `Content-Type` header. `None` without a body.
    pub content_type: Option<&'static str>,
    /// The `Allow` header, if another method would have been right.
    pub allow: Option<String>,
    /// Whether a client that has no token is asked for a password, as git's are.
    pub asks_for_password: bool,
    /// The origin of the page that may read it, if a page asked.
    pub origin: Option<String>,
    /// The body, or its beginning.
    pub body: Content,
    /// What it waits for before it goes on, if `body` is only its beginning.
    pub rest: Option<Box<Awaiting>>,
}

impl Response {
    /// JSON.
    pub fn json(status: u16, value: &Value) -> Self {
        Response::of(status, "application/json", value.to_string().into_bytes())
    }

    /// The answer of a completed operation, without a body.
    pub fn empty() -> Self {
        Response {
            status: 204,
            content_type: None,
            allow: None,
            asks_for_password: false,
            origin: None,
            body: Content::default(),
            rest: None,
        }
    }

    /// The answer of an accepted message, without a body.
    pub fn accepted() -> Self {
        Response { status: 202, ..Response::empty() }
    }

    /// A body of this type.
    pub fn of(status: u16, content_type: &'static str, body: impl Into<Content>) -> Self {
        Response { status, content_type: Some(content_type), body: body.into(), ..Response::empty() }
    }

    /// The same, for a page of this origin. [`Site::admit`](crate::Site::admit) has permitted the page.
    pub fn with_origin(self, origin: Option<String>) -> Self {
        Response { origin, ..self }
    }

    /// The headers.
    pub fn headers(&self) -> Vec<(&'static str, &str)> {
        let mut headers =
            vec![("cache-control", "no-store"), ("x-content-type-options", "nosniff"), ("vary", "Origin")];
        headers.extend(self.origin.as_deref().map(|origin| ("access-control-allow-origin", origin)));
        headers.extend(self.content_type.map(|content_type| ("content-type", content_type)));
        if let Some(allow) = &self.allow {
            headers.extend([("allow", allow.as_str()), ("access-control-allow-methods", allow)]);
        }
        match self.status {
            401 if self.asks_for_password => headers.push(("www-authenticate", "Basic realm=\"gitgate\"")),
            401 => headers.push(("www-authenticate", "Bearer")),
            204 if self.allow.is_some() => {
                headers.push(("access-control-allow-headers", ALLOWED));
                headers.push(("access-control-max-age", "3600"));
            }
            _ => {}
        }
        headers
    }
}
