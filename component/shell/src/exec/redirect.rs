//! Redirections.

use std::rc::Rc;

use brush_parser::ast;
use bstr::{BString, ByteSlice};

use super::{Ended, functions, list};
use crate::expand;
use crate::io::{Device, Fd, Sink, Source, Target, is_endless, reason};
use crate::state::Shell;

/// Opens what redirections name. Whoever calls it puts back what was open before.
pub async fn apply<'a>(
    shell: &mut Shell,
    redirects: impl IntoIterator<Item = &'a ast::IoRedirect>,
) -> Result<(), Ended> {
    for redirect in redirects {
        one(shell, redirect).await?;
    }
    Ok(())
}

async fn one(shell: &mut Shell, redirect: &ast::IoRedirect) -> Result<(), Ended> {
    use ast::IoFileRedirectKind as Kind;
    match redirect {
        ast::IoRedirect::HereString(number, word) => {
            let mut text = expand::text(shell, word).await?;
            text.push(b'\n');
            shell.fds.set(number.unwrap_or(0), Source::text(Vec::from(text)));
        }
        ast::IoRedirect::HereDocument(number, document) => {
            let text = match document.requires_expansion {
                true => expand::document(shell, &document.doc.value).await?,
                false => BString::from(document.doc.value.as_str()),
            };
            shell.fds.set(number.unwrap_or(0), Source::text(Vec::from(text)));
        }
        ast::IoRedirect::OutputAndError(word, appends) => {
            let name = expand::one(shell, word).await?;
            let sink = sink(shell, &name, *appends, false)?;
            shell.fds.set(1, sink.clone());
            shell.fds.set(2, sink);
        }
        ast::IoRedirect::File(number, kind, target) => {
            let reads = matches!(kind, Kind::Read | Kind::ReadAndWrite | Kind::DuplicateInput);
            let number = number.unwrap_or(i32::from(!reads));
            match target {
                ast::IoFileRedirectTarget::Fd(from) => copy(shell, number, *from)?,
                ast::IoFileRedirectTarget::Duplicate(word) => {
                    let named = expand::text(shell, word).await?;
                    duplicate(shell, number, &named, reads)?;
                }
                ast::IoFileRedirectTarget::ProcessSubstitution(direction, commands) => {
                    let name = substituted(shell, direction, commands).await?;
                    open(shell, number, kind, &name).await?;
                }
                ast::IoFileRedirectTarget::Filename(word) => {
                    let name = expand::one(shell, word).await?;
                    open(shell, number, kind, &name).await?;
                }
            }
        }
    }
    Ok(())
}

async fn open(shell: &mut Shell, number: i32, kind: &ast::IoFileRedirectKind, name: &BString) -> Result<(), Ended> {
    use ast::IoFileRedirectKind as Kind;
    match kind {
        Kind::Read | Kind::DuplicateInput => {
            let source = source(shell, name).await?;
            shell.fds.set(number, source);
        }
        Kind::Write | Kind::DuplicateOutput => {
            let sink = sink(shell, name, false, shell.options.noclobber)?;
            shell.fds.set(number, sink);
        }
        Kind::Clobber => {
            let sink = sink(shell, name, false, false)?;
            shell.fds.set(number, sink);
        }
        Kind::Append => {
            let sink = sink(shell, name, true, false)?;
            shell.fds.set(number, sink);
        }
        Kind::ReadAndWrite => {
            let path = shell.path(name);
            let files = Rc::clone(&shell.base.files);
            files.begin(path.as_bstr(), true).map_err(|error| failed(name, &error))?;
            let source = source(shell, name).await?;
            shell.fds.set(number, Fd { source, sink: Sink::file(&files, path, false) });
        }
    }
    Ok(())
}

fn copy(shell: &mut Shell, number: i32, from: i32) -> Result<(), Ended> {
    let fd = shell.fds.get(from).cloned().ok_or_else(|| Ended::Failed(format!("{from}: Bad file descriptor")))?;
    shell.fds.set(number, fd);
    Ok(())
}

fn duplicate(shell: &mut Shell, number: i32, named: &BString, reads: bool) -> Result<(), Ended> {
    let text = named.to_str_lossy();
    if text == "-" {
        shell.fds.close(number);
        return Ok(());
    }
    let moved = text.strip_suffix('-').and_then(|from| from.parse().ok());
    if let Some(from) = moved {
        copy(shell, number, from)?;
        shell.fds.close(from);
        return Ok(());
    }
    match text.parse() {
        Ok(from) => copy(shell, number, from),
        // `>& file` is `&> file`.
        Err(_) if !reads && number == 1 => {
            let sink = sink(shell, named, false, false)?;
            shell.fds.set(1, sink.clone());
            shell.fds.set(2, sink);
            Ok(())
        }
        Err(_) => Err(Ended::Failed(format!("{text}: ambiguous redirect"))),
    }
}

