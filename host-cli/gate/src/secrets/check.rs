//! Distinguishes a secret from other text of the same form: by randomness, and by the checksums of some formats.

use zlib_rs::crc32::crc32;

/// Common pairs of letters: for each letter of the alphabet its frequent successors in words, from a few million words of source code.
/// Names in programs are made of words. Common pairs are less than half of all pairs.
const PAIRS: [&str; 26] = [
    "bcdfgiklmnprstuvwxy",
    "aceilorsu",
    "acehiklmoprstuvy",
    "adeilorsuy",
    "abcdefgiklmnopqrstuvwxy",
    "acdefilorstuy",
    "aehilnorsu",
    "aeimortu",
    "abcdefglmnoprstvxz",
    "e",
    "aeis",
    "adefiklopstuy",
    "abeilmopstu",
    "acdefgiklnoprstuvy",
    "abcdefgiklmnoprstuvw",
    "acehiloprstu",
    "u",
    "acdefgiklmnoprstuvwy",
    "aceghiklmnoprstuwyz",
    "acdefhilmoprstuxy",
    "abcdefgilmnprst",
    "aeimo",
    "aehinors",
    "aceipt",
    "imnps",
    "e",
];
/// In words, at least this many of 100 pairs are common. In random text about 45 are.
const WORDS: usize = 75;
/// Fewer pairs prove nothing.
const FEW: usize = 5;
/// A person typed a run of this many equal or ascending characters. No generator drew it.
const RUN: usize = 6;
/// From a small alphabet, a generator draws longer runs of one character.
const SAME: usize = 8;

/// Placeholders for secrets, long enough not to occur by chance.
const PLACEHOLDERS: [&str; 15] = [
    "your_",
    "your-",
    "_here",
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "xxxxxx",
    "******",
    "......",
    "insert",
    "replace",
    "dummy",
];

/// The entropy in bits per character, after Shannon.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let length = text.len() as f64;
    let share = |count: u32| f64::from(count) / length;
    counts.iter().filter(|count| **count > 0).map(|count| -share(*count) * share(*count).log2()).sum()
}

/// Whether a generator drew a text, rather than a person typing it: at least `bits` of entropy per character, no run, no placeholder.
pub(super) fn random(text: &[u8], bits: f64) -> bool {
    entropy(text) >= bits && !has_run(text) && !placeholder(text)
}

/// Whether a text is a placeholder.
pub(super) fn placeholder(text: &[u8]) -> bool {
    PLACEHOLDERS.iter().any(|word| contains_word(text, word))
}

