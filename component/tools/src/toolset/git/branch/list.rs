//! The list of branches, in the format of `git branch -v`.

use gix::bstr::{BString, ByteSlice};

use super::GitBranch;
use super::page::{Kind, Kinds, Page, Row};
use super::report::{self, Branch, List, Report};
use super::{in_use, upstream};
use crate::budget::{Room, brief};
use crate::error::ToolError;
use crate::git::history::branch_name::HEADS;
use crate::git::history::graph::History;
use crate::git::history::peeling;
use crate::git::history::tracking::{self, Distance, Strict};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::refs::{End, Refs, warns_of_ambiguity};
use crate::git::store::repo::Repo;
use crate::git::words::columns;
use crate::output::Output;
use crate::session::Context;
use crate::toolset::git::upstream::Upstream;

/// Lists the branches of `repo`.
pub fn list(context: &mut Context<'_>, repo: &Repo, kinds: Kinds) -> Result<Output, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let refs = Refs::of(repo, context.deadline);
    let head = refs.head()?;
    let history = History::of(repo, &context.session.caches.history)?;
    let mut page = Page::new(&refs, &history, kinds, max_bytes);
    page.gather(head.is_none())?;
    let Page { rows, width, mut stderr, omitted, .. } = page;
    let current = match refs.follow("HEAD".into())? {
        End::Id { name, .. } => Some(name),
        _ => None,
    };
    let others = others(&refs)?;
    let abbrev = Abbrev::of(repo)?;
    let (mut text, mut branches) = (Vec::new(), Vec::new());
    let mut room = Room::new(max_bytes);
    let mut left_out = omitted;
    for row in rows {
        context.deadline.poll()?;
        let is_current = current.as_ref() == Some(&row.name);
        let subject = peeling::subject(repo, row.id)?;
        let upstream = match row.kind {
            Kind::Local => upstream_of(context, &refs, &row, &mut stderr)?,
            Kind::Head | Kind::Remote => None,
        };
        if let Some(upstream) = &upstream
            && upstream.distance.is_some_and(|distance| distance != Distance::default())
        {
            stderr.push_str(&compared_by_id(&refs, &row, upstream)?);
        }
        let mark = match () {
            () if row.kind == Kind::Remote => "  ",
            () if is_current => "* ",
            () if others.contains(&row.name) => "+ ",
            () => "  ",
        };
        let padding = width.saturating_sub(columns::width(&row.shown));
        text.extend_from_slice(mark.as_bytes());
        text.extend_from_slice(&row.shown);
        text.resize(text.len() + padding, b' ');
        match (&row.symbolic, row.kind) {
            (Some(target), Kind::Remote) => {
                text.extend_from_slice(b" -> ");
                let strict = if warns_of_ambiguity(repo) { Strict::Yes } else { Strict::No };
                text.extend_from_slice(&tracking::shorten(repo, target.as_bstr(), strict)?);
            }
            _ => {
                text.extend_from_slice(format!(" {} ", abbrev.short(&row.id)?).as_bytes());
                text.extend_from_slice(upstream.as_ref().map(track).unwrap_or_default().as_bytes());
                text.extend_from_slice(&subject);
            }
        }
        text.push(b'\n');
        let branch = Branch {
            name: row.name().to_str_lossy().into_owned(),
            current: is_current,
            remote: row.kind == Kind::Remote,
            commit_id: row.commit.to_string(),
            subject: brief(&subject.to_str_lossy(), max_bytes),
            symbolic: row.symbolic.as_ref().map(ToString::to_string),
            upstream: upstream.as_ref().map(Upstream::from),
        };
        if left_out == omitted && room.take(&branch) {
            branches.push(branch);
        } else {
            left_out += 1;
        }
    }
    let text = report::text(text, stderr.as_bytes());
    let truncated = left_out > 0 || text.len() > max_bytes;
    let list = List {
        operation: "list",
        branches,
        branches_omitted: left_out,
        current: head.map(|head| head[HEADS.len()..].to_str_lossy().into_owned()),
        truncated,
        hint: truncated
            .then_some("There are more branches than are listed. Ask the user to raise max_bytes for longer lists."),
        untrusted: true,
    };
    Ok(Output::new::<GitBranch>(text, Report::List(list)).max_bytes(max_bytes))
}

/// The upstream of a row's branch. Appends git's warnings to `stderr`.
fn upstream_of(
    context: &mut Context<'_>,
    refs: &Refs<'_>,
    row: &Row,
    stderr: &mut String,
) -> Result<Option<tracking::Upstream>, ToolError> {
    let Some(branch) = upstream::looked_up(refs, row.name.as_bstr())? else { return Ok(None) };
    stderr.push_str(&upstream::complaints(refs, branch.as_bstr())?);
    let head = if branch == row.name { Some(row.commit) } else { tracking::resolve(refs.repo, branch.as_bstr())? };
    let caches = &mut context.session.caches;
    let (distances, commits) = (&mut caches.tracking, &caches.history);
    tracking::upstream(distances, commits, refs.repo, branch.as_bstr(), head, context.deadline)
}

/// git's warnings when it compares a branch with its upstream, because it looks both up by their ids.
fn compared_by_id(refs: &Refs<'_>, row: &Row, upstream: &tracking::Upstream) -> Result<String, ToolError> {
    let theirs = tracking::resolve(refs.repo, upstream.full.as_bstr())?;
    let ids = [Some(row.commit), theirs].into_iter().flatten();
    ids.map(|id| refs.warning_of_id(&id.to_string())).collect()
}

/// The branches checked out in other working folders.
fn others(refs: &Refs<'_>) -> Result<Vec<BString>, ToolError> {
    let linked = in_use::worktrees(refs)?.into_iter().filter(|worktree| worktree.is_linked);
    Ok(linked.filter_map(|worktree| worktree.head).collect())
}

/// How far a branch is ahead of and behind its upstream, with a space at the end.
fn track(upstream: &tracking::Upstream) -> String {
    match upstream.distance.map(|distance| (distance.ahead, distance.behind)) {
        None => "[gone] ".to_owned(),
        Some((0, 0)) => String::new(),
        Some((0, behind)) => format!("[behind {behind}] "),
        Some((ahead, 0)) => format!("[ahead {ahead}] "),
        Some((ahead, behind)) => format!("[ahead {ahead}, behind {behind}] "),
    }
}
