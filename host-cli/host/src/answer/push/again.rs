//! Looks at an approved push again, if the person had its review on their screen for long or the sandbox has changed meanwhile. Only what is
//! different is shown again; a digest on a command line, which nobody looks at, has a time instead.

use gate::approval::{Decision, Proposal};
use gate::review::{CommitLine, Review};

use crate::answer::call::invocation::Invocation;
use crate::moment::Moment;
use crate::screen;

/// What a review shows `now` that the person did not see `then`, in one text. `None` if it is the same.
pub(crate) fn differences(then: &Review, now: &Review) -> Option<String> {
    let mut lines = Vec::new();
    if then.target != now.target || then.reference != now.reference {
        lines.push(format!("it goes to {} ({}) now", now.target, now.reference.branch()));
    }
    commits(&now.commits, &then.commits, "new commit", &mut lines);
    commits(&then.commits, &now.commits, "without the commit", &mut lines);
    for file in &now.files {
        // Both are sorted by path.
        match then.files.binary_search_by(|one| one.path.cmp(&file.path)) {
            Err(_) => lines.push(format!("new file {}", file.shown_path())),
            Ok(at) if then.files[at].new != file.new || then.files[at].old != file.old => {
                lines.push(format!("other content in {}", file.shown_path()));
            }
            Ok(_) => {}
        }
    }
    let is_gone = |path| now.files.binary_search_by(|one| one.path.cmp(path)).is_err();
    let gone = then.files.iter().filter(|file| is_gone(&file.path));
    lines.extend(gone.map(|file| format!("without the file {}", file.shown_path())));
    let known: Vec<String> = then.flags.iter().map(|flag| flag.sentence()).collect();
    let warnings = now.flags.iter().map(|flag| flag.sentence()).filter(|warning| !known.contains(warning));
    lines.extend(warnings.map(|warning| format!("new warning: {warning}")));
    (!lines.is_empty()).then(|| format!("the push has changed since you looked: {}", shortened(&lines)))
}

/// Names the commits of `one` that `other` does not have.
fn commits(one: &[CommitLine], other: &[CommitLine], what: &str, lines: &mut Vec<String>) {
    let only = one.iter().filter(|commit| other.iter().all(|one| one.id != commit.id));
    lines.extend(only.map(|commit| format!("{what} {} {}", commit.short_id(), commit.subject)));
}

/// The most differences that are named.
const NAMED: usize = 10;

fn shortened(lines: &[String]) -> String {
    let named: Vec<String> = lines.iter().take(NAMED).map(|line| screen::line(line)).collect();
    match lines.len() - named.len() {
        0 => named.join("; "),
        more => format!("{}; and {more} more", named.join("; ")),
    }
}

/// Whether an approval of this proposal has to be looked at again: it had stood on the person's screen for so long that a digest of it would
/// not count any more.
pub(crate) fn is_old(invocation: &Invocation, proposal: &Proposal, decision: &Decision, now: Moment) -> bool {
    let now = now.timestamp();
    let approves = matches!(decision, Decision::Approve { digest } if *digest == proposal.digest());
    approves && invocation.person.has_seen() && (now >= proposal.expires_at() || now < proposal.shown_at())
}
