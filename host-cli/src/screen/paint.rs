//! A patch in colours: removed and added lines, and the words in them that differ.

use similar::TextDiff;

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text that has not changed, and everything else.
    Plain,
    /// A commit, or a file's header.
    Heading,
    /// The position of a hunk.
    Position,
    /// A removed line.
    Removed,
    /// An added line.
    Added,
    /// A word that differs, in a removed line.
    RemovedWord,
    /// A word that differs, in an added line.
    AddedWord,
}

impl Style {
    /// The parameters of its `SGR` sequence (ECMA-48, 8.3.117). Reverse video stands out on a light
    /// and on a dark ground.
    fn sgr(self) -> &'static str {
        match self {
            Style::Plain => "0",
            Style::Heading => "1",
            Style::Position => "36",
            Style::Removed => "31",
            Style::Added => "32",
            Style::RemovedWord => "7;31",
            Style::AddedWord => "7;32",
        }
    }
}

/// A part of a line that has one style.
pub type Piece<'a> = (Style, &'a str);

/// Pieces as a terminal takes them.
pub fn ansi(pieces: &[Piece<'_>]) -> String {
    pieces
        .iter()
        .map(|(style, text)| match style {
            Style::Plain => (*text).to_owned(),
            style => format!("\x1b[{}m{text}\x1b[0m", style.sgr()),
        })
        .collect()
}

/// Lines in a row that are compared word by word: more are no longer edits of each other.
const BLOCK: usize = 60;
/// Bytes of a line that is compared so.
const LINE: usize = 2000;

/// The lines of a text, of which patches are coloured. The text is escaped already.
#[derive(Debug)]
pub struct Painted<'a> {
    lines: Vec<(Style, &'a str)>,
}

impl<'a> Painted<'a> {
    /// Reads `text`, which may hold commits and patches.
    pub fn of(text: &'a str) -> Self {
        let mut left = [0; 2];
        let lines = text.lines().map(|line| (style(line, &mut left), line)).collect();
        Painted { lines }
    }

    /// The number of lines.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// The line at `index` without its colours.
    pub fn plain(&self, index: usize) -> &'a str {
        self.lines[index].1
    }

    /// The line at `index`, counted from zero.
    pub fn line(&self, index: usize) -> Vec<Piece<'a>> {
        let (style, line) = self.lines[index];
        let word = match style {
            Style::Removed => Style::RemovedWord,
            Style::Added => Style::AddedWord,
            style => return vec![(style, line)],
        };
        let Some(pieces) = self.words(index) else { return vec![(style, line)] };
        let mut out = vec![(style, &line[..1])];
        out.extend(pieces.into_iter().map(|(differs, text)| (if differs { word } else { style }, text)));
        out
    }

    /// The parts of a changed line behind its sign, and whether each differs from the line that it
    /// replaces or that replaces it. `None` if there is none.
    fn words(&self, index: usize) -> Option<Vec<(bool, &'a str)>> {
        let (old, new) = self.block(index)?;
        let texts = |range: std::ops::Range<usize>| range.map(|at| &self.lines[at].1[1..]).collect::<Vec<_>>();
        let (removed, added) = (texts(old.clone()), texts(new.clone()));
        if removed.iter().chain(&added).any(|line| line.len() > LINE) {
            return None;
        }
        let diff = TextDiff::from_slices(&removed, &added);
        let is_here = |old_index: Option<usize>, new_index: Option<usize>| match self.lines[index].0 {
            Style::Removed => old_index.map(|at| old.start + at) == Some(index),
            _ => new_index.map(|at| new.start + at) == Some(index),
        };
        let change = diff
            .ops()
            .iter()
            .flat_map(|op| diff.iter_inline_changes(op))
            .find(|change| is_here(change.old_index(), change.new_index()))?;
        let text = &self.lines[index].1[1..];
        let mut at = 0;
        let pieces = change.values().iter().map(|(differs, part)| {
            let piece = &text[at..at + part.len()];
            at += part.len();
            (*differs, piece)
        });
        Some(pieces.collect())
    }

    /// The removed lines and the added ones after them that the line at `index` belongs to.
    fn block(&self, index: usize) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        let is = |at: usize, style: Style| self.lines.get(at).is_some_and(|line| line.0 == style);
        let back = |from: usize, style: Style| {
            let count = (0..from).rev().take(BLOCK + 1).take_while(|at| is(*at, style)).count();
            from - count
        };
        let forth = |from: usize, style: Style| from + (from..).take(BLOCK + 1).take_while(|at| is(*at, style)).count();
        let middle = if is(index, Style::Removed) { forth(index, Style::Removed) } else { back(index, Style::Added) };
        let (start, end) = (back(middle, Style::Removed), forth(middle, Style::Added));
        let fits = |range: &std::ops::Range<usize>| (1..=BLOCK).contains(&range.len());
        let (old, new) = (start..middle, middle..end);
        (fits(&old) && fits(&new)).then_some((old, new))
    }
}

