//! `file`: a guess at what is in files.

mod text;

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use super::entries::stat;
use crate::exec::{Call, Ended, redirect};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

const FLAGS: &[Flag] = &[
    flag('b', "brief"),
    flag('E', ""),
    valued('F', "separator"),
    flag('h', "no-dereference"),
    flag('i', "mime"),
    flag('L', "dereference"),
    flag('N', "no-pad"),
    flag('0', "print0"),
    flag('\x01', "mime-type"),
    flag('\x02', "mime-encoding"),
];

/// What a file is: in words, as a type, and as an encoding.
#[derive(Clone, Debug)]
struct Guess {
    words: String,
    mime: &'static str,
    encoding: &'static str,
}

impl Guess {
    fn binary(words: impl Into<String>, mime: &'static str) -> Guess {
        Guess { words: words.into(), mime, encoding: "binary" }
    }
}

/// Says what files are.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        call.say("Usage: file [-bhiLN0] [-F separator] [--mime-type] [--mime-encoding] file ...\n").await?;
        return Ok(1);
    }
    let mark = given.value('F').cloned().unwrap_or_else(|| ":".into());
    let width = |name: &BString| name.chars().count();
    let widest = given.operands.iter().map(width).max().unwrap_or(0);
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        let guess = match name == "-" {
            true => Ok(content(&call.stdin.all().await)),
            false => guess(call.shell, name, given.has('L')),
        };
        let text = match guess {
            Ok(guess) if given.has('i') => format!("{}; charset={}", guess.mime, guess.encoding),
            Ok(guess) if given.has('\x01') => guess.mime.to_owned(),
            Ok(guess) if given.has('\x02') => guess.encoding.to_owned(),
            Ok(guess) => guess.words,
            Err(error) => {
                status |= i32::from(given.has('E'));
                format!("cannot open `{name}' ({})", reason(&error))
            }
        };
        if !given.has('b') {
            let shown = if name == "-" { "/dev/stdin".into() } else { name.clone() };
            let pad = if given.has('N') { 0 } else { widest.saturating_sub(width(name)) };
            let end = if given.has('0') { b"\0".as_slice() } else { b"" };
            call.print([&shown, end, &mark, " ".repeat(pad + 1).as_bytes()].concat()).await?;
        }
        call.line(text).await?;
    }
    Ok(status)
}

fn guess(shell: &Shell, name: &[u8], follows: bool) -> std::io::Result<Guess> {
    let path = shell.path(name);
    if redirect::is_device(shell, &path) {
        return Ok(Guess::binary("character special (1/3)", "inode/chardevice"));
    }
    let found = stat(shell, name, follows)?;
    let files = &shell.base.files;
    match found.kind {
        Kind::Folder => Ok(Guess::binary("directory", "inode/directory")),
        Kind::Link => {
            let target = files.world()?.read_link(path.as_bstr())?;
            let broken = if files.stat(path.as_bstr(), true).is_ok() { "" } else { "broken " };
            Ok(Guess::binary(format!("{broken}symbolic link to {target}"), "inode/symlink"))
        }
        Kind::File => Ok(content(&files.read(path.as_bstr())?)),
    }
}

/// No more of a file is looked at.
const LOOKED_AT: usize = 1 << 20;

fn content(bytes: &[u8]) -> Guess {
    if bytes.is_empty() {
        return Guess::binary("empty", "inode/x-empty");
    }
    let begin = &bytes[..bytes.len().min(LOOKED_AT)];
    known(begin).or_else(|| text::guess(begin)).unwrap_or_else(|| Guess::binary("data", "application/octet-stream"))
}

/// What is known by its first bytes.
fn known(bytes: &[u8]) -> Option<Guess> {
    if let Some(image) = image(bytes) {
        return Some(image);
    }
    const KNOWN: &[(&[u8], &str, &str)] = &[
        (b"BZh", "bzip2 compressed data", "application/x-bzip2"),
        (b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
        (b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+)", "application/zstd"),
        (b"7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed"),
        (b"SQLite format 3\0", "SQLite 3.x database", "application/vnd.sqlite3"),
        (b"\0asm", "WebAssembly (wasm) binary module", "application/wasm"),
        (b"wOFF", "Web Open Font Format", "font/woff"),
        (b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
        (b"OggS", "Ogg data", "application/ogg"),
        (b"fLaC", "FLAC audio bitstream data", "audio/flac"),
        (b"ID3", "Audio file with ID3", "audio/mpeg"),
    ];
    if let Some((_, words, mime)) = KNOWN.iter().find(|(begin, ..)| bytes.starts_with(begin)) {
        return Some(Guess::binary(*words, mime));
    }
    if bytes.starts_with(b"\x1f\x8b") {
        let method = if bytes.get(2) == Some(&8) { ", deflate" } else { "" };
        return Some(Guess::binary(format!("gzip compressed data{method}"), "application/gzip"));
    }
    if bytes.starts_with(b"PK\x03\x04") {
        let version = bytes.get(4).copied().unwrap_or(0);
        let words = format!("Zip archive data, at least v{}.{} to extract", version / 10, version % 10);
        return Some(Guess::binary(words, "application/zip"));
    }
    if bytes.starts_with(b"\x7fELF") {
        let bits = if bytes.get(4) == Some(&2) { "64" } else { "32" };
        let end = if bytes.get(5) == Some(&2) { "MSB" } else { "LSB" };
        return Some(Guess::binary(format!("ELF {bits}-bit {end} executable"), "application/x-executable"));
    }
    if let Some(version) = bytes.strip_prefix(b"%PDF-") {
        let end = version.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(version.len());
        let words = format!("PDF document, version {}", version[..end].to_str_lossy());
        return Some(Guess::binary(words, "application/pdf"));
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(Guess::binary("POSIX tar archive (GNU)", "application/x-tar"));
    }
    None
}

fn image(bytes: &[u8]) -> Option<Guess> {
    let big =
        |at: usize| bytes.get(at..at + 4).map(|four| four.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)));
    let little = |at: usize| bytes.get(at..at + 2).map(|two| u32::from(two[0]) | u32::from(two[1]) << 8);
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let mut words = String::from("PNG image data");
        if let (Some(width), Some(height), Some([bits, color, _, _, interlace])) = (big(16), big(20), bytes.get(24..29))
        {
            let color = match color {
                0 => " grayscale",
                2 => "/color RGB",
                3 => " colormap",
                4 => " gray+alpha",
                _ => "/color RGBA",
            };
            let interlaced = if *interlace == 0 { "non-interlaced" } else { "interlaced" };
            words.push_str(&format!(", {width} x {height}, {bits}-bit{color}, {interlaced}"));
        }
        return Some(Guess::binary(words, "image/png"));
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some(Guess::binary("JPEG image data", "image/jpeg"));
    }
    if bytes.starts_with(b"GIF8") {
        let version = bytes.get(3..6).unwrap_or_default().to_str_lossy();
        let size = match (little(6), little(8)) {
            (Some(width), Some(height)) => format!(", {width} x {height}"),
            _ => String::new(),
        };
        return Some(Guess::binary(format!("GIF image data, version {version}{size}"), "image/gif"));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(Guess::binary("RIFF (little-endian) data, Web/P image", "image/webp"));
    }
    None
}
