//! Splits a format into items.

use super::item::{Item, Kind, Magic};
use super::placeholder::placeholder;
use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// Parses the items of `text`.
///
/// # Errors
///
/// In git's words, if a colour is unknown. Also if the deadline has passed.
pub fn items(text: &str, deadline: &Deadline) -> Result<Vec<Item>, ToolError> {
    let mut items: Vec<Item> = Vec::new();
    let mut plain = Vec::new();
    let mut rest = text;
    let mut width = Width::None;
    while let Some(at) = rest.find('%') {
        plain.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        // Each search for a closing bracket may run to the end.
        let has_brackets = rest.trim_start_matches(['+', '-', ' ']).starts_with(['(', '<', '>', 'C', 'w']);
        deadline.poll_units(if has_brackets { units(rest.len()) } else { 0 }.saturating_add(1))?;
        let follows = width == Width::Shared && at == 0;
        if follows {
            // After a colour, git accepts no sign, and drops the `%` of an unknown placeholder.
            let found = placeholder(rest)?;
            width = Width::None;
            if let Some((kind, length)) = found {
                width = if matches!(kind, Kind::Colour(_)) { Width::Shared } else { Width::None };
                items.push(Item { kind, magic: Magic::None, follows });
                rest = &rest[length..];
            }
            continue;
        }
        if let Some(after) = rest.strip_prefix('%') {
            plain.push(b'%');
            rest = after;
            continue;
        }
        let (magic, bare) = magic(rest);
        // A wrap does not depend on the text before it.
        if magic != Magic::None && bare.starts_with('w') {
            plain.push(b'%');
            continue;
        }
        flush(&mut plain, &mut items);
        let (kind, length) = placeholder(bare)?.unwrap_or((Kind::Nothing, 0));
        width = match (&kind, width) {
            (Kind::Colour(_), Width::Waiting) => Width::Shared,
            (Kind::Pad(_), Width::None | Width::Shared) => Width::Waiting,
            _ => Width::None,
        };
        items.push(Item { kind, magic, follows });
        // An unknown placeholder without a sign is literal.
        if magic == Magic::None && length == 0 {
            plain.push(b'%');
        }
        rest = &bare[length..];
    }
    plain.extend_from_slice(rest.as_bytes());
    flush(&mut plain, &mut items);
    Ok(items)
}

/// The state of a padding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Width {
    /// There is no padding.
    None,
    /// The next placeholder is padded.
    Waiting,
    /// That placeholder was a colour, so a placeholder directly after it shares the padding.
    Shared,
}

fn flush(plain: &mut Vec<u8>, items: &mut Vec<Item>) {
    if !plain.is_empty() {
        items.push(Item { kind: Kind::Text(std::mem::take(plain)), magic: Magic::None, follows: false });
    }
}

fn magic(text: &str) -> (Magic, &str) {
    let magic = match text.as_bytes().first() {
        Some(b'+') => Magic::LineBefore,
        Some(b'-') => Magic::NoLinesBefore,
        Some(b' ') => Magic::SpaceBefore,
        _ => return (Magic::None, text),
    };
    (magic, &text[1..])
}
