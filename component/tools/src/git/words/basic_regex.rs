//! Basic regular expressions, the pattern language of `git log --grep` and `--author`, as the GNU C
//! library implements them in the C locale.
//!
//! [`compile`] translates a pattern to the syntax of the `regex` crates. The search builds an automaton as it runs. A byte costs at most as
//! many steps as the compiled pattern has states, for any text, and the search polls the deadline in proportion. It agrees with git on
//! whether a line matches, not on which part of it. It refuses back-references, because no automaton can find them.

mod brackets;
mod error;
mod interval;
mod pattern;
mod tokens;
mod translate;

#[cfg(test)]
mod tests;

use self::error::Refusal;
pub use self::pattern::Pattern;
use crate::error::ToolError;

/// The origin of a pattern, for git's error messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Origin {
    /// `--grep`
    CommandLine,
    /// `--author` and `--committer`
    Header,
}

impl Origin {
    fn name(self) -> &'static str {
        match self {
            Origin::CommandLine => "command line",
            Origin::Header => "header",
        }
    }
}

/// A matcher for `pattern` in **one line** without its line feed. Like git, callers match each line of a message, or `Name <email>`. git
/// takes the empty line after a commit's header as the first line of the message, so `^$` matches every commit. Each line of `pattern` is a
/// separate pattern, and a line of text matches if any of them does.
///
/// # Errors
///
/// In git's words, if a pattern is invalid. Also for back-references and for patterns that are too large.
pub fn compile(pattern: &str, origin: Origin, ignores_case: bool) -> Result<Pattern, ToolError> {
    let mut translated = String::new();
    for pattern in pattern.split('\n') {
        if !translated.is_empty() {
            translated.push('|');
        }
        translated += &translate::translate(pattern.as_bytes()).map_err(|refusal| explain(refusal, pattern, origin))?;
    }
    if ignores_case {
        translated = format!("(?i:{translated})");
    }
    Pattern::new(&translated).ok_or_else(|| explain(Refusal::TooLarge, pattern, origin))
}

fn explain(refusal: Refusal, pattern: &str, origin: Origin) -> ToolError {
    match refusal {
        Refusal::Git(error) => ToolError::failed(format!("fatal: {}, '{pattern}': {}", origin.name(), error.message()))
            .hint(
                r"Write a basic regular expression: \(, \), \{, \} and \| are operators, and \[ is a literal bracket.",
            ),
        Refusal::BackReference => {
            ToolError::bad_args(format!("Back-references are not supported in patterns: {pattern}"))
                .hint(r"Remove \1 to \9. Write the repeated part twice.")
        }
        Refusal::TooLarge => {
            let start: String = pattern.chars().take(80).collect();
            ToolError::bad_args(format!("Pattern too large: {start}"))
                .hint("Use smaller repetition counts and fewer nested groups.")
        }
    }
}
