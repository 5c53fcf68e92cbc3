//! The fuzz targets. They are built with cargo-fuzz's flags, so cargo-fuzz itself is not needed, and run in parallel, one on each
//! processor. The target folder keeps the interesting inputs of a run for the next one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Error, Result, bail, ensure};

use crate::step::{Report, cargo, run};
use crate::{target_dir, workspace};

/// All targets. The programs in `tests/fuzz` have these names.
const TARGETS: [&str; 4] = ["pack", "journal", "call", "paths"];

/// How long to run a target by default.
const TIME: Duration = Duration::from_secs(60);

/// The flags that instrument a program for libFuzzer.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0";

/// Checks for the C++ compiler that libFuzzer needs.
pub fn compiler() -> Result<Report> {
    let program = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let found = Command::new(&program).arg("--version").output().is_ok_and(|said| said.status.success());
    ensure!(found, "{} is not there; a C++ compiler is needed: `apt-get install g++`", program.display());
    Ok(Report::default())
}

/// Runs `cargo xtask fuzz` with its arguments: a target, or all targets by default, and the seconds.
pub fn command(arguments: &[&str]) -> Result<()> {
    let seconds =
        |text: &str| Ok::<_, Error>(Duration::from_secs(text.parse().context("the seconds are not a number")?));
    let (targets, time) = match arguments {
        [] => (TARGETS.to_vec(), TIME),
        [target] => (vec![known(target)?], TIME),
        [target, text] => (vec![known(target)?], seconds(text)?),
        _ => bail!("one target and a number of seconds are all that it takes"),
    };
    compiler()?;
    let programs = build()?;
    println!("{}", all(&programs, &targets, time, None)?.note);
    Ok(())
}

fn known(name: &str) -> Result<&'static str> {
    let target = TARGETS.into_iter().find(|target| *target == name);
    target.with_context(|| format!("there is no target {name}, only {}", TARGETS.join(", ")))
}

/// Runs every target for `time`. Its inputs follow from `seed`, which must not be 0, and from the kept inputs.
pub fn each(programs: &Path, time: Duration, seed: u32) -> Result<Report> {
    all(programs, &TARGETS, time, Some(seed))
}

/// Builds the targets, and returns their folder. Because of `--target`, cargo does not apply the flags to build scripts.
pub fn build() -> Result<PathBuf> {
    let said = Command::new("rustc").args(["--print", "host-tuple"]).current_dir(workspace()).output()?;
    ensure!(said.status.success(), "rustc: {}", String::from_utf8_lossy(&said.stderr));
    let host = String::from_utf8(said.stdout)?.trim().to_owned();
    let flags = match host.contains("-linux-") {
        true => format!("{FLAGS} -Cllvm-args=-sanitizer-coverage-stack-depth"),
        false => FLAGS.to_owned(),
    };
    let arguments = ["build", "--package", "fuzz", "--bins", "--profile", "fuzz", "--locked", "--target", &host];
    run(cargo().args(arguments).env("RUSTFLAGS", flags).env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    Ok(target_dir()?.join(host).join("fuzz"))
}

/// Runs `targets`, and reports the number of inputs.
fn all(programs: &Path, targets: &[&str], time: Duration, seed: Option<u32>) -> Result<Report> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len());
    let next = AtomicUsize::new(0);
    let work = || -> Vec<Result<u64>> {
        let take = || targets.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).map(|target| one(programs, target, time, seed)).collect()
    };
    let outcomes: Vec<Result<u64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    let failed: Vec<String> =
        outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).map(|error| format!("{error:#}")).collect();
    ensure!(failed.is_empty(), "{}", failed.join("\n\n"));
    let inputs: u64 = outcomes.into_iter().filter_map(Result::ok).sum();
    Ok(Report::note(format!("{} targets, {inputs} inputs", targets.len())))
}

/// Runs one target, starting with the kept inputs, and returns the number of inputs.
fn one(programs: &Path, target: &str, time: Duration, seed: Option<u32>) -> Result<u64> {
    let folder = target_dir()?.join("fuzz-runs").join(target);
    let (new, found, log) = (folder.join("corpus"), folder.join("found"), folder.join("log"));
    for folder in [&new, &found] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let output = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let status = Command::new(programs.join(target))
        .args([&new, &workspace().join("tests/fuzz/corpus").join(target)])
        .arg(format!("-max_total_time={}", time.as_secs()))
        .args(seed.map(|seed| format!("-seed={seed}")))
        .arg(format!("-artifact_prefix={}/", found.display()))
        // Limits of each input: memory in MB, time in seconds, length in bytes.
        .args(["-rss_limit_mb=2048", "-timeout=20", "-max_len=4096", "-print_final_stats=1"])
        .stdout(output.try_clone()?)
        .stderr(output)
        .status()
        .with_context(|| format!("cannot run the target {target}"))?;
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    if !status.success() {
        let lines: Vec<&str> = said.lines().collect();
        bail!(
            "{target} has found an input, which is in {}; `cargo run -p fuzz --bin {target} FILE` runs it again, and in \
             tests/fuzz/corpus/{target} it is a test. The end of {}:\n{}",
            found.display(),
            log.display(),
            lines[lines.len().saturating_sub(40)..].join("\n")
        );
    }
    let inputs = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let inputs: u64 =
        inputs.and_then(|number| number.trim().parse().ok()).context("the target has not said how it went")?;
    ensure!(inputs > 0, "{target} was given no input");
    println!("    {target}: {inputs} inputs");
    Ok(inputs)
}
