//! `git_log`: list the commits that HEAD reaches, the latest first.

pub mod filter;
pub(super) mod report;
mod selected;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use gix::ObjectId;
use serde::Deserialize;

use self::filter::Filter;
use self::report::Report;
use self::selected::Selected;
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs, WorkingDir};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::graph::{Commit, History, Limits, Touched, Walk};
use crate::git::history::revisions::Revisions;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Head;
use crate::git::text::log_entries::Entries;
use crate::git::text::pretty::{Format, Layout, Origin, Printer};
use crate::git::words::dates::approxidate;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Show the commits that HEAD or ref reaches, newest first, as git log does.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitLog {
    /// Limit number of commits
    #[cfg_attr(test, schemars(range(min = 1)))]
    max_count: Option<u32>,
    /// Skip this number of commits (--skip)
    #[serde(default)]
    skip: u32,
    /// Single-line format (--oneline)
    #[serde(default)]
    oneline: bool,
    /// Custom pretty format (--format=<string>)
    format: Option<String>,
    /// Author (--author=<pattern>)
    author: Option<String>,
    /// After date (--since=<date>)
    since: Option<String>,
    /// Before date (--until=<date>)
    until: Option<String>,
    /// Message (--grep=<pattern>)
    grep: Option<String>,
    /// Commits affecting path
    path: Option<String>,
    /// Revision or range, such as v1.0..main
    #[serde(rename = "ref")]
    revision: Option<String>,
    max_bytes: Option<MaxBytes>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitLog {
    const NAME: &'static str = "git_log";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_log");
    type Result = report::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        if self.max_count == Some(0) {
            return Err(ToolError::bad_args("max_count must be at least 1").into());
        }
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let pathspec = Pathspec::parse(self.path.as_slice(), &working_dir)?;
        let format = self.format(context.deadline)?;
        let filter = Filter::of(self.author.as_deref(), self.grep.as_deref(), false, self.shows_notes(&format))?;
        let repo = context.repo(&working_dir)?;
        let now = context.now();
        let limits = Limits {
            since: self.since.as_deref().map(|text| approxidate(text, now)),
            until: self.until.as_deref().map(|text| approxidate(text, now)),
        };
        let revisions = Revisions::new(&repo, working_dir.relative(), self.path.is_some(), &self.revision);
        let selected = match &self.revision {
            Some(named) => Selected::named(&revisions, named, context.deadline)?,
            None => match repo.head()? {
                Head::Unborn { name } => return Err(unborn(&name).into()),
                head => Selected::head(head.id().expect("a head with a commit")),
            },
        };
        let history = History::of(&repo, &context.session.caches.history)?;
        let printer = Printer::new(&repo, &history, &format, now, context.deadline)?;
        let touched = self.path.is_some().then(|| Touched::new(&repo, &pathspec));
        let Selected { tips, hidden, has_left } = selected;
        let starts = tips.iter().map(|(id, _)| *id);
        let walk = Walk::new(&history, starts, hidden, touched, limits, context.deadline)?;
        let mut page = Page {
            history: &history,
            printer: &printer,
            deadline: context.deadline,
            filter,
            entries: Entries::new(max_bytes),
            report: Report::new(self.skip, max_bytes),
            text: Vec::new(),
            shows_notes: self.shows_notes(&format),
            tips: &tips,
            has_left,
            format,
        };
        page.fill(walk, self.skip, self.max_count).map_err(|error| page.entries.interrupted(error))?;
        let Page { entries, mut report, .. } = page;
        if !entries.has_any() && self.path.as_ref().is_some_and(|path| revisions.parse(path).is_ok()) {
            report.takes_path_for_a_revision();
        }
        Ok(report.finish(entries))
    }
}

impl GitLog {
    /// FR-GIT-LOG-03: `format` takes precedence over `oneline`.
    fn format(&self, deadline: &Deadline) -> Result<Format, ToolError> {
        match &self.format {
            Some(format) => Format::parse(format, deadline),
            None if self.oneline => Ok(Format::Short),
            None => Ok(Format::Named(Layout::Medium)),
        }
    }

    /// Whether to print and search notes: if no format is given, or if the format names them.
    fn shows_notes(&self, format: &Format) -> bool {
        (self.format.is_none() && !self.oneline) || format.has_notes()
    }
}

/// git's error if no commit is named and the branch `name` of HEAD has none.
pub fn unborn(name: &gix::bstr::BString) -> ToolError {
    let short = name.strip_prefix(b"refs/heads/").unwrap_or(name);
    let short = String::from_utf8_lossy(short);
    ToolError::not_found(format!("fatal: your current branch '{short}' does not have any commits yet"))
        .hint("First make a commit with git_stage or git_commit.")
}

/// The list of shown commits under construction.
struct Page<'a> {
    history: &'a History<'a>,
    printer: &'a Printer<'a>,
    deadline: &'a Deadline,
    format: Format,
    filter: Filter,
    shows_notes: bool,
    entries: Entries,
    report: Report,
    /// The text of the current commit.
    text: Vec<u8>,
    /// Where the walk began, and what each is called.
    tips: &'a [(ObjectId, String)],
    /// Whether the first of them is the left side of a symmetric difference.
    has_left: bool,
}

impl Page<'_> {
    /// Takes commits from `walk`: skips the first `skip`, then takes at most `max_count`, until the text is full.
    fn fill(&mut self, mut walk: Walk<'_>, mut skip: u32, max_count: Option<u32>) -> Result<(), ToolError> {
        let mut left = max_count.map_or(u64::MAX, u64::from);
        while left > 0 && !self.entries.is_full() {
            let Some(node) = walk.next()? else { break };
            if skip > 0 && self.filter.takes_all() {
                skip -= 1;
                continue;
            }
            let commit = self.history.commit(node.id)?;
            if !self.filter.takes(&commit, self.printer, self.deadline)? {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            self.add(&commit, walk.tip_of(&node.id).unwrap_or_default())?;
            left -= 1;
        }
        Ok(())
    }

    /// Adds a commit that the tip at this position has reached.
    fn add(&mut self, commit: &Commit, tip: usize) -> Result<(), ToolError> {
        self.text.clear();
        let source = self.tips.get(tip).map_or("HEAD", |(_, name)| name);
        let origin = Origin { source, is_left: self.has_left && tip == 0 };
        self.printer.entry(&self.format, commit, origin, &mut self.text)?;
        if self.shows_notes && !self.format.has_notes() {
            self.printer.notes(commit, &mut self.text)?;
        }
        self.entries.add(&self.format, &self.text);
        self.report.add(commit, &self.entries);
        Ok(())
    }
}
