//! The merged text, with markers around what conflicts.

use gix_imara_diff::Token;

use super::regions::{Changed, Region};
use super::texts::Texts;
use super::{Merged, Options, Style};

/// Replaces the regions of our text by their merged lines.
pub(super) fn merged(regions: &[Region], texts: &Texts<'_>, options: &Options<'_>) -> Merged {
    let content = all(regions, texts, options, Out::conflict);
    Merged { content, conflicts: regions.iter().filter(|region| region.changed == Changed::Conflict).count() }
}

/// As [`merged`], but a conflict keeps both sides.
pub(super) fn united(regions: &[Region], texts: &Texts<'_>, options: &Options<'_>) -> Vec<u8> {
    all(regions, texts, options, Out::both)
}

fn all<'a>(
    regions: &[Region],
    texts: &'a Texts<'a>,
    options: &'a Options<'a>,
    conflict: impl Fn(&mut Out<'a>, &Region),
) -> Vec<u8> {
    let mut out = Out { texts, options, content: Vec::new() };
    let mut done = 0;
    for region in regions {
        out.lines(&texts.ours[done..region.ours.start]);
        match region.changed {
            Changed::Ours | Changed::Alike => out.lines(&texts.ours[region.ours.clone()]),
            Changed::Theirs => out.lines(&texts.theirs[region.theirs.clone()]),
            Changed::Conflict => conflict(&mut out, region),
        }
        done = region.ours.end;
    }
    out.lines(&texts.ours[done..]);
    out.content
}

struct Out<'a> {
    texts: &'a Texts<'a>,
    options: &'a Options<'a>,
    content: Vec<u8>,
}

impl Out<'_> {
    fn lines(&mut self, lines: &[Token]) {
        lines.iter().for_each(|&line| self.content.extend_from_slice(self.texts.line(line)));
    }

    fn both(&mut self, region: &Region) {
        let end = self.line_end(region);
        self.side(&self.texts.ours[region.ours.clone()], end);
        self.lines(&self.texts.theirs[region.theirs.clone()]);
    }

    fn conflict(&mut self, region: &Region) {
        let end = self.line_end(region);
        let labels = self.options.labels;
        self.marker(b'<', labels.ours, end);
        self.side(&self.texts.ours[region.ours.clone()], end);
        if self.options.style != Style::Merge {
            self.marker(b'|', labels.base, end);
            self.side(&self.texts.base[region.base.clone()], end);
        }
        self.marker(b'=', b"", end);
        self.side(&self.texts.theirs[region.theirs.clone()], end);
        self.marker(b'>', labels.theirs, end);
    }

    fn marker(&mut self, sign: u8, label: &[u8], end: &[u8]) {
        self.content.resize(self.content.len() + self.options.marker_size, sign);
        if !label.is_empty() {
            self.content.push(b' ');
            self.content.extend_from_slice(label);
        }
        self.content.extend_from_slice(end);
    }

    /// Appends lines, and ends the last one if it has no end.
    fn side(&mut self, lines: &[Token], end: &[u8]) {
        self.lines(lines);
        if !lines.is_empty() && !self.content.ends_with(b"\n") {
            self.content.extend_from_slice(end);
        }
    }

    fn line_end(&self, region: &Region) -> &'static [u8] {
        if self.ends_in_crlf(region) { b"\r\n" } else { b"\n" }
    }

    /// Whether the markers of a conflict end in CR LF. They do not if the line before the conflict, in ours or theirs, ends in a bare LF.
    /// Otherwise the first line of the base decides.
    fn ends_in_crlf(&self, region: &Region) -> bool {
        let before = |line: usize| line.saturating_sub(1);
        let ours = self.has_crlf(&self.texts.ours, before(region.ours.start));
        if ours == Some(false) {
            return false;
        }
        let theirs = self.has_crlf(&self.texts.theirs, before(region.theirs.start));
        if theirs == Some(false) {
            return false;
        }
        self.has_crlf(&self.texts.base, 0) == Some(true)
    }

    /// Whether a line ends in CR LF. For a last line without an end, the previous line decides; `None` if it is the only line.
    fn has_crlf(&self, text: &[Token], line: usize) -> Option<bool> {
        let bytes = self.texts.line(*text.get(line)?);
        if bytes.ends_with(b"\n") {
            return Some(bytes.ends_with(b"\r\n"));
        }
        let before = line.checked_sub(1)?;
        Some(self.texts.line(text[before]).ends_with(b"\r\n"))
    }
}
