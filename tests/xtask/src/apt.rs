//! Programs that come in Debian's packages.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::step::{Report, run};

/// Finds the programs, or installs those that are missing if that needs no question: on Debian, as root. Each has its path and its package.
pub fn look(programs: &[(&str, &str)], who: &str) -> Result<Report> {
    let missing: Vec<_> = programs.iter().filter(|(program, _)| !Path::new(program).exists()).collect();
    let Some((program, _)) = missing.first() else { return Ok(Report::default()) };
    let packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout.trim_ascii() == b"0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        bail!("{program} is not there, and {who} need it: `apt-get install {}`", packages.join(" "));
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-qq", "-y", "--no-install-recommends"]).args(packages);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(Report::note("installed"))
}
