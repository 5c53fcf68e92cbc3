//! Basic regular expressions, the pattern language of `git log --grep` and `--author`, as the GNU C library has them in the C locale.
//!
//! A pattern is translated to the syntax of the `regex` crates, and looked for by an automaton that is made while it runs: a byte costs as
//! many steps as the compiled pattern has states at most, whatever the text is, and the deadline is looked at in proportion. Only
//! whether a line matches is the same, not what of it does. Back-references, which no automaton finds, are refused.

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

/// Where a pattern comes from, for git's words.
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

/// What finds `pattern` in **one line** without the line feed at its end, as git looks for it: in one line of a message after the other, or
/// in `Name <email>`. git takes the empty line that ends a commit's header for the first line of its message, so that `^$` is found in every
/// commit. Each line of `pattern` is a pattern of its own; a line of text matches if any of them does.
///
/// # Errors
///
/// In git's words if a pattern is invalid. Also refused are back-references, and patterns that are too large.
pub fn compile(pattern: &str, origin: Origin) -> Result<Pattern, ToolError> {
    let mut translated = String::new();
    for pattern in pattern.split('\n') {
        if !translated.is_empty() {
            translated.push('|');
        }
        translated += &translate::translate(pattern.as_bytes()).map_err(|refusal| explain(refusal, pattern, origin))?;
    }
    Pattern::new(&translated).ok_or_else(|| explain(Refusal::TooLarge, pattern, origin))
}

fn explain(refusal: Refusal, pattern: &str, origin: Origin) -> ToolError {
    match refusal {
        Refusal::Git(error) => ToolError::failed(format!("fatal: {}, '{pattern}': {}", origin.name(), error.message()))
            .hint(r"Patterns are basic regular expressions: \(, \), \{, \} and \| are operators, and \[ is a bracket."),
        Refusal::BackReference => {
            ToolError::bad_args(format!("Back-references are not supported in patterns: {pattern}"))
                .hint(r"Leave \1 to \9 out: write what is repeated twice.")
        }
        Refusal::TooLarge => {
            let start: String = pattern.chars().take(80).collect();
            ToolError::bad_args(format!("Pattern too large: {start}"))
                .hint("Use smaller numbers of repetitions, and fewer groups in groups.")
        }
    }
}
