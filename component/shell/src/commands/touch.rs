//! `touch`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::date::offset;
use super::date::{self, days};
use super::entries::{has_parent, quoted, stat};
use super::targets::trails;
use crate::exec::{Call, Ended, redirect};
use crate::io::reason;
use crate::state::Shell;

const FLAGS: &[Flag] = &[
    flag('a', ""),
    flag('c', "no-create"),
    valued('d', "date"),
    flag('f', ""),
    flag('m', ""),
    valued('r', "reference"),
    valued('t', ""),
    valued('\x01', "time"),
];

/// Makes empty files, and sets when files were changed.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let nanos = match time(call.shell, &given) {
        Ok(nanos) => nanos,
        Err(message) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    if given.operands.is_empty() {
        return call.misused("missing file operand", 1).await;
    }
    // When a file was read is not kept.
    let reads =
        given.has('a') || given.value('\x01').is_some_and(|which| matches!(&***which, b"atime" | b"access" | b"use"));
    let sets = !reads || given.has('m');
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        if name == "-" || redirect::is_device(call.shell, &call.shell.path(name)) {
            continue;
        }
        if let Err(error) = touched(call.shell, name, given.has('c'), sets.then_some(nanos)) {
            call.complain(format!("cannot touch {}: {}", quoted(name), reason(&error))).await?;
            status = 1;
        }
    }
    Ok(status)
}

fn touched(shell: &Shell, name: &[u8], keeps: bool, nanos: Option<i128>) -> std::io::Result<()> {
    let path = shell.path(name);
    let path = path.as_bstr();
    match stat(shell, name, true) {
        Ok(_) => (),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !name.is_empty() => {
            if keeps {
                return Ok(());
            }
            if trails(shell, name) {
                return Err(error);
            }
            has_parent(shell, path)?;
            shell.base.files.put(path, Vec::new())?;
        }
        Err(error) => return Err(error),
    }
    match nanos {
        Some(nanos) => shell.base.files.world()?.set_modified(path, nanos),
        None => Ok(()),
    }
}

/// The time that is to be set, or what is wrong with it.
fn time(shell: &Shell, given: &Given) -> Result<i128, String> {
    let now = shell.base.files.now().nanos;
    let base = match given.value('r') {
        Some(name) => match stat(shell, name, true) {
            Ok(stat) => stat.modified,
            Err(error) => return Err(format!("failed to get attributes of {}: {}", quoted(name), reason(&error))),
        },
        None => now,
    };
    if let Some(text) = given.value('d') {
        let read = date::read::time(&text.to_str_lossy(), base, offset(shell));
        return read.ok_or_else(|| format!("invalid date format ‘{text}’"));
    }
    match given.value('t') {
        Some(text) => stamp(text, now, offset(shell)).ok_or_else(|| format!("invalid date format ‘{text}’")),
        None => Ok(base),
    }
}

/// `[[CC]YY]MMDDhhmm[.ss]`
fn stamp(text: &BString, now: i128, offset: i32) -> Option<i128> {
    let text = text.to_str().ok()?;
    let (digits, second) = text.split_once('.').unwrap_or((text, "00"));
    if !digits.bytes().chain(second.bytes()).all(|byte| byte.is_ascii_digit()) || second.len() != 2 {
        return None;
    }
    let (year, rest) = digits.split_at_checked(digits.len().checked_sub(8)?)?;
    let second_of_day = i128::from(offset) + now.div_euclid(1_000_000_000);
    let (this_year, ..) = date::date(i64::try_from(second_of_day.div_euclid(86_400)).ok()?);
    let year = match (year.len(), year.parse::<i64>()) {
        (0, _) => this_year,
        (2, Ok(year)) => year + if year < 69 { 2000 } else { 1900 },
        (4, Ok(year)) => year,
        _ => return None,
    };
    let part = |at: usize| rest[at..at + 2].parse::<u32>().ok();
    let (month, day, hour, minute, second) = (part(0)?, part(2)?, part(4)?, part(6)?, second.parse::<u32>().ok()?);
    let is_day = (1..=12).contains(&month) && day >= 1 && {
        let (_, found, _) = date::date(days(year, month, day));
        found == month
    };
    if !is_day || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + i64::from(hour * 3600 + minute * 60 + second) - i64::from(offset);
    Some(i128::from(seconds) * 1_000_000_000)
}
