//! Whether a screen has colours.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl When {
    /// Makes this the choice of the whole process.
    pub fn choose(self) {
        let choice = match self {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Whether the output stream gets colours.
pub fn on_output() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Whether the person's terminal gets colours. The error stream is one where there is a person.
pub fn on_terminal() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}
