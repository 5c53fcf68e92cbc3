//! The shells that completions are tried in, and what the commands of our own shell are compared with. Bash and GNU's coreutils are
//! everywhere.

use anyhow::Result;

use crate::apt;
use crate::step::Report;

/// Paths and packages.
const PROGRAMS: &[(&str, &str)] = &[
    ("/usr/bin/bc", "bc"),
    ("/usr/bin/column", "bsdextrautils"),
    ("/usr/bin/file", "file"),
    ("/usr/bin/fish", "fish"),
    ("/usr/bin/gawk", "gawk"),
    ("/usr/bin/jq", "jq"),
    ("/usr/bin/patch", "patch"),
    ("/usr/bin/rg", "ripgrep"),
    ("/usr/bin/strings", "binutils"),
    ("/usr/bin/xxd", "xxd"),
    ("/usr/bin/zsh", "zsh"),
];

/// Finds them, or installs them.
pub fn look() -> Result<Report> {
    apt::look(PROGRAMS, "the tests of completions and of the shell")
}
