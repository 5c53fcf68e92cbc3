//! Lands an approved push: objects in order of dependency, then the branch.
//!
//! Nothing is moved before the server has stored every object under its approved id. Until then an
//! error or a crash leaves only objects behind that no branch reaches, and a repeated push sends
//! the same again. What follows is in [`moving`].

mod branch;
mod commit;
mod graph;
mod plan;
mod send;
mod tree;

use std::rc::Rc;

use super::{Landing, Repository, Running, api::Api, exchange, fault};
use crate::{
    approval::Redeemed,
    forge::moving,
    objects::{Nothing, Objects},
};
use branch::OnGithub;
use graph::Server;
use plan::Plan;

/// Lands an approved push.
pub struct Land(Running<Landing>);

exchange!(Land => Landing);

impl Land {
    /// Lands `push`, which must have a target on GitHub.
    pub fn new(push: Redeemed) -> Self {
        Land::over(push, Rc::new(Nothing))
    }

    /// The same. `base` has objects that the target surely has, such as those of the branch's head,
    /// as far as the host knows them. They are not sent, and of large folders only what changes in
    /// them is.
    pub fn over(push: Redeemed, base: Rc<dyn Objects>) -> Self {
        Land(Running::new(|wire| async move {
            let api = Api::new(wire, Repository::try_from(push.target())?);
            let plan = Plan::of(push.pack(), &*base)?;
            let server = graph::probe(&api, push.reference()).await?;
            let (reference, old, new) = (push.reference(), push.old(), push.new_head());
            let mut branch = OnGithub { api: &api, reference, old, new, server };
            if let Server::Graph { repository, tip } = &branch.server {
                if repository.is_archived {
                    return Err(fault::archived());
                }
                if repository.is_empty {
                    return Err(fault::empty());
                }
                if *tip != old {
                    return moving::elsewhere(&branch, *tip, new).await;
                }
            }
            send::all(&api, push.pack(), &*base, &plan).await?;
            moving::go(&api.wire, &mut branch, old, new).await
        }))
    }
}
