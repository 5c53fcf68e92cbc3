//! The question to a person: what leaves, where to, and the risks.
//!
//! Its parts shrink to fit the screen. The most important part comes last, next to the keys: the
//! severe warnings in full, and the total number.

use super::{
    Flag, Review, Severity, Status,
    frame::{Frame, Screen, Tone, collapsed},
    renames::Row,
    screens,
    sentences::quoted,
};
use crate::{columns, text};
use patch::sort::sort_by_key;

/// The keys that every question has.
pub const KEYS: &str = "[d]iff  [a]pprove  [r]eject  [?]help";
/// Rows of a prompt below its frame: one with more keys, and the input line.
const BELOW: usize = 2;
/// Columns of those keys. A narrower screen puts them on two rows.
const KEYS_COLUMNS: usize = 70;
/// Rows of the frame besides those for the target, commits, files and warnings.
const FIXED: usize = 10;
/// The most rows of a severe warning that is too long.
const ROWS: usize = 4;
/// The most rows of a target and its branch that are too long.
const TARGET: usize = 3;

/// What a list says that has no room at all.
const UNLISTED: &str = " [d] shows them";

/// How warnings are listed.
struct Listed {
    /// The most flags of one kind listed for high, medium and low severity.
    alike: [usize; 3],
    /// Whether each high one gets a single row instead of all that it needs.
    in_rows: bool,
    /// The rows to leave for commits and files, if there are that many.
    leaves: usize,
}

/// The layouts to try in turn. The last one is always accepted.
const LISTED: [Listed; 8] = [
    Listed { alike: [usize::MAX, 3, 1], in_rows: false, leaves: 6 },
    Listed { alike: [usize::MAX, 1, 1], in_rows: false, leaves: 2 },
    Listed { alike: [usize::MAX, 1, 1], in_rows: false, leaves: 0 },
    Listed { alike: [usize::MAX, 1, 0], in_rows: false, leaves: 0 },
    Listed { alike: [3, 1, 1], in_rows: false, leaves: 0 },
    Listed { alike: [1, 1, 1], in_rows: false, leaves: 0 },
    Listed { alike: [1, 1, 1], in_rows: true, leaves: 0 },
    Listed { alike: [1, 0, 0], in_rows: true, leaves: 0 },
];
/// Rows for warnings on a screen that is too small for them.
const SMALLEST: usize = 12;

impl Review {
    /// The approval prompt in its frame: target, commits, files, warnings, keys.
    pub fn prompt_box(&self, screen: &Screen) -> String {
        let target = Frame::rows_of(*screen, |frame| self.target(frame));
        let below = BELOW + usize::from(screen.columns < KEYS_COLUMNS);
        let joined = usize::from(self.joined().is_some());
        let rows = screen.rows.saturating_sub(FIXED + below + target + joined);
        let all: Vec<Row<'_>> = self.rows().collect();
        let wanted = all.len() + if self.commits.len() > 1 { self.commits.len() } else { 0 };
        let room = |listed: &Listed| rows.checked_sub(Frame::rows_of(*screen, |frame| self.warn(frame, listed, rows)));
        let fits = |listed: &&Listed| room(listed).is_some_and(|room| room >= listed.leaves.min(wanted));
        let listed = LISTED.iter().find(fits).unwrap_or(&LISTED[LISTED.len() - 1]);
        let (commits, files) = share(room(listed).unwrap_or_default(), self.commits.len(), all.len());

        let mut frame = Frame::new(*screen);
        frame.row(Tone::Title, "git_push");
        frame.row(Tone::Plain, "");
        self.head(&mut frame, commits);
        frame.row(Tone::Plain, "");
        self.list_files(&mut frame, &all, files);
        frame.row(Tone::Plain, "");
        self.warn(&mut frame, listed, rows);
        frame.row(Tone::Plain, "");
        frame.row(Tone::Title, KEYS);
        frame.draw()
    }

    /// The commits that the branch gets besides those that leave.
    fn joined(&self) -> Option<usize> {
        self.flags.iter().find_map(|flag| match flag {
            Flag::Joins { commits } => Some(*commits),
            _ => None,
        })
    }

    fn target(&self, frame: &mut Frame) {
        let made = if self.new_branch { ", new branch" } else { "" };
        let branch = text::path(self.reference.branch().as_bytes());
        let target = text::name(self.target.to_string().as_bytes());
        frame.at_most(TARGET, Tone::Plain, "Target: ", &format!("{target} (branch: {branch}{made})"));
    }

