//! The pieces of a word, one after the other.

use std::rc::Rc;

use brush_parser::ParserOptions;
use brush_parser::word::{self, TildeExpr, WordPiece, WordPieceWithSource};
use bstr::{BString, ByteSlice};

use super::fields::Fields;
use super::{arithmetic, parameter, quote};
use crate::exec::{Ended, captured};
use crate::script::turns::Local;
use crate::state::Shell;

/// What a word is expanded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Arguments: unquoted expansions are split.
    Fields,
    /// Arguments inside of an expansion: what stands there is split as well.
    Inner,
    /// A text: nothing is split.
    Text,
    /// What is assigned: a text, with tildes behind colons.
    Assigned,
    /// A regular expression: a text in which a backslash stays where nothing is quoted by it.
    Regex,
    /// As between double quotes.
    Quoted,
    /// A here-document: quotes are nothing special.
    Document,
    /// An arithmetic expression: quotes go away.
    Arithmetic,
}

impl Mode {
    /// Whether unquoted expansions are split.
    pub fn splits(self) -> bool {
        matches!(self, Mode::Fields | Mode::Inner)
    }
}

fn options(mode: Mode) -> ParserOptions {
    ParserOptions { tilde_expansion_after_colon: mode == Mode::Assigned, ..ParserOptions::default() }
}

/// Expands the pieces of a word.
pub fn expanded<'a>(shell: &'a mut Shell, text: &'a str, mode: Mode) -> Local<'a, Result<Fields, Ended>> {
    Box::pin(async move {
        let mut fields = super::fields(shell);
        into(shell, text, mode, &mut fields).await?;
        Ok(fields)
    })
}

/// Adds the pieces of a word to fields.
pub fn into<'a>(
    shell: &'a mut Shell,
    text: &'a str,
    mode: Mode,
    fields: &'a mut Fields,
) -> Local<'a, Result<(), Ended>> {
    Box::pin(async move {
        let pieces = parsed(text, mode)?;
        for piece in pieces.iter() {
            add(shell, &piece.piece, mode, matches!(mode, Mode::Quoted | Mode::Document), fields).await?;
        }
        Ok(())
    })
}

fn parsed(text: &str, mode: Mode) -> Result<Rc<[WordPieceWithSource]>, Ended> {
    crate::parse::checked(text).map_err(|message| Ended::Fatal(message, 1))?;
    let pieces = match mode {
        Mode::Document => word::parse_heredoc(text, &options(mode)),
        Mode::Quoted => {
            // The parser knows what is between quotes only with the quotes around it.
            return match word::parse(&format!("\"{}\"", without_quotes(text)), &options(mode)) {
                Ok(pieces) => match pieces.into_iter().next().map(|piece| piece.piece) {
                    Some(WordPiece::DoubleQuotedSequence(pieces)) => Ok(pieces.into()),
                    _ => Ok(Rc::from([])),
                },
                Err(_) => Err(bad(text)),
            };
        }
        _ => word::parse(text, &options(mode)),
    };
    pieces.map(Rc::from).map_err(|_| bad(text))
}

/// The text without double quotes: inside of other quotes they quote nothing more, unless a command begins in between.
fn without_quotes(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut chars) = (0_usize, text.chars().peekable());
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                out.push(char);
                out.extend(chars.next());
                continue;
            }
            '"' if depth == 0 => continue,
            '$' if matches!(chars.peek(), Some('(' | '{')) => {
                out.push(char);
                out.extend(chars.next());
                depth += 1;
                continue;
            }
            '(' if depth > 0 => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => (),
        }
        out.push(char);
    }
    out
}

fn bad(text: &str) -> Ended {
    Ended::Fatal(format!("{text}: bad substitution"), 1)
}

