//! Describes each risk to a person in one sentence.

use super::{
    flags::{Flag, Secret},
    words,
};
use crate::columns;

/// Columns of a word in a sentence.
const WORD: usize = 40;

/// A commit, and the number of others.
fn commits(first: &str, others: usize) -> String {
    if others == 0 { first.to_owned() } else { format!("{first} and {others} more") }
}

fn in_line(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!(", line {line}"))
}

impl Flag {
    /// One sentence, without a full stop.
    pub fn sentence(&self) -> String {
        self.said(&quoted)
    }

    /// The same for a row. File names take at most this many columns, so that they do not displace
    /// the rest.
    pub(super) fn in_row(&self, columns: usize) -> String {
        self.said(&|name| quoted(&columns::middle(name, columns)))
    }

    fn said(&self, name: &dyn Fn(&str) -> String) -> String {
        match self {
            Flag::ProtectedBranch { branch } => format!("Pushing directly to {} branch", name(branch)),
            Flag::NewBranch { branch } => format!("Creates the new branch {}", name(branch)),
            Flag::ExecutableAdded { path } => format!("Makes {} executable", name(path)),
            Flag::SymlinkAdded { path, target } => format!("Makes {} a symlink to {}", name(path), name(target)),
            Flag::TypeChanged { path } => format!("Turns {} into another kind of file", name(path)),
            Flag::Workflow { path } => {
                format!("Changes the workflow {}, which runs with the repository's secrets", name(path))
            }
            Flag::Gitmodules { path } => {
                format!("Changes {}, which makes git fetch other repositories", name(path))
            }
            Flag::Gitattributes { path } => {
                format!("Changes {}, which makes git run filters and hide diffs", name(path))
            }
            Flag::Privileged { path, what, .. } => format!("Changes {}: {what}", name(path)),
            Flag::LargeBinary { path, size } => {
                format!("Adds {}, a binary file of {}", name(path), words::size(*size))
            }
            Flag::LargeFile { path, size } => {
                format!("Includes the large text file {} of {}", name(path), words::size(*size))
            }
            Flag::LfsPointer { path } => {
                format!("Points {} to content in Git LFS that is not part of this review", name(path))
            }
            Flag::IgnoredAdded { path, pattern } => {
                format!("Adds {}, which .gitignore ignores ({pattern})", name(path))
            }
            Flag::ConflictMarkers { path } => format!("Leaves the markers of an unfinished merge in {}", name(path)),
            Flag::ManyDeletions { files } => format!("Deletes {files} files"),
            Flag::Secret(Secret { what, place, line, shown, .. }) => {
                format!("Contains {what} ({shown}) in {place}{}", in_line(*line))
            }
            Flag::MoreSecrets { count } => format!("Contains {count} more secrets that are not listed"),
            Flag::Submodule { path } => {
                format!("Points the submodule {} to a commit that is not part of this review", name(path))
            }
            Flag::IntermediateOnly { path, commit } => {
                format!("Only in the intermediate commit {commit}, but still published by the push: {}", name(path))
            }
            Flag::LookAlike { path, twin, others: 0 } => {
                format!("Adds {}, which looks like {}", name(path), name(twin))
            }
            Flag::LookAlike { path, twin, others } => {
                format!("Adds {}, which looks like {} and {others} more", name(path), name(twin))
            }
            Flag::Disguised { path } => {
                format!("Contains NUL bytes in {}, which make git hide its text", name(path))
            }
            Flag::BinaryText { path, was_text: true } => {
                format!("Turns the text {} into what git takes for binary and does not show", name(path))
            }
            Flag::BinaryText { path, was_text: false } => {
                format!("Contains what git takes for binary in {}, which has the name of a text", name(path))
            }
            Flag::UnknownBinary { path } => {
                format!("Contains what git takes for binary in {}, which its name does not explain", name(path))
            }
            Flag::DoubleText { path } => {
                format!("Says one thing in an encoding and another byte by byte in {}", name(path))
            }
            Flag::LookAlikeText { place, line, text } => {
                let (line, text) = (in_line(*line), quoted(&columns::middle(text, WORD)));
                format!("Contains letters or signs that look like others in {}{line}: {text}", name(place))
            }
            Flag::LongBlanks { place, line, blanks, what } => {
                format!("Contains text behind {blanks} {what} in {}{}", name(place), in_line(*line))
            }
            Flag::HiddenCharacters { place } => {
                format!("Contains invisible or reordering characters in {place}")
            }
            Flag::MisleadingName { name: odd } => {
                format!("Contains characters that look like others in the name {}", name(odd))
            }
            Flag::OtherIdentity { commit, role, who, others } => {
                let who = name(who);
                format!("Names {who} as {role} of {}, not who the sandbox commits as", commits(commit, *others))
            }
            Flag::OddDate { commit, role, date, others } => {
                format!("Has {date} as the {role}'s date of {}", commits(commit, *others))
            }
            Flag::Elsewhere { does, path } => {
                format!("The {does} {}, which is outside the target's folder", name(path))
            }
            Flag::Unrelated => {
                "Shares no commit with the target, which may be another repository than you mean".to_owned()
            }
            Flag::HooksSkipped { names } => format!("Runs none of the target's hooks: {names}"),
            Flag::Unsigned => {
                "Has commits that others made and did not sign, though commit.gpgsign asks for signatures".to_owned()
            }
            Flag::Runs { path, what, .. } => format!("Changes what {} runs: {what}", name(path)),
            Flag::RunsOnInstall { path, what, .. } => {
                format!("On install, {} runs {what}", name(path))
            }
            Flag::UnreadableManifest { path } => {
                format!("Changes {}, of which nobody can read what it runs", name(path))
            }
            Flag::Joins { commits } => {
                format!("Includes {commits} commits that the target has on other branches")
            }
            Flag::Leftover { commits } => {
                format!("Restores {commits} commits that no branch of the target has any more")
            }
            Flag::Supplied { commits } => {
                let what = if *commits == 1 { "1 earlier commit" } else { &format!("{commits} earlier commits") };
                format!("Includes {what} that this sandbox was created with, not listed here")
            }
        }
    }
}

/// A name inside a sentence: quoted if it could read as a part of the sentence.
pub fn quoted(name: &str) -> String {
    let is_plain = |char: char| !char.is_whitespace() && !matches!(char, ':' | ',' | ';' | '"' | '(' | ')');
    if name.chars().all(is_plain) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\\\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_15_no_name_writes_the_sentence_that_it_stands_in() {
        let path = "README.md: only fixes two typos, nothing else changed/build.rs".to_owned();
        let flag = Flag::ExecutableAdded { path };
        assert_eq!(
            flag.sentence(),
            "Makes \"README.md: only fixes two typos, nothing else changed/build.rs\" executable"
        );
        assert_eq!(flag.in_row(24), "Makes \"README.md: …ed/build.rs\" executable");
        let plain = Flag::ExecutableAdded { path: "a/b-c.rs".to_owned() };
        assert_eq!(plain.in_row(24), "Makes a/b-c.rs executable");
    }
}
