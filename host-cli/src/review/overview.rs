//! Where a push goes, its commits and its warnings, before its files.

use gate::review::{Flag, Review, Severity, quoted};

/// What a row of the overview is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Title,
    Plain,
    Faint,
    Warning(Severity),
}

/// What is said of a push, or of a diff, as a whole.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// A few words for the bar above.
    pub title: String,
    /// The rows before the files: where it goes, and the warnings.
    pub rows: Vec<(Tone, String)>,
    /// The rows behind them: the commits.
    pub log: Vec<(Tone, String)>,
    /// The gravest warnings and their number in words; empty without any.
    pub warnings: String,
    /// The high warnings, which are said again before something is approved.
    pub high: Vec<String>,
    /// The protected branch that the push moves.
    pub protected: Option<String>,
    /// The rule that the person may save, and where.
    pub offer: Option<(String, String)>,
    /// The message of the last commit, if it can be edited.
    pub message: Option<String>,
    /// The commits one by one: id, and a line for each. Empty if there is only one.
    pub commits: Vec<(String, String)>,
}

impl Overview {
    /// That of a push.
    pub fn of(review: &Review, sandbox: Option<&str>, offer: Option<(String, String)>) -> Self {
        let branch = quoted(&gate::review::one_row(review.reference.branch(), 200));
        let mut rows = Vec::new();
        let mut row = |tone, text: String| rows.push((tone, text));
        if let Some(sandbox) = sandbox {
            row(Tone::Plain, format!("Sandbox: {sandbox}"));
        }
        let made = if review.new_branch { ", new branch" } else { "" };
        row(Tone::Plain, format!("Target:  {}", host::screen::line(&review.target.to_string())));
        row(Tone::Plain, format!("Branch:  {branch}{made}"));
        row(Tone::Plain, format!("Files:   {}", review.total()));
        if !review.flags.is_empty() {
            row(Tone::Plain, String::new());
            row(Tone::Title, format!("Warnings: {}", review.counts()));
            for flag in &review.flags {
                row(Tone::Warning(flag.severity()), format!("  {:<6}  {}", flag.severity().name(), flag.sentence()));
            }
        }
        let mut log = Vec::new();
        let mut row = |tone, text: String| log.push((tone, text));
        row(
            Tone::Title,
            match review.commits.len() {
                0 => "No commit leaves that the target has not".to_owned(),
                1 => "Commit".to_owned(),
                many => format!("{many} commits, oldest first"),
            },
        );
        for line in review.log().lines() {
            let tone = if line.starts_with("commit ") { Tone::Title } else { Tone::Plain };
            row(tone, line.to_owned());
        }
        let is_protected = |flag: &Flag| matches!(flag, Flag::ProtectedBranch { .. });
        // A branch that is made has nobody's work on it, and neither has a bundle's.
        let protected = review.flags.iter().any(is_protected) && !review.new_branch;
        let high = review.flags.iter().filter(|flag| flag.severity() == Severity::High).map(Flag::sentence);
        let line = |commit: &gate::review::CommitLine| {
            (commit.id.to_string(), format!("{} {}", commit.short_id(), host::screen::line(&commit.subject)))
        };
        Overview {
            title: format!("push to {branch}{made}"),
            rows,
            log,
            warnings: if review.flags.is_empty() { String::new() } else { review.counts() },
            high: high.collect(),
            protected: protected.then(|| review.reference.branch().to_owned()),
            offer,
            message: review.commits.last().map(|commit| commit.message.clone()),
            commits: if review.steps.is_empty() { Vec::new() } else { review.commits.iter().map(line).collect() },
        }
    }

    /// How many warnings there are of each severity that counts: `2 high`.
    pub fn graves(&self) -> Vec<String> {
        let graves = self.warnings.split(", ").filter(|count| !count.starts_with("0 ") && !count.ends_with(" low"));
        graves.filter(|count| !count.is_empty()).map(str::to_owned).collect()
    }

    /// That of a diff, which nobody decides about.
    pub fn of_diff(title: String) -> Self {
        Overview { title, ..Overview::default() }
    }
}
