//! Chromium, which runs the browser tests.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::step::{Report, run};

/// The path in Debian's package.
pub const PROGRAM: &str = "/usr/bin/chromium";

/// Finds Chromium, or installs it if that needs no question: on Debian, as root.
pub fn look() -> Result<Report> {
    if Path::new(PROGRAM).exists() {
        return Ok(Report::default());
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout.trim_ascii() == b"0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        bail!("{PROGRAM} is not there, and the browser's tests need it: `apt-get install chromium`");
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-qq", "-y", "--no-install-recommends", "chromium"]);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(Report::note("installed"))
}
