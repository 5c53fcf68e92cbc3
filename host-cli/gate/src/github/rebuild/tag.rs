//! Annotated tags.

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{Trials, Zones, commit::identity, inexact};
use crate::github::{Fault, answer::Tag, date, fault};

/// The bytes of the tag `id` that the server tells of.
pub(in crate::github) fn tag(id: ObjectId, told: &Tag, zones: &mut Zones) -> Result<Vec<u8>, Fault> {
    let mut trials = Trials::new();
    let payload = told.verification.payload.as_deref();
    let bytes = told.message.len() + payload.map_or(0, str::len) + 512;
    let mut found =
        |content: std::fmt::Arguments<'_>| trials.of(id, Kind::Tag, bytes, || Some(content.to_string().into_bytes()));
    // A signature of a tag stands at the end of its message.
    let signature = told.verification.signature.as_deref().unwrap_or_default();
    if let Some(payload) = payload {
        for between in ["", "\n"] {
            for end in ["", "\n"] {
                if let Some(content) = found(format_args!("{payload}{between}{signature}{end}")) {
                    return Ok(content);
                }
            }
        }
    }
    let head = format!("object {}\ntype {}\ntag {}\n", told.object.sha.0, told.object.kind, told.tag);
    let message = &told.message;
    for tail in ["\n", "", "\n\n"] {
        for with in [String::new(), signature.to_owned(), format!("{signature}\n")] {
            // Long ago git wrote tags without a tagger.
            if let Some(content) = found(format_args!("{head}\n{message}{tail}{with}")) {
                return Ok(content);
            }
            let Some(tagger) = &told.tagger else { continue };
            let (seconds, _) = date::of_iso(&tagger.date).ok_or_else(|| fault::malformed("a tag has no date"))?;
            for zone in zones.all() {
                let who = identity(tagger, seconds, zone);
                let content = found(format_args!("{head}tagger {who}\n\n{message}{tail}{with}"));
                if let Some(content) = content {
                    zones.found([zone; 2]);
                    return Ok(content);
                }
            }
            if signature.is_empty() {
                break;
            }
        }
    }
    Err(inexact(id, Kind::Tag))
}
