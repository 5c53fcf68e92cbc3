//! `md5sum`, `sha1sum`, `sha224sum`, `sha256sum`, `sha384sum` and `sha512sum`

use bstr::{BStr, BString, ByteSlice};
use sha2::Digest;

use super::arguments::{Flag, Given, Reading, flag, read};
use super::input::Input;
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('b', "binary"),
    flag('c', "check"),
    flag('t', "text"),
    flag('z', "zero"),
    flag('w', "warn"),
    flag('q', "quiet"),
    flag('s', "status"),
    flag('S', "strict"),
    flag('m', "ignore-missing"),
    flag('T', "tag"),
];

/// What computes a checksum.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// MD5
    Md5,
    /// SHA-1
    Sha1,
    /// SHA-2 with 224 bits
    Sha224,
    /// SHA-2 with 256 bits
    Sha256,
    /// SHA-2 with 384 bits
    Sha384,
    /// SHA-2 with 512 bits
    Sha512,
}

impl Kind {
    /// Its name in tagged lines.
    pub fn tag(self) -> &'static str {
        match self {
            Kind::Md5 => "MD5",
            Kind::Sha1 => "SHA1",
            Kind::Sha224 => "SHA224",
            Kind::Sha256 => "SHA256",
            Kind::Sha384 => "SHA384",
            Kind::Sha512 => "SHA512",
        }
    }

    fn digits(self) -> usize {
        match self {
            Kind::Md5 => 32,
            Kind::Sha1 => 40,
            Kind::Sha224 => 56,
            Kind::Sha256 => 64,
            Kind::Sha384 => 96,
            Kind::Sha512 => 128,
        }
    }
}

/// `md5sum`
pub async fn md5(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Md5).await
}

/// `sha1sum`
pub async fn sha1(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Sha1).await
}

/// `sha224sum`
pub async fn sha224(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Sha224).await
}

/// `sha256sum`
pub async fn sha256(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Sha256).await
}

/// `sha384sum`
pub async fn sha384(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Sha384).await
}

/// `sha512sum`
pub async fn sha512(call: &mut Call<'_>) -> Result<i32, Ended> {
    run(call, Kind::Sha512).await
}

async fn run(call: &mut Call<'_>, kind: Kind) -> Result<i32, Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let checks = given.has('c');
    if given.has('T') && checks {
        return call.misused("the --tag option is meaningless when verifying checksums", 1).await;
    }
    if given.operands.is_empty() {
        given.operands.push("-".into());
    }
    let mut status = 0;
    for name in std::mem::take(&mut given.operands) {
        let fine = match checks {
            true => check(call, kind, &given, &name).await?,
            false => print(call, kind, &given, &name).await?,
        };
        if !fine {
            status = 1;
        }
    }
    Ok(status)
}

async fn print(call: &mut Call<'_>, kind: Kind, given: &Given, name: &BString) -> Result<bool, Ended> {
    let Some(sum) = sum(call, kind, name).await? else { return Ok(false) };
    let zero = given.has('z');
    let line = written(kind, given.has('T'), given.last(&['b', 't']) == Some('b'), zero, &sum, name);
    call.print(line).await?;
    Ok(true)
}

/// A line with a checksum.
pub fn written(kind: Kind, tagged: bool, binary: bool, zero: bool, sum: &str, name: &BString) -> Vec<u8> {
    let (escape, shown) = if zero { ("", name.clone()) } else { escaped(name) };
    let end = if zero { "\0" } else { "\n" };
    match (tagged, binary) {
        (true, _) => {
            [escape.as_bytes(), kind.tag().as_bytes(), b" (", &shown, b") = ", sum.as_bytes(), end.as_bytes()].concat()
        }
        (false, binary) => {
            let mark: &[u8] = if binary { b" *" } else { b"  " };
            [escape.as_bytes(), sum.as_bytes(), mark, &shown, end.as_bytes()].concat()
        }
    }
}

/// A name with line breaks and backslashes written out, and what tells so.
fn escaped(name: &BString) -> (&'static str, BString) {
    if name.find_byteset(b"\\\n\r").is_none() {
        return ("", name.clone());
    }
    (r"\", name.replace(r"\", r"\\").replace("\n", r"\n").replace("\r", r"\r").into())
}

fn unescaped(name: &[u8]) -> Option<BString> {
    let mut out = BString::default();
    let mut bytes = name.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.push(match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            }),
            byte => out.push(*byte),
        }
    }
    Some(out)
}

/// The checksum of a file, in digits. If it cannot be read, says so.
pub async fn sum(call: &mut Call<'_>, kind: Kind, name: &BString) -> Result<Option<String>, Ended> {
    match kind {
        Kind::Md5 => digest::<md5::Md5>(call, name).await,
        Kind::Sha1 => digest::<sha1::Sha1>(call, name).await,
        Kind::Sha224 => digest::<sha2::Sha224>(call, name).await,
        Kind::Sha256 => digest::<sha2::Sha256>(call, name).await,
        Kind::Sha384 => digest::<sha2::Sha384>(call, name).await,
        Kind::Sha512 => digest::<sha2::Sha512>(call, name).await,
    }
}

