//! The lines of a file as they stand below each other: changes, what is said about them, and what was seen before.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use gate::comment::Comment;
use gate::review::{HunkLine, Severity, Side, hunk_lines};
use gate::seen::{interdiff, takes_the_same};

use super::cells;
use super::model::Model;
use super::overview::Tone;

/// A row, before it is wrapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Words of ours, or escaped ones of the push.
    Text(Tone, String),
    /// A file of the push.
    File { file: usize, text: String },
    /// What a patch says of a file before its hunks.
    Head(String),
    /// The header of a part.
    Part { unit: usize, text: String },
    /// A line of a hunk, by its place there; a quiet one is shown as unchanged.
    Line { unit: usize, line: usize, quiet: bool },
    /// Two lines of a hunk beside each other; quiet ones are shown as unchanged.
    Pair { unit: usize, old: Option<usize>, new: Option<usize>, quiet: bool },
    /// A line of the difference to what was seen.
    Since { unit: usize, sign: char, text: String },
    /// A row of a comment, or of what the agent answered to it.
    Said { comment: usize, lead: bool, agent: bool, text: String },
    /// An empty row.
    Gap,
}

impl Row {
    /// The part that it belongs to.
    pub fn unit(&self) -> Option<usize> {
        match self {
            Row::Part { unit, .. } | Row::Line { unit, .. } | Row::Pair { unit, .. } | Row::Since { unit, .. } => {
                Some(*unit)
            }
            Row::Text(..) | Row::File { .. } | Row::Head(_) | Row::Said { .. } | Row::Gap => None,
        }
    }
}

/// How the rows are to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// Old and new beside each other.
    pub split: bool,
    /// Lines around each change besides those of the patch.
    pub more: usize,
    /// Lines that differ in blanks alone are shown as unchanged.
    pub blanks_off: bool,
    /// What was seen before is compared with what is there now.
    pub since: bool,
}

/// A file in rows.
#[derive(Debug, Default)]
pub struct Rows {
    pub rows: Vec<Row>,
    /// The hunks with as much around them as is wanted, in plain lines.
    pub hunks: Vec<String>,
}

impl Rows {
    /// The lines of a hunk.
    pub fn lines(&self, unit: usize) -> Vec<HunkLine<'_>> {
        self.hunks.get(unit).map(|hunk| hunk_lines(hunk)).unwrap_or_default()
    }
}

/// The rows of the overview.
pub fn of_overview(model: &Model<'_>) -> Rows {
    let text = |(tone, text): &(Tone, String)| Row::Text(*tone, text.clone());
    let mut rows: Vec<Row> = model.overview.rows.iter().map(text).collect();
    let scope = model.whole();
    rows.push(Row::Gap);
    rows.push(Row::Text(Tone::Title, "Files".to_owned()));
    rows.extend(scope.files.iter().enumerate().map(|(file, one)| Row::File { file, text: one.line() }));
    rows.push(Row::Gap);
    rows.extend(model.overview.log.iter().map(text));
    let said: Vec<usize> = scope.comments_elsewhere(&model.comments).collect();
    if !said.is_empty() {
        rows.push(Row::Gap);
        rows.push(Row::Text(Tone::Title, "Comments on the push".to_owned()));
        said.into_iter().for_each(|at| comment(&model.comments[at], at, true, &mut rows));
    }
    if !scope.gone.is_empty() {
        rows.push(Row::Gap);
        let what = match scope.gone.len() {
            1 => "1 change that was seen is no part of the push any more".to_owned(),
            many => format!("{many} changes that were seen are no part of the push any more"),
        };
        rows.push(Row::Text(Tone::Title, what));
        for mark in &scope.gone {
            rows.push(Row::Text(Tone::Faint, format!("  {}", host::screen::line(&mark.path))));
            rows.extend(mark.text.lines().take(GONE).map(|line| Row::Text(Tone::Faint, format!("    {line}"))));
        }
    }
    Rows { rows, hunks: Vec::new() }
}

/// Lines that are shown of a change that is gone.
const GONE: usize = 40;

