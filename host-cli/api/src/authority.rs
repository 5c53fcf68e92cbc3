//! Decides whether a token may perform the operation that it asks for.

use std::collections::BTreeMap;

use bytes::Bytes;
use gate::id::SandboxId;
use gate::time::Timestamp;
use host::error::Result;
use host::store::Store;
use serde_json::Value;

use crate::git;
use crate::mcp;
use crate::operation::Operation;
use crate::problem::{Problem, Refusal};
use crate::role::Role;
use crate::route::{Input, Routed};
use crate::share::Holder;
use crate::token::{self, Token};

/// The tokens that may create sandboxes, known by their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator(pub [u8; 32]);

/// An operation that the token may perform, before its body has arrived. Nobody has to read the body of a forbidden request.
#[derive(Clone, Debug)]
pub struct Permit {
    routed: Routed,
    by: Option<Token>,
    /// Whose share it uses.
    pub holder: Holder,
}

impl Permit {
    fn new(routed: Routed, by: Option<Token>) -> Self {
        let holder = match &by {
            Some(token) => Holder::Token { role: token.role, id: token.id.clone() },
            None if routed.is_public() => Holder::Anybody,
            None => Holder::Operator,
        };
        Permit { routed, by, holder }
    }

    /// The role that performs it.
    pub fn role(&self) -> Option<Role> {
        self.by.as_ref().map(|token| token.role)
    }

    /// Adds the body.
    ///
    /// # Errors
    /// If the body does not match the description.
    pub fn admit(self, body: &[u8]) -> Result<Authorized, Problem> {
        let Permit { routed, by, holder } = self;
        let (operation, sandbox) = (routed.operation(), routed.sandbox.clone());
        let (mcp, git) = (routed.mcp(), routed.git());
        let Input { parameters, body, bytes } = routed.read(body)?;
        Ok(Authorized { operation, sandbox, by, holder, body, bytes, parameters, mcp, git })
    }
}

/// An operation that the token may perform, with its input.
#[derive(Clone, Debug)]
pub struct Authorized {
    /// The operation.
    pub operation: Operation,
    /// Its sandbox, if it has one.
    pub sandbox: Option<SandboxId>,
    /// Who performs it. `None` for the operator, and if anybody may.
    pub by: Option<Token>,
    /// Whose share it uses.
    pub holder: Holder,
    /// The body, which matches the description.
    pub body: Value,
    /// The body, if it is no JSON.
    pub(crate) bytes: Bytes,
    parameters: BTreeMap<String, String>,
    /// The request headers that describe a message of the Model Context Protocol.
    pub(crate) mcp: mcp::Head,
    /// What they say to a server of git.
    pub(crate) git: git::Head,
}

impl Authorized {
    /// The actor's name in the audit log.
    pub fn who(&self) -> String {
        let Some(Token { id, role, note, .. }) = &self.by else { return "the operator".to_owned() };
        let whose = if note.is_empty() { String::new() } else { format!("{note}, ") };
        format!("{whose}{} token {id}", role.name())
    }

    /// The same, once its body is used up.
    pub fn without_body(&self) -> Self {
        let Authorized { operation, sandbox, by, holder, parameters, mcp, git, .. } = self;
        Authorized {
            operation: *operation,
            sandbox: sandbox.clone(),
            by: by.clone(),
            holder: holder.clone(),
            body: Value::Null,
            bytes: Bytes::new(),
            parameters: parameters.clone(),
            mcp: mcp.clone(),
            git: *git,
        }
    }

    /// A parameter of the path.
    pub fn parameter(&self, name: &str) -> &str {
        &self.parameters[name]
    }

    /// The problem, if the token is not valid any more. Between head and body of a request, and while it waits for its turn, a token
    /// can be revoked, expire, or vanish with its sandbox.
    ///
    /// # Errors
    /// If the tokens cannot be read.
    pub fn no_more(&self, store: &Store, now: Timestamp) -> Result<Option<Problem>> {
        let Some(by) = &self.by else { return Ok(None) };
        let is_still = token::all(store, now)?.contains(by);
        Ok((!is_still).then(|| unknown("the token has expired, or was withdrawn")))
    }

    /// The role that performs it.
    pub fn role(&self) -> Option<Role> {
        self.by.as_ref().map(|token| token.role)
    }
}

