//! Says whose signature a commit has, as `git verify-commit` finds it out (`gpg-interface.c`).

use std::path::PathBuf;

use gix::config::File;
use patch::signature;

use super::{Format, LIMIT, written};
use crate::error::Result;
use crate::home::git_config;
use crate::program::{self, Environment};
use crate::sandbox::Clock;
use crate::screen;

/// What a signature is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is this person's.
    Good(String),
    /// It fits, but nobody here knows whose key it is.
    Unknown,
    /// It does not fit the commit.
    Bad,
    /// It is of a key that its owner has taken back.
    Revoked,
    /// Nothing here can tell.
    Unchecked,
}

impl Verdict {
    /// The clause for a person, after the commit's name.
    pub fn words(&self) -> String {
        match self {
            Verdict::Good(who) => format!("is signed by {}", screen::line(who)),
            Verdict::Unknown => "is signed with a key that nobody here vouches for".to_owned(),
            Verdict::Bad => "has a signature that does not fit it".to_owned(),
            Verdict::Revoked => "is signed with a key that was revoked".to_owned(),
            Verdict::Unchecked => "has a signature that cannot be checked here".to_owned(),
        }
    }
}

/// Verifies signatures, as git is configured to.
pub struct Verifier {
    /// `gpg.ssh.allowedSignersFile`, and `gpg.ssh.revocationFile`.
    allowed: Option<PathBuf>,
    revoked: Option<PathBuf>,
    /// The person's own configuration, which alone counts: a repository's might vouch for itself.
    own: File,
    environment: Environment,
    clock: Clock,
}

impl Verifier {
    /// One that has these variables.
    pub fn new(environment: Environment, clock: Clock) -> Self {
        let own = git_config::read(None);
        let file = |name| own.path(name).and_then(git_config::expanded);
        let (allowed, revoked) = (file("gpg.ssh.allowedSignersFile"), file("gpg.ssh.revocationFile"));
        Verifier { allowed, revoked, own, environment, clock }
    }

    /// What the signature of a commit is worth. `None` if it has none.
    ///
    /// # Errors
    /// The person called it off.
    pub fn verify(&self, commit: &[u8]) -> Result<Option<Verdict>> {
        let Some((rest, signature)) = signature::split(commit) else { return Ok(None) };
        let begins = |format: &Format| signature.starts_with(format.begins().as_bytes());
        let verdict = match [Format::OpenPgp, Format::X509, Format::Ssh].into_iter().find(begins) {
            Some(Format::Ssh) => self.by_ssh(&rest, &signature)?,
            Some(format) => self.by_gpg(format, &rest, &signature)?,
            None => None,
        };
        Ok(Some(verdict.unwrap_or(Verdict::Unchecked)))
    }

    fn by_gpg(&self, format: Format, commit: &[u8], signature: &[u8]) -> Result<Option<Verdict>> {
        let Ok(file) = written(signature) else { return Ok(None) };
        let Some(mut gpg) = self.environment.program(&format.program_of(&self.own)) else { return Ok(None) };
        gpg.args(["--status-fd=1", "--keyid-format=long", "--verify"]).arg(file.path()).arg("-");
        let said = program::run(gpg, commit, LIMIT, &self.clock)?;
        Ok(said.map(|(code, said)| of_status(code, &said)))
    }

    fn by_ssh(&self, commit: &[u8], signature: &[u8]) -> Result<Option<Verdict>> {
        let Ok(file) = written(signature) else { return Ok(None) };
        let keygen = |words: &[&str]| {
            let mut keygen = self.environment.program(&Format::Ssh.program_of(&self.own))?;
            keygen.arg("-Y").args(words).arg("-s").arg(file.path());
            Some(keygen)
        };
        let Some(fits) = keygen(&["check-novalidate", "-n", "git"]) else { return Ok(None) };
        match program::run(fits, commit, LIMIT, &self.clock)? {
            Some((0, _)) => {}
            Some(_) => return Ok(Some(Verdict::Bad)),
            None => return Ok(None),
        }
        let Some((allowed, mut find)) = self.allowed.as_ref().zip(keygen(&["find-principals"])) else {
            return Ok(Some(Verdict::Unknown));
        };
        find.arg("-f").arg(allowed);
        let found = program::ask(find, commit, LIMIT, &self.clock)?.unwrap_or_default();
        for principal in found.lines() {
            let Some(mut verify) = keygen(&["verify", "-n", "git", "-I", principal]) else { break };
            verify.arg("-f").arg(allowed);
            if let Some(revoked) = &self.revoked {
                verify.arg("-r").arg(revoked);
            }
            if program::ask(verify, commit, LIMIT, &self.clock)?.is_some() {
                return Ok(Some(Verdict::Good(principal.to_owned())));
            }
        }
        Ok(Some(Verdict::Unknown))
    }
}

