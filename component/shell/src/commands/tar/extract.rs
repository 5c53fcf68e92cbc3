//! `tar -x` and `tar -t`. Nothing is written outside of the folder that it extracts to.

use bstr::{BString, ByteSlice};

use super::header::Header;
use super::member::{Shown, quoted};
use super::options::{Mode, Options, Step};
use super::read::{End, Members};
use super::{is_excluded, removed, safe};
use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;
use crate::io::reason;
use crate::world::Kind;

/// A member that was asked for.
struct Wanted {
    name: BString,
    pattern: Option<Pattern>,
    found: bool,
}

/// What is done when all else is.
#[derive(Default)]
struct Later {
    /// Links that lead elsewhere: where they are, and where they lead. Nothing is written through them.
    links: Vec<(BString, BString)>,
    /// Times of folders.
    times: Vec<(BString, i64)>,
}

/// Lists or extracts an archive.
pub async fn run(call: &mut Call<'_>, options: &Options, bytes: &[u8]) -> Result<i32, Ended> {
    let mut wanted = Vec::new();
    let mut folder = call.shell.folder.clone();
    for step in &options.steps {
        match step {
            Step::Folder(name) => {
                folder = call.shell.path(&if name.starts_with(b"/") {
                    name.to_vec()
                } else {
                    [&folder[..], b"/", name].concat()
                });
                if !call.shell.base.files.stat(folder.as_bstr(), true).is_ok_and(|stat| stat.kind == Kind::Folder) {
                    return super::fatal(call, format!("{name}: Cannot open: No such file or directory")).await;
                }
            }
            Step::Name(name) => {
                let name = BString::from(name.trim_end_with(|char| char == '/'));
                let pattern = options.wildcards.then(|| Pattern::written(&name));
                wanted.push(Wanted { name, pattern, found: false });
            }
            Step::List(_) | Step::Excludes(_) => (),
        }
    }
    let offset = crate::commands::date::offset(call.shell);
    let mut shown = Shown::new(offset, options.numeric);
    let (mut said, mut later, mut status) = (Vec::new(), Later::default(), 0);
    let mut members = Members::new(bytes);
    let end = loop {
        let (header, content) = match members.next() {
            Ok(member) => member,
            Err(end) => break end,
        };
        call.work(1)?;
        if !is_wanted(&mut wanted, &header.name)
            || is_excluded(options, header.name.trim_end_with(|char| char == '/'), usize::MAX)
        {
            continue;
        }
        let lists = options.mode == Mode::List;
        let stripped = if lists { Some(header.name.clone()) } else { strip(&header.name, options.strip) };
        let Some(name) = stripped else { continue };
        if lists || options.verbose > 0 {
            let long = options.verbose > usize::from(!lists);
            let mut line = if long { shown.line(&header) } else { quoted(&header.name) };
            line.push(b'\n');
            if options.prints { call.say(line).await? } else { call.print(line).await? }
        }
        if lists {
            continue;
        }
        if options.prints {
            if matches!(header.kind, 0 | b'0' | b'7') {
                call.print(content).await?;
            }
            continue;
        }
        if name.split_str("/").any(|part| part == b"..") {
            call.complain(format!("{name}: Member name contains '..', skipping")).await?;
            status = 2;
            continue;
        }
        let (kept, front) = safe(&name);
        removed(call, &mut said, front, "member names").await?;
        if let Err(message) = place(call, options, &folder, kept, &header, content, &mut later)? {
            call.complain(format!("{}: {message}", header.name)).await?;
            status = 2;
        }
    };
    if !settle(call, options, later).await? {
        status = 2;
    }
    if end != End::Done {
        let foreign = end == End::Foreign;
        call.flush().await?;
        call.complain(if foreign { "This does not look like a tar archive" } else { "Unexpected EOF in archive" })
            .await?;
        if !foreign {
            call.complain("Error is not recoverable: exiting now").await?;
            return Ok(2);
        }
        status = 2;
    }
    call.flush().await?;
    for missing in wanted.iter().filter(|wanted| !wanted.found) {
        call.complain(format!("{}: Not found in archive", missing.name)).await?;
        status = 2;
    }
    if status != 0 {
        call.complain("Exiting with failure status due to previous errors").await?;
    }
    Ok(status)
}

fn is_wanted(wanted: &mut [Wanted], name: &[u8]) -> bool {
    let name = name.trim_end_with(|char| char == '/');
    let mut any = wanted.is_empty();
    for one in wanted {
        let ends = name.find_iter(b"/").chain([name.len()]);
        let found = ends.into_iter().any(|end| match &one.pattern {
            Some(pattern) => pattern.matches(&name[..end]),
            None => one.name == name[..end],
        });
        one.found |= found;
        any |= found;
    }
    any
}

/// The name without so many parts. None if nothing is left.
fn strip(name: &[u8], count: usize) -> Option<BString> {
    let mut rest = name;
    for _ in 0..count {
        rest = rest.split_once_str("/")?.1.trim_start_with(|char| char == '/');
    }
    (!rest.is_empty()).then(|| rest.into())
}

