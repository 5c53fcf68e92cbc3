//! Hunks that could not be applied, as they are left for somebody to look at.

use bstr::{BString, ByteSlice};

use super::header::Header;
use super::hunk::{Form, Hunk, Kind};

/// How rejects are written.
#[derive(Clone, Copy)]
pub struct Manner {
    /// Whether they are unified.
    pub unified: bool,
    /// The form of the patch.
    pub form: Form,
}

/// What stands before the rejects of a file. The sides may be the other way round.
pub fn heading(header: &Header, reversed: bool, manner: Manner) -> BString {
    let mut out = BString::default();
    if let Some(index) = &header.index {
        out.extend_from_slice(&[b"Index: ", &index[..], b"\n"].concat());
    }
    let signs: [&[u8]; 2] = if manner.unified { [b"--- ", b"+++ "] } else { [b"*** ", b"--- "] };
    let sides = if reversed { [1, 0] } else { [0, 1] };
    for (sign, side) in signs.into_iter().zip(sides) {
        let stamp = &header.stamps[side];
        let name = stamp.name.as_ref().map_or(&b"/dev/null"[..], |name| name);
        out.extend_from_slice(&[sign, name, &stamp.time[..], b"\n"].concat());
    }
    out
}

/// A hunk, whose lines are counted so many further.
pub fn hunk(hunk: &Hunk, shift: isize, manner: Manner) -> BString {
    let old = Range { first: shifted(hunk.old_first, shift), count: hunk.count(Kind::Insert) };
    let new = Range { first: shifted(hunk.new_first, shift), count: hunk.count(Kind::Delete) };
    if manner.unified { unified(hunk, old, new) } else { context(hunk, old, new, manner.form) }
}

fn shifted(first: usize, shift: isize) -> usize {
    first.saturating_add_signed(shift)
}

#[derive(Clone, Copy)]
struct Range {
    first: usize,
    count: usize,
}

impl Range {
    fn unified(self) -> String {
        match self.count {
            0 => format!("{},0", self.first.saturating_sub(1)),
            1 => self.first.to_string(),
            count => format!("{},{count}", self.first),
        }
    }

    fn context(self) -> String {
        match self.count {
            0 => "0".to_owned(),
            1 => self.first.to_string(),
            count => format!("{},{}", self.first, self.first + count - 1),
        }
    }
}

fn unified(hunk: &Hunk, old: Range, new: Range) -> BString {
    let mut out = BString::from(format!("@@ -{} +{} @@", old.unified(), new.unified()));
    out.extend_from_slice(&hunk.function);
    out.push(b'\n');
    for (kind, text) in &hunk.lines {
        out.push(match kind {
            Kind::Context => b' ',
            Kind::Delete => b'-',
            Kind::Insert => b'+',
        });
        out.extend_from_slice(text);
    }
    out
}

fn context(hunk: &Hunk, old: Range, new: Range, form: Form) -> BString {
    let older = form == Form::Normal;
    let (stars, dashes) = if older { ("", " -----") } else { (" ****", " ----") };
    let mut out = BString::from("***************");
    out.extend_from_slice(&hunk.function);
    out.extend_from_slice(format!("\n*** {}{stars}\n", old.context()).as_bytes());
    let changed = changed(hunk, form);
    let side = |kind: Kind, sign: u8| {
        let mut side = BString::default();
        for ((of, text), changed) in hunk.lines.iter().zip(&changed) {
            let mark = match *of {
                Kind::Context => b' ',
                of if of != kind => continue,
                _ if *changed => b'!',
                _ => sign,
            };
            side.extend_from_slice(&[mark, b' ']);
            side.extend_from_slice(text);
        }
        side
    };
    let (gone, come) = (side(Kind::Delete, b'-'), side(Kind::Insert, b'+'));
    out.extend_from_slice(&gone);
    out.extend_from_slice(format!("--- {}{dashes}\n", new.context()).as_bytes());
    out.extend_from_slice(&come);
    out.as_bstr().to_owned()
}

/// Which lines are among those that go and come at one place.
fn changed(hunk: &Hunk, form: Form) -> Vec<bool> {
    let lines = &hunk.lines;
    let mut changed = vec![false; lines.len()];
    if form == Form::Normal {
        return changed;
    }
    let mut start = 0;
    while start < lines.len() {
        let run = lines[start..].iter().take_while(|(kind, _)| *kind != Kind::Context).count();
        let end = start + run;
        let has = |wanted: Kind| lines[start..end].iter().any(|(kind, _)| *kind == wanted);
        if has(Kind::Delete) && has(Kind::Insert) {
            changed[start..end].fill(true);
        }
        start = end + 1;
    }
    changed
}
