//! The shells that completions are tried in, what the commands of our own shell are compared with, git servers, what signs, and what an
//! agent is walled in with. Bash and GNU's coreutils are everywhere.

use anyhow::Result;

use crate::apt;
use crate::step::Report;

/// Paths and packages.
const PROGRAMS: &[(&str, &str)] = &[
    ("/usr/bin/bc", "bc"),
    ("/usr/bin/bwrap", "bubblewrap"),
    ("/usr/bin/column", "bsdextrautils"),
    ("/usr/bin/file", "file"),
    ("/usr/bin/fish", "fish"),
    ("/usr/bin/gawk", "gawk"),
    ("/usr/bin/gitolite", "gitolite3"),
    ("/usr/bin/gpg", "gpg"),
    ("/usr/bin/gpg-agent", "gpg-agent"),
    ("/usr/bin/jq", "jq"),
    ("/usr/bin/openssl", "openssl"),
    ("/usr/bin/patch", "patch"),
    ("/usr/bin/rg", "ripgrep"),
    ("/usr/bin/socat", "socat"),
    ("/usr/bin/strings", "binutils"),
    ("/usr/bin/xxd", "xxd"),
    ("/usr/bin/zsh", "zsh"),
    ("/usr/sbin/sshd", "openssh-server"),
];

/// Finds them, or installs them.
pub fn look() -> Result<Report> {
    apt::look(PROGRAMS, "the tests of completions, of the shell and of git servers")
}
