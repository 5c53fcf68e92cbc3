//! `find`

mod act;
mod entry;
mod exec;
mod fields;
mod listing;
mod mode;
mod name;
mod number;
mod parse;
mod plan;
mod primary;
mod printf;
mod test;
mod walk;

use bstr::{BString, ByteSlice};

use self::act::State;
use self::entry::Around;
use self::parse::{Options, Parser};
use crate::exec::{Call, Ended};

/// Walks through folders, and tests what is there.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let mut options = Options::default();
    let begin = match real_options(&args, &mut options) {
        Ok(begin) => begin,
        Err(message) => return call.misused(message, 1).await,
    };
    let is_start = |arg: &&BString| !begins_expression(arg);
    let mut starts: Vec<BString> = args[begin..].iter().take_while(is_start).cloned().collect();
    let mut parser = Parser::new(call, &args[begin + starts.len()..], options);
    let parsed = parser.whole();
    let (outputs, warnings, options) = (parser.outputs, parser.warnings, parser.options);
    for warning in warnings {
        call.complain(format!("warning: {warning}")).await?;
    }
    let plan = match parsed {
        Ok(plan) => plan,
        Err(message) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    if starts.is_empty() {
        starts.push(".".into());
    }
    let files = std::rc::Rc::clone(&call.shell.base.files);
    let now = files.now();
    let around = Around { files, links: options.links, now: now.nanos, offset: super::date::offset(call.shell) };
    let mut state = State::new(outputs, plan.batches);
    walk::all(call, &plan, &options, &around, &mut state, &starts).await?;
    state.finish(call, &plan).await?;
    Ok(state.status)
}

/// Reads the options that stand before everything else. Gives how many words they are.
fn real_options(args: &[BString], options: &mut Options) -> Result<usize, String> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.as_bytes() {
            b"-P" => options.links = entry::Links::Never,
            b"-H" => options.links = entry::Links::Given,
            b"-L" => options.links = entry::Links::Always,
            b"-D" if args.get(at + 1).is_none() => return Err("Missing argument after the -D option.".to_owned()),
            b"-D" => at += 1,
            b"--" => return Ok(at + 1),
            [b'-', b'O', level @ ..] => {
                if level.is_empty() || !level.iter().all(u8::is_ascii_digit) {
                    return Err("The -O option must be immediately followed by a decimal integer".to_owned());
                }
            }
            _ => break,
        }
        at += 1;
    }
    Ok(at)
}

fn begins_expression(arg: &[u8]) -> bool {
    matches!(arg, [b'-', _, ..] | b"(" | b"!")
}
