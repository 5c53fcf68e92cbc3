//! `.mailmap`: the names and e-mail addresses to print for the people of old commits (gitmailmap).
//!
//! Only the file at the root of the working tree counts. git reads other files if the configuration
//! names them, but a sandbox has no such configuration.
//!
//! gix-mailmap looks people up, but it does not read the lines: it takes `New <a@x >` for a line about `a@x`, git for one about `a@x `.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use gix::actor::SignatureRef;
use gix::bstr::{BStr, ByteSlice};
use gix::mailmap::snapshot::ResolvedSignature;
use gix::mailmap::{Entry, Snapshot};

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::words::space::TrimSpace;
use crate::git::worktree::rule_files;

/// The name of the file, at the root of the working tree.
const MAILMAP: &str = ".mailmap";

/// Size limit of the file, in bytes. No project has that many people.
const MAX_BYTES: u64 = 8 << 20;

/// git reads a line in chunks of this size. The rest of a longer line counts as another line.
const LINE_BYTES: usize = 1023;

/// The people of a `.mailmap`.
#[derive(Debug, Default)]
pub struct Mailmap {
    /// By the e-mail address in the commits, in lower case.
    addresses: Snapshot,
}

impl Mailmap {
    /// The content of the working tree's `.mailmap`. Empty if there is no such file, or a link in
    /// its place, which git does not follow.
    ///
    /// # Errors
    ///
    /// If the file is too large, or cannot be read.
    pub fn of(repo: &Repo) -> Result<Mailmap, ToolError> {
        let path = BStr::new(MAILMAP);
        let Ok(stat) = repo.stat(path) else { return Ok(Mailmap::default()) };
        if stat.size > MAX_BYTES {
            return Err(ToolError::failed(format!("File too large: {MAILMAP}"))
                .hint(format!("A {MAILMAP} can have at most {} MiB.", MAX_BYTES >> 20)));
        }
        let content = rule_files::read(repo, path, Some(stat.kind))?;
        Ok(content.map_or_else(Mailmap::default, |content| Mailmap::parse(&content)))
    }

    /// Parses `content`. Later lines override earlier ones.
    pub fn parse(content: &[u8]) -> Mailmap {
        let lower = content.to_ascii_lowercase();
        let entries = lines(content).zip(lines(&lower)).filter_map(|(line, lower)| entry(line, lower));
        Mailmap { addresses: Snapshot::new(entries) }
    }

    /// The name and e-mail address to show for `name` and `email` in a commit.
    pub fn map<'a>(&'a self, name: &'a BStr, email: &'a BStr) -> (Cow<'a, BStr>, Cow<'a, BStr>) {
        let proper = self.proper(name, email);
        let (proper_name, proper_email) = proper.map_or((None, None), |proper| (proper.name, proper.email));
        (Cow::Borrowed(proper_name.unwrap_or(name)), Cow::Borrowed(proper_email.unwrap_or(email)))
    }

    fn proper(&self, name: &BStr, email: &BStr) -> Option<ResolvedSignature<'_>> {
        // Most projects have no such file. Then nothing needs to be put in lower case.
        self.addresses.iter().next()?;
        // Where only the case of an address differs, git shows the commit's and gix the file's. In lower case they are equal.
        let email = email.to_ascii_lowercase();
        self.addresses.try_resolve_ref(SignatureRef { name, email: email.as_bstr(), time: "" })
    }
}

/// The lines of `content`, as git reads them.
fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = content.split_inclusive(|byte| *byte == b'\n').flat_map(|line| line.chunks(LINE_BYTES));
    // Nothing behind a NUL is part of the line to git.
    lines.map(|line| line.split(|byte| *byte == 0).next().unwrap_or_default())
}

/// What `line` says: `Proper Name <proper@email> Commit Name <commit@email>`. Only one of the addresses is required. `lower` is the line in
/// lower case: whom it is about.
fn entry<'a>(line: &'a [u8], lower: &'a [u8]) -> Option<Entry<'a>> {
    let (proper, _) = person(line).filter(|(proper, _)| !line.starts_with(b"#") && !proper.email.is_empty())?;
    let (first, rest) = person(lower)?;
    let Some((commit, _)) = person(rest) else {
        return proper.name.map(|name| Entry::change_name_by_email(name, first.email));
    };
    Some(match (proper.name, commit.name) {
        (None, None) => Entry::change_email_by_email(proper.email, commit.email),
        (None, Some(of)) => Entry::change_email_by_name_and_email(proper.email, of, commit.email),
        (Some(name), None) => Entry::change_name_and_email_by_email(name, proper.email, commit.email),
        (Some(name), Some(of)) => Entry::change_name_and_email_by_name_and_email(name, proper.email, of, commit.email),
    })
}

/// `Name <email>`, where the name may be empty.
struct Person<'a> {
    name: Option<&'a BStr>,
    email: &'a BStr,
}

/// The person at the beginning of `text`, and the rest.
fn person(text: &[u8]) -> Option<(Person<'_>, &[u8])> {
    let open = text.find_byte(b'<')?;
    let close = open + text[open..].find_byte(b'>')?;
    let name = text[..open].trim_space().as_bstr();
    let email = text[open + 1..close].as_bstr();
    Some((Person { name: Some(name).filter(|name| !name.is_empty()), email }, &text[close + 1..]))
}
