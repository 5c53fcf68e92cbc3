//! What commands are, and what stands around the shell.

use bstr::{BString, ByteSlice};

use crate::exec::{Call, Ended, Found, find, lookup};

/// Words of the language.
const KEYWORDS: &[&str] = &[
    "!", "[[", "]]", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while", "{", "}",
];

/// What a name stands for, in a word, and in a sentence.
fn described(call: &Call<'_>, name: &str) -> Option<(&'static str, String)> {
    if KEYWORDS.contains(&name) {
        return Some(("keyword", format!("{name} is a shell keyword")));
    }
    match find(call.shell, name) {
        Found::Function(_) => {
            let body = super::declare::body(call.shell, name).unwrap_or_default();
            Some(("function", format!("{name} is a function\n{body}")))
        }
        Found::Builtin(_) => Some(("builtin", format!("{name} is a shell builtin"))),
        Found::Command(_) | Found::Program => Some(("file", format!("{name} is {}", lookup::place(name)))),
        Found::Script(_) => Some(("file", format!("{name} is {name}"))),
        Found::Nothing(..) => None,
    }
}

/// `command -v` and `command -V`
pub async fn shown(call: &mut Call<'_>, names: &[BString], verbose: bool) -> Result<i32, Ended> {
    let mut status = 1;
    for name in names {
        let name = name.to_str_lossy();
        match described(call, &name) {
            Some((kind, sentence)) => {
                status = 0;
                let place = match kind {
                    "file" => lookup::place(&name),
                    _ => name.clone().into_owned(),
                };
                call.line(if verbose { sentence } else { place }).await?;
            }
            None if verbose => call.complain_here(format!("{name}: not found")).await?,
            None => (),
        }
    }
    Ok(status)
}

/// `type`
pub async fn kind(call: &mut Call<'_>) -> Result<i32, Ended> {
    let (mut word, mut path) = (false, false);
    let mut status = 0;
    for arg in std::mem::take(&mut call.args) {
        let name = arg.to_str_lossy().into_owned();
        match name.as_str() {
            "-t" => word = true,
            "-p" | "-P" => path = true,
            "-a" | "-f" => (),
            _ => match described(call, &name) {
                Some((kind, _)) if word => call.line(kind).await?,
                Some(("file", _)) if path => call.line(lookup::place(&name)).await?,
                Some(_) if path => (),
                Some((_, sentence)) => call.line(sentence).await?,
                None => {
                    status = 1;
                    if !word && !path {
                        call.complain_here(format!("{name}: not found")).await?;
                    }
                }
            },
        }
    }
    Ok(status)
}

/// `alias`: a script has none, and here nobody types.
pub async fn alias(_: &mut Call<'_>) -> Result<i32, Ended> {
    Ok(0)
}

/// `times`
pub async fn times(call: &mut Call<'_>) -> Result<i32, Ended> {
    call.print("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n").await?;
    Ok(0)
}

/// `ulimit`
pub async fn ulimit(call: &mut Call<'_>) -> Result<i32, Ended> {
    call.line("unlimited").await?;
    Ok(0)
}

/// `wait`: there is nothing to wait for, and what was to run did not.
pub async fn wait(call: &mut Call<'_>) -> Result<i32, Ended> {
    if let Some(id) = call.args.iter().find(|arg| !arg.starts_with(b"-")) {
        let message = match id.starts_with(b"%") {
            true => format!("{id}: no such job"),
            false => format!("pid {id} is not a child of this shell"),
        };
        call.complain_here(message).await?;
        return Ok(127);
    }
    if std::mem::take(&mut call.shell.refused) {
        call.complain_here("there are no jobs in the background here: what was to run there did not").await?;
        return Ok(127);
    }
    Ok(0)
}

/// `umask`
pub async fn umask(call: &mut Call<'_>) -> Result<i32, Ended> {
    if call.args.is_empty() {
        call.line("0022").await?;
    }
    Ok(0)
}

/// A signal by its name, without SIG.
fn signal(name: &str) -> Option<String> {
    let name = name.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    const SIGNALS: &[(&str, &str)] = &[
        ("0", "EXIT"),
        ("1", "HUP"),
        ("2", "INT"),
        ("3", "QUIT"),
        ("6", "ABRT"),
        ("13", "PIPE"),
        ("14", "ALRM"),
        ("15", "TERM"),
        ("10", "USR1"),
        ("12", "USR2"),
        ("17", "CHLD"),
        ("-", "ERR"),
        ("-", "DEBUG"),
        ("-", "RETURN"),
        ("28", "WINCH"),
        ("18", "CONT"),
    ];
    SIGNALS.iter().find(|(number, known)| name == *known || name == *number).map(|(_, known)| (*known).to_owned())
}

/// `trap`
pub async fn trap(call: &mut Call<'_>) -> Result<i32, Ended> {
    let mut args = std::mem::take(&mut call.args);
    if args.first().is_some_and(|arg| arg == "--") {
        args.remove(0);
    }
    if args.is_empty() || args[0] == "-p" {
        let lines: Vec<String> = call
            .shell
            .traps
            .iter()
            .map(|(name, text)| {
                let prefix = if matches!(name.as_str(), "EXIT" | "ERR" | "DEBUG" | "RETURN") { "" } else { "SIG" };
                let text = text.replace("'", "'\\''");
                format!("trap -- '{}' {prefix}{name}", text.to_str_lossy())
            })
            .collect();
        for line in lines {
            call.line(line).await?;
        }
        return Ok(0);
    }
    // One argument alone is a signal that is no longer trapped.
    let (text, names) = match args.len() {
        1 => (BString::from("-"), &args[..]),
        _ => (args[0].clone(), &args[1..]),
    };
    for name in names {
        let name = name.to_str_lossy().into_owned();
        let Some(signal) = signal(&name) else {
            call.complain_here(format!("{name}: invalid signal specification")).await?;
            return Ok(1);
        };
        match text == "-" {
            true => drop(call.shell.traps.remove(&signal)),
            false => drop(call.shell.traps.insert(signal, text.clone())),
        }
    }
    Ok(0)
}
