//! Runs a command and stops it at every system call that changes a file, to count them or to send it a signal there.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::syscalls::{self, Entered};

/// What a run has come to.
#[derive(Debug, Default)]
pub struct Run {
    /// The changes that it was about to make, in words; where it was killed, that one was not made.
    pub changes: Vec<String>,
    /// Whether it ended by being killed.
    pub killed: bool,
    /// The exit code, if it came to its end.
    pub code: Option<i32>,
}

/// Runs `command` and sends it a signal before its change number so and so, counted from 0; with `None` it runs to its end. `None` where a
/// process may not be traced on this machine.
pub fn run(command: Command, signal_at: Option<(usize, Signal)>) -> Option<Run> {
    if !syscalls::KNOWN {
        return None;
    }
    let mut child = stopped(&command).spawn().expect("sh is there");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id is small"));
    match waitpid(pid, Some(WaitPidFlag::WUNTRACED)) {
        Ok(WaitStatus::Stopped(..)) => {}
        other => panic!("the command was to stop itself: {other:?}"),
    }
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    if let Err(error) = ptrace::seize(pid, options) {
        assert!(matches!(error, Errno::EPERM | Errno::ENOSYS), "{error}");
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
        return None;
    }
    kill(pid, Signal::SIGCONT).expect("it is ours");
    let run = follow(pid, signal_at);
    // The end was seen above; what is left is for the standard library to know it, too.
    drop(child.wait());
    Some(run)
}

/// Runs `command` and sends it a signal after that time, for where a process may not be traced. Its exit code, if it has one.
pub fn run_blindly(command: Command, after: Duration, signal: Signal) -> Option<i32> {
    let mut command = untraced(command);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command is there");
    std::thread::sleep(after);
    // It may be over; only its own parent may then still send it a signal.
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process id is small")), signal).expect("it is ours");
    child.wait().expect("it is ours").code()
}

/// The same command with its input, for where it runs by itself.
pub fn untraced(mut command: Command) -> Command {
    if let Some((_, Some(input))) = command.get_envs().find(|(name, _)| *name == INPUT) {
        let input = std::fs::File::open(input).expect("the input was written");
        command.stdin(input);
    }
    command
}

/// Names the file that a command is to have as its input, if any: the standard library does not tell what it was given.
pub const INPUT: &str = "TRACED_INPUT";

/// The same command, that stops itself before it begins.
fn stopped(command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .arg("-c")
        .arg("kill -STOP $$; exec \"$0\" \"$@\" <\"${TRACED_INPUT:-/dev/null}\"")
        .arg(command.get_program())
        .args(command.get_args());
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(command.get_current_dir().expect("the command has a folder"));
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    shell
}

/// Follows all threads of `pid` from one system call to the next.
fn follow(pid: Pid, signal_at: Option<(usize, Signal)>) -> Run {
    let mut run = Run::default();
    let mut killed = false;
    loop {
        // Only what this thread has started or traces: other tests have children of their own.
        let status = match waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)) {
            Ok(status) => status,
            Err(Errno::ECHILD) => return run,
            Err(error) => panic!("cannot wait for the command: {error}"),
        };
        let (thread, deliver) = match status {
            WaitStatus::PtraceSyscall(thread) => {
                if !killed && let Some(change) = change(thread) {
                    if let Some((at, signal)) = signal_at
                        && at == run.changes.len()
                    {
                        kill(pid, signal).expect("it is ours");
                        killed = signal == Signal::SIGKILL;
                    }
                    run.changes.push(change);
                }
                (thread, None)
            }
            WaitStatus::Stopped(thread, signal) => (thread, (signal != Signal::SIGTRAP).then_some(signal)),
            WaitStatus::PtraceEvent(thread, ..) => (thread, None),
            WaitStatus::Exited(ended, code) if ended == pid => {
                run.code = Some(code);
                return run;
            }
            WaitStatus::Signaled(ended, signal, _) if ended == pid => {
                run.killed = signal == Signal::SIGKILL;
                return run;
            }
            _ => continue,
        };
        match ptrace::syscall(thread, deliver) {
            // It was killed meanwhile.
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(error) => panic!("the command cannot go on: {error}"),
        }
    }
}

/// What the thread is about to change, if it is.
fn change(thread: Pid) -> Option<String> {
    match syscalls::entered(thread) {
        Entered::Change(change) => Some(change),
        Entered::Other => None,
    }
}
