//! What becomes of words (Shell Expansions in bash's manual): braces, tildes, parameters, commands, arithmetic, fields, file names.

pub mod arithmetic;
mod braces;
mod fields;
mod glob;
mod parameter;
pub mod pattern;
mod pieces;
pub mod quote;
pub mod special;
mod transform;

use brush_parser::ast::Word;
use bstr::{BString, ByteSlice};

use self::fields::{Field, Fields};
use self::pattern::Pattern;
use self::pieces::Mode;
use crate::exec::Ended;
use crate::script::turns::Local;
use crate::state::Shell;

pub use self::transform::{cased, flags};

/// The words as arguments: with braces, split into fields, and with the names of files for patterns.
pub fn all<'a>(shell: &'a mut Shell, words: &'a [Word]) -> Local<'a, Result<Vec<BString>, Ended>> {
    Box::pin(async move {
        let mut arguments = Vec::new();
        for word in words {
            if is_plain(&word.value) {
                arguments.push(BString::from(word.value.as_str()));
                continue;
            }
            for text in braces::expanded(shell, &word.value)? {
                let fields = pieces::expanded(shell, &text, Mode::Fields).await?;
                for field in fields.done() {
                    glob::add(shell, field, &mut arguments)?;
                }
            }
        }
        Ok(arguments)
    })
}

/// Whether a word stands for itself.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'+' | b'%' | b'@' | b'=')
        })
}

/// The word as the name in a redirection: one field.
pub async fn one(shell: &mut Shell, word: &Word) -> Result<BString, Ended> {
    let mut fields = all(shell, std::slice::from_ref(word)).await?;
    match fields.len() {
        1 => Ok(fields.remove(0)),
        _ => Err(Ended::Failed(format!("{}: ambiguous redirect", word.value))),
    }
}

/// The word as one text: neither split nor a pattern.
pub async fn text(shell: &mut Shell, word: &Word) -> Result<BString, Ended> {
    if is_plain(&word.value) {
        return Ok(word.value.as_str().into());
    }
    Ok(pieces::expanded(shell, &word.value, Mode::Text).await?.joined().bytes.into())
}

/// The word as what is assigned: a text, with a tilde behind every colon as well.
pub async fn assigned(shell: &mut Shell, word: &Word) -> Result<BString, Ended> {
    if is_plain(&word.value) {
        return Ok(word.value.as_str().into());
    }
    Ok(pieces::expanded(shell, &word.value, Mode::Assigned).await?.joined().bytes.into())
}

/// A text, as in double quotes but for the quotes: an arithmetic expression.
pub async fn unquoted(shell: &mut Shell, text: &str) -> Result<BString, Ended> {
    Ok(pieces::expanded(shell, text, Mode::Arithmetic).await?.joined().bytes.into())
}

/// A part of a parameter expansion as text.
pub async fn operand(shell: &mut Shell, text: &str, quoted: bool) -> Result<BString, Ended> {
    let mode = if quoted { Mode::Quoted } else { Mode::Text };
    Ok(pieces::expanded(shell, text, mode).await?.joined().bytes.into())
}

/// The key of an array by texts.
pub async fn key(shell: &mut Shell, text: &str) -> Result<BString, Ended> {
    Ok(pieces::expanded(shell, text, Mode::Text).await?.joined().bytes.into())
}

/// A here-document.
pub async fn document(shell: &mut Shell, text: &str) -> Result<BString, Ended> {
    Ok(pieces::expanded(shell, text, Mode::Document).await?.joined().bytes.into())
}

/// The word as a pattern.
pub async fn pattern(shell: &mut Shell, word: &Word) -> Result<Pattern, Ended> {
    pattern_of(shell, &word.value).await
}

/// The text as a pattern. What is quoted in it stands for itself.
pub async fn pattern_of(shell: &mut Shell, text: &str) -> Result<Pattern, Ended> {
    let field = pieces::expanded(shell, text, Mode::Text).await?.joined();
    Ok(Pattern::of(&field.bytes, &field.quoted))
}

/// The word as a regular expression. What is quoted in it stands for itself.
pub async fn regex(shell: &mut Shell, word: &Word) -> Result<BString, Ended> {
    let Field { bytes, quoted } = pieces::expanded(shell, &word.value, Mode::Regex).await?.joined();
    let mut regex = BString::default();
    for (byte, quoted) in bytes.into_iter().zip(quoted) {
        if quoted && b"\\^$.[]|()?*+{}".contains(&byte) {
            regex.push(b'\\');
        }
        regex.push(byte);
    }
    Ok(regex)
}

/// The characters at which fields end.
fn separators(shell: &Shell) -> BString {
    shell.vars.text("IFS").cloned().unwrap_or_else(|| " \t\n".into())
}

/// What stands between the elements of `$*`.
fn joint(shell: &Shell) -> BString {
    let separators = separators(shell);
    separators.char_indices().next().map_or_else(BString::default, |(_, end, _)| separators[..end].into())
}

/// Collects fields.
fn fields(shell: &Shell) -> Fields {
    Fields::new(separators(shell))
}

/// The characters at which `read` splits.
pub fn ifs(shell: &Shell) -> BString {
    separators(shell)
}
