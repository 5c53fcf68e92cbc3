//! Chromium, which runs the browser tests.

use anyhow::Result;

use crate::apt;
use crate::step::Report;

/// The path in Debian's package.
pub const PROGRAM: &str = "/usr/bin/chromium";

/// Finds Chromium, or installs it.
pub fn look() -> Result<Report> {
    apt::look(&[(PROGRAM, "chromium")], "the browser's tests")
}
