//! `tar`

mod extract;
mod header;
mod member;
mod options;
mod read;
mod write;

use bstr::{BString, ByteSlice};

use self::options::{Mode, Options};
use super::gzip;
use crate::exec::{Call, Ended};
use crate::io::reason;

/// Reads or writes an archive.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    call.name = "tar".to_owned();
    let options = match options::read(&std::mem::take(&mut call.args)) {
        Ok(options) => options,
        Err((message, status)) => return call.misused(message, status).await,
    };
    let options = match options.with_lists(call).await? {
        Ok(options) => options,
        Err(message) => return fatal(call, message).await,
    };
    match options.mode {
        Mode::Create | Mode::Append => write::run(call, &options).await,
        Mode::List | Mode::Extract => {
            let bytes = match archive(call, &options).await? {
                Ok(bytes) => bytes,
                Err(message) => return fatal(call, message).await,
            };
            extract::run(call, &options, &bytes).await
        }
    }
}

/// The archive, without compression, or why there is none.
async fn archive(call: &mut Call<'_>, options: &Options) -> Result<Result<Vec<u8>, String>, Ended> {
    let name = &options.file;
    let source = match call.open(name) {
        Ok(source) => source,
        Err(error) => return Ok(Err(format!("{name}: Cannot open: {}", reason(&error)))),
    };
    let all = source.all().await;
    call.shell.hold(all.len())?;
    let packed = all.starts_with(b"\x1f\x8b");
    if options.other.is_some() || all.starts_with(b"BZh") || all.starts_with(b"\xfd7zXZ") {
        return Ok(Err("only gzip is there to decompress archives".to_owned()));
    }
    if !options.gzip && !packed {
        return Ok(Ok(all.to_vec()));
    }
    if packed && !options.gzip && name == "-" {
        return Ok(Err("Archive is compressed. Use -z option".to_owned()));
    }
    let (bytes, wrong) = gzip::decompressed(call.shell, &all)?;
    if let Some(wrong) = wrong {
        call.say(format!("\ngzip: stdin: {wrong}\n")).await?;
        if bytes.is_empty() {
            return Ok(Err("Child returned status 1".to_owned()));
        }
    }
    Ok(Ok(bytes))
}

/// Says what is wrong. There is nothing else to do.
async fn fatal(call: &mut Call<'_>, message: String) -> Result<i32, Ended> {
    call.complain(message).await?;
    call.complain("Error is not recoverable: exiting now").await?;
    Ok(2)
}

/// Whether a name, or what it is in, is to be left out, as an operand of this place wants it.
fn is_excluded(options: &Options, name: &[u8], step: usize) -> bool {
    let begins = std::iter::once(0).chain(name.find_iter(b"/").map(|at| at + 1));
    let ends: Vec<usize> = name.find_iter(b"/").chain([name.len()]).collect();
    !options.excludes.is_empty()
        && begins.into_iter().any(|begin| {
            ends.iter().filter(|end| **end > begin).any(|end| {
                let part = &name[begin..*end];
                options.excludes.iter().any(|(pattern, from)| *from <= step && pattern.matches(part))
            })
        })
}

/// The part of a name that leads nowhere else, and what was in front of it.
fn safe(name: &[u8]) -> (&[u8], &[u8]) {
    let mut begin = 0;
    let mut at = 0;
    for part in name.split_str("/") {
        let end = at + part.len();
        if part == b".." {
            begin = end;
        }
        at = end + 1;
    }
    while name.get(begin) == Some(&b'/') {
        begin += 1;
    }
    (&name[begin..], &name[..begin])
}

/// Says once what is removed from names.
async fn removed(call: &mut Call<'_>, said: &mut Vec<BString>, front: &[u8], what: &str) -> Result<(), Ended> {
    let front = BString::from(front);
    if !front.is_empty() && !said.contains(&front) {
        call.complain(format!("Removing leading `{front}' from {what}")).await?;
        said.push(front);
    }
    Ok(())
}
