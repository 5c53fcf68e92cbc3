//! A commit put into a format's placeholders.

use super::arguments::Marks;
use super::item::{Item, Kind, Magic, Object};
use super::pad::Pad;
use super::subject;
use super::wrap::Wrap;
use super::{Printer, Subject};
use crate::error::ToolError;
use crate::git::decorations;
use crate::git::history::Commit;
use crate::git::notes;

/// The most bytes that one commit may become: what no honest format comes near.
const LARGEST: usize = 64 << 20;

/// How far the text of a commit has come.
#[derive(Default)]
struct State {
    /// How the text from `wrapped` on is to be wrapped.
    wrap: Wrap,
    wrapped: usize,
    /// How the next placeholder is to be brought to a width.
    pad: Option<Pad>,
}

impl Printer<'_> {
    /// Appends a commit in the format of `items`.
    pub(super) fn user(&self, items: &[Item], of: &Subject<'_>, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let mut text = Vec::new();
        let mut state = State::default();
        let mut rest = items;
        while let Some((item, after)) = rest.split_first() {
            self.deadline.poll()?;
            rest = after;
            let before = text.len();
            match (state.pad.take(), &item.kind) {
                (None, _) => self.item(item, of, &mut state, &mut text)?,
                // Plain text is no placeholder: what waits for one goes on waiting.
                (pad, Kind::Text(plain)) => {
                    text.extend_from_slice(plain);
                    state.pad = pad;
                }
                (Some(pad), _) => rest = self.padded(pad, item, after, of, &mut state, &mut text)?,
            }
            apply(item.magic, before, &mut text);
            if text.len() > LARGEST {
                return Err(ToolError::failed(format!("format makes more than {LARGEST} bytes of one commit"))
                    .hint("Ask for less padding."));
            }
        }
        wrap(&mut text, &mut state, Wrap::default());
        out.extend_from_slice(&text);
        Ok(())
    }

    /// Appends `item`, brought to a width; a colour together with the placeholder behind it. Gives what is left of the items.
    fn padded<'i>(
        &self,
        pad: Pad,
        item: &Item,
        after: &'i [Item],
        of: &Subject<'_>,
        state: &mut State,
        text: &mut Vec<u8>,
    ) -> Result<&'i [Item], ToolError> {
        let mut local = Vec::new();
        let mut rest = after;
        self.item(item, of, state, &mut local)?;
        while let Some((next, after)) = rest.split_first().filter(|(next, _)| next.follows) {
            self.item(next, of, state, &mut local)?;
            rest = after;
        }
        // A width for the placeholder that sets a width is used up by it.
        state.pad = None;
        pad.append(&local, text);
        Ok(rest)
    }

    /// Appends what `item` is of a commit.
    fn item(&self, item: &Item, of: &Subject<'_>, state: &mut State, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let commit = of.commit;
        match &item.kind {
            Kind::Text(bytes) | Kind::Bytes(bytes) | Kind::Colour(bytes) => out.extend_from_slice(bytes),
            Kind::Nothing | Kind::Reflog => {}
            Kind::Id(object, short) => self.ids(*object, *short, commit, out)?,
            Kind::Mark => out.push(if of.origin.is_left { b'<' } else { b'>' }),
            Kind::Decorate(marks) => self.decorate(marks, commit, out)?,
            Kind::Source => out.extend_from_slice(of.origin.source.as_bytes()),
            Kind::Note => {
                if let Some(note) = self.note(&commit.id)? {
                    notes::append(&note, "", out);
                }
            }
            Kind::Signature(part) => signature(*part, commit, out),
            Kind::Person(role, part) => {
                if self.person(*role, *part, commit, out)?.is_none() {
                    let role = if *role == super::item::Role::Author { b'a' } else { b'c' };
                    out.extend_from_slice(&[b'%', role, *part]);
                }
            }
            Kind::Encoding => out.extend_from_slice(commit.encoding.as_deref().unwrap_or_default()),
            Kind::Message => out.extend_from_slice(commit.message()),
            Kind::Subject => out.extend_from_slice(&subject::subject(message(commit)).0),
            Kind::FileName => out.extend_from_slice(&subject::file_name(message(commit))),
            Kind::Body => out.extend_from_slice(subject::body(message(commit))),
            Kind::Trailers(options) => options.append(message(commit), out),
            Kind::Describe(options) => self.describe(options, commit, out)?,
            Kind::Wrap([width, first, others]) => {
                let next = Wrap { width: *width, first: *first, others: *others };
                wrap(out, state, next);
            }
            Kind::Pad(pad) => state.pad = Some(*pad),
        }
        Ok(())
    }

    fn ids(&self, object: Object, short: bool, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let ids = match object {
            Object::Commit => std::slice::from_ref(&commit.id),
            Object::Tree => std::slice::from_ref(&commit.tree),
            Object::Parents => &commit.parents,
        };
        for (at, id) in ids.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            let id = if short { self.short(id)? } else { id.to_string() };
            out.extend_from_slice(id.as_bytes());
        }
        Ok(())
    }

    fn decorate(&self, marks: &Marks, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let names: Vec<&decorations::Name> = self.decorations()?.on(&commit.id).collect();
        let current = names.iter().find(|name| name.kind == decorations::Kind::Current);
        let has_head = names.iter().any(|name| name.kind == decorations::Kind::Head);
        let mut before = &marks.prefix;
        for name in &names {
            // The branch that HEAD is on stands with HEAD.
            if name.kind == decorations::Kind::Current && has_head {
                continue;
            }
            out.extend_from_slice(before);
            before = &marks.separator;
            if name.kind == decorations::Kind::Tag {
                out.extend_from_slice(&marks.tag);
            }
            out.extend_from_slice(&name.short);
            if let Some(current) = current.filter(|_| name.kind == decorations::Kind::Head) {
                out.extend_from_slice(&marks.pointer);
                out.extend_from_slice(&current.short);
            }
        }
        if !names.is_empty() {
            out.extend_from_slice(&marks.suffix);
        }
        Ok(())
    }
}

/// The message without blank lines before it.
fn message(commit: &Commit) -> &[u8] {
    subject::skip_blank_lines(commit.message())
}

/// Nobody can check a signature here: there are no keys. A commit that is signed says so.
fn signature(part: u8, commit: &Commit, out: &mut Vec<u8>) {
    let is_signed = commit.header().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"gpgsig "));
    match part {
        b'?' => out.push(if is_signed { b'E' } else { b'N' }),
        b'T' => out.extend_from_slice(b"undefined"),
        _ => {}
    }
}

/// Wraps what has come since the last wrap, and notes how to go on.
fn wrap(text: &mut Vec<u8>, state: &mut State, next: Wrap) {
    if state.wrap == next {
        return;
    }
    if state.wrapped < text.len() {
        let wrapped = state.wrap.apply(&text[state.wrapped..]);
        text.truncate(state.wrapped);
        text.extend_from_slice(&wrapped);
    }
    state.wrapped = text.len();
    state.wrap = next;
}

/// What the sign behind the `%` does to what the placeholder made of the text from `before` on.
fn apply(magic: Magic, before: usize, text: &mut Vec<u8>) {
    let is_empty = text.len() == before;
    match (magic, is_empty) {
        (Magic::NoLinesBefore, true) => {
            let end = text.iter().rposition(|byte| *byte != b'\n').map_or(0, |at| at + 1);
            text.truncate(end);
        }
        (Magic::LineBefore, false) => text.insert(before, b'\n'),
        (Magic::SpaceBefore, false) => text.insert(before, b' '),
        _ => {}
    }
}
