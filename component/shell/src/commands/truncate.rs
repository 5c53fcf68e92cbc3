//! `truncate`

use bstr::ByteSlice;

use super::arguments::{Flag, Reading, flag, read, valued};
use super::entries::{has_parent, quoted, stat};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::Kind;

const FLAGS: &[Flag] = &[flag('c', "no-create"), valued('r', "reference"), valued('s', "size")];

/// A size, or how it is to change.
#[derive(Clone, Copy, Debug)]
struct Change {
    sign: u8,
    number: u64,
}

impl Change {
    fn read(text: &[u8]) -> Option<Change> {
        let text = text.trim();
        let (sign, text) = match text.split_first()? {
            (sign @ (b'+' | b'-' | b'<' | b'>' | b'/' | b'%'), rest) => (*sign, rest),
            _ => (b'=', text),
        };
        let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        let number: u64 = std::str::from_utf8(&text[..end]).ok()?.parse().ok()?;
        let (letter, base) = match &text[end..] {
            [] => return Change { sign, number }.checked(),
            [letter] => (letter, 1024_u64),
            [letter, b'B'] => (letter, 1000),
            [letter, b'i', b'B'] => (letter, 1024),
            _ => return None,
        };
        let power = b"KMGTPE".iter().position(|known| *known == letter.to_ascii_uppercase())? + 1;
        let number = number.checked_mul(base.checked_pow(u32::try_from(power).ok()?)?)?;
        Change { sign, number }.checked()
    }

    fn checked(self) -> Option<Change> {
        (!(self.number == 0 && matches!(self.sign, b'/' | b'%'))).then_some(self)
    }

    fn apply(self, size: u64) -> u64 {
        let number = self.number;
        match self.sign {
            b'+' => size.saturating_add(number),
            b'-' => size.saturating_sub(number),
            b'<' => size.min(number),
            b'>' => size.max(number),
            b'/' => size / number * number,
            b'%' => size.div_ceil(number).saturating_mul(number),
            _ => number,
        }
    }
}

/// Cuts files, or makes them longer.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let change = match given.value('s').map(|text| (text, Change::read(text))) {
        Some((_, Some(change))) => Some(change),
        Some((text, None)) => {
            call.complain(format!("Invalid number: ‘{text}’")).await?;
            return Ok(1);
        }
        None => None,
    };
    let reference = match given.value('r').map(|name| (name, stat(call.shell, name, true))) {
        Some((_, Ok(stat))) => Some(stat.size),
        Some((name, Err(error))) => {
            call.complain(format!("cannot stat {}: {}", quoted(name), reason(&error))).await?;
            return Ok(1);
        }
        None => None,
    };
    if change.is_none() && reference.is_none() {
        return call.misused("you must specify either ‘--size’ or ‘--reference’", 1).await;
    }
    if given.operands.is_empty() {
        return call.misused("missing file operand", 1).await;
    }
    let mut status = 0;
    for name in &given.operands {
        let there = stat(call.shell, name, true);
        if given.has('c') && there.is_err() {
            continue;
        }
        let size = there.as_ref().map_or(0, |stat| stat.size);
        let size = match change {
            Some(change) => change.apply(reference.unwrap_or(size)),
            None => reference.unwrap_or(size),
        };
        call.shell.hold(usize::try_from(size).unwrap_or(usize::MAX))?;
        if let Err(error) = resized(call, name, there, size) {
            call.complain(format!("cannot open {} for writing: {}", quoted(name), reason(&error))).await?;
            status = 1;
        }
    }
    Ok(status)
}

fn resized(call: &Call<'_>, name: &[u8], there: std::io::Result<crate::world::Stat>, size: u64) -> std::io::Result<()> {
    let path = call.shell.path(name);
    let files = &call.shell.base.files;
    let mut content = match there {
        Ok(stat) if stat.kind == Kind::Folder => return Err(std::io::ErrorKind::IsADirectory.into()),
        Ok(_) => files.read(path.as_bstr())?.to_vec(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !name.is_empty() => {
            has_parent(call.shell, path.as_bstr())?;
            Vec::new()
        }
        Err(error) => return Err(error),
    };
    let size = usize::try_from(size).map_err(|_| std::io::ErrorKind::FileTooLarge)?;
    content.resize(size, 0);
    files.put(path.as_bstr(), content)
}
