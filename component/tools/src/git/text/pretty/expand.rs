//! Expands the placeholders of a format for a commit.

use super::arguments::Marks;
use super::item::{Item, Kind, Magic, Object};
use super::pad::{Cut, Pad};
use super::subject;
use super::text::Text;
use super::wrap::Wrap;
use super::{Printer, Subject};
use crate::error::ToolError;
use crate::git::history::decorations;
use crate::git::history::graph::Commit;
use crate::git::text::notes;

/// The state of expanding a format.
#[derive(Default)]
struct State {
    /// How to wrap the text from `wrapped` on.
    wrap: Wrap,
    wrapped: usize,
    /// The padding for the next placeholder.
    pad: Option<Pad>,
    /// How to cut text that is too wide, from the last padding that specified it.
    cut: Cut,
}

impl Printer<'_> {
    /// Appends a commit in the format `items`.
    pub(super) fn user(&self, items: &[Item], of: &Subject<'_>, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let mut text = Text::new(self.deadline);
        let mut state = State::default();
        let mut rest = items;
        while let Some((item, after)) = rest.split_first() {
            rest = after;
            let before = text.len();
            match (state.pad.take(), &item.kind) {
                (None, _) => self.item(item, of, &mut state, &mut text)?,
                // Plain text is not a placeholder, so the padding stays pending.
                (pad, Kind::Text(plain)) => {
                    text.add(plain)?;
                    state.pad = pad;
                }
                (Some(pad), _) => rest = self.padded(pad, item, after, of, &mut state, &mut text)?,
            }
            apply(item.magic, before, &mut text)?;
        }
        wrap(&mut text, &mut state, Wrap::default())?;
        out.extend_from_slice(&text);
        Ok(())
    }

    /// Appends `item`, padded to a width. A colour shares the padding with the placeholder after it. Returns the remaining items.
    fn padded<'i>(
        &self,
        pad: Pad,
        item: &Item,
        after: &'i [Item],
        of: &Subject<'_>,
        state: &mut State,
        text: &mut Text<'_>,
    ) -> Result<&'i [Item], ToolError> {
        let mut local = text.apart();
        let mut rest = after;
        self.item(item, of, state, &mut local)?;
        while let Some((next, after)) = rest.split_first().filter(|(next, _)| next.follows) {
            self.item(next, of, state, &mut local)?;
            rest = after;
        }
        // A padding that is itself padded takes over the other one's side, but keeps its own width.
        let pad = state.pad.take().map_or(pad, |other| pad.on_side_of(other));
        pad.append(&local, state.cut, text)?;
        Ok(rest)
    }

    /// Appends the expansion of `item`.
    fn item(&self, item: &Item, of: &Subject<'_>, state: &mut State, out: &mut Text<'_>) -> Result<(), ToolError> {
        let commit = of.commit;
        if item.kind.reads_the_commit() {
            out.work(commit.size())?;
        }
        match &item.kind {
            Kind::Text(bytes) | Kind::Bytes(bytes) | Kind::Colour(bytes) => out.add(bytes)?,
            Kind::Nothing | Kind::Reflog => out.work(0)?,
            Kind::Id(object, short) => out.add_by(|out| self.ids(*object, *short, commit, out))?,
            Kind::Mark => out.add(if of.origin.is_left { b"<" } else { b">" })?,
            Kind::Decorate(marks) => self.decorate(marks, commit, out)?,
            Kind::Source => out.add(of.origin.source.as_bytes())?,
            Kind::Note => {
                if let Some(note) = self.note(&commit.id)? {
                    out.add_by(|out| {
                        notes::append(&note, "", out);
                        Ok(())
                    })?;
                }
            }
            Kind::Signature(part) => out.add(signature(*part, commit))?,
            Kind::Person(role, part) => {
                if out.add_by(|out| self.person(*role, *part, commit, out))?.is_none() {
                    let role = if *role == super::item::Role::Author { b'a' } else { b'c' };
                    out.add(&[b'%', role, *part])?;
                }
            }
            Kind::Encoding => out.add(commit.encoding.as_deref().unwrap_or_default())?,
            Kind::Message => out.add(commit.message())?,
            Kind::Subject => out.add(&subject::subject(message(commit)).0)?,
            Kind::FileName => out.add(&subject::file_name(message(commit)))?,
            Kind::Body => out.add(subject::body(message(commit)))?,
            Kind::Trailers(options) => options.append(message(commit), out)?,
            Kind::Describe(options) => out.add_by(|out| self.describe(options, commit, out))?,
            Kind::Wrap([width, first, others]) => {
                let next = Wrap { width: *width, first: *first, others: *others };
                wrap(out, state, next)?;
            }
            Kind::Pad(pad) => {
                out.work(0)?;
                state.cut = pad.cut.unwrap_or(state.cut);
                state.pad = Some(*pad);
            }
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

    /// Appends the refs of `commit`.
    pub(super) fn decorate(&self, marks: &Marks, commit: &Commit, out: &mut Text<'_>) -> Result<(), ToolError> {
        let names: Vec<&decorations::Name> = self.decorations()?.on(&commit.id).collect();
        let current = names.iter().find(|name| name.kind == decorations::Kind::Current);
        let has_head = names.iter().any(|name| name.kind == decorations::Kind::Head);
        let mut before = &marks.prefix;
        for name in &names {
            // HEAD's branch is printed together with HEAD.
            if name.kind == decorations::Kind::Current && has_head {
                continue;
            }
            out.add(before)?;
            before = &marks.separator;
            if name.kind == decorations::Kind::Tag {
                out.add(&marks.tag)?;
            }
            out.add(&name.short)?;
            if let Some(current) = current.filter(|_| name.kind == decorations::Kind::Head) {
                out.add(&marks.pointer)?;
                out.add(&current.short)?;
            }
        }
        if !names.is_empty() {
            out.add(&marks.suffix)?;
        }
        Ok(())
    }
}

/// The message without leading blank lines.
fn message(commit: &Commit) -> &[u8] {
    subject::skip_blank_lines(commit.message())
}

/// The sandbox has no keys to check a signature. It only reports that a commit is signed.
fn signature(part: u8, commit: &Commit) -> &'static [u8] {
    let is_signed = || commit.header().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"gpgsig "));
    match part {
        b'?' if is_signed() => b"E",
        b'?' => b"N",
        b'T' => b"undefined",
        _ => b"",
    }
}

