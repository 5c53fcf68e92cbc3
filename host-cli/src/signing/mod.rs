//! Signs commits as git is configured to (git-config, `commit.gpgSign`, `user.signingKey` and `gpg.*`), and verifies what others signed.
//!
//! | file | what it does |
//! |---|---|
//! | `verify` | says whose signature a commit has |
//!
//! Whether, how and with which key counts as git reads it in the repository that the commits go to. Which program is run is the person's own
//! configuration alone: a repository's may have been written by an agent.

mod verify;

use std::ffi::OsString;
use std::io::Write;
use std::process::Command;
use std::time::Duration;

use gix::bstr::ByteSlice;
use gix::config::File;
use host::platform::Signer;
use tempfile::NamedTempFile;

pub use verify::{Verdict, Verifier};

use crate::error::{ErrorKind, HostError, Result};
use crate::home::git_config::{self, GitPlace};
use crate::program::{self, Environment};
use crate::sandbox::Clock;

/// A person may be asked for a passphrase, or to touch a key.
const LIMIT: Duration = Duration::from_secs(120);
/// Bytes of the largest signature that is taken: git's own have a few hundred, those with certificates some thousand.
const MOST: usize = 64 << 10;

/// How signatures are made (git-config, `gpg.format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    OpenPgp,
    X509,
    Ssh,
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "openpgp" => Format::OpenPgp,
            "x509" => Format::X509,
            "ssh" => Format::Ssh,
            _ => return None,
        })
    }

    /// The program that makes and verifies its signatures, by the person's own configuration.
    fn program_of(self, own: &File) -> String {
        let (settings, usual): (&[&str], _) = match self {
            Format::OpenPgp => (&["gpg.openpgp.program", "gpg.program"], "gpg"),
            Format::X509 => (&["gpg.x509.program"], "gpgsm"),
            Format::Ssh => (&["gpg.ssh.program"], "ssh-keygen"),
        };
        let named = settings.iter().find_map(|name| own.string(*name)).map(|name| name.to_string());
        named.filter(|name| !name.is_empty()).unwrap_or_else(|| usual.to_owned())
    }

    fn begins(self) -> &'static str {
        match self {
            Format::OpenPgp => "-----BEGIN PGP SIGNATURE-----\n",
            Format::X509 => "-----BEGIN SIGNED MESSAGE-----\n",
            Format::Ssh => "-----BEGIN SSH SIGNATURE-----\n",
        }
    }
}

/// The person's key, as git has it configured.
pub struct ConfiguredKey {
    /// The name of the format, which may be no known one.
    format: String,
    /// `user.signingKey`.
    key: Option<String>,
    /// The person's own configuration.
    own: File,
    environment: Environment,
    clock: Clock,
}

impl ConfiguredKey {
    /// The one for commits to the repository at `place`, or to one that is elsewhere. `None` if commits are not to be signed.
    pub fn find(place: Option<&GitPlace>, environment: Environment, clock: Clock) -> Option<Self> {
        let config = git_config::read(place);
        // What git cannot read as yes or no may be meant as a yes.
        if !config.boolean("commit.gpgSign").map_or(true, Option::unwrap_or_default) {
            return None;
        }
        let text = |name| config.string(name).map(|text| text.to_string()).filter(|text| !text.is_empty());
        Some(ConfiguredKey {
            format: text("gpg.format").unwrap_or_else(|| "openpgp".to_owned()),
            key: text("user.signingKey"),
            own: git_config::read(None),
            environment,
            clock,
        })
    }

    /// The program that makes such signatures.
    fn program(&self, format: Format) -> Result<(String, Command)> {
        let name = format.program_of(&self.own);
        match self.environment.program(&name) {
            Some(command) => Ok((name, command)),
            None => Err(unsigned(format!("there is no {name}"))),
        }
    }

    /// By gpg, as git calls it. Without a key it takes the committer's.
    fn by_gpg(&self, format: Format, commit: &[u8]) -> Result<String> {
        let key = match &self.key {
            Some(key) => key.clone(),
            None => committer(commit).ok_or_else(|| unsigned("the commit names no committer".to_owned()))?,
        };
        let (name, mut command) = self.program(format)?;
        command.args(["-bsau", &key]);
        self.run(&name, command, commit)
    }

