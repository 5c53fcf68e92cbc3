//! The question that a person answers: what leaves, where to, and what is risky about it.
//!
//! However much there is, it fits on the screen as far as it can, and what matters most stands last,
//! next to the keys: the severe warnings in full, and the number of all.

use super::{
    FileChange, Flag, Review, Severity, Status,
    frame::{Frame, Screen, Tone, collapsed},
    screens,
};
use crate::text;

/// The keys that every question has.
const KEYS: &str = "[d]iff  [a]pprove  [r]eject  [?]help";
/// Rows of a prompt below its frame: two rows of more keys, and the one that is typed on.
const BELOW: usize = 3;
/// Rows of the frame that neither a commit, a file nor a warning stands on.
const FIXED: usize = 11;
/// Rows of a severe warning that is longer than a screen should have to hold.
const ROWS: usize = 4;

/// How many warnings of one kind are listed, by severity.
struct Alike {
    high: usize,
    medium: usize,
    low: usize,
}

/// What is tried in turn, and the rows for commits and files that it has to leave.
const ALIKE: [(Alike, usize); 4] = [
    (Alike { high: usize::MAX, medium: 3, low: 1 }, 6),
    (Alike { high: usize::MAX, medium: 1, low: 1 }, 2),
    (Alike { high: 3, medium: 1, low: 1 }, 2),
    (Alike { high: 1, medium: 1, low: 1 }, 2),
];
/// Where even that is too much, the others are only counted.
const SHORTEST: Alike = Alike { high: 1, medium: 0, low: 0 };

impl Review {
    /// The approval prompt in its frame: target, commits, files, warnings, keys.
    pub fn prompt_box(&self, screen: &Screen) -> String {
        let room = |alike: &Alike| {
            let mut warnings = Frame::new(*screen);
            self.warn(&mut warnings, alike);
            screen.rows.saturating_sub(FIXED + BELOW + warnings.len())
        };
        let alike = ALIKE.iter().find(|(alike, least)| room(alike) >= *least).map_or(&SHORTEST, |(alike, _)| alike);
        let room = room(alike);
        let (commits, files) = share(room, self.commits.len(), self.files.len());

        let mut frame = Frame::new(*screen);
        frame.row(Tone::Title, "git_push");
        frame.row(Tone::Plain, "");
        self.head(&mut frame, commits);
        frame.row(Tone::Plain, "");
        self.list_files(&mut frame, files);
        frame.row(Tone::Plain, "");
        self.warn(&mut frame, alike);
        frame.row(Tone::Plain, "");
        frame.row(Tone::Title, KEYS);
        frame.draw()
    }

    fn head(&self, frame: &mut Frame, most: usize) {
        let made = if self.new_branch { ", new branch" } else { "" };
        let branch = text::path(self.reference.branch().as_bytes());
        let target = text::name(self.target.to_string().as_bytes());
        frame.whole(Tone::Plain, "Target: ", &format!("{target} (branch: {branch}{made})"));
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
                frame.row(Tone::Plain, format!("Commits ({}):", many.len()));
                let omitted = many.len().saturating_sub(most);
                if omitted < many.len() {
                    left_out(frame, omitted);
                }
                // The latest are the ones that a person has just asked for.
                for commit in &many[omitted..] {
                    row(frame, format!("  {}", commit.short_id()), &commit.subject);
                }
            }
        }
    }

    fn list_files(&self, frame: &mut Frame, most: usize) {
        let listed = if self.files.len() > most { &self.files[..most] } else { &self.files };
        let count = |status: Status| self.files.iter().filter(|file| file.status == status).count();
        if listed.len() == self.files.len() {
            frame.row(Tone::Plain, "Files:");
        } else {
            let (added, deleted) = (count(Status::Added), count(Status::Deleted));
            let changed = self.files.len() - added - deleted;
            let counts = format!("{}: {added} added, {changed} changed, {deleted} deleted", self.files.len());
            frame.one(Tone::Plain, "Files (", &counts, "):");
        }
        for file in listed {
            let (tone, sign) = match file.status {
                Status::Added => (Tone::Added, '+'),
                Status::Deleted => (Tone::Deleted, '-'),
                Status::Modified => (Tone::Plain, 'M'),
                Status::TypeChanged => (Tone::Plain, 'T'),
            };
            frame.one(tone, &format!("  {sign} "), &file.shown_path(), &tail(file));
        }
        if !listed.is_empty() {
            left_out(frame, self.files.len() - listed.len());
        }
    }

    /// The warnings, the most severe last, then their number.
    fn warn(&self, frame: &mut Frame, alike: &Alike) {
        if self.flags.is_empty() {
            frame.row(Tone::Plain, "Warnings: none");
            return;
        }
        frame.row(Tone::Plain, "Warnings:");
        for severity in [Severity::Low, Severity::Medium, Severity::High] {
            self.warn_of(frame, severity, alike);
        }
        let gravest = tone(self.severity());
        frame.row(gravest, self.counts());
    }

    fn warn_of(&self, frame: &mut Frame, severity: Severity, alike: &Alike) {
        let (tone, lead) = (tone(severity), format!("  {} {:<6}  ", severity.sign(), severity.name()));
        for equal in self.kinds(severity) {
            let most = match severity {
                Severity::High => alike.high,
                Severity::Medium => alike.medium,
                Severity::Low => alike.low,
            };
            let listed = equal.len().min(most);
            let more = equal.len() - listed;
            for (at, flag) in equal[..listed].iter().enumerate() {
                let tail = if more > 0 && at + 1 == listed { format!(" (and {more} more)") } else { String::new() };
                match severity {
                    Severity::High => frame.at_most(ROWS, tone, &lead, &flag.sentence()),
                    _ => frame.one(tone, &lead, &flag.sentence(), &tail),
                }
            }
            if severity == Severity::High && more > 0 {
                frame.row(tone, format!("  … and {more} more of this kind: w"));
            }
        }
    }

    /// The warnings of a severity by kind. Those of which there are most come first, so that none
    /// drives a rare one away from the keys.
    fn kinds(&self, severity: Severity) -> Vec<Vec<&Flag>> {
        let mut kinds: Vec<Vec<&Flag>> = Vec::new();
        for flag in self.flags.iter().filter(|flag| flag.severity() == severity) {
            match kinds.iter_mut().find(|equal| equal[0].kind() == flag.kind()) {
                Some(equal) => equal.push(flag),
                None => kinds.push(vec![flag]),
            }
        }
        kinds.sort_by_key(|equal| std::cmp::Reverse(equal.len()));
        kinds
    }

    /// `2 high, 1 medium, 12 low`
    pub fn counts(&self) -> String {
        let count = |severity| self.flags.iter().filter(|flag| flag.severity() == severity).count();
        let [high, medium, low] = [Severity::High, Severity::Medium, Severity::Low].map(count);
        format!("{high} high, {medium} medium, {low} low")
    }
}

/// How many commits and files are listed in `room` rows. A list that is cut has a row that says so;
/// where there is no room at all, its heading alone has the number.
fn share(room: usize, commits: usize, files: usize) -> (usize, usize) {
    let cut = |count: usize, room: usize| if count <= room { count } else { room.saturating_sub(1) };
    // A single commit stands on the row of its heading.
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

fn tail(file: &FileChange) -> String {
    if file.status == Status::Deleted { String::new() } else { format!(" ({})", screens::size(file)) }
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Low => Tone::Low,
        Severity::Medium => Tone::Medium,
        Severity::High => Tone::High,
    }
}
