//! The steps of a longer command. Each has a name and is timed. The first failure ends the command. Independent steps may run side by side.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::{output, workspace};

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
pub struct Steps {
    rows: Vec<Row>,
    /// When the first of them began.
    began: Option<Instant>,
    /// Of steps that are taken beside others: where they print, and whether one of those or of these has failed.
    beside: Option<Beside>,
}

#[derive(Clone, Debug)]
struct Beside {
    is_hidden: bool,
    has_failed: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Row {
    name: String,
    time: Duration,
    /// Empty for a step that failed.
    report: Option<Report>,
}

impl Steps {
    /// Runs `work` as the step `name`. Beside others, it does not begin once one of them has failed.
    pub fn take(&mut self, name: &str, work: impl FnOnce() -> Result<Report>) -> Result<()> {
        let Some(Beside { is_hidden, has_failed }) = self.beside.clone() else { return self.timed(name, work) };
        if has_failed.load(Ordering::Relaxed) {
            bail!("{name} was not begun, because something else has failed");
        }
        let taken = if is_hidden { output::kept(name, || self.timed(name, work)) } else { self.timed(name, work) };
        taken.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
    }

    fn timed(&mut self, name: &str, work: impl FnOnce() -> Result<Report>) -> Result<()> {
        output::say(&format!("==> {name}"))?;
        let began = Instant::now();
        self.began.get_or_insert(began);
        let report = work().with_context(|| format!("{name} failed"));
        let time = began.elapsed();
        self.rows.push(Row { name: name.to_owned(), time, report: report.as_ref().ok().cloned() });
        let note = report?.note;
        let note = if note.is_empty() { note } else { note + ", " };
        output::say(&format!("    {name}: {note}{:.1} s", time.as_secs_f64()))
    }

    /// Takes `shown` and `hidden` side by side. What a hidden step prints is shown when that step has ended. Whichever fails, the steps
    /// that run then come to their end, and no other one begins.
    pub fn take_both(
        &mut self,
        shown: impl FnOnce(&mut Steps) -> Result<()>,
        hidden: impl FnOnce(&mut Steps) -> Result<()> + Send,
    ) -> Result<()> {
        self.began.get_or_insert_with(Instant::now);
        let has_failed = Arc::new(AtomicBool::new(false));
        let steps = |is_hidden| Steps {
            rows: Vec::new(),
            began: None,
            beside: Some(Beside { is_hidden, has_failed: Arc::clone(&has_failed) }),
        };
        let (mut first, mut second) = (steps(false), steps(true));
        let (shown, hidden) = thread::scope(|scope| {
            let hidden = scope.spawn(|| hidden(&mut second));
            let shown = shown(&mut first);
            (shown, hidden.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        // What was not begun only says that something else has failed.
        let is_cause = second.rows.iter().any(|row| row.report.is_none());
        let outcome = if is_cause { hidden.and(shown) } else { shown.and(hidden) };
        self.rows.extend(first.rows);
        self.rows.extend(second.rows);
        outcome
    }

    /// The steps as a table: name, seconds, tests. The total is less than the sum if steps ran side by side.
    pub fn table(&self) -> String {
        self.table_over(self.began.map(|began| began.elapsed()).unwrap_or_default())
    }

    fn table_over(&self, total: Duration) -> String {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or_default().max("total".len());
        let mut table = format!("{:width$}  {:>8}  {:>6}\n", "step", "seconds", "tests");
        for row in &self.rows {
            let tests = match &row.report {
                Some(report) => report.tests.map(|tests| tests.to_string()).unwrap_or_default(),
                None => "failed".to_owned(),
            };
            let line = format!("{:width$}  {:>8.1}  {tests:>6}", row.name, row.time.as_secs_f64());
            table.push_str(line.trim_end());
            table.push('\n');
        }
        let tests: usize = self.rows.iter().filter_map(|row| row.report.as_ref()?.tests).sum();
        table.push_str(&format!("{:width$}  {:>8.1}  {tests:>6}\n", "total", total.as_secs_f64()));
        table
    }
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Result<Report> {
    let status =
        output::of(command)?.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
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
    let mut child = output::of(command)?
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (mut passed, mut ignored) = (0, 0);
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.context("the tests print what is not UTF-8")?;
        passed += count(&line, "passed");
        ignored += count(&line, "ignored");
        output::say(&line)?;
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
    use std::sync::mpsc;
    use std::time::Duration;

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
    fn of_steps_side_by_side_the_one_that_fails_keeps_others_from_beginning() {
        for fails_hidden in [false, true] {
            let mut steps = Steps::default();
            let (begin, has_begun) = mpsc::channel();
            let (over, is_over) = mpsc::channel();
            let fail = move |steps: &mut Steps| {
                let outcome = steps.take("one", || has_begun.recv().map_err(Into::into).and_then(|()| bail!("no")));
                over.send(()).unwrap();
                outcome
            };
            let go_on = move |steps: &mut Steps| {
                steps.take("two", || {
                    begin.send(())?;
                    Ok(is_over.recv().map(|()| Report::default())?)
                })?;
                steps.take("three", || unreachable!("it does not begin"))
            };
            let outcome = if fails_hidden { steps.take_both(go_on, fail) } else { steps.take_both(fail, go_on) };
            assert_eq!(format!("{:#}", outcome.unwrap_err()), "one failed: no");
            let table = steps.table();
            assert!(table.contains("two") && !table.contains("three"), "{table}");
        }
    }

    #[test]
    fn the_table_names_every_step_and_the_one_that_failed() {
        let mut steps = Steps::default();
        steps.take("build", || Ok(Report::note("quick"))).unwrap();
        steps.take("tests", || Ok(Report { tests: Some(7), note: String::new() })).unwrap();
        let error = steps.take("more", || bail!("no")).unwrap_err();
        assert_eq!(format!("{error:#}"), "more failed: no");
        steps.rows.iter_mut().for_each(|row| row.time = Duration::from_millis(1500));
        let table = "step    seconds   tests\nbuild       1.5\ntests       1.5       7\nmore        1.5  failed\ntotal       4.5       7\n";
        assert_eq!(steps.table_over(Duration::from_millis(4500)), table);
    }
}
