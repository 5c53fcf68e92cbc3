//! Removes entries: one (`git stash drop`), or all (`git stash clear`).

use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};
use serde::Serialize;

use super::entries::{self, Entry, STASH, Stash};
use super::{GitStash, Told};
use crate::error::ToolError;
use crate::git::store::refs::reflog::{self, Line};
use crate::git::store::refs::{self};
use crate::git::store::repo::Repo;
use crate::git::words::streams::Streams;
use crate::output::Output;
use crate::session::Context;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    #[cfg_attr(test, schemars(extend("const" = "drop")))]
    action: &'static str,
    dropped: Entry,
    /// Entries that are left.
    count: usize,
    hint: String,
}

/// Removes `stash`.
pub fn run(context: &mut Context<'_>, repo: &Repo, stash: &Stash) -> Result<Output, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let mut streams = Streams::default();
    let count = remove(context, repo, stash, &mut streams)?;
    let dropped = stash.entry(max_bytes);
    let hint = format!("Call sandbox_undo to bring it back, or git_show with commit {} to see it.", dropped.commit_id);
    Ok(Output::new::<GitStash>(streams.text(), Told::Dropped(Dropped { action: "drop", dropped, count, hint }))
        .max_bytes(max_bytes))
}

/// Removes the entry from the reflog, writes git's message, and returns the number of remaining entries.
pub fn remove(context: &Context<'_>, repo: &Repo, stash: &Stash, streams: &mut Streams) -> Result<usize, ToolError> {
    let lines = reflog::lines(repo, STASH.into())?.unwrap_or_default();
    let gone = lines.len().checked_sub(stash.position + 1);
    let kept = without(lines, gone);
    match kept.last() {
        Some(last) => {
            let new = last.new;
            if !new.is_null() && entries::tip(repo)? != Some(new) {
                let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: "".into() };
                let change = Change::Update { log, expected: PreviousValue::Any, new: Target::Object(new) };
                refs::edit_as(&context.reflog_signature(), repo, edit(change))?;
            }
            reflog::rewrite(repo, STASH.into(), &kept)?;
        }
        None => forget(context, repo)?,
    }
    streams.line(&[format!("Dropped {} ({})", stash.revision, stash.commit).as_bytes()]);
    Ok(kept.len())
}

/// The lines without one of them. Each line repeats the id of the previous line (git's refs.c, `expire_reflog_ent`).
fn without(lines: Vec<Line>, gone: Option<usize>) -> Vec<Line> {
    let mut last = None;
    let kept = lines.into_iter().enumerate().filter(|(at, _)| Some(*at) != gone);
    kept.map(|(_, line)| {
        let old = last.replace(line.new).unwrap_or_else(|| gix::ObjectId::null(line.new.kind()));
        Line { old, ..line }
    })
    .collect()
}

/// Removes the ref and its log.
pub fn forget(context: &Context<'_>, repo: &Repo) -> Result<(), ToolError> {
    if entries::tip(repo)?.is_none() {
        return Ok(());
    }
    let change = Change::Delete { expected: PreviousValue::Any, log: RefLog::AndReference };
    refs::edit_as(&context.reflog_signature(), repo, edit(change))
}

/// An edit that makes `change` to the ref.
pub fn edit(change: Change) -> RefEdit {
    RefEdit { change, name: FullName::try_from(STASH).expect("it is a valid name"), deref: false }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cleared {
    #[cfg_attr(test, schemars(extend("const" = "clear")))]
    action: &'static str,
    /// Entries that were removed.
    count: usize,
    hint: &'static str,
}

/// Removes every entry.
pub fn clear(context: &mut Context<'_>, repo: &Repo) -> Result<Output, ToolError> {
    let count = match entries::tip(repo)? {
        Some(_) => reflog::lines(repo, STASH.into())?.map_or(0, |lines| lines.len()),
        None => 0,
    };
    forget(context, repo)?;
    let hint = if count > 0 { "Call sandbox_undo to bring them back." } else { "There was nothing to remove." };
    Ok(Output::new::<GitStash>("", Told::Cleared(Cleared { action: "clear", count, hint })))
}

#[cfg(test)]
mod tests {
    use gix::ObjectId;

    use super::*;

    #[test]
    fn what_comes_after_a_line_that_goes_follows_what_came_before_it() {
        let id = |digit: u8| ObjectId::from_bytes_or_panic(&[digit; 20]);
        let line = |old, new| Line { old: id(old), new: id(new), who: "".into(), message: "".into() };
        let lines = vec![line(0, 1), line(1, 2), line(2, 3)];
        assert_eq!(without(lines.clone(), Some(1)), [line(0, 1), line(1, 3)]);
        assert_eq!(without(lines.clone(), Some(0)), [line(0, 2), line(2, 3)]);
        assert_eq!(without(lines, None).len(), 3);
    }
}
