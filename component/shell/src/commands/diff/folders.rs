//! Folders, compared name by name.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};

use super::{Settings, Side, files, side};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::script::turns::Local;
use crate::world::Kind;

/// A name in a folder.
pub fn below(folder: &[u8], name: &[u8]) -> BString {
    let between: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
    [folder, between, name].concat().into()
}

/// Compares what is in two folders. One may be absent.
pub fn compare<'a, 'c>(
    call: &'a mut Call<'c>,
    settings: &'a Settings,
    old: &'a Side,
    new: &'a Side,
) -> Local<'a, Result<i32, Ended>>
where
    'c: 'a,
{
    Box::pin(async move {
        call.shell.deeper()?;
        let mut names: BTreeMap<BString, [bool; 2]> = BTreeMap::new();
        let mut status = 0;
        for (at, side) in [old, new].into_iter().enumerate() {
            if side.kind.is_none() {
                continue;
            }
            match call.shell.base.files.list(call.shell.path(&side.name).as_bstr()) {
                Ok(entries) => {
                    for (name, _) in entries {
                        if !settings.excluded.iter().any(|pattern| pattern.matches(&name)) {
                            names.entry(name).or_default()[at] = true;
                        }
                    }
                }
                Err(error) => {
                    call.complain(format!("{}: {}", side.name, reason(&error))).await?;
                    status = 2;
                }
            }
        }
        for (name, there) in names {
            call.work(1)?;
            status = status.max(entry(call, settings, [old, new], &name, there).await?);
        }
        call.shell.depth -= 1;
        Ok(status)
    })
}

/// Compares what has one name in two folders.
async fn entry(
    call: &mut Call<'_>,
    settings: &Settings,
    folders: [&Side; 2],
    name: &BString,
    there: [bool; 2],
) -> Result<i32, Ended> {
    let sides = folders.map(|folder| side(call, &below(&folder.name, name)));
    if !(settings.absent || there[0] && there[1]) {
        let folder = if there[0] { folders[0] } else { folders[1] };
        call.line(format!("Only in {}: {name}", folder.name)).await?;
        return Ok(1);
    }
    let kinds = [sides[0].kind, sides[1].kind];
    for (side, there) in sides.iter().zip(there) {
        if there && side.kind.is_none() {
            call.complain(format!("{}: No such file or directory", side.name)).await?;
            return Ok(2);
        }
    }
    let is_folder = |kind: Option<Kind>| kind == Some(Kind::Folder);
    match (kinds[0], kinds[1]) {
        (one, other) if (is_folder(one) || one.is_none()) && (is_folder(other) || other.is_none()) => {
            if !settings.folders {
                match one.and(other) {
                    Some(_) => {
                        call.line(format!("Common subdirectories: {} and {}", sides[0].name, sides[1].name)).await?;
                        return Ok(0);
                    }
                    None => {
                        let folder = if there[0] { folders[0] } else { folders[1] };
                        call.line(format!("Only in {}: {name}", folder.name)).await?;
                        return Ok(1);
                    }
                }
            }
            compare(call, settings, &sides[0], &sides[1]).await
        }
        (one, other) if is_folder(one) || is_folder(other) => {
            let kind = |side: &Side| match side.kind {
                Some(Kind::Folder) => "directory",
                _ if side.empty => "regular empty file",
                _ => "regular file",
            };
            let [old, new] = &sides;
            call.line(format!("File {} is a {} while file {} is a {}", old.name, kind(old), new.name, kind(new)))
                .await?;
            Ok(1)
        }
        _ => files(call, settings, [&sides[0], &sides[1]], true).await,
    }
}

/// The options of a command line as they can be typed.
pub fn options(args: &[BString], operands: &[BString]) -> BString {
    let mut left = operands.iter().peekable();
    let mut parts: Vec<BString> = Vec::new();
    for arg in args {
        if left.next_if(|operand| *operand == arg).is_none() && arg != "--" {
            parts.push(quoted(arg));
        }
    }
    bstr::join(" ", parts).into()
}

/// An option as it can be typed.
fn quoted(name: &[u8]) -> BString {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 128 || b"%+,-./:@_^".contains(byte);
    if !name.is_empty() && name.iter().all(plain) {
        return name.into();
    }
    let mut out = BString::from("'");
    out.extend_from_slice(&name.replace("'", "'\\''"));
    out.push(b'\'');
    out
}

/// A file's name as a difference has it: in quotes as in C, if it has blanks or what cannot be printed.
pub fn named(name: &[u8]) -> BString {
    let odd = |byte: &u8| byte.is_ascii_control() || b" \"\\".contains(byte);
    if !name.iter().any(odd) {
        return name.into();
    }
    let mut out = BString::from("\"");
    for byte in name {
        match byte {
            7..=13 => out.extend_from_slice(&[b'\\', b"abtnvfr"[usize::from(byte - 7)]]),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            byte if byte.is_ascii_control() => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            byte => out.push(*byte),
        }
    }
    out.push(b'"');
    out
}