fn failed(name: &[u8], error: &std::io::Error) -> Ended {
    Ended::Failed(format!("{}: {}", name.to_str_lossy(), reason(error)))
}

/// The open file that a path below `/dev` stands for.
fn device(shell: &Shell, path: &[u8]) -> Option<Fd> {
    let number = match path {
        b"/dev/stdin" => 0,
        b"/dev/stdout" => 1,
        b"/dev/stderr" => 2,
        b"/dev/null" => return Some(Fd { source: Source::text(""), sink: Sink::Null }),
        path if is_endless(path) => {
            let device = Device::open(path, &shell.base.files, shell.base.most)?;
            return Some(Fd { source: Source::Device(Rc::new(device)), sink: Sink::Null });
        }
        path => std::str::from_utf8(path.strip_prefix(b"/dev/fd/")?).ok()?.parse().ok()?,
    };
    shell.fds.get(number).cloned()
}

/// Whether a path is none of the tree's.
pub fn is_device(shell: &Shell, path: &[u8]) -> bool {
    device(shell, path).is_some()
}

/// Opens a file to read it.
pub async fn source(shell: &Shell, name: &[u8]) -> Result<Source, Ended> {
    read(shell, name).map_err(|error| failed(name, &error))
}

/// Opens a file to read it, or one of the shell's open files.
pub fn read(shell: &Shell, name: &[u8]) -> std::io::Result<Source> {
    if name.is_empty() {
        return Err(std::io::ErrorKind::NotFound.into());
    }
    let path = shell.path(name);
    if let Some(fd) = device(shell, &path) {
        return Ok(fd.source);
    }
    Ok(Source::file(shell.base.files.read(path.as_bstr())?))
}

/// Opens a file to write it.
pub fn sink(shell: &Shell, name: &[u8], appends: bool, keeps: bool) -> Result<Sink, Ended> {
    if name.is_empty() {
        return Err(failed(name, &std::io::ErrorKind::NotFound.into()));
    }
    let path = shell.path(name);
    if let Some(fd) = device(shell, &path) {
        return Ok(fd.sink);
    }
    let files = &shell.base.files;
    let is_file = |stat: &crate::world::Stat| stat.kind == crate::world::Kind::File;
    if keeps && files.stat(path.as_bstr(), true).as_ref().is_ok_and(is_file) {
        return Err(Ended::Failed(format!("{}: cannot overwrite existing file", name.to_str_lossy())));
    }
    files.begin(path.as_bstr(), appends).map_err(|error| failed(name, &error))?;
    Ok(Sink::file(files, path, appends))
}

/// The name under which a process substitution is read, after its commands have run. What is written to one is kept for commands that run
/// when it is over.
pub async fn substituted(
    shell: &mut Shell,
    direction: &ast::ProcessSubstitutionKind,
    commands: &ast::SubshellCommand,
) -> Result<BString, Ended> {
    let number = 63 - (0..50).find(|at| shell.fds.get(63 - at).is_none()).unwrap_or(0);
    let name = BString::from(format!("/dev/fd/{number}"));
    match direction {
        ast::ProcessSubstitutionKind::Read => {
            let mut copy = shell.fork();
            let target = Rc::new(Target::default());
            copy.fds.set(1, Sink::Target(Rc::clone(&target)));
            let flow = list(&mut copy, &commands.list).await;
            functions::ended(&mut copy, flow).await?;
            shell.fds.set(number, Source::text(target.take()));
        }
        ast::ProcessSubstitutionKind::Write => {
            let target = Rc::new(Target::default());
            shell.fds.set(number, Sink::Target(Rc::clone(&target)));
            shell.later.push((target, Rc::new(commands.list.clone())));
        }
    }
    Ok(name)
}

/// Runs the commands that read what was written to process substitutions, from the given one on.
pub async fn read_substituted(shell: &mut Shell, from: usize) -> Result<(), Ended> {
    let later = shell.later.split_off(from.min(shell.later.len()));
    for (target, commands) in later {
        let mut copy = shell.fork();
        copy.fds.set(0, Source::text(target.take()));
        let flow = list(&mut copy, &commands).await;
        functions::ended(&mut copy, flow).await?;
    }
    Ok(())
}
