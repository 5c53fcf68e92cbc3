//! node and npm, which other steps need.

use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::step::Report;

/// Checks for both. Commands call this first, because only a late step needs them.
pub fn look() -> Result<Report> {
    for program in ["node", "npm"] {
        let output = Command::new(program).arg("--version").output();
        let version = output
            .ok()
            .filter(|output| output.status.success())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let Some(version) = version else { bail!("{program} is not installed; {NODE}") };
        let major =
            version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        ensure!(program != "node" || major.is_some_and(|major| major >= 20), "this is node {}; {NODE}", version.trim());
    }
    Ok(Report::default())
}

const NODE: &str = "node 20 or later is needed with npm: https://nodejs.org/, or `apt-get install nodejs npm`";
