//! Prints one change.

use std::cell::RefCell;

use gix::ObjectId;
use patch::stat::FileStat;
use patch::{DiffAttribute, LineCounts};

use super::form::Form;
use super::sides::Sides;
use super::unmerged::Unmerged;
use crate::error::ToolError;
use crate::git::text::patch_text::writer::{Rendered, Writer};
use crate::git::worktree::attributes::DiffKind;
use crate::git::worktree::changes::Change;

impl Writer<'_> {
    /// Appends the patch of `change` to `out`, if the form has patches.
    pub fn render(&self, change: &Change, out: &mut Vec<u8>) -> Result<Rendered, ToolError> {
        let sides = Sides::load(
            self.contents,
            change,
            matches!(self.form, Form::Stat(_) | Form::StatAndSummary | Form::Summary),
        )?;
        let printed = sides.pair(change);
        self.with_options(|options| {
            let attribute = match sides.kind {
                DiffKind::Binary => DiffAttribute::Unset,
                _ => DiffAttribute::Unspecified,
            };
            let text = sides.kind == DiffKind::Text;
            let options = patch::Options { text, attribute, driver: sides.driver, ..options };
            let mut counts = LineCounts::default();
            let mut hunks = Vec::new();
            if self.form.context().is_some() || options.text {
                let length = out.len();
                counts = patch::unified_in_hunks(&printed, &options, out, &mut hunks).map_err(|_| self.timeout(out))?;
                if self.form.context().is_none() {
                    out.truncate(length);
                }
                if self.form.context().is_none() || printed.is_type_change() {
                    hunks.clear();
                }
            }
            // The counts of the patch serve for the summary, except for a change of type and for a file that only looks binary.
            let is_counted = matches!(self.form, Form::Patch(_)) && !printed.is_type_change();
            if !options.text && !is_counted {
                counts = patch::count(&printed, &options).map_err(|_| self.timeout(out))?;
            }
            Ok(Rendered { counts, stat: FileStat::new(&sides.in_summary(change), counts), hunks })
        })
    }

    /// Appends the combined diff of `change`.
    pub(super) fn combined(&self, change: &Change, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let unmerged = Unmerged::load(self.contents, change)?;
        self.with_options(|options| {
            let options = patch::Options { attribute: unmerged.attribute, ..options };
            unmerged.print(&options, out).map_err(|_| self.timeout(out))
        })
    }

    /// Calls `print` with the options shared by all paths.
    pub fn with_options<T>(
        &self,
        print: impl FnOnce(patch::Options<'_>) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let poll = || self.deadline.flow(1024);
        let failure = RefCell::new(None);
        let length_of = |id: &ObjectId| {
            self.abbrev.length_of(id).unwrap_or_else(|error| {
                failure.borrow_mut().get_or_insert(error);
                id.kind().len_in_hex()
            })
        };
        let printed = print(patch::Options {
            context: self.form.context().unwrap_or(Form::CONTEXT),
            abbrev: patch::Abbrev::Unique(&length_of),
            deadline: patch::Deadline::new(&poll),
            ..Default::default()
        })?;
        match failure.into_inner() {
            Some(failure) => Err(failure),
            None => Ok(printed),
        }
    }
}
