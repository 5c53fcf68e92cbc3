//! Lets a person edit a text in their editor.

use std::fs::{self, File};
use std::io::{self, Write};
use std::process::Command;

use crate::interrupt::{self, Phase};

/// The editor where neither VISUAL nor EDITOR names one, as git has it.
const DEFAULT: &str = "vi";

/// The text as the editor, which gets the terminal, left it.
pub(super) fn edit(terminal: &File, text: &str, name: &str) -> io::Result<String> {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let program = named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| DEFAULT.to_owned());
    let folder = tempfile::Builder::new().prefix("gitgate-").tempdir()?;
    // By the name, an editor knows what it is, and how to break its lines.
    let path = folder.path().join(name);
    File::create_new(&path)?.write_all(text.as_bytes())?;
    let _during = interrupt::during(Phase::Outside);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{program} \"$@\"")).arg(&program).arg(&path);
    let status = command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("the editor {program} ended with {status}")));
    }
    fs::read_to_string(&path)
}
