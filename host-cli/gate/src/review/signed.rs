//! Reports commits with another author or committer than the sandbox's, or with another time than that of their making. A separate history
//! may have thousands of them, so each person, and each role for the dates, has one flag.

use super::{commits::CommitLine, flags::Flag, words};
use crate::{push::Usual, text};

const DAY: i64 = 86_400;
/// A commit may be older than its push: it was staged, or pulled under others, before a person had time for it.
const OLD: i64 = 365 * DAY;
/// Clocks differ.
const EARLY: i64 = DAY;

/// The flags of all commits.
pub(super) fn flags(lines: &[CommitLine], usual: &Usual) -> Vec<Flag> {
    let now = i64::try_from(usual.now.0).unwrap_or(i64::MAX);
    let moments = now.saturating_sub(OLD)..=now.saturating_add(EARLY);
    let mut flags: Vec<Flag> = Vec::new();
    for line in lines {
        let committer = usual.committer.as_ref().or(usual.identity.as_ref());
        let roles = [
            ("author", usual.identity.as_ref(), &line.author, &line.date),
            ("committer", committer, &line.committer, &line.committer_date),
        ];
        for ((role, own, name, date), seconds) in roles.into_iter().zip(line.seconds) {
            if own.is_some_and(|identity| bare(identity) != bare(name)) {
                other(&mut flags, line, role, text::name(name.as_bytes()));
            }
            if seconds.is_none_or(|seconds| !moments.contains(&seconds)) {
                odd(&mut flags, line, role, date);
            }
        }
    }
    flags
}

fn other(flags: &mut Vec<Flag>, line: &CommitLine, as_role: &'static str, name: String) {
    let known = flags.iter_mut().find_map(|flag| match flag {
        Flag::OtherIdentity { role, who, others, .. } if *role == as_role && *who == name => Some(others),
        _ => None,
    });
    match known {
        Some(others) => *others += 1,
        None => flags.push(Flag::OtherIdentity { commit: line.short_id(), role: as_role, who: name, others: 0 }),
    }
}

fn odd(flags: &mut Vec<Flag>, line: &CommitLine, of_role: &'static str, date: &str) {
    let known = flags.iter_mut().find_map(|flag| match flag {
        Flag::OddDate { role, others, .. } if *role == of_role => Some(others),
        _ => None,
    });
    match known {
        Some(others) => *others += 1,
        None => {
            flags.push(Flag::OddDate { commit: line.short_id(), role: of_role, date: date.to_owned(), others: 0 });
        }
    }
}

/// Whether a commit's line of author or committer names this person.
pub(crate) fn is_person(person: &str, line: &[u8]) -> bool {
    bare(person) == bare(&words::person(line))
}

/// An identity without the characters that git strips from the ends of a name (`ident.c`, `crud`).
fn bare(identity: &str) -> (&str, &str) {
    let is_crud = |char: char| char <= ' ' || ".,:;<>\"\\'".contains(char);
    let (name, email) = identity.rsplit_once('<').unwrap_or((identity, ""));
    (name.trim_matches(is_crud), email.trim_matches(is_crud))
}
