//! Finds the risks of a changed file and of a whole push.

use std::collections::HashSet;

use bstr::ByteSlice;

use super::{
    FileChange, IntermediateFile, Review, Status, commits, flags::Flag, manifest::When, privileged, shown::Unreadable,
    signed,
};
use crate::{
    format::tree::Mode,
    push::{CheckedPush, Peculiarity},
    reading::{self, Named},
    text,
};

/// A larger file is flagged.
const LARGE: u64 = 1 << 20;

/// The risks of `review`, in reading order.
pub(super) fn of(review: &Review, push: &CheckedPush) -> Vec<Flag> {
    let branch = || text::path(review.reference.branch().as_bytes());
    let mut flags = Vec::new();
    if push.protected.matches(review.reference.branch()) {
        flags.push(Flag::ProtectedBranch { branch: branch() });
    }
    if review.new_branch {
        flags.push(Flag::NewBranch { branch: branch() });
    }
    if text::has_hidden(review.reference.branch().as_bytes()) {
        flags.push(Flag::HiddenCharacters { place: format!("the name of the branch, {}", branch()) });
    }
    if text::misleads(review.reference.branch().as_bytes()) {
        flags.push(Flag::MisleadingName { name: branch() });
    }
    flags.extend(push.peculiarities.iter().filter_map(|peculiarity| {
        let elsewhere = |does, path: &str| Flag::Elsewhere { does, path: text::path(path.as_bytes()) };
        Some(match peculiarity {
            Peculiarity::Writes(path) => elsewhere("push also writes to", path),
            Peculiarity::Reads(path) => elsewhere("target also reads objects in", path),
            Peculiarity::Hooks(names) => Flag::HooksSkipped { names: text::name(names.join(", ").as_bytes()) },
            Peculiarity::Signs if review.commits.iter().all(|commit| commit.signed) => return None,
            Peculiarity::Signs => Flag::Unsigned,
        })
    }));
    if push.history.is_unrelated {
        flags.push(Flag::Unrelated);
    }
    if !push.history.joined.is_empty() {
        flags.push(Flag::Joins { commits: push.history.joined.len() });
    }
    // Without the target's refs, nobody knows which commits they reach.
    if push.tips_known && !push.history.leftover.is_empty() {
        flags.push(Flag::Leftover { commits: push.history.leftover.len() });
    }
    if review.supplied > 0 {
        flags.push(Flag::Supplied { commits: review.supplied });
    }
    for file in &review.files {
        of_file(file, &mut flags);
    }
    for IntermediateFile { commit, change } in &review.intermediate {
        // Two commits that change a file in different places: a person sees every line of both in the end.
        if is_seen_in_the_end(change, &review.files) {
            continue;
        }
        let commit = commit.to_hex_with_len(7).to_string();
        flags.push(Flag::IntermediateOnly { path: change.shown_path(), commit });
    }
    for line in &review.commits {
        let place = || format!("the commit {}", line.short_id());
        let found = commits::found(line);
        if found.hidden.is_some() {
            flags.push(Flag::HiddenCharacters { place: place() });
        }
        // A line number would not say in which of the commit's texts.
        misleading(&found, &place, false, &mut flags);
    }
    flags.extend(push.commits.iter().flat_map(|usual| signed::flags(&review.commits, usual)));
    flags
}

/// Whether every line that a commit adds to a text is one that the push adds to it as a whole, which a person reads there.
fn is_seen_in_the_end(change: &FileChange, files: &[FileChange]) -> bool {
    let Some(end) = files.iter().find(|file| file.path == change.path) else { return false };
    let mode = |file: &FileChange| file.new.as_ref().map(|new| new.mode);
    if change.binary || end.binary || change.link.is_some() || mode(change) != mode(end) {
        return false;
    }
    let seen: HashSet<&str> = added(end).collect();
    change.added > 0 && added(change).all(|line| seen.contains(line))
}

/// The lines that a patch adds.
fn added(file: &FileChange) -> impl Iterator<Item = &str> {
    let hunks = file.patch.lines().skip_while(|line| !line.starts_with("@@"));
    hunks.filter(|line| line.starts_with('+'))
}

