//! `realpath` and `readlink`

use std::io;

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read, valued};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::Kind;

const REAL: &[Flag] = &[
    flag('e', "canonicalize-existing"),
    flag('m', "canonicalize-missing"),
    flag('L', "logical"),
    flag('P', "physical"),
    flag('q', "quiet"),
    flag('s', "strip"),
    flag('s', "no-symlinks"),
    flag('z', "zero"),
    valued('\0', "relative-to"),
    valued('\u{1}', "relative-base"),
];

const LINK: &[Flag] = &[
    flag('f', "canonicalize"),
    flag('e', "canonicalize-existing"),
    flag('m', "canonicalize-missing"),
    flag('n', "no-newline"),
    flag('q', "quiet"),
    flag('s', "silent"),
    flag('v', "verbose"),
    flag('z', "zero"),
];

/// The most links on the way, as in Linux.
const MOST_LINKS: u32 = 40;

/// What of a path must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// All of it.
    All,
    /// All but the last part.
    Parent,
    /// Nothing.
    Nothing,
}

/// How `..` and links are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Links,
    /// `..` is what is written before it.
    Logical,
    /// No links at all.
    Nothing,
}

/// Prints absolute paths.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: REAL, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let needs = match given.last(&['e', 'm']) {
        Some('e') => Needs::All,
        Some(_) => Needs::Nothing,
        None => Needs::Parent,
    };
    let follows = match given.last(&['s', 'L', 'P']) {
        Some('s') => Follows::Nothing,
        Some('L') => Follows::Logical,
        _ => Follows::Links,
    };
    let base_option = given.value('\u{1}');
    let (mut to, mut base) = (None, None);
    for (slot, option) in [(&mut to, given.value('\0').or(base_option)), (&mut base, base_option)] {
        let Some(name) = option else { continue };
        match resolved(call.shell, name, needs, follows) {
            Ok(path) => *slot = Some(path),
            Err(error) => {
                call.complain(format!("{name}: {}", reason(&error))).await?;
                return Ok(1);
            }
        }
    }
    // What is not below the base is absolute, as seen from anywhere.
    if let (Some(from), Some(base)) = (&to, &base)
        && !is_below(from, base)
    {
        to = None;
    }
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        match resolved(call.shell, name, needs, follows) {
            Ok(path) => {
                let is_near = base.as_ref().is_none_or(|base| is_below(&path, base));
                let shown = match &to {
                    Some(from) if is_near => relative(&path, from),
                    _ => path,
                };
                call.print(shown).await?;
                call.print(if given.has('z') { "\0" } else { "\n" }).await?;
            }
            Err(error) => {
                status = 1;
                if !given.has('q') {
                    call.complain(format!("{name}: {}", reason(&error))).await?;
                }
            }
        }
    }
    Ok(status)
}

/// Prints where links lead, or paths without links.
pub async fn readlink(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: LINK, status: 1, stops: false }).await?;
    if given.operands.is_empty() {
        return call.misused("missing operand", 1).await;
    }
    let mut bare = given.has('n');
    if bare && given.operands.len() > 1 {
        call.complain("ignoring --no-newline with multiple arguments").await?;
        bare = false;
    }
    let needs = given.last(&['f', 'e', 'm']).map(|letter| match letter {
        'f' => Needs::Parent,
        'e' => Needs::All,
        _ => Needs::Nothing,
    });
    let end = match (bare, given.has('z')) {
        (true, _) => "",
        (_, true) => "\0",
        _ => "\n",
    };
    let mut status = 0;
    for name in &given.operands {
        call.work(1)?;
        let led = match needs {
            Some(needs) => resolved(call.shell, name, needs, Follows::Links),
            None if name.is_empty() => Err(io::ErrorKind::NotFound.into()),
            None => target(call.shell, name),
        };
        match led {
            Ok(path) => {
                call.print(path).await?;
                call.print(end).await?;
            }
            Err(error) => {
                status = 1;
                if given.last(&['q', 's', 'v']) == Some('v') {
                    call.complain(format!("{name}: {}", reason(&error))).await?;
                }
            }
        }
    }
    Ok(status)
}

fn target(shell: &Shell, name: &[u8]) -> io::Result<BString> {
    let path = shell.path(name);
    let world = shell.base.files.world()?;
    match world.stat(path.as_bstr(), false)?.kind {
        Kind::Link => world.read_link(path.as_bstr()),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

fn resolved(shell: &Shell, name: &[u8], needs: Needs, follows: Follows) -> io::Result<BString> {
    if name.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    match follows {
        Follows::Links => physical(shell, name, needs),
        Follows::Logical => physical(shell, &shell.path(name), needs),
        Follows::Nothing => {
            let path = shell.path(name);
            let world = shell.base.files.world()?;
            let there = match needs {
                Needs::All => Some(path.clone()),
                Needs::Parent => Some(shell.path(&[&path[..], b"/.."].concat())),
                Needs::Nothing => None,
            };
            there.map_or(Ok(()), |there| world.stat(there.as_bstr(), true).map(drop))?;
            Ok(path)
        }
    }
}

/// Goes along a path, part by part, and follows what links it meets.
fn physical(shell: &Shell, name: &[u8], needs: Needs) -> io::Result<BString> {
    let world = shell.base.files.world()?;
    let parts = |path: &[u8]| -> Vec<BString> { path.rsplit_str("/").map(BString::from).collect() };
    // What is still to be gone, the next part last.
    let mut left = parts(name);
    if !name.starts_with(b"/") {
        left.extend(parts(&shell.folder));
    }
    let (mut path, mut links) = (BString::default(), 0);
    while let Some(part) = left.pop() {
        match part.as_bytes() {
            b"" | b"." => continue,
            b".." => {
                let parent = path.rfind_byte(b'/').unwrap_or(0);
                path.truncate(parent);
                continue;
            }
            _ => (),
        }
        let is_last = left.iter().all(|part| part.is_empty());
        // A slash behind a name wants a folder.
        let wants_folder = !left.is_empty();
        path.push(b'/');
        path.extend_from_slice(&part);
        match world.stat(path.as_bstr(), false) {
            Ok(stat) if stat.kind == Kind::Link => {
                links += 1;
                if links > MOST_LINKS {
                    if needs == Needs::Nothing {
                        continue;
                    }
                    return Err(io::Error::other("Too many levels of symbolic links"));
                }
                let target = world.read_link(path.as_bstr())?;
                let parent = path.rfind_byte(b'/').unwrap_or(0);
                path.truncate(if target.starts_with(b"/") { 0 } else { parent });
                left.extend(parts(&target));
            }
            Ok(stat) if stat.kind == Kind::File && wants_folder && needs != Needs::Nothing => {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Ok(_) => (),
            Err(error) => match needs {
                Needs::Nothing => (),
                Needs::Parent if is_last && error.kind() == io::ErrorKind::NotFound => (),
                _ => return Err(error),
            },
        }
    }
    Ok(if path.is_empty() { "/".into() } else { path })
}

fn is_below(path: &[u8], base: &[u8]) -> bool {
    base == b"/" || path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// A path as it is seen from a folder. Both are absolute.
fn relative(path: &[u8], from: &[u8]) -> BString {
    let parts = |path: &[u8]| -> Vec<BString> {
        path.split_str("/").filter(|part| !part.is_empty()).map(BString::from).collect()
    };
    let (path, from) = (parts(path), parts(from));
    let same = path.iter().zip(&from).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n(BString::from(".."), from.len() - same);
    let all: Vec<BString> = up.chain(path[same..].iter().cloned()).collect();
    if all.is_empty() { ".".into() } else { bstr::join("/", all).into() }
}