async fn digest<D: Digest>(call: &mut Call<'_>, name: &BString) -> Result<Option<String>, Ended> {
    let mut input = Input::new(vec![name.clone()]);
    let mut digest = D::new();
    while let Some(part) = input.some(call).await? {
        for part in part.chunks(1 << 16) {
            call.work(u32::try_from(part.len() / 256).unwrap_or(u32::MAX))?;
            digest.update(part);
        }
    }
    if input.status != 0 {
        return Ok(None);
    }
    Ok(Some(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

/// What a file of checksums came to.
#[derive(Default)]
struct Checked {
    lines: usize,
    matched: usize,
    malformed: usize,
    unread: usize,
    wrong: usize,
}

async fn check(call: &mut Call<'_>, kind: Kind, given: &Given, name: &BString) -> Result<bool, Ended> {
    let Some(content) = call.content(name).await? else { return Ok(false) };
    let shown = if name == "-" { BString::from("standard input") } else { name.clone() };
    let mut checked = Checked::default();
    for (number, line) in content.lines_with_terminator().enumerate() {
        call.work(1)?;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.starts_with(b"#") {
            continue;
        }
        match parsed(kind, line) {
            Some((sum, listed)) => one(call, kind, given, &sum, &listed, &mut checked).await?,
            None => {
                checked.malformed += 1;
                if given.has('w') {
                    let message = format!("{shown}: {}: improperly formatted {} checksum line", number + 1, kind.tag());
                    call.complain(message).await?;
                }
            }
        }
    }
    summary(call, given, &shown, &checked).await
}

async fn one(
    call: &mut Call<'_>,
    kind: Kind,
    given: &Given,
    wanted: &str,
    name: &BString,
    checked: &mut Checked,
) -> Result<(), Ended> {
    checked.lines += 1;
    let (mark, shown) = escaped(name);
    let missing = || name != "-" && call.shell.base.files.stat(call.shell.path(name).as_bstr(), true).is_err();
    if given.has('m') && missing() {
        return Ok(());
    }
    let (word, silent) = match sum(call, kind, name).await? {
        None => {
            checked.unread += 1;
            ("FAILED open or read", false)
        }
        Some(sum) if sum.eq_ignore_ascii_case(wanted) => {
            checked.matched += 1;
            ("OK", given.has('q'))
        }
        Some(_) => {
            checked.wrong += 1;
            ("FAILED", false)
        }
    };
    if !silent && !given.has('s') {
        call.line(format!("{mark}{shown}: {word}")).await?;
    }
    Ok(())
}

/// The checksum of a line, and the name.
fn parsed(kind: Kind, line: &[u8]) -> Option<(String, BString)> {
    let line = line.trim_start_with(|char| char == ' ' || char == '\t');
    let (line, escapes) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (sum, name) = match line.strip_prefix(kind.tag().as_bytes()).and_then(tagged) {
        Some(found) => found,
        None => {
            let length = kind.digits();
            let name = match line.get(length..)? {
                [b' ', b' ' | b'*', name @ ..] => name,
                [b' ', name @ ..] => name,
                _ => return None,
            };
            (&line[..length], name.as_bstr())
        }
    };
    if sum.len() != kind.digits() || !sum.iter().all(u8::is_ascii_hexdigit) || name.is_empty() {
        return None;
    }
    let name = if escapes { unescaped(name)? } else { name.to_owned() };
    Some((sum.to_str_lossy().into_owned(), name))
}

fn tagged(rest: &[u8]) -> Option<(&[u8], &BStr)> {
    let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
    let at = rest.rfind(b")")?;
    let sum = rest[at + 1..].trim_start().strip_prefix(b"=")?.trim_start();
    Some((sum, rest[..at].as_bstr()))
}

async fn summary(call: &mut Call<'_>, given: &Given, name: &BString, checked: &Checked) -> Result<bool, Ended> {
    let quiet = given.has('s');
    if checked.lines == 0 {
        call.flush().await?;
        call.complain(format!("{name}: no properly formatted checksum lines found")).await?;
        return Ok(false);
    }
    call.flush().await?;
    let one = |count: usize, one: &str, many: &str| format!("WARNING: {count} {}", if count == 1 { one } else { many });
    if !quiet {
        if checked.malformed > 0 {
            let said = one(checked.malformed, "line is improperly formatted", "lines are improperly formatted");
            call.complain(said).await?;
        }
        if checked.unread > 0 {
            let said = one(checked.unread, "listed file could not be read", "listed files could not be read");
            call.complain(said).await?;
        }
        if checked.wrong > 0 {
            let said = one(checked.wrong, "computed checksum did NOT match", "computed checksums did NOT match");
            call.complain(said).await?;
        }
    }
    if given.has('m') && checked.matched == 0 {
        if !quiet {
            call.complain(format!("{name}: no file was verified")).await?;
        }
        return Ok(false);
    }
    Ok(checked.unread == 0 && checked.wrong == 0 && !(given.has('S') && checked.malformed > 0))
}
