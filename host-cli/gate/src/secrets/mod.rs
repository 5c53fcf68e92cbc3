//! Finds secrets in everything about to leave: keys, tokens and passwords, by their format.
//!
//! The rules are our own table, from the formats that vendors document. No crate fits: the maintained ones need a newer compiler or a C++
//! engine, or read files themselves, and this crate does no I/O.
//!
//! One pass of an Aho-Corasick automaton over the keywords of all rules finds the rules that apply, and where. Each of these matches a
//! regular expression of bounded reach at the place, and the match must pass a check: entropy, a checksum, a header that decodes.
//! Everything takes linear time. Last come values of names such as `password`: they must look as if a generator drew them.
//!
//! Base64, hex and text in several literals become texts of their own, together no longer than the whole. The search covers them for
//! secrets of known formats. Archives are unpacked first, within a [`Room`].
//!
//! A report never repeats a secret: a [`Finding`] has the first characters and a fingerprint.
//!
//! This finds secrets left by mistake. Anyone who wants to smuggle one out can always encode it differently. The defence against that is
//! the review of the whole difference.

mod allowed;
mod assign;
mod check;
mod container;
mod encoded;
mod generic;
mod joined;
mod lines;
mod made;
mod packed;
mod path;
mod rule;
mod rules;
mod scan;

use std::{collections::HashSet, ops::Range};

pub use allowed::{Allowed, Fingerprint};
use made::{Known, Made};
pub(crate) use packed::Room;
use scan::Names;

use crate::{format::tree::Mode, push::PushLimits, reading::Reading, text};

/// The deepest nesting of archives that is opened.
const DEPTH: usize = 2;

/// A found secret, without the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it, for programs: `github-pat`.
    pub rule: &'static str,
    /// Its kind, with an article: "a GitHub personal access token".
    pub words: &'static str,
    /// The line it starts in, counted from 1.
    pub line: usize,
    /// Its first characters and `…`, escaped for a terminal.
    pub shown: String,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Its file within an archive, escaped for a terminal, and without secrets in the name.
    pub entry: Option<String>,
    /// Its place in the text.
    pub(crate) place: Range<usize>,
}

impl Finding {
    /// The finding for a file that is a secret as a whole.
    fn whole(rule: &'static str, words: &'static str, content: &[u8]) -> Self {
        Finding {
            rule,
            words,
            line: 1,
            shown: "…".to_owned(),
            fingerprint: Fingerprint::of(content),
            entry: None,
            place: 0..content.len(),
        }
    }

    /// The same finding, in the file `name` of an archive with this many bytes.
    fn within(mut self, name: Option<&[u8]>, bytes: usize) -> Self {
        let name = name.map(|name| text::path(&masked(name)));
        self.entry = match (self.entry, name) {
            (Some(inner), Some(name)) => Some(format!("{inner} in {name}")),
            (inner, name) => inner.or(name),
        };
        self.place = 0..bytes;
        self
    }
}

/// The secrets in `content`. In binary content, only secrets of known formats count, not values of names.
pub fn scan(content: &[u8]) -> Vec<Finding> {
    scan_file(b"", content)
}

/// The secrets in the file `path`, whose name may tell what its content is.
pub fn scan_file(path: &[u8], content: &[u8]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut room = Room::of(PushLimits::default().review_bytes);
    each(content, Source { path, as_text: false }, &mut room, &mut |finding| findings.push(finding));
    findings
}

/// The names of all rules but `generic`.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id).chain(container::CONTAINERS.iter().map(|container| container.id))
}

/// Facts about a content before it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The path of the file, if it is one.
    pub path: &'a [u8],
    /// Whether it counts as text, whatever git takes it for.
    pub as_text: bool,
}

impl Source<'_> {
    /// A text outside files.
    pub const TEXT: Source<'static> = Source { path: b"", as_text: true };
}

/// Calls `found` for each secret in `content`, and in the archives in it, as far as `room` lets it unpack them.
pub(crate) fn each(content: &[u8], source: Source, room: &mut Room, found: &mut dyn FnMut(Finding)) {
    within(content, source, room, DEPTH, found);
}

fn within(content: &[u8], source: Source, room: &mut Room, depth: usize, found: &mut dyn FnMut(Finding)) {
    if let Some(container) = container::of(content) {
        return found(Finding::whole(container.id, container.words, content));
    }
    if path::is_rails_key(source.path, content) {
        return found(Finding::whole("rails-master-key", "a Rails master key", content));
    }
    // An archive that is stored uncompressed also appears in the content itself.
    let mut packed = HashSet::new();
    if depth > 0 {
        packed::each(content, room, &mut |name, unpacked, room| {
            let source = Source { path: name.unwrap_or(source.path), as_text: false };
            within(unpacked, source, room, depth - 1, &mut |finding| {
                packed.insert(finding.fingerprint);
                found(finding.within(name, content.len()));
            });
        });
    }
    let found = &mut |finding: Finding| {
        if !packed.contains(&finding.fingerprint) {
            found(finding);
        }
    };
    let names = if path::is_environment(source.path) { Names::OfEnvironment } else { Names::Seen };
    let reading = Reading::of(content, Mode::File, source.as_text);
    for (text, has_names) in reading.searched(content) {
        in_text(&text, if has_names || source.as_text { names } else { Names::Unseen }, found);
    }
}

/// Calls `found` for each secret in `text` directly, then for each encoded one. Returns the number of bytes read again.
fn in_text(text: &[u8], names: Names, found: &mut dyn FnMut(Finding)) -> usize {
    let mut known = Known::default();
    let again = scan::each(text, names, &mut |finding| {
        known.add(finding.place.clone());
        found(finding);
    });
    known.sort();
    let ways: [fn(&[u8], &mut Made); 2] = [encoded::each, joined::each];
    let in_ways = ways.map(|way| {
        let mut made = Made::new(text, &known, found);
        way(text, &mut made);
        made.finish()
    });
    again + in_ways.into_iter().sum::<usize>()
}

/// `text`, a single-line name, with its secrets cut short.
pub(crate) fn masked(text: &[u8]) -> Vec<u8> {
    let mut places = Vec::new();
    in_text(text, Names::Seen, &mut |Finding { place, shown, .. }| places.push((place, shown)));
    patch::sort::sort_by_key(&mut places, |(place, _)| place.start);
    let (mut out, mut from) = (Vec::with_capacity(text.len()), 0);
    for (place, shown) in places {
        if place.start >= from {
            out.extend_from_slice(&text[from..place.start]);
            out.extend_from_slice(shown.as_bytes());
        }
        from = from.max(place.end);
    }
    out.extend_from_slice(&text[from..]);
    out
}
