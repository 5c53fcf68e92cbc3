//! `install`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::copier::Copier;
use super::entries::{make_folders, quoted, trimmed};
use super::mode::Change;
use super::targets::{self, Pair, pairs};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FLAGS: &[Flag] = &[
    flag('c', ""),
    flag('C', "compare"),
    flag('d', "directory"),
    flag('D', ""),
    valued('g', "group"),
    valued('m', "mode"),
    valued('o', "owner"),
    flag('p', "preserve-timestamps"),
    valued('t', "target-directory"),
    flag('T', "no-target-directory"),
    flag('v', "verbose"),
];

/// Copies files and says whether they are executable, or makes folders.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mode = match given.value('m').map(|text| (text, Change::read(text))) {
        None => 0o755,
        Some((_, Some(change))) => change.apply(0, false),
        Some((text, None)) => {
            call.complain(format!("invalid mode ‘{text}’")).await?;
            return Ok(1);
        }
    };
    let operands = std::mem::take(&mut given.operands);
    if given.has('d') {
        if operands.is_empty() {
            return call.misused("missing file operand", 1).await;
        }
        let mut status = 0;
        for name in &operands {
            status |= i32::from(!folders(call, &given, name).await?);
        }
        return Ok(status);
    }
    if given.has('D') && !prepared(call, &given, &operands).await? {
        return Ok(1);
    }
    let reading = targets::Reading { into: given.value('t'), exact: given.has('T'), follows: true };
    let mut copier = Copier { replaces: true, times: given.has('p'), says: given.has('v'), ..Copier::default() };
    let mut status = 0;
    for pair in pairs(call, operands, reading).await? {
        if !copier.copy(call, &pair).await? || !set(call, &pair, mode & 0o100 != 0).await? {
            status = 1;
        }
    }
    Ok(status)
}

/// Makes a folder with those above it.
async fn folders(call: &mut Call<'_>, given: &Given, name: &[u8]) -> Result<bool, Ended> {
    match make_folders(call.shell, name) {
        Ok(made) => {
            for name in made.iter().filter(|_| given.has('v')) {
                call.line(format!("install: creating directory {}", quoted(name))).await?;
            }
            Ok(true)
        }
        Err((name, error)) => {
            call.complain(format!("cannot create directory {}: {}", quoted(&name), reason(&error))).await?;
            Ok(false)
        }
    }
}

/// Makes the folders that the files go to.
async fn prepared(call: &mut Call<'_>, given: &Given, operands: &[BString]) -> Result<bool, Ended> {
    match (given.value('t'), operands) {
        (Some(folder), _) => folders(call, given, folder).await,
        (None, [_, to]) => match trimmed(to).rfind_byte(b'/') {
            Some(at) if at > 0 => folders(call, given, &to[..at]).await,
            _ => Ok(true),
        },
        _ => Ok(true),
    }
}

async fn set(call: &mut Call<'_>, pair: &Pair, executable: bool) -> Result<bool, Ended> {
    let path = call.shell.path(&pair.to);
    let set = call.shell.base.files.world().and_then(|world| world.set_executable(path.as_bstr(), executable));
    if let Err(error) = set {
        call.complain(format!("cannot change permissions of {}: {}", quoted(&pair.to), reason(&error))).await?;
        return Ok(false);
    }
    Ok(true)
}
