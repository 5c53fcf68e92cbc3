//! `bash` and `sh`: a script in a shell of its own.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended, call, ended, scripted};
use crate::io::reason;
use crate::state::Place;

/// Runs a text, a file, or what it reads.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut args = std::mem::take(&mut call.args).into_iter().peekable();
    let mut sets: Vec<BString> = Vec::new();
    let mut shopts: Vec<BString> = Vec::new();
    let (mut text, mut stdin) = (None, false);
    while let Some(arg) = args.next_if(|arg| arg.len() > 1 && (arg.starts_with(b"-") || arg.starts_with(b"+"))) {
        match arg.as_bytes() {
            b"--" => break,
            b"--norc" | b"--noprofile" | b"--login" | b"-l" | b"--posix" => (),
            b"-O" | b"+O" => {
                shopts.push(if arg.starts_with(b"-") { "-s" } else { "-u" }.into());
                shopts.extend(args.next());
            }
            b"--version" => {
                let version = crate::expand::special::VERSION;
                call.line(format!("GNU bash, version {version} (gitgate's own, without processes)")).await?;
                return Ok(0);
            }
            b"-s" => stdin = true,
            flags => {
                let mut kept: Vec<u8> = flags.to_vec();
                kept.retain(|flag| !matches!(flag, b'c' | b'l' | b'i'));
                if flags.contains(&b'c') && flags[0] == b'-' {
                    text = Some(());
                }
                let takes = kept.contains(&b'o');
                if kept.len() > 1 {
                    sets.push(kept.into());
                }
                if takes {
                    sets.extend(args.next());
                }
            }
        }
    }
    let mut rest: Vec<BString> = args.collect();
    if text.is_some() {
        if rest.is_empty() {
            call.complain("-c: option requires an argument").await?;
            return Ok(2);
        }
        let script = rest.remove(0);
        let name = if rest.is_empty() { BString::from(call.name.as_str()) } else { rest.remove(0) };
        return inner(call, (&script, None), name, rest, (&sets, &shopts)).await;
    }
    if rest.is_empty() || stdin {
        let script = call.stdin.all().await;
        let name = call.name.as_str().into();
        return inner(call, (&script, None), name, rest, (&sets, &shopts)).await;
    }
    let name = rest.remove(0);
    let script = match call.open(&name) {
        Ok(source) => source.all().await,
        Err(error) => {
            call.complain(format!("{name}: {}", reason(&error))).await?;
            return Ok(127);
        }
    };
    let place = Place { source: Rc::new(name.clone()), above: 0 };
    inner(call, (&script, Some(place)), name, rest, (&sets, &shopts)).await
}

async fn inner(
    call: &mut Call<'_>,
    (script, place): (&[u8], Option<Place>),
    name: BString,
    args: Vec<BString>,
    (sets, shopts): (&[BString], &[BString]),
) -> Result<i32, Ended> {
    let mut shell = call::fresh(call.shell);
    shell.name = name;
    shell.place = place.unwrap_or(shell.place);
    shell.args = Rc::new(args);
    for (name, args) in [("set", sets), ("shopt", shopts)] {
        if args.is_empty() {
            continue;
        }
        let mut switch = Call::new(&mut shell, name, args.to_vec(), Vec::new());
        let found = crate::builtins::find(name).expect("it is in the table");
        let done = found(&mut switch).await;
        let status = switch.finish(done).await?;
        if status != 0 {
            return Ok(status);
        }
    }
    let flow = scripted(&mut shell, script).await;
    Ok(ended(&mut shell, flow).await?)
}
