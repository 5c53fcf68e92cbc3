//! Task records as commit messages: `task(BRANCH@TASK@STATUS): SUBJECT`, a body, and trailers (seed 004, "Branch-Scoped Commits" and "Git
//! Trailers").
//!
//! No branch, task name or status has a space, and no task name has an `@`. So the first `): ` of a subject ends the prefix, and the last
//! two `@` before it separate its parts. Every subject has only one reading.

use gix::bstr::BString;

use crate::error::ToolError;
use crate::git::staged::records::id::is_id;
use crate::git::staged::records::step::{Outcome, Step, of_status, status};
use crate::git::text::pretty::subject::{skip_blank_lines, subject};
use crate::git::text::pretty::trailers::{trailers, without_trailers};
use crate::git::words::message;

/// A record to write.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The branch, without `refs/heads/`.
    pub branch: &'a str,
    /// The task, for which [`is_id`] holds.
    pub task: &'a str,
    pub step: Step,
    pub outcome: Outcome,
    /// One line.
    pub subject: &'a str,
    /// Any text.
    pub body: &'a str,
    /// The number of the attempt, from 0.
    pub retry: Option<u32>,
    /// Paths of files with more details.
    pub report: Option<&'a str>,
    pub test_log: Option<&'a str>,
    pub review_log: Option<&'a str>,
}

/// The content of a record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recorded {
    /// The branch of the record.
    pub branch: Box<str>,
    /// The task.
    pub task: Box<str>,
    pub step: Step,
    pub outcome: Outcome,
    /// The subject after the prefix.
    pub subject: Box<str>,
    /// The number of the attempt.
    pub retry: Option<u32>,
    /// Paths of files with more details.
    pub report: Option<Box<str>>,
    pub test_log: Option<Box<str>>,
    pub review_log: Option<Box<str>>,
}

impl Draft<'_> {
    /// The whole message, whose trailers have keys that begin with `prefix` and a hyphen.
    ///
    /// # Errors
    ///
    /// If the subject or a path is not one line of text, or the message is invalid for a commit.
    pub fn message(&self, prefix: &str) -> Result<BString, ToolError> {
        let Self { branch, task, step, outcome, subject, body, .. } = *self;
        let subject = line("subject", subject)?;
        let mut trailers = vec![("Step", step.name().to_owned()), ("Result", outcome.name().to_owned())];
        match (step, status(step, outcome)) {
            (Step::Test, _) => trailers.push(("Test", outcome.name().to_owned())),
            (Step::Review, status) => trailers.push(("Review", status.trim_start_matches("review-").to_owned())),
            _ => {}
        }
        trailers.extend(self.retry.map(|retry| ("Retry", retry.to_string())));
        let files = [
            ("Report", "report", self.report),
            ("Test-Log", "test_log", self.test_log),
            ("Review-Log", "review_log", self.review_log),
        ];
        for (name, argument, path) in files {
            if let Some(path) = path {
                trailers.push((name, line(argument, path)?.to_owned()));
            }
        }
        let mut text = format!("task({branch}@{task}@{}): {subject}\n\n{body}\n\n", status(step, outcome));
        for (name, value) in trailers {
            text.push_str(&format!("{prefix}-{name}: {value}\n"));
        }
        let message = message::clean(&text)?;
        // git finds no trailers after a scissors line.
        match Recorded::read(&message, prefix).filter(|recorded| self.is_said_by(recorded)) {
            Some(_) => Ok(message),
            None => Err(ToolError::bad_args("git would not find the trailers of this message")
                .hint("Leave the line with scissors (>8) out of body.")),
        }
    }

    fn is_said_by(&self, recorded: &Recorded) -> bool {
        let is = |said: &Option<Box<str>>, meant: Option<&str>| said.as_deref() == meant.map(str::trim);
        (&*recorded.branch, &*recorded.task) == (self.branch, self.task)
            && (recorded.step, recorded.outcome, recorded.retry) == (self.step, self.outcome, self.retry)
            && is(&recorded.report, self.report)
            && is(&recorded.test_log, self.test_log)
            && is(&recorded.review_log, self.review_log)
    }
}

/// The maximum length of a subject or a path, in bytes.
const LONGEST_LINE: usize = 1000;

/// Checks an argument that must be one line of text.
fn line<'t>(argument: &str, text: &'t str) -> Result<&'t str, ToolError> {
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_control) || text.len() > LONGEST_LINE {
        return Err(ToolError::bad_args(format!("{argument} must be one line of text, at most {LONGEST_LINE} bytes"))
            .hint("What is longer belongs into body."));
    }
    Ok(text)
}

impl Recorded {
    /// Parses `message`. It is a record if its whole subject has the form of one, and the trailers with `prefix` have the same step and
    /// result.
    pub fn read(message: &[u8], prefix: &str) -> Option<Recorded> {
        let message = skip_blank_lines(message);
        // The first bytes rule out most commits.
        message.strip_prefix(b"task(")?;
        let subject = String::from_utf8(subject(message).0).ok()?;
        let (head, text) = subject.strip_prefix("task(")?.split_once("): ")?;
        let mut parts = head.rsplitn(3, '@');
        let (named, task, branch) = (parts.next()?, parts.next()?, parts.next()?);
        let (step, outcome) = of_status(named)?;
        if !is_id(task) || branch.is_empty() || branch.contains(' ') || text.trim().is_empty() {
            return None;
        }
        let trailers = Trailers::of(message, prefix);
        let agrees = trailers.only("Step") == Some(step.name()) && trailers.only("Result") == Some(outcome.name());
        agrees.then(|| Recorded {
            branch: branch.into(),
            task: task.into(),
            step,
            outcome,
            subject: text.into(),
            retry: trailers.only("Retry").and_then(|retry| retry.parse().ok()),
            report: trailers.only("Report").map(Into::into),
            test_log: trailers.only("Test-Log").map(Into::into),
            review_log: trailers.only("Review-Log").map(Into::into),
        })
    }

    /// The status in the subject.
    pub fn status(&self) -> &'static str {
        status(self.step, self.outcome)
    }
}

/// The body of a record, without subject and trailers.
pub fn body(message: &[u8]) -> &[u8] {
    skip_blank_lines(subject(without_trailers(skip_blank_lines(message))).1)
}

/// The trailers whose keys begin with the prefix.
struct Trailers(Vec<(String, String)>);

impl Trailers {
    fn of(message: &[u8], prefix: &str) -> Trailers {
        let own = |(key, value): (Vec<u8>, Vec<u8>)| {
            let (key, value) = (String::from_utf8(key).ok()?, String::from_utf8(value).ok()?);
            let (before, name) = key.split_at_checked(prefix.len())?;
            let name = name.strip_prefix('-').filter(|_| before.eq_ignore_ascii_case(prefix))?;
            Some((name.to_owned(), value))
        };
        Trailers(trailers(message).into_iter().filter_map(own).collect())
    }

    /// The value of a trailer that appears once. The case of its key does not matter.
    fn only(&self, name: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }
}
