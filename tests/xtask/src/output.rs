//! Where a step prints: to the terminal, or, beside other steps, into a file that is shown when the step has ended.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::target_dir;

thread_local! {
    /// The file of the step that this thread takes.
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Prints a line.
pub fn say(line: &str) -> Result<()> {
    FILE.with_borrow_mut(|file| match file {
        Some(file) => writeln!(file, "{line}"),
        None => writeln!(io::stdout(), "{line}"),
    })
    .context("cannot print")
}

/// The command, which prints where its step prints. Into a file it prints without being asked anything.
pub fn of(command: &mut Command) -> Result<&mut Command> {
    FILE.with_borrow(|file| {
        if let Some(file) = file {
            command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
        }
        Ok(command)
    })
}

/// Takes the step `name`, and shows what it has printed once it has ended, however it did.
pub fn kept<T>(name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    let folder = target_dir()?.join("check");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{}.log", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")));
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    println!("... {name}, meanwhile, prints to {}", path.display());
    FILE.set(Some(file));
    let outcome = step();
    FILE.set(None);
    let printed = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    io::stdout().lock().write_all(&printed)?;
    outcome
}
