//! `cargo xtask edge`: builds the worker for edge functions from the component and the shim, and runs it on loopback.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::step::{Report, Steps};
use crate::{shim, web};

/// Builds the worker, and serves it with the page unless `only_build`.
pub fn command(only_build: bool) -> Result<()> {
    build(&mut Steps::default())?;
    if only_build {
        return Ok(());
    }
    web::npm(&["run", "serve", "-w", "edge"])
}

/// Builds the worker with SDK and page. Returns their folder, which also contains npm's packages.
pub fn build(steps: &mut Steps) -> Result<PathBuf> {
    let folder = web::page(steps)?;
    steps.take("the shim for edge functions", generate)?;
    steps.take("the worker", || web::npm(&["run", "build", "-w", "edge"]).map(|()| Report::default()))?;
    Ok(folder)
}

/// Copies the shim for edge functions to the worker's folder.
pub fn generate() -> Result<Report> {
    let from = shim::build_edge()?;
    let to = web::folder().join("edge/generated");
    fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
    for name in ["shim.js", "shim_bg.wasm"] {
        fs::copy(from.join(name), to.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    let bytes = fs::metadata(to.join("shim_bg.wasm")).context("the shim is gone")?.len();
    Ok(Report::note(format!("{} KiB", bytes / 1024)))
}
