//! Renames refs and their logs (git's files backend).

use gix::actor::Signature;
use gix::bstr::BStr;

use super::available::Among;
use super::edit::{delete, ensure_deletable, log, make_log_way, path_of};
use super::files::{Changes, ensure_unlocked, make_way};
use super::place::Place;
use super::read::{Refs, Value, path};
use super::reflog::{self, Line};
use crate::error::ToolError;
use crate::platform;

/// Renames the ref `old` to `new`, and moves its log.
///
/// # Errors
///
/// In git's words, each line with `error: `, if `old` is symbolic or missing, or `new` is not free.
pub fn rename(who: &Signature, refs: &Refs<'_>, old: &BStr, new: &BStr, message: &[u8]) -> Result<(), ToolError> {
    let failed = |words: String| ToolError::failed(format!("error: {words}"));
    let repo = refs.repo;
    let id = match refs.value(old)? {
        Some(Value::Id(id)) => id,
        Some(Value::Symbolic(_)) => {
            return Err(failed(format!("refname {old} is a symbolic ref, renaming it is not supported")));
        }
        _ => return Err(failed(format!("refname {old} not found"))),
    };
    if let Some(words) = refs.conflict(new, Some(old), Among::All)? {
        return Err(failed(words));
    }
    let lines = reflog::text(repo, old)?;
    let in_words = |error: ToolError| error.behind("error: ");
    ensure_deletable(repo, old).map_err(|error| {
        let error = in_words(error);
        let mut words = format!("{}\nerror: unable to delete old {old}", error.message);
        // git tries to restore the old ref here.
        if let Some(Err(again)) = path(repo, old).map(|file| ensure_unlocked(repo, &file)) {
            words.push_str(&format!("\nerror: unable to lock {old} for rollback: {}", again.message));
        }
        ToolError { message: words, ..error }
    })?;
    let place = Place { repo, old, new, id, has_log: lines.is_some() };
    place.ensure_free(refs.deadline)?;
    delete(who, refs, old, message).map_err(in_words)?;
    let refs = Refs::of(repo, refs.deadline);
    if matches!(refs.value(new)?, Some(Value::Id(_) | Value::Symbolic(_))) {
        delete(who, &refs, new, b"").map_err(in_words)?;
    }
    let file = path_of(repo, new)?;
    make_way(&file)?;
    let mut changes = Changes::default();
    changes.write(file, format!("{id}\n").into_bytes());
    if let Some(lines) = lines {
        // Overwrite a log that belongs to no ref.
        let place = reflog::path(repo, new);
        make_log_way(repo, new)?;
        if platform::stat(&place).is_ok() {
            platform::remove_file(&place).map_err(|error| ToolError::io(".git/logs", &error))?;
        }
        changes.append_all(place, lines, &Line::new(who, id, id, message));
    } else {
        log(who, &refs, new, (Some(id), Some(id)), message, &mut changes)?;
    }
    changes.make(repo)
}
