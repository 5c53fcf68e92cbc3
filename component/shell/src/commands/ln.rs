//! `ln`

use bstr::{BStr, BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::entries::{has_parent, parent, quoted};
use super::targets::{self, Pair, inside, pairs};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

const FLAGS: &[Flag] = &[
    flag('f', "force"),
    flag('i', "interactive"),
    flag('n', "no-dereference"),
    flag('r', "relative"),
    flag('s', "symbolic"),
    valued('t', "target-directory"),
    flag('T', "no-target-directory"),
    flag('v', "verbose"),
];

/// Makes symbolic links.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let operands = std::mem::take(&mut given.operands);
    if !given.has('s') && !operands.is_empty() {
        call.complain("hard links are not possible here: use ln -s, or cp").await?;
        return Ok(1);
    }
    let reading = targets::Reading { into: given.value('t'), exact: given.has('T'), follows: !given.has('n') };
    let pairs = match &*operands {
        [only] if given.value('t').is_none() && !given.has('T') => {
            vec![Pair { from: only.clone(), to: inside(b".", only)[2..].into() }]
        }
        _ => pairs(call, operands, reading).await?,
    };
    let mut status = 0;
    for pair in pairs {
        call.work(1)?;
        match linked(call.shell, &given, &pair) {
            Ok(target) if given.has('v') => call.line(format!("{} -> {}", quoted(&pair.to), quoted(&target))).await?,
            Ok(_) => (),
            Err(message) => {
                call.complain(message).await?;
                status = 1;
            }
        }
    }
    Ok(status)
}

/// Makes a link, and returns where it leads. Fails with what is wrong.
fn linked(shell: &Shell, given: &Given, pair: &Pair) -> Result<BString, String> {
    let path = shell.path(&pair.to);
    let path = path.as_bstr();
    let failed =
        |error: std::io::Error| format!("failed to create symbolic link {}: {}", quoted(&pair.to), reason(&error));
    let target = if given.has('r') { relative(shell, &pair.from, path) } else { pair.from.clone() };
    if target.is_empty() || pair.to.is_empty() {
        return Err(failed(std::io::ErrorKind::NotFound.into()));
    }
    let world = shell.base.files.world().map_err(failed)?;
    if let Ok(there) = world.stat(path, false) {
        if !given.has('f') {
            return Err(failed(std::io::ErrorKind::AlreadyExists.into()));
        }
        if there.kind == Kind::Folder {
            return Err(format!("{}: cannot overwrite directory", pair.to));
        }
        if there.kind == Kind::File && shell.path(&pair.from) == path {
            return Err(format!("{} and {} are the same file", quoted(&pair.from), quoted(&pair.to)));
        }
        world.remove_file(path).map_err(failed)?;
    }
    if pair.to.ends_with(b"/") {
        return Err(failed(std::io::ErrorKind::NotFound.into()));
    }
    has_parent(shell, path).and_then(|()| world.link(target.as_bstr(), path)).map_err(failed)?;
    Ok(target)
}

/// The target as it is seen from the folder of the link.
fn relative(shell: &Shell, target: &[u8], link: &BStr) -> BString {
    let target = real(shell, shell.path(target).as_bstr());
    let folder = real(shell, parent(link));
    let parts = |path: &BString| -> Vec<BString> {
        path.split_str("/").filter(|part| !part.is_empty()).map(BString::from).collect()
    };
    let (target, folder) = (parts(&target), parts(&folder));
    let common = target.iter().zip(&folder).take_while(|(one, other)| one == other).count();
    let ups = folder[common..].iter().map(|_| BString::from(".."));
    let all: Vec<BString> = ups.chain(target[common..].iter().cloned()).collect();
    if all.is_empty() { BString::from(".") } else { bstr::join("/", all).into() }
}

/// The path without links, as far as it exists.
fn real(shell: &Shell, path: &BStr) -> BString {
    let mut begin = path;
    loop {
        let found = shell.base.files.world().and_then(|world| world.real_path(begin));
        match found {
            Ok(real) => {
                let mut real = if real == "/" { BString::default() } else { real };
                real.extend_from_slice(if begin == "/" { path } else { &path[begin.len()..] });
                return if real.is_empty() { "/".into() } else { real };
            }
            Err(_) if begin == "/" => return path.to_owned(),
            Err(_) => begin = parent(begin),
        }
    }
}