    fn head(&self, frame: &mut Frame, most: usize) {
        self.target(frame);
        let row = |frame: &mut Frame, lead: String, subject: &str| {
            frame.one(Tone::Plain, &format!("{lead} \""), &collapsed(&text::name(subject.as_bytes())), "\"");
        };
        match self.commits.as_slice() {
            [] => {
                let why = if self.supplied > 0 { "the sandbox was created with it" } else { "already in the target" };
                frame.row(Tone::Plain, format!("Commit: {} ({why})", self.new.to_hex_with_len(7)));
            }
            [one] => row(frame, format!("Commit: {}", one.short_id()), &one.subject),
            many => {
                let unlisted = if most == 0 { UNLISTED } else { "" };
                frame.row(Tone::Plain, format!("Commits ({}):{unlisted}", many.len()));
                let omitted = many.len().saturating_sub(most);
                if omitted < many.len() {
                    left_out(frame, omitted);
                }
                // The person asked for the latest ones most recently.
                for commit in &many[omitted..] {
                    row(frame, format!("  {}", commit.short_id()), &commit.subject);
                }
            }
        }
        if let Some(joined) = self.joined() {
            let what = if joined == 1 { "1 commit".to_owned() } else { format!("{joined} commits") };
            frame.row(Tone::Plain, format!("  and {what} that the target has on other branches"));
        }
    }

