//! How a name looks to a person, or to a filesystem that folds names.

use bstr::ByteSlice;
use unicode_normalization::UnicodeNormalization;

use crate::text;

/// Folds a name as some filesystem might: ignores case, invisible characters, compatibility forms,
/// and dots and spaces at its end.
pub(crate) fn fold(name: &[u8]) -> String {
    let visible = name.to_str_lossy();
    let visible: String =
        visible.chars().filter(|char| !text::has_hidden(char.encode_utf8(&mut [0; 4]).as_bytes())).collect();
    visible
        .nfkc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .trim_end_matches(['.', ' '])
        .to_owned()
}

/// Folds a name as a person might misread it: also replaces letters of other scripts that look like
/// Latin ones, and digits that look like letters.
pub(crate) fn look(name: &[u8]) -> String {
    fold(name).chars().map(latin).collect()
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
    use super::{fold, look};

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
        ] {
            assert_eq!(look(a.as_bytes()), look(b.as_bytes()), "{a} {b}");
        }
        assert_ne!(fold(b"login"), fold(b"1ogin"));
        assert_ne!(look(b"caf\xc3\xa9"), look(b"cafe"));
        assert_ne!(look(b"a.txt"), look(b"b.txt"));
    }
}