/// Writes a member below the folder, or says why it cannot.
fn place(
    call: &Call<'_>,
    options: &Options,
    folder: &BString,
    name: &[u8],
    header: &Header,
    content: &[u8],
    later: &mut Later,
) -> Result<Result<(), String>, Ended> {
    let target = |name: &[u8]| call.shell.path(&[&folder[..], b"/", name].concat());
    let path = target(name);
    let opened = |error: std::io::Error| format!("Cannot open: {}", reason(&error));
    if path == *folder {
        return Ok(Ok(()));
    }
    if let Err(message) = parents(call, folder, &path, later) {
        return Ok(Err(message));
    }
    let files = &call.shell.base.files;
    let world = files.world().map_err(|error| Ended::Failed(reason(&error)))?;
    let now = world.stat(path.as_bstr(), false).ok().map(|stat| stat.kind);
    if header.kind == b'5' {
        later.times.push((path.clone(), header.modified));
        let leads = || world.stat(path.as_bstr(), true).is_ok_and(|stat| stat.kind == Kind::Folder);
        return Ok(match now {
            Some(Kind::Folder) => Ok(()),
            Some(Kind::Link) if leads() && options.keeps => Ok(()),
            Some(_) if options.skips => Ok(()),
            Some(_) => {
                world.remove_file(path.as_bstr()).and_then(|()| world.make_folder(path.as_bstr())).map_err(opened)
            }
            None => world.make_folder(path.as_bstr()).map_err(opened),
        });
    }
    match now {
        Some(_) if options.skips => return Ok(Ok(())),
        Some(_) if options.keeps => return Ok(Err("Cannot open: File exists".to_owned())),
        Some(Kind::Folder) => {
            if let Err(error) = world.remove_folder(path.as_bstr()) {
                drop(error);
                return Ok(Err("Cannot open: Is a directory".to_owned()));
            }
        }
        Some(_) => {
            if let Err(error) = world.remove_file(path.as_bstr()) {
                return Ok(Err(opened(error)));
            }
        }
        None => (),
    }
    // A link that was to be made here is made no more.
    later.links.retain(|(link, _)| *link != path);
    let (content, executable) = match header.kind {
        0 | b'0' | b'7' => (content.to_vec(), header.mode & 0o100 != 0),
        b'1' => {
            // There is one name for each file: a hard link is a copy.
            let Some(linked) = strip(&header.link, options.strip) else { return Ok(Ok(())) };
            let from = target(safe(&linked).0);
            let inside = world.real_path(from.as_bstr()).is_ok_and(|real| is_below(call, folder, &real));
            if !inside {
                return Ok(Err(format!("Cannot hard link to ‘{linked}’: No such file or directory")));
            }
            match (world.read(from.as_bstr()), world.stat(from.as_bstr(), true)) {
                (Ok(content), Ok(stat)) => (content.to_vec(), stat.executable),
                _ => return Ok(Err(format!("Cannot hard link to ‘{linked}’: No such file or directory"))),
            }
        }
        b'2' => {
            let elsewhere = header.link.starts_with(b"/") || header.link.split_str("/").any(|part| part == b"..");
            if elsewhere {
                later.links.push((path, header.link.clone()));
                return Ok(Ok(()));
            }
            let made = world.link(header.link.as_bstr(), path.as_bstr());
            return Ok(made.map_err(|error| format!("Cannot create symlink to ‘{}’: {}", header.link, reason(&error))));
        }
        _ => return Ok(Err("Cannot mknod: Operation not permitted".to_owned())),
    };
    call.shell.hold(content.len())?;
    call.work(u32::try_from(content.len() / 1024).unwrap_or(u32::MAX))?;
    let written = world.write(path.as_bstr(), content).and_then(|()| {
        world.set_executable(path.as_bstr(), executable)?;
        let time = i128::from(header.modified) * 1_000_000_000;
        if options.touches { Ok(()) } else { world.set_modified(path.as_bstr(), time) }
    });
    Ok(written.map_err(opened))
}

/// Makes the folders that a path is in. None of them may lead out of the folder.
fn parents(call: &Call<'_>, folder: &BString, path: &BString, later: &Later) -> Result<(), String> {
    let opened = |error: std::io::Error| format!("Cannot open: {}", reason(&error));
    let world = call.shell.base.files.world().map_err(opened)?;
    let first = folder.trim_end_with(|char| char == '/').len() + 1;
    for end in path.find_iter(b"/").filter(|end| *end >= first) {
        let parent = path[..end].as_bstr();
        if later.links.iter().any(|(link, _)| link == parent) {
            return Err("Cannot open: Not a directory".to_owned());
        }
        match world.stat(parent, true) {
            Ok(stat) if stat.kind == Kind::Folder => {
                let real = world.real_path(parent).map_err(opened)?;
                if !is_below(call, folder, &real) {
                    return Err("Cannot open: it would be outside of the folder".to_owned());
                }
            }
            Ok(_) => return Err("Cannot open: Not a directory".to_owned()),
            Err(_) if world.stat(parent, false).is_ok() => {
                return Err("Cannot open: No such file or directory".to_owned());
            }
            Err(_) => world.make_folder(parent).map_err(opened)?,
        }
    }
    Ok(())
}

fn is_below(call: &Call<'_>, folder: &BString, real: &[u8]) -> bool {
    let Ok(base) = call.shell.base.files.world().and_then(|world| world.real_path(folder.as_bstr())) else {
        return false;
    };
    let base = base.trim_end_with(|char| char == '/');
    real.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Makes the links that lead elsewhere, and sets the times of folders. Says whether all links could be made.
async fn settle(call: &mut Call<'_>, options: &Options, later: Later) -> Result<bool, Ended> {
    let mut fine = true;
    for (path, target) in later.links {
        let made = call.shell.base.files.world().and_then(|world| world.link(target.as_bstr(), path.as_bstr()));
        if let Err(error) = made {
            call.complain(format!("{path}: Cannot create symlink to ‘{target}’: {}", reason(&error))).await?;
            fine = false;
        }
    }
    if options.touches {
        return Ok(fine);
    }
    for (path, seconds) in later.times.iter().rev() {
        let time = i128::from(*seconds) * 1_000_000_000;
        if let Ok(world) = call.shell.base.files.world() {
            // A folder whose time cannot be set is a folder all the same.
            drop(world.set_modified(path.as_bstr(), time));
        }
    }
    Ok(fine)
}
