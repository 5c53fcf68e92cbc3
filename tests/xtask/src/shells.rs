//! The shells that completions are tried in. Bash is everywhere.

use anyhow::Result;

use crate::apt;
use crate::step::Report;

/// Finds the shells, or installs them.
pub fn look() -> Result<Report> {
    apt::look(&[("/usr/bin/zsh", "zsh"), ("/usr/bin/fish", "fish")], "the tests of completions")
}
