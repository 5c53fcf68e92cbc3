//! A sample of mutations: each changes one place in deciding code, and some test must fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::{Plan, Soak};
use crate::step::{Report, cargo, run};
use crate::target_dir;

/// The version of `cargo-mutants`.
const VERSION: &str = "27.1.0";

/// The crates to mutate: they decide what to trust and what to keep. Their tests are quick.
const PACKAGES: &[&str] = &["gate", "patch", "vfs"];

/// Minutes of random tests for each mutation.
const MINUTES_A_MUTATION: u64 = 6;

/// Tries as many mutations as the plan has time for. The seed selects them.
pub fn sample(soak: &mut Soak, plan: &Plan) -> Result<()> {
    let mut program = PathBuf::new();
    soak.steps.take("install cargo-mutants", || {
        program = install()?;
        Ok(Report::default())
    })?;
    let all = list(&program)?;
    let wanted = (plan.minutes / MINUTES_A_MUTATION).clamp(1, all);
    let shards = all / wanted;
    let shard = format!("{}/{shards}", plan.seed % shards);
    let output = target_dir()?.join("soak");
    let mut command = mutants(&program);
    command.args(["--shard", &shard, "--sharding", "round-robin", "--baseline", "skip", "--timeout", "300"]);
    command.args(["--build-timeout", "600", "--no-times", "--cargo-arg=--locked", "--output"]).arg(&output);
    let packages = packages().join(" ");
    let again = format!("cargo mutants {packages} --shard {shard} --sharding round-robin");
    soak.work("mutations", &again, || outcome(&mut command, &output));
    Ok(())
}

fn packages() -> Vec<String> {
    PACKAGES.iter().map(|package| format!("--package={package}")).collect()
}

/// Installs the program in the target folder, unless it is there.
fn install() -> Result<PathBuf> {
    let root = target_dir()?.join("tools");
    let wanted = format!("cargo-mutants@{VERSION}");
    run(cargo().args(["install", "--quiet", "--locked", &wanted, "--root"]).arg(&root))?;
    Ok(root.join("bin/cargo-mutants"))
}

fn mutants(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::workspace()).arg("mutants").args(packages());
    command
}

/// The number of mutations.
fn list(program: &Path) -> Result<u64> {
    let output = mutants(program).arg("--list").output().context("cargo-mutants was installed")?;
    ensure!(output.status.success(), "cargo mutants --list: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout).lines().count();
    ensure!(lines > 1000, "only {lines} mutations were found");
    Ok(lines as u64)
}

/// Runs the sample. An error names the mutations that no test notices.
fn outcome(command: &mut Command, output: &Path) -> Result<Report> {
    let status = command.status().context("cargo-mutants was installed")?;
    let named = |file: &str| std::fs::read_to_string(output.join("mutants.out").join(file)).unwrap_or_default();
    match status.code() {
        Some(0) => Ok(Report::note(format!("{} caught", named("caught.txt").lines().count()))),
        Some(2 | 3) => bail!("no test notices\n{}{}", named("missed.txt"), named("timeout.txt")),
        _ => bail!("{command:?} ended with {status}"),
    }
}
