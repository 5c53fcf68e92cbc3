//! Names of repositories.

use std::{fmt, str::FromStr};

use super::{Fault, FaultKind, Forge, Misspelt};
use crate::{
    refname::BranchRef,
    target::{CanonicalTarget, TargetKind},
    text,
};

/// The name of a repository, `owner/name`. GitHub ignores case in it, so it is kept in lower case:
/// the same repository always has the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repository(String);

impl Repository {
    /// The owner: a user or an organisation.
    pub fn owner(&self) -> &str {
        self.0.split_once('/').expect("the name was parsed").0
    }

    /// The name without its owner.
    pub fn name(&self) -> &str {
        self.0.split_once('/').expect("the name was parsed").1
    }

    /// `owner/name`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The target that approvals are bound to.
    pub fn target(&self) -> CanonicalTarget {
        CanonicalTarget::new(TargetKind::Server(Forge::Github), self.0.as_str())
            .expect("a target is checked by the same rules")
    }

    /// The path of something in the repository. `rest` starts with a slash or is empty.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("/repos/{}{rest}", self.0)
    }
}

impl FromStr for Repository {
    type Err = Fault;

    fn from_str(name: &str) -> Result<Self, Fault> {
        match fault(name) {
            None => Ok(Repository(name.to_ascii_lowercase())),
            Some(why) => Err(Fault::new(
                FaultKind::BadName,
                format!("'{}' is not a repository on GitHub: {why}", text::name(name.as_bytes())),
            )
            .with_hint("name it as owner/repository, as in the address of its page")),
        }
    }
}

impl TryFrom<&CanonicalTarget> for Repository {
    type Error = Fault;

    fn try_from(target: &CanonicalTarget) -> Result<Self, Fault> {
        match target.kind() {
            TargetKind::Server(Forge::Github) => target.location().parse(),
            _ => Err(Fault::new(FaultKind::BadName, format!("'{target}' is not on GitHub"))),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The part of a path that names a branch: `heads/<branch>`.
pub(super) fn heads(reference: &BranchRef) -> String {
    format!("heads/{}", encoded(reference.branch()))
}

/// A part of a path or a query, percent-encoded but for its slashes.
pub(super) fn encoded(part: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => write!(out, "%{byte:02X}").expect("writing to a string does not fail"),
        }
    }
    out
}

/// Why `location` does not name a repository on GitHub, if it does not.
pub(super) fn fault(location: &str) -> Option<&'static str> {
    let is_word = |word: &str, signs: &[u8]| {
        (1..=100).contains(&word.len())
            && !word.starts_with('-')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte))
    };
    match location.split_once('/') {
        Some((owner, name)) if is_word(owner, b"-_") && is_word(name, b"-_.") && name != "." && name != ".." => {
            // GitHub drops the ending, so two names would stand for one repository.
            name.to_ascii_lowercase().ends_with(".git").then_some("its name ends in .git")
        }
        _ => Some("it is not owner/repository"),
    }
}

/// The name in an address of a repository on github.com.
pub(super) fn of_address(address: &str) -> Option<&str> {
    let starts = ["https://github.com/", "ssh://git@github.com/", "git@github.com:"];
    starts.iter().find_map(|start| address.strip_prefix(start))
}

/// The name that a person has written.
pub(super) fn read(place: &str) -> Result<String, Misspelt> {
    let well_formed = |name: &str| {
        !name.is_empty()
            && !name.starts_with(['-', '.'])
            && name.len() <= 100
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    match place.split_once('/') {
        Some((owner, repo)) if well_formed(owner) && well_formed(repo) => {
            Ok(format!("{owner}/{}", repo.strip_suffix(".git").unwrap_or(repo)))
        }
        _ => Err(Misspelt::new(format!("`{place}` is not OWNER/REPO"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_are_one_repository() {
        let name: Repository = "Octo-Org/Hello.World".parse().unwrap();
        assert_eq!((name.owner(), name.name()), ("octo-org", "hello.world"));
        assert_eq!(name, "octo-org/hello.world".parse().unwrap());
        assert_eq!(name.target(), "github:OCTO-ORG/hello.World".parse().unwrap());
        assert_eq!(Repository::try_from(&name.target()).unwrap(), name);
        assert_eq!("o/.github".parse::<Repository>().unwrap().as_str(), "o/.github");
    }

    #[test]
    fn attack_05_what_is_no_name_is_refused() {
        for name in [
            "", "o", "o/", "/r", "o/r/x", "-o/r", "o/-r", "o/.", "o/..", "../r", "o/r.git", "o/R.GIT", "o/.git",
            "o.x/r", "o/r?x", "o/r#x", "o/r%2f", "o /r", "o/\u{e9}", "o/r\n",
        ] {
            assert_eq!(name.parse::<Repository>().unwrap_err().kind, FaultKind::BadName, "{name:?}");
            assert!(format!("github:{name}").parse::<CanonicalTarget>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn attack_05_a_branch_cannot_leave_its_place_in_a_path() {
        let heads = |branch| heads(&BranchRef::from_branch(branch).unwrap());
        assert_eq!(heads("topic/a-b_c.d"), "heads/topic/a-b_c.d");
        assert_eq!(heads("a%2fb#c&d=e+f\u{e9}"), "heads/a%252fb%23c%26d%3De%2Bf%C3%A9");
    }
}
