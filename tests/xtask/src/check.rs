//! `cargo xtask test`: everything that has to hold, in the order in which it is found out fastest.
//!
//! Nothing is built in release here, and every step selects all packages: so a dependency has the same features in all of them, and is compiled
//! once.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{cargo, run, run_tests, step};
use crate::workspace;

/// Runs all steps.
pub fn all() -> Result<()> {
    step("targets", targets)?;
    step("format", || run(cargo().args(["fmt", "--all", "--check"])))?;
    step("clippy", || {
        run(cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
    })?;
    step("tests", || run_tests(cargo().args(["test", "--workspace", "--locked"])))?;
    step("suites inside wasm", || ignored("wasm_suites::"))?;
    step("the component in node", || {
        node()?;
        ignored("jco::")
    })?;
    println!("==> all passed");
    Ok(())
}

/// Runs the end-to-end tests that are left out of a plain `cargo test`.
fn ignored(module: &str) -> Result<String> {
    run_tests(cargo().args([
        "test",
        "--workspace",
        "--locked",
        "--test",
        "suite",
        "--",
        "--ignored",
        "--nocapture",
        module,
    ]))
}

/// Installs the targets that the toolchain file does not name, or that a toolchain from elsewhere lacks.
fn targets() -> Result<String> {
    let mut rustup = Command::new("rustup");
    run(rustup.current_dir(workspace()).args(["--quiet", "target", "add", "wasm32-wasip1"]))
        .context("install rustup: https://rustup.rs")
}

fn node() -> Result<()> {
    for program in ["node", "npm"] {
        let there = Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success());
        ensure!(
            there,
            "{program} is not installed; node 20 or later is needed with npm: https://nodejs.org/, or `apt-get install nodejs npm`"
        );
    }
    Ok(())
}