/// Wraps the text since the last wrap, and sets the next one.
fn wrap(text: &mut Text<'_>, state: &mut State, next: Wrap) -> Result<(), ToolError> {
    if state.wrap == next {
        return text.work(0);
    }
    if state.wrapped < text.len() {
        let tail = text.split_off(state.wrapped);
        state.wrap.apply(&tail, text)?;
    }
    state.wrapped = text.len();
    state.wrap = next;
    text.work(0)
}

/// Applies the sign after the `%` to the expansion, which starts at `before`.
fn apply(magic: Magic, before: usize, text: &mut Text<'_>) -> Result<(), ToolError> {
    let is_empty = text.len() == before;
    match (magic, is_empty) {
        (Magic::NoLinesBefore, true) => {
            let end = text.iter().rposition(|byte| *byte != b'\n').map_or(0, |at| at + 1);
            text.truncate(end);
            Ok(())
        }
        // The padding has removed text before this position.
        (Magic::LineBefore | Magic::SpaceBefore, false) if text.len() < before => {
            Err(ToolError::failed("fatal: `pos' is too far after the end of the buffer")
                .hint("Remove the sign after the %, or the |."))
        }
        (Magic::LineBefore, false) => text.insert(before, b'\n'),
        (Magic::SpaceBefore, false) => text.insert(before, b' '),
        _ => Ok(()),
    }
}
