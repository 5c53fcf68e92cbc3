//! `cargo xtask test`: the checks that a change must pass, the quickest first.
//!
//! Everything is compiled once. Clippy wraps the compiler while cargo builds the tests, so no second pass checks the dependencies. Every
//! step selects all packages, so a dependency has the same features in all steps. Long checks are in `soak`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Steps, cargo, run, run_tests};
use crate::{chromium, mcp, node, python, shim, target_dir, web, workspace};

/// Runs all steps, then prints a table of them.
pub fn all() -> Result<()> {
    let mut steps = Steps::default();
    let outcome = each(&mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn each(steps: &mut Steps) -> Result<()> {
    steps.take("node", node::look)?;
    steps.take("Chromium", chromium::look)?;
    steps.take("Python", python::look)?;
    steps.take("format", || run(cargo().args(["fmt", "--all", "--check"])))?;
    steps.take("build, with clippy", || run(tests()?.args(["--all-targets", "--no-run"])))?;
    steps.take("tests", || run_tests(&mut tests()?))?;
    steps.take("suites inside wasm", || {
        run_tests(tests()?.args(["--test", "suite", "--", "--ignored", "--nocapture", "wasm_suites::"]))
    })?;
    steps.take("MCP clients", mcp::test)?;
    steps.take("the shim in node", shim::test)?;
    steps.take("the SDK in node and in Chromium", web::test)?;
    steps.take("a stand-in for GitHub", || {
        run_tests(tests()?.args(["--test", "suite", "--", "--ignored", "--nocapture", "github::"]))
    })
}

/// `cargo test` of the workspace, which lints the crates while compiling them and fails on any warning. It excludes `seal`, which has no
/// tests: the build that uses it also lints it, and here it would be compiled again with all its dependencies.
pub fn tests() -> Result<Command> {
    let mut cargo = cargo_for("test")?;
    if let Some(folder) = memory() {
        cargo.env("TMPDIR", folder);
    }
    Ok(cargo)
}

/// Another cargo command on the same crates, which compiles them as the tests do.
pub fn cargo_for(command: &str) -> Result<Command> {
    let mut cargo = cargo();
    cargo.args([command, "--workspace", "--exclude", "seal", "--locked"]);
    // The variables that `cargo clippy` sets.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", clippy()?);
    cargo.env("CLIPPY_ARGS", ["-D", "warnings", ""].join("__CLIPPY_HACKERY__"));
    // The host's own tests and the suite share a cache, so they compile the component only once.
    cargo.env("XDG_CACHE_HOME", target_dir()?.join("tests-cache"));
    Ok(cargo)
}

/// A folder in memory for the tests' files, if there is room. On a disk the tests would wait half of their time.
pub fn memory() -> Option<&'static str> {
    let folder = "/dev/shm";
    let output = Command::new("df").args(["--output=avail", "--block-size=1G", folder]).output().ok()?;
    let gigabytes: u64 = String::from_utf8(output.stdout).ok()?.lines().nth(1)?.trim().parse().ok()?;
    (gigabytes >= 4).then_some(folder)
}

/// The program that compiles a crate as rustc does, and lints it.
fn clippy() -> Result<PathBuf> {
    let output = Command::new("rustc").current_dir(workspace()).args(["--print", "sysroot"]).output()?;
    ensure!(output.status.success(), "rustc: {}", String::from_utf8_lossy(&output.stderr));
    let sysroot = String::from_utf8(output.stdout).context("rustc's sysroot is not UTF-8")?;
    let driver = PathBuf::from(sysroot.trim()).join("bin/clippy-driver");
    ensure!(driver.exists(), "clippy is missing; run: rustup component add clippy");
    Ok(driver)
}
