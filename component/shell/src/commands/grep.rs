//! `grep`, and its old names `egrep` and `fgrep`

pub mod dialect;
pub mod files;
pub mod matcher;
mod options;
pub mod parts;
pub mod perl;
pub mod scan;

use bstr::BString;

use self::files::Search;
use self::matcher::{Kind, Matcher, Meaning};
use self::options::{FLAGS, Options};
use super::arguments::{Given, Reading, read};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::regexp::Around;

/// Prints the lines of files that match a pattern.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    of_kind(call, Kind::Basic).await
}

/// `grep -E`
pub async fn egrep(call: &mut Call<'_>) -> Result<i32, Ended> {
    "grep".clone_into(&mut call.name);
    of_kind(call, Kind::Extended).await
}

/// `grep -F`
pub async fn fgrep(call: &mut Call<'_>) -> Result<i32, Ended> {
    "grep".clone_into(&mut call.name);
    of_kind(call, Kind::Fixed).await
}

async fn of_kind(call: &mut Call<'_>, usual: Kind) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    let Some(patterns) = patterns(call, &mut given).await? else { return Ok(2) };
    let options = match Options::read(&given) {
        Ok(options) => options,
        Err(message) => {
            call.complain(message).await?;
            return Ok(2);
        }
    };
    let kind = match given.last(&['E', 'F', 'G', 'P']) {
        Some('E') => Kind::Extended,
        Some('F') => Kind::Fixed,
        Some('G') => Kind::Basic,
        Some(_) => Kind::Perl,
        None => usual,
    };
    let around = Around { words: given.has('w'), lines: given.has('x'), breaks: given.has('z') };
    let ignores_case = given.last(&['i', 'y', '\x09']).is_some_and(|last| last != '\x09');
    let matcher = match Matcher::new(&patterns, Meaning { kind, ignores_case, around }) {
        Ok(matcher) => matcher,
        Err(message) => {
            call.complain(message).await?;
            return Ok(2);
        }
    };
    if options.style.most == Some(0) && !options.lists_rest {
        return Ok(1);
    }
    let mut search = Search::new(&matcher, &options);
    let operands = if given.operands.is_empty() {
        vec![BString::from(if options.recurses { "" } else { "-" })]
    } else {
        given.operands
    };
    for operand in &operands {
        search.operand(call, operand).await?;
        if search.is_done() {
            return Ok(0);
        }
    }
    Ok(search.status())
}

/// The patterns of all options, or the first operand. What is wrong is said.
async fn patterns(call: &mut Call<'_>, given: &mut Given) -> Result<Option<Vec<BString>>, Ended> {
    let mut patterns = Vec::new();
    let lines = |text: &[u8]| -> Vec<BString> { text.split(|byte| *byte == b'\n').map(BString::from).collect() };
    for (letter, value) in &given.flags {
        match letter {
            'e' => patterns.extend(lines(value)),
            'f' => {
                let content = match call.open(value) {
                    Ok(source) => source.all().await,
                    Err(error) => {
                        call.complain(format!("{value}: {}", reason(&error))).await?;
                        return Ok(None);
                    }
                };
                call.shell.hold(content.len())?;
                if !content.is_empty() {
                    patterns.extend(lines(content.strip_suffix(b"\n").unwrap_or(&content)));
                }
            }
            _ => (),
        }
    }
    if !given.has('e') && !given.has('f') {
        if given.operands.is_empty() {
            let name = call.name.clone();
            let usage =
                format!("Usage: {name} [OPTION]... PATTERNS [FILE]...\nTry '{name} --help' for more information.\n");
            call.say(usage).await?;
            return Ok(None);
        }
        patterns.extend(lines(&given.operands.remove(0)));
    }
    Ok(Some(patterns))
}
