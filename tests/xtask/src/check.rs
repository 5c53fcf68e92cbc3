//! `cargo xtask test`: everything that has to hold, in the order in which it is found out fastest.
//!
//! Of all that is built, only the component is built for use, too. Every step selects all packages: so a dependency has the same features in
//! all of them, and is compiled once.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::step::{cargo, run, run_tests, step};
use crate::{fuzz, target_dir, workspace};

/// Runs all steps.
pub fn all() -> Result<()> {
    step("node", node)?;
    step("C++ compiler", fuzz::compiler)?;
    step("format", || run(cargo().args(["fmt", "--all", "--check"])))?;
    step("clippy", || {
        run(cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
    })?;
    step("tests", || run_tests(cargo().args(["test", "--workspace", "--locked"])))?;
    step("suites inside wasm", || run_tests(&mut suite(&["--ignored", "--nocapture", "wasm_suites::"])))?;
    step("the component as it is shipped", || {
        let component = shipped()?;
        run_tests(suite(&["sealed::"]).env(COMPONENT, &component))?;
        run_tests(suite(&["--ignored", "--nocapture", "jco::"]).env(COMPONENT, &component))
    })?;
    let mut programs = PathBuf::new();
    step("fuzz targets", || {
        programs = fuzz::build()?;
        Ok(String::new())
    })?;
    step("each of them for a minute", || fuzz::each(&programs))?;
    println!("==> all passed");
    Ok(())
}

/// Names the component file to the tests that look at it alone.
const COMPONENT: &str = "GITGATE_TEST_COMPONENT";

/// Some of the end-to-end tests; `--ignored` are those that a plain `cargo test` leaves out.
fn suite(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(["test", "--workspace", "--locked", "--test", "suite", "--"]).args(arguments);
    command
}

/// Builds the component for use, as `cargo build --release` does, and leaves it where other hosts look for it.
fn shipped() -> Result<PathBuf> {
    let target = target_dir()?;
    let component = seal::build(workspace(), &target.join("component"), seal::Profile::Wasm)?;
    let file = target.join("gitgate.wasm");
    seal::put(&component, &file)?;
    Ok(file)
}

/// Looked for first, because it is needed late.
fn node() -> Result<String> {
    for program in ["node", "npm"] {
        let said = Command::new(program).arg("--version").output();
        let version = said
            .ok()
            .filter(|said| said.status.success())
            .map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
        let Some(version) = version else { bail!("{program} is not installed; {NODE}") };
        let major =
            version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        ensure!(program != "node" || major.is_some_and(|major| major >= 20), "this is node {}; {NODE}", version.trim());
    }
    Ok(String::new())
}

const NODE: &str = "node 20 or later is needed with npm: https://nodejs.org/, or `apt-get install nodejs npm`";
