//! `.mailmap`: the names and e-mail addresses to print for the people of old commits (gitmailmap).
//!
//! Only the file at the root of the working tree counts. git reads other files if the configuration
//! names them, but a sandbox has no such configuration.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};

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
    addresses: BTreeMap<BString, Address>,
}

/// The replacements for the people with one address.
#[derive(Debug, Default)]
struct Address {
    /// For everybody with this address.
    anybody: Proper,
    /// For people with this name, in lower case.
    named: BTreeMap<BString, Proper>,
}

/// A replacement. `None` keeps the commit's own value.
#[derive(Debug, Default)]
struct Proper {
    name: Option<BString>,
    email: Option<BString>,
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
        let mut mailmap = Mailmap::default();
        for line in content.split_inclusive(|byte| *byte == b'\n').flat_map(|line| line.chunks(LINE_BYTES)) {
            // git ends the line at a NUL.
            let line = line.split(|byte| *byte == 0).next().unwrap_or_default();
            if !line.starts_with(b"#") {
                mailmap.add(line);
            }
        }
        mailmap
    }

    /// Adds `Proper Name <proper@email> Commit Name <commit@email>`. Only one address is required.
    fn add(&mut self, line: &[u8]) {
        let Some((first, rest)) = person(line).filter(|(first, _)| !first.email.is_empty()) else { return };
        let (proper, commit) = match person(rest) {
            Some((second, _)) => (Proper { name: first.name(), email: Some(first.email.into()) }, second),
            None => (Proper { name: first.name(), email: None }, Person { name: b"", email: first.email }),
        };
        let address = self.addresses.entry(commit.email.to_ascii_lowercase().into()).or_default();
        if !commit.name.is_empty() {
            address.named.insert(commit.name.to_ascii_lowercase().into(), proper);
            return;
        }
        let anybody = &mut address.anybody;
        anybody.name = proper.name.or(anybody.name.take());
        anybody.email = proper.email.or(anybody.email.take());
    }

    /// The name and e-mail address to show for `name` and `email` in a commit.
    pub fn map<'a>(&'a self, name: &'a BStr, email: &'a BStr) -> (Cow<'a, BStr>, Cow<'a, BStr>) {
        let proper = self.proper(name, email);
        let shown = |proper: Option<&'a BString>, own: &'a BStr| Cow::Borrowed(proper.map_or(own, |it| it.as_bstr()));
        (shown(proper.and_then(|it| it.name.as_ref()), name), shown(proper.and_then(|it| it.email.as_ref()), email))
    }

    fn proper(&self, name: &BStr, email: &BStr) -> Option<&Proper> {
        // Most projects have no such file. Then nothing needs to be put in lower case.
        if self.addresses.is_empty() {
            return None;
        }
        let address = self.addresses.get(email.to_ascii_lowercase().as_bstr())?;
        let named = match address.named.is_empty() {
            true => None,
            false => address.named.get(name.to_ascii_lowercase().as_bstr()),
        };
        Some(named.unwrap_or(&address.anybody))
    }
}

/// `Name <email>`, where the name may be empty.
struct Person<'a> {
    name: &'a [u8],
    email: &'a [u8],
}

impl Person<'_> {
    fn name(&self) -> Option<BString> {
        (!self.name.is_empty()).then(|| self.name.into())
    }
}

/// The person at the beginning of `text`, and the rest.
fn person(text: &[u8]) -> Option<(Person<'_>, &[u8])> {
    let open = text.find_byte(b'<')?;
    let close = open + text[open..].find_byte(b'>')?;
    let name = text[..open].trim_space();
    Some((Person { name, email: &text[open + 1..close] }, &text[close + 1..]))
}
