//! One row of the table of secrets.

use regex::bytes::Regex;

use super::check;

/// Where a rule's keyword stands, seen from what the rule looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// At its start, after something that is no letter or digit.
    Token,
    /// In it, at most so many characters of a token after the start.
    Reach(usize),
    /// Before it, wherever that is: the expression says what lies between, and its first group is the secret.
    Before,
    /// In the name of something that it is assigned to: a variable, a key, an option, an attribute.
    Named,
}

/// What else must hold of what the expression has found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// So many tenths of a bit of entropy by character.
    Random(u8),
    /// The same for what may have zeros in it, as the beginning of every OpenSSH key that no passphrase guards has.
    Encoded(u8),
    /// The same after a prefix of so many characters, unless the checksum at the end is right. A wrong one acquits
    /// nothing: whoever changes a character of a token tells enough of it, and vendors change how they sum.
    Sum62(usize),
    /// The first part decodes to the header of a JSON Web Token.
    Jwt,
    /// Base64 of a name and a password.
    Basic,
    /// So many tenths of a bit of entropy by character, and no name of a program: what a name says whose it is.
    Named(u8),
    /// Drawn, not written: what a generic name would have to be assigned to be a secret.
    Drawn,
    /// A password that is not in every manual.
    Password,
    /// The same where it can be nothing else.
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
    /// One of them stands in or before each secret, in any case.
    pub keys: &'static [&'static str],
    pub lead: Lead,
    /// Matches from the start of the secret, or for [`Lead::Before`] of the keyword.
    pub body: &'static str,
    pub check: Check,
}

/// Enough for what has only the digits 0 to f: at 32 of them, six standard deviations below what chance draws.
const HEX: Check = Check::Random(28);
/// Enough for letters and digits, of 20 and more.
const MIXED: Check = Check::Random(30);

type Keys = &'static [&'static str];

const fn rule(id: &'static str, words: &'static str, keys: Keys, lead: Lead, body: &'static str) -> Rule {
    Rule { id, words, keys, lead, body, check: MIXED }
}

/// A secret that starts with one of `keys`.
pub(super) const fn token(id: &'static str, words: &'static str, keys: Keys, body: &'static str) -> Rule {
    rule(id, words, keys, Lead::Token, body)
}

/// A secret with one of `keys` in it, at most `before` characters after its start.
pub(super) const fn reach(
    id: &'static str,
    words: &'static str,
    keys: Keys,
    before: usize,
    body: &'static str,
) -> Rule {
    rule(id, words, keys, Lead::Reach(before), body)
}

/// A secret in the first group of what starts with one of `keys`.
pub(super) const fn before(id: &'static str, words: &'static str, keys: Keys, body: &'static str) -> Rule {
    rule(id, words, keys, Lead::Before, body)
}

/// A secret that is assigned to a name with one of `keys` in it.
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

    /// Of two rules that find one text the lower speaks: it knows more of it.
    pub fn rank(&self) -> u8 {
        match self.lead {
            Lead::Before => 0,
            Lead::Token | Lead::Reach(_) => 1,
            Lead::Named => 2,
        }
    }
}