/// The rows of a file. The parts that `folds` says are shown by their header alone.
pub fn of_file(model: &Model<'_>, file: usize, how: &How, folds: impl Fn(usize) -> bool) -> Rows {
    let scope = model.scope();
    let shown = &scope.files[file];
    let mut rows: Vec<Row> = Vec::new();
    for (severity, sentence) in shown.warnings.iter().filter(|(severity, _)| *severity > Severity::Low) {
        rows.push(Row::Text(Tone::Warning(*severity), format!("{}: {sentence}", severity.name())));
    }
    if shown.hunks.is_empty() {
        // What has no hunks is one part, and all of its patch is what there is to see.
        rows.push(Row::Part { unit: 0, text: shown.line() });
        if !folds(0) {
            since(model, file, 0, how, &mut rows);
            rows.extend(shown.head.lines().map(|line| Row::Head(line.to_owned())));
        }
        file_comments(model, file, &mut rows);
        return Rows { rows, hunks: Vec::new() };
    }
    rows.extend(facts(&shown.head));
    file_comments(model, file, &mut rows);
    let wider = |unit: usize| shown.listed.as_ref().filter(|_| how.more > 0)?.widened(unit, how.more);
    let hunk = |(unit, hunk): (usize, &Cow<'_, str>)| plain_hunk(&wider(unit).unwrap_or_else(|| hunk.to_string()));
    let hunks: Vec<String> = shown.hunks.iter().enumerate().map(hunk).collect();
    for (unit, hunk) in hunks.iter().enumerate() {
        rows.push(Row::Gap);
        rows.push(Row::Part { unit, text: hunk.lines().next().unwrap_or_default().to_owned() });
        if folds(unit) {
            continue;
        }
        since(model, file, unit, how, &mut rows);
        let lines = hunk_lines(hunk);
        // What is new or gone has nothing beside it.
        let order = if how.split && !matches!(shown.letter, 'A' | 'D') {
            beside(unit, &lines, how.blanks_off)
        } else {
            below(unit, &lines, how.blanks_off)
        };
        for row in order {
            let shown: BTreeSet<usize> = match &row {
                Row::Pair { old, new, .. } => [*old, *new].into_iter().flatten().collect(),
                Row::Line { line, .. } => [*line].into(),
                _ => BTreeSet::new(),
            };
            rows.push(row);
            for line in shown.into_iter().map(|at| lines[at]) {
                for (side, number) in [(Side::Old, line.old), (Side::New, line.new)] {
                    let Some(number) = number else { continue };
                    for at in scope.comments_at(file, side, number) {
                        comment(&model.comments[at], at, false, &mut rows);
                    }
                }
            }
        }
    }
    Rows { rows, hunks }
}

/// A hunk whose lines are as cells show them.
fn plain_hunk(hunk: &str) -> String {
    if !hunk.contains('\t') && hunk.is_ascii() {
        return hunk.to_owned();
    }
    let line = |line: &str| match line.split_at_checked(1) {
        Some((sign @ (" " | "+" | "-"), text)) => format!("{sign}{}\n", cells::plain(text)),
        // What stands in its header comes from the file as well.
        _ => format!("{}\n", cells::plain(line)),
    };
    hunk.lines().map(line).collect()
}

/// What a patch says of a file that its name and hunks do not.
fn facts(head: &str) -> impl Iterator<Item = Row> + '_ {
    const KNOWN: [&str; 8] = [
        "diff --git ",
        "index ",
        "--- ",
        "+++ ",
        "similarity ",
        "rename ",
        "new file mode 100644",
        "deleted file mode 100644",
    ];
    let says = |line: &&str| !KNOWN.iter().any(|known| line.starts_with(known));
    head.lines().filter(says).map(|line| Row::Head(line.to_owned()))
}

/// The lines of a hunk below each other.
fn below(unit: usize, lines: &[HunkLine<'_>], blanks_off: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let (old, new) = block(lines, at);
        let end = new.end.max(old.end).max(at + 1);
        // Where only blanks differ, the lines are shown as they will be.
        let quiet = blanks_off && !old.is_empty() && are_alike(lines, &old, &new);
        let shown = if quiet { new } else { at..end };
        rows.extend(shown.map(|line| Row::Line { unit, line, quiet }));
        at = end;
    }
    rows
}

/// The lines of a hunk beside each other: each removed one with the added one in its place.
fn beside(unit: usize, lines: &[HunkLine<'_>], blanks_off: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let (old, new) = block(lines, at);
        if old.is_empty() && new.is_empty() {
            rows.push(Row::Pair { unit, old: Some(at), new: Some(at), quiet: false });
            at += 1;
            continue;
        }
        let quiet = blanks_off && !old.is_empty() && are_alike(lines, &old, &new);
        for row in 0..old.len().max(new.len()) {
            let pick = |side: &Range<usize>| side.clone().nth(row);
            rows.push(Row::Pair { unit, old: pick(&old), new: pick(&new), quiet });
        }
        at = new.end.max(old.end);
    }
    rows
}

