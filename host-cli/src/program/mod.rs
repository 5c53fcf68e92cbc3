//! Programs of the person's that are asked for something, such as a token.
//!
//! | file | what it has |
//! |---|---|
//! | `environment` | the variables that those get which git runs |

mod environment;

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub use environment::Environment;

use crate::error::Result;
use crate::sandbox::Clock;

/// Bytes that are read of what one says.
const MOST: u64 = 1 << 16;
/// How often a person who calls it off is noticed.
const TICK: Duration = Duration::from_millis(20);

/// The program `name` in `path`. Only absolute folders count: any other is where the person happens to be, and what
/// an agent wrote may be there.
pub fn find(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let folders = std::env::split_paths(path?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// What `command` prints, given `input`. `None` if it cannot be started, fails, or does not end in time. It runs
/// in no folder of the person's: that may be a repository that an agent wrote to.
///
/// # Errors
/// The person called it off.
pub fn ask(command: Command, input: impl AsRef<[u8]>, limit: Duration, clock: &Clock) -> Result<Option<String>> {
    let ended = run(command, input, limit, clock)?;
    Ok(ended.filter(|(code, _)| *code == 0).map(|(_, said)| said))
}

/// The code that `command` ends with, and what it prints, as [`ask`].
///
/// # Errors
/// The person called it off.
pub fn run(
    mut command: Command,
    input: impl AsRef<[u8]>,
    limit: Duration,
    clock: &Clock,
) -> Result<Option<(i32, String)>> {
    command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Ok(None) };
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.as_ref().to_vec();
    // Not joined: it may ask a person before it reads. What it does not read, it does not want.
    std::thread::spawn(move || drop(stdin.write_all(&input)));
    let said = wait(&mut child, Instant::now() + limit, clock);
    // It has ended already unless it was slow or called off.
    let _ = child.kill();
    let _ = child.wait();
    said
}

fn wait(child: &mut Child, end: Instant, clock: &Clock) -> Result<Option<(i32, String)>> {
    let mut stdout = child.stdout.take().expect("it is piped");
    let (sender, receiver) = mpsc::channel();
    // Not joined: a program that it started may keep the pipe open.
    std::thread::spawn(move || {
        let mut said = String::new();
        let read = stdout.by_ref().take(MOST).read_to_string(&mut said);
        // Nobody waits for it any more after the limit.
        let _ = sender.send(read.ok().filter(|length| (*length as u64) < MOST).map(|_| said));
    });
    let mut said = None;
    while Instant::now() < end {
        clock.ensure_wanted()?;
        match &said {
            None => said = receiver.recv_timeout(TICK).ok(),
            Some(text) => match child.try_wait() {
                Ok(Some(status)) => return Ok(status.code().zip(text.clone())),
                Ok(None) => std::thread::sleep(TICK),
                Err(_) => return Ok(None),
            },
        }
    }
    Ok(None)
}
