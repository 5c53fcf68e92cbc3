//! `mv`

use bstr::ByteSlice;

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::entries::{has_parent, quoted, stat, trimmed};
use super::targets::{self, Pair, pairs, trails};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

const FLAGS: &[Flag] = &[
    flag('f', "force"),
    flag('i', "interactive"),
    flag('n', "no-clobber"),
    valued('t', "target-directory"),
    flag('T', "no-target-directory"),
    flag('u', "update"),
    flag('v', "verbose"),
    flag('\x01', "strip-trailing-slashes"),
];

/// Renames entries, or moves them.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut operands = std::mem::take(&mut given.operands);
    if given.has('\x01') {
        operands.iter_mut().for_each(|name| *name = trimmed(name).into());
    }
    let reading = targets::Reading { into: given.value('t'), exact: given.has('T'), follows: true };
    let mut status = 0;
    let mut made = std::collections::BTreeSet::new();
    for pair in pairs(call, operands, reading).await? {
        call.work(1)?;
        let to = call.shell.path(&pair.to);
        let moved = match made.contains(&to) {
            true => Err(format!("will not overwrite just-created {} with {}", quoted(&pair.to), quoted(&pair.from))),
            false => moved(call.shell, &given, &pair),
        };
        match moved {
            Ok(true) => {
                made.insert(to);
                if given.has('v') {
                    call.line(format!("renamed {} -> {}", quoted(&pair.from), quoted(&pair.to))).await?;
                }
            }
            Ok(false) => (),
            Err(message) => {
                call.complain(message).await?;
                status = 1;
            }
        }
    }
    Ok(status)
}

/// Moves an entry, unless it is to stay. Fails with what is wrong.
fn moved(shell: &Shell, given: &Given, pair: &Pair) -> Result<bool, String> {
    let (from_shown, to_shown) = (quoted(&pair.from), quoted(&pair.to));
    let found =
        stat(shell, &pair.from, false).map_err(|error| format!("cannot stat {from_shown}: {}", reason(&error)))?;
    let (from, to) = (shell.path(&pair.from), shell.path(&pair.to));
    let files = &shell.base.files;
    let is_folder = found.kind == Kind::Folder;
    let there = files.stat(to.as_bstr(), false).ok();
    if let Some(there) = &there {
        let keeps = given.last(&['n', 'f', 'i']) == Some('n');
        if keeps || given.has('u') && there.modified >= found.modified {
            return Ok(false);
        }
        if from == to || there.inode == found.inode {
            return Err(format!("{from_shown} and {to_shown} are the same file"));
        }
        match (is_folder, there.kind == Kind::Folder) {
            (false, true) => return Err(format!("cannot overwrite directory {to_shown} with non-directory")),
            (true, false) => {
                return Err(format!("cannot overwrite non-directory {to_shown} with directory {from_shown}"));
            }
            _ => (),
        }
    }
    if is_folder && to.starts_with(&[from.as_slice(), b"/"].concat()) {
        return Err(format!("cannot move {from_shown} to a subdirectory of itself, {to_shown}"));
    }
    let renamed = match &there {
        Some(there) if there.kind == Kind::Folder && !files.list(to.as_bstr()).is_ok_and(|list| list.is_empty()) => {
            Err(std::io::ErrorKind::DirectoryNotEmpty.into())
        }
        None if !is_folder && trails(shell, &pair.to) => Err(std::io::ErrorKind::NotADirectory.into()),
        _ => has_parent(shell, to.as_bstr()).and_then(|()| files.world()?.rename(from.as_bstr(), to.as_bstr())),
    };
    match renamed {
        Ok(()) => Ok(true),
        Err(error) => Err(format!("cannot move {from_shown} to {to_shown}: {}", reason(&error))),
    }
}
