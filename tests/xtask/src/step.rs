//! The steps of a longer command. Each has a name and is timed. The first failure ends the command.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// The cargo that runs this program, in the workspace. Removes the variables that cargo sets for this crate.
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

/// The report of a step.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many tests passed, if the step ran tests.
    pub tests: Option<usize>,
    /// Anything else worth mentioning.
    pub note: String,
}

impl Report {
    /// A report with only a note.
    pub fn note(note: impl Into<String>) -> Report {
        Report { tests: None, note: note.into() }
    }
}

/// The steps taken so far.
#[derive(Debug, Default)]
pub struct Steps(Vec<Row>);

#[derive(Debug)]
struct Row {
    name: String,
    time: Duration,
    /// Empty for a step that failed.
    report: Option<Report>,
}

impl Steps {
    /// Runs `work` as the step `name`.
    pub fn take(&mut self, name: &str, work: impl FnOnce() -> Result<Report>) -> Result<()> {
        println!("==> {name}");
        let began = Instant::now();
        let report = work().with_context(|| format!("{name} failed"));
        let time = began.elapsed();
        self.0.push(Row { name: name.to_owned(), time, report: report.as_ref().ok().cloned() });
        let note = report?.note;
        let note = if note.is_empty() { note } else { note + ", " };
        println!("    {name}: {note}{:.1} s", time.as_secs_f64());
        Ok(())
    }

    /// The steps as a table: name, seconds, tests.
    pub fn table(&self) -> String {
        let width = self.0.iter().map(|row| row.name.len()).max().unwrap_or_default().max("total".len());
        let mut table = format!("{:width$}  {:>8}  {:>6}\n", "step", "seconds", "tests");
        for row in &self.0 {
            let tests = match &row.report {
                Some(report) => report.tests.map(|tests| tests.to_string()).unwrap_or_default(),
                None => "failed".to_owned(),
            };
            let line = format!("{:width$}  {:>8.1}  {tests:>6}", row.name, row.time.as_secs_f64());
            table.push_str(line.trim_end());
            table.push('\n');
        }
        let time: Duration = self.0.iter().map(|row| row.time).sum();
        let tests: usize = self.0.iter().filter_map(|row| row.report.as_ref()?.tests).sum();
        table.push_str(&format!("{:width$}  {:>8.1}  {tests:>6}\n", "total", time.as_secs_f64()));
        table
    }
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Result<Report> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(Report::default())
}

/// Runs tests that must succeed, prints their output, and counts the passed ones. Running no tests counts as a failure.
pub fn run_tests(command: &mut Command) -> Result<Report> {
    count_tests(command, count)
}

/// The same for tests in node.
pub fn run_tests_of_node(command: &mut Command) -> Result<Report> {
    count_tests(command, count_of_node)
}

/// The same for tests with Python's `unittest`.
pub fn run_tests_of_python(command: &mut Command) -> Result<Report> {
    count_tests(command, count_of_python)
}

fn count_tests(command: &mut Command, count: fn(&str, &str) -> usize) -> Result<Report> {
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
    Ok(Report { tests: Some(passed), note: format!("{passed} tests passed, {ignored} ignored") })
}

/// The number before `word` in a line of libtest such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`
fn count(line: &str, word: &str) -> usize {
    let Some(result) = line.strip_prefix("test result: ") else { return 0 };
    let parts = result.split([';', '.']).filter_map(|part| part.trim().split_once(' '));
    parts.filter(|(_, name)| *name == word).find_map(|(number, _)| number.parse().ok()).unwrap_or(0)
}

/// The number in a line of node's reporter such as `# pass 12` or `ℹ pass 12`. node calls ignored tests `skipped`.
fn count_of_node(line: &str, word: &str) -> usize {
    let word = if word == "passed" { "pass" } else { "skipped" };
    let counted = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "));
    counted.and_then(|line| line.strip_prefix(word)?.trim().parse().ok()).unwrap_or(0)
}

/// The number in a line of `unittest` such as `Ran 12 tests in 3.4s`, or of skipped tests in `OK (skipped=1)`.
fn count_of_python(line: &str, word: &str) -> usize {
    let counted = match word {
        "passed" => line.strip_prefix("Ran ").and_then(|line| line.split(' ').next()),
        _ => line.strip_prefix("OK (skipped=").and_then(|line| line.strip_suffix(')')),
    };
    counted.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::{Report, Steps, count, count_of_node, count_of_python};

    #[test]
    fn python_counts_tests_in_its_last_lines() {
        assert_eq!(count_of_python("Ran 12 tests in 3.4s", "passed"), 12);
        assert_eq!((count_of_python("OK (skipped=2)", "ignored"), count_of_python("OK", "ignored")), (2, 0));
        assert_eq!(count_of_python("test_x (test_job.MainJob) ... ok", "passed"), 0);
    }

    #[test]
    fn node_counts_tests_in_a_line_each() {
        assert_eq!((count_of_node("# pass 12", "passed"), count_of_node("ℹ pass 7", "passed")), (12, 7));
        assert_eq!((count_of_node("# skipped 3", "ignored"), count_of_node("# fail 1", "passed")), (3, 0));
        assert_eq!(count_of_node("# passing by 5", "passed"), 0);
    }

    #[test]
    fn libtest_counts_tests_in_its_last_line() {
        let line = "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 7 filtered out; finished in 0.01s";
        assert_eq!((count(line, "passed"), count(line, "ignored"), count(line, "failed")), (12, 3, 0));
        assert_eq!(count("running 12 tests", "tests"), 0);
    }

    #[test]
    fn the_table_names_every_step_and_the_one_that_failed() {
        let mut steps = Steps::default();
        steps.take("build", || Ok(Report::note("quick"))).unwrap();
        steps.take("tests", || Ok(Report { tests: Some(7), note: String::new() })).unwrap();
        let error = steps.take("more", || bail!("no")).unwrap_err();
        assert_eq!(format!("{error:#}"), "more failed: no");
        let table = "step    seconds   tests\nbuild       0.0\ntests       0.0       7\nmore        0.0  failed\ntotal       0.0       7\n";
        assert_eq!(steps.table(), table);
    }
}
