//! How files that are kept as they were are named.

use bstr::{BString, ByteSlice};

/// Whether such names have numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// If there is one with a number already.
    Existing,
    /// Always.
    Numbered,
    /// Never.
    Simple,
}

impl Style {
    /// The style of this name, or of one that begins so.
    pub fn named(word: &[u8]) -> Option<Style> {
        const NAMES: &[(&str, Style)] = &[
            ("none", Style::Simple),
            ("off", Style::Simple),
            ("simple", Style::Simple),
            ("never", Style::Simple),
            ("existing", Style::Existing),
            ("nil", Style::Existing),
            ("numbered", Style::Numbered),
            ("t", Style::Numbered),
        ];
        if word.is_empty() {
            return Some(Style::Existing);
        }
        if let Some((_, style)) = NAMES.iter().find(|(name, _)| name.as_bytes() == word) {
            return Some(*style);
        }
        let mut begun = NAMES.iter().filter(|(name, _)| name.as_bytes().starts_with(word)).map(|(_, style)| *style);
        let first = begun.next()?;
        begun.all(|other| other == first).then_some(first)
    }
}

/// What the name of such a file is made of.
pub struct Naming {
    /// Stands before the whole name.
    pub prefix: BString,
    /// Stands before what is behind the last slash.
    pub base: BString,
    /// Stands behind it.
    pub suffix: BString,
    /// Whether it has a number.
    pub style: Style,
}

impl Naming {
    /// The name under which a file is kept. `numbers` has the numbers that are taken.
    pub fn of(&self, name: &[u8], numbers: &[u64]) -> BString {
        let numbered = match self.style {
            Style::Simple => false,
            Style::Numbered => true,
            Style::Existing => !numbers.is_empty(),
        };
        if numbered {
            let next = numbers.iter().max().map_or(1, |most| most.saturating_add(1));
            return [name, format!(".~{next}~").as_bytes()].concat().into();
        }
        let start = name.rfind_byte(b'/').map_or(0, |at| at + 1);
        [&self.prefix[..], &name[..start], &self.base[..], &name[start..], &self.suffix[..]].concat().into()
    }
}

/// The number in the name of a file that is kept, of one with this name.
pub fn number(entry: &[u8], name: &[u8]) -> Option<u64> {
    let number = entry.strip_prefix(name)?.strip_prefix(b".~")?.strip_suffix(b"~")?;
    number.to_str().ok()?.parse().ok()
}
