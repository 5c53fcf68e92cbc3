//! `{a,b}` and `{1..9}`.

use brush_parser::ParserOptions;
use brush_parser::word::{BraceExpressionMember as Member, BraceExpressionOrText as Part, parse_brace_expansions};

use crate::builtins::printf::zeros;
use crate::exec::Ended;
use crate::state::Shell;
use crate::world::Halt;

/// The most words that one becomes.
const MOST: usize = 1_000_000;

/// The words that a word becomes.
pub fn expanded(shell: &Shell, word: &str) -> Result<Vec<String>, Ended> {
    if !word.contains('{') {
        return Ok(vec![word.to_owned()]);
    }
    crate::parse::checked(word).map_err(|message| Ended::Fatal(message, 1))?;
    match parse_brace_expansions(word, &ParserOptions::default()) {
        Ok(Some(parts)) if parts.iter().any(|part| matches!(part, Part::Expr(_))) => Ok(product(shell, word, &parts)?),
        _ => Ok(vec![word.to_owned()]),
    }
}

/// Every way through the parts.
fn product(shell: &Shell, word: &str, parts: &[Part]) -> Result<Vec<String>, Halt> {
    let mut words = vec![String::new()];
    for part in parts {
        let ways = match part {
            Part::Text(text) => vec![text.clone()],
            Part::Expr(members) => {
                let mut ways = Vec::new();
                for member in members {
                    ways.extend(ways_of(shell, word, member)?);
                }
                ways
            }
        };
        let count = words.len().saturating_mul(ways.len());
        let bytes = count.saturating_mul(words[0].len() + ways.first().map_or(0, String::len));
        few(count)?;
        shell.hold(bytes)?;
        words = words.iter().flat_map(|begin| ways.iter().map(move |end| format!("{begin}{end}"))).collect();
    }
    Ok(words)
}

fn few(count: usize) -> Result<(), Halt> {
    match count > MOST {
        true => Err(Halt::TooLarge(format!("A word with braces becomes more than {MOST} words"))),
        false => Ok(()),
    }
}

fn ways_of(shell: &Shell, word: &str, member: &Member) -> Result<Vec<String>, Halt> {
    Ok(match member {
        Member::Child(parts) => product(shell, word, parts)?,
        Member::NumberSequence { start, end, increment } => {
            let width = padded(word, *start, *end);
            let numbers = sequence(*start, *end, *increment)?;
            shell.hold(width.saturating_mul(numbers.len()))?;
            numbers
                .map(|number| match number < 0 {
                    true => format!("-{}", zeros(&number.unsigned_abs().to_string(), width.saturating_sub(1))),
                    false => zeros(&number.to_string(), width),
                })
                .collect()
        }
        Member::CharSequence { start, end, increment } => {
            let numbers = sequence(i64::from(u32::from(*start)), i64::from(u32::from(*end)), *increment)?;
            numbers.filter_map(|number| char::from_u32(u32::try_from(number).ok()?)).map(String::from).collect()
        }
    })
}

/// How wide numbers become if one of the two was written with zeros in front. The parser does not keep them.
fn padded(word: &str, start: i64, end: i64) -> usize {
    let written = word.split(['{', '}', ',']).filter_map(|inner| {
        let mut ends = inner.split("..");
        let (first, last) = (ends.next()?, ends.next()?);
        (first.parse() == Ok(start) && last.parse() == Ok(end)).then_some((first, last))
    });
    let has_zeros = |number: &str| {
        let digits = number.trim_start_matches(['-', '+']);
        digits.len() > 1 && digits.starts_with('0')
    };
    let padded = written.filter(|(first, last)| has_zeros(first) || has_zeros(last));
    padded.map(|(first, last)| first.len().max(last.len())).max().unwrap_or(0)
}

fn sequence(start: i64, end: i64, increment: i64) -> Result<impl ExactSizeIterator<Item = i64>, Halt> {
    let step = i128::from(increment.unsigned_abs().max(1));
    let count = (i128::from(end) - i128::from(start)).abs() / step + 1;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    few(count)?;
    let step = if start <= end { step } else { -step };
    let at = move |at: usize| i128::from(start) + i128::try_from(at).expect("they are few") * step;
    Ok((0..count).map(move |number| i64::try_from(at(number)).expect("it lies between the two")))
}
