//! `mktemp`. Names come from a counter, so that the same script makes the same names.

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;

const FLAGS: &[Flag] = &[
    flag('d', "directory"),
    flag('u', "dry-run"),
    flag('q', "quiet"),
    flag('t', ""),
    valued('p', ""),
    maybe('p', "tmpdir"),
    valued('\0', "suffix"),
];

/// The fewest letters that a template leaves open.
const FEWEST: usize = 3;

/// Makes a file or a folder of a new name, and prints it.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if given.operands.len() > 1 {
        return call.misused("too many templates", 1).await;
    }
    let (before, open, after) = match template(call, &given) {
        Ok(parts) => parts,
        Err(message) => {
            call.complain(message).await?;
            return Ok(1);
        }
    };
    let what = if given.has('d') { "directory" } else { "file" };
    loop {
        call.work(1)?;
        let next = &call.shell.base.next;
        let number = next.replace(next.get().wrapping_add(1));
        let name = BString::from([&before[..], letters(number, open).as_bytes(), &after].concat());
        let path = call.shell.path(&name);
        if call.shell.base.files.stat(path.as_bstr(), false).is_ok() {
            continue;
        }
        if !given.has('u')
            && let Err(error) = made(call, &path, given.has('d'))
        {
            if !given.has('q') {
                let open = "X".repeat(open);
                let template = [&before[..], open.as_bytes(), &after].concat();
                let template = template.as_bstr();
                call.complain(format!("failed to create {what} via template '{template}': {}", reason(&error))).await?;
            }
            return Ok(1);
        }
        call.line(name).await?;
        return Ok(0);
    }
}

/// What stands before the open letters, how many they are, and what stands behind.
fn template(call: &Call<'_>, given: &Given) -> Result<(BString, usize, BString), String> {
    let usual = BString::from("tmp.XXXXXXXXXX");
    let template = given.operands.first().unwrap_or(&usual);
    let suffix = given.value('\0').cloned();
    if suffix.is_some() && !template.ends_with(b"X") {
        return Err(format!("with --suffix, template '{template}' must end in X"));
    }
    let end = template.rfind_byte(b'X').map_or(0, |at| at + 1);
    let suffix = suffix.unwrap_or_else(|| template[end..].into());
    if suffix.contains(&b'/') {
        return Err(format!("invalid suffix '{suffix}', contains directory separator"));
    }
    let start = template[..end].trim_end_with(|char| char == 'X').len();
    if end - start < FEWEST {
        return Err(format!("too few X's in template '{template}'"));
    }
    let mut before = BString::from(&template[..start]);
    if given.has('p') || given.has('t') || given.operands.is_empty() {
        let old = given.has('t');
        if old && template.contains(&b'/') {
            return Err(format!("invalid template '{template}', contains directory separator"));
        }
        if template.starts_with(b"/") {
            return Err(format!("invalid template '{template}'; with --tmpdir, it may not be absolute"));
        }
        let folder = folder(call, given, old);
        let slash = if folder.ends_with(b"/") { "" } else { "/" };
        before = [&folder[..], slash.as_bytes(), &before].concat().into();
    }
    Ok((before, end - start, suffix))
}

/// The folder of temporary files.
fn folder(call: &Call<'_>, given: &Given, old: bool) -> BString {
    let of_env = || call.shell.text("TMPDIR").filter(|folder| !folder.is_empty());
    let of_option = || given.value('p').cloned().filter(|folder| !folder.is_empty());
    let folder = if old { of_env().or_else(of_option) } else { of_option().or_else(of_env) };
    folder.unwrap_or_else(|| "/tmp".into())
}

fn made(call: &Call<'_>, path: &BString, is_folder: bool) -> std::io::Result<()> {
    let world = call.shell.base.files.world()?;
    // A world need not have it, but every script counts on it.
    let tmp = b"/tmp".as_bstr();
    if path.starts_with(b"/tmp/") && world.stat(tmp, true).is_err() {
        world.make_folder(tmp)?;
    }
    if is_folder { world.make_folder(path.as_bstr()) } else { world.write(path.as_bstr(), Vec::new()) }
}

/// A number in so many letters, spread so that names look unlike each other.
fn letters(number: u32, length: usize) -> String {
    const LETTERS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    // Odd, and so a number stands for each number.
    let mut left = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ u64::from(number);
    let mut text = String::new();
    for _ in 0..length {
        let at = usize::try_from(left % 62).expect("it is below 62");
        text.push(char::from(LETTERS[at]));
        left /= 62;
    }
    text
}
