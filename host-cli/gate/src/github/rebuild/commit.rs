//! Commits.

use std::borrow::Cow;

use gix_object::Kind;

use super::{Trials, Zones, inexact, zone};
use crate::github::{
    Fault,
    answer::{Commit, Person},
    date, fault,
};

/// How the text of a commit became bytes.
#[derive(Clone, Copy)]
enum Charset {
    /// UTF-8, without a header.
    Utf8,
    /// ISO 8859-1, with a header of this name or, for tools that forgot it, none.
    Latin1(&'static str),
}

const CHARSETS: [Charset; 5] = [
    Charset::Utf8,
    Charset::Latin1("ISO-8859-1"),
    Charset::Latin1("iso-8859-1"),
    Charset::Latin1("latin1"),
    Charset::Latin1(""),
];

/// The bytes of the commit that the server tells of.
pub(in crate::github) fn commit(told: &Commit, zones: &mut Zones) -> Result<Vec<u8>, Fault> {
    let id = told.sha.0;
    let mut trials = Trials::new();
    if let Some(found) = from_payload(told, &mut trials) {
        return Ok(found);
    }
    let author = date::of_iso(&told.author.date).ok_or_else(|| fault::malformed("a commit has no date"))?;
    let committer = date::of_iso(&told.committer.date).ok_or_else(|| fault::malformed("a commit has no date"))?;
    let signatures: Vec<String> = match told.verification.signature.as_deref() {
        Some(signature) if !signature.is_empty() => signed(signature).map(|lines| format!("gpgsig {lines}")).into(),
        _ => vec![String::new()],
    };
    let mut stated = zones.clone();
    // A server that tells the zone is believed first.
    stated.found([author.1, committer.1].map(|minutes| i32::try_from(minutes).unwrap_or_default()));
    let all = if author.1 == 0 && committer.1 == 0 { zones.all() } else { stated.all() };

    let bytes = told.message.len() + 512;
    let mut attempt = |charset, signature: &str, end, pair: [i32; 2]| {
        let draft = Draft { told, seconds: [author.0, committer.0], charset, signature, end };
        trials.of(id, Kind::Commit, bytes + signature.len(), || draft.written(pair))
    };
    // Nearly all commits have one zone, and no oddity.
    for charset in CHARSETS {
        for signature in &signatures {
            for end in ["\n", "", "\n\n", "\n\n\n"] {
                for zone in &all {
                    if let Some(found) = attempt(charset, signature, end, [*zone; 2]) {
                        zones.found([*zone; 2]);
                        return Ok(found);
                    }
                }
            }
        }
    }
    for signature in &signatures {
        for end in ["\n", ""] {
            for author in &all {
                for committer in &all {
                    if let Some(found) = attempt(Charset::Utf8, signature, end, [*author, *committer]) {
                        zones.found([*author, *committer]);
                        return Ok(found);
                    }
                }
            }
        }
    }
    Err(inexact(id, Kind::Commit))
}

/// A signed commit: the payload is the commit without its signature.
fn from_payload(told: &Commit, trials: &mut Trials) -> Option<Vec<u8>> {
    let payload = told.verification.payload.as_deref()?;
    let signature = told.verification.signature.as_deref()?;
    for payload in [Cow::Borrowed(payload), Cow::Owned(format!("{payload}\n"))] {
        let headers = payload.find("\n\n").map_or(payload.len(), |blank| blank + 1);
        let (before, after) = payload.split_at(headers);
        for lines in signed(signature) {
            let write = || Some(format!("{before}gpgsig {lines}{after}").into_bytes());
            let found = trials.of(told.sha.0, Kind::Commit, payload.len() + lines.len(), write);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// A signature as the lines of a header, with the ends that signers leave.
fn signed(signature: &str) -> [String; 3] {
    let trimmed = signature.trim_end_matches('\n');
    [format!("{trimmed}\n"), format!("{trimmed}\n\n"), format!("{signature}\n")].map(|signature| {
        let whole = signature.strip_suffix('\n').expect("it was just added");
        format!("{}\n", whole.replace('\n', "\n "))
    })
}

/// One way in which the commit may have been written.
struct Draft<'a> {
    told: &'a Commit,
    /// Of the author and the committer.
    seconds: [i64; 2],
    charset: Charset,
    signature: &'a str,
    /// What the server has taken off the message.
    end: &'a str,
}

impl Draft<'_> {
    fn written(&self, zones: [i32; 2]) -> Option<Vec<u8>> {
        use std::fmt::Write;
        let mut text = String::with_capacity(512 + self.told.message.len());
        let line = |text: &mut String, word: &str, value: &dyn std::fmt::Display| {
            writeln!(text, "{word} {value}").expect("writing to a string does not fail");
        };
        line(&mut text, "tree", &self.told.tree.sha.0);
        for parent in &self.told.parents {
            line(&mut text, "parent", &parent.sha.0);
        }
        let people = [("author", &self.told.author), ("committer", &self.told.committer)];
        for ((word, person), (seconds, zone)) in people.into_iter().zip(self.seconds.into_iter().zip(zones)) {
            line(&mut text, word, &identity(person, seconds, zone));
        }
        if let Charset::Latin1(name) = self.charset
            && !name.is_empty()
        {
            line(&mut text, "encoding", &name);
        }
        text.push_str(self.signature);
        text.push('\n');
        text.push_str(&self.told.message);
        text.push_str(self.end);
        match self.charset {
            Charset::Utf8 => Some(text.into_bytes()),
            Charset::Latin1(_) => text.chars().map(|char| u8::try_from(u32::from(char)).ok()).collect(),
        }
    }
}

/// `Name <email> seconds zone`.
pub(super) fn identity(person: &Person, seconds: i64, zone: i32) -> String {
    let name = person.name.as_deref().unwrap_or_default();
    let email = person.email.as_deref().unwrap_or_default();
    format!("{name} <{email}> {seconds} {}", zone::written(zone))
}
