//! Shows a long text: in `$PAGER`, or in the pager that is built in.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Command, Stdio};

use super::Terminal;
use super::keys::keys;
use super::raw::Raw;
use super::view::{Step, View};
use crate::approve::After;
use crate::interrupt::{self, Phase};
use crate::screen::colour;
use crate::screen::paint::Painted;
use crate::screen::wrap;

/// What `less` does where nothing else is said, as git has it: quit if all fits, show colours, leave
/// the text on the screen.
const LESS: &str = "FRX";

pub(super) fn show(terminal: &mut Terminal, text: &str) -> io::Result<After> {
    let text = Painted::of(text);
    let program = std::env::var("PAGER").unwrap_or_default();
    match program.trim() {
        "" => built_in(terminal, &text),
        program => outside(terminal, program, &text),
    }
}

/// Even a short text has a screen of its own: the question that comes again would push it off.
fn built_in(terminal: &Terminal, text: &Painted<'_>) -> io::Result<After> {
    let mut view = View::new(text, terminal.size(), colour::on_terminal());
    let raw = Raw::enter(&terminal.output)?;
    loop {
        view.resize(terminal.size());
        raw.terminal().write_all(view.draw().as_bytes())?;
        let mut bytes = [0; 64];
        let read = match raw.terminal().read(&mut bytes) {
            Ok(0) => return Ok(After::Former),
            Ok(read) => read,
            // A signal that ended nothing.
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            Err(error) => return Err(error),
        };
        for key in keys(&bytes[..read]) {
            if view.press(key) == Step::Leave {
                return Ok(After::Former);
            }
        }
    }
}

/// Runs a program of the person's, as their shell would.
fn outside(terminal: &Terminal, program: &str, text: &Painted<'_>) -> io::Result<After> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(program).stdin(Stdio::piped()).stdout(terminal.output.try_clone()?);
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    // Ctrl-C is the program's.
    let _during = interrupt::during(Phase::Outside);
    let mut child = command.spawn()?;
    let input = child.stdin.take().expect("it was piped");
    match write_all(&input, text, terminal.size().0) {
        // The person has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written?,
    }
    drop(input);
    let status = child.wait()?;
    if status.code() == Some(127) {
        return Err(io::Error::new(ErrorKind::NotFound, format!("cannot run the pager {program}")));
    }
    Ok(After::Text)
}

/// Whatever wraps a line begins a row with a part of it, which could be taken for a line of the patch. So the lines are wrapped here.
fn write_all(mut out: impl Write, text: &Painted<'_>, columns: usize) -> io::Result<()> {
    let colour = colour::on_terminal();
    let mut out = io::BufWriter::new(&mut out);
    for line in 0..text.count() {
        for row in wrap::rows(&text.line(line), columns) {
            writeln!(out, "{}", wrap::drawn(&row, colour))?;
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_15_no_part_of_a_line_begins_a_row_in_any_pager() {
        let text = format!("+{}-    check(user);\n", " ".repeat(79));
        let mut out = Vec::new();
        write_all(&mut out, &Painted::of(&text), 80).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out, format!("+{}\n↳ -    check(user);\n", " ".repeat(79)));
    }
}
