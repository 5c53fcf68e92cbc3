//! Measures a large review in full screen. The program measures itself, because from outside nobody can tell drawing from answering.

use anyhow::{Context, Result, ensure};

use crate::step::cargo;
use crate::workspace;

/// The test that measures, and what its figures begin with.
const TEST: &str = "review::tests::speed::a_large_review_in_figures";
const SAYS: &str = "review: ";

/// The figures in a sentence.
pub fn measure() -> Result<String> {
    let mut command = cargo();
    command.args([
        "test",
        "--release",
        "--package",
        "gitgate",
        "--lib",
        "--",
        "--ignored",
        "--exact",
        TEST,
        "--nocapture",
    ]);
    let output = command.current_dir(workspace()).output().context("cannot run cargo")?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the review was not measured:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    let figures = said.lines().find_map(|line| line.strip_prefix(SAYS)).context("the test printed no figures")?;
    Ok(format!("A review in full screen of 200 by 60, 20,000 lines in {figures}."))
}
