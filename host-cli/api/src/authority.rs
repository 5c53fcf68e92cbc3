//! Whether a token may do what it asks for.

use std::collections::BTreeMap;

use gate::id::SandboxId;
use gate::time::Timestamp;
use host::error::Result;
use host::store::Store;
use serde_json::Value;

use crate::operation::Operation;
use crate::problem::{Problem, Refusal};
use crate::role::Role;
use crate::route::Routed;
use crate::token::{self, Token};

/// Who makes sandboxes, known by the hash of their token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator(pub [u8; 32]);

/// An operation that may be done, with what it is given.
#[derive(Clone, Debug)]
pub struct Authorized {
    /// What is done.
    pub operation: Operation,
    /// With which sandbox, if with one.
    pub sandbox: Option<SandboxId>,
    /// By whom. `None` for the operator, and where anybody may.
    pub by: Option<Token>,
    /// The body, which has the shape of the description.
    pub body: Value,
    parameters: BTreeMap<String, String>,
}

impl Authorized {
    /// A parameter of the path.
    pub fn parameter(&self, name: &str) -> &str {
        &self.parameters[name]
    }

    /// The role that it is done in.
    pub fn role(&self) -> Option<Role> {
        self.by.as_ref().map(|token| token.role)
    }
}

impl Operator {
    /// What is asked for, if anybody may ask for it, or the operator asks and may.
    ///
    /// # Errors
    /// If it may not, or the body is not as the description says.
    pub fn authorize(&self, routed: Routed) -> Result<Authorized, Problem> {
        if !routed.is_public() {
            let is_operator = routed.token().is_some_and(|token| token::hash(token) == self.0);
            if !is_operator {
                return Err(unknown(&routed));
            }
            if !routed.allows("operator") {
                return Err(forbidden("the operator"));
            }
        }
        authorized(routed, None)
    }
}

/// What is asked for of a sandbox, if the token may. `store` is the sandbox's, or `None` if there is
/// no such sandbox: who has no token of it learns nothing, not even that.
///
/// # Errors
/// If it may not, the body is not as the description says, or the tokens cannot be read.
pub fn authorize(routed: Routed, store: Option<&Store>, now: Timestamp) -> Result<Result<Authorized, Problem>> {
    let found = match (store, routed.token()) {
        (Some(store), Some(token)) => token::find(store, now, token)?,
        _ => None,
    };
    Ok(match found {
        None => Err(unknown(&routed)),
        Some(token) if routed.allows(token.role.name()) => authorized(routed, Some(token)),
        Some(token) => Err(forbidden(&format!("the role {}", token.role.name()))),
    })
}

fn authorized(routed: Routed, by: Option<Token>) -> Result<Authorized, Problem> {
    let (operation, sandbox) = (routed.operation(), routed.sandbox.clone());
    let (parameters, body) = routed.read()?;
    Ok(Authorized { operation, sandbox, by, body, parameters })
}

fn unknown(routed: &Routed) -> Problem {
    let detail = match routed.token() {
        Some(_) => "the token is not known here, has expired, or was withdrawn",
        None => "this needs a token",
    };
    Problem::refused(Refusal::Unauthorized, detail, "send Authorization: Bearer TOKEN")
}

fn forbidden(who: &str) -> Problem {
    let hint = "use a token of a role that may; /openapi.json names them";
    Problem::refused(Refusal::Forbidden, format!("{who} may not do this"), hint)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use host::around::Around;
    use host::still::Still;
    use host::store::memory::MemoryStorage;

    use super::*;
    use crate::description::OPERATIONS;
    use crate::message::Request;
    use crate::route::route;
    use crate::token::Wanted;

    /// Every operation, as a request with a token and without a body.
    fn requests(token: Option<&str>) -> impl Iterator<Item = (Operation, Request)> {
        OPERATIONS.iter().map(move |described| {
            let parts = described.path.iter().map(|part| part.trim_matches(['{', '}']));
            let request = Request {
                method: described.method.clone(),
                path: format!("/{}", parts.collect::<Vec<_>>().join("/")),
                authorization: token.map(|token| format!("Bearer {token}")),
                ..Request::default()
            };
            (described.operation, request)
        })
    }

    /// 200 where only the body is missing: that is looked at last.
    fn status<T>(result: Result<T, Problem>) -> u16 {
        let status = result.map_or_else(|problem| problem.response().status, |_| 200);
        if status == 415 { 200 } else { status }
    }

    #[test]
    fn every_route_with_every_role() {
        let (around, store) =
            (Still::default(), Store::new(Rc::new(MemoryStorage::default()), "name".parse().unwrap()));
        let operator = token::of_operator(&around).unwrap();
        let door = Operator(token::hash(&operator));
        let now = around.now().timestamp();
        let held = store.lock.acquire().unwrap();
        let mut tokens: Vec<(String, String)> = Vec::new();
        for role in Role::ALL {
            let wanted = Wanted { role, note: String::new(), expires_in: None };
            let made = token::make(&store, &held, &around, &wanted).unwrap();
            tokens.push((role.name().to_owned(), made.token));
        }
        tokens.push(("operator".to_owned(), operator));
        for (role, token) in &tokens {
            for (operation, request) in requests(Some(token)) {
                let described = OPERATIONS.iter().find(|one| one.operation == operation).unwrap();
                let may = described.roles.is_empty() || described.roles.contains(role);
                let of_sandbox = !described.roles.is_empty() && !described.roles.contains("operator");
                let routed = route(request).unwrap();
                let got = match of_sandbox {
                    true => status(authorize(routed, Some(&store), now).unwrap()),
                    false => status(door.authorize(routed)),
                };
                let known = of_sandbox == (role != "operator");
                let expected = if may { 200 } else if known { 403 } else { 401 };
                assert_eq!(got, expected, "{role} {operation:?}");
            }
        }
        for (operation, request) in requests(None).chain(requests(Some("gitgate_x"))) {
            let routed = route(request).unwrap();
            let expected = if operation == Operation::Describe { 200 } else { 401 };
            assert_eq!(status(door.authorize(routed.clone())), expected, "{operation:?}");
            if routed.sandbox.is_some() {
                let there = status(authorize(routed.clone(), Some(&store), now).unwrap());
                let elsewhere = status(authorize(routed, None, now).unwrap());
                assert_eq!((there, elsewhere), (401, 401), "{operation:?}");
            }
        }
    }
}