    fn list_files(&self, frame: &mut Frame, all: &[Row<'_>], most: usize) {
        let listed = &all[..all.len().min(most)];
        let lines = self.lines();
        if all.is_empty() {
            frame.row(Tone::Plain, "Files: none");
        } else if listed.len() == all.len() {
            frame.row(Tone::Plain, format!("Files ({}, {lines}):", all.len()));
        } else {
            let end = if listed.is_empty() { &format!("):{UNLISTED}") } else { "):" };
            frame.one(Tone::Plain, "Files (", &format!("{}, {lines}: {}", all.len(), kinds_of(all)), end);
        }
        for row in listed {
            list(frame, row);
        }
        if !listed.is_empty() {
            left_out(frame, all.len() - listed.len());
        }
    }

    /// The warnings, the most severe last, then their number. They take at most `most` rows.
    fn warn(&self, frame: &mut Frame, listed: &Listed, most: usize) {
        if self.flags.is_empty() {
            frame.row(Tone::Plain, "Warnings: none");
            return;
        }
        let first = frame.len();
        frame.row(Tone::Plain, "Warnings:");
        for (severity, alike) in [(Severity::Low, listed.alike[2]), (Severity::Medium, listed.alike[1])] {
            for kind in self.kinds(severity).iter().filter(|_| alike > 0) {
                in_rows(frame, severity, kind, alike);
            }
        }
        let mut high = self.kinds(Severity::High);
        // If there are too many kinds, the least severe are only counted.
        let dropped = if listed.in_rows {
            high.len().saturating_sub(most.max(SMALLEST).saturating_sub(frame.len() - first + 2))
        } else {
            0
        };
        if dropped > 0 {
            let count: usize = high.drain(..dropped).map(|kind| kind.len()).sum();
            frame.row(Tone::High, format!("  … and {count} more: w"));
        }
        for kind in &high {
            match listed.in_rows {
                true => in_rows(frame, Severity::High, kind, listed.alike[0]),
                false => in_full(frame, kind, listed.alike[0]),
            }
        }
        frame.row(tone(self.severity()), self.counts());
    }

    /// The warnings of a severity by kind, the worst last, next to the keys.
    fn kinds(&self, severity: Severity) -> Vec<Vec<&Flag>> {
        let mut kinds: Vec<Vec<&Flag>> = Vec::new();
        for flag in self.flags.iter().filter(|flag| flag.severity() == severity) {
            match kinds.iter_mut().find(|equal| equal[0].kind() == flag.kind()) {
                Some(equal) => equal.push(flag),
                None => kinds.push(vec![flag]),
            }
        }
        sort_by_key(&mut kinds, |kind| kind[0].rank());
        kinds
    }

    /// `2 high, 1 medium, 12 low`
    pub fn counts(&self) -> String {
        let count = |severity| self.flags.iter().filter(|flag| flag.severity() == severity).count();
        let [high, medium, low] = [Severity::High, Severity::Medium, Severity::Low].map(count);
        format!("{high} high, {medium} medium, {low} low")
    }
}

fn lead(severity: Severity) -> String {
    format!("  {} {:<6}  ", severity.sign(), severity.name())
}

/// The first warnings of a kind, one per row. The last row counts the others.
fn in_rows(frame: &mut Frame, severity: Severity, kind: &[&Flag], alike: usize) {
    let listed = kind.len().min(alike);
    for (at, flag) in kind[..listed].iter().enumerate() {
        let more = kind.len() - listed;
        let tail = if more > 0 && at + 1 == listed { format!(" (and {more} more)") } else { String::new() };
        frame.one(tone(severity), &lead(severity), &flag.in_row(frame.room() / 3), &tail);
    }
}

/// The first warnings of a high kind, in full, and a row for the others.
fn in_full(frame: &mut Frame, kind: &[&Flag], alike: usize) {
    let (tone, lead) = (tone(Severity::High), lead(Severity::High));
    let listed = kind.len().min(alike);
    // A name longer than two rows leaves room for the reason.
    let columns = 2 * frame.room().saturating_sub(lead.len());
    kind[..listed].iter().for_each(|flag| frame.at_most(ROWS, tone, &lead, &flag.in_row(columns)));
    if kind.len() > listed {
        frame.row(tone, format!("  … and {} more of this kind: w", kind.len() - listed));
    }
}

/// How many commits and files to list in `room` rows. A cut list has a row that says so. Without
/// any room, only its heading has the number.
fn share(room: usize, commits: usize, files: usize) -> (usize, usize) {
    let cut = |count: usize, room: usize| if count <= room { count } else { room.saturating_sub(1) };
    // The row of the heading holds a single commit.
    if commits < 2 {
        return (commits, cut(files, room));
    }
    let listed = cut(commits, room.saturating_sub(files).max(room / 3));
    let taken = listed + usize::from(listed < commits);
    (listed, cut(files, room.saturating_sub(taken)))
}

fn left_out(frame: &mut Frame, omitted: usize) {
    if omitted > 0 {
        frame.row(Tone::Plain, format!("  … and {omitted} more, which d shows"));
    }
}

/// `12 added, 3 changed, 0 deleted`, and the renamed ones if there are any.
fn kinds_of(rows: &[Row<'_>]) -> String {
    let count = |is_meant: fn(&Row<'_>) -> bool| rows.iter().filter(|row| is_meant(row)).count();
    let added = count(|row| matches!(row, Row::File(file) if file.status == Status::Added));
    let deleted = count(|row| matches!(row, Row::File(file) if file.status == Status::Deleted));
    let renamed = count(|row| matches!(row, Row::Renamed { .. }));
    let changed = rows.len() - added - deleted - renamed;
    let renamed = if renamed > 0 { format!(", {renamed} renamed") } else { String::new() };
    format!("{added} added, {changed} changed, {deleted} deleted{renamed}")
}

/// A file on a row, with names that leave room for what happened to it.
fn list(frame: &mut Frame, row: &Row<'_>) {
    let tail = format!(" ({})", screens::said(row));
    let columns = frame.room().saturating_sub(4 + tail.len());
    match row {
        Row::File(file) => {
            let (tone, sign) = match file.status {
                Status::Added => (Tone::Added, '+'),
                Status::Deleted => (Tone::Deleted, '-'),
                Status::Modified => (Tone::Plain, 'M'),
                Status::TypeChanged => (Tone::Plain, 'T'),
            };
            frame.one(tone, &format!("  {sign} "), &columns::middle(&file.shown_path(), columns), &tail);
        }
        Row::Renamed { from, to, .. } => {
            const ARROW: &str = " -> ";
            let columns = columns.saturating_sub(ARROW.len());
            let [from, to] = [from, to].map(|file| quoted(&file.shown_path()));
            let [from_columns, to_columns] = [&from, &to].map(|name| name.chars().map(columns::widest).sum::<usize>());
            // A short name leaves its room to a long one.
            let half = columns / 2;
            let first = if to_columns < half { columns - to_columns } else { columns.saturating_sub(half) };
            let second = if from_columns < half { columns - from_columns } else { half };
            let names = [columns::middle(&from, first), columns::middle(&to, second)].join(ARROW);
            frame.one(Tone::Plain, "  R ", &names, &tail);
        }
    }
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Low => Tone::Low,
        Severity::Medium => Tone::Medium,
        Severity::High => Tone::High,
    }
}