/// Whether `text` contains `word`, which is lower case, in any case.
pub(super) fn contains_word(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// The words of a name, in lower case. They are the same for `API_KEY_ID`, `apiKeyId` and `api-key.id`.
pub(super) fn words(name: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
    let mut before = b'_';
    for byte in name {
        let begins = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        if begins || !byte.is_ascii_alphanumeric() {
            words.push(Vec::new());
        }
        if byte.is_ascii_alphanumeric() {
            words.last_mut().expect("there is a first one").push(byte.to_ascii_lowercase());
        }
        before = *byte;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether characters ascend or repeat for longer than by chance.
pub(super) fn has_run(text: &[u8]) -> bool {
    let (mut up, mut same) = (1, 1);
    text.windows(2).any(|pair| {
        let [a, b] = [pair[0], pair[1]];
        up = if b.is_ascii_alphanumeric() && b == a.wrapping_add(1) { up + 1 } else { 1 };
        same = if a == b { same + 1 } else { 1 };
        up >= RUN || same >= SAME
    })
}

/// Whether a text has the letter pairs of words.
pub(super) fn wordy(text: &[u8]) -> bool {
    let (mut pairs, mut usual) = (0, 0);
    for pair in text.windows(2) {
        let [a, b] = [pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase()];
        if a.is_ascii_lowercase() && b.is_ascii_lowercase() {
            pairs += 1;
            usual += usize::from(PAIRS[usize::from(a - b'a')].as_bytes().contains(&b));
        }
    }
    pairs >= FEW && usual * 100 >= pairs * WORDS
}

/// Whether small letters, capitals, digits and signs alternate as often as in random text. A capital at the start of a word does not count.
pub(super) fn restless(text: &[u8]) -> bool {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let turn = |pair: &&[u8]| {
        let [a, b] = [class(pair[0]), class(pair[1])];
        a != b && (a, b) != (1, 0)
    };
    text.windows(2).filter(turn).count() * 10 >= (text.len().max(1) - 1) * 3
}

/// Groups of digits.
pub(super) fn digit_groups(text: &[u8]) -> usize {
    text.split(|byte| !byte.is_ascii_digit()).filter(|group| !group.is_empty()).count()
}

/// Whether the last six characters after the prefix are the CRC-32 of the rest, in base 62, as in tokens of GitHub and npm.
pub(super) fn crc62(body: &[u8]) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((text, sum)) = body.split_last_chunk::<6>() else { return false };
    let mut rest = crc32(0, text);
    let mut expected = [b'0'; 6];
    for digit in expected.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    *sum == expected
}

/// Whether the first part of a JSON Web Token is the JSON object that its format requires.
pub(super) fn jwt_header(token: &[u8]) -> bool {
    let head = token.split(|byte| *byte == b'.').next().unwrap_or_default();
    let Some(json) = decode(head) else { return false };
    let header: Result<serde_json::Value, _> = serde_json::from_slice(&json);
    header.is_ok_and(|header| header.get("alg").is_some())
}

/// Whether Base64 decodes to a name, a colon and a password that is not from a manual.
pub(super) fn basic(text: &[u8]) -> bool {
    let Some(plain) = decode(text) else { return false };
    let Some(colon) = plain.iter().position(|byte| *byte == b':') else { return false };
    let password = &plain[colon + 1..];
    plain.iter().all(|byte| byte.is_ascii_graphic()) && password.len() >= 8 && !tame(password)
}

/// Whether a password is a common example in manuals, or only names its purpose.
pub(super) fn tame(password: &[u8]) -> bool {
    const TAME: [&str; 12] = [
        "pass", "secret", "user", "test", "token", "admin", "foobar", "qwerty", "letmein", "hunter2", "sesame", "12345",
    ];
    placeholder(password) || TAME.iter().any(|word| contains_word(password, word))
}

/// Decodes Base64 of either alphabet, padded or not.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let (mut out, mut bits, mut count) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
    for byte in text {
        bits = bits << 6 | sextet(*byte)?;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    Some(out)
}

/// The value of a Base64 digit of either alphabet.
pub(super) fn sextet(digit: u8) -> Option<u32> {
    let sextet = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(sextet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_told_from_what_is_drawn() {
        for typed in
            ["", "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnopqrst", "k3v9-123456-m2x8q7w1", "k3v9EXAMPLEm2x8q7w1z"]
        {
            assert!(!random(typed.as_bytes(), 3.0), "{typed}");
        }
        assert!(random(b"k3v9Qm2x8q7w1zT5", 3.0));
    }

    #[test]
    fn a_name_has_the_same_words_however_it_is_written() {
        for name in ["API_KEY_ID", "apiKeyId", "api-key.id", "--api_KeyId"] {
            assert_eq!(words(name.as_bytes()), [&b"api"[..], b"key", b"id"], "{name}");
        }
        assert_eq!(words(b"HASHICORP_ANDROID"), [&b"hashicorp"[..], b"android"]);
        assert_eq!(words(b"_"), [&b""[..]; 0]);
    }

    #[test]
    fn words_are_told_from_letters() {
        for words in ["refresh_token_handler", "AccessTokenProvider", "std::collections", "application/json"] {
            assert!(wordy(words.as_bytes()), "{words}");
        }
        for letters in ["xKqzvBwTgHjPdLrNm", "qwzxkjvhgfpbvmtq", "0a1b2c3d4e5f", "a b"] {
            assert!(!wordy(letters.as_bytes()), "{letters}");
        }
    }

    #[test]
    fn a_sum_in_base_62_is_the_one_of_the_text() {
        // The check value of this CRC-32.
        assert!(crc62(&[&b"123456789"[..], &base62(0xcbf4_3926)].concat()));
        assert!(!crc62(b"123456789000000") && !crc62(b"12345"));
    }

    fn base62(mut number: u32) -> Vec<u8> {
        let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut out = vec![b'0'; 6];
        for place in out.iter_mut().rev() {
            *place = digits[(number % 62) as usize];
            number /= 62;
        }
        out
    }

    #[test]
    fn base64_of_both_alphabets_is_read() {
        assert_eq!(decode(b"eyJhbGciOiJub25lIn0").as_deref(), Some(&br#"{"alg":"none"}"#[..]));
        assert_eq!(decode(b"_-8=").as_deref(), decode(b"/+8").as_deref());
        assert_eq!(decode(b"a b"), None);
    }
}
