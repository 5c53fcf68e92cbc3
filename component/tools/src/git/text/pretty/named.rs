//! Prints git's named formats.

use gix::ObjectId;
use gix::bstr::BStr;

use super::arguments::Marks;
use super::layout::Layout;
use super::subject;
use super::text::Text;
use super::{Printer, body, email};
use crate::error::ToolError;
use crate::git::history::graph::{Commit, Ident};
use crate::git::words::space::TrimSpace;

impl Printer<'_> {
    /// Appends `commit` for `--oneline`.
    pub(super) fn short_line(&self, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        out.extend_from_slice(self.short(&commit.id)?.as_bytes());
        self.refs(commit, out)?;
        out.push(b' ');
        self.oneline(commit, out);
        Ok(())
    }

    /// Appends `commit` in `layout`.
    pub(super) fn named(&self, layout: Layout, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        match layout {
            Layout::Oneline => {
                append_hex(&commit.id, out);
                self.refs(commit, out)?;
                out.push(b' ');
                self.oneline(commit, out);
                return Ok(());
            }
            Layout::Email | Layout::Mboxrd => {
                return email::append(self, layout, commit, out);
            }
            _ => {
                out.extend_from_slice(b"commit ");
                append_hex(&commit.id, out);
                self.refs(commit, out)?;
                out.push(b'\n');
            }
        }
        match layout {
            Layout::Raw => out.extend_from_slice(commit.header()),
            _ => self.people(layout, commit, out)?,
        }
        out.push(b'\n');
        body::append(layout, subject::skip_blank_lines(commit.message()), out);
        body::end_line(out);
        Ok(())
    }

    /// Appends the refs of `commit`, if they are shown.
    fn refs(&self, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        if self.decorates {
            let mut text = Text::new(self.deadline);
            self.decorate(&Marks::default(), commit, &mut text)?;
            out.extend(text.split_off(0));
        }
        Ok(())
    }

    fn oneline(&self, commit: &Commit, out: &mut Vec<u8>) {
        let start = out.len();
        let (subject, _) = subject::subject(subject::skip_blank_lines(commit.message()));
        out.extend_from_slice(&subject);
        let end = out[start..].trim_space_end().len();
        out.truncate(start + end);
    }

    /// Appends the lines between the id and the message.
    fn people(&self, layout: Layout, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        if commit.parents.len() > 1 {
            out.extend_from_slice(b"Merge:");
            for parent in &commit.parents {
                out.push(b' ');
                out.extend_from_slice(self.short(parent)?.as_bytes());
            }
            out.push(b'\n');
        }
        self.who(layout, "Author", commit.author_line(), out)?;
        if matches!(layout, Layout::Full | Layout::Fuller) {
            self.who(layout, "Commit", commit.committer_line(), out)?;
        }
        Ok(())
    }

    /// Appends a person, with the date if `layout` has one. The role `Tagger` is for tags.
    pub fn who(&self, layout: Layout, role: &str, line: &BStr, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let Some(ident) = Ident::parse(line) else {
            return Ok(());
        };
        // git does not apply the mailmap to taggers.
        let (name, mail) = match role {
            "Tagger" => (ident.name.into(), ident.mail.into()),
            _ => self.mailmap.map(ident.name, ident.mail),
        };
        let indent = if layout == Layout::Fuller { ":     " } else { ": " };
        for part in [role.as_bytes(), indent.as_bytes(), &name, b" <", &mail, b">\n"] {
            out.extend_from_slice(part);
        }
        let label = match layout {
            Layout::Medium => ["", "Date:   "],
            Layout::Fuller => [role, "Date: "],
            _ => return Ok(()),
        };
        label.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
        let date = self.shown(ident.date.unwrap_or_default())?;
        out.extend_from_slice(date.as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

/// Appends `id` in full.
pub fn append_hex(id: &ObjectId, out: &mut Vec<u8>) {
    out.extend_from_slice(id.hex_to_buf(gix::hash::Kind::hex_buf().as_mut()).as_bytes());
}
