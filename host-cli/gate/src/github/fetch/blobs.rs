//! Fetches blobs.

use base64::{Engine, engine::general_purpose::STANDARD};
use bstr::ByteSlice;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{BlobAt, Found};
use crate::{
    format::tree::entries,
    github::{
        Fault,
        answer::Blob,
        api::{Api, ok, parse},
        fault, rebuild,
    },
    history::tree_of,
    objects::Objects,
};

/// Adds a blob that the sandbox lacks.
pub(super) async fn blob(api: &Api, id: ObjectId, found: &mut Found) -> Result<(), Fault> {
    if found.has(id)? {
        return Ok(());
    }
    let response = api.get(&format!("/git/blobs/{id}")).await?;
    if response.status == 404 {
        return Err(fault::missing(id, format!("the repository has no blob {id}")));
    }
    let Blob { content, encoding } = parse(&ok(response)?)?;
    let content = match encoding.as_str() {
        "base64" => {
            let digits: String = content.split_ascii_whitespace().collect();
            STANDARD.decode(digits).map_err(|_| fault::malformed("a blob is not in Base64"))?
        }
        "utf-8" => content.into_bytes(),
        _ => return Err(fault::malformed("a blob has an unknown encoding")),
    };
    if !rebuild::is(id, Kind::Blob, &content) {
        return Err(fault::malformed(format!("the blob {id} has other content than its id says")));
    }
    found.add(Kind::Blob, id, &content)
}

/// Fails unless the commit, as the host knows it, has the blob at that path.
pub(super) fn ensure_stands(known: &dyn Objects, blob: &BlobAt) -> Result<(), Fault> {
    let (mut id, mut kind, mut content) = (tree_of(known, &blob.commit)?, Some(Kind::Tree), Vec::new());
    for name in blob.path.split_str("/") {
        let here = std::mem::replace(&mut id, ObjectId::null(gix_hash::Kind::Sha1));
        if kind.take() != Some(Kind::Tree) || known.find(&here, &mut content)? != Some(Kind::Tree) {
            break;
        }
        for entry in entries(&content) {
            let entry = entry.map_err(|broken| broken.of(Kind::Tree, &here))?;
            if entry.name == name {
                (id, kind) = (entry.id.to_owned(), entry.mode.kind());
            }
        }
    }
    if kind == Some(Kind::Blob) && id == blob.id {
        return Ok(());
    }
    let path = crate::text::name(&blob.path);
    Err(fault::missing(blob.id, format!("the commit {} has no blob {} at '{path}'", blob.commit, blob.id)))
}
