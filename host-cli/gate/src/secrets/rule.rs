//! One row of the table of secrets.

use regex::bytes::Regex;

use super::check;

/// The place of a rule's keyword relative to the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// At its start, and not after a letter or digit.
    Token,
    /// Inside it, at most this many token characters after its start.
    Reach(usize),
    /// Before it, at any distance: the expression matches the text between, and its first group is the secret.
    Before,
    /// In the name that it is assigned to: a variable, a key, an option, an attribute.
    Named,
}

/// A further condition on the expression's match.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// This many tenths of a bit of entropy per character.
    Random(u8),
    /// The same for secrets that may contain zeros, such as the beginning of every OpenSSH key without a passphrase.
    Encoded(u8),
    /// The same after a prefix of this many characters, unless the checksum at the end is right. A wrong checksum proves nothing: a token
    /// with one changed character still reveals enough, and vendors change their checksums.
    Sum62(usize),
    /// The first part decodes to the header of a JSON Web Token.
    Jwt,
    /// Base64 of a name and a password.
    Basic,
    /// This many tenths of a bit of entropy per character, and not the name of a program, which would only say whose secret it is.
    Named(u8),
    /// Drawn by a generator, as the value of a generic name must be.
    Drawn,
    /// A password that is not a common example in manuals.
    Password,
    /// The same at a place that only holds passwords.
    Login,
}

impl Check {
    pub fn holds(self, secret: &[u8]) -> bool {
        match self {
            Check::Random(tenths) => check::random(secret, f64::from(tenths) / 10.0),
            Check::Named(tenths) => {
                let letters = !secret.iter().any(u8::is_ascii_digit);
                let name = letters && check::wordy(secret) && !check::restless(secret);
                check::random(secret, f64::from(tenths) / 10.0) && !name
            }
            Check::Encoded(tenths) => check::entropy(secret) >= f64::from(tenths) / 10.0 && !check::placeholder(secret),
            Check::Sum62(prefix) => check::crc62(&secret[prefix..]) || check::random(&secret[prefix..], 3.0),
            Check::Jwt => check::jwt_header(secret),
            Check::Basic => check::basic(secret),
            Check::Drawn => super::generic::drawn(secret),
            Check::Password => super::generic::password(secret) || super::generic::drawn(secret),
            Check::Login => super::generic::login(secret),
        }
    }
}

/// One kind of secret.
pub(super) struct Rule {
    /// Its name for programs.
    pub id: &'static str,
    /// What it is, with its article.
    pub words: &'static str,
    /// Each secret has one of these in it or before it, in any case.
    pub keys: &'static [&'static str],
    pub lead: Lead,
    /// Matches from the start of the secret, or from the start of the keyword for [`Lead::Before`].
    pub body: &'static str,
    pub check: Check,
}

/// Enough for text of only the digits 0 to f. With 32 digits it is six standard deviations below random text.
const HEX: Check = Check::Random(28);
/// Enough for 20 or more letters and digits.
const MIXED: Check = Check::Random(30);

type Keys = &'static [&'static str];

const fn rule(id: &'static str, words: &'static str, keys: Keys, lead: Lead, body: &'static str) -> Rule {
    Rule { id, words, keys, lead, body, check: MIXED }
}

/// A secret that starts with one of `keys`.
pub(super) const fn token(id: &'static str, words: &'static str, keys: Keys, body: &'static str) -> Rule {
    rule(id, words, keys, Lead::Token, body)
}

/// A secret that contains one of `keys`, at most `before` characters after its start.
pub(super) const fn reach(
    id: &'static str,
    words: &'static str,
    keys: Keys,
    before: usize,
    body: &'static str,
) -> Rule {
    rule(id, words, keys, Lead::Reach(before), body)
}

/// A secret in the first group of a match that starts with one of `keys`.
pub(super) const fn before(id: &'static str, words: &'static str, keys: Keys, body: &'static str) -> Rule {
    rule(id, words, keys, Lead::Before, body)
}

/// A secret that is assigned to a name containing one of `keys`.
pub(super) const fn named(id: &'static str, words: &'static str, keys: Keys, body: &'static str) -> Rule {
    rule(id, words, keys, Lead::Named, body).check(Check::Named(30))
}

impl Rule {
    pub const fn check(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    /// The digits 0 to f have less entropy.
    pub const fn hex(self) -> Self {
        self.check(HEX)
    }

    pub fn regex(&self) -> Regex {
        Regex::new(&format!(r"\A(?s-u:{})", self.body)).expect("a test compiles the expression of every rule")
    }

    /// If two rules find the same text, the one with the lower rank reports it, because it knows more about it.
    pub fn rank(&self) -> u8 {
        match self.lead {
            Lead::Before => 0,
            Lead::Token | Lead::Reach(_) => 1,
            Lead::Named => 2,
        }
    }
}