/// The removed lines at `at`, and the added ones behind them.
fn block(lines: &[HunkLine<'_>], at: usize) -> (Range<usize>, Range<usize>) {
    let end = |from: usize, sign: char| from + lines[from..].iter().take_while(|line| line.sign == sign).count();
    let middle = end(at, '-');
    // That the file ends without a newline is said of the line before.
    let start =
        if lines.get(middle).is_some_and(|line| line.sign == '\\') && middle > at { middle + 1 } else { middle };
    let last = end(start, '+');
    if last > start { (at..middle, start..last) } else { (at..middle, middle..middle) }
}

/// Whether each removed line differs from the added one in its place in blanks alone.
fn are_alike(lines: &[HunkLine<'_>], old: &Range<usize>, new: &Range<usize>) -> bool {
    let bare = |line: &HunkLine<'_>| line.text.chars().filter(|char| !char.is_whitespace()).collect::<String>();
    old.len() == new.len()
        && lines[old.clone()].iter().zip(&lines[new.clone()]).all(|(old, new)| bare(old) == bare(new))
}

/// The difference to what was seen of a part.
fn since(model: &Model<'_>, file: usize, unit: usize, how: &How, rows: &mut Vec<Row>) {
    let scope = model.scope();
    let Some(before) = scope.looked[file].get(unit).and_then(|looked| looked.before.as_ref()).filter(|_| how.since)
    else {
        return;
    };
    let patch = interdiff(&before.text, scope.files[file].unit(unit));
    let said = match (patch.is_empty(), takes_the_same(&before.text, scope.files[file].unit(unit))) {
        (true, true) => {
            "its lines are the same: its place, what is around it, or the end or mode of the file has changed"
        }
        (true, false) => "only what it takes away has changed since it was seen",
        (false, true) => "since it was seen:",
        (false, false) => "since it was seen (what it takes away has changed, too):",
    };
    let row = |sign: char, text: &str| Row::Since { unit, sign, text: text.to_owned() };
    rows.push(row('@', &format!("{said} (i hides this)")));
    rows.extend(patch.lines().map(|line| row(line.chars().next().unwrap_or(' '), line.get(1..).unwrap_or_default())));
    for at in scope.answered(file, unit, &model.comments) {
        comment(&model.comments[at], at, false, rows);
    }
    rows.push(row('@', "all of it:"));
}

fn file_comments(model: &Model<'_>, file: usize, rows: &mut Vec<Row>) {
    let scope = model.scope();
    let parts = 0..scope.files[file].units();
    let answered: BTreeSet<usize> = parts.flat_map(|part| scope.answered(file, part, &model.comments)).collect();
    for at in scope.comments_on(file, &model.comments).filter(|at| !answered.contains(at)) {
        comment(&model.comments[at], at, true, rows);
    }
}

/// A comment, with the lines that it is about if they are not shown above it.
fn comment(comment: &Comment, at: usize, with_lines: bool, rows: &mut Vec<Row>) {
    let said = |lead: bool, agent: bool, text: String| Row::Said { comment: at, lead, agent, text };
    let row = |lead: bool, text: String| said(lead, false, text);
    let state = match &comment.settled {
        Some(settled) => format!("settled by {}", host::screen::line(&settled.by)),
        None if comment.sent => "sent".to_owned(),
        None => "not sent yet".to_owned(),
    };
    let by = host::screen::line(&comment.by);
    rows.push(row(true, format!("{} by {by}, {state}", comment.weight.name())));
    if let (true, gate::comment::Place::Lines { lines, .. }) = (with_lines, &comment.place) {
        rows.push(row(false, format!("on {}, which the push does not show:", comment.place.line())));
        rows.extend(lines.iter().take(GONE).map(|line| row(false, format!("  | {line}"))));
    }
    if comment.settled.is_some() {
        let first = comment.text.lines().next().unwrap_or_default();
        rows.push(row(false, host::screen::line(first)));
        return;
    }
    rows.extend(host::screen::block(&comment.text).lines().map(|line| row(false, line.to_owned())));
    for reply in &comment.replies {
        rows.push(said(true, reply.agent, format!("{} answered", host::screen::line(&reply.by))));
        let lines = host::screen::block(&reply.text);
        rows.extend(lines.lines().map(|line| said(false, reply.agent, line.to_owned())));
    }
}
