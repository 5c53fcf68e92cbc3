//! The lines of a hunk as they are shown, with their numbers in the old and the new text.

/// One of the two texts that a review compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// As it was.
    Old,
    /// As it will be.
    New,
}

/// A line of a hunk, without its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkLine<'a> {
    /// ` `, `-` or `+`; `\` says that the line before has no end.
    pub sign: char,
    /// The line, escaped for a terminal.
    pub text: &'a str,
    /// Its number in the old text, from 1, if it is there.
    pub old: Option<u32>,
    /// Its number in the new text.
    pub new: Option<u32>,
}

impl HunkLine<'_> {
    /// Its number in one of the texts.
    pub fn on(&self, side: Side) -> Option<u32> {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }
}

/// The lines of a hunk behind its header. A text that is none has no lines.
pub fn hunk_lines(hunk: &str) -> Vec<HunkLine<'_>> {
    let mut lines = hunk.lines();
    let Some([mut old, mut new]) = lines.next().and_then(starts) else { return Vec::new() };
    let next = |number: &mut u32| {
        let now = *number;
        *number = now.saturating_add(1);
        Some(now)
    };
    let numbered = lines.filter_map(|line| {
        let (sign, text) = (line.chars().next()?, line.get(1..)?);
        let (old, new) = match sign {
            ' ' => (next(&mut old), next(&mut new)),
            '-' => (next(&mut old), None),
            '+' => (None, next(&mut new)),
            _ => (None, None),
        };
        Some(HunkLine { sign, text, old, new })
    });
    numbered.collect()
}

/// The first lines of `@@ -1,2 +3,4 @@ title`.
fn starts(header: &str) -> Option<[u32; 2]> {
    let (old, rest) = header.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let first = |range: &str| range.split(',').next()?.parse().ok();
    Some([first(old)?, first(new)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_number_in_the_texts_that_have_it() {
        let lines = hunk_lines("@@ -10,3 +20,3 @@ fn x\n a\n-b\n\\ No newline at end of file\n+c\n d\n");
        let numbers: Vec<_> = lines.iter().map(|line| (line.sign, line.text, line.old, line.new)).collect();
        assert_eq!(
            numbers,
            [
                (' ', "a", Some(10), Some(20)),
                ('-', "b", Some(11), None),
                ('\\', " No newline at end of file", None, None),
                ('+', "c", None, Some(21)),
                (' ', "d", Some(12), Some(22)),
            ]
        );
        assert_eq!(lines[4].on(Side::Old), Some(12));
        assert_eq!(hunk_lines("Binary files differ\n"), []);
        assert_eq!(hunk_lines(""), []);
    }
}
