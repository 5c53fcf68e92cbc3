//! `cargo xtask soak`: what runs long, and what only has to hold of what is shipped.
//!
//! | file | what it does |
//! |---|---|
//! | `plan` | how long and from which seed |
//! | `family` | the random tests, and how many seeds of each make a run |
//! | `fixed` | what runs once: the shipped component, kills, much at once |
//! | `mutants` | a sample of mutations that the tests have to notice |
//!
//! A finding does not end the run: all are told at the end, each with the command that runs it again.

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

/// How long a run of the fuzz targets lasts, each of them.
const FUZZED: Duration = Duration::from_secs(30);

/// What did not hold.
struct Finding {
    what: String,
    /// The command that shows it again.
    again: String,
}

/// The runs so far.
#[derive(Default)]
struct Soak {
    steps: Steps,
    findings: Vec<Finding>,
}

impl Soak {
    /// Runs tests, of which one that fails is a finding.
    fn tests(&mut self, name: &str, again: &str, command: &mut Command) {
        self.work(name, again, || run_tests(command));
    }

    /// Does `work`, whose failure is a finding.
    fn work(&mut self, name: &str, again: &str, work: impl FnOnce() -> Result<Report>) {
        if let Err(error) = self.steps.take(name, work) {
            println!("    finding: {error:#}\n    again:   {again}");
            // The whole of it stands above.
            self.findings.push(Finding { what: error.to_string(), again: again.to_owned() });
        }
    }
}

/// Runs everything that `plan` has time for.
///
/// # Errors
///
/// If something cannot be built, or there is a finding.
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

/// Runs the families in turn, each with its next seeds, once and until the time is over.
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
