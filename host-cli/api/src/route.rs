//! Finds the operation of a request.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use gate::id::SandboxId;
use host::target::NOT_OVER_HTTP;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::description::{Described, OPERATIONS};
use crate::git;
use crate::mcp;
use crate::message::{Request, Response};
use crate::operation::Operation;
use crate::problem::{Problem, Refusal};
use crate::schema::{self, Wrong};

/// The operation that a request asks for, before any check of permission.
#[derive(Clone, Debug)]
pub struct Routed {
    described: &'static Described,
    /// Its sandbox, if it has one.
    pub sandbox: Option<SandboxId>,
    parameters: BTreeMap<String, String>,
    token: Option<String>,
    content_type: Option<String>,
    mcp: mcp::Head,
    git: git::Head,
}

/// What comes with an operation.
#[derive(Debug)]
pub(crate) struct Input {
    /// The path's parameters.
    pub parameters: BTreeMap<String, String>,
    /// The body, if it is JSON.
    pub body: Value,
    /// The body, if it is not.
    pub bytes: Bytes,
}

/// Finds the operation.
///
/// # Errors
/// If the path does not exist, or does not support the method.
pub fn route(request: &Request) -> Result<Routed, Problem> {
    let parts = parts(&request.path).ok_or_else(|| nothing_here(&request.path))?;
    let here = operations(&parts);
    if here.is_empty() {
        return Err(nothing_here(&request.path));
    }
    let allow = methods(&here);
    let found = here.into_iter().find(|(described, _)| described.method == request.method);
    let Some((described, parameters)) = found else {
        let detail = format!("{} has no method {}", request.path, request.method);
        return Err(Problem::refused(Refusal::MethodNotAllowed, detail, format!("use {allow}")).allowing(allow));
    };
    let is_packed =
        request.header("content-encoding").is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity"));
    if is_packed && !git::takes(described.operation, request) {
        let hint = "send it as it is, without Content-Encoding";
        return Err(Problem::refused(Refusal::UnsupportedMediaType, "the body is compressed", hint));
    }
    let name = parameters.get("name").map(|name| name.parse());
    let sandbox = name
        .transpose()
        .map_err(|fault: gate::Fault| Problem::refused(Refusal::BadRequest, fault.message, fault.hint))?;
    Ok(Routed {
        described,
        sandbox,
        parameters,
        token: request.header("authorization").and_then(token),
        content_type: request.header("content-type").map(str::to_owned),
        mcp: mcp::Head::of(request),
        git: git::Head::of(request),
    })
}

/// The answer to a browser's preflight for a page of another origin. `None` for any other request.
pub fn preflight(request: &Request) -> Option<Response> {
    let parts = (request.method == "OPTIONS").then(|| parts(&request.path)).flatten()?;
    let here = operations(&parts);
    let none = || nothing_here(&request.path).response();
    Some(if here.is_empty() { none() } else { Response { allow: Some(methods(&here)), ..Response::empty() } })
}

/// The operations at a path, with the parameters in it.
fn operations(parts: &[String]) -> Vec<(&'static Described, BTreeMap<String, String>)> {
    OPERATIONS.iter().filter_map(|described| Some((described, parameters(described, parts)?))).collect()
}

fn methods(here: &[(&Described, BTreeMap<String, String>)]) -> String {
    here.iter().map(|(described, _)| described.method.as_str()).collect::<Vec<_>>().join(", ")
}

impl Routed {
    /// The operation.
    pub fn operation(&self) -> Operation {
        self.described.operation
    }

    /// Whether a token of that scheme, or role, may request it.
    pub(crate) fn allows(&self, scheme: &str) -> bool {
        self.described.roles.contains(scheme)
    }

    /// Whether anybody may request it.
    pub(crate) fn is_public(&self) -> bool {
        self.described.roles.is_empty()
    }

    /// The bearer token.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The request headers that describe a message of the Model Context Protocol.
    pub(crate) fn mcp(&self) -> mcp::Head {
        self.mcp.clone()
    }

    /// What the request's head says to a server of git.
    pub(crate) fn git(&self) -> git::Head {
        self.git
    }

