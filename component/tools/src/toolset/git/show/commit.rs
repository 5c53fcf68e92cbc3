//! Shows commits with their changes.

use gix::ObjectId;
use gix::hashtable::HashSet;

use super::merge::Joint;
use super::object::Tip;
use super::report::Report;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{Commit, History, Limits, Walk};
use crate::git::text::log_entries::Entries;
use crate::git::text::patch_text::file::File;
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::{Queue, between, rename_warning};
use crate::git::text::patch_text::writer::Writer;
use crate::git::text::pretty::{Format, Origin, Printer};
use crate::git::worktree::content::Contents;

/// Shows commits.
pub struct Commits<'a> {
    pub history: &'a History<'a>,
    pub printer: &'a Printer<'a>,
    pub contents: &'a Contents<'a>,
    pub form: Form,
    pub format: &'a Format,
    /// Whether to print notes after the message.
    pub shows_notes: bool,
    pub deadline: &'a Deadline,
    /// The rename limit that would have sufficed, if a diff exceeded its limit.
    pub needed_limit: Option<usize>,
}

impl Commits<'_> {
    /// Shows every commit reachable from `tips` and not in `hidden`.
    pub fn walk(
        &mut self,
        tips: Vec<Tip>,
        hidden: HashSet<ObjectId>,
        entries: &mut Entries,
        report: &mut Report,
    ) -> Result<(), ToolError> {
        let ids = tips.iter().map(|tip| tip.id);
        let mut walk = Walk::new(self.history, ids, hidden, None, Limits::default(), self.deadline)?;
        while !entries.is_full() {
            let Some(node) = walk.next()? else { break };
            let position = walk.tip_of(&node.id).expect("the walk has come to it from a tip");
            self.one(node.id, tips[position].origin(), entries, report)?;
        }
        Ok(())
    }

    /// Shows the commit `id`, reached from `origin`.
    pub fn one(
        &mut self,
        id: ObjectId,
        origin: Origin<'_>,
        entries: &mut Entries,
        report: &mut Report,
    ) -> Result<(), ToolError> {
        let commit = self.history.commit(id)?;
        let mut text = Vec::new();
        self.printer.entry(self.format, &commit, origin, &mut text)?;
        if self.shows_notes && !self.format.has_notes() {
            self.printer.notes(&commit, &mut text)?;
        }
        entries.add(self.format, &text);
        let mut writer = Writer::new(self.contents, self.form, entries.max_bytes(), self.deadline)?;
        let files = match commit.parents.as_slice() {
            [] | [_] => self.changes(&commit, entries, &mut writer)?,
            _ => self.merge(&commit, entries, &mut writer)?,
        };
        let start = entries.len();
        let (text, ends) = writer.into_parts();
        entries.append(&text);
        report.commit(&commit, files, ends.into_iter().map(|(path, end)| (path, start + end)));
        Ok(())
    }

    /// The changes against the only parent, or against the empty tree.
    fn changes(
        &mut self,
        commit: &Commit,
        entries: &mut Entries,
        writer: &mut Writer<'_>,
    ) -> Result<Vec<File>, ToolError> {
        let before = match commit.parents.first() {
            Some(parent) => self.history.node(*parent)?.tree,
            None => ObjectId::empty_tree(commit.id.kind()),
        };
        let queue = self.queue(before, commit.tree)?;
        if !queue.changes.is_empty() && !self.format.is_oneline() && !self.format.is_empty() {
            entries.append(b"\n");
        }
        writer.queue(&queue)
    }

    /// The combined changes of a merge against all parents.
    fn merge(
        &mut self,
        commit: &Commit,
        entries: &mut Entries,
        writer: &mut Writer<'_>,
    ) -> Result<Vec<File>, ToolError> {
        if !self.format.is_empty() {
            entries.append(b"\n");
        }
        let is_stat = matches!(self.form, Form::Stat(_));
        let [first, others @ ..] = commit.parents.as_slice() else { return Ok(Vec::new()) };
        let first = self.parent(*first, commit)?;
        if is_stat {
            // For the other parents a summary needs only the rename limit.
            for parent in others {
                self.parent(*parent, commit)?;
            }
            return writer.queue(&first);
        }
        let mut joint = Joint::new(first, commit.parents.len());
        for parent in others {
            joint.meet(self.parent(*parent, commit)?);
        }
        joint.append(self.contents, self.form, writer, self.deadline)
    }

    /// The changes of `commit` against one of its parents.
    fn parent(&mut self, parent: ObjectId, commit: &Commit) -> Result<Queue, ToolError> {
        let before = self.history.node(parent)?.tree;
        self.queue(before, commit.tree)
    }

    /// The changes between two trees. Moves the rename limit to `needed_limit`, because git warns once at the end.
    fn queue(&mut self, before: ObjectId, after: ObjectId) -> Result<Queue, ToolError> {
        let mut queue = between(self.contents, before, after, self.deadline)?;
        self.needed_limit = self.needed_limit.max(queue.needed_limit.take());
        Ok(queue)
    }

    /// The error stream section of the text: earlier `warnings`, then the rename limit's.
    pub fn warning(&self, warnings: &str) -> String {
        let limit = self.needed_limit.map_or_else(String::new, rename_warning);
        match warnings.len() + limit.len() {
            0 => String::new(),
            _ => format!("\n\n[stderr]\n{warnings}{limit}"),
        }
    }
}
