//! What parameter expansions make of a text: parts of it, without a pattern, with other letters.

use brush_parser::word::{Parameter, ParameterExpr as Expr, ParameterTransformOp as Op, SubstringMatchKind as Where};
use bstr::{BString, ByteSlice, ByteVec};

use super::parameter::{Content, shown};
use super::pattern::Pattern;
use super::quote;
use crate::exec::Ended;
use crate::state::Shell;
use crate::value::{Case, Value, Variable};

/// Does it to a text, or to each element.
fn each(content: Content, mut change: impl FnMut(&BString) -> Result<BString, Ended>) -> Result<Content, Ended> {
    Ok(match content {
        Content::One(None) => Content::One(None),
        Content::One(Some(text)) => Content::One(Some(change(&text)?)),
        Content::Many(all, joins) => Content::Many(all.iter().map(change).collect::<Result<_, _>>()?, joins),
    })
}

/// A part of a text, in characters, or of the elements.
pub fn part(
    shell: &Shell,
    content: Content,
    from: i64,
    length: Option<i64>,
    with_name: bool,
) -> Result<Content, Ended> {
    let span = |count: usize| -> Result<Option<(usize, usize)>, Ended> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let begin = if from < 0 { count + from } else { from };
        if begin < 0 || begin > count {
            return Ok(None);
        }
        let end = match length {
            None => count,
            Some(length) if length < 0 => {
                if count + length < begin {
                    return Err(Ended::Fatal(format!("{length}: substring expression < 0"), 1));
                }
                count + length
            }
            Some(length) => begin.saturating_add(length).min(count),
        };
        let place = |at: i64| usize::try_from(at).expect("it is within the text");
        Ok(Some((place(begin), place(end))))
    };
    Ok(match content {
        Content::One(None) => Content::One(None),
        Content::One(Some(text)) => {
            let Some((begin, end)) = span(text.chars().count())? else { return Ok(Content::One(Some("".into()))) };
            let places: Vec<usize> = text.char_indices().map(|(at, ..)| at).chain([text.len()]).collect();
            Content::One(Some(text[places[begin]..places[end]].into()))
        }
        Content::Many(mut all, joins) => {
            // ${@:0} has the shell's name in front, and ${@:1} does not.
            if with_name {
                all.insert(0, shell.name.clone());
            }
            let Some((begin, end)) = span(all.len())? else { return Ok(Content::Many(Vec::new(), joins)) };
            Content::Many(all[begin..end].to_vec(), joins)
        }
    })
}

/// What the other expressions make of it.
pub async fn changed(
    shell: &mut Shell,
    expr: &Expr,
    parameter: &Parameter,
    content: Content,
    quoted: bool,
) -> Result<Content, Ended> {
    match expr {
        Expr::RemoveSmallestPrefixPattern { pattern, .. } => {
            let pattern = of(shell, pattern.as_deref()).await?;
            each(content, |text| Ok(text[pattern.prefixes(text).first().copied().unwrap_or(0)..].into()))
        }
        Expr::RemoveLargestPrefixPattern { pattern, .. } => {
            let pattern = of(shell, pattern.as_deref()).await?;
            each(content, |text| Ok(text[pattern.prefixes(text).last().copied().unwrap_or(0)..].into()))
        }
        Expr::RemoveSmallestSuffixPattern { pattern, .. } => {
            let pattern = of(shell, pattern.as_deref()).await?;
            each(content, |text| {
                shell.work(units(text))?;
                Ok(text[..pattern.suffix(text, true).unwrap_or(text.len())].into())
            })
        }
        Expr::RemoveLargestSuffixPattern { pattern, .. } => {
            let pattern = of(shell, pattern.as_deref()).await?;
            each(content, |text| {
                shell.work(units(text))?;
                Ok(text[..pattern.suffix(text, false).unwrap_or(text.len())].into())
            })
        }
        Expr::ReplaceSubstring { pattern, replacement, match_kind, .. } => {
            let pattern = of(shell, Some(pattern)).await?;
            let replacement = match replacement {
                Some(text) => super::operand(shell, text, quoted).await?,
                None => BString::default(),
            };
            each(content, |text| {
                shell.work(units(text))?;
                replaced(shell, text, &pattern, &replacement, match_kind)
            })
        }
        Expr::UppercaseFirstChar { pattern, .. } => case(shell, content, pattern.as_deref(), Case::Upper, true).await,
        Expr::UppercasePattern { pattern, .. } => case(shell, content, pattern.as_deref(), Case::Upper, false).await,
        Expr::LowercaseFirstChar { pattern, .. } => case(shell, content, pattern.as_deref(), Case::Lower, true).await,
        Expr::LowercasePattern { pattern, .. } => case(shell, content, pattern.as_deref(), Case::Lower, false).await,
        Expr::Transform { op, .. } => operated(shell, op, parameter, content),
        _ => Ok(content),
    }
}

fn units(text: &BString) -> u32 {
    u32::try_from(1 + text.len() / 8).unwrap_or(u32::MAX)
}

async fn of(shell: &mut Shell, pattern: Option<&str>) -> Result<Pattern, Ended> {
    super::pattern_of(shell, pattern.unwrap_or_default()).await
}

