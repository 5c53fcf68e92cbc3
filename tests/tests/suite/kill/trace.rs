//! Runs a command and stops it at every system call that changes a file, to count the calls or to send a signal there.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::syscalls::{self, Entered};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Run {
    /// The changes in words, each recorded before it happened. After a kill, the last one did not happen.
    pub changes: Vec<String>,
    /// Whether a kill ended it.
    pub killed: bool,
    /// The exit code, if it ended by itself.
    pub code: Option<i32>,
}

/// Runs `command` and sends it a signal before its change with this number, counted from 0; with `None` it runs to its end. Returns `None`
/// if this machine does not allow tracing.
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
    // The end was seen above. This only informs the standard library.
    drop(child.wait());
    Some(run)
}

/// Runs `command` and sends it a signal after that time, for machines without tracing. Returns its exit code, if it has one.
pub fn run_blindly(command: Command, after: Duration, signal: Signal) -> Option<i32> {
    let mut command = untraced(command);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command is there");
    std::thread::sleep(after);
    // The process may have ended. Only its own parent may then still send it a signal.
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process id is small")), signal).expect("it is ours");
    child.wait().expect("it is ours").code()
}

/// The same command with its input, to run untraced.
pub fn untraced(mut command: Command) -> Command {
    if let Some((_, Some(input))) = command.get_envs().find(|(name, _)| *name == INPUT) {
        let input = std::fs::File::open(input).expect("the input was written");
        command.stdin(input);
    }
    command
}

/// Names the file for a command's input, if there is one: the standard library does not reveal it.
pub const INPUT: &str = "TRACED_INPUT";

/// The same command, which stops itself before it starts.
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
        // Only this thread's own children: other tests have children too.
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
            // Something killed it meanwhile.
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(error) => panic!("the command cannot go on: {error}"),
        }
    }
}

/// The pending change of the thread, if there is one.
fn change(thread: Pid) -> Option<String> {
    match syscalls::entered(thread) {
        Entered::Change(change) => Some(change),
        Entered::Other => None,
    }
}
