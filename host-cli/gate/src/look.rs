//! How a name looks to a person, or to a filesystem that folds names.

use bstr::ByteSlice;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::reveal::shows_nothing;

/// Folds a name as some filesystem might. Ignores case, invisible characters, compatibility forms, dots and spaces at its end, and NTFS
/// streams after a colon.
pub(crate) fn fold(name: &[u8]) -> String {
    let visible = name.to_str_lossy();
    let visible: String = visible.chars().filter(|char| !shows_nothing(*char)).collect();
    let folded: String = visible.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    without_stream(&folded).trim_end_matches(['.', ' ']).to_owned()
}

/// The file that NTFS opens for a name such as `a.md::$DATA`.
fn without_stream(name: &str) -> &str {
    match name.split_once(':') {
        Some((file, stream)) if !file.is_empty() && format!(":{stream}").contains(":$") => file,
        _ => name,
    }
}

/// Folds a name as a person might misread it. Also replaces characters by their lookalikes in Unicode's table of confusables (UTS 39), and
/// then letters of other scripts that a screen shows much like Latin ones.
pub(crate) fn look(name: &[u8]) -> String {
    let known: String = fold(name).chars().map(latin).collect();
    skeleton(&known).flat_map(char::to_lowercase).map(latin).collect()
}

/// Characters that look like a folder separator but are none.
pub(crate) fn is_like_a_slash(char: char) -> bool {
    char != '/' && !char.is_ascii_alphanumeric() && skeleton(char.encode_utf8(&mut [0; 4])).eq(['/'])
        || !char.is_ascii() && skeleton(char.encode_utf8(&mut [0; 4])).eq(['\\'])
        || char == '\u{ff0f}'
        || char == '\u{ff3c}'
        || char == '\u{fe68}'
}

/// Whether a word mixes Latin letters with characters of another script that look Latin.
pub(crate) fn is_mixed(word: &str) -> bool {
    word.contains(|char: char| char.is_ascii_alphabetic()) && word.contains(is_like_a_letter)
}

/// Characters of another script that look like a Latin letter. Letters of languages in the Latin script, such as a dotless i, are not among
/// them.
pub(crate) fn is_like_a_letter(char: char) -> bool {
    if is_latin(char) {
        return false;
    }
    let look = look(char.encode_utf8(&mut [0; 4]).as_bytes());
    // Folded to lower case, a capital may not look like anything any more.
    is_letter(&look) || is_drawn_as_a_letter(char)
}

/// Whether most fonts draw a character like a Latin letter (UTS 39).
pub(crate) fn is_drawn_as_a_letter(char: char) -> bool {
    let mut bytes = [0; 4];
    is_letter(&skeleton(char.encode_utf8(&mut bytes)).collect::<String>())
}

fn is_letter(look: &str) -> bool {
    look.len() == 1 && look.as_bytes()[0].is_ascii_alphabetic()
}

/// Whether a character is in a block of Latin letters (Unicode, Blocks.txt). A table of all scripts would take 9 KB.
fn is_latin(char: char) -> bool {
    matches!(char, '\0'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}'
        | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}' | '\u{fb00}'..='\u{fb06}' | '\u{ff21}'..='\u{ff5a}')
}

fn latin(char: char) -> char {
    match char {
        'а' | 'α' => 'a',
        'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ҽ' => 'e',
        'ɡ' => 'g',
        'һ' => 'h',
        'і' | 'ι' | 'ı' | '1' | '|' | 'l' | 'ӏ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'η' => 'n',
        'о' | 'ο' | 'օ' | '0' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ѡ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ᴢ' => 'z',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, is_like_a_slash, look};

    #[test]
    fn attack_18_names_that_look_the_same_have_the_same_look() {
        for (a, b) in [
            ("readme.md", "README.md"),
            ("config", "сonfig"),
            ("a.txt", "a\u{200b}.txt"),
            ("login", "1ogin"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("ａ.txt", "a.txt"),
            ("a", "a."),
            ("b.md", "b.md::$DATA"),
            ("b.md", "B.md:s:$DATA"),
            ("paypal", "\u{440}\u{430}y\u{440}\u{430}\u{406}"),
            ("rnodule", "module"),
            ("scope", "\u{455}\u{441}\u{43e}\u{440}\u{435}"),
            ("x0", "\u{1d465}O"),
        ] {
            assert_eq!(look(a.as_bytes()), look(b.as_bytes()), "{a} {b}");
        }
        assert_ne!(fold(b"login"), fold(b"1ogin"));
        assert_ne!(look(b"caf\xc3\xa9"), look(b"cafe"));
        assert_ne!(look(b"a.txt"), look(b"b.txt"));
        assert_ne!(fold(b"a:b"), fold(b"a"));
    }

    #[test]
    fn attack_18_what_looks_like_a_slash_is_known() {
        for like in ['\u{2215}', '\u{2044}', '\u{ff0f}', '\u{29f8}', '\u{2571}', '\u{ff3c}', '\u{29f5}'] {
            assert!(is_like_a_slash(like), "{:x}", u32::from(like));
        }
        for other in ['/', '\\', 'a', 'l', '|', '\u{e9}', '\u{4e2d}', '-'] {
            assert!(!is_like_a_slash(other), "{other}");
        }
    }
}
