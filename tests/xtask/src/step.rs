//! A step of a longer command: named, timed, and the end of everything if it fails.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// The cargo that runs this, in the workspace. What it has set for this very crate is not handed on.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    cargo.current_dir(workspace());
    for (name, _) in std::env::vars_os() {
        let ours =
            name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if ours {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// Does `work` under `name`, and says how long it took.
pub fn step(name: &str, work: impl FnOnce() -> Result<String>) -> Result<()> {
    println!("==> {name}");
    let began = Instant::now();
    let said = work().with_context(|| format!("{name} failed"))?;
    let seconds = began.elapsed().as_secs_f64();
    println!("    {name}: {}{seconds:.1} s", if said.is_empty() { said } else { said + ", " });
    Ok(())
}

/// Runs a command that succeeds.
pub fn run(command: &mut Command) -> Result<String> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(String::new())
}

/// Runs a command of tests that succeeds, printing what it prints, and says how many tests passed. None at all is a failure.
pub fn run_tests(command: &mut Command) -> Result<String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (mut passed, mut ignored) = (0, 0);
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.context("the tests print what is not UTF-8")?;
        passed += count(&line, "passed");
        ignored += count(&line, "ignored");
        println!("{line}");
    }
    let status = child.wait()?;
    ensure!(status.success(), "{command:?} ended with {status}");
    if passed == 0 {
        bail!("no test ran");
    }
    Ok(format!("{passed} tests passed, {ignored} ignored"))
}

/// The number before `what` in a line of libtest's such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`
fn count(line: &str, what: &str) -> usize {
    let Some(result) = line.strip_prefix("test result: ") else { return 0 };
    let parts = result.split([';', '.']).filter_map(|part| part.trim().split_once(' '));
    parts.filter(|(_, word)| *word == what).find_map(|(number, _)| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tests_are_counted_by_what_libtest_says_at_the_end() {
        let line = "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 7 filtered out; finished in 0.01s";
        assert_eq!((count(line, "passed"), count(line, "ignored"), count(line, "failed")), (12, 3, 0));
        assert_eq!(count("running 12 tests", "tests"), 0);
    }
}
