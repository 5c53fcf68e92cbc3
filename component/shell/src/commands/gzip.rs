//! `gzip`, `gunzip` and `zcat`

use std::io::{Read, Write};

use bstr::{BString, ByteSlice};
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::{Kind, Stat};

const FLAGS: &[Flag] = &[
    flag('c', "stdout"),
    flag('c', "to-stdout"),
    flag('d', "decompress"),
    flag('d', "uncompress"),
    flag('f', "force"),
    flag('k', "keep"),
    flag('n', "no-name"),
    flag('N', "name"),
    flag('q', "quiet"),
    flag('r', "recursive"),
    valued('S', "suffix"),
    flag('t', "test"),
    flag('v', "verbose"),
    flag('1', "fast"),
    flag('2', ""),
    flag('3', ""),
    flag('4', ""),
    flag('5', ""),
    flag('6', ""),
    flag('7', ""),
    flag('8', ""),
    flag('9', "best"),
];

/// Bytes that are decompressed between two looks at the limits.
const PART: usize = 64 * 1024;

/// Compresses files, or decompresses them with `-d`.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    with(call, &[]).await
}

/// Decompresses files.
pub async fn gunzip(call: &mut Call<'_>) -> Result<i32, Ended> {
    with(call, &['d']).await
}

/// Prints what files have in them.
pub async fn zcat(call: &mut Call<'_>) -> Result<i32, Ended> {
    with(call, &['d', 'c']).await
}

async fn with(call: &mut Call<'_>, also: &[char]) -> Result<i32, Ended> {
    call.name = "gzip".to_owned();
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    given.flags.extend(also.iter().map(|letter| (*letter, BString::default())));
    if given.operands.is_empty() {
        given.operands.push("-".into());
    }
    let mut names: Vec<BString> = std::mem::take(&mut given.operands);
    names.reverse();
    let mut status = 0;
    while let Some(name) = names.pop() {
        call.work(1)?;
        let folder = name != "-" && is_folder(call, &name);
        if folder && given.has('r') {
            let path = call.shell.path(&name);
            let listed = call.shell.base.files.list(path.as_bstr()).unwrap_or_default();
            names.extend(listed.iter().rev().map(|(entry, _)| BString::from([&name[..], b"/", &entry[..]].concat())));
            continue;
        }
        let said = match name == "-" {
            true => stream(call, &given).await?,
            false => file(call, &given, &name).await?,
        };
        // A warning counts less than an error.
        if status != 1 && said != 0 {
            status = said;
        }
    }
    Ok(status)
}

fn is_folder(call: &Call<'_>, name: &BString) -> bool {
    let path = call.shell.path(name);
    call.shell.base.files.stat(path.as_bstr(), true).is_ok_and(|stat| stat.kind == Kind::Folder)
}

async fn stream(call: &mut Call<'_>, given: &Given) -> Result<i32, Ended> {
    let all = call.stdin.all().await;
    call.shell.hold(all.len())?;
    if !given.has('d') && !given.has('t') {
        let out = compressed(call.shell, &all, level(given), None)?;
        call.print(out).await?;
        return Ok(0);
    }
    let (out, wrong) = decompressed(call.shell, &all)?;
    if !given.has('t') {
        call.print(if wrong == Some(FOREIGN) && given.has('f') { &all[..] } else { &out }).await?;
    }
    match wrong {
        Some(FOREIGN) if given.has('f') && given.has('c') => Ok(0),
        Some(GARBAGE) => {
            call.complain(format!("stdin: {GARBAGE}")).await?;
            Ok(2)
        }
        Some(wrong) => {
            call.flush().await?;
            call.say(format!("\ngzip: stdin: {wrong}\n")).await?;
            Ok(1)
        }
        None => Ok(0),
    }
}

async fn file(call: &mut Call<'_>, given: &Given, name: &BString) -> Result<i32, Ended> {
    let suffix = given.value('S').cloned().unwrap_or_else(|| ".gz".into());
    let unpacks = given.has('d') || given.has('t');
    let (name, stat) = match found(call, name, &suffix, unpacks) {
        Ok(found) => found,
        Err(why) => {
            call.complain(why).await?;
            return Ok(1);
        }
    };
    if stat.kind == Kind::Folder {
        call.complain(format!("{name} is a directory -- ignored")).await?;
        return Ok(2);
    }
    let stays = given.has('c') || given.has('t');
    let to = match target(&name, &suffix, unpacks) {
        Ok(to) => to,
        Err(_) if stays => BString::default(),
        Err(why) => {
            if !given.has('q') {
                call.complain(why).await?;
            }
            return Ok(2);
        }
    };
    let to_path = call.shell.path(&to);
    if !stays && !given.has('f') && call.shell.base.files.stat(to_path.as_bstr(), false).is_ok() {
        call.complain(format!("{to} already exists;\tnot overwritten")).await?;
        return Ok(2);
    }
    let Some(all) = call.content(&name).await? else { return Ok(1) };
    let mut status = 0;
    let out = match unpacks {
        false => compressed(call.shell, &all, level(given), (!given.has('n')).then_some((&name, &stat)))?,
        true => {
            let (out, wrong) = decompressed(call.shell, &all)?;
            match wrong {
                Some(FOREIGN) if given.has('f') && given.has('c') => all.to_vec(),
                Some(GARBAGE) => {
                    call.complain(format!("{name}: {GARBAGE}")).await?;
                    status = 2;
                    out
                }
                Some(wrong) => {
                    if given.has('c') {
                        call.print(out).await?;
                        call.flush().await?;
                    }
                    call.say(format!("\ngzip: {name}: {wrong}\n")).await?;
                    return Ok(1);
                }
                None => out,
            }
        }
    };
    if given.has('t') {
        return Ok(status);
    }
    if given.has('c') {
        call.print(out).await?;
        return Ok(status);
    }
    Ok(replace(call, given, &name, &to, out, &stat).await?.max(status))
}