    /// The path's parameters and the body, validated against its shape. A body that is no JSON comes beside it.
    pub(crate) fn read(self, bytes: &[u8]) -> Result<Input, Problem> {
        if let Some(service) = self.described.operation.service() {
            let body = self.git.body(service, self.content_type.as_deref(), bytes)?;
            return Ok(Input { parameters: self.parameters, body: Value::Null, bytes: body.into() });
        }
        let body = match &self.described.body {
            Some(shape) => body(bytes, self.content_type.as_deref(), shape)?,
            None if bytes.is_empty() => Value::Null,
            None => return Err(unfit("the request has a body, and is to have none", "leave it away")),
        };
        Ok(Input { parameters: self.parameters, body, bytes: Bytes::new() })
    }
}

/// The decoded segments of the path. `None` if it is not valid text.
fn parts(path: &str) -> Option<Vec<String>> {
    let parts = path.strip_prefix('/')?.split('/');
    parts.map(|part| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned())).collect()
}

/// The parameters in the segments, if the path belongs to this operation.
fn parameters(described: &Described, parts: &[String]) -> Option<BTreeMap<String, String>> {
    if described.path.len() != parts.len() {
        return None;
    }
    let mut parameters = BTreeMap::new();
    for (wanted, part) in described.path.iter().zip(parts) {
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(_) if part.is_empty() => return None,
            Some(name) => {
                parameters.insert(name.to_owned(), part.clone());
            }
            None if wanted == part => {}
            None => return None,
        }
    }
    Some(parameters)
}

/// The token in the `Authorization` header: as it is, or as a password, which git sends.
fn token(value: &str) -> Option<String> {
    let (scheme, given) = value.split_once(' ')?;
    let given = given.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(given.to_owned());
    }
    let decoded = scheme.eq_ignore_ascii_case("basic").then(|| BASE64.decode(given).ok()).flatten()?;
    let (_, password) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some(password.to_owned())
}

fn body(bytes: &[u8], content_type: Option<&str>, shape: &Value) -> Result<Value, Problem> {
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind != "application/json" {
        let detail = if kind.is_empty() { "the body has no type".to_owned() } else { format!("the body is {kind}") };
        return Err(Problem::refused(Refusal::UnsupportedMediaType, detail, "send application/json"));
    }
    let value: Value =
        serde_json::from_slice(bytes).map_err(|error| unfit(&format!("the body is no JSON: {error}"), "send JSON"))?;
    let value = schema::with_integers(value);
    schema::check(&value, shape).map_err(|Wrong { at, what }| {
        if value.get("from").is_some_and(is_local) {
            return unfit("local repositories are not allowed over HTTP", NOT_OVER_HTTP);
        }
        let place = if at.is_empty() { "the body".to_owned() } else { format!("'{at}' in the body") };
        unfit(&format!("{place} {what}"), "see /openapi.json")
    })?;
    Ok(value)
}

/// Whether a client means a repository on the machine that serves, in any of the ways to write one elsewhere.
fn is_local(from: &Value) -> bool {
    let is_kind = |word: &str| ["local", "bare", "local-bare"].contains(&word);
    match from {
        Value::String(text) => text.split_once(':').is_some_and(|(kind, _)| is_kind(kind)),
        Value::Object(from) => {
            from.keys().any(|key| is_kind(key)) || from.get("type").and_then(Value::as_str).is_some_and(is_kind)
        }
        _ => false,
    }
}

fn unfit(detail: &str, hint: &str) -> Problem {
    Problem::refused(Refusal::BadRequest, detail, hint)
}

