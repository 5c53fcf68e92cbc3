//! What a person reads at a terminal.

pub mod colour;
pub mod hint;
pub mod paint;
pub mod progress;
pub mod shell;
pub mod wrap;

use std::io::{self, IsTerminal};
use std::path::Path;

use gate::review::Screen;
use rustix::termios::tcgetwinsize;

pub use host::screen::{audit, block, line, status, tasks, times};

use crate::moment;
use times::Times;

/// How the output stream tells times: how long ago on a terminal.
pub fn times_of_output() -> Times {
    if io::stdout().is_terminal() { Times::ago(moment::now().timestamp()) } else { Times::EXACT }
}

/// A text with patches, as the output stream shows it: in colours and wrapped by us on a terminal.
pub fn patches(text: &str) -> String {
    let text = block(text);
    let colour = colour::on_output();
    if let Some(columns) = columns_of_output() {
        return wrap::shown(&text, &Screen { columns, colour, ..Screen::default() });
    }
    if !colour {
        return text;
    }
    let painted = paint::Painted::of(&text);
    (0..painted.count()).map(|line| paint::ansi(&painted.line(line)) + "\n").collect()
}

/// The text of a tool's result, as the output stream shows it: on a terminal nothing in it hides or reorders.
pub fn result(text: &str) -> String {
    if io::stdout().is_terminal() { block(text) } else { text.to_owned() }
}

/// The width of the output stream, if it is a terminal.
pub fn columns_of_output() -> Option<usize> {
    let size = tcgetwinsize(io::stdout()).ok()?;
    (size.ws_col > 0).then_some(size.ws_col.into())
}

/// The line for a sandbox whose tools work on `folder`.
pub fn not_sealed(folder: &Path) -> String {
    format!("not sealed: files are in {}\n", line(&folder.display().to_string()))
}
