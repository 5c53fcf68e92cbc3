//! Secrets without a known format: values of names such as `password` that do not look like references to something else.

use std::ops::Range;

use super::{assign::Assigned, check};

/// Names of passwords, which people choose.
const PASSWORDS: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pass",
    "requirepass",
    "masterauth",
    "psk",
    "pw",
    "passwort",
    "contrasena",
];
/// Names of secrets that a generator draws.
const KEYS: [&str; 35] = [
    "api.key",
    "access.key",
    "secret.key",
    "private.key",
    "secret",
    "token",
    "credential",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "auth_key",
    "auth-key",
    "authkey",
    "private_key",
    "private-key",
    "privatekey",
    "encryption_key",
    "signing_key",
    "master_key",
    "secretkey",
    "account_key",
    "shared_key",
    "deploy_key",
    "license_key",
    "app_key",
    "appkey",
    "client_key",
    "consumer_key",
    "hmac_key",
    "fernet_key",
    "session_key",
    "jwt_key",
];

/// Names of secrets. The rest of a longer name must not turn them into another word.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PASSWORDS.into_iter().chain(KEYS)
}

/// With one of these words after the keyword, a name describes the secret instead of holding it.
const ABOUT: [&str; 31] = [
    "id", "url", "uri", "len", "ref", "arn", "length", "name", "path", "file", "type", "size", "policy", "field",
    "header", "count", "limit", "endpoint", "prefix", "suffix", "label", "hint", "regex", "pattern", "version", "kind",
    "index", "error", "message", "title", "format",
];
/// The same, by the beginning of the word.
const STEMS: [&str; 4] = ["expir", "descr", "algo", "encrypt"];
/// The same, by the end of the word: `filename`.
const ENDS: [&str; 3] = ["name", "path", "file"];
/// Names with these words are always public.
const PUBLIC: [&str; 11] =
    ["public", "publickey", "hash", "hashes", "hashed", "checksum", "digest", "integrity", "csrf", "xsrf", "sha256"];
/// A keyword of at most this many letters also ends other words.
const SHORT: usize = 4;
/// The least entropy, in bits per character, of a random UUID.
const UUID: f64 = 2.8;
/// The longest value in bytes.
pub(super) const LONGEST: usize = 2048;

/// The value's range, and whether it is a secret.
pub(super) struct Judged {
    pub secret: bool,
    pub value: Range<usize>,
}

/// Judges the value of the name with the keyword at `key`. A UUID is a secret too if `sure` says that names of secrets are reliable here,
/// or if the name is that of an environment variable.
pub(super) fn judge(text: &[u8], key: Range<usize>, assigned: &Assigned, sure: bool) -> Option<Judged> {
    let keyword = &text[key.clone()];
    let rest = &text[key.end..assigned.name.end];
    let begins = keyword.len() > SHORT || begins_a_word(text, key.start);
    if !begins || !is_whole_word(keyword, rest) || !names_a_secret(&text[assigned.name.clone()], rest) {
        return None;
    }
    let value = extent(text, assigned)?;
    let bytes = &text[value.clone()];
    if bytes.len() > LONGEST {
        return Some(Judged { secret: false, value });
    }
    let chosen = PASSWORDS.iter().any(|name| keyword.eq_ignore_ascii_case(name.as_bytes()));
    let uuid = is_uuid(bytes) && check::random(bytes, UUID) && (sure || is_variable(&text[assigned.name.clone()]));
    let random = uuid || drawn(bytes) || chosen && password(bytes);
    let secret = random && (assigned.quote.is_some() || !is_code(bytes, &text[value.end..]));
    Some(Judged { secret, value })
}

/// `API_KEY`: the style of environment variables.
fn is_variable(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `pass` in `DB_PASS` and `dbPass`, but not in `bypass`.
fn begins_a_word(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(1).map(|before| text[before]);
    before.is_none_or(|before| {
        !before.is_ascii_alphabetic() || before.is_ascii_lowercase() && text[start].is_ascii_uppercase()
    })
}

/// `token` in `auth_token`, `tokenValue` and `TOKEN2`, but not in `tokenizer` and `TOKENS`.
fn is_whole_word(keyword: &[u8], rest: &[u8]) -> bool {
    let small = keyword.last().is_some_and(u8::is_ascii_lowercase);
    rest.first().is_none_or(|next| !next.is_ascii_alphabetic() || small && next.is_ascii_uppercase())
        || rest == b"s"
        || rest == b"S"
}

fn names_a_secret(name: &[u8], rest: &[u8]) -> bool {
    let about = |word: &Vec<u8>| {
        let singular = word.strip_suffix(b"s").unwrap_or(word);
        ABOUT.iter().any(|about| word == about.as_bytes() || singular == about.as_bytes())
            || STEMS.iter().any(|stem| word.starts_with(stem.as_bytes()))
            || ENDS.iter().any(|end| word.ends_with(end.as_bytes()))
    };
    let public = |word: &Vec<u8>| PUBLIC.iter().any(|public| word == public.as_bytes());
    !check::words(rest).iter().any(about) && !check::words(name).iter().any(public)
}

/// Whether a name that says whose secret it is can be that of a secret.
pub(super) fn may_name_a_secret(name: &[u8]) -> bool {
    const PARTS: [&str; 7] = ["key", "token", "secret", "auth", "pass", "pwd", "cred"];
    PARTS.iter().any(|part| check::contains_word(name, part)) || check::words(name).iter().any(|word| word == b"pat")
}

/// The end of the value: its closing quote, or the end of the word.
fn extent(text: &[u8], assigned: &Assigned) -> Option<Range<usize>> {
    let rest = &text[assigned.value..];
    let window = &rest[..rest.len().min(LONGEST + 1)];
    let length = match assigned.quote {
        Some(quote) => window.iter().position(|byte| *byte == quote || *byte == b'\n')?,
        None => window
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || b"\"'`,;)}]<>&|(\\{[".contains(byte))
            .unwrap_or(window.len()),
    };
    let length = length - usize::from(length > 0 && assigned.quote.is_some() && window[length - 1] == b'\\');
    Some(assigned.value..assigned.value + length)
}

