//! `bc`

mod big;
mod number;
mod parse;
mod run;
mod tokens;
mod tree;

use self::run::Machine;
use self::tokens::Wrong;
use super::arguments::{Flag, Reading, flag, read};
use crate::exec::{Call, Ended};
use crate::io::Source;

const FLAGS: &[Flag] =
    &[flag('l', "mathlib"), flag('q', "quiet"), flag('s', "standard"), flag('w', "warn"), flag('i', "interactive")];

/// What `-l` defines. It computes with more digits than it gives, and cuts the rest off.
const LIBRARY: &[u8] = include_bytes!("bc/library.bc");

/// Computes with numbers of any size.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let width = call.shell.text("BC_LINE_LENGTH").and_then(|text| text.to_string().parse().ok()).unwrap_or(70);
    let mut machine = Machine::new(call.shell.fork(), width);
    if given.has('l') {
        machine.load(LIBRARY)?;
    }
    for name in given.operands {
        let source = match call.open(&name) {
            Ok(source) => source,
            Err(_) => {
                call.flush().await?;
                call.say(format!("File {name} is unavailable.\n")).await?;
                return Ok(1);
            }
        };
        if file(call, &mut machine, source, &name.to_string()).await? {
            return Ok(0);
        }
    }
    let stdin = call.stdin.clone();
    file(call, &mut machine, stdin, "(standard_in)").await?;
    Ok(0)
}

/// Runs what is in a file, and says whether all ends.
async fn file(call: &mut Call<'_>, machine: &mut Machine, source: Source, name: &str) -> Result<bool, Ended> {
    let (mut text, mut number) = (Vec::new(), 0_u64);
    loop {
        let line = source.line(b'\n').await;
        number += 1;
        let ends = line.is_none();
        if ends && text.is_empty() {
            return Ok(false);
        }
        text.extend(line.unwrap_or_default());
        call.work(1 + u32::try_from(text.len() / 64).unwrap_or(u32::MAX))?;
        call.shell.hold(text.len())?;
        match parse::program(&text) {
            Ok(statements) => {
                text.clear();
                let ended = machine.run(&statements)?;
                call.print(std::mem::take(&mut machine.out)).await?;
                if !machine.errors.is_empty() {
                    call.flush().await?;
                    call.say(std::mem::take(&mut machine.errors)).await?;
                }
                if ended {
                    return Ok(true);
                }
            }
            Err(Wrong::Short) if !ends => continue,
            Err(_) => {
                text.clear();
                call.flush().await?;
                call.say(format!("{name} {number}: syntax error\n")).await?;
            }
        }
        if ends {
            return Ok(false);
        }
    }
}