/// Checks whether anybody, or the token, may perform it. `store` belongs to the sandbox in question, or is `None` if there is none. Without
/// a token for the sandbox, the answer does not even reveal that.
///
/// # Errors
/// If the tokens cannot be read. Otherwise the problem, if the operation is forbidden.
pub fn authorize(
    routed: Routed,
    operator: Operator,
    store: Option<&Store>,
    now: Timestamp,
) -> Result<Result<Permit, Problem>> {
    if routed.is_public() {
        return Ok(Ok(Permit::new(routed, None)));
    }
    let Some(token) = routed.token() else { return Ok(Err(unknown("this needs a token"))) };
    if token::hash(token) == operator.0 {
        let may = routed.allows("operator");
        return Ok(if may { Ok(Permit::new(routed, None)) } else { Err(forbidden("the operator")) });
    }
    Ok(match store.map(|store| token::find(store, now, token)).transpose()?.flatten() {
        None => Err(unknown("the token is not known here, has expired, or was withdrawn")),
        Some(token) if routed.allows(token.role.name()) => Ok(Permit::new(routed, Some(token))),
        Some(token) => Err(forbidden(&format!("the role {}", token.role.name()))),
    })
}

fn unknown(detail: &str) -> Problem {
    Problem::refused(Refusal::Unauthorized, detail, "send Authorization: Bearer TOKEN")
}

fn forbidden(who: &str) -> Problem {
    let hint = "use a token of a role that may; /openapi.json names them";
    Problem::refused(Refusal::Forbidden, format!("{who} may not do this"), hint)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use host::fake::FakePlatform;
    use host::platform::Platform;
    use host::store::memory::MemoryStorage;

    use super::*;
    use crate::description::{Described, OPERATIONS};
    use crate::message::Request;
    use crate::route::route;
    use crate::token::Wanted;

    /// Every operation, as a request with a token and without a body.
    fn requests(token: Option<&str>) -> impl Iterator<Item = (&'static Described, Request)> {
        OPERATIONS.iter().map(move |described| {
            let parts = described.path.iter().map(|part| part.trim_matches(['{', '}']));
            let path = format!("/{}", parts.collect::<Vec<_>>().join("/"));
            let header = token.map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
            let request = Request::new(described.method.clone(), path, header);
            (described, request)
        })
    }

    fn status<T>(result: Result<T, Problem>) -> u16 {
        result.map_or_else(|problem| problem.response().status, |_| 200)
    }

    #[test]
    fn every_route_with_every_role() {
        let (platform, store) =
            (FakePlatform::default(), Store::new(Rc::new(MemoryStorage::default()), "name".parse().unwrap()));
        let operator = token::of_operator(&platform).unwrap();
        let door = Operator(token::hash(&operator));
        let now = platform.now().timestamp();
        let held = store.lock.acquire().unwrap();
        let mut tokens: Vec<(String, String)> = Vec::new();
        for role in Role::ALL {
            let wanted = Wanted { role, note: String::new(), expires_in: None };
            let made = token::make(&store, &held, &platform, &wanted).unwrap();
            tokens.push((role.name().to_owned(), made.token));
        }
        tokens.push(("operator".to_owned(), operator));
        let get = |request, store| status(authorize(route(&request).unwrap(), door, store, now).unwrap());
        for (role, token) in &tokens {
            for (described, request) in requests(Some(token)) {
                let may = described.roles.is_empty() || described.roles.contains(role);
                let here =
                    ["/sandboxes/", "/git/"].iter().any(|above| request.path.starts_with(above)).then_some(&store);
                let is_known = role == "operator" || here.is_some();
                let expected = match (may, is_known) {
                    (true, _) => 200,
                    (false, true) => 403,
                    (false, false) => 401,
                };
                assert_eq!(get(request, here), expected, "{role} {:?}", described.operation);
            }
        }
        for token in [None, Some("gitgate_x")] {
            for (described, request) in requests(token) {
                let expected = if described.operation == Operation::Describe { 200 } else { 401 };
                let (there, elsewhere) = (get(request.clone(), Some(&store)), get(request, None));
                assert_eq!((there, elsewhere), (expected, expected), "{:?}", described.operation);
            }
        }
    }
}
