//! `cargo xtask demo`: builds the release of gitgate, and plays its main job.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::step::{cargo, run};

/// Builds, then hands over to `gitgate demo`, which may ask a person.
pub fn run_demo(arguments: &[&str]) -> Result<()> {
    let gitgate = build()?;
    run(std::process::Command::new(gitgate).arg("demo").args(arguments)).map(drop)
}

/// Builds gitgate in release mode, and returns its path.
pub fn build() -> Result<PathBuf> {
    let build =
        ["build", "--release", "--locked", "--package", "gitgate", "--message-format", "json-render-diagnostics"];
    let said = cargo().args(build).stderr(Stdio::inherit()).output()?;
    ensure!(said.status.success(), "gitgate does not build");
    // Only cargo knows its target folder.
    let messages =
        said.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut executables = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo does not say where gitgate is")
}