async fn replace(
    call: &mut Call<'_>,
    given: &Given,
    name: &BString,
    to: &BString,
    out: Vec<u8>,
    stat: &Stat,
) -> Result<i32, Ended> {
    let (path, to_path) = (call.shell.path(name), call.shell.path(to));
    let files = &call.shell.base.files;
    let written = files.put(to_path.as_bstr(), out).and_then(|()| {
        let world = files.world()?;
        world.set_executable(to_path.as_bstr(), stat.executable)?;
        world.set_modified(to_path.as_bstr(), stat.modified)?;
        if given.has('k') { Ok(()) } else { world.remove_file(path.as_bstr()) }
    });
    if let Err(error) = written {
        call.complain(format!("{to}: {}", reason(&error))).await?;
        return Ok(1);
    }
    Ok(0)
}

/// The file of this name, or of the name with the suffix.
fn found(call: &Call<'_>, name: &BString, suffix: &BString, unpacks: bool) -> Result<(BString, Stat), String> {
    let stat = |name: &BString| call.shell.base.files.stat(call.shell.path(name).as_bstr(), true);
    match stat(name) {
        Ok(stat) => Ok((name.clone(), stat)),
        Err(error) => {
            let longer = BString::from([&name[..], &suffix[..]].concat());
            if unpacks
                && !name.ends_with(suffix)
                && let Ok(stat) = stat(&longer)
            {
                return Ok((longer, stat));
            }
            let shown = if unpacks && !name.ends_with(suffix) { &longer } else { name };
            Err(format!("{shown}: {}", reason(&error)))
        }
    }
}

/// The name of what comes out.
fn target(name: &BString, suffix: &BString, unpacks: bool) -> Result<BString, String> {
    if !unpacks {
        if name.ends_with(suffix) {
            return Err(format!("{name} already has {suffix} suffix -- unchanged"));
        }
        return Ok([&name[..], &suffix[..]].concat().into());
    }
    for (old, new) in [(&suffix[..], ""), (b".tgz", ".tar"), (b".taz", ".tar"), (b"-gz", ""), (b".z", ""), (b".Z", "")]
    {
        match name.strip_suffix(old) {
            Some(stem) if !stem.is_empty() => return Ok([stem, new.as_bytes()].concat().into()),
            _ => (),
        }
    }
    Err(format!("{name}: unknown suffix -- ignored"))
}

fn level(given: &Given) -> u32 {
    given.last(&['1', '2', '3', '4', '5', '6', '7', '8', '9']).and_then(|digit| digit.to_digit(10)).unwrap_or(6)
}

/// Compresses it, with the name and the time of a file.
pub fn compressed(shell: &Shell, all: &[u8], level: u32, file: Option<(&BString, &Stat)>) -> Result<Vec<u8>, Ended> {
    let mut builder = GzBuilder::new().operating_system(3);
    if let Some((name, stat)) = file {
        let base = name.rsplit_once_str("/").map_or(&name[..], |(_, base)| base);
        let seconds = u32::try_from(stat.modified.div_euclid(1_000_000_000)).unwrap_or(0);
        builder = builder.filename(base).mtime(seconds);
    }
    let mut encoder = builder.write(Vec::new(), Compression::new(level));
    for part in all.chunks(PART) {
        shell.work(PART as u32 / 16)?;
        encoder.write_all(part).expect("a vector takes everything");
    }
    Ok(encoder.finish().expect("a vector takes everything"))
}

/// What is said of what was never compressed.
pub const FOREIGN: &str = "not in gzip format";

/// What is said of what is behind the end.
const GARBAGE: &str = "decompression OK, trailing garbage ignored";

/// Decompresses it, as far as it is right, and says what is wrong with it.
pub fn decompressed(shell: &Shell, all: &[u8]) -> Result<(Vec<u8>, Option<&'static str>), Ended> {
    let (mut out, mut rest) = (Vec::new(), all);
    let mut part = vec![0; PART];
    if rest.is_empty() {
        return Ok((out, Some("unexpected end of file")));
    }
    if !rest.starts_with(b"\x1f\x8b") {
        return Ok((out, Some(FOREIGN)));
    }
    while rest.starts_with(b"\x1f\x8b") {
        let mut decoder = GzDecoder::new(rest);
        loop {
            shell.work(PART as u32 / 64)?;
            match decoder.read(&mut part) {
                Ok(0) => break,
                Ok(length) => out.extend_from_slice(&part[..length]),
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    return Ok((out, Some("unexpected end of file")));
                }
                Err(_) => return Ok((out, Some("invalid compressed data--format violated"))),
            }
            shell.hold(out.len())?;
        }
        rest = decoder.into_inner();
    }
    let padding = rest.iter().all(|byte| *byte == 0);
    Ok((out, (!padding).then_some(GARBAGE)))
}
