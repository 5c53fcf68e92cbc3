//! `strings`

use super::arguments::{Flag, Reading, flag, read, valued};
use super::input::Input;
use crate::exec::{Call, Ended};

const FLAGS: &[Flag] = &[
    flag('a', "all"),
    flag('d', "data"),
    flag('f', "print-file-name"),
    flag('o', ""),
    flag('w', "include-all-whitespace"),
    valued('n', "bytes"),
    valued('t', "radix"),
    valued('s', "output-separator"),
];

/// Prints the texts in files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    // `-8` is `-n 8`.
    for arg in &mut call.args {
        if arg.len() > 1 && arg[0] == b'-' && arg[1..].iter().all(u8::is_ascii_digit) {
            arg.insert(1, b'n');
        }
    }
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let least = match given.value('n') {
        None => 4,
        Some(text) => match text.to_string().parse::<usize>() {
            Ok(least) if least > 0 => least,
            _ => return Err(Ended::Failed(format!("invalid minimum string length {text}"))),
        },
    };
    let radix = match given.value('t').map(|text| &text[..]) {
        None if given.has('o') => Some(b'o'),
        None => None,
        Some([radix @ (b'd' | b'o' | b'x')]) => Some(*radix),
        Some(_) => return call.misused("invalid radix", 1).await,
    };
    let end = given.value('s').map_or(&b"\n"[..], |text| text).to_vec();
    let names = if given.operands.is_empty() { vec!["-".into()] } else { given.operands.clone() };
    let mut status = 0;
    for name in names {
        if name != "-" && call.open(&name).is_err() {
            call.complain(format!("'{name}': No such file")).await?;
            status = 1;
            continue;
        }
        let shown = if name == "-" { "{standard input}".into() } else { name.clone() };
        let mut input = Input::new(vec![name]);
        let (mut text, mut at) = (Vec::new(), 0_u64);
        loop {
            let part = input.some(call).await?;
            let ends = part.is_none();
            for byte in part.unwrap_or_default().iter().copied().chain(ends.then_some(0)) {
                let printable = matches!(byte, b' '..=b'~' | b'\t') || given.has('w') && byte.is_ascii_whitespace();
                if printable {
                    text.push(byte);
                } else {
                    if text.len() >= least {
                        call.work(1)?;
                        let begin = at - text.len() as u64;
                        if given.has('f') {
                            call.print(format!("{shown}: ")).await?;
                        }
                        match radix {
                            Some(b'd') => call.print(format!("{begin:7} ")).await?,
                            Some(b'o') => call.print(format!("{begin:7o} ")).await?,
                            Some(_) => call.print(format!("{begin:7x} ")).await?,
                            None => (),
                        }
                        call.print(&text).await?;
                        call.print(&end).await?;
                    }
                    text.clear();
                }
                at += 1;
            }
            call.shell.hold(text.len())?;
            if ends {
                break;
            }
        }
        status |= input.status;
    }
    Ok(status)
}
