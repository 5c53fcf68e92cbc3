//! The author of commits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, HostError, Result};

/// A name and an address, neither with a character that git takes for its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Identity {
    /// `user.name`
    pub name: String,
    /// `user.email`
    pub email: String,
}

impl FromStr for Identity {
    type Err = HostError;

    /// Parses `Name <email>`.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            HostError::new(ErrorKind::Usage, format!("'{}' is not an identity", text.escape_debug()))
                .hint("write it as git does: \"Name <name@example.org>\"")
        };
        let (name, rest) = text.split_once('<').ok_or_else(wrong)?;
        let (email, rest) = rest.split_once('>').ok_or_else(wrong)?;
        let (name, email) = (name.trim(), email.trim());
        let unusable = |text: &str| text.is_empty() || text.chars().any(|c| c.is_control() || c == '<' || c == '>');
        if unusable(name) || unusable(email) || !rest.trim().is_empty() {
            return Err(wrong());
        }
        Ok(Identity { name: name.to_owned(), email: email.to_owned() })
    }
}

impl TryFrom<String> for Identity {
    type Error = HostError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Identity> for String {
    fn from(identity: Identity) -> String {
        identity.to_string()
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_written_as_git_writes_it() {
        let identity: Identity = "Ada Lovelace <ada@example.org>".parse().unwrap();
        assert_eq!((identity.name.as_str(), identity.email.as_str()), ("Ada Lovelace", "ada@example.org"));
        assert_eq!(identity.to_string().parse::<Identity>().unwrap(), identity);
    }

    #[test]
    fn what_could_break_a_commit_header_is_refused() {
        for wrong in
            ["", "Ada", "<ada@x>", "Ada <>", "Ada <a> x", "A\nB <a@x>", "A <a\n@x>", "Ada <a<b>", "A > B <c>d>"]
        {
            let error = wrong.parse::<Identity>().unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage, "{wrong}");
        }
    }
}
