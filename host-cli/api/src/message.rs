//! The head of a request, and its answer, as far as they matter here.

use serde_json::Value;

/// A request without its body, which is read once it is known that it may be made.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// As it was sent: `GET`.
    pub method: String,
    /// Path, percent-encoded, without the query.
    pub path: String,
    /// The header `Authorization`.
    pub authorization: Option<String>,
    /// The header `Content-Type`.
    pub content_type: Option<String>,
    /// The header `Content-Encoding`. Nothing is unpacked.
    pub content_encoding: Option<String>,
}

/// What a request is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The header `Content-Type`. `None` if there is no body.
    pub content_type: Option<&'static str>,
    /// The header `Allow`, where another method would have been right.
    pub allow: Option<String>,
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
        Response { status: 204, content_type: None, allow: None, body: Vec::new() }
    }

    /// A body of that type.
    pub fn of(status: u16, content_type: &'static str, body: Vec<u8>) -> Self {
        Response { status, content_type: Some(content_type), allow: None, body }
    }

    /// Its headers.
    pub fn headers(&self) -> Vec<(&'static str, &str)> {
        // What is answered is for whoever asked. Whatever page asks has to send a token by itself, as
        // nothing here is known by cookies: so every page may.
        let mut headers = vec![
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("access-control-allow-origin", "*"),
        ];
        headers.extend(self.content_type.map(|content_type| ("content-type", content_type)));
        if let Some(allow) = &self.allow {
            headers.extend([("allow", allow.as_str()), ("access-control-allow-methods", allow)]);
        }
        match self.status {
            401 => headers.push(("www-authenticate", "Bearer")),
            204 if self.allow.is_some() => {
                headers.push(("access-control-allow-headers", "authorization, content-type"));
                headers.push(("access-control-max-age", "3600"));
            }
            _ => {}
        }
        headers
    }
}
