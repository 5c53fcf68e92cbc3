//! What a log prints of each commit, and the graph beside it.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use serde_json::{Value, json};

use super::super::comparing::changes;
use super::super::objects::EMPTY_TREE;
use super::super::options::Given;
use super::super::written::{has_changes, has_patch};
use super::super::{Ended, Failed, Line, fatal};
use super::graph::Graph;
use crate::git::history::graph::History;
use crate::git::text::pretty::{Format, Origin, Printer};

/// Bytes of a log with its changes.
const MOST: usize = 64 << 20;

/// The text of a log as far as it has come.
pub struct Page<'a> {
    given: &'a Given,
    history: &'a History<'a>,
    printer: &'a Printer<'a>,
    format: &'a Format,
    shows_notes: bool,
    graph: Option<Graph>,
    /// Whether a patch is shown without being asked for.
    always: bool,
    has_shown: bool,
    /// Whether the last message has no line feed at its end.
    lacks_end: bool,
}

impl<'a> Page<'a> {
    pub fn new(
        given: &'a Given,
        history: &'a History<'a>,
        printer: &'a Printer<'a>,
        format: &'a Format,
        shows_notes: bool,
    ) -> Page<'a> {
        let graph = given.has("--graph").then(Graph::default);
        Page { given, history, printer, format, shows_notes, graph, always: false, has_shown: false, lacks_end: false }
    }

    /// Shows a patch of each commit, if nothing else is asked for.
    pub fn always(self) -> Page<'a> {
        Page { always: true, ..self }
    }

    /// Adds a commit with those of its parents that are shown, and its changes at the paths.
    pub fn add(
        &mut self,
        line: &mut Line<'_, '_>,
        id: ObjectId,
        parents: Vec<ObjectId>,
        paths: &Value,
        source: &str,
        is_left: bool,
    ) -> Ended {
        let commit = self.history.commit(id)?;
        let mut text = Vec::new();
        self.printer.entry(self.format, &commit, Origin { source, is_left }, &mut text)?;
        if self.shows_notes && !self.format.has_notes() {
            self.printer.notes(&commit, &mut text)?;
        }
        if let Some(graph) = &mut self.graph {
            graph.update(id, parents);
        }
        self.message(&text, &mut line.out);
        let is_shown = commit.parents.len() < 2 || self.given.has("--first-parent");
        let is_asked = has_changes(self.given) || self.always;
        if !is_asked || self.given.has("--no-patch") || !is_shown {
            return Ok(());
        }
        let changes = self.changes(line, commit.parents.first().copied(), id, paths)?;
        if line.out.len() + changes.len() > MOST {
            return fatal("the log has more than 64 MiB\nhint: show fewer commits (-n, --since) or paths");
        }
        if changes.is_empty() {
            return Ok(());
        }
        if !self.format.is_oneline() && !self.format.is_empty() {
            self.pad(&mut line.out);
            if self.given.has("--stat") && has_patch(self.given) {
                line.out.extend_from_slice(b"---");
            }
            line.out.push(b'\n');
        }
        for one in changes.lines_with_terminator() {
            self.pad(&mut line.out);
            line.out.extend_from_slice(one);
        }
        Ok(())
    }

    fn pad(&mut self, out: &mut Vec<u8>) {
        if let Some(graph) = &mut self.graph {
            out.extend_from_slice(graph.padding().as_bytes());
        }
    }

    fn message(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let ends = self.format.ends();
        if self.has_shown && !ends {
            if !self.lacks_end {
                self.pad(out);
            }
            out.push(b'\n');
        }
        self.has_shown = true;
        self.lacks_end = !text.ends_with(b"\n");
        match &mut self.graph {
            None => out.extend_from_slice(text),
            Some(graph) => {
                out.extend_from_slice(graph.up_to_commit().as_bytes());
                for (at, one) in text.lines_with_terminator().enumerate() {
                    if at > 0 {
                        out.extend_from_slice(graph.line().as_bytes());
                    }
                    out.extend_from_slice(one);
                }
                if !graph.is_finished() {
                    if self.lacks_end {
                        out.push(b'\n');
                    }
                    out.extend_from_slice(graph.remainder().as_bytes());
                    if !self.lacks_end {
                        out.push(b'\n');
                    }
                }
            }
        }
        if ends && !self.format.is_empty() {
            if !self.lacks_end {
                self.pad(out);
            }
            out.push(b'\n');
        }
    }

    /// The changes of a commit against its first parent, in the forms that were asked for.
    fn changes(
        &self,
        line: &mut Line<'_, '_>,
        parent: Option<ObjectId>,
        id: ObjectId,
        paths: &Value,
    ) -> Result<Vec<u8>, Failed> {
        let before = parent.map_or_else(|| EMPTY_TREE.to_owned(), |parent| parent.to_string());
        let mut asked = json!({ "from_ref": before, "to_ref": id.to_string(), "paths": paths });
        let given = self.given;
        let mut text = Vec::new();
        if given.has("--name-only") {
            asked["name_only"] = true.into();
            return Ok(line.tool("git_diff", asked)?.text);
        }
        if ["--name-status", "--numstat", "--shortstat"].iter().any(|name| given.has(name)) {
            let files = line.structured("git_diff", asked.clone())?;
            let at = line.out.len();
            changes(line, given, &files);
            text = line.out.split_off(at);
        }
        if given.has("--stat") {
            let mut stat = asked.clone();
            stat["stat"] = true.into();
            text.extend(line.tool("git_diff", stat)?.text);
        }
        if has_patch(given) || !has_changes(given) {
            if !text.is_empty() {
                text.push(b'\n');
            }
            if let Some(unified) = given.number("-U")? {
                asked["unified"] = unified.into();
            }
            text.extend(line.tool("git_diff", asked)?.text);
        }
        Ok(text)
    }
}
