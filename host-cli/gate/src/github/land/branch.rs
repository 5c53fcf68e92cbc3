//! Moves the branch.
//!
//! GraphQL's `updateRefs` compares and swaps. REST's `PATCH` with `force: false` refuses what is no
//! fast-forward, but does not compare: if the branch is set back to an ancestor between the reading
//! of it and the `PATCH`, it is moved from there. That window is one round trip wide, or as wide as
//! a lost request takes to arrive.

use gix_hash::ObjectId;
use serde_json::json;

use super::graph::{self, Server, Updated};
use crate::{
    forge::{Branch, Moved},
    github::{
        Fault, FaultKind, Forge, Method, Once, Request, Response,
        answer::Reference,
        api::{self, Api, ok, parse},
        fault,
        fetch::descends,
        refs::tip,
        repository::heads,
    },
    refname::BranchRef,
};

/// The branch of a push.
pub(super) struct OnGithub<'a> {
    pub api: &'a Api,
    pub reference: &'a BranchRef,
    pub old: Option<ObjectId>,
    pub new: ObjectId,
    /// By which of its interfaces GitHub is asked.
    pub server: Server,
}

impl Branch for OnGithub<'_> {
    const SERVER: &'static str = "GitHub";

    async fn tip(&self) -> Result<Option<ObjectId>, Fault> {
        tip(self.api, self.reference).await
    }

    async fn descends(&self, tip: ObjectId, ancestor: ObjectId) -> Result<bool, Fault> {
        descends(self.api, tip, ancestor).await
    }

    /// REST compares only with what was read. To make a branch is to compare in itself.
    fn compares(&self) -> bool {
        self.old.is_none() || matches!(self.server, Server::Graph { .. })
    }

    async fn send(&mut self) -> Moved {
        let (method, path, body) = match (&self.server, self.old) {
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
        let request = Request { method, path, body: Some(body), moves: true, forge: Forge::Github };
        let moved = match self.api.once(request).await {
            Ok(Once::Answered(response)) if is_graph => match graph::updated(&response) {
                Updated::Yes => Moved::Yes(Vec::new()),
                Updated::Refused(said) => Moved::No(rule(&said)),
                Updated::NotHere => Moved::NotHere,
                Updated::Unknown => Moved::Unknown(broke_off()),
            },
            Ok(Once::Answered(response)) => self.rest(response),
            Ok(Once::Unknown(fault)) => Moved::Unknown(fault),
            Ok(Once::Unreached(fault)) => Moved::Never(fault),
            Err(fault) if is_graph && fault.kind == FaultKind::Forbidden => Moved::NotHere,
            Err(fault) => Moved::Never(fault),
        };
        if matches!(moved, Moved::NotHere) {
            self.server = Server::Rest;
        }
        moved
    }
}

impl OnGithub<'_> {
    fn rest(&self, response: Response) -> Moved {
        if !(200..300).contains(&response.status) {
            return Moved::No(refused(&response));
        }
        match ok(response).and_then(|response| parse::<Reference>(&response)) {
            Ok(there) if there.name == self.reference.as_str() && there.object.sha.0 == self.new => {
                Moved::Yes(Vec::new())
            }
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