/// The style of a line. `left` has the numbers of old and new lines that the hunk still has, so that
/// a removed line `-- a` is none of a header.
fn style(line: &str, left: &mut [u64; 2]) -> Style {
    if *left != [0, 0] {
        let [old, new] = left;
        match line.as_bytes().first() {
            Some(b'-') => {
                *old = old.saturating_sub(1);
                return Style::Removed;
            }
            Some(b'+') => {
                *new = new.saturating_sub(1);
                return Style::Added;
            }
            Some(b'\\') => return Style::Plain,
            _ => {
                (*old, *new) = (old.saturating_sub(1), new.saturating_sub(1));
                return Style::Plain;
            }
        }
    }
    if let Some(counts) = hunk(line) {
        *left = counts;
        return Style::Position;
    }
    const HEADINGS: [&str; 4] = ["diff --git ", "commit ", "--- ", "+++ "];
    if HEADINGS.iter().any(|heading| line.starts_with(heading)) { Style::Heading } else { Style::Plain }
}

/// The numbers of lines in `@@ -1,2 +3,4 @@`.
fn hunk(line: &str) -> Option<[u64; 2]> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some([count(old)?, count(new)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "\
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,4 +1,4 @@ fn main
 same
-let total = price * count;
--- not a header
+let total = price * amount;
+++ nor this
 end
commit 1234
";

    fn styles(text: &str) -> Vec<Style> {
        let painted = Painted::of(text);
        (0..painted.count()).map(|at| painted.line(at)[0].0).collect()
    }

    #[test]
    fn lines_of_a_hunk_are_what_their_signs_say() {
        use Style::*;
        assert_eq!(
            styles(PATCH),
            [Heading, Heading, Heading, Position, Plain, Removed, Removed, Added, Added, Plain, Heading]
        );
    }

    #[test]
    fn the_words_that_differ_stand_out() {
        let painted = Painted::of(PATCH);
        let words = |at: usize| {
            let differs = |piece: &&Piece<'_>| matches!(piece.0, Style::RemovedWord | Style::AddedWord);
            painted.line(at).iter().filter(differs).map(|piece| piece.1.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!((words(5), words(7)), (vec!["count;".to_owned()], vec!["amount;".to_owned()]));
    }

    #[test]
    fn no_colour_changes_the_text() {
        let painted = Painted::of(PATCH);
        let text: String = (0..painted.count())
            .map(|at| painted.line(at).iter().map(|piece| piece.1).collect::<String>() + "\n")
            .collect();
        assert_eq!(text, PATCH);
        assert_eq!(ansi(&[(Style::Added, "+a"), (Style::Plain, "b")]), "\x1b[32m+a\x1b[0mb");
    }

    #[test]
    fn attack_21_many_lines_and_long_ones_are_painted_whole() {
        let many = |count: usize, width: usize| {
            let lines = |sign: char| format!("{sign}{}\n", "x".repeat(width)).repeat(count);
            format!("@@ -1,{count} +1,{count} @@\n{}{}", lines('-'), lines('+'))
        };
        for text in [many(BLOCK + 1, 10), many(100_000, 1), many(1, 1 << 20)] {
            assert_eq!(Painted::of(&text).line(1), [(Style::Removed, text.lines().nth(1).unwrap())]);
        }
    }
}
