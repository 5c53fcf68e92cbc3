//! Finds letters and signs that look like ASCII ones, where a reader would mistake them.
//!
//! A text in another script uses the same letters and stays unchanged. A word misleads only if all of it can be taken for Latin letters,
//! and a sign only if nothing of its own script is near.

use std::cell::OnceCell;

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::confusable_detection::skeleton;

use crate::look;

/// The places of such characters, grouped by kind, in order. An ASCII line has none.
pub(super) fn of(line: &str) -> Vec<(usize, char)> {
    let known = Line { text: line, ..Line::default() };
    let mut found = Vec::new();
    for (start, word) in words(line).filter(|(start, word)| misleads(word, *start, &known)) {
        let twins = word.char_indices().filter(|(_, char)| is_twin(*char));
        found.extend(twins.map(|(at, char)| (start + at, char)));
    }
    found.extend(signs(&known));
    found
}

/// A line, with the answers that all its words and signs ask for. A line may be long and have many.
#[derive(Default)]
struct Line<'a> {
    text: &'a str,
    is_code: OnceCell<bool>,
    has_cjk: OnceCell<bool>,
    /// The scripts of its letters that do not look like ASCII.
    scripts: OnceCell<Vec<Script>>,
}

impl Line<'_> {
    fn is_code(&self) -> bool {
        *self.is_code.get_or_init(|| self.text.contains(|char: char| char.is_ascii_alphabetic()))
    }

    fn has_cjk(&self) -> bool {
        *self.has_cjk.get_or_init(|| self.text.chars().any(|char| is_cjk(char.script())))
    }

    /// Whether it has letters of this script that do not look like ASCII.
    fn has(&self, script: Script) -> bool {
        let scripts = self.scripts.get_or_init(|| {
            let mut scripts = Vec::new();
            for char in self.text.chars().filter(|char| is_foreign(*char)) {
                if !scripts.contains(&char.script()) && !is_twin(char) && !is_sign(char) {
                    scripts.push(char.script());
                }
            }
            scripts
        });
        scripts.contains(&script)
    }
}

/// Whether a word is part of a text in its script: neighbouring words are in that script, and one of them has a letter that does not look
/// like ASCII. Only punctuation separates the words of a text, never code.
fn is_in_text(start: usize, word: &str, script: Script, line: &str) -> bool {
    const WORDS: usize = 4;
    let is_part = |char: char| char.is_alphanumeric() || is_combining_mark(char);
    let is_between = |char: char| {
        char.is_whitespace() || ",.:;!?-()\"'\u{2013}\u{2014}\u{ab}\u{bb}\u{201e}\u{201c}\u{201d}".contains(char)
    };
    let is_distinct = |chars: &mut dyn Iterator<Item = char>| {
        let (mut words, mut is_in_word) = (0, false);
        for char in chars {
            if is_part(char) {
                words += usize::from(!is_in_word);
                if words > WORDS || char.script() != script {
                    return false;
                }
                if !is_twin(char) {
                    return true;
                }
            } else if !is_between(char) {
                return false;
            }
            is_in_word = is_part(char);
        }
        false
    };
    is_distinct(&mut line[..start].chars().rev()) || is_distinct(&mut line[start + word.len()..].chars())
}

/// The identifiers that are not all ASCII, with their positions. Connecting signs belong to them.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$') || is_combining_mark(char);
    let mut start = 0;
    line.split_inclusive(move |char: char| !is_part(char)).filter_map(move |part| {
        let word = part.trim_end_matches(|char| !is_part(char));
        // The letter of an escape does not belong to the next word.
        let escape = usize::from(line[..start].ends_with('\\') && word.starts_with(['n', 'r', 't']));
        let place = (start + escape, &word[escape..]);
        start += part.len();
        (!place.1.is_ascii()).then_some(place)
    })
}

