//! The most columns that a text can take on any terminal.
//!
//! Terminals disagree about widths. A row that is too long on one of them wraps at the screen's
//! edge, and foreign text would then look like a row of its own. So the widest terminal decides.

use unicode_width::UnicodeWidthChar;

/// Starts every row but the first of a text on several rows.
pub const GOES_ON: &str = "↳ ";

/// The most marks over one letter. Some alphabets need this many; more would reach into the rows
/// around it.
pub const MARKS: usize = 3;

/// The columns of a character on the terminal that draws it widest, at least 1 unless [`is_mark`].
///
/// Where Unicode's tables say 0 or "ambiguous" (UAX 11), some terminals draw two columns: they use
/// older tables, or draw a character alone that others join to the letter before it.
pub fn widest(char: char) -> usize {
    match char.width().unwrap_or(0).max(char.width_cjk().unwrap_or(0)) {
        0 if is_mark(char) => 0,
        0 => 2,
        // Unassigned or for private use: a later table or a font decides.
        1 if u32::from(char) > 0xffff => 2,
        columns => columns,
    }
}

/// The columns of a character on most terminals. Others draw it wider only if Unicode calls its
/// width ambiguous.
pub fn usual(char: char) -> usize {
    match char.width() {
        Some(1) => 1,
        _ => widest(char),
    }
}

/// `text` in at most this many columns. A longer text keeps its beginning and its end with a mark
/// between them, because either may matter in a path or a command.
pub fn middle(text: &str, columns: usize) -> String {
    const CUT: char = '…';
    if text.chars().map(widest).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(widest(CUT));
    let taken = |chars: &mut dyn Iterator<Item = char>, most: usize| {
        let mut taken = 0;
        let fits = chars.take_while(|char| {
            taken += widest(*char);
            taken <= most
        });
        fits.map(char::len_utf8).sum::<usize>()
    };
    let tail = taken(&mut text.chars().rev(), room / 2);
    let head = taken(&mut text.chars(), room - room / 2);
    format!("{}{CUT}{}", &text[..head], &text[text.len() - tail..])
}

/// Whether every terminal draws a character over the one before it. The list has only marks that
/// Unicode has had since version 5.0, and only of scripts that terminals draw well.
pub fn is_mark(char: char) -> bool {
    matches!(
        char,
        '\u{300}'..='\u{34e}' | '\u{350}'..='\u{36f}'       // Latin, Greek
        | '\u{483}'..='\u{486}' | '\u{488}'..='\u{489}'     // Cyrillic
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}' // Hebrew
        | '\u{610}'..='\u{615}' | '\u{64b}'..='\u{65e}' | '\u{670}' // Arabic
        | '\u{901}'..='\u{902}' | '\u{93c}' | '\u{941}'..='\u{948}' | '\u{94d}' // Devanagari
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' // Thai
        | '\u{3099}'..='\u{309a}'                           // Japanese voicing
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_21_only_what_every_terminal_draws_over_a_letter_takes_no_column() {
        for char in ('\u{20}'..char::MAX).filter(|char| !char.is_control()) {
            assert_eq!(widest(char) == 0, is_mark(char), "{char:?}");
            assert!(widest(char) >= usual(char), "{char:?}");
            assert!(char.is_ascii() <= (widest(char) == 1), "{char:?}");
        }
    }

    #[test]
    fn a_text_is_cut_in_its_middle() {
        assert_eq!(middle("docs/notes.md", 13), "docs/notes.md");
        assert_eq!(middle("docs/notes.md", 12), "docs/…es.md");
        assert_eq!(middle("日本語の名前", 8), "日…前");
        assert_eq!(middle("abc", 1), "…");
    }

    #[test]
    fn attack_21_what_terminals_draw_alone_is_counted() {
        for char in ['\u{9be}', '\u{d3e}', '\u{1b35}', '\u{302e}', '\u{1161}', '\u{11a8}', '\u{10efc}', '\u{e000}'] {
            assert_eq!(widest(char), 2, "{char:?}");
        }
        for char in ['é', 'щ', 'ก', '\u{93e}'] {
            assert_eq!((widest(char), usual(char)), (1, 1), "{char:?}");
        }
        assert_eq!((widest('…'), usual('…')), (2, 1));
        assert_eq!((widest('字'), usual('字')), (2, 2));
    }
}
