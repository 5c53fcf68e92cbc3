//! Says whose signature a commit has, as `git verify-commit` finds it out (`gpg-interface.c`).

use gix::bstr::ByteSlice;
use gix::config::File;
use patch::signature;

use super::{Format, LIMIT, written};
use crate::error::Result;
use crate::home::git_config::{self, GitPlace};
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
    /// Nothing here can tell.
    Unchecked,
}

impl Verdict {
    /// The clause for a person, after the commit's name.
    pub fn words(&self) -> String {
        match self {
            Verdict::Good(who) => format!("is signed by {}", screen::line(who)),
            Verdict::Unknown => "is signed with a key that nobody here vouches for".to_owned(),
            Verdict::Bad => "has a signature that does not fit it: somebody has changed it".to_owned(),
            Verdict::Unchecked => "has a signature that cannot be checked here".to_owned(),
        }
    }
}

/// Verifies signatures, as git is configured to.
pub struct Verifier {
    /// `gpg.ssh.allowedSignersFile`.
    allowed: Option<std::path::PathBuf>,
    /// The person's own configuration, which alone names programs.
    own: File,
    environment: Environment,
    clock: Clock,
}

impl Verifier {
    /// One for commits of the repository at `place`, or of one that is elsewhere.
    pub fn of(place: Option<&GitPlace>, environment: Environment, clock: Clock) -> Self {
        let config = git_config::read(place);
        let allowed = config.path("gpg.ssh.allowedSignersFile").and_then(git_config::expanded);
        Verifier { allowed, own: git_config::read(None), environment, clock }
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
        Ok(said.map(|(_, said)| of_status(&said)))
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
            if program::ask(verify, commit, LIMIT, &self.clock)?.is_some() {
                return Ok(Some(Verdict::Good(principal.to_owned())));
            }
        }
        Ok(Some(Verdict::Unknown))
    }
}

/// What gpg's status lines come to (gnupg's `doc/DETAILS`).
fn of_status(said: &str) -> Verdict {
    let line = |word: &str| {
        let prefix = format!("[GNUPG:] {word} ");
        said.lines().find_map(|line| line.strip_prefix(&prefix))
    };
    let is_trusted = ["TRUST_FULLY", "TRUST_ULTIMATE"].iter().any(|word| said.contains(&format!("[GNUPG:] {word}")));
    match line("GOODSIG").and_then(|rest| rest.split_once(' ')) {
        Some((_, who)) if is_trusted => Verdict::Good(who.as_bytes().to_str_lossy().into_owned()),
        Some(_) => Verdict::Unknown,
        None if line("BADSIG").is_some() => Verdict::Bad,
        None if said.contains("[GNUPG:] NO_PUBKEY ") || said.contains("[GNUPG:] EXPKEYSIG ") => Verdict::Unknown,
        None => Verdict::Unchecked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_counts_only_with_a_key_that_is_trusted() {
        let good = "[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG 0123456789ABCDEF Ada <ada@example.org>\n";
        assert_eq!(of_status(good), Verdict::Unknown);
        let trusted = format!("{good}[GNUPG:] TRUST_ULTIMATE 0 pgp\n");
        assert_eq!(of_status(&trusted), Verdict::Good("Ada <ada@example.org>".to_owned()));
        assert_eq!(of_status("[GNUPG:] BADSIG 01 Ada\n[GNUPG:] TRUST_ULTIMATE 0 pgp\n"), Verdict::Bad);
        assert_eq!(of_status("[GNUPG:] ERRSIG 01\n[GNUPG:] NO_PUBKEY 01\n"), Verdict::Unknown);
        assert_eq!(of_status("nonsense"), Verdict::Unchecked);
    }
}