fn nothing_here(path: &str) -> Problem {
    Problem::refused(Refusal::NotFound, format!("there is nothing at {path}"), "see /openapi.json")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn who_asks_for_a_local_repository_is_told_that_there_are_none_here() {
        let shape = json!({ "$ref": "#/components/schemas/NewSandbox" });
        let told = |from: Value| {
            let text = json!({ "name": "a", "from": from }).to_string();
            format!("{:?}", body(text.as_bytes(), Some("application/json"), &shape).unwrap_err())
        };
        for from in [json!({ "local": "/srv/x" }), json!("local:/srv/x"), json!({ "type": "local", "path": "/srv/x" })]
        {
            assert!(told(from).contains("local repositories are not allowed over HTTP"));
        }
        assert!(told(json!({ "path": "/srv/x" })).contains("'/from' in the body lacks github"));
    }

    fn request(method: &str, path: &str) -> Request {
        with(method, path, &[])
    }

    fn with(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Request::new(method.to_owned(), path.to_owned(), headers)
    }

    fn status(result: Result<Routed, Problem>) -> u16 {
        result.map_or_else(|problem| problem.response().status, |_| 200)
    }

    #[test]
    fn a_path_leads_to_one_operation_whatever_is_encoded_in_it() {
        let routed = route(&request("POST", "/sandboxes/a%2Db/tools/git%5Fstatus")).unwrap();
        assert_eq!((routed.operation(), routed.sandbox.unwrap().as_str()), (Operation::CallTool, "a-b"));
        assert_eq!(routed.parameters["tool"], "git_status");
        for (method, path, expected) in [
            ("GET", "/sandboxes", 200),
            ("GET", "/sandboxes/", 404),
            ("GET", "sandboxes", 404),
            ("GET", "/sandboxes/a/tools/b/c", 404),
            ("GET", "/sandboxes//tools", 404),
            ("GET", "/Sandboxes", 404),
            ("PUT", "/sandboxes", 405),
            ("get", "/sandboxes", 405),
            ("GET", "/sandboxes/..%2Fb/tools", 400),
            ("GET", "/sandboxes/%FF/tools", 404),
        ] {
            assert_eq!(status(route(&request(method, path))), expected, "{method} {path}");
        }
        let refused = route(&request("PUT", "/sandboxes")).unwrap_err().response();
        assert_eq!(refused.allow.as_deref(), Some("GET, POST"));
    }

    #[test]
    fn a_page_of_another_origin_learns_what_it_may_send() {
        let asked = preflight(&request("OPTIONS", "/sandboxes/a/tools/x")).unwrap();
        let asked = asked.with_origin(Some("https://page.example".to_owned()));
        let headers = asked.headers();
        let header = |name| headers.iter().find(|(one, _)| *one == name).map(|(_, value)| *value);
        assert_eq!((asked.status, header("access-control-allow-methods")), (204, Some("POST")));
        assert_eq!(header("access-control-allow-origin"), Some("https://page.example"));
        assert_eq!(header("vary"), Some("Origin"), "another page's answer is another");
        let of_program = Response::empty();
        assert!(of_program.headers().iter().all(|(name, _)| *name != "access-control-allow-origin"));
        assert_eq!(
            header("access-control-allow-headers"),
            Some(
                "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, gitgate-dialect, gitgate-structured"
            )
        );
        assert_eq!(preflight(&request("OPTIONS", "/x")).unwrap().status, 404);
        assert_eq!(preflight(&request("GET", "/sandboxes")), None);
    }

    #[test]
    fn a_body_is_json_of_the_right_shape_or_is_refused() {
        let read = |content_type: Option<&str>, body: &str| {
            let headers: Vec<_> = content_type.map(|kind| ("Content-Type", kind)).into_iter().collect();
            let routed = route(&with("POST", "/sandboxes", &headers)).unwrap();
            routed.read(body.as_bytes()).map_or_else(|problem| problem.response().status, |_| 200)
        };
        let json = Some("application/json; charset=utf-8");
        assert_eq!(read(json, r#"{"name": "a"}"#), 200);
        assert_eq!(read(json, r#"{"name": "a", "x": 1}"#), 400);
        assert_eq!(read(json, "{"), 400);
        assert_eq!(read(json, ""), 400);
        assert_eq!(read(json, &"[".repeat(1_000_000)), 400, "no stack is used up");
        assert_eq!(read(Some("text/plain"), r#"{"name": "a"}"#), 415);
        assert_eq!(read(None, r#"{"name": "a"}"#), 415);
        let packed = with("GET", "/sandboxes", &[("content-encoding", "gzip")]);
        assert_eq!(status(route(&packed)), 415);
        let without = route(&request("GET", "/sandboxes")).unwrap();
        assert_eq!(without.read(b"{}").unwrap_err().response().status, 400);
    }
}
