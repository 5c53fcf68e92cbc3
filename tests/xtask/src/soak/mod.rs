//! `cargo xtask soak`: long checks, and checks of the shipped files.
//!
//! | file | what it does |
//! |---|---|
//! | `plan` | the duration and the seed |
//! | `family` | the random tests, and the number of seeds of each in a run |
//! | `fixed` | checks that run once: the shipped component, kills, heavy load |
//! | `mutants` | a sample of mutations that the tests must notice |
//!
//! A finding does not end the run. The end lists all findings, each with the command that reproduces it.

mod family;
mod fixed;
mod mutants;
mod plan;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use self::family::FAMILIES;
pub use self::plan::Plan;
use crate::step::{Report, Steps, run, run_tests};
use crate::{check, fuzz, node};

/// How long to run each fuzz target.
const FUZZED: Duration = Duration::from_secs(30);

/// A failed check.
struct Finding {
    what: String,
    /// The command that reproduces it.
    again: String,
}

/// The runs so far.
#[derive(Default)]
struct Soak {
    steps: Steps,
    findings: Vec<Finding>,
}

impl Soak {
    /// Runs tests. A failure is a finding.
    fn tests(&mut self, name: &str, again: &str, command: &mut Command) {
        self.work(name, again, || run_tests(command));
    }

    /// Does `work`. A failure is a finding.
    fn work(&mut self, name: &str, again: &str, work: impl FnOnce() -> Result<Report>) {
        if let Err(error) = self.steps.take(name, work) {
            println!("    finding: {error:#}\n    again:   {again}");
            // The full output is above.
            self.findings.push(Finding { what: error.to_string(), again: again.to_owned() });
        }
    }
}

/// Runs everything that fits into the plan's time.
///
/// # Errors
///
/// If a build fails, or there is a finding.
pub fn all(plan: &Plan) -> Result<()> {
    let mut soak = Soak::default();
    println!("seed {}: `cargo xtask soak --minutes {} --seed {0}` runs the same", plan.seed, plan.minutes);
    let outcome = each(&mut soak, plan);
    println!("\n{}", soak.steps.table());
    for Finding { what, again } in &soak.findings {
        println!("finding: {what}\n  again: {again}\n");
    }
    outcome?;
    ensure!(soak.findings.is_empty(), "{} findings", soak.findings.len());
    Ok(())
}

fn each(soak: &mut Soak, plan: &Plan) -> Result<()> {
    let end = Instant::now() + Duration::from_secs(60 * plan.minutes);
    soak.steps.take("node", node::look)?;
    soak.steps.take("C++ compiler", fuzz::compiler)?;
    soak.steps.take("build tests", || run(check::tests()?.args(["--all-targets", "--no-run"])))?;
    let mut programs = Default::default();
    soak.steps.take("build fuzz targets", || {
        programs = fuzz::build()?;
        Ok(Report::default())
    })?;
    fixed::all(soak, plan.seed)?;
    mutants::sample(soak, plan)?;
    rounds(soak, plan, &programs, end)
}

/// Runs the families in turn, each with its next seeds, at least once and until the time is over.
fn rounds(soak: &mut Soak, plan: &Plan, programs: &Path, end: Instant) -> Result<()> {
    for round in 0.. {
        for family in FAMILIES {
            if round > 0 && Instant::now() >= end {
                return Ok(());
            }
            let first = plan.seed + round * family.scenes;
            soak.tests(family.name, &family.again(first), &mut family.command(first)?);
        }
        let seed = u32::try_from((plan.seed + round) % u64::from(u32::MAX)).expect("it is below") + 1;
        let again = "see the end of the log that is named above";
        soak.work("fuzz targets", again, || fuzz::each(programs, FUZZED, seed));
    }
    Ok(())
}
