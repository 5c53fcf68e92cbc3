//! Basic regular expressions, the pattern language of `git log --grep` and `--author`, as the GNU C library has them in the C locale.
//!
//! A pattern is translated for the `regex` crate, which matches in time linear in the text. Only whether a line matches is the same, not
//! what of it does. Back-references, for which there is no linear way, are refused.

mod brackets;
mod error;
mod interval;
mod tokens;
mod translate;

#[cfg(test)]
mod tests;

use regex::bytes::{Regex, RegexBuilder};

use self::error::Refusal;
use crate::error::ToolError;

/// How many bytes a compiled pattern may take. More is a pattern nobody writes by hand, and may make matching slow.
const MAX_COMPILED: usize = 1 << 20;

/// How deep what is compiled may be nested: groups, and what is repeated in them.
const MAX_DEPTH: u32 = 400;

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
/// In git's words if a pattern is invalid. Also refused are back-references and patterns that are too large to be looked for in bounded time.
pub fn compile(pattern: &str, origin: Origin) -> Result<Regex, ToolError> {
    let mut translated = String::new();
    for pattern in pattern.split('\n') {
        if !translated.is_empty() {
            translated.push('|');
        }
        translated += &translate::translate(pattern.as_bytes()).map_err(|refusal| explain(refusal, pattern, origin))?;
    }
    RegexBuilder::new(&translated)
        .unicode(false)
        .nest_limit(MAX_DEPTH)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED)
        .build()
        .map_err(|_| explain(Refusal::TooLarge, pattern, origin))
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
