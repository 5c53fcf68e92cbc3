//! Fetches trees.

use gix_hash::ObjectId;
use gix_object::Kind;

use super::Found;
use crate::{
    format::tree::entries,
    github::{
        Fault,
        answer::Tree,
        api::{Api, ok, parse},
        rebuild,
    },
};

/// Adds the tree `root` and all that it holds and the sandbox lacks, and lists the blobs of the new
/// trees if they are wanted. `whole` asks for everything at once.
pub(super) async fn below(
    api: &Api,
    root: ObjectId,
    whole: bool,
    found: &mut Found,
    mut blobs: Option<&mut Vec<ObjectId>>,
) -> Result<(), Fault> {
    if found.has(root)? {
        return Ok(());
    }
    if whole {
        let listed = read(api, root, "?recursive=1").await?;
        if !listed.truncated {
            for folder in rebuild::folders(root, &listed.tree)? {
                add(folder.id, &folder.written()?, found, blobs.as_deref_mut(), &mut Vec::new())?;
            }
            return Ok(());
        }
    }
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if found.has(id)? {
            continue;
        }
        let content = content(api, id).await?;
        add(id, &content, found, blobs.as_deref_mut(), &mut open)?;
    }
    Ok(())
}

/// Adds one tree that the sandbox lacks.
pub(super) async fn tree(api: &Api, id: ObjectId, found: &mut Found) -> Result<(), Fault> {
    if found.has(id)? {
        return Ok(());
    }
    found.add(Kind::Tree, id, &content(api, id).await?)
}

async fn content(api: &Api, id: ObjectId) -> Result<Vec<u8>, Fault> {
    // The server need not have the empty tree, which git knows everywhere.
    if id.is_empty_tree() {
        return Ok(Vec::new());
    }
    let listed = read(api, id, "").await?;
    if listed.truncated {
        return Err(Fault::too_large(format!("GitHub does not list the whole tree {id}"))
            .with_hint("clone the repository with git, and use the clone"));
    }
    rebuild::tree(id, &listed.tree)
}

async fn read(api: &Api, id: ObjectId, query: &str) -> Result<Tree, Fault> {
    let response = api.get(&format!("/git/trees/{id}{query}")).await?;
    if response.status == 404 {
        return Err(Fault::missing(id, format!("the repository has no tree {id}")));
    }
    parse(&ok(response)?)
}

fn add(
    id: ObjectId,
    content: &[u8],
    found: &mut Found,
    mut blobs: Option<&mut Vec<ObjectId>>,
    folders: &mut Vec<ObjectId>,
) -> Result<(), Fault> {
    found.add(Kind::Tree, id, content)?;
    for entry in entries(content) {
        let entry = entry.map_err(|broken| broken.of(Kind::Tree, &id))?;
        match (entry.mode.kind(), &mut blobs) {
            (Some(Kind::Tree), _) => folders.push(entry.id.to_owned()),
            (Some(_), Some(blobs)) => blobs.push(entry.id.to_owned()),
            _ => {}
        }
    }
    Ok(())
}
