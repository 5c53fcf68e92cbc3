//! `read` and `mapfile`

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended};
use crate::value::Value;

/// Reads a line into variables.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let (mut raw, mut array, mut delimiter, mut most, mut exact) = (false, None, b'\n', None, false);
    let mut source = call.stdin.clone();
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.len() > 1 && arg.starts_with(b"-")) {
        at += 1;
        if arg == "--" {
            break;
        }
        let mut letters = 1;
        while let Some(letter) = arg.get(letters) {
            letters += 1;
            if matches!(letter, b'r' | b's' | b'e') {
                raw |= *letter == b'r';
                continue;
            }
            // The rest of the argument, or the next one.
            let value: BString =
                if letters < arg.len() { arg[letters..].into() } else { args.get(at).cloned().unwrap_or_default() };
            at += usize::from(letters == arg.len());
            match letter {
                b'a' => array = Some(value.to_str_lossy().into_owned()),
                b'd' => delimiter = value.first().copied().unwrap_or(0),
                b'n' | b'N' => {
                    exact = *letter == b'N';
                    most = value.to_str_lossy().parse::<usize>().ok();
                }
                b'u' => source = call.shell.fds.source(value.to_str_lossy().parse().unwrap_or(0)),
                b'p' | b't' | b'i' => (),
                letter => {
                    call.complain_here(format!("-{}: invalid option", char::from(*letter))).await?;
                    return Ok(2);
                }
            }
            break;
        }
    }
    let names: Vec<String> = args[at.min(args.len())..].iter().map(|name| name.to_str_lossy().into_owned()).collect();
    if let Some(wrong) = names.iter().find(|name| !is_target(name)) {
        call.complain_here(format!("`{wrong}': not a valid identifier")).await?;
        return Ok(1);
    }
    let (line, ended) = match most {
        Some(most) => characters(&source, most, (!exact).then_some(delimiter)).await,
        None => whole(&source, delimiter, raw).await,
    };
    call.shell.hold(line.len())?;
    let separators = super::super::expand::ifs(call.shell);
    let line = Escaped::of(&line, raw);
    if let Some(array) = array {
        let fields = line.fields(&separators, usize::MAX);
        call.shell.vars.entry(&array).value = Some(Value::list(fields));
        return Ok(i32::from(!ended));
    }
    if names.is_empty() {
        call.shell.set("REPLY", line.text())?;
        return Ok(i32::from(!ended));
    }
    if exact {
        put(call, &names[0], line.text()).await?;
        for name in &names[1..] {
            put(call, name, BString::default()).await?;
        }
        return Ok(i32::from(!ended));
    }
    let mut fields = line.fields(&separators, names.len()).into_iter();
    for name in &names {
        put(call, name, fields.next().unwrap_or_default()).await?;
    }
    Ok(i32::from(!ended))
}

fn is_target(name: &str) -> bool {
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    crate::exec::command::is_name(name.as_bytes())
}

async fn put(call: &mut Call<'_>, name: &str, text: BString) -> Result<(), Ended> {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, index)) => crate::exec::assign::element(call.shell, name, index, text, false).await,
        None => call.shell.set(name, text),
    }
}

/// A line without what ends it, and whether something ended it. Unless it is raw, a backslash joins lines.
async fn whole(source: &crate::io::Source, delimiter: u8, raw: bool) -> (Vec<u8>, bool) {
    let mut all = Vec::new();
    while let Some(mut line) = source.line(delimiter).await {
        let ended = line.last() == Some(&delimiter);
        if ended {
            line.pop();
        }
        let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
        let joins = !raw && ended && delimiter == b'\n' && backslashes % 2 == 1;
        if joins {
            line.pop();
        }
        all.extend_from_slice(&line);
        if !joins {
            all.retain(|byte| *byte != 0);
            return (all, ended);
        }
    }
    (all, false)
}

/// So many characters, or fewer if something ends them.
async fn characters(source: &crate::io::Source, most: usize, delimiter: Option<u8>) -> (Vec<u8>, bool) {
    let mut all: Vec<u8> = Vec::new();
    while all.chars().count() < most {
        let Some(byte) = source.byte().await else { return (all, false) };
        if Some(byte) == delimiter {
            return (all, true);
        }
        all.push(byte);
        // A character is read to its end.
        while all.last().is_some_and(|last| *last >= 0x80)
            && bstr::decode_last_utf8(&all).0.is_none()
            && all.len() < 4 * most
        {
            match source.byte().await {
                Some(byte) => all.push(byte),
                None => break,
            }
        }
    }
    (all, true)
}