fn add<'a>(
    shell: &'a mut Shell,
    piece: &'a WordPiece,
    mode: Mode,
    quoted: bool,
    fields: &'a mut Fields,
) -> Local<'a, Result<(), Ended>> {
    Box::pin(async move {
        match piece {
            WordPiece::Text(text) if mode == Mode::Inner => value(text.as_bytes(), mode, quoted, fields),
            WordPiece::Text(text) => fields.add(text.as_bytes(), quoted),
            WordPiece::SingleQuotedText(text) => {
                fields.begin();
                fields.add(text.as_bytes(), true);
            }
            WordPiece::AnsiCQuotedText(text) => {
                fields.begin();
                fields.add(&quote::ansi_c(text.as_bytes()), true);
            }
            WordPiece::DoubleQuotedSequence(pieces) | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                // "$@" without arguments is no field, and everything else in quotes is one.
                if !is_all_arguments(pieces) {
                    fields.begin();
                }
                for piece in pieces {
                    add(shell, &piece.piece, mode, true, fields).await?;
                }
            }
            WordPiece::TildeExpansion(tilde) => {
                let folder = home(shell, tilde);
                fields.add(&folder, true);
            }
            WordPiece::ParameterExpansion(expr) => parameter::add(shell, expr, mode, quoted, fields).await?,
            WordPiece::CommandSubstitution(text) => {
                let output = captured(shell, text).await?;
                value(&output, mode, quoted, fields);
            }
            WordPiece::BackquotedCommandSubstitution(text) => {
                let output = captured(shell, &unescaped(text, quoted)).await?;
                value(&output, mode, quoted, fields);
            }
            WordPiece::EscapeSequence(text) => {
                let escaped = text.strip_prefix('\\').unwrap_or(text);
                // A line break behind a backslash joins lines.
                if escaped != "\n" {
                    fields.begin();
                    fields.add(escaped.as_bytes(), true);
                }
            }
            WordPiece::ArithmeticExpression(expr) => {
                let number = arithmetic::run(shell, &expr.value).await.map_err(Ended::fatal)?;
                value(number.to_string().as_bytes(), mode, quoted, fields);
            }
        }
        Ok(())
    })
}

/// Adds the value of an expansion.
pub fn value(bytes: &[u8], mode: Mode, quoted: bool, fields: &mut Fields) {
    match mode.splits() && !quoted {
        true => fields.split(bytes),
        false => fields.add(bytes, quoted),
    }
}

/// Whether the only thing in quotes is `$@`, or an array like it.
fn is_all_arguments(pieces: &[WordPieceWithSource]) -> bool {
    use brush_parser::word::{Parameter, ParameterExpr, SpecialParameter};
    let [WordPieceWithSource { piece: WordPiece::ParameterExpansion(expr), .. }] = pieces else { return false };
    let parameter = match expr {
        ParameterExpr::MemberKeys { concatenate, .. } | ParameterExpr::VariableNames { concatenate, .. } => {
            return !concatenate;
        }
        expr => parameter::of(expr),
    };
    matches!(
        parameter,
        Some(
            Parameter::Special(SpecialParameter::AllPositionalParameters { concatenate: false })
                | Parameter::NamedWithAllIndices { concatenate: false, .. }
        )
    )
}

/// What stands between backquotes: a backslash quotes backquotes, dollars and backslashes.
fn unescaped(text: &str, quoted: bool) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match chars.peek() {
            Some(next) if char == '\\' && (matches!(next, '`' | '$' | '\\') || (quoted && *next == '"')) => {
                out.extend(chars.next());
            }
            _ => out.push(char),
        }
    }
    out
}

fn home(shell: &Shell, tilde: &TildeExpr) -> BString {
    let text = |name: &str| shell.vars.text(name).cloned();
    match tilde {
        TildeExpr::Home => text("HOME").unwrap_or_else(|| "/".into()),
        TildeExpr::WorkingDir => shell.folder.clone(),
        TildeExpr::OldWorkingDir => text("OLDPWD").unwrap_or_else(|| "~-".into()),
        TildeExpr::UserHome(name) => format!("~{name}").into(),
        TildeExpr::NthDirFromTopOfDirStack { n, .. } => {
            let stack = &shell.folders;
            match n.checked_sub(1) {
                None => shell.folder.clone(),
                Some(at) => stack.iter().rev().nth(at).cloned().unwrap_or_else(|| format!("~{n}").into()),
            }
        }
        TildeExpr::NthDirFromBottomOfDirStack { n } => {
            shell.folders.get(*n).map_or_else(|| format!("~-{n}").into(), |folder| folder.as_bstr().to_owned())
        }
    }
}
