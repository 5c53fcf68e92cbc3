//! The head of a request, and its answer, as far as they matter here.

use std::collections::BTreeMap;

use serde_json::Value;

/// A request without its body, which is read once it is known that it may be made.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// As it was sent: `GET`.
    pub method: String,
    /// Path, percent-encoded, without the query.
    pub path: String,
    headers: BTreeMap<String, String>,
}

impl Request {
    /// A request with these headers. One that comes several times counts as one, as RFC 9110 has it.
    pub fn new(method: String, path: String, headers: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut all = BTreeMap::<String, String>::new();
        for (name, value) in headers {
            let before = all.entry(name.to_ascii_lowercase()).or_default();
            if !before.is_empty() {
                before.push_str(", ");
            }
            before.push_str(&value);
        }
        Request { method, path, headers: all }
    }

    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// The headers that a page of another origin may send.
const ALLOWED: &str = "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name";

/// What a request is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The header `Content-Type`. `None` if there is no body.
    pub content_type: Option<&'static str>,
    /// The header `Allow`, where another method would have been right.
    pub allow: Option<String>,
    /// Where the page is from that may read it, if a page has asked.
    pub origin: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// JSON.
    pub fn json(status: u16, value: &Value) -> Self {
        Response::of(status, "application/json", value.to_string().into_bytes())
    }

    /// Nothing but that it is done.
    pub fn empty() -> Self {
        Response { status: 204, content_type: None, allow: None, origin: None, body: Vec::new() }
    }

    /// Nothing but that it has been heard.
    pub fn accepted() -> Self {
        Response { status: 202, ..Response::empty() }
    }

    /// A body of that type.
    pub fn of(status: u16, content_type: &'static str, body: Vec<u8>) -> Self {
        Response { status, content_type: Some(content_type), allow: None, origin: None, body }
    }

    /// The same for a page from there, which [`Site::admit`](crate::Site::admit) has found to be one that may ask.
    pub fn with_origin(self, origin: Option<String>) -> Self {
        Response { origin, ..self }
    }

    /// Its headers.
    pub fn headers(&self) -> Vec<(&'static str, &str)> {
        let mut headers =
            vec![("cache-control", "no-store"), ("x-content-type-options", "nosniff"), ("vary", "Origin")];
        headers.extend(self.origin.as_deref().map(|origin| ("access-control-allow-origin", origin)));
        headers.extend(self.content_type.map(|content_type| ("content-type", content_type)));
        if let Some(allow) = &self.allow {
            headers.extend([("allow", allow.as_str()), ("access-control-allow-methods", allow)]);
        }
        match self.status {
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
