//! How an answer of GitHub becomes a fault.

use serde::Deserialize;

use super::{Fault, FaultKind, Response};
pub(super) use crate::forge::clean;

pub(super) fn malformed(what: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Malformed, format!("cannot understand GitHub's answer: {what}"))
}

/// The fault that an answer stands for, other than success, a redirect or a limit.
pub(super) fn of(response: &Response) -> Fault {
    let said = said(response);
    let of = |kind, what: &str| Fault::new(kind, with(what, &said));
    match response.status {
        401 => of(FaultKind::Unauthorized, "GitHub does not accept the token")
            .with_hint("sign in again, or use a token that has not expired"),
        403 if said.to_lowercase().contains("archived") => archived(),
        403 => of(FaultKind::Forbidden, "the token may not do this").with_hint(MAY),
        404 | 410 => not_found(),
        409 if is_empty(&said) => empty(),
        413 => of(FaultKind::TooLarge, "GitHub refused the request as too large"),
        status => of(FaultKind::Remote { status }, &format!("GitHub refused with status {status}")),
    }
}

/// GitHub also hides workflows from tokens that may not write them, as if nothing were there.
const MAY: &str = "use a token that may read and write the contents of the repository, and its workflows if a push \
                   changes any";

pub(super) fn not_found() -> Fault {
    Fault::new(FaultKind::NotFound, "there is no such repository, or the token may not see it")
        .with_hint(format!("check the name, and {MAY}"))
}

pub(super) fn archived() -> Fault {
    Fault::new(FaultKind::Archived, "the repository is archived, so nobody can push to it")
        .with_hint("unarchive the repository in its settings, or push elsewhere")
}

pub(super) fn empty() -> Fault {
    Fault::new(FaultKind::EmptyRemote, "the repository is empty, and GitHub takes objects only after a first commit")
        .with_hint("make a first commit on GitHub, such as a README, then pull and push again")
}

pub(super) fn is_empty(said: &str) -> bool {
    said.to_lowercase().contains("repository is empty")
}

/// What the server says, safe to show in one line.
pub(super) fn said(response: &Response) -> String {
    #[derive(Deserialize)]
    struct Error {
        message: String,
        #[serde(default)]
        errors: serde_json::Value,
    }
    // A larger body holds no message, but a page of HTML or worse.
    if response.body.len() > 1 << 16 {
        return String::new();
    }
    let Ok(error) = serde_json::from_slice::<Error>(&response.body) else { return String::new() };
    let details = error.errors.as_array().into_iter().flatten().filter_map(|error| match error {
        serde_json::Value::String(error) => Some(error.as_str()),
        error => error.get("message").and_then(serde_json::Value::as_str),
    });
    let all: Vec<&str> = std::iter::once(error.message.as_str()).chain(details).collect();
    clean(&all.join("; "))
}

fn with(what: &str, said: &str) -> String {
    if said.is_empty() { what.to_owned() } else { format!("{what}: {said}") }
}
