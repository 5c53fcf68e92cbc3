//! `mkdir` and `rmdir`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use super::entries::{make_folder, make_folders, quoted, stat, trimmed};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

const FLAGS: &[Flag] = &[flag('p', "parents"), flag('v', "verbose"), valued('m', "mode")];

/// Makes folders.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        let made = match given.has('p') {
            true => make_folders(call.shell, name),
            false if name.is_empty() => Err((name.clone(), std::io::ErrorKind::NotFound.into())),
            false => match make_folder(call.shell, call.shell.path(name).as_bstr()) {
                Ok(()) => Ok(vec![name.clone()]),
                Err(error) => Err((name.clone(), error)),
            },
        };
        match made {
            Ok(made) if given.has('v') => {
                for name in made {
                    call.line(format!("mkdir: created directory {}", quoted(&name))).await?;
                }
            }
            Ok(_) => (),
            Err((name, error)) => {
                let text = format!("cannot create directory ‘{}’: {}", name.to_str_lossy(), reason(&error));
                call.complain(text).await?;
                status = 1;
            }
        }
    }
    Ok(status)
}

const REMOVE: &[Flag] = &[flag('p', "parents"), flag('v', "verbose"), flag('\x01', "ignore-fail-on-non-empty")];

/// Removes empty folders.
pub async fn remove(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: REMOVE, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let mut status = 0;
    for operand in &given.operands {
        let mut name = operand.clone();
        loop {
            call.work(1)?;
            if given.has('v') {
                call.line(format!("rmdir: removing directory, {}", quoted(&name))).await?;
            }
            if let Err(error) = removed(call.shell, &name) {
                if !(given.has('\x01') && error.kind() == std::io::ErrorKind::DirectoryNotEmpty) {
                    let what = if name == *operand { "failed to remove" } else { "failed to remove directory" };
                    call.complain(format!("{what} {}: {}", quoted(&name), reason(&error))).await?;
                    status = 1;
                }
                break;
            }
            match trimmed(&name).rfind_byte(b'/') {
                Some(at) if given.has('p') && at > 0 => name = BString::from(trimmed(&name[..at])),
                _ => break,
            }
        }
    }
    Ok(status)
}

fn removed(shell: &Shell, name: &[u8]) -> std::io::Result<()> {
    if stat(shell, name, false)?.kind != Kind::Folder {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    if matches!(super::entries::last(name), b".") {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let path = shell.path(name);
    if !shell.base.files.list(path.as_bstr())?.is_empty() {
        return Err(std::io::ErrorKind::DirectoryNotEmpty.into());
    }
    shell.base.files.world()?.remove_folder(path.as_bstr())
}
