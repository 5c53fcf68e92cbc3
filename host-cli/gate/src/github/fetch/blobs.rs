//! Fetches blobs.

use base64::{Engine, engine::general_purpose::STANDARD};
use gix_hash::ObjectId;
use gix_object::Kind;

use super::Found;
use crate::github::{
    Fault,
    answer::Blob,
    api::{Api, ok, parse},
    fault, rebuild,
};

/// Adds a blob that the sandbox lacks.
pub(super) async fn blob(api: &Api, id: ObjectId, found: &mut Found) -> Result<(), Fault> {
    if found.has(id)? {
        return Ok(());
    }
    let response = api.get(&format!("/git/blobs/{id}")).await?;
    if response.status == 404 {
        return Err(Fault::missing(id, format!("the repository has no blob {id}")));
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
