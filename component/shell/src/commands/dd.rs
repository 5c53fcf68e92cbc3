//! `dd`

use bstr::{BString, ByteSlice};

use super::input::{Input, number};
use crate::exec::{Call, Ended};
use crate::io::reason;

/// The largest block.
const LARGEST: u64 = 256 << 20;

/// What was asked for.
#[derive(Debug)]
struct Options {
    from: BString,
    to: Option<BString>,
    input: u64,
    output: u64,
    count: Option<u64>,
    skip: u64,
    seek: u64,
    status: Vec<u8>,
    conversions: Vec<BString>,
    flags: Vec<BString>,
}

impl Options {
    fn converts(&self, name: &str) -> bool {
        self.conversions.iter().any(|given| given == name)
    }

    fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|given| given == name)
    }
}

/// How much was copied.
#[derive(Default)]
struct Copied {
    whole: u64,
    part: u64,
    bytes: u64,
}

/// Copies blocks.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let options = match options(&std::mem::take(&mut call.args)) {
        Ok(options) => options,
        Err(message) => return call.misused(message, 1).await,
    };
    if options.from != "-"
        && let Err(error) = call.open(&options.from)
    {
        let from = &options.from;
        return Err(Ended::Failed(format!("failed to open '{from}': {}", reason(&error))));
    }
    let mut input = Input::exact(options.from.clone());
    let skip = if options.flag("skip_bytes") { options.skip } else { options.skip.saturating_mul(options.input) };
    if input.skip(call, skip).await? < skip {
        let shown = if options.from == "-" { "standard input".into() } else { options.from.clone() };
        call.complain(format!("'{shown}': cannot skip to specified offset")).await?;
    }
    let mut copied = Copied::default();
    let mut held = Vec::new();
    let mut left = match (options.count, options.flag("count_bytes")) {
        (None, _) => u64::MAX,
        (Some(count), true) => count,
        (Some(count), false) => count.saturating_mul(options.input),
    };
    while left > 0 {
        let wanted = options.input.min(left);
        let block = input.take(call, usize::try_from(wanted).unwrap_or(usize::MAX)).await?;
        if block.is_empty() {
            break;
        }
        call.work(1)?;
        left -= block.len() as u64;
        let whole = block.len() as u64 == options.input;
        copied.whole += u64::from(whole);
        copied.part += u64::from(!whole);
        let mut block = block.to_vec();
        convert(&options, &mut block);
        copied.bytes += block.len() as u64;
        if options.to.is_some() {
            held.extend_from_slice(&block);
            call.shell.hold(held.len())?;
        } else {
            call.print(&block).await?;
        }
        if !whole {
            break;
        }
    }
    call.flush().await?;
    if let Some(to) = &options.to {
        put(call, &options, to, held).await?;
    }
    told(call, &options, &copied).await?;
    Ok(input.status)
}

fn options(args: &[BString]) -> Result<Options, String> {
    let mut options = Options {
        from: "-".into(),
        to: None,
        input: 512,
        output: 512,
        count: None,
        skip: 0,
        seek: 0,
        status: Vec::new(),
        conversions: Vec::new(),
        flags: Vec::new(),
    };
    for arg in args {
        let Some((name, value)) = arg.split_once_str("=") else {
            return Err(format!("unrecognized operand ‘{arg}’"));
        };
        let shown = value.as_bstr();
        let count = || factors(value).ok_or_else(|| format!("invalid number: ‘{shown}’"));
        let size = || {
            count().and_then(|size| match size {
                1..=LARGEST => Ok(size),
                _ => Err(format!("invalid number: ‘{shown}’")),
            })
        };
        let words = || value.split_str(",").map(BString::from).collect::<Vec<_>>();
        match name {
            b"if" => options.from = value.into(),
            b"of" => options.to = Some(value.into()),
            b"bs" => (options.input, options.output) = (size()?, size()?),
            b"ibs" => options.input = size()?,
            b"obs" => options.output = size()?,
            b"cbs" => drop(size()?),
            b"count" => {
                options.count = Some(count()?);
                if value.ends_with(b"B")
                    && !value.ends_with(b"iB")
                    && value[..value.len() - 1].iter().all(u8::is_ascii_digit)
                {
                    options.flags.push("count_bytes".into());
                }
            }
            b"skip" | b"iseek" => options.skip = count()?,
            b"seek" | b"oseek" => options.seek = count()?,
            b"status" if [&b"none"[..], b"noxfer", b"progress"].contains(&value) => options.status = value.to_vec(),
            b"status" => return Err(format!("invalid status level: ‘{shown}’")),
            b"conv" => options.conversions.extend(words()),
            b"iflag" | b"oflag" => options.flags.extend(words()),
            _ => return Err(format!("unrecognized operand ‘{arg}’")),
        }
    }
    let known =
        ["notrunc", "ucase", "lcase", "swab", "sync", "noerror", "fsync", "fdatasync", "excl", "nocreat", "sparse"];
    match options.conversions.iter().find(|name| !known.iter().any(|known| name == known)) {
        Some(name) => Err(format!("invalid conversion: ‘{name}’")),
        None => Ok(options),
    }
}

