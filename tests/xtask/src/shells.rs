//! The shells that completions are tried in, and what the commands of our own shell are compared with. Bash and GNU's coreutils are
//! everywhere.

use anyhow::Result;

use crate::apt;
use crate::step::Report;

/// Paths and packages.
const PROGRAMS: &[(&str, &str)] =
    &[("/usr/bin/zsh", "zsh"), ("/usr/bin/fish", "fish"), ("/usr/bin/column", "bsdextrautils")];

/// Finds them, or installs them.
pub fn look() -> Result<Report> {
    apt::look(PROGRAMS, "the tests of completions and of the shell")
}