    /// By ssh-keygen, as git calls it.
    fn by_ssh(&self, commit: &[u8]) -> Result<String> {
        let key = match &self.key {
            Some(key) => key.clone(),
            None => self.default_key()?.ok_or_else(|| unsigned("user.signingKey is not set".to_owned()))?,
        };
        let (name, mut command) = self.program(Format::Ssh)?;
        command.args(["-Y", "sign", "-n", "git"]);
        match literal(&key) {
            // The key itself is with the agent.
            Some(public) => {
                let file = written(format!("{public}\n").as_bytes());
                let file = file.map_err(|error| unsigned(format!("the public key cannot be written: {error}")))?;
                command.arg("-f").arg(file.path()).arg("-U");
                self.run(&name, command, commit)
            }
            None => {
                let path = git_config::expanded(gix::bstr::BString::from(key.as_str()).into());
                command.arg("-f").arg(path.map_or_else(|| OsString::from(&key), Into::into));
                self.run(&name, command, commit)
            }
        }
    }

    /// The first key that the person's `gpg.ssh.defaultKeyCommand` prints.
    fn default_key(&self) -> Result<Option<String>> {
        let Some(words) = self.own.string("gpg.ssh.defaultKeyCommand") else { return Ok(None) };
        let words = shlex::bytes::split(words.as_bytes()).unwrap_or_default();
        let mut words = words.iter().map(|word| word.to_str_lossy().into_owned());
        let Some(mut command) = words.next().and_then(|name| self.environment.program(&name)) else { return Ok(None) };
        command.args(words);
        let said = program::ask(command, "", LIMIT, &self.clock)?.unwrap_or_default();
        Ok(said.lines().map(str::trim).find(|line| literal(line).is_some()).map(str::to_owned))
    }

    fn run(&self, name: &str, command: Command, commit: &[u8]) -> Result<String> {
        let made = program::ask(command, commit, LIMIT, &self.clock)?;
        made.ok_or_else(|| unsigned(format!("{name} makes no signature")))
    }
}

impl Signer for ConfiguredKey {
    fn sign(&self, commit: &[u8]) -> Result<String> {
        let Some(format) = Format::named(&self.format) else {
            return Err(unsigned(format!("gpg.format is {}", crate::screen::line(&self.format))));
        };
        let made = match format {
            Format::OpenPgp | Format::X509 => self.by_gpg(format, commit)?,
            Format::Ssh => self.by_ssh(commit)?,
        };
        let made = made.replace("\r\n", "\n");
        let is_text = made.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte));
        if !(is_text && made.starts_with(format.begins()) && made.ends_with("-----\n") && made.len() <= MOST) {
            return Err(unsigned("what its program prints is no signature".to_owned()));
        }
        Ok(made)
    }
}

/// A key that the setting has itself, instead of naming its file (git-config, `user.signingKey`).
fn literal(key: &str) -> Option<&str> {
    key.strip_prefix("key::").or_else(|| Some(key).filter(|key| key.starts_with("ssh-")))
}

/// A file with this in it, for a program to read.
fn written(content: &[u8]) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    file.write_all(content)?;
    Ok(file)
}

/// `Name <email>` of a commit's committer.
fn committer(commit: &[u8]) -> Option<String> {
    let line = commit.lines().take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix(b"committer "))?;
    Some(line[..=line.rfind_byte(b'>')?].to_str().ok()?.to_owned())
}

/// The push stops: what was to be signed does not leave unsigned.
fn unsigned(why: String) -> HostError {
    HostError::new(ErrorKind::Refused, format!("the commits are to be signed (commit.gpgSign), but {why}"))
        .hint("nothing was pushed; see that `git commit -S` works for the user, or that commit.gpgSign is off")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committer_is_found_in_the_headers_alone() {
        let commit = b"tree 1\nauthor A <a> 0 +0000\ncommitter C D <c@d> 0 +0000\n\ncommitter E <e> 0 +0000\n";
        assert_eq!(committer(commit).as_deref(), Some("C D <c@d>"));
        assert_eq!(committer(b"tree 1\n\ncommitter E <e> 0 +0000\n"), None);
    }

    #[test]
    fn a_key_is_a_file_unless_it_says_what_it_is() {
        assert_eq!(literal("ssh-ed25519 AAAA"), Some("ssh-ed25519 AAAA"));
        assert_eq!(literal("key::ecdsa-sha2-nistp256 AAAA"), Some("ecdsa-sha2-nistp256 AAAA"));
        assert_eq!(literal("~/.ssh/id_ed25519.pub"), None);
    }
}
