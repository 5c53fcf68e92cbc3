//! Which system calls change files.

use nix::unistd::Pid;

/// The pending action of a thread that stopped at a system call.
pub enum Entered {
    /// It changes a file, or makes a change durable.
    Change(String),
    /// Something else; or the call has returned.
    Other,
}

/// Whether this machine's system calls are known.
pub const KNOWN: bool = cfg!(target_arch = "x86_64");

/// Numbers of x86-64 (arch/x86/entry/syscalls/syscall_64.tbl), with names.
#[cfg(target_arch = "x86_64")]
const CHANGES: &[(u64, &str)] = &[
    (1, "write"),
    (18, "pwrite64"),
    (20, "writev"),
    (74, "fsync"),
    (75, "fdatasync"),
    (76, "truncate"),
    (77, "ftruncate"),
    (82, "rename"),
    (83, "mkdir"),
    (84, "rmdir"),
    (86, "link"),
    (87, "unlink"),
    (88, "symlink"),
    (90, "chmod"),
    (91, "fchmod"),
    (258, "mkdirat"),
    (263, "unlinkat"),
    (264, "renameat"),
    (265, "linkat"),
    (266, "symlinkat"),
    (268, "fchmodat"),
    (280, "utimensat"),
    (316, "renameat2"),
    (326, "copy_file_range"),
];

/// Those whose first argument is an open file.
#[cfg(target_arch = "x86_64")]
const OF_OPEN_FILES: [u64; 7] = [1, 18, 20, 74, 75, 77, 91];

#[cfg(target_arch = "x86_64")]
pub fn entered(thread: Pid) -> Entered {
    const OPENAT: u64 = 257;
    const OPEN: u64 = 2;
    const CREATES_OR_CUTS: u64 = 0o100 | 0o1000;
    /// `-ENOSYS`: the value of the result register at the entry of a call.
    const ENTERING: u64 = -38_i64 as u64;
    // A thread that is gone changes nothing.
    let Ok(registers) = nix::sys::ptrace::getregs(thread) else { return Entered::Other };
    if registers.rax != ENTERING {
        return Entered::Other;
    }
    let opens = match registers.orig_rax {
        OPENAT => registers.rdx & CREATES_OR_CUTS != 0,
        OPEN => registers.rsi & CREATES_OR_CUTS != 0,
        _ => false,
    };
    if opens {
        return Entered::Change("open".to_owned());
    }
    match CHANGES.iter().find(|(number, _)| *number == registers.orig_rax) {
        // Standard streams are not files.
        Some((1 | 20, _)) if registers.rdi <= 2 => Entered::Other,
        Some((number, name)) if OF_OPEN_FILES.contains(number) => {
            let file = std::fs::read_link(format!("/proc/{thread}/fd/{}", registers.rdi)).unwrap_or_default();
            Entered::Change(format!("{name} {}", file.display()))
        }
        Some((_, name)) => Entered::Change((*name).to_owned()),
        None => Entered::Other,
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub fn entered(_: Pid) -> Entered {
    Entered::Other
}
