//! `chmod`

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Given, Reading, flag, read, valued};
use super::entries::{letters, mode, quoted, stat};
use super::mode::Change;
use super::walk::{Entry, Step, Walk};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::world::Kind;

const FLAGS: &[Flag] = &[
    flag('c', "changes"),
    flag('f', "silent"),
    flag('f', "quiet"),
    flag('R', "recursive"),
    flag('v', "verbose"),
    valued('\x01', "reference"),
    flag('\x02', "preserve-root"),
    flag('\x03', "no-preserve-root"),
];

/// Makes files executable, or takes that back. There are no other permissions to be changed.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    // `-x` is no option.
    let is_mode = |arg: &BString| arg.len() > 1 && arg[0] == b'-' && b"rwxXstugoa,+=01234567".contains(&arg[1]);
    let ends = call.args.iter().position(|arg| arg == "--").unwrap_or(call.args.len());
    let minus = call.args[..ends].iter().position(is_mode).map(|at| call.args.remove(at));
    let given = read(call, Reading { flags: FLAGS, status: 1, stops: false }).await?;
    let mut operands = given.operands.iter();
    let change = match (given.value('\x01'), minus) {
        (Some(name), _) => match stat(call.shell, name, true) {
            Ok(stat) => Change::Number(mode(&stat)),
            Err(error) => {
                call.complain(format!("failed to get attributes of {}: {}", quoted(name), reason(&error))).await?;
                return Ok(1);
            }
        },
        (None, minus) => {
            let Some(text) = minus.as_ref().or_else(|| operands.next()) else {
                return call.misused("missing operand", 1).await;
            };
            match Change::read(text) {
                Some(change) => change,
                None => return call.misused(format!("invalid mode: ‘{text}’"), 1).await,
            }
        }
    };
    if operands.len() == 0 {
        let last = given.operands.last().map(|last| format!(" after ‘{last}’")).unwrap_or_default();
        return call.misused(format!("missing operand{last}"), 1).await;
    }
    let mut status = 0;
    for name in operands {
        if !tree(call, &given, &change, name).await? {
            status = 1;
        }
    }
    Ok(status)
}

async fn tree(call: &mut Call<'_>, given: &Given, change: &Change, name: &[u8]) -> Result<bool, Ended> {
    let found = match stat(call.shell, name, true) {
        Ok(found) => found,
        Err(error) => {
            if !given.has('f') {
                call.complain(format!("cannot access {}: {}", quoted(name), reason(&error))).await?;
            }
            return Ok(false);
        }
    };
    let mut walk = Walk::new(call.shell, name, found, false);
    let mut fine = true;
    while let Some(step) = walk.next(call.shell)? {
        match step {
            Step::Entry(entry) => {
                if !given.has('R') {
                    walk.skip();
                }
                fine &= entry.stat.kind == Kind::Link || set(call, given, change, &entry).await?;
            }
            Step::Unlisted(entry, error) => {
                call.complain(format!("cannot read directory {}: {}", quoted(&entry.shown), reason(&error))).await?;
                fine = false;
            }
            Step::Leave(_) | Step::Cycle(_) => (),
        }
    }
    Ok(fine)
}

async fn set(call: &mut Call<'_>, given: &Given, change: &Change, entry: &Entry) -> Result<bool, Ended> {
    let (old, name) = (mode(&entry.stat), quoted(&entry.shown));
    let new = change.apply(old, entry.stat.kind == Kind::Folder);
    let executable = new & 0o100 != 0;
    if entry.stat.kind == Kind::File && executable != entry.stat.executable {
        let set =
            call.shell.base.files.world().and_then(|world| world.set_executable(entry.path.as_bstr(), executable));
        if let Err(error) = set {
            call.complain(format!("changing permissions of {name}: {}", reason(&error))).await?;
            return Ok(false);
        }
    }
    let (from, to) = (format!("{old:04o} ({})", letters(old)), format!("{new:04o} ({})", letters(new)));
    if old != new && (given.has('v') || given.has('c')) {
        call.line(format!("mode of {name} changed from {from} to {to}")).await?;
    } else if given.has('v') {
        call.line(format!("mode of {name} retained as {to}")).await?;
    }
    Ok(true)
}
