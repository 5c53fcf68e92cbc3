//! Permissions, as far as a tree has them: whether a file can be changed and executed.

use crate::world::{Kind, Stat};

/// The bits of all permissions.
const ALL: u32 = 0o7777;

/// The permissions of an entry.
pub fn mode(stat: &Stat) -> u32 {
    let all = match stat.kind {
        Kind::Link => return 0o777,
        Kind::Folder => 0o755,
        Kind::File if stat.executable => 0o755,
        Kind::File => 0o644,
    };
    if stat.writable { all } else { all & !0o222 }
}

/// The letter of a kind.
pub fn letter(kind: Kind) -> char {
    match kind {
        Kind::File => 'f',
        Kind::Folder => 'd',
        Kind::Link => 'l',
    }
}

/// The permissions as `ls -l` has them.
pub fn shown(stat: &Stat) -> String {
    let kind = match stat.kind {
        Kind::File => '-',
        kind => letter(kind),
    };
    let bits = mode(stat);
    let rights = (0..9).map(|at| if bits & (0o400 >> at) == 0 { '-' } else { ['r', 'w', 'x'][at % 3] });
    std::iter::once(kind).chain(rights).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Exactly,
    All,
    Any,
}

/// The permissions that are wanted, of files and of folders.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    way: Way,
    file: u32,
    folder: u32,
}

impl Wanted {
    /// Reads what follows `-perm`.
    pub fn read(text: &[u8]) -> Option<Wanted> {
        let (way, rest) = match text {
            [b'-', rest @ ..] => (Way::All, rest),
            [b'/', rest @ ..] => (Way::Any, rest),
            rest => (Way::Exactly, rest),
        };
        Some(Wanted { way, file: bits(rest, false)?, folder: bits(rest, true)? })
    }

    /// Whether it wants any bit of none, which every entry has.
    pub fn wants_none(self) -> bool {
        self.way == Way::Any && self.file == 0
    }

    /// Whether these permissions are wanted.
    pub fn is(self, mode: u32, is_folder: bool) -> bool {
        let wanted = if is_folder { self.folder } else { self.file };
        match self.way {
            Way::Exactly => mode == wanted,
            Way::All => mode & wanted == wanted,
            Way::Any => wanted == 0 || mode & wanted != 0,
        }
    }
}

fn bits(text: &[u8], is_folder: bool) -> Option<u32> {
    if text.first().is_some_and(u8::is_ascii_digit) {
        let number = u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok()?;
        return (number <= ALL).then_some(number);
    }
    text.split(|byte| *byte == b',').try_fold(0, |mode, clause| changed(mode, clause, is_folder))
}

/// A mode after a clause such as `u+x`.
fn changed(mut mode: u32, clause: &[u8], is_folder: bool) -> Option<u32> {
    let count = clause.iter().take_while(|byte| b"ugoa".contains(byte)).count();
    let (who, mut rest) = clause.split_at(count);
    let affected = match who.iter().map(|who| affected(*who)).fold(0, |all, bits| all | bits) {
        0 => ALL,
        bits => bits,
    };
    if rest.is_empty() {
        return None;
    }
    while let [operator @ (b'+' | b'-' | b'='), behind @ ..] = rest {
        let count = behind.iter().take_while(|byte| !b"+-=".contains(byte)).count();
        let bits = match &behind[..count] {
            b"u" => mode >> 6 & 7,
            b"g" => mode >> 3 & 7,
            b"o" => mode & 7,
            letters => letters.iter().try_fold(0, |all, byte| Some(all | right(*byte, mode, is_folder)?))?,
        };
        // Rights of one are those of all, as far as they are affected.
        let bits = ((bits & 0o7000) | ((bits & 7) * 0o111)) & affected;
        mode = match operator {
            b'+' => mode | bits,
            b'-' => mode & !bits,
            _ => (mode & !affected) | bits,
        };
        rest = &behind[count..];
    }
    rest.is_empty().then_some(mode)
}

fn affected(who: u8) -> u32 {
    match who {
        b'u' => 0o4700,
        b'g' => 0o2070,
        b'o' => 0o1007,
        _ => ALL,
    }
}

fn right(letter: u8, mode: u32, is_folder: bool) -> Option<u32> {
    Some(match letter {
        b'r' => 4,
        b'w' => 2,
        b'x' => 1,
        b'X' => u32::from(is_folder || mode & 0o111 != 0),
        b's' => 0o6000,
        b't' => 0o1000,
        _ => return None,
    })
}
