//! Asks the GitHub CLI for the person's token.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::environment::{Environment, OF_GH, PATH};
use crate::error::Result;
use crate::sandbox::Clock;

/// How long it may take. A keyring may ask the person to unlock it.
pub(super) const LIMIT: Duration = Duration::from_secs(20);
/// Bytes that are read of what it says.
const MOST: u64 = 1 << 16;
/// How often a person who calls it off is noticed.
const TICK: Duration = Duration::from_millis(20);

/// What `gh auth token` prints for `host`, or `None` if there is no such program, it has no token,
/// or it does not end in time.
///
/// # Errors
/// The person called it off.
pub(super) fn token(environment: &Environment, host: &str, limit: Duration, clock: &Clock) -> Result<Option<String>> {
    let Some(program) = find(environment) else { return Ok(None) };
    let mut command = Command::new(program);
    command.args(["auth", "token", "--hostname", host]);
    command.env_clear().envs(OF_GH.into_iter().filter_map(|name| Some((name, environment.get(name)?))));
    command.envs([("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1")]);
    // Where the person works may be a repository that an agent wrote to.
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Ok(None) };
    let said = wait(&mut child, Instant::now() + limit, clock);
    // It has ended already unless it was slow or called off.
    let _ = child.kill();
    let _ = child.wait();
    said
}

fn wait(child: &mut Child, end: Instant, clock: &Clock) -> Result<Option<String>> {
    let mut stdout = child.stdout.take().expect("it is piped");
    let (sender, receiver) = mpsc::channel();
    // Not joined: a program that it started may keep the pipe open.
    std::thread::spawn(move || {
        let mut said = String::new();
        let read = stdout.by_ref().take(MOST).read_to_string(&mut said);
        // Nobody waits for it any more after the limit.
        let _ = sender.send(read.ok().map(|_| said));
    });
    let mut said = None;
    while Instant::now() < end {
        clock.ensure_wanted()?;
        match &said {
            None => said = receiver.recv_timeout(TICK).ok(),
            Some(text) => match child.try_wait() {
                Ok(Some(status)) => return Ok(text.clone().filter(|_| status.success())),
                Ok(None) => std::thread::sleep(TICK),
                Err(_) => return Ok(None),
            },
        }
    }
    Ok(None)
}

/// The program in the path. Only absolute folders count: any other is where the person happens to
/// be, and what an agent wrote may be there.
fn find(environment: &Environment) -> Option<PathBuf> {
    let folders = std::env::split_paths(environment.get(PATH)?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join("gh")).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