/// What gpg's status lines come to (gnupg's `doc/DETAILS`), if it ended with `code`. A name may hold anything, so only how a line begins counts,
/// and of several signatures nobody could say which is meant.
fn of_status(code: i32, said: &str) -> Verdict {
    let lines = || said.lines().filter_map(|line| line.strip_prefix("[GNUPG:] "));
    let words = |line: &'_ str| {
        line.split_once(' ').map_or((line.to_owned(), String::new()), |(word, rest)| (word.to_owned(), rest.to_owned()))
    };
    let ends = ["GOODSIG", "BADSIG", "ERRSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG"];
    let found: Vec<(String, String)> = lines().map(words).filter(|(word, _)| ends.contains(&&**word)).collect();
    let has = |wanted: &[&str]| lines().map(words).any(|(word, _)| wanted.contains(&&*word));
    let [(word, rest)] = &found[..] else { return Verdict::Unchecked };
    match (&**word, rest.split_once(' ')) {
        ("GOODSIG", Some((_, who))) if code == 0 && has(&["TRUST_FULLY", "TRUST_ULTIMATE"]) => {
            Verdict::Good(who.to_owned())
        }
        ("GOODSIG" | "EXPKEYSIG", _) => Verdict::Unknown,
        ("BADSIG", _) => Verdict::Bad,
        ("REVKEYSIG", _) => Verdict::Revoked,
        _ if has(&["NO_PUBKEY"]) => Verdict::Unknown,
        _ => Verdict::Unchecked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG 0123456789ABCDEF Ada <ada@example.org>\n";
    const TRUST: &str = "[GNUPG:] TRUST_ULTIMATE 0 pgp\n";

    #[test]
    fn a_signature_counts_only_with_a_key_that_is_trusted() {
        assert_eq!(of_status(0, GOOD), Verdict::Unknown);
        assert_eq!(of_status(0, &format!("{GOOD}{TRUST}")), Verdict::Good("Ada <ada@example.org>".to_owned()));
        assert_ne!(of_status(1, &format!("{GOOD}{TRUST}")), Verdict::Good("Ada <ada@example.org>".to_owned()));
        assert_eq!(of_status(1, &format!("[GNUPG:] BADSIG 01 Ada\n{TRUST}")), Verdict::Bad);
        assert_eq!(of_status(1, "[GNUPG:] REVKEYSIG 01 Ada\n"), Verdict::Revoked);
        assert_eq!(of_status(2, "[GNUPG:] ERRSIG 01\n[GNUPG:] NO_PUBKEY 01\n"), Verdict::Unknown);
        assert_eq!(of_status(2, "nonsense"), Verdict::Unchecked);
    }

    #[test]
    fn attack_18_neither_a_name_nor_a_second_signature_lends_its_trust() {
        let named = GOOD.replace("Ada <", "Ada [GNUPG:] TRUST_ULTIMATE <");
        assert_eq!(of_status(0, &format!("{named}[GNUPG:] TRUST_UNDEFINED 0 pgp\n")), Verdict::Unknown);
        let second = "[GNUPG:] GOODSIG 01 Mallory\n";
        assert_eq!(of_status(0, &format!("{GOOD}[GNUPG:] TRUST_UNDEFINED\n{second}{TRUST}")), Verdict::Unchecked);
        assert_eq!(of_status(0, &format!("{GOOD}[GNUPG:] BADSIG 01 Mallory\n{TRUST}")), Verdict::Unchecked);
    }
}
