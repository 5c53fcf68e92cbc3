//! Moves the branch.
//!
//! GraphQL's `updateRefs` compares and swaps. REST's `PATCH` with `force: false` refuses what is no
//! fast-forward, but does not compare: if the branch is set back to an ancestor between the reading
//! of it and the `PATCH`, it is moved from there. That window is one round trip wide, or as wide as
//! a lost request takes to arrive.
//!
//! A request that was lost or broke off may have been acted on, or may be later. So the branch is
//! read back: at the new commit or beyond, the push has landed; at the old one, it is tried again.
//! Elsewhere it is a conflict if every request was refused, and in doubt if one was lost.

use std::time::Duration;

use gix_hash::ObjectId;
use serde_json::json;

use super::{
    Landing,
    graph::{self, Server, Updated},
};
use crate::{
    github::{
        Fault, FaultKind, Forge, Method, Request, Response,
        answer::Reference,
        api::{self, Api, Once, ok, parse},
        fault,
        fetch::descends,
        refs::tip,
        repository::heads,
    },
    history::not_fast_forward,
    refname::BranchRef,
};

/// How often a move is sent that gets no answer.
const TRIES: u32 = 4;

/// The branch of a push.
pub(super) struct Branch<'a> {
    pub api: &'a Api,
    pub reference: &'a BranchRef,
    pub old: Option<ObjectId>,
    pub new: ObjectId,
}

/// What became of one request to move.
enum Moved {
    Yes,
    /// It was refused, which may be because the branch is elsewhere.
    No(Fault),
    /// It was refused, but REST may do it.
    NotHere,
    /// It was refused, and so is whatever is asked next.
    Never(Fault),
    Unknown(Fault),
}

impl Branch<'_> {
    /// Moves the branch, from where `server` found it.
    pub async fn go(&self, server: &mut Server) -> Result<Landing, Fault> {
        // The last request that nobody knows the end of.
        let mut lost: Option<Fault> = None;
        // REST compares only with what was read. To make a branch is to compare in itself.
        let mut is_read = self.old.is_none() || matches!(server, Server::Graph { .. });
        let mut attempt = 0;
        loop {
            if !is_read {
                let there = match tip(self.api, self.reference).await {
                    Ok(there) => there,
                    Err(fault) => return unreadable(lost, fault),
                };
                if there != self.old {
                    return self.settle(there, lost).await;
                }
                if let Some(fault) = lost.take_if(|_| attempt == TRIES) {
                    return Ok(Landing::InDoubt(fault));
                }
            }
            is_read = false;
            match self.send(server).await {
                Moved::Yes => return Ok(Landing::Landed { tip: self.new }),
                Moved::Unknown(fault) => {
                    lost = Some(fault);
                    self.api.wire.sleep(Duration::from_secs(1 << attempt)).await;
                    attempt += 1;
                }
                Moved::NotHere => *server = Server::Rest,
                Moved::Never(fault) => return unreadable(lost, fault),
                Moved::No(refusal) => match tip(self.api, self.reference).await {
                    Ok(there) if there != self.old => return self.settle(there, lost).await,
                    Ok(_) | Err(_) => return unreadable(lost, refusal),
                },
            }
        }
    }

    /// The verdict on a branch that was found elsewhere before anything was sent.
    pub async fn elsewhere(&self, there: Option<ObjectId>) -> Result<Landing, Fault> {
        self.settle(there, None).await
    }

    /// The verdict on a branch that is no longer at `old`.
    async fn settle(&self, there: Option<ObjectId>, lost: Option<Fault>) -> Result<Landing, Fault> {
        if let Some(tip) = there {
            match descends(self.api, tip, self.new).await {
                Ok(true) => return Ok(Landing::Landed { tip }),
                Ok(false) => {}
                Err(fault) => return unreadable(lost, fault),
            }
        }
        Ok(match lost {
            None => Landing::Conflict(not_fast_forward(self.new, there)),
            Some(_) => Landing::InDoubt(in_doubt(there)),
        })
    }

    async fn send(&self, server: &Server) -> Moved {
        let (method, path, body) = match (server, self.old) {
            (Server::Graph { repository, .. }, Some(old)) => {
                let (path, body) = graph::update(&repository.id, self.reference, old, self.new);
                (Method::Post, path, body)
            }
            (_, Some(_)) => {
                let path = self.api.repository.path(&format!("/git/refs/{}", heads(self.reference)));
                (Method::Patch, path, api::json(&json!({"sha": self.new.to_string(), "force": false})))
            }
            (_, None) => {
                let body = json!({"ref": self.reference.as_str(), "sha": self.new.to_string()});
                (Method::Post, self.api.repository.path("/git/refs"), api::json(&body))
            }
        };
        let is_graph = path == "/graphql";
        match self.api.once(Request { method, path, body: Some(body), moves: true, forge: Forge::Github }).await {
            Ok(Once::Answered(response)) if is_graph => match graph::updated(&response) {
                Updated::Yes => Moved::Yes,
                Updated::Refused(said) => Moved::No(rule(&said)),
                Updated::NotHere => Moved::NotHere,
                Updated::Unknown => Moved::Unknown(broke_off()),
            },
            Ok(Once::Answered(response)) => self.rest(response),
            Ok(Once::Unknown(fault)) => Moved::Unknown(fault),
            Err(fault) if is_graph && fault.kind == FaultKind::Forbidden => Moved::NotHere,
            Err(fault) => Moved::Never(fault),
        }
    }

    fn rest(&self, response: Response) -> Moved {
        if !(200..300).contains(&response.status) {
            return Moved::No(refused(&response));
        }
        match ok(response).and_then(|response| parse::<Reference>(&response)) {
            Ok(there) if there.name == self.reference.as_str() && there.object.sha.0 == self.new => Moved::Yes,
            _ => Moved::Unknown(broke_off()),
        }
    }
}

fn refused(response: &Response) -> Fault {
    match response.status {
        409 | 422 => rule(&fault::said(response)),
        _ => fault::of(response),
    }
}

fn rule(said: &str) -> Fault {
    Fault::new(FaultKind::Refused, format!("GitHub refused to move the branch: {said}"))
        .with_hint("check the rules that protect the branch, or push to another branch")
}

fn broke_off() -> Fault {
    fault::malformed("it does not say whether the branch was moved")
}

fn in_doubt(there: Option<ObjectId>) -> Fault {
    let now = there.map_or_else(|| "does not exist".to_owned(), |id| format!("is at {id}"));
    Fault::new(FaultKind::NoAnswer, format!("GitHub did not answer the request to move the branch, which now {now}"))
        .with_hint("look at the branch's history on GitHub before you push again")
}

/// The end where nothing more can be found out.
fn unreadable(lost: Option<Fault>, fault: Fault) -> Result<Landing, Fault> {
    match lost {
        Some(lost) => Ok(Landing::InDoubt(lost)),
        None => Err(fault),
    }
}
