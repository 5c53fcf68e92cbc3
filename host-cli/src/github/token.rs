//! The person's token, and where it comes from.

use std::fmt;

use super::base::Base;
use super::environment::{Environment, TOKEN};
use super::gh;
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Clock;

/// Bytes of a token. GitHub says that they may grow to 255.
const MOST: usize = 4096;

/// A token, which only the request that it goes with may see.
pub(super) struct Token(String);

impl Token {
    /// `GITHUB_TOKEN`, else what the GitHub CLI has for this server.
    ///
    /// # Errors
    /// There is none, or what is there cannot be one. No error contains it.
    pub fn find(environment: &Environment, base: &Base, clock: &Clock) -> Result<Self> {
        if let Some(value) = environment.get(TOKEN) {
            return Token::new(TOKEN, value.to_str().ok_or_else(|| unusable(TOKEN))?);
        }
        match gh::token(environment, base.host(), gh::LIMIT, clock)? {
            Some(said) => Token::new("`gh auth token`", said.trim_end_matches(['\r', '\n'])),
            None => Err(HostError::new(ErrorKind::Usage, "GitHub authentication required").hint(
                "Either: set the GITHUB_TOKEN environment variable, or run `gh auth login` to authenticate with \
                 GitHub CLI",
            )),
        }
    }

    /// A header takes visible ASCII only, and anything else is a mistake in any case.
    fn new(from: &str, value: &str) -> Result<Self> {
        if value.trim().is_empty() {
            return Err(HostError::new(ErrorKind::Usage, format!("the GitHub token from {from} is empty"))
                .hint("give a token, or unset the variable and run `gh auth login`"));
        }
        if value.len() > MOST || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(unusable(from));
        }
        Ok(Token(value.to_owned()))
    }

    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the token.
    pub fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "***")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

fn unusable(from: &str) -> HostError {
    HostError::new(ErrorKind::Usage, format!("the GitHub token from {from} has characters that no token has"))
        .hint("check for spaces and line ends in it")
}
