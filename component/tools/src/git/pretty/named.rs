//! git's own formats.

use gix::bstr::{BStr, ByteSlice};

use super::format::Layout;
use super::subject;
use super::{Printer, body, email};
use crate::error::ToolError;
use crate::git::dates::{self, DateForm};
use crate::git::history::{Commit, Ident};
use crate::git::space::is_space;

impl Printer<'_> {
    /// `--oneline`.
    pub(super) fn short_line(&self, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        out.extend_from_slice(self.short(&commit.id)?.as_bytes());
        out.push(b' ');
        self.oneline(commit, out);
        Ok(())
    }

    /// `commit` as `layout` has it.
    pub(super) fn named(&self, layout: Layout, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        match layout {
            Layout::Oneline => {
                out.extend_from_slice(format!("{} ", commit.id).as_bytes());
                self.oneline(commit, out);
                return Ok(());
            }
            Layout::Email | Layout::Mboxrd => {
                return email::append(self, layout, commit, out);
            }
            _ => out.extend_from_slice(format!("commit {}\n", commit.id).as_bytes()),
        }
        match layout {
            Layout::Raw => out.extend_from_slice(commit.header()),
            _ => self.people(layout, commit, out)?,
        }
        out.push(b'\n');
        body::append(layout, subject::skip_blank_lines(commit.message()), out);
        end_line(out);
        Ok(())
    }

    fn oneline(&self, commit: &Commit, out: &mut Vec<u8>) {
        let start = out.len();
        let (subject, _) = subject::subject(subject::skip_blank_lines(commit.message()));
        out.extend_from_slice(&subject);
        let end = out[start..].trim_end_with(is_space).len();
        out.truncate(start + end);
    }

    /// The lines between the id and the message.
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

    /// One who, with the date where `layout` has one. `Tagger` is a tag's.
    pub fn who(&self, layout: Layout, role: &str, line: &BStr, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let Some(ident) = Ident::parse(line) else {
            return Ok(());
        };
        // Nobody looks taggers up.
        let (name, mail) = match role {
            "Tagger" => (ident.name.into(), ident.mail.into()),
            _ => self.mailmap.map(ident.name, ident.mail),
        };
        let indent = if layout == Layout::Fuller { "    " } else { "" };
        out.extend_from_slice(format!("{role}: {indent}").as_bytes());
        for part in [name.as_bytes(), b" <", mail.as_bytes(), b">\n"] {
            out.extend_from_slice(part);
        }
        let label = match layout {
            Layout::Medium => "Date:   ".to_owned(),
            Layout::Fuller => format!("{role}Date: "),
            _ => return Ok(()),
        };
        out.extend_from_slice(label.as_bytes());
        let date = dates::show(ident.date.unwrap_or_default(), DateForm::Default, self.now)?;
        out.extend_from_slice(date.as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

/// Takes white space off the end, and ends the line.
pub fn end_line(out: &mut Vec<u8>) {
    out.truncate(out.trim_end_with(is_space).len());
    out.push(b'\n');
}