fn replaced(
    shell: &Shell,
    text: &BString,
    pattern: &Pattern,
    replacement: &BString,
    kind: &Where,
) -> Result<BString, Ended> {
    let mut out = BString::default();
    if pattern.is_empty() {
        return Ok(text.clone());
    }
    match kind {
        Where::Prefix => {
            let end = pattern.prefixes(text).last().copied();
            return Ok(end.map_or_else(|| text.clone(), |end| [replacement, &text[end..]].concat().into()));
        }
        Where::Suffix => {
            let begin = pattern.suffix(text, false);
            return Ok(begin.map_or_else(|| text.clone(), |begin| [&text[..begin], replacement].concat().into()));
        }
        Where::FirstOccurrence | Where::Anywhere => (),
    }
    let once = matches!(kind, Where::FirstOccurrence);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match pattern.prefixes(rest).last().copied().filter(|length| *length > 0) {
            Some(length) => {
                out.extend_from_slice(replacement);
                at += length;
                if once {
                    break;
                }
            }
            None => {
                let (_, length) = bstr::decode_utf8(rest);
                out.extend_from_slice(&rest[..length]);
                at += length;
            }
        }
        shell.work(1)?;
        shell.hold(out.len())?;
    }
    out.extend_from_slice(&text[at.min(text.len())..]);
    Ok(out)
}

async fn case(
    shell: &mut Shell,
    content: Content,
    pattern: Option<&str>,
    to: Case,
    first: bool,
) -> Result<Content, Ended> {
    let pattern = match pattern.filter(|pattern| !pattern.is_empty()) {
        Some(pattern) => Some(of(shell, Some(pattern)).await?),
        None => None,
    };
    each(content, |text| {
        let mut out = BString::default();
        for (at, (begin, end, char)) in text.char_indices().enumerate() {
            let bytes = &text[begin..end];
            let takes = (!first || at == 0) && pattern.as_ref().is_none_or(|pattern| pattern.matches(bytes));
            match (takes, to) {
                (true, Case::Upper) => out.push_char(upper(char)),
                (true, Case::Lower) => out.push_char(lower(char)),
                (false, _) => out.extend_from_slice(bytes),
            }
        }
        Ok(out)
    })
}

/// The letter of upper case, if there is one: C knows no letter that becomes two.
pub fn upper(char: char) -> char {
    let mut all = char.to_uppercase();
    all.next().filter(|_| all.next().is_none()).unwrap_or(char)
}

/// The letter of lower case, if there is one.
pub fn lower(char: char) -> char {
    let mut all = char.to_lowercase();
    all.next().filter(|_| all.next().is_none()).unwrap_or(char)
}

/// The text in another case.
pub fn cased(text: &[u8], to: Case) -> BString {
    let mut out = BString::default();
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            out.push_char(if to == Case::Upper { upper(char) } else { lower(char) });
        }
        out.extend_from_slice(chunk.invalid());
    }
    out
}

fn operated(shell: &mut Shell, op: &Op, parameter: &Parameter, content: Content) -> Result<Content, Ended> {
    match op {
        Op::Quoted => each(content, |text| Ok(quote::at_q(text))),
        Op::ToUpperCase => each(content, |text| Ok(cased(text, Case::Upper))),
        Op::ToLowerCase => each(content, |text| Ok(cased(text, Case::Lower))),
        Op::CapitalizeInitial => each(content, |text| {
            let mut chars = text.char_indices();
            let Some((_, end, first)) = chars.next() else { return Ok(BString::default()) };
            Ok([upper(first).to_string().as_bytes(), &text[end..]].concat().into())
        }),
        Op::ExpandEscapeSequences => each(content, |text| Ok(quote::ansi_c(text))),
        Op::ToAttributeFlags => {
            let variable = match parameter {
                Parameter::Named(name)
                | Parameter::NamedWithIndex { name, .. }
                | Parameter::NamedWithAllIndices { name, .. } => shell.vars.get(name),
                _ => None,
            };
            Ok(Content::One(Some(variable.map(flags).unwrap_or_default().into())))
        }
        Op::ToAssignmentLogic => {
            let name = shown(parameter);
            each(content, |text| Ok(format!("{name}={}", quote::at_q(text)).into()))
        }
        Op::PromptExpand | Op::PossiblyQuoteWithArraysExpanded { .. } => Ok(content),
    }
}

/// The attributes of a variable, as `declare` writes them.
pub fn flags(variable: &Variable) -> String {
    let mut flags = String::new();
    match &variable.value {
        Some(Value::List(_)) => flags.push('a'),
        Some(Value::Map(_)) => flags.push('A'),
        _ => (),
    }
    for (is, flag) in
        [(variable.integer, 'i'), (variable.reference, 'n'), (variable.readonly, 'r'), (variable.exported, 'x')]
    {
        if is {
            flags.push(flag);
        }
    }
    match variable.case {
        Some(Case::Lower) => flags.push('l'),
        Some(Case::Upper) => flags.push('u'),
        None => (),
    }
    flags
}
