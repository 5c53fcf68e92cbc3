//! Sends the objects, and checks what the server made of each.

use base64::{Engine, engine::general_purpose::STANDARD};
use gix_hash::ObjectId;
use gix_object::Kind;
use serde::Serialize;

use super::{
    commit,
    plan::{Plan, Planned},
    tree::Pieces,
};
use crate::{
    github::{
        Fault, FaultKind,
        answer::Named,
        api::{Api, ok, parse},
    },
    objects::{Objects, Overlay},
    pack::VerifiedPack,
};

/// Sends everything that is planned and that `base` does not have. Each object can be sent again,
/// since its id is computed from its content.
pub(super) async fn all(api: &Api, pack: &VerifiedPack, base: &dyn Objects, plan: &Plan) -> Result<(), Fault> {
    let mut content = Vec::new();
    for id in &plan.blobs {
        if base.contains(id)? {
            continue;
        }
        pack.find(id, &mut content)?;
        let body = Blob { content: STANDARD.encode(&content), encoding: "base64" };
        store(api, "/git/blobs", &body, *id).await?;
    }
    let all = Overlay { pack, below: base };
    for tree in &plan.trees {
        if !base.contains(&tree.id)? {
            send_tree(api, all, tree).await?;
        }
    }
    for id in &plan.commits {
        if base.contains(id)? {
            continue;
        }
        pack.find(id, &mut content)?;
        store(api, "/git/commits", &commit::body(*id, &content)?, *id).await?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Blob {
    content: String,
    encoding: &'static str,
}

async fn send_tree(api: &Api, all: Overlay<'_>, planned: &Planned) -> Result<(), Fault> {
    let Planned { id, before } = *planned;
    // GitHub refuses to make the empty tree, and git knows it everywhere.
    if id.is_empty_tree() {
        return Ok(());
    }
    let (mut content, mut old) = (Vec::new(), Vec::new());
    all.pack.find(&id, &mut content)?;
    let before = match before {
        Some(before) if all.find(&before, &mut old)? == Some(Kind::Tree) => Some((before, old.as_slice())),
        _ => None,
    };
    let mut made = None;
    for body in Pieces::of(id, &content, before)?.bodies() {
        made = Some(post(api, "/git/trees", &body(made)).await?);
    }
    match made {
        Some(made) => ensure_same(id, made),
        None => Ok(()),
    }
}

async fn store(api: &Api, rest: &str, body: &impl Serialize, id: ObjectId) -> Result<(), Fault> {
    ensure_same(id, post(api, rest, body).await?)
}

async fn post(api: &Api, rest: &str, body: &impl Serialize) -> Result<ObjectId, Fault> {
    let made: Named = parse(&ok(api.post(rest, body).await?)?)?;
    Ok(made.sha.0)
}

fn ensure_same(wanted: ObjectId, got: ObjectId) -> Result<(), Fault> {
    if wanted == got {
        return Ok(());
    }
    Err(Fault::new(
        FaultKind::WrongObject { wanted, got },
        format!("GitHub stored the object {wanted} as {got}, so nothing was pushed"),
    )
    .with_hint("push to a clone of the repository, and from there with git"))
}
