//! `cargo xtask demo`: builds gitgate as it is used, and plays its main job.

use anyhow::Result;

use crate::step::{cargo, run};
use crate::workspace;

/// Builds, then hands over to `gitgate demo`, which may ask a person.
pub fn run_demo(arguments: &[&str]) -> Result<()> {
    let gitgate = build()?;
    run(std::process::Command::new(gitgate).arg("demo").args(arguments)).map(drop)
}

/// Builds gitgate in release, and gives its path.
pub fn build() -> Result<std::path::PathBuf> {
    run(cargo().args(["build", "--release", "--locked", "--package", "gitgate"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), |folder| workspace().join(folder));
    Ok(target.join("release").join(format!("gitgate{}", std::env::consts::EXE_SUFFIX)))
}