/// Whether a word can be mistaken for one of Latin letters.
fn misleads(word: &str, start: usize, line: &Line<'_>) -> bool {
    let foreign = || word.chars().filter(|char| is_foreign(*char));
    let Some(script) = foreign().next().map(|char| char.script()) else { return false };
    if !foreign().all(is_twin) {
        return false;
    }
    // Words in phonetic script also have letters that look unlike any Latin one.
    if word.chars().any(|char| matches!(char, '\u{250}'..='\u{2af}') && !is_twin(char)) {
        return false;
    }
    let is_mixed = |word: &str| word.contains(|char: char| char.is_ascii_alphabetic()) && word.contains(is_foreign);
    // A Greek letter after an underscore is an index. A word of capitals may be a constant.
    let is_greek = script == Script::Greek;
    let has_both = if is_greek { word.split('_').any(is_mixed) } else { is_mixed(word) };
    if has_both {
        return true;
    }
    let is_constant = word.chars().count() > 2 && word.chars().all(|char| char.is_uppercase() || "_$".contains(char));
    if is_greek && !is_constant {
        return false;
    }
    // A word that starts a text, or is inside one, belongs to that text. Single letters of mathematics are names.
    let before = &line.text[..start];
    let is_text = ["\\n", "\\r", "\\t"].iter().any(|escape| before.ends_with(escape))
        || before.ends_with(['"', '\'', '`', '>', '\u{ab}', '\u{201c}']);
    !matches!(script, Script::Common | Script::Latin)
        && word.chars().any(|char| char.is_alphabetic())
        && line.is_code()
        && !is_text
        && is_used(before, &line.text[start + word.len()..])
        && !is_in_text(start, word, script, line.text)
}

