//! Reads a target's refs. Only this file turns a name that a caller gave into a repository.

use std::ops::ControlFlow;
use std::path::Path;

use gate::policy::{Caller, Verdict, may_name};
use gate::target::CanonicalTarget;

use crate::answer::approval;
use crate::answer::call::invocation::{Found, Invocation};
use crate::answer::call::suspend::Halting;
use crate::answer::repository::opened;
use crate::answer::wording::tool_error;
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Sandbox;
use crate::settings::Place;
use crate::target::{Near, RefListing, TargetSpec};
use crate::wit;

/// Answers a refs question. The call then knows the target by its canonical name.
pub(crate) fn find(invocation: &mut Invocation, named: &wit::Target, sandbox: &mut Sandbox) -> Halting<Found> {
    let own = own_targets(sandbox)?;
    let opened = TargetSpec::of_component(named).and_then(|spec| opened::open(&spec, sandbox));
    let permitted = match opened {
        Ok(target) if !is_permitted(invocation, target.canonical(), &own, sandbox) => None,
        Err(_) if invocation.caller == Caller::Agent => None,
        Err(error) => return Ok(Found::Continue(wit::AnswerBody::Failed(tool_error::target(&error)))),
        Ok(opened) => Some(opened),
    };
    // The same answer in all cases: an agent must not learn what exists outside its own targets.
    let Some(mut target) = permitted else {
        let reason =
            format!("{}:{} is not one of the sandbox's targets, or cannot be opened", named.kind, named.location);
        let hint = match invocation.caller {
            Caller::Agent => "omit the target or source to use the one that the branch came from, or ask the user",
            Caller::User => HOW_TO_ADOPT,
        };
        return Ok(Found::Continue(wit::AnswerBody::Failed(tool_error::not_permitted(reason, hint.to_owned()))));
    };
    // No server is asked before the rules allow it.
    if let ControlFlow::Break(stop) = approval::of_target(invocation, target.canonical(), sandbox)? {
        return Ok(stop.found());
    }
    let listing = match target.refs(&mut invocation.exchanges)? {
        Ok(listing) => listing,
        Err(error) => return Ok(Found::Continue(wit::AnswerBody::Failed(error))),
    };
    let answer = answer(&listing);
    invocation.named.insert(answer.target.clone(), target);
    Ok(Found::Continue(wit::AnswerBody::Refs(answer)))
}

/// How a person makes a repository one of the sandbox's targets.
pub(crate) const HOW_TO_ADOPT: &str =
    "name it in the call; a sandbox without a target adopts the source of your first git_pull";

/// True if this call may use `target`. The component's question may come from anyone, so the target
/// must be one of the sandbox's own or named in this very call.
pub(crate) fn is_permitted(
    invocation: &Invocation,
    target: &CanonicalTarget,
    own: &[CanonicalTarget],
    sandbox: &Sandbox,
) -> bool {
    let is_named = own.contains(target)
        || named_by(&invocation.call.arguments, &*sandbox.near(), &sandbox.file.base).contains(target);
    is_named && may_name(invocation.caller, target, own) == Verdict::Allow
}

/// Makes the source of a person's pull a target of the sandbox, if it has none: the sandbox may be
/// a clone of it now. The pull is done, so a failure here is a note and not an error.
pub(crate) fn adopt(invocation: &mut Invocation, sandbox: &mut Sandbox) {
    let is_pull = invocation.caller == Caller::User && invocation.call.tool == "git_pull";
    if !is_pull || !sandbox.file.targets.is_empty() || Named::of(&invocation.call.arguments).dest_zone.is_some() {
        return;
    }
    if let Some(target) = named_by(&invocation.call.arguments, &*sandbox.near(), &sandbox.file.base).first()
        && let Err(error) = sandbox.add_target(target)
    {
        sandbox.tell(format!("could not make {target} a target of the sandbox: {}", error.message));
    }
}

/// The places that a call's arguments may name.
#[derive(Default, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    source: Option<Place>,
    target: Option<Place>,
    dest_zone: Option<String>,
}

impl Named {
    fn of(arguments: &str) -> Named {
        serde_json::from_str(arguments).unwrap_or_default()
    }
}

/// The repositories that the arguments of a call name.
pub fn named_by(arguments: &str, near: &dyn Near, base: &Path) -> Vec<CanonicalTarget> {
    let Named { source, target, .. } = Named::of(arguments);
    let open = |place: Place| opened::canonical(&TargetSpec::of(&place).ok()?, near, base);
    source.into_iter().chain(target).filter_map(open).collect()
}

fn answer(listing: &RefListing) -> wit::Refs {
    wit::Refs {
        target: listing.canonical.to_string(),
        head: listing.head.clone(),
        references: listing
            .refs
            .iter()
            .map(|entry| wit::Reference {
                name: entry.name.clone(),
                id: entry.id.to_string(),
                peeled: entry.peeled.map(|id| id.to_string()),
            })
            .collect(),
    }
}

/// The targets that an agent may name.
pub(crate) fn own_targets(sandbox: &Sandbox) -> Result<Vec<CanonicalTarget>> {
    let parse = |text: &String| {
        text.parse().map_err(|fault: gate::Fault| {
            HostError::new(ErrorKind::Damaged, format!("sandbox.toml names an invalid target: {fault}"))
                .hint(fault.hint)
        })
    };
    sandbox.file.targets.iter().map(parse).collect()
}