/// A line, and which of its bytes a backslash quoted.
struct Escaped(Vec<(u8, bool)>);

impl Escaped {
    fn of(line: &[u8], raw: bool) -> Escaped {
        let mut bytes = Vec::new();
        let mut rest = line.iter();
        while let Some(byte) = rest.next() {
            match (*byte, raw) {
                (b'\\', false) => bytes.extend(rest.next().map(|byte| (*byte, true))),
                (byte, _) => bytes.push((byte, false)),
            }
        }
        Escaped(bytes)
    }

    fn text(&self) -> BString {
        self.0.iter().map(|(byte, _)| *byte).collect::<Vec<u8>>().into()
    }

    /// At most so many fields: the last one has the rest.
    fn fields(&self, separators: &[u8], most: usize) -> Vec<BString> {
        let is = |(byte, quoted): &(u8, bool)| !quoted && separators.contains(byte);
        let is_blank = |pair: &(u8, bool)| is(pair) && matches!(pair.0, b' ' | b'\t' | b'\n');
        let text = |part: &[(u8, bool)]| BString::from(part.iter().map(|(byte, _)| *byte).collect::<Vec<u8>>());
        let mut rest = &self.0[..];
        while rest.first().is_some_and(is_blank) {
            rest = &rest[1..];
        }
        let mut fields = Vec::new();
        while !rest.is_empty() {
            if fields.len() + 1 == most {
                while rest.last().is_some_and(is_blank) {
                    rest = &rest[..rest.len() - 1];
                }
                // One separator at the end that is no blank goes away, if it is the only one.
                if let Some((last, before)) = rest.split_last()
                    && is(last)
                    && !before.iter().any(is)
                {
                    rest = before;
                }
                fields.push(text(rest));
                break;
            }
            let end = rest.iter().position(is).unwrap_or(rest.len());
            fields.push(text(&rest[..end]));
            rest = &rest[end..];
            while rest.first().is_some_and(is_blank) {
                rest = &rest[1..];
            }
            if rest.first().is_some_and(|pair| is(pair) && !is_blank(pair)) && end < self.0.len() {
                rest = &rest[1..];
                while rest.first().is_some_and(is_blank) {
                    rest = &rest[1..];
                }
            }
        }
        fields
    }
}

/// Reads all lines into an array.
pub async fn mapfile(call: &mut Call<'_>) -> Result<i32, Ended> {
    let args = std::mem::take(&mut call.args);
    let (mut strip, mut delimiter, mut most, mut skip, mut origin) = (false, b'\n', 0_usize, 0_usize, None);
    let mut source = call.stdin.clone();
    let mut name = None;
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        at += 1;
        if arg == "-t" {
            strip = true;
            continue;
        }
        if !arg.starts_with(b"-") || arg.len() < 2 {
            name = Some(arg.to_str_lossy().into_owned());
            break;
        }
        let value: BString = if arg.len() > 2 { arg[2..].into() } else { args.get(at).cloned().unwrap_or_default() };
        at += usize::from(arg.len() == 2);
        let number = value.to_str_lossy().parse::<usize>().unwrap_or(0);
        match arg[1] {
            b'd' => delimiter = value.first().copied().unwrap_or(0),
            b'n' => most = number,
            b's' => skip = number,
            b'O' => origin = Some(number),
            b'u' => source = call.shell.fds.source(i32::try_from(number).unwrap_or(0)),
            b'c' | b'C' => (),
            letter => {
                call.complain_here(format!("-{}: invalid option", char::from(letter))).await?;
                return Ok(2);
            }
        }
    }
    let name = name.unwrap_or_else(|| "MAPFILE".to_owned());
    let mut lines = Vec::new();
    let mut held = 0;
    while let Some(mut line) = source.line(delimiter).await {
        call.work(1)?;
        if skip > 0 {
            skip -= 1;
            continue;
        }
        if (strip || delimiter == 0) && line.last() == Some(&delimiter) {
            line.pop();
        }
        held += line.len();
        call.shell.hold(held)?;
        lines.push(BString::from(line));
        if lines.len() == most {
            break;
        }
    }
    let value = match (origin, call.shell.vars.get(&name).and_then(|variable| variable.value.clone())) {
        (Some(origin), Some(Value::List(mut list))) => {
            list.extend((i64::try_from(origin).unwrap_or(0)..).zip(lines));
            Value::List(list)
        }
        (origin, _) => Value::List((i64::try_from(origin.unwrap_or(0)).unwrap_or(0)..).zip(lines).collect()),
    };
    let name = call.shell.vars.resolved(&name).to_owned();
    call.shell.vars.entry(&name).value = Some(value);
    Ok(0)
}