/// The misleading words and blanks of a text.
fn misleading(found: &text::Found, place: &dyn Fn() -> String, is_numbered: bool, flags: &mut Vec<Flag>) {
    if let Some((line, text)) = &found.alike {
        flags.push(Flag::LookAlikeText { place: place(), line: is_numbered.then_some(*line), text: text.clone() });
    }
    if let Some((line, blanks)) = found.blanks {
        flags.push(Flag::LongBlanks { place: place(), line: is_numbered.then_some(line), blanks, what: "blanks" });
    }
    if let Some((line, blanks)) = found.lines {
        let what = "empty lines";
        flags.push(Flag::LongBlanks { place: place(), line: is_numbered.then_some(line), blanks, what });
    }
}

/// Whether a file has any risk of its own.
pub(super) fn has_any(file: &FileChange) -> bool {
    let mut flags = Vec::new();
    of_file(file, &mut flags);
    !flags.is_empty()
}

fn of_file(file: &FileChange, flags: &mut Vec<Flag>) {
    let path = || file.shown_path();
    if text::has_hidden(&file.path) {
        flags.push(Flag::HiddenCharacters { place: format!("the name {}", path()) });
    }
    if text::misleads(&file.path) {
        flags.push(Flag::MisleadingName { name: path() });
    }
    let executable = file.new.as_ref().is_some_and(|new| commits::runs(new.mode));
    flags.extend(privileged::flag(file.path.as_bstr(), executable));
    let Some(new) = &file.new else { return };
    let was = file.old.as_ref().map(|old| old.mode);
    if commits::runs(new.mode) && !was.is_some_and(commits::runs) {
        flags.push(Flag::ExecutableAdded { path: path() });
    }
    flags.extend(file.runs.iter().map(|run| {
        let (path, what, kind) = (path(), run.what.clone(), run.kind.clone());
        match run.when {
            When::OnDemand => Flag::Runs { path, what, kind },
            When::OnInstall => Flag::RunsOnInstall { path, what, kind },
            When::Unknown => Flag::UnreadableManifest { path },
        }
    }));
    if let Some(link) = &file.link {
        flags.push(Flag::SymlinkAdded { path: path(), target: text::path(link) });
    }
    if file.status == Status::TypeChanged {
        flags.push(Flag::TypeChanged { path: path() });
    }
    if new.mode == Mode::Submodule.value() {
        flags.push(Flag::Submodule { path: path() });
    }
    if let Some(size) = new.size.filter(|size| *size > LARGE) {
        let path = path();
        flags.push(if file.binary { Flag::LargeBinary { path, size } } else { Flag::LargeFile { path, size } });
    }
    if file.lfs_pointer {
        flags.push(Flag::LfsPointer { path: path() });
    }
    if file.conflict_markers {
        flags.push(Flag::ConflictMarkers { path: path() });
    }
    if file.disguised {
        flags.push(Flag::Disguised { path: path() });
    }
    match file.unreadable {
        // Another flag already reports its NUL bytes.
        _ if file.disguised => {}
        Some(Unreadable::WasText) => flags.push(Flag::BinaryText { path: path(), was_text: true }),
        Some(Unreadable::Named) => flags.push(Flag::BinaryText { path: path(), was_text: false }),
        Some(Unreadable::Double) => flags.push(Flag::DoubleText { path: path() }),
        Some(Unreadable::Unknown) => flags.push(Flag::UnknownBinary { path: path() }),
        None => {}
    }
    if file.hidden_characters {
        flags.push(Flag::HiddenCharacters { place: path() });
    }
    if !file.binary {
        misleading(&file.found, &path, true, flags);
        // Tables in text for people are aligned with blanks.
        let is_read = privileged::flag(file.path.as_bstr(), executable).is_none();
        if is_read && reading::named(file.path.as_bstr()) == Named::Prose {
            flags.retain(|flag| !matches!(flag, Flag::LongBlanks { place, .. } if *place == path()));
        }
    }
}
