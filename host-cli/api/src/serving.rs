//! Answers a client of git that fetches from a sandbox, or pushes to it.

use std::rc::Rc;

use gate::git::serve::Service;
use gate::policy::Policy;
use host::answer::{Advance, Awaiting, Fetching, Given, Need, Pushing, Served};
use host::error::Result;
use host::sandbox::Sandbox;

use crate::authority::Authorized;
use crate::git;
use crate::making::later;
use crate::message::Response;
use crate::problem::Problem;
use crate::role::Role;

/// A running answer.
pub struct Serving {
    doing: Doing,
    content_type: &'static str,
}

enum Doing {
    Fetching(Fetching),
    Pushing(Box<Pushing>),
}

impl Serving {
    /// Starts to answer.
    ///
    /// # Errors
    /// If the request asks for nothing that there is.
    pub fn new(wanted: &Authorized, policy: Rc<Policy>) -> std::result::Result<Self, Problem> {
        let git::Head { service, protocol, .. } = wanted.git;
        let (doing, content_type) = match wanted.operation.service() {
            Some(service @ Service::UploadPack) => {
                let fetching =
                    Fetching::asked(&wanted.bytes, protocol, policy).map_err(|unfit| git::problem(&unfit))?;
                (Doing::Fetching(fetching), service.result())
            }
            Some(service @ Service::ReceivePack) => {
                let pushing = Pushing::new(wanted.bytes.clone(), &wanted.who(), policy);
                (Doing::Pushing(Box::new(pushing.map_err(|unfit| git::problem(&unfit))?)), service.result())
            }
            None => {
                let service = service.ok_or_else(git::no_dumb_protocol)?;
                if service == Service::ReceivePack && wanted.role() != Some(Role::Agent) {
                    return Err(git::only_agents_push());
                }
                (Doing::Fetching(Fetching::first(service, protocol, policy)), service.advertisement())
            }
        };
        Ok(Serving { doing, content_type })
    }

    /// Goes on with an answer whose beginning has been sent.
    pub fn resumed(awaiting: Awaiting, policy: Rc<Policy>) -> Self {
        let doing = Doing::Pushing(Box::new(Pushing::resumed(awaiting, policy)));
        Serving { doing, content_type: Service::ReceivePack.result() }
    }

    /// Continues until it ends, or until it needs a server's answer or time.
    ///
    /// # Errors
    /// Errors of the host, which end it.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Response>> {
        loop {
            let advance = match &mut self.doing {
                Doing::Fetching(fetching) => fetching.advance(sandbox)?.map(|body| Served { body, rest: None }),
                Doing::Pushing(pushing) => pushing.advance(sandbox)?,
            };
            match advance {
                Advance::Need(Need::Ask(ask)) => self.give(Given::Answer(later(&ask, "nobody has decided yet"))),
                Advance::Need(need) => return Ok(Advance::Need(need)),
                Advance::Done(Served { body, rest }) => {
                    return Ok(Advance::Done(Response { rest, ..Response::of(200, self.content_type, body) }));
                }
            }
        }
    }

    /// Supplies what the last step asked for.
    pub fn give(&mut self, given: Given) {
        match &mut self.doing {
            Doing::Fetching(fetching) => fetching.give(given),
            Doing::Pushing(pushing) => pushing.give(given),
        }
    }
}
