//! Runs a command at a terminal, and types and reads as a person would.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The longest silence before a test gives up, in milliseconds.
const PATIENCE: i32 = 120_000;

/// The size of a terminal, in characters.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

/// A running command, and all its terminal output so far.
#[derive(Debug)]
pub struct Terminal {
    child: Child,
    screen: File,
    seen: Vec<u8>,
    /// The start of the unread output.
    next: usize,
}

impl Terminal {
    /// Starts `command` with a terminal as its input, output and error stream, and as `/dev/tty`. It asks line by line.
    pub fn start(command: &Command, size: Size) -> Terminal {
        Terminal::at(of_a_session(command).env("GITGATE_PLAIN", "1"), size)
    }

    /// The same for a person who reviews in full screen.
    pub fn start_in_full(command: &Command, size: Size) -> Terminal {
        Terminal::at(&mut of_a_session(command), size)
    }

    fn at(command: &mut Command, size: Size) -> Terminal {
        let size = Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).expect("the machine has terminals");
        let end = || pty.slave.try_clone().expect("a descriptor can be copied");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("gitgate was built");
        // The command keeps its ends of the terminal while it can still be started again.
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        Terminal { child, screen: pty.master.into(), seen: Vec::new(), next: 0 }
    }

    /// Waits for `text`, and returns all new output up to its end.
    #[track_caller]
    pub fn sees(&mut self, text: &str) -> String {
        loop {
            let new = &self.seen[self.next..];
            if let Some(at) = new.windows(text.len()).position(|window| window == text.as_bytes()) {
                let shown = String::from_utf8(new[..at + text.len()].to_vec()).expect("the screen is UTF-8");
                self.next += at + text.len();
                return shown;
            }
            assert!(self.read_more(), "the command ended before {text:?}: {}", self.transcript());
        }
    }

    /// Types `keys`.
    pub fn types(&mut self, keys: &str) {
        self.screen.write_all(keys.as_bytes()).expect("the command has its terminal");
    }

    /// Approves a push to the protected branch `main`, which asks for its name.
    pub fn approves_main(&mut self) {
        self.types("a");
        self.sees("main is a protected branch. Type its name to push to it: ");
        self.types("main\n");
    }

    /// Ends it at once, as a crash or a loss of power would.
    pub fn kills(mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }

    /// Sends what Ctrl-C sends to the terminal's session.
    pub fn interrupt(&self) {
        let child = Pid::from_raw(i32::try_from(self.child.id()).expect("a process id is small"));
        kill(child, Signal::SIGINT).expect("it is our child");
    }

    /// Waits for the end. Returns the exit code and all new output.
    #[track_caller]
    pub fn ends(mut self) -> (i32, String) {
        while self.read_more() {}
        let status = self.child.wait().expect("it is our child");
        let rest = String::from_utf8(self.seen[self.next..].to_vec()).expect("the screen is UTF-8");
        (status.code().unwrap_or(-1), rest)
    }

    fn transcript(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    /// Reads the available output, or waits for some; `false` at the end.
    #[track_caller]
    fn read_more(&mut self) -> bool {
        let mut waiting = [PollFd::new(self.screen.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut waiting, PollTimeout::try_from(PATIENCE).expect("it is a time"))
            .expect("the terminal can be waited for");
        assert!(ready > 0, "nothing happens: {}", self.transcript());
        let mut part = [0; 4096];
        match self.screen.read(&mut part) {
            Ok(0) => false,
            Ok(read) => {
                self.seen.extend(&part[..read]);
                true
            }
            // The error of a terminal that nobody has open any more.
            Err(error) if error.raw_os_error() == Some(nix::libc::EIO) => false,
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) => panic!("the terminal cannot be read: {error}"),
        }
    }
}

/// The same command as the leader of a session with its own terminal, in a pinned environment.
fn of_a_session(command: &Command) -> Command {
    let mut first = Command::new("setsid");
    first.env_clear();
    first.arg("--ctty").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => first.env(name, value),
            None => first.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        first.current_dir(folder);
    }
    first
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failed test leaves no process behind. A process that ended is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