/// Whether a value without quotes is a name or a call rather than text.
fn is_code(value: &[u8], rest: &[u8]) -> bool {
    let call = matches!(rest, [b'(' | b'[' | b'{', ..] | [b'<', b':' | b'A'..=b'Z' | b'a'..=b'z', ..]);
    let path = value.windows(2).any(|pair| pair == b"::" || pair == b"->") || value.starts_with(b"*");
    let named = value.iter().any(|byte| matches!(byte, b'.' | b'_')) && check::wordy(value);
    let letters = !value.iter().any(u8::is_ascii_digit) && (check::wordy(value) || !check::restless(value));
    call || path || named || letters || is_number(value)
}

/// Whether a value is a typed number in a program.
fn is_number(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let hex = value.strip_prefix(b"0x").or(value.strip_prefix(b"0X"));
    let digits = hex.unwrap_or(value);
    let end =
        digits.iter().take_while(|byte| byte.is_ascii_digit() || hex.is_some() && byte.is_ascii_hexdigit()).count();
    let rest = &digits[end..];
    end > 0 && (hex.is_none() || end <= 16) && rest.len() <= 5 && !rest.iter().any(u8::is_ascii_punctuation)
        || hex.is_some() && rest.starts_with(b"_")
}

/// Whether a value refers to another one: a variable, a template, a lookup.
fn reference(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'$' | b'<' | b'{' | b'%' | b'[' | b'(' | b'&'))
        || [&b"${"[..], b"{{", b"{}", b"{0}", b"$(", b"%s", b"%(", b"<%", b"%{", b"#{", b"://"]
            .iter()
            .any(|mark| value.windows(mark.len()).any(|window| window == *mark))
}

/// The character classes in a text of letters, digits and signs.
#[derive(Default)]
struct Kinds {
    small: usize,
    capital: usize,
    digits: usize,
    signs: usize,
}

impl Kinds {
    fn of(value: &[u8]) -> Self {
        let mut kinds = Kinds::default();
        for byte in value {
            match byte {
                b'a'..=b'z' => kinds.small += 1,
                b'A'..=b'Z' => kinds.capital += 1,
                b'0'..=b'9' => kinds.digits += 1,
                _ => kinds.signs += 1,
            }
        }
        kinds
    }

    fn count(&self) -> usize {
        [self.small, self.capital, self.digits, self.signs].into_iter().filter(|count| *count > 0).count()
    }

    fn letters(&self) -> usize {
        self.small + self.capital
    }
}

fn graphic(value: &[u8], lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&value.len()) && value.iter().all(u8::is_ascii_graphic)
}

/// Whether a generator drew a value: long, of letters and digits, without order or words, and no UUID.
pub(super) fn drawn(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    let odd = value.iter().any(|byte| !byte.is_ascii_alphanumeric() && !b"+/=_.:~-!@#$%^*&()".contains(byte));
    if !graphic(value, 16..=LONGEST) || odd || reference(value) || is_uuid(value) {
        return false;
    }
    let mixed = kinds.digits > 0 && kinds.letters() > 0 || kinds.small > 3 && kinds.capital > 3 && value.len() >= 24;
    let numbers = kinds.digits * 10 > value.len() * 8 || kinds.signs * 3 > value.len();
    let written = check::wordy(value) && !check::restless(value) && check::digit_groups(value) < 3;
    let lowest = if value.len() < 20 { 3.0 } else { 3.2 };
    let lowest = if value.iter().all(u8::is_ascii_hexdigit) { 2.8 } else { lowest };
    let short_tame = value.len() < 24 && check::tame(value);
    mixed && !numbers && !written && !short_tame && check::random(value, lowest)
}

/// Whether a person or a generator chose a value carefully as a password.
pub(super) fn password(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    if !graphic(value, 8..=128) || reference(value) || check::tame(value) || check::has_run(value) || is_uuid(value) {
        return false;
    }
    let chosen = kinds.count() >= 3 && kinds.digits > 0 && check::entropy(value) >= 2.5;
    let plain = kinds.count() == 2 && kinds.digits > 0 && kinds.letters() > 0 && check::entropy(value) >= 2.75;
    let restless = check::restless(value) || check::digit_groups(value) > 1;
    chosen && (restless || kinds.signs > 0 && !check::wordy(value)) || plain && restless
}

/// The same for the text between a name and a host, which can only be a password.
pub(super) fn login(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    graphic(value, 6..=160)
        && !reference(value)
        && !check::tame(value)
        && kinds.letters() > 0
        && (kinds.letters() < value.len() || kinds.small.min(kinds.capital) > 2 && !check::wordy(value))
        && check::entropy(value) >= 2.2
}

fn is_uuid(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"{").and_then(|value| value.strip_suffix(b"}")).unwrap_or(value);
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
