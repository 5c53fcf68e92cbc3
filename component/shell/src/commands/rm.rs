//! `rm`

use std::io::ErrorKind;

use bstr::ByteSlice;

use super::arguments::{Flag, Given, Reading, flag, maybe, read};
use super::entries::{last, quoted, stat};
use super::walk::{Entry, Step, Walk};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::{Kind, Stat};

const FLAGS: &[Flag] = &[
    flag('r', "recursive"),
    flag('R', ""),
    flag('f', "force"),
    flag('i', ""),
    flag('I', ""),
    maybe('\x01', "interactive"),
    flag('v', "verbose"),
    flag('d', "dir"),
    flag('\x02', "one-file-system"),
    maybe('\x03', "preserve-root"),
];

/// Removes files, and whole folders. Nobody is asked.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let force = given.has('f');
    if given.operands.is_empty() {
        return if force { Ok(0) } else { call.misused("missing operand", 1).await };
    }
    let recursive = given.has('r') || given.has('R');
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        let found = match stat(call.shell, name, false) {
            Ok(found) => found,
            Err(error) if force && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(error) => {
                call.complain(format!("cannot remove {}: {}", quoted(name), reason(&error))).await?;
                status = 1;
                continue;
            }
        };
        if found.kind == Kind::Folder
            && recursive
            && let Some(refusal) = refusal(call, name)
        {
            call.complain(refusal).await?;
            status = 1;
            continue;
        }
        if !remove(call, &given, name, found, recursive).await? {
            status = 1;
        }
    }
    Ok(status)
}

fn refusal(call: &Call<'_>, name: &[u8]) -> Option<String> {
    if matches!(last(name), b"." | b"..") {
        return Some(format!("refusing to remove '.' or '..' directory: skipping {}", quoted(name)));
    }
    (call.shell.path(name) == "/").then(|| "it is dangerous to operate recursively on '/'".to_owned())
}

async fn remove(call: &mut Call<'_>, given: &Given, name: &[u8], found: Stat, recursive: bool) -> Result<bool, Ended> {
    let mut walk = Walk::new(call.shell, name, found, false);
    let mut fine = true;
    while let Some(step) = walk.next(call.shell)? {
        let removed = match step {
            Step::Entry(entry) if entry.stat.kind != Kind::Folder => entry,
            Step::Entry(_) if recursive => continue,
            Step::Entry(entry) => {
                walk.skip();
                let error = if given.has('d') { None } else { Some(ErrorKind::IsADirectory.into()) };
                fine &= gone(call, given, entry, error).await?;
                continue;
            }
            Step::Leave(entry) => entry,
            Step::Unlisted(entry, error) => {
                fine &= gone(call, given, entry, Some(error)).await?;
                continue;
            }
            // No link is followed.
            Step::Cycle(_) => continue,
        };
        fine &= gone(call, given, removed, None).await?;
    }
    Ok(fine)
}

/// Removes an entry, unless something is wrong with it already.
async fn gone(call: &mut Call<'_>, given: &Given, entry: Entry, wrong: Option<std::io::Error>) -> Result<bool, Ended> {
    let removed = match wrong {
        Some(error) => Err(error),
        None => removed(call, &entry),
    };
    let is_folder = entry.stat.kind == Kind::Folder;
    match removed {
        Ok(()) if given.has('v') => {
            let what = if is_folder { "removed directory" } else { "removed" };
            call.line(format!("{what} {}", quoted(&entry.shown))).await?;
        }
        Ok(()) => (),
        Err(error) => {
            call.complain(format!("cannot remove {}: {}", quoted(&entry.shown), reason(&error))).await?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn removed(call: &Call<'_>, entry: &Entry) -> std::io::Result<()> {
    let files = &call.shell.base.files;
    let path = entry.path.as_bstr();
    if entry.stat.kind != Kind::Folder {
        return files.world()?.remove_file(path);
    }
    if !files.list(path)?.is_empty() {
        return Err(ErrorKind::DirectoryNotEmpty.into());
    }
    files.world()?.remove_folder(path)
}
