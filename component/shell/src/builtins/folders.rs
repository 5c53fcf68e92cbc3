//! The working directory.

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::Kind;

/// Goes to a folder. Fails with what is wrong about it.
async fn go(call: &mut Call<'_>, named: &[u8]) -> Result<bool, Ended> {
    let path = call.shell.path(named);
    let stat = call.shell.base.files.stat(path.as_bstr(), true);
    let wrong = match stat {
        Ok(stat) if stat.kind == Kind::Folder => None,
        Ok(_) => Some("Not a directory".to_owned()),
        Err(error) => Some(reason(&error)),
    };
    if let Some(wrong) = wrong {
        call.complain_here(format!("{}: {wrong}", named.to_str_lossy())).await?;
        return Ok(false);
    }
    let was = std::mem::replace(&mut call.shell.folder, path.clone());
    call.shell.set("OLDPWD", was)?;
    call.shell.vars.entry("OLDPWD").exported = true;
    call.shell.set("PWD", path)?;
    Ok(true)
}

/// `cd`
pub async fn cd(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut physical = false;
    while let Some(arg) = call.args.first() {
        match arg.as_bytes() {
            b"-L" | b"-e" | b"-@" => physical = false,
            b"-P" => physical = true,
            b"--" => {
                call.args.remove(0);
                break;
            }
            _ => break,
        }
        call.args.remove(0);
    }
    if call.args.len() > 1 {
        call.complain_here("too many arguments").await?;
        return Ok(1);
    }
    let (mut named, shows) = match call.args.first() {
        None => match call.shell.vars.text("HOME").cloned() {
            Some(home) => (home, false),
            None => {
                call.complain_here("HOME not set").await?;
                return Ok(1);
            }
        },
        Some(dash) if dash == "-" => match call.shell.vars.text("OLDPWD").cloned() {
            Some(old) => (old, true),
            None => {
                call.complain_here("OLDPWD not set").await?;
                return Ok(1);
            }
        },
        // An empty name is where one is.
        Some(empty) if empty.is_empty() => return Ok(0),
        Some(named) => (named.clone(), false),
    };
    if physical
        && let Ok(real) = call.shell.base.files.world().and_then(|world| {
            let path = call.shell.path(&named);
            world.real_path(path.as_bstr())
        })
    {
        named = real;
    }
    if !go(call, &named).await? {
        return Ok(1);
    }
    if shows {
        let folder = call.shell.folder.clone();
        call.line(folder).await?;
    }
    Ok(0)
}

/// `pwd`
pub async fn pwd(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut folder = call.shell.folder.clone();
    if call.args.first().is_some_and(|arg| arg == "-P")
        && let Ok(real) = call.shell.base.files.world().and_then(|world| world.real_path(folder.as_bstr()))
    {
        folder = real;
    }
    call.line(folder).await?;
    Ok(0)
}

async fn list(call: &mut Call<'_>) -> Result<i32, Ended> {
    let home = call.shell.vars.text("HOME").cloned().unwrap_or_default();
    let all: Vec<BString> =
        [call.shell.folder.clone()].into_iter().chain(call.shell.folders.iter().rev().cloned()).collect();
    let shown = all.iter().map(|folder| match folder.strip_prefix(home.as_bytes()) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with(b"/")) => {
            BString::from([b"~", rest].concat())
        }
        _ => folder.clone(),
    });
    let shown: Vec<BString> = shown.collect();
    call.line(bstr::join(" ", shown)).await?;
    Ok(0)
}

/// `dirs`
pub async fn dirs(call: &mut Call<'_>) -> Result<i32, Ended> {
    if call.args.first().is_some_and(|arg| arg == "-c") {
        call.shell.folders.clear();
        return Ok(0);
    }
    list(call).await
}

/// `pushd`
pub async fn pushd(call: &mut Call<'_>) -> Result<i32, Ended> {
    let was = call.shell.folder.clone();
    let named = match call.args.first() {
        Some(named) => named.clone(),
        None => match call.shell.folders.pop() {
            Some(last) => last,
            None => {
                call.complain_here("no other directory").await?;
                return Ok(1);
            }
        },
    };
    if !go(call, &named).await? {
        return Ok(1);
    }
    call.shell.folders.push(was);
    list(call).await
}

/// `popd`
pub async fn popd(call: &mut Call<'_>) -> Result<i32, Ended> {
    let Some(last) = call.shell.folders.pop() else {
        call.complain_here("directory stack empty").await?;
        return Ok(1);
    };
    if !go(call, &last).await? {
        return Ok(1);
    }
    list(call).await
}
