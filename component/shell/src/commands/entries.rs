//! What the commands on files have in common: names, metadata, and how both are written.

use std::io;

use bstr::{BStr, BString, ByteSlice};

use crate::state::Shell;
use crate::world::{Kind, Stat};

/// Who owns everything.
pub const OWNER: &str = "agent";
/// The number of the owner, and of its group.
pub const OWNER_ID: u32 = 1000;
/// What a folder takes itself, and a block of a file.
pub const BLOCK: u64 = 4096;

/// The metadata of an operand. A slash at its end wants a folder.
pub fn stat(shell: &Shell, name: &[u8], follow: bool) -> io::Result<Stat> {
    if name.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let trails = name.ends_with(b"/");
    let stat = shell.base.files.stat(shell.path(name).as_bstr(), follow || trails)?;
    if trails && stat.kind != Kind::Folder {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(stat)
}

/// Whether an operand is a folder, or leads to one.
pub fn is_folder(shell: &Shell, name: &[u8]) -> bool {
    stat(shell, name, true).is_ok_and(|stat| stat.kind == Kind::Folder)
}

/// A name without the slashes at its end.
pub fn trimmed(name: &[u8]) -> &[u8] {
    let kept = name.trim_end_with(|char| char == '/');
    if kept.is_empty() { &name[..name.len().min(1)] } else { kept }
}

/// The last part of a name.
pub fn last(name: &[u8]) -> &[u8] {
    let name = trimmed(name);
    match name.rfind_byte(b'/') {
        Some(at) if name.len() > 1 => &name[at + 1..],
        _ => name,
    }
}

/// The name of an entry in a folder.
pub fn below(folder: &[u8], name: &[u8]) -> BString {
    let mut path = BString::from(folder);
    if !folder.is_empty() && !folder.ends_with(b"/") {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

/// The folder of an absolute path.
pub fn parent(path: &BStr) -> &BStr {
    match path.rfind_byte(b'/') {
        Some(0) | None => b"/".as_bstr(),
        Some(at) => path[..at].as_bstr(),
    }
}

/// Fails if the folder of an absolute path is none.
pub fn has_parent(shell: &Shell, path: &BStr) -> io::Result<()> {
    match shell.base.files.stat(parent(path), true)?.kind {
        Kind::Folder => Ok(()),
        _ => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Makes a folder, and those above it that are missing. Returns those that were made, or what is wrong with which.
pub fn make_folders(shell: &Shell, name: &[u8]) -> Result<Vec<BString>, (BString, io::Error)> {
    let mut made = Vec::new();
    let ends = name.find_iter("/").chain([name.len()]).filter(|end| *end > 0 && name[end - 1] != b'/');
    let ends: Vec<usize> = ends.collect();
    for (at, end) in ends.iter().enumerate() {
        let is_last = at + 1 == ends.len();
        let part = if is_last { name } else { &name[..*end] };
        let path = shell.path(part);
        let files = &shell.base.files;
        let failed = match files.stat(path.as_bstr(), true) {
            Ok(stat) if stat.kind == Kind::Folder => continue,
            Ok(_) if is_last => io::ErrorKind::AlreadyExists.into(),
            Ok(_) => io::ErrorKind::NotADirectory.into(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match make_folder(shell, path.as_bstr()) {
                Ok(()) => {
                    made.push(part.into());
                    continue;
                }
                Err(error) => error,
            },
            Err(error) => error,
        };
        return Err((part.into(), failed));
    }
    if ends.is_empty() && name.is_empty() {
        return Err((name.into(), io::ErrorKind::NotFound.into()));
    }
    Ok(made)
}

/// Makes a folder, if there is nothing yet, and its parent is there.
pub fn make_folder(shell: &Shell, path: &BStr) -> io::Result<()> {
    if shell.base.files.stat(path, false).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    has_parent(shell, path)?;
    shell.base.files.world()?.make_folder(path)
}

/// The permissions of an entry, as a number.
pub fn mode(stat: &Stat) -> u32 {
    let write = if stat.writable { 0o200 } else { 0 };
    match stat.kind {
        Kind::Link => 0o777,
        Kind::Folder => 0o755,
        Kind::File if stat.executable => 0o555 | write,
        Kind::File => 0o444 | write,
    }
}

/// Permissions as nine letters.
pub fn letters(mode: u32) -> String {
    let letter = |at: u32| match (mode >> (8 - at) & 1, at % 3) {
        (0, _) => '-',
        (_, 0) => 'r',
        (_, 1) => 'w',
        _ => 'x',
    };
    (0..9).map(letter).collect()
}

/// The letter of a kind, with the permissions.
pub fn shown_mode(stat: &Stat) -> String {
    let kind = match stat.kind {
        Kind::File => '-',
        Kind::Folder => 'd',
        Kind::Link => 'l',
    };
    format!("{kind}{}", letters(mode(stat)))
}

/// The size of an entry. Folders have the usual one.
pub fn size(stat: &Stat) -> u64 {
    if stat.kind == Kind::Folder { BLOCK } else { stat.size }
}

/// The bytes that an entry takes. Links take none.
pub fn taken(stat: &Stat) -> u64 {
    match stat.kind {
        Kind::Link => 0,
        _ => size(stat).div_ceil(BLOCK) * BLOCK,
    }
}

/// A size for people, rounded up.
pub fn human(bytes: u64) -> String {
    let mut unit = 1_u64;
    for letter in ["", "K", "M", "G", "T", "P", "E"] {
        let tenths = (u128::from(bytes) * 10).div_ceil(u128::from(unit));
        if letter.is_empty() && bytes < 1024 {
            return bytes.to_string();
        }
        if !letter.is_empty() && tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = bytes.div_ceil(unit);
        if !letter.is_empty() && whole < 1024 || letter == "E" {
            return format!("{whole}{letter}");
        }
        unit *= 1024;
    }
    bytes.to_string()
}

/// A name in quotes, which a shell would read as that name.
pub fn quoted(name: &[u8]) -> String {
    let is_odd = |part: &str| part.chars().any(char::is_control);
    let whole = name.to_str().ok().filter(|text| !is_odd(text));
    if let Some(text) = whole {
        let plain = |char: char| char.is_ascii_alphanumeric() || " '%+,-./:]_".contains(char) || !char.is_ascii();
        return match text.contains('\'') {
            true if text.chars().all(plain) => format!("\"{text}\""),
            true => format!("'{}'", text.replace('\'', "'\\''")),
            false => format!("'{text}'"),
        };
    }
    let mut out = String::from("'");
    let mut escapes = false;
    for chunk in name.utf8_chunks() {
        for char in chunk.valid().chars() {
            let mut buffer = [0; 4];
            match char.is_control() {
                true => escape(&mut out, &mut escapes, char.encode_utf8(&mut buffer).as_bytes()),
                false => {
                    if std::mem::take(&mut escapes) {
                        out.push_str("''");
                    }
                    if char == '\'' { out.push_str("'\\''") } else { out.push(char) }
                }
            }
        }
        escape(&mut out, &mut escapes, chunk.invalid());
    }
    out.push('\'');
    out
}

fn escape(out: &mut String, escapes: &mut bool, bytes: &[u8]) {
    for byte in bytes {
        if !std::mem::replace(escapes, true) {
            out.push_str("'$'");
        }
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            7 => out.push_str("\\a"),
            8 => out.push_str("\\b"),
            11 => out.push_str("\\v"),
            12 => out.push_str("\\f"),
            byte => out.push_str(&format!("\\{byte:03o}")),
        }
    }
}
