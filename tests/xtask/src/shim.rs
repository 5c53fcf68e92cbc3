//! `cargo xtask shim`: builds the host for JavaScript as it ships: `target/shim/shim.js` with its module `shim_bg.wasm`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::check::tests;
use crate::step::{Report, cargo, run, run_tests};
use crate::{target_dir, workspace};

/// Builds the shim, and returns its folder.
pub fn build() -> Result<PathBuf> {
    build_with("shim", &[])
}

/// Builds the shim for edge functions, which answer HTTP requests.
pub fn build_edge() -> Result<PathBuf> {
    build_with("shim-edge", &["--features", "shim/edge"])
}

/// What has been built. Nothing changes while a command runs, and others may use the folder of the build then.
static BUILT: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn build_with(name: &'static str, features: &[&str]) -> Result<PathBuf> {
    let (target, triple) = (target_dir()?, "wasm32-unknown-unknown");
    let out = target.join(name);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.contains(&name) {
        return Ok(out);
    }
    seal::target::ensure(workspace(), triple)?;
    let pages = target.join("pages");
    let mut cargo = cargo();
    // Both shims select the packages of either, so every dependency has the same features in both and is compiled once.
    cargo.args(["build", "--locked", "-p", "shim", "-p", "host", "-p", "api", "--lib", "--profile", "shim"]);
    cargo.args(features).args(["--target", triple]).arg("--target-dir").arg(&pages);
    // Does not lint again if the tests' own build runs this.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS");
    run(&mut cargo)?;
    // Workers and edge functions get the module from elsewhere, so the file must not look for the module beside itself.
    Bindgen::new()
        .web(true)?
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .input_path(pages.join(triple).join("shim/shim.wasm"))
        .out_name("shim")
        .generate(&out)
        .context("cannot make the JavaScript around the shim")?;
    built.push(name);
    Ok(out)
}

/// Plays scripts in the shim and in the native host, and compares everything.
pub fn test() -> Result<Report> {
    run_tests(&mut scripts()?)
}

/// The command that plays them. It leaves transcripts, after removing those of earlier builds.
pub fn scripts() -> Result<Command> {
    let shim = build()?;
    let old = transcripts(&shim);
    if old.exists() {
        std::fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    let mut tests = tests()?;
    tests.args(["--lib", "--", "--ignored", "--nocapture", "driver::script::"]);
    tests.env("GITGATE_TEST_SHIM", shim);
    Ok(tests)
}

/// The folder of the transcripts, which Chromium plays too.
pub fn transcripts(shim: &Path) -> PathBuf {
    shim.join("transcripts")
}

/// Builds the shim, and reports its size.
pub fn report() -> Result<Report> {
    let out = build()?;
    let size = |name: &str| std::fs::metadata(out.join(name)).map(|file| file.len() / 1024);
    let (module, glue) = (size("shim_bg.wasm")?, size("shim.js")?);
    Ok(Report::note(format!("{module} KiB and {glue} KiB of JavaScript in {}", out.display())))
}
