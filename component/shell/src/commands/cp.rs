//! `cp`

use bstr::BString;

use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use super::copier::{Copier, Follow};
use super::entries::{below, make_folders, quoted, trimmed};
use super::targets::{self, Pair, pairs};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FLAGS: &[Flag] = &[
    flag('a', "archive"),
    flag('d', ""),
    flag('f', "force"),
    flag('H', ""),
    flag('i', "interactive"),
    flag('L', "dereference"),
    flag('n', "no-clobber"),
    flag('p', ""),
    flag('P', "no-dereference"),
    flag('r', ""),
    flag('R', "recursive"),
    valued('t', "target-directory"),
    flag('T', "no-target-directory"),
    flag('u', "update"),
    flag('v', "verbose"),
    flag('x', "one-file-system"),
    maybe('\x01', "preserve"),
    valued('\x02', "no-preserve"),
    flag('\x03', "parents"),
    flag('\x04', "strip-trailing-slashes"),
    maybe('\x05', "reflink"),
    valued('\x06', "sparse"),
    flag('\x07', "remove-destination"),
];

/// Copies files, and whole folders.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut operands = std::mem::take(&mut given.operands);
    if given.has('\x04') {
        operands.iter_mut().for_each(|name| *name = trimmed(name).into());
    }
    let mut copier = copier(&given);
    let reading = targets::Reading { into: given.value('t'), exact: given.has('T'), follows: true };
    let parents = given.has('\x03');
    let into = given.value('t').or_else(|| operands.last().filter(|_| parents)).cloned();
    let mut status = 0;
    for pair in pairs(call, operands, reading).await? {
        let pair = match &into {
            Some(into) if parents => match under(call, into, pair.from).await? {
                Some(pair) => pair,
                None => return Ok(1),
            },
            _ => pair,
        };
        if !copier.copy(call, &pair).await? {
            status = 1;
        }
    }
    Ok(status)
}

fn copier(given: &Given) -> Copier {
    let archive = given.has('a');
    let recursive = archive || given.has('r') || given.has('R');
    let follow = match given.last(&['a', 'd', 'P', 'L', 'H']) {
        Some('L') => Follow::Always,
        Some('H') => Follow::First,
        Some(_) => Follow::Never,
        None if recursive => Follow::Never,
        None => Follow::Always,
    };
    let listed = |value: &BString| match value.is_empty() {
        true => true,
        false => value.split(|byte| *byte == b',').any(|what| matches!(what, b"timestamps" | b"all")),
    };
    let modes = |value: &BString| match value.is_empty() {
        true => true,
        false => value.split(|byte| *byte == b',').any(|what| matches!(what, b"mode" | b"all")),
    };
    Copier {
        recursive,
        follow,
        times: archive || given.has('p') || given.values('\x01').any(listed),
        modes: archive || given.has('p') || given.values('\x01').any(modes),
        keeps: given.last(&['n', 'i', 'f']) == Some('n'),
        updates: given.has('u'),
        force: given.has('f'),
        replaces: given.has('\x07'),
        says: given.has('v'),
        ..Copier::default()
    }
}

/// With all of its name below a folder, whose folders are made.
async fn under(call: &mut Call<'_>, into: &[u8], from: BString) -> Result<Option<Pair>, Ended> {
    if !super::entries::is_folder(call.shell, into) {
        call.misused("with --parents, the destination must be a directory", 1).await?;
        return Ok(None);
    }
    let name = from.trim_ascii_start();
    let to = below(into, name.strip_prefix(b"/").unwrap_or(name));
    let folder = trimmed(&to);
    let end = folder.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    match make_folders(call.shell, &folder[..end]) {
        Ok(_) => Ok(Some(Pair { from, to })),
        Err((name, error)) => {
            call.complain(format!("cannot make directory {}: {}", quoted(&name), reason(&error))).await?;
            Ok(None)
        }
    }
}
