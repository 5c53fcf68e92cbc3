//! How what a git server answers becomes a fault.

use gix_hash::ObjectId;

use super::{Fault, FaultKind, Response};
pub(super) use crate::forge::clean;

pub(super) fn malformed(what: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Malformed, format!("cannot understand the git server's answer: {what}"))
}

/// The fault that the server tells of itself.
pub(super) fn told(said: &[u8]) -> Fault {
    let said = clean(&String::from_utf8_lossy(said));
    // It gives out only what a branch or tag points to, or reaches.
    let lacking = said.split_once("not our ref ").and_then(|(_, hex)| ObjectId::from_hex(hex.as_bytes()).ok());
    match lacking {
        Some(id) => Fault::missing(id, format!("the git server does not give out {id}")),
        None => Fault::new(FaultKind::Refused, format!("the git server says: {said}")),
    }
}

/// The fault that an answer stands for, other than success.
pub(super) fn of(response: &Response) -> Fault {
    let said = said(response);
    let of = |kind, what: &str| Fault::new(kind, with(what, &said));
    match response.status {
        301 | 302 | 303 | 307 | 308 => moved(response),
        401 => of(FaultKind::Unauthorized, "the git server wants a user name and a password that it knows").with_hint(
            "give its user name and password or token; on the command line git's credential helpers have them",
        ),
        403 => of(FaultKind::Forbidden, "the git server does not allow that")
            .with_hint("use credentials that may read the repository, or write it for a push"),
        404 | 410 => of(FaultKind::NotFound, "there is no such repository, or it is not shown to you")
            .with_hint("check the address, and that the one who signs in there may read it"),
        413 => of(FaultKind::TooLarge, "the git server refused what was sent as too large"),
        429 | 503 => {
            let seconds = response.headers.retry_after_seconds();
            of(FaultKind::Limited { seconds }, "the git server asks to be left alone").with_hint("try again later")
        }
        status => of(FaultKind::Remote { status }, &format!("the git server refused with status {status}")),
    }
}

/// Nothing follows by itself: the approval, the log and the settings of a sandbox name the old address.
fn moved(response: &Response) -> Fault {
    let location = response.headers.location.as_deref();
    let to = location.and_then(|location| location.split_once("/info/refs")).map(|(to, _)| clean(to));
    let message = match &to {
        Some(to) => format!("the repository is now at {to}"),
        None => "the git server sends on to another address".to_owned(),
    };
    Fault::new(FaultKind::Renamed { to }, message).with_hint("use the repository by its new address, if you trust it")
}

/// What the server says beside the status, if that is a text.
fn said(response: &Response) -> String {
    // A larger body holds no message, but a page of HTML or worse.
    let said = std::str::from_utf8(&response.body).unwrap_or_default().trim();
    if said.len() > 1000 || said.starts_with(['<', '{']) { String::new() } else { clean(said) }
}

fn with(what: &str, said: &str) -> String {
    if said.is_empty() { what.to_owned() } else { format!("{what}: {said}") }
}

/// An answer of no git server, or of one that serves plain files (gitprotocol-http, "dumb").
pub(super) fn not_smart() -> Fault {
    Fault::new(FaultKind::Malformed, "the server does not speak git's smart protocol there")
        .with_hint("check the address: it is the one that `git clone` takes")
}

pub(super) fn sha256() -> Fault {
    Fault::new(FaultKind::Malformed, "the repository names its objects by SHA-256, which gitgate does not read")
        .with_hint("use a repository with SHA-1, as most are")
}

pub(super) fn unreached() -> Fault {
    Fault::new(FaultKind::NoAnswer, "the git server cannot be reached")
        .with_hint("check the connection, then try again")
}

pub(super) fn no_answer() -> Fault {
    Fault::new(FaultKind::NoAnswer, "the git server does not answer").with_hint("check the connection, then try again")
}
