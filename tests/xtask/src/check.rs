//! `cargo xtask test`: what has to hold before a change is taken, the quickest first.
//!
//! No step measures time, so two are taken side by side: what comes from elsewhere and what is built for pages while Rust's tests are
//! built, and node's and Python's tests while Rust's tests run.
//!
//! Everything is compiled once. Clippy wraps the compiler while the tests are built, so that no second pass over the dependencies checks
//! them; every step selects all packages, so that a dependency has the same features in all of them. What runs long is in `soak`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Report, Steps, cargo, run, run_tests};
use crate::{chromium, edge, mcp, node, python, shim, target_dir, web, workspace};

/// Runs all steps, and ends with a table of them.
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

/// `cargo test` of the workspace, which lints its crates where it compiles them, and takes no warning. `seal` has no tests: it is compiled
/// and linted for the build that uses it, and would otherwise be compiled a second time with all that it needs.
pub fn tests() -> Result<Command> {
    let mut cargo = cargo_for("test")?;
    if let Some(folder) = memory() {
        cargo.env("TMPDIR", folder);
    }
    Ok(cargo)
}

/// Another command of cargo's on the same crates, that compiles them as the tests are compiled.
pub fn cargo_for(command: &str) -> Result<Command> {
    let mut cargo = cargo();
    cargo.args([command, "--workspace", "--exclude", "seal", "--locked"]);
    // As `cargo clippy` sets them.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", clippy()?);
    cargo.env("CLIPPY_ARGS", ["-D", "warnings", ""].join("__CLIPPY_HACKERY__"));
    // The host's own tests and the suite compile one component, and need to do so once.
    cargo.env("XDG_CACHE_HOME", target_dir()?.join("tests-cache"));
    Ok(cargo)
}

/// Builds the command, which the tests' build leaves out, and says where it is. With a test among the targets, every dependency has the
/// features that the tests have given it, and nothing is compiled twice.
pub fn gitgate() -> Result<PathBuf> {
    run(cargo_for("build")?.args(["--bin", "gitgate", "--test", "suite"]))?;
    Ok(target_dir()?.join("debug/gitgate"))
}

/// Where the tests keep their files: in memory, if there is room. They wait for a disk half of their time.
pub fn memory() -> Option<&'static str> {
    let folder = "/dev/shm";
    let output = Command::new("df").args(["--output=avail", "--block-size=1G", folder]).output().ok()?;
    let gigabytes: u64 = String::from_utf8(output.stdout).ok()?.lines().nth(1)?.trim().parse().ok()?;
    (gigabytes >= 4).then_some(folder)
}

/// The program that compiles a crate as rustc does, and lints it on the way.
fn clippy() -> Result<PathBuf> {
    let output = Command::new("rustc").current_dir(workspace()).args(["--print", "sysroot"]).output()?;
    ensure!(output.status.success(), "rustc: {}", String::from_utf8_lossy(&output.stderr));
    let sysroot = String::from_utf8(output.stdout).context("rustc's sysroot is not UTF-8")?;
    let driver = PathBuf::from(sysroot.trim()).join("bin/clippy-driver");
    ensure!(driver.exists(), "clippy is missing; run: rustup component add clippy");
    Ok(driver)
}
