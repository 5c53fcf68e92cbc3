//! How a text is searched and printed.

use bstr::BString;

/// Which lines, and how they are printed.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// The lines that do not match.
    pub inverts: bool,
    /// Only what matches.
    pub only: bool,
    /// A line is printed for every match in it.
    pub each: bool,
    /// Lines without a match are printed as well where only matches are, and so are empty matches.
    pub keeps: bool,
    /// Nothing is printed: they are counted.
    pub counts: bool,
    /// Every match counts, and not every line.
    pub matches: bool,
    /// Line numbers.
    pub numbers: bool,
    /// Where the first match begins in its line.
    pub columns: bool,
    /// Where a line or match begins in the text.
    pub offsets: bool,
    /// Names of files.
    pub names: bool,
    /// A name is printed once, above its lines.
    pub heading: bool,
    /// A NUL behind names.
    pub zero: bool,
    /// Lines before and behind.
    pub context: (usize, usize),
    /// All lines are printed, those that are not selected as well.
    pub passes: bool,
    /// Lines that match are shown as such behind the last one that counts.
    pub goes_on: bool,
    /// What stands between what is printed.
    pub marks: Marks,
    /// No more lines than these.
    pub most: Option<u64>,
    /// What ends a line.
    pub end: u8,
    /// Lines that are no text are printed as well.
    pub raw: bool,
    /// Blanks before lines are left out.
    pub trims: bool,
    /// Longer lines are not printed.
    pub widest: Option<usize>,
    /// The beginning of longer lines is.
    pub previews: bool,
    /// Matches, names and numbers are coloured, as a terminal does it.
    pub colors: bool,
    /// What is printed instead of a match.
    pub replacement: Option<Vec<Part>>,
}

/// What stands between what is printed.
#[derive(Clone, Debug)]
pub struct Marks {
    /// Behind the name and the numbers of a line that is selected.
    pub selected: BString,
    /// Behind those of another line.
    pub around: BString,
    /// A line between lines that are not together. None if nothing parts them.
    pub parts: Option<BString>,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { selected: ":".into(), around: "-".into(), parts: None }
    }
}

/// A part of what is printed instead of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// This text.
    Text(BString),
    /// What a group has.
    Group(usize),
}
