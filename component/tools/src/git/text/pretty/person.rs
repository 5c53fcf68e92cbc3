//! Expands the placeholders of people and dates: `%a…` and `%c…`.

use gix::bstr::ByteSlice;

use super::Printer;
use super::item::Role;
use crate::error::ToolError;
use crate::git::history::graph::{Commit, Ident};
use crate::git::words::dates::{self, DateForm};

impl Printer<'_> {
    /// Appends `part` of `role`. `None` if the line in the commit is invalid and git takes the placeholder as text.
    pub(super) fn person(
        &self,
        role: Role,
        part: u8,
        commit: &Commit,
        out: &mut Vec<u8>,
    ) -> Result<Option<()>, ToolError> {
        let ident = match role {
            Role::Author => commit.author(),
            Role::Committer => commit.committer(),
        };
        let is_silent = matches!(part, b'n' | b'e' | b't' | b'd' | b'D' | b'r' | b'i');
        let missing = is_silent.then_some(());
        let Some(ident) = ident else {
            return Ok(missing);
        };
        match part {
            b'n' | b'e' | b'l' | b'N' | b'E' | b'L' => {
                self.name(&ident, part, out);
                Ok(Some(()))
            }
            _ => Ok(self.date(&ident, part, out)?.or(missing)),
        }
    }

    fn name(&self, ident: &Ident<'_>, part: u8, out: &mut Vec<u8>) {
        let (name, mail) = match part.is_ascii_uppercase() {
            true => self.mailmap.map(ident.name, ident.mail),
            false => (ident.name.into(), ident.mail.into()),
        };
        match part.to_ascii_lowercase() {
            b'n' => out.extend_from_slice(&name),
            b'e' => out.extend_from_slice(&mail),
            _ => out.extend_from_slice(&mail[..mail.find_byte(b'@').unwrap_or(mail.len())]),
        }
    }

    fn date(&self, ident: &Ident<'_>, part: u8, out: &mut Vec<u8>) -> Result<Option<()>, ToolError> {
        let Some(date) = ident.date else {
            return Ok(None);
        };
        let form = match part {
            b't' => {
                out.extend_from_slice(ident.seconds);
                return Ok(Some(()));
            }
            b'D' => DateForm::Rfc2822,
            b'r' => DateForm::Relative,
            b'i' => DateForm::Iso,
            b'I' => DateForm::IsoStrict,
            b'h' => DateForm::Human,
            b's' => DateForm::Short,
            _ => {
                out.extend_from_slice(self.shown(date)?.as_bytes());
                return Ok(Some(()));
            }
        };
        out.extend_from_slice(dates::show(date, form, self.now)?.as_bytes());
        Ok(Some(()))
    }
}
