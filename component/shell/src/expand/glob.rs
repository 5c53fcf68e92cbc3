//! Names of files for patterns (Filename Expansion in bash's manual).

use bstr::{BString, ByteSlice};

use super::fields::Field;
use super::pattern::Pattern;
use crate::exec::Ended;
use crate::state::Shell;
use crate::world::Kind;

/// The most names for a pattern.
const MOST: usize = 1_000_000;

/// Adds a field, or the files that it names.
pub fn add(shell: &Shell, field: Field, arguments: &mut Vec<BString>) -> Result<(), Ended> {
    let may_be = !shell.options.noglob && has_special(&field);
    if !may_be {
        arguments.push(field.bytes.into());
        return Ok(());
    }
    let found = names(shell, &field.bytes, &field.quoted)?;
    let Some(found) = found else {
        arguments.push(field.bytes.into());
        return Ok(());
    };
    if !found.is_empty() {
        arguments.extend(found);
    } else if shell.options.failglob {
        return Err(Ended::Failed(format!("no match: {}", field.bytes.to_str_lossy())));
    } else if !shell.options.nullglob {
        arguments.push(field.bytes.into());
    }
    Ok(())
}

fn has_special(field: &Field) -> bool {
    let special = |(byte, quoted): (&u8, &bool)| !quoted && matches!(byte, b'*' | b'?' | b'[' | b'(');
    field.bytes.iter().zip(&field.quoted).any(special)
}

/// A part of a path between slashes.
enum Level {
    /// This name.
    Name(BString),
    /// Names that match.
    Matching(Pattern),
    /// `**`
    Deep,
}

/// The names of files that a pattern matches, sorted. None if it is no pattern.
fn names(shell: &Shell, bytes: &[u8], quoted: &[bool]) -> Result<Option<Vec<BString>>, Ended> {
    let mut levels = Vec::new();
    let mut begin = 0;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at).chain([bytes.len()]);
    for end in ends {
        let (name, mask) = (&bytes[begin..end], &quoted[begin..end]);
        let pattern = Pattern::of(name, mask).ignoring_case(shell.options.nocaseglob);
        levels.push(match () {
            () if name == b"**" && !mask[0] && shell.options.globstar => Level::Deep,
            () if pattern.is_special() => Level::Matching(pattern),
            () => Level::Name(name.into()),
        });
        begin = end + 1;
    }
    if levels.iter().all(|level| matches!(level, Level::Name(_))) {
        return Ok(None);
    }
    let mut walk = Walk { shell, found: Vec::new() };
    walk.go(&BString::default(), &levels)?;
    let mut found = walk.found;
    found.sort();
    found.dedup();
    Ok(Some(found))
}

struct Walk<'a> {
    shell: &'a Shell,
    found: Vec<BString>,
}

impl Walk<'_> {
    /// Follows the levels from a path on, which ends with a slash unless it is empty.
    fn go(&mut self, at: &BString, levels: &[Level]) -> Result<(), Ended> {
        self.shell.work(1)?;
        let Some((level, rest)) = levels.split_first() else { return Ok(()) };
        match level {
            Level::Name(name) => {
                let path: BString = [at.as_bytes(), name].concat().into();
                if rest.is_empty() {
                    // A slash at the end is for folders only.
                    let is_there = if name.is_empty() { self.is_folder(at) } else { self.exists(&path) };
                    return if is_there { self.add(path) } else { Ok(()) };
                }
                self.go(&slashed(path), rest)
            }
            Level::Matching(pattern) => {
                let hidden = self.shell.options.dotglob || pattern.begins_with_dot();
                for (name, kind) in self.entries(at) {
                    if (name.starts_with(b".") && !hidden) || !pattern.matches(&name) {
                        continue;
                    }
                    let path: BString = [at.as_bytes(), &name].concat().into();
                    if rest.is_empty() {
                        self.add(path)?;
                    } else if kind != Kind::File && self.is_folder(&path) {
                        self.go(&slashed(path), rest)?;
                    }
                }
                Ok(())
            }
            Level::Deep => self.deep(at, rest, true),
        }
    }

    /// All folders below a path, with it.
    fn deep(&mut self, at: &BString, rest: &[Level], is_first: bool) -> Result<(), Ended> {
        if rest.is_empty() && is_first && !at.is_empty() {
            // The folder itself has its slash.
            self.add(at.clone())?;
        } else if rest.is_empty() && !is_first {
            self.add(at.strip_suffix(b"/").unwrap_or(at).into())?;
        } else if !rest.is_empty() {
            self.go(at, rest)?;
        }
        for (name, kind) in self.entries(at) {
            if name.starts_with(b".") && !self.shell.options.dotglob {
                continue;
            }
            let path: BString = [at.as_bytes(), &name].concat().into();
            match kind {
                Kind::Folder => self.deep(&slashed(path), rest, false)?,
                _ if rest.is_empty() => self.add(path)?,
                _ => (),
            }
        }
        Ok(())
    }

    fn add(&mut self, path: BString) -> Result<(), Ended> {
        self.found.push(path);
        match self.found.len() > MOST {
            true => Err(crate::world::Halt::TooLarge(format!("A pattern has more than {MOST} names")).into()),
            false => Ok(()),
        }
    }

    fn entries(&self, at: &BString) -> Vec<(BString, Kind)> {
        let path = self.shell.path(if at.is_empty() { b"." } else { at });
        let listed = self.shell.base.files.list(path.as_bstr()).unwrap_or_default();
        listed.into_iter().map(|(name, stat)| (name, stat.kind)).collect()
    }

    fn exists(&self, path: &BString) -> bool {
        self.shell.base.files.stat(self.shell.path(path).as_bstr(), false).is_ok()
    }

    fn is_folder(&self, path: &BString) -> bool {
        let stat = self.shell.base.files.stat(self.shell.path(path).as_bstr(), true);
        stat.is_ok_and(|stat| stat.kind == Kind::Folder)
    }
}

fn slashed(mut path: BString) -> BString {
    path.push(b'/');
    path
}
