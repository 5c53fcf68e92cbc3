//! Where commands go on: loops, functions, other texts.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended, Found, Stop, call, find, lookup, scripted};
use crate::expand::special::outermost;
use crate::state::{Frame, Place, SOURCED};

/// `:` and `true`
pub async fn success(_: &mut Call<'_>) -> Result<i32, Ended> {
    Ok(0)
}

/// `false`
pub async fn failure(_: &mut Call<'_>) -> Result<i32, Ended> {
    Ok(1)
}

/// The number that an argument is.
pub async fn number(call: &mut Call<'_>, at: usize) -> Result<Option<i64>, Ended> {
    let Some(arg) = call.args.get(at) else { return Ok(None) };
    let text = arg.to_str_lossy().into_owned();
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => {
            call.complain_here(format!("{text}: numeric argument required")).await?;
            Err(Ended::Status(2))
        }
    }
}

fn status(number: i64) -> i32 {
    i32::from(number.to_le_bytes()[0])
}

/// `exit`
pub async fn exit(call: &mut Call<'_>) -> Result<i32, Ended> {
    let status = match number(call, 0).await {
        Ok(number) => number.map_or(call.shell.status, status),
        Err(Ended::Status(status)) => status,
        Err(ended) => return Err(ended),
    };
    call.flush().await?;
    Err(Stop::Exit(status).into())
}

/// `return`
pub async fn leave_function(call: &mut Call<'_>) -> Result<i32, Ended> {
    let status = number(call, 0).await?.map_or(call.shell.status, status);
    Err(Stop::Return(status).into())
}

async fn loops(call: &mut Call<'_>) -> Result<u32, Ended> {
    let count = number(call, 0).await?.unwrap_or(1);
    if count < 1 {
        call.complain_here(format!("{count}: loop count out of range")).await?;
        return Err(Ended::Status(1));
    }
    Ok(u32::try_from(count).unwrap_or(u32::MAX).min(call.shell.loops))
}

/// `break`
pub async fn leave_loop(call: &mut Call<'_>) -> Result<i32, Ended> {
    match loops(call).await? {
        0 => Ok(0),
        count => Err(Stop::Break(count).into()),
    }
}

/// `continue`
pub async fn next_round(call: &mut Call<'_>) -> Result<i32, Ended> {
    match loops(call).await? {
        0 => Ok(0),
        count => Err(Stop::Continue(count).into()),
    }
}

/// `eval`
pub async fn eval(call: &mut Call<'_>) -> Result<i32, Ended> {
    let text = bstr::join(" ", &call.args);
    let above = call.shell.line.saturating_sub(1);
    let was = std::mem::replace(&mut call.shell.place.above, above);
    let flow = scripted(call.shell, &text).await;
    call.shell.place.above = was;
    Ok(flow?)
}

/// `source` and `.`
pub async fn source(call: &mut Call<'_>) -> Result<i32, Ended> {
    if call.args.is_empty() {
        call.complain_here("filename argument required").await?;
        return Ok(2);
    }
    let name = call.args.remove(0);
    let text = match call.open(&name) {
        Ok(source) => source.all().await,
        Err(error) => {
            let message = format!("{name}: {}", crate::io::reason(&error));
            call.shell.complain(&message).await?;
            return Ok(1);
        }
    };
    let args = std::mem::take(&mut call.args);
    let was = (!args.is_empty()).then(|| std::mem::replace(&mut call.shell.args, Rc::new(args)));
    let shell = &mut *call.shell;
    let place = Place { source: Rc::new(name), above: 0 };
    let from = std::mem::replace(&mut shell.place, place);
    let line = shell.line;
    shell.frames.push(Frame { function: SOURCED.to_owned(), line, from: from.clone() });
    let flow = scripted(shell, &text).await;
    shell.frames.pop();
    (shell.place, shell.line) = (from, line);
    if let Some(was) = was {
        call.shell.args = was;
    }
    match flow {
        Err(Stop::Return(status)) => Ok(status),
        flow => Ok(flow?),
    }
}