/// Whether a word between these texts is assigned, compared, called, declared or has members. Names in code are; words in texts are not.
fn is_used(before: &str, behind: &str) -> bool {
    const DECLARED: &str =
        " let const var fn def func function class struct import from return if while for val auto int export unset ";
    let (near, far) = (before.trim_end(), behind.trim_start());
    let is_member = behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let last = near.rsplit(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
    is_member
        || behind.starts_with(['(', '[', '$', '@'])
        || ["=", "<", ">", "+=", "-=", "|=", "&&", "||", "!=", "::", "->", "++", "--", ":="]
            .iter()
            .any(|sign| far.starts_with(sign))
        || ["=", "<", ">", "&&", "||", "::", "->"].iter().any(|sign| near.ends_with(sign))
        || before.ends_with(['!', '&', '$', '@'])
        || before.strip_suffix('.').is_some_and(|rest| rest.ends_with(char::is_alphanumeric))
        || before.len() > near.len() && !last.is_empty() && DECLARED.contains(&format!(" {last} "))
}

/// A letter or digit outside ASCII that no language in the Latin script uses. Wide digits are excluded, because they match the width of
/// their text.
fn is_foreign(char: char) -> bool {
    !char.is_ascii()
        && char.is_alphanumeric()
        && !matches!(char, '\u{ff10}'..='\u{ff19}')
        && (char.script() != Script::Latin || is_latin_twin(char))
}

/// A Latin letter that looks like an ASCII one and that no language uses: phonetic letters, small capitals, Roman numerals.
fn is_latin_twin(char: char) -> bool {
    let is_of_them = matches!(
        char,
        '\u{251}' | '\u{261}' | '\u{1d04}' | '\u{1d0f}' | '\u{1d20}' | '\u{1d21}' | '\u{1d22}' | '\u{2160}'
            ..='\u{217f}'
    );
    is_of_them && look::is_drawn_as_a_letter(char)
}

/// Whether a reader mistakes a letter for a Latin one, by Unicode's table of confusables (UTS 39). Readers know most small Greek letters by
/// sight.
fn is_twin(char: char) -> bool {
    const GREEK: &str = "\u{3bf}\u{3bd}\u{3f2}\u{3f3}\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39a}\u{39c}\u{39d}\u{39f}\u{3a1}\u{3a4}\u{3a5}\u{3a7}";
    match char.script() {
        _ if !is_foreign(char) => false,
        Script::Greek => GREEK.contains(char),
        script if is_cjk(script) => false,
        Script::Arabic | Script::Devanagari if char.is_alphabetic() => false,
        _ => look::is_drawn_as_a_letter(char),
    }
}

/// The ASCII signs of code: they end, separate, assign or call something.
const SIGNS: &str = ";:!.,=()[]{}&/\\$@#+*%<>|?";

/// Characters with a use of their own: quotes, primes, dashes, mathematical signs, lines, ornaments and pictures.
fn is_typography(char: char) -> bool {
    matches!(char, '\u{b4}' | '\u{b8}' | '\u{2b9}'..='\u{2cf}' | '\u{2d2}'..='\u{2df}' | '\u{300}'..='\u{36f}' | '\u{2010}'..='\u{2023}'
        | '\u{2030}'..='\u{2043}' | '\u{2052}'..='\u{2059}' | '\u{20a0}'..='\u{20cf}' | '\u{2200}'..='\u{2214}' | '\u{2217}'..='\u{2235}'
        | '\u{2237}'..='\u{22ff}' | '\u{2500}'..='\u{27bf}' | '\u{3001}'..='\u{303f}')
}

/// The misleading signs, with their positions.
fn signs(line: &Line<'_>) -> impl Iterator<Item = (usize, char)> {
    let mut before = None;
    line.text.char_indices().filter(move |(_, char)| {
        let last = before;
        if char.is_alphabetic() {
            before = Some(*char);
        }
        is_sign(*char) && !is_of_its_script(*char, last, line)
    })
}

fn is_sign(char: char) -> bool {
    if char.is_ascii() || is_typography(char) || is_cjk(char.script()) && char != '\u{4e28}' {
        return false;
    }
    let mut bytes = [0; 4];
    let mut looks = skeleton(char.encode_utf8(&mut bytes));
    let is_one = looks.next().is_some_and(|first| SIGNS.contains(first)) && looks.next().is_none();
    // For these, the table of confusables names other signs than a reader would.
    is_one || matches!(char, '\u{1c0}'..='\u{1c3}' | '\u{ff1b}' | '\u{ff5c}' | '\u{4e28}')
}

/// Whether a sign is part of a text in a script that uses it.
fn is_of_its_script(char: char, last: Option<char>, line: &Line<'_>) -> bool {
    match char.script() {
        // The wide forms, which belong to Chinese, Japanese and Korean text.
        Script::Common | Script::Inherited if matches!(char, '\u{2236}' | '\u{fe10}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffef}') => {
            line.has_cjk()
        }
        // Arabic, Indic and other signs that several scripts share.
        Script::Common | Script::Inherited => {
            last.is_some_and(|last| !matches!(last.script(), Script::Latin | Script::Common | Script::Inherited))
        }
        Script::Latin => false,
        // A stroke that no text uses alone.
        Script::Han => false,
        script => last.is_some_and(|last| last.script() == script) || line.has(script),
    }
}

fn is_cjk(script: Script) -> bool {
    matches!(script, Script::Han | Script::Hangul | Script::Hiragana | Script::Katakana | Script::Bopomofo)
}

#[cfg(test)]
mod tests {
    use super::is_twin;

    /// The page shows names in the same way, with a table of its own.
    const PAGE: &str = include_str!("../../../../web-demo/app/src/parts/twins.ts");

    fn in_page() -> Vec<u32> {
        let table = PAGE.rsplit('`').nth(1).expect("the page has a table");
        let code = |digits: &str| u32::from_str_radix(digits, 16).expect("a code point in hex");
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            code(first)..=code(last)
        };
        table.split_whitespace().flat_map(range).collect()
    }

    #[test]
    fn the_page_has_the_same_letters() {
        let known: Vec<u32> = ('\0'..=char::MAX).filter(|char| is_twin(*char)).map(u32::from).collect();
        assert_eq!(in_page(), known);
    }
}
