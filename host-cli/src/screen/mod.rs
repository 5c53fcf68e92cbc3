//! What a person reads at a terminal.

pub mod colour;
pub mod hint;
pub mod paint;
pub mod progress;
pub mod wrap;

use std::path::Path;

pub use host::screen::{audit, block, line, status, tasks};

/// A text with patches, as the output stream shows it: in colours on a terminal.
pub fn patches(text: &str) -> String {
    let text = block(text);
    if !colour::on_output() {
        return text;
    }
    let painted = paint::Painted::of(&text);
    (0..painted.count()).map(|line| paint::ansi(&painted.line(line)) + "\n").collect()
}

/// The line for a sandbox whose tools work on `folder`.
pub fn not_sealed(folder: &Path) -> String {
    format!("not sealed: files are in {}\n", line(&folder.display().to_string()))
}
