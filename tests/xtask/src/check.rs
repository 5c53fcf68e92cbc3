//! `cargo xtask test`: the checks that a change must pass, the quickest first.
//!
//! No step measures time, so two run side by side: downloads and the builds for pages while cargo builds Rust's tests, and node's and
//! Python's tests while Rust's tests run.
//!
//! Everything is compiled once. Clippy wraps the compiler while cargo builds the tests, so no second pass checks the dependencies. Every
//! step selects all packages, so a dependency has the same features in all steps. Long checks are in `soak`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Report, Steps, cargo, run, run_tests};
use crate::{chromium, edge, mcp, node, python, shells, shim, target_dir, web, workspace};

/// Runs all steps, then prints a table of them.
pub fn all() -> Result<()> {
    let mut steps = Steps::default();
    let outcome = each(&mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn each(steps: &mut Steps) -> Result<()> {
    steps.take("node", node::look)?;
    steps.take("Python", python::look)?;
    steps.take("format", || run(cargo().args(["fmt", "--all", "--check"])))?;
    steps.take_both(
        |steps| steps.take("build, with clippy", || run(tests()?.args(["--all-targets", "--no-run"]))),
        |steps| {
            steps.take("Chromium", chromium::look)?;
            steps.take("shells", shells::look)?;
            steps.take("npm's packages", web::packages)?;
            steps.take("programs for MCP", || mcp::programs().map(|_| Report::default()))?;
            steps.take("schemathesis", || web::schemathesis().map(|_| Report::default()))?;
            steps.take("the shim", shim::report)?;
            steps.take("the shim for edge functions", edge::generate)
        },
    )?;
    steps.take_both(
        |steps| {
            steps.take("tests", || run_tests(&mut tests()?))?;
            steps.take("suites inside wasm", || ignored("wasm_suites::"))?;
            steps.take("a stand-in for GitHub", || ignored("github::"))
        },
        |steps| {
            steps.take("the shim in node", shim::test)?;
            steps.take("the SDK in node and in Chromium", web::test)?;
            steps.take("MCP clients", mcp::test)
        },
    )
}

/// Runs those of the suite's tests that a plain `cargo test` ignores.
fn ignored(filter: &str) -> Result<Report> {
    run_tests(tests()?.args(["--test", "suite", "--", "--ignored", "--nocapture", filter]))
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

/// Builds the command, which the tests' build leaves out, and returns its path. A test among the targets gives every dependency the features
/// that the tests gave it, so nothing is compiled twice.
pub fn gitgate() -> Result<PathBuf> {
    run(cargo_for("build")?.args(["--bin", "gitgate", "--test", "suite"]))?;
    Ok(target_dir()?.join("debug/gitgate"))
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