/// A number that may be a product: `2x1k`.
fn factors(text: &[u8]) -> Option<u64> {
    if let Some(bytes) =
        text.strip_suffix(b"B").filter(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    {
        return number(bytes);
    }
    text.split_str("x").try_fold(1_u64, |product, factor| product.checked_mul(number(factor)?))
}

fn convert(options: &Options, block: &mut Vec<u8>) {
    if options.converts("ucase") {
        block.make_ascii_uppercase();
    }
    if options.converts("lcase") {
        block.make_ascii_lowercase();
    }
    if options.converts("swab") {
        block.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    }
    if options.converts("sync") {
        block.resize(usize::try_from(options.input).unwrap_or(block.len()), 0);
    }
}

async fn put(call: &mut Call<'_>, options: &Options, to: &BString, held: Vec<u8>) -> Result<(), Ended> {
    let path = call.shell.path(to);
    let seek = if options.flag("seek_bytes") { options.seek } else { options.seek.saturating_mul(options.output) };
    let seek = usize::try_from(seek).unwrap_or(usize::MAX);
    let appends = options.flag("append");
    if crate::exec::redirect::is_device(call.shell, &path) || (seek == 0 && !options.converts("notrunc") && !appends) {
        let wrong = |ended| match ended {
            Ended::Failed(why) => Ended::Failed(format!("failed to open {why}")),
            ended => ended,
        };
        call.create(to, appends).map_err(wrong)?.write(&held).await?;
        return Ok(());
    }
    call.shell.hold(seek.saturating_add(held.len()))?;
    let failed = |error: std::io::Error| Ended::Failed(format!("failed to open '{to}': {}", reason(&error)));
    let files = &call.shell.base.files;
    let mut now = match files.read(path.as_bstr()) {
        Ok(now) => now.to_vec(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !options.converts("nocreat") => Vec::new(),
        Err(error) => return Err(failed(error)),
    };
    let at = if appends { now.len() } else { seek };
    if now.len() < at {
        now.resize(at, 0);
    }
    let rest = match options.converts("notrunc") {
        true => now.get(at + held.len()..).unwrap_or_default().to_vec(),
        false => Vec::new(),
    };
    now.truncate(at);
    now.extend(held);
    now.extend(rest);
    files.put(path.as_bstr(), now).map_err(failed)
}

async fn told(call: &mut Call<'_>, options: &Options, copied: &Copied) -> Result<(), Ended> {
    if options.status == b"none" {
        return Ok(());
    }
    let (out_whole, out_part) = match options.input == options.output {
        true => (copied.whole, copied.part),
        false => (copied.bytes / options.output, u64::from(!copied.bytes.is_multiple_of(options.output))),
    };
    let mut text = format!("{}+{} records in\n{out_whole}+{out_part} records out\n", copied.whole, copied.part);
    if options.status != b"noxfer" {
        let bytes = copied.bytes;
        text.push_str(&format!("{bytes} byte{} copied, 0 s, 0 B/s\n", if bytes == 1 { "" } else { "s" }));
    }
    call.say(text).await
}
