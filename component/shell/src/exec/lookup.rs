//! What a name of a command stands for.

use std::rc::Rc;

use bstr::{BString, ByteSlice};

use super::{Call, Ended};
use crate::script::turns::Local;
use crate::state::{Function, Shell};
use crate::world::Kind;
use crate::{builtins, commands};

/// What runs a command.
pub type Run = for<'c, 'a> fn(&'c mut Call<'a>) -> Local<'c, Result<i32, Ended>>;

/// What a name stands for.
pub enum Found {
    /// A function.
    Function(Rc<Function>),
    /// A command of the shell itself.
    Builtin(Run),
    /// A command that is a program elsewhere.
    Command(Run),
    /// A program of the world.
    Program,
    /// A file of commands in the tree.
    Script(BString),
    /// Nothing, with what the shell says about it, and the status.
    Nothing(String, i32),
}

/// Folders whose programs are the shell's own commands.
const BIN: &[&str] = &["/bin/", "/usr/bin/", "/usr/local/bin/"];

/// What the name of a command stands for.
pub fn find(shell: &Shell, name: &str) -> Found {
    if let Some(body) = shell.functions.get(name) {
        return Found::Function(Rc::clone(body));
    }
    if let Some(run) = builtins::find(name) {
        return Found::Builtin(run);
    }
    elsewhere(shell, name)
}

/// What a name stands for, but for functions and the shell's own commands.
pub fn elsewhere(shell: &Shell, name: &str) -> Found {
    let short = BIN.iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    if let Some(run) = commands::find(short) {
        return Found::Command(run);
    }
    if shell.base.files.around().has_program(short) {
        return Found::Program;
    }
    if name.contains('/') {
        return file(shell, name);
    }
    if name.is_empty() {
        return Found::Nothing(": command not found".to_owned(), 127);
    }
    Found::Nothing(format!("{name}: command not found{}", hint(name)), 127)
}

fn file(shell: &Shell, name: &str) -> Found {
    let path = shell.path(name.as_bytes());
    match shell.base.files.stat(path.as_bstr(), true) {
        Err(error) => {
            let status = if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 };
            Found::Nothing(format!("{name}: {}", crate::io::reason(&error)), status)
        }
        Ok(stat) if stat.kind == Kind::Folder => Found::Nothing(format!("{name}: Is a directory"), 126),
        Ok(stat) if !stat.executable => Found::Nothing(format!("{name}: Permission denied"), 126),
        Ok(_) => match interpreter(shell, &path) {
            None => Found::Script(path),
            Some(other) => Found::Nothing(
                format!("{name}: {other}: bad interpreter: there are no other programs here, only this shell"),
                126,
            ),
        },
    }
}

/// What a file wants to be run by, if that is no shell.
fn interpreter(shell: &Shell, path: &BString) -> Option<String> {
    let content = shell.base.files.read(path.as_bstr()).ok()?;
    let line = content.strip_prefix(b"#!")?.lines().next()?.to_str_lossy().into_owned();
    let mut words = line.split_whitespace();
    let program = match words.next()? {
        env if env.ends_with("/env") => words.next()?,
        program => program,
    };
    let is_shell = matches!(program.rsplit('/').next(), Some("sh" | "bash" | "dash"));
    (!is_shell).then(|| program.to_owned())
}

/// Programs that people miss, and what is there instead.
const MISSED: &[(&[&str], &str)] = &[
    (&["curl", "wget", "nc", "ssh", "scp", "ping", "rsync"], "there is no network here"),
    (
        &[
            "python", "python3", "python2", "node", "npm", "npx", "yarn", "pnpm", "cargo", "rustc", "rustup", "go",
            "make", "cmake", "ninja", "gcc", "g++", "cc", "clang", "ld", "java", "javac", "mvn", "gradle", "dotnet",
            "tsc", "uv", "ruby", "gem", "bundle", "perl", "php", "composer", "lua", "deno", "bun", "pip", "pip3",
            "pytest", "docker", "gh", "sqlite3", "psql", "mysql", "openssl", "gpg", "iconv", "zip", "unzip", "bzip2",
            "xz", "zstd", "7z", "sdiff", "diff3", "ed", "ex", "dc", "m4", "pr", "fmt", "yq", "fd", "ag", "tput",
            "script", "strace", "watch", "gettext", "pandoc", "zsh", "fish", "dash", "ksh",
        ],
        "no other programs run here: use this shell's commands (awk, sed, jq, grep, find, ...), and ask the user to build and test",
    ),
    (
        &["vi", "vim", "nano", "emacs", "less", "more", "man"],
        "nobody sits at a terminal here: use cat, sed or an edit tool",
    ),
    (
        &["apt", "apt-get", "brew", "yum", "dnf", "apk", "sudo", "su", "systemctl"],
        "this is no machine: nothing can be installed",
    ),
    (
        &[
            "ps", "kill", "killall", "pgrep", "top", "htop", "setsid", "screen", "tmux", "suspend", "nohup", "jobs",
            "fg", "bg", "disown", "pkill",
        ],
        "there are no processes and no jobs in the background here: run commands without them",
    ),
];

fn hint(name: &str) -> String {
    let missed = MISSED.iter().find(|(names, _)| names.contains(&name));
    missed.map(|(_, hint)| format!(" ({hint})")).unwrap_or_default()
}

/// Where a command would be.
pub fn place(name: &str) -> String {
    match name.contains('/') {
        true => name.to_owned(),
        false => format!("/usr/bin/{name}"),
    }
}
