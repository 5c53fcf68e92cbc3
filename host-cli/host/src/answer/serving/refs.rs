//! The refs of a sandbox, by the structured result of `sandbox_refs`.

use gate::forge::RefEntry;
use gate::git::serve::{Advertised, Service};
use gix_hash::ObjectId;
use serde::Deserialize;

use crate::answer::misbehaved;
use crate::error::Result;

#[derive(Deserialize)]
pub(super) struct Told {
    head: Option<String>,
    at: Option<String>,
    refs: Vec<Ref>,
    shallow: Vec<String>,
}

#[derive(Deserialize)]
struct Ref {
    name: String,
    id: String,
    peeled: Option<String>,
    base: Option<String>,
}

impl Told {
    pub(super) fn read(structured: &str) -> Result<Self> {
        serde_json::from_str(structured).map_err(|_| misbehaved("it lists refs in no known form"))
    }

    /// What a client of the service sees. For a push, a branch is where the target has it: what is behind that is proposed anew
    /// each time, so that an agent can amend what it has proposed.
    pub(super) fn advertised(&self, service: Service) -> Result<Advertised> {
        let is_push = service == Service::ReceivePack;
        let mut refs = Vec::with_capacity(self.refs.len());
        for Ref { name, id, peeled, base } in &self.refs {
            // A tool or an import may have made a name that some system reads as another.
            if gate::refname::check_name(name).is_err() {
                continue;
            }
            let shown = match is_push {
                true => base.as_deref(),
                false => Some(id.as_str()),
            };
            if let Some(shown) = shown {
                let peeled = peeled.as_deref().filter(|_| !is_push).map(id_of).transpose()?;
                refs.push(RefEntry { name: name.clone(), id: id_of(shown)?, peeled });
            }
        }
        Ok(Advertised {
            head: self.head.clone(),
            refs,
            at: self.at.as_deref().map(id_of).transpose()?,
            shallow: self.shallow.iter().map(|id| id_of(id)).collect::<Result<_>>()?,
        })
    }
}

pub(super) fn id_of(hex: &str) -> Result<ObjectId> {
    ObjectId::from_hex(hex.as_bytes()).map_err(|_| misbehaved("it names an object by no id"))
}
