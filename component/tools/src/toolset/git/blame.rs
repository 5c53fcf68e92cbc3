//! `git_blame`: the commit that each line of a file comes from.

mod assign;
mod author;
mod found;
mod history;
mod origins;
mod range;
mod rename;
mod report;
mod spans;
mod start;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
mod text;
mod worktree;

use std::rc::Rc;

use gix::bstr::{BStr, BString};
use serde::Deserialize;

use self::assign::Assignment;
use self::author::Authors;
use self::found::{Found, line_starts};
use self::history::{History, Place};
use self::origins::{OriginAt, Origins};
use self::range::Range;
use self::rename::Renames;
use self::report::Report;
use self::spans::Span;
use self::start::{Start, start};
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs, WorkingDir};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::graph::leave_out;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::Repo;
use crate::git::store::version::LINK;
use crate::git::store::{blob, index, missing};
use crate::git::text::mailmap::Mailmap;
use crate::git::worktree::attributes::Attributes;
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::{SandboxPath, WORKSPACE, check_name};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Show who last changed each line of a file, as git blame does. Without `commit`, uncommitted
/// lines count too.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitBlame {
    /// File path to blame
    path: String,
    /// First line
    #[cfg_attr(test, schemars(range(min = 1)))]
    start_line: Option<u32>,
    /// Last line
    #[cfg_attr(test, schemars(range(min = 1)))]
    end_line: Option<u32>,
    /// Blame at this commit, or range such as v1.0..HEAD
    commit: Option<String>,
    max_bytes: Option<MaxBytes>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitBlame {
    const NAME: &'static str = "git_blame";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_blame");
    type Result = report::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.validate()?;
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let path = literal(&self.path, &working_dir)?;
        let repo = context.repo(&working_dir)?;
        let found = self.blame(context, &repo, path, max_bytes)?;
        let text = text::write(&found, &Abbrev::of(&repo)?, max_bytes, context.deadline)?;
        Ok(Report::output(&found, text, max_bytes))
    }
}

impl GitBlame {
    /// FR-GIT-BLAME-03, extended to the fields beyond it.
    fn validate(&self) -> Result<(), ToolError> {
        let message = if self.path.trim().is_empty() {
            "path must not be empty"
        } else if self.start_line == Some(0) {
            "start_line must be at least 1"
        } else if self.end_line == Some(0) {
            "end_line must be at least 1"
        } else if self.start_line.zip(self.end_line).is_some_and(|(start, end)| start > end) {
            "start_line must be <= end_line"
        } else {
            return Ok(());
        };
        Err(ToolError::bad_args(message))
    }

    fn blame(
        &self,
        context: &mut Context<'_>,
        repo: &Repo,
        path: BString,
        max_bytes: usize,
    ) -> Result<Found, ToolError> {
        let mut warnings = String::new();
        match self.find(context, repo, path, max_bytes, &mut warnings) {
            Ok(found) => Ok(found.with(warnings)),
            Err(error) => Err(ToolError { message: warnings + &error.message, ..error }),
        }
    }

