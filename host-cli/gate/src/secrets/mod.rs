//! Secrets in what is about to leave: keys, tokens and passwords, by their form.
//!
//! The rules are a table of our own, from the formats that vendors document. No crate fits: those that are kept
//! up need a newer compiler or a C++ engine, or read the files themselves, and this crate does no I/O.
//!
//! One pass of an Aho-Corasick automaton over the keywords of all rules says which rules have something to look
//! for and where. Each of these then holds a regular expression of bounded reach against the place, and what it
//! finds has to pass a check: entropy, a checksum, a header that decodes. Nothing takes more than linear time.
//! Last come assignments to names such as `password`, whose value has to look as if a machine had drawn it.
//!
//! What is found is never repeated: a [`Finding`] has the first characters and a fingerprint.
//!
//! It finds what was left lying by mistake. Whoever wants to smuggle a secret out can always write it in another
//! way; against that stands the review of the whole difference.

mod allowed;
mod assign;
mod check;
mod container;
mod generic;
mod rule;
mod rules;
mod scan;

use std::ops::Range;

pub use allowed::{Allowed, Fingerprint};
use container::Container;

use crate::{format::tree::Mode, reading::Reading};

/// A secret that was found, without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it, for programs: `github-pat`.
    pub rule: &'static str,
    /// What it is, with its article: "a GitHub personal access token".
    pub words: &'static str,
    /// The line it starts in, counted from 1.
    pub line: usize,
    /// Its first characters and `…`, escaped for a terminal.
    pub shown: String,
    /// Which secret it is.
    pub fingerprint: Fingerprint,
    /// Where it stands in the text.
    pub(crate) place: Range<usize>,
}

impl Finding {
    /// A file that is a secret as a whole.
    fn whole(container: &Container, content: &[u8]) -> Self {
        Finding {
            rule: container.id,
            words: container.words,
            line: 1,
            shown: "…".to_owned(),
            fingerprint: Fingerprint::of(content),
            place: 0..content.len(),
        }
    }
}

/// The secrets in `content`. In binary content only those are looked for that are known by themselves, and not by
/// what they are assigned to.
pub fn scan(content: &[u8]) -> Vec<Finding> {
    let mut findings = Vec::new();
    each(content, false, &mut |finding| findings.push(finding));
    findings
}

/// The names of all rules but `generic`.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id).chain(container::CONTAINERS.iter().map(|container| container.id))
}

/// Calls `found` for each secret in `content`, which counts as text if `as_text` says so, whatever git takes it for.
pub(crate) fn each(content: &[u8], as_text: bool, found: &mut dyn FnMut(Finding)) {
    if let Some(container) = container::of(content) {
        return found(Finding::whole(container, content));
    }
    let reading = Reading::of(content, Mode::File, as_text);
    for (text, names) in reading.searched(content) {
        scan::each(&text, names || as_text, found);
    }
}

/// `text`, a name of one line, with its secrets cut short.
pub(crate) fn masked(text: &[u8]) -> Vec<u8> {
    let (mut out, mut from) = (Vec::with_capacity(text.len()), 0);
    scan::each(text, true, &mut |Finding { place, shown, .. }| {
        if place.start >= from {
            out.extend_from_slice(&text[from..place.start]);
            out.extend_from_slice(shown.as_bytes());
        }
        from = from.max(place.end);
    });
    out.extend_from_slice(&text[from..]);
    out
}