/// `caller`: who has called what runs.
pub async fn caller(call: &mut Call<'_>) -> Result<i32, Ended> {
    let depth = number(call, 0).await?;
    let frames = &call.shell.frames;
    let Ok(at) = usize::try_from(depth.unwrap_or(0)) else { return Ok(1) };
    let Some(index) = at.checked_add(1).and_then(|above| frames.len().checked_sub(above)) else { return Ok(1) };
    // A text that is no file has no function around it.
    if depth.is_some() && index == 0 && outermost(call.shell).is_empty() {
        return Ok(1);
    }
    let Frame { line, from, .. } = &frames[index];
    let source = if from.source.is_empty() { b"NULL".as_slice() } else { from.source.as_slice() };
    let mut text = BString::from(line.to_string());
    if depth.is_some() {
        let function = index.checked_sub(1).map_or("main", |outer| frames[outer].function.as_str());
        text.extend_from_slice(format!(" {function}").as_bytes());
    }
    text.push(b' ');
    text.extend_from_slice(source);
    call.line(text).await?;
    Ok(0)
}

/// `exec COMMAND`: the shell ends with it.
pub async fn exec(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut args = std::mem::take(&mut call.args);
    let name = args.remove(0).to_string();
    let status = call::again(call.shell, &name, args).await?;
    Err(Stop::Exit(status).into())
}

/// `command`: without functions, or `command -v`.
pub async fn command(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut shows = None;
    while let Some(arg) = call.args.first() {
        match arg.as_bytes() {
            b"-v" | b"-V" => shows = Some(call.args.remove(0) == "-V"),
            b"-p" => drop(call.args.remove(0)),
            b"--" => {
                call.args.remove(0);
                break;
            }
            _ => break,
        }
    }
    if call.args.is_empty() {
        return Ok(0);
    }
    if let Some(verbose) = shows {
        let names = std::mem::take(&mut call.args);
        return super::about::shown(call, &names, verbose).await;
    }
    let name = call.args.remove(0).to_string();
    let args = std::mem::take(&mut call.args);
    match super::find(&name) {
        Some(run) => ran(call, run, &name, args).await,
        None => elsewhere(call, &name, args).await,
    }
}

/// `builtin`
pub async fn builtin(call: &mut Call<'_>) -> Result<i32, Ended> {
    if call.args.is_empty() {
        return Ok(0);
    }
    let name = call.args.remove(0).to_string();
    let args = std::mem::take(&mut call.args);
    match super::find(&name) {
        Some(run) => ran(call, run, &name, args).await,
        None => {
            call.complain_here(format!("{name}: not a shell builtin")).await?;
            Ok(1)
        }
    }
}

async fn ran(call: &mut Call<'_>, run: lookup::Run, name: &str, args: Vec<BString>) -> Result<i32, Ended> {
    use crate::exec::call::Operand;
    let operands = args.iter().cloned().map(Operand::Word).collect();
    let mut inner = Call::new(call.shell, name, args, operands);
    let ended = run(&mut inner).await;
    inner.finish(ended).await
}

async fn elsewhere(call: &mut Call<'_>, name: &str, args: Vec<BString>) -> Result<i32, Ended> {
    let functions = std::mem::take(&mut call.shell.functions);
    let found = find(call.shell, name);
    call.shell.functions = functions;
    match found {
        Found::Nothing(message, status) => {
            call.shell.complain(&message).await?;
            Ok(status)
        }
        Found::Command(run) => ran(call, run, name, args).await,
        Found::Program => Ok(call::program(call.shell, name, args).await?),
        Found::Script(path) => Ok(call::script(call.shell, name, path, args).await?),
        Found::Function(_) | Found::Builtin(_) => Ok(127),
    }
}