    /// Finds the commit of each line. `warnings` receives what git first prints on its error
    /// stream.
    fn find(
        &self,
        context: &mut Context<'_>,
        repo: &Repo,
        path: BString,
        max_bytes: usize,
        warnings: &mut String,
    ) -> Result<Found, ToolError> {
        let (deadline, now) = (context.deadline, context.now());
        let index = index::load(&mut context.session.caches.index, repo)?;
        let mut history = History::new(repo, &context.session.caches.history)?;
        let mut origins = Origins::default();
        let Start { tip, bottoms, warnings: found } = start(&mut history, self.commit.as_deref(), deadline)?;
        *warnings = found;
        let (begin, worktree) = match &tip {
            Some((tip, name)) => (committed(&mut history, &mut origins, *tip, (path.as_ref(), name), deadline)?, None),
            None => {
                let parents = worktree::parents(repo)?;
                let at = origins.path(path.as_ref());
                worktree::ensure_tracked(&mut history, &parents, &index, origins.tree_path(at), deadline)?;
                let attributes = Attributes::of(repo, index.clone(), deadline);
                let worktree = worktree::read(context, repo, &attributes, path.as_ref())?;
                let seconds = u64::try_from(now.git_time().seconds).unwrap_or(0);
                let place = history.worktree(&parents, seconds);
                let version = worktree.version;
                let begin = origins.meet(place, at, version.id, version.mode == LINK);
                origins.get_mut(begin).content = Some(worktree.content.clone());
                (begin, Some(Rc::new(worktree)))
            }
        };
        if !bottoms.is_empty() {
            let tip = origins.get(begin).commit;
            leave_out(&mut history, &bottoms, &[tip], deadline)?;
        }
        let known = origins.get(begin).content.clone();
        let content = match known {
            Some(content) => Some(content),
            None => blob::read(repo, origins.get(begin).blob)?.map(Rc::new),
        };
        let starts = line_starts(content.as_deref().map_or(&[], Vec::as_slice));
        let range = Range { start: self.start_line, end: self.end_line };
        let span = match &content {
            Some(_) => range.of(starts.len() - 1, path.as_ref())?,
            // Blaming any one line also finds what else is missing.
            None => Span { line: 0, origin: 0, count: 1 },
        };
        origins.get_mut(begin).content = content.clone();
        let mailmap = Mailmap::of(repo)?;
        let renames = Renames { repo, trees: &mut context.session.caches.trees, index: &index, worktree, deadline };
        let mut assignment = Assignment { repo, deadline, history, origins, renames };
        let blamed = assignment.run(begin, span)?;
        let content = content.ok_or_else(|| missing::blobs(repo, [assignment.origins.get(begin).blob].into()))?;
        let authors = Authors { mailmap: &mailmap, now, max_bytes };
        Found::of(&assignment, &blamed, path, (content, starts), &authors)
    }
}

/// The file at `path` in the commit at `tip`, which git calls `name`.
fn committed(
    history: &mut History<'_>,
    origins: &mut Origins,
    tip: Place,
    (path, name): (&BStr, &str),
    deadline: &Deadline,
) -> Result<OriginAt, ToolError> {
    let tree = history.tree(tip)?;
    let at = origins.path(path);
    let found = origins.tree_path(at).find(history.repo, tree, deadline)?.filter(|found| found.is_blob());
    let found = found.ok_or_else(|| {
        ToolError::not_found(format!("fatal: no such path {path} in {name}")).hint(
            "Name a file that exists in the commit. Give its path relative to the working folder, or start it \
             with /workspace/.",
        )
    })?;
    Ok(origins.meet(tip, at, found.id, found.mode.is_link()))
}

/// The path of `named` in `working_dir`, from the root of the repository. `named` is literal, not a pattern.
fn literal(named: &str, working_dir: &SandboxPath) -> Result<BString, ToolError> {
    if named.contains('\0') {
        return Err(ToolError::bad_args("A path cannot contain a NUL character"));
    }
    let mut components = named.split('/').filter(|name| !name.is_empty() && *name != ".");
    let mut path: Vec<&str> = Vec::new();
    let folder = working_dir.relative();
    if !named.starts_with('/') {
        path.extend(folder.split('/').filter(|name| !name.is_empty()));
    } else if components.next() != Some(WORKSPACE) {
        return Err(ToolError::outside(named));
    }
    for component in components {
        if component == ".." {
            return Err(ToolError::outside(named));
        }
        check_name(component.as_bytes(), named)?;
        path.push(component);
    }
    let mut path = BString::from(path.join("/"));
    // git appends a slash to the path of a folder, so a file named with a slash does not exist.
    if !path.is_empty() && (named.ends_with('/') || named == "." || named.ends_with("/.")) {
        path.push(b'/');
    }
    Ok(path)
}
