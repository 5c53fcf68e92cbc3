//! A hunk of a patch, and the smaller ones that it can be split into.

/// A hunk with its header, as a review shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// What the header says behind the second `@@`.
    title: String,
    /// The first line in the old text and in the new one, from 1.
    start: [u64; 2],
    lines: Vec<String>,
}

impl Hunk {
    /// Reads a hunk. `None` if it is none.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let (old, rest) = lines.next()?.strip_prefix("@@ -")?.split_once(" +")?;
        let (new, title) = rest.split_once(" @@")?;
        let start = |range: &str| range.split(',').next()?.parse().ok();
        Some(Hunk {
            title: title.to_owned(),
            start: [start(old)?, start(new)?],
            lines: lines.map(str::to_owned).collect(),
        })
    }

    /// The text, with its header.
    pub fn text(&self) -> String {
        let count = |sign: char| self.lines.iter().filter(|line| line.starts_with([' ', sign])).count();
        let [old, new] = self.start;
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        format!("@@ -{old},{} +{new},{} @@{}\n{lines}", count('-'), count('+'), self.title)
    }

    /// The number of its changes: rows of removed and added lines with none that stays between them.
    pub fn changes(&self) -> usize {
        self.ranges().len()
    }

    /// Where its changes are.
    fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.starts_with(' ')) {
            match ranges.last_mut() {
                Some(range) if range.end == at => range.end += 1,
                // That there is no newline at the end is said of the line before.
                _ if line.starts_with('\\') => {}
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }

    /// A hunk for each of its changes, with the lines around it that stay.
    pub fn split(&self) -> Vec<Hunk> {
        let ranges = self.ranges();
        let mut hunks = Vec::new();
        for (number, range) in ranges.iter().enumerate() {
            let first = number.checked_sub(1).map_or(0, |before| ranges[before].end);
            let last = ranges.get(number + 1).map_or(self.lines.len(), |after| after.start);
            let before = |sign: char| {
                let lines = self.lines[..first].iter().filter(|line| line.starts_with([' ', sign]));
                lines.count() as u64
            };
            let start = [self.start[0] + before('-'), self.start[1] + before('+')];
            debug_assert!(first <= range.start && range.end <= last, "changes do not overlap");
            hunks.push(Hunk { title: self.title.clone(), start, lines: self.lines[first..last].to_vec() });
        }
        hunks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "@@ -10,6 +10,7 @@ fn main\n a\n-b\n+B\n c\n+d\n+e\n f\n g\n-h\n";

    #[test]
    fn a_hunk_is_split_at_the_lines_that_stay() {
        let hunk = Hunk::read(TEXT).unwrap();
        let texts: Vec<String> = hunk.split().iter().map(Hunk::text).collect();
        assert_eq!(
            texts,
            [
                "@@ -10,3 +10,3 @@ fn main\n a\n-b\n+B\n c\n",
                "@@ -12,3 +12,5 @@ fn main\n c\n+d\n+e\n f\n g\n",
                "@@ -13,3 +15,2 @@ fn main\n f\n g\n-h\n",
            ]
        );
        assert_eq!(hunk.changes(), 3);
        assert_eq!(Hunk::read(&texts[0]).unwrap().split().len(), 1);
    }

    #[test]
    fn a_missing_newline_belongs_to_its_line() {
        let hunk = Hunk::read("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n").unwrap();
        assert_eq!(hunk.changes(), 1);
        assert!(Hunk::read("text").is_none());
    }
}
