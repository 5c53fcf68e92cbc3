//! The risks that a review warns about.

use serde::{Deserialize, Serialize};

use super::listed::of_commit;
use crate::secrets::Fingerprint;

/// How dangerous a risk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Unusual.
    Medium,
    /// Can do harm.
    High,
}

impl Severity {
    /// Its name for programs and policies.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        }
    }

    /// Its sign, as wide as the others. It distinguishes severities without colours.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Severity::Low => " ·",
            Severity::Medium => " !",
            Severity::High => "!!",
        }
    }
}

/// A secret in a push, without the secret itself. Texts are escaped for a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Secret {
    /// The rule that found it, for programs: `github-pat`.
    pub kind: &'static str,
    /// Its kind, with an article.
    pub what: &'static str,
    /// Its place, in words.
    pub place: String,
    /// The line, if the place has several.
    pub line: Option<usize>,
    /// Its first characters and `…`.
    pub shown: String,
    /// The fingerprint that a person adds to their configuration to allow it.
    pub fingerprint: Fingerprint,
}

/// Declares the flags, one row each: its name for programs and policies, its severity, its rank, its variant with the fields that its
/// sentence names.
macro_rules! flags {
    (
        $(#[$attribute:meta])*
        pub enum Flag {
            $($(#[$doc:meta])* $name:literal $severity:ident $rank:literal => $variant:ident $({ $($fields:tt)* })? $(($inner:ty))?,)*
        }
    ) => {
        $(#[$attribute])*
        pub enum Flag {
            $($(#[$doc])* #[serde(rename = $name)] $variant $({ $($fields)* })? $(($inner))?,)*
        }

        impl Flag {
            /// The names of all flags with their severities.
            const TABLE: &[(&'static str, Option<Severity>)] = &[$(($name, flags!(@ $severity))),*];

            /// Its name, for programs.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Flag::$variant { .. } => $name,)*
                }
            }

            /// The rank among flags of its severity: a higher one is shown nearer to the keys. Anything that runs with somebody's rights or
            /// leaks them ranks above anything that may only mislead.
            pub(super) fn rank(&self) -> u8 {
                match self {
                    $(Flag::$variant { .. } => $rank,)*
                }
            }
        }
    };
    // The path decides.
    (@ ByPath) => { None };
    (@ $severity:ident) => { Some(Severity::$severity) };
}

flags! {
    /// A risk of a push. Paths and other texts are escaped for a terminal.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
    #[serde(tag = "flag")]
    #[allow(missing_docs, reason = "the fields are what the sentence of each flag names")]
    pub enum Flag {
        /// The push moves a protected branch.
        "protected-branch" High 2 => ProtectedBranch { branch: String },
        /// The push creates a branch.
        "new-branch" Low 1 => NewBranch { branch: String },
        /// The push shares no commit with a target that has some: it may be another repository than the one that is meant.
        "unrelated" High 2 => Unrelated,
        /// A file became executable.
        "executable-added" Medium 1 => ExecutableAdded { path: String },
        /// A symlink is new or has a new target.
        "symlink-added" High 5 => SymlinkAdded { path: String, target: String },
        /// A path became another kind of thing.
        "type-changed" Medium 1 => TypeChanged { path: String },
        /// Workflows run with the repository's secrets.
        "workflow" High 8 => Workflow { path: String },
        /// `.gitmodules` makes git fetch other repositories.
        "gitmodules" High 5 => Gitmodules { path: String },
        /// `.gitattributes` makes git run filters and hide diffs.
        "gitattributes" Medium 1 => Gitattributes { path: String },
        /// Something that tools run, obey or trust.
        "privileged" ByPath 5 => Privileged { path: String, what: &'static str, severity: Severity },
        /// A binary file over 1 MB.
        "large-binary" Medium 1 => LargeBinary { path: String, size: u64 },
        /// A text file over 1 MB, which nobody reads in full.
        "large-file" Low 1 => LargeFile { path: String, size: u64 },
        /// A pointer of Git LFS, whose content is not part of the review.
        "lfs-pointer" Low 1 => LfsPointer { path: String },
        /// A new file that `.gitignore` ignores, and the pattern.
        "ignored-added" Medium 1 => IgnoredAdded { path: String, pattern: String },
        /// The markers of an unfinished merge.
        "conflict-markers" Medium 1 => ConflictMarkers { path: String },
        /// So many deleted files that some may be a mistake.
        "many-deletions" Medium 1 => ManyDeletions { files: usize },
        /// A pointer to a commit of another repository, whose content is not part of the review.
        "submodule" Medium 1 => Submodule { path: String },
        /// Content that no final file has, but that everybody who fetches gets.
        "intermediate-only" High 6 => IntermediateOnly { path: String, commit: String },
        /// Names in one folder that look the same: one of them, and the number of others.
        "look-alike" High 3 => LookAlike { path: String, twin: String, others: usize },
        /// Text that git takes for binary because of NUL bytes.
        "disguised" High 4 => Disguised { path: String },
        /// Content that git takes for binary and does not show, although there was text, or the name promises text.
        "binary-text" High 4 => BinaryText { path: String, was_text: bool },
        /// As above, but the name says nothing, or something else.
        "unknown-binary" Medium 1 => UnknownBinary { path: String },
        /// Content that reads as one text in an encoding and as another byte by byte.
        "double-text" High 4 => DoubleText { path: String },
        /// Characters that screens hide or reorder.
        "hidden-characters" High 4 => HiddenCharacters { place: String },
        /// A word or sign made of lookalikes, and the line, if the place has several.
        "look-alike-text" High 4 => LookAlikeText { place: String, line: Option<usize>, text: String },
        /// This many blanks or empty lines before more text, and the line, if the place has several.
        "long-blanks" High 4 => LongBlanks { place: String, line: Option<usize>, blanks: usize, what: &'static str },
        /// A name with lookalikes of other characters.
        "misleading-name" High 3 => MisleadingName { name: String },
        /// A commit whose author or committer is not the sandbox's, and the number of further ones.
        "other-identity" Medium 2 => OtherIdentity { commit: String, role: &'static str, who: String, others: usize },
        /// A commit that states another time than that of its making, and the number of further ones.
        "odd-date" Medium 2 => OddDate { commit: String, role: &'static str, date: String, others: usize },
        /// The target is not only where its name says.
        "elsewhere" Medium 1 => Elsewhere { does: &'static str, path: String },
        /// Hooks that git would run, and gitgate does not.
        "hooks-skipped" Low 1 => HooksSkipped { names: String },
        /// Commits without the signature that the target's configuration asks for.
        "unsigned" Medium 1 => Unsigned,
        /// A manifest newly runs something.
        "runs" Medium 1 => Runs {
            path: String,
            what: String,
            #[serde(skip)]
            kind: String,
        },
        /// A manifest newly runs something on install.
        "runs-on-install" High 7 => RunsOnInstall {
            path: String,
            what: String,
            #[serde(skip)]
            kind: String,
        },
        /// The commands of a manifest cannot be read.
        "unreadable-manifest" High 6 => UnreadableManifest { path: String },
        /// A key, a token or a password.
        "secret" High 9 => Secret(Secret),
        /// Secrets beyond those listed.
        "more-secrets" High 9 => MoreSecrets { count: usize },
        /// The push includes commits from other branches of the target.
        "joins" Low 1 => Joins { commits: usize },
        /// The push restores commits that no ref of the target reaches.
        "leftover" High 4 => Leftover { commits: usize },
        /// The push has unlisted commits that the host gave to the sandbox.
        "supplied" Low 1 => Supplied { commits: usize },
    }
}

impl Flag {
    /// The names of all flags.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::TABLE.iter().map(|(name, _)| *name)
    }

    /// The severity of the flag with this name, if it exists and its name determines it.
    pub fn severity_of(name: &str) -> Option<Severity> {
        Self::TABLE.iter().find(|(known, _)| *known == name)?.1
    }

    /// Its severity.
    pub fn severity(&self) -> Severity {
        match self {
            Flag::Privileged { severity, .. } => *severity,
            _ => Self::severity_of(self.name()).expect("only the severity of `Privileged` depends on the path"),
        }
    }

    /// The part that flags about other files or commits of the same kind share.
    pub(super) fn kind(&self) -> (&'static str, &str) {
        let what = match self {
            Flag::Privileged { what, .. } => what,
            Flag::Secret(secret) => secret.what,
            Flag::Runs { kind, .. } | Flag::RunsOnInstall { kind, .. } => kind,
            _ => "",
        };
        (self.name(), what)
    }

    /// The place in the push that it is about, in words: mostly a path, escaped for a terminal.
    pub(super) fn place(&self) -> Option<String> {
        Some(match self {
            Flag::ExecutableAdded { path }
            | Flag::SymlinkAdded { path, .. }
            | Flag::TypeChanged { path }
            | Flag::Workflow { path }
            | Flag::Gitmodules { path }
            | Flag::Gitattributes { path }
            | Flag::Privileged { path, .. }
            | Flag::LargeBinary { path, .. }
            | Flag::LargeFile { path, .. }
            | Flag::LfsPointer { path }
            | Flag::IgnoredAdded { path, .. }
            | Flag::ConflictMarkers { path }
            | Flag::Submodule { path }
            | Flag::LookAlike { path, .. }
            | Flag::Disguised { path }
            | Flag::BinaryText { path, .. }
            | Flag::UnknownBinary { path }
            | Flag::DoubleText { path }
            | Flag::Runs { path, .. }
            | Flag::RunsOnInstall { path, .. }
            | Flag::UnreadableManifest { path } => path.clone(),
            Flag::IntermediateOnly { path, commit } => format!("{path}{}", of_commit(commit)),
            Flag::MisleadingName { name } => name.clone(),
            Flag::Secret(Secret { place, .. })
            | Flag::HiddenCharacters { place }
            | Flag::LookAlikeText { place, .. }
            | Flag::LongBlanks { place, .. } => place.clone(),
            Flag::ProtectedBranch { .. }
            | Flag::NewBranch { .. }
            | Flag::Unrelated
            | Flag::ManyDeletions { .. }
            | Flag::OtherIdentity { .. }
            | Flag::OddDate { .. }
            | Flag::Elsewhere { .. }
            | Flag::HooksSkipped { .. }
            | Flag::Unsigned
            | Flag::MoreSecrets { .. }
            | Flag::Joins { .. }
            | Flag::Leftover { .. }
            | Flag::Supplied { .. } => return None,
        })
    }

    /// The secret that it reports, if it reports one.
    pub(super) fn fingerprint(&self) -> Option<Fingerprint> {
        match self {
            Flag::Secret(secret) => Some(secret.fingerprint),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each.
    fn samples() -> Vec<Flag> {
        let text = || "x".to_owned();
        let secret = Secret {
            kind: "github-pat",
            what: "a key",
            place: text(),
            line: Some(1),
            shown: text(),
            fingerprint: "0123456789abcdef".parse().unwrap(),
        };
        vec![
            Flag::ProtectedBranch { branch: text() },
            Flag::NewBranch { branch: text() },
            Flag::Unrelated,
            Flag::ExecutableAdded { path: text() },
            Flag::SymlinkAdded { path: text(), target: text() },
            Flag::TypeChanged { path: text() },
            Flag::Workflow { path: text() },
            Flag::Gitmodules { path: text() },
            Flag::Gitattributes { path: text() },
            Flag::Privileged { path: text(), what: "x", severity: Severity::Low },
            Flag::LargeBinary { path: text(), size: 1 },
            Flag::LargeFile { path: text(), size: 1 },
            Flag::LfsPointer { path: text() },
            Flag::IgnoredAdded { path: text(), pattern: text() },
            Flag::ConflictMarkers { path: text() },
            Flag::ManyDeletions { files: 1 },
            Flag::Submodule { path: text() },
            Flag::IntermediateOnly { path: text(), commit: text() },
            Flag::LookAlike { path: text(), twin: text(), others: 1 },
            Flag::Disguised { path: text() },
            Flag::BinaryText { path: text(), was_text: true },
            Flag::UnknownBinary { path: text() },
            Flag::DoubleText { path: text() },
            Flag::HiddenCharacters { place: text() },
            Flag::LookAlikeText { place: text(), line: Some(1), text: text() },
            Flag::LongBlanks { place: text(), line: None, blanks: 101, what: "blanks" },
            Flag::MisleadingName { name: text() },
            Flag::OtherIdentity { commit: text(), role: "author", who: text(), others: 1 },
            Flag::OddDate { commit: text(), role: "author", date: text(), others: 0 },
            Flag::Elsewhere { does: "x", path: text() },
            Flag::HooksSkipped { names: text() },
            Flag::Unsigned,
            Flag::Runs { path: text(), what: text(), kind: text() },
            Flag::RunsOnInstall { path: text(), what: text(), kind: text() },
            Flag::UnreadableManifest { path: text() },
            Flag::Secret(secret),
            Flag::MoreSecrets { count: 1 },
            Flag::Joins { commits: 1 },
            Flag::Leftover { commits: 1 },
            Flag::Supplied { commits: 1 },
        ]
    }

    #[test]
    fn every_flag_has_the_name_that_json_gives_it_and_a_sentence_of_its_own() {
        let samples = samples();
        let names: Vec<_> = samples.iter().map(Flag::name).collect();
        assert_eq!(names, Flag::names().collect::<Vec<_>>());
        assert!(samples.iter().all(|flag| flag.severity() >= Severity::Low));
        let mut sentences = std::collections::BTreeSet::new();
        for flag in samples {
            let json = serde_json::to_value(&flag).unwrap();
            assert_eq!(json["flag"], flag.name());
            assert!(sentences.insert(flag.sentence()), "{}", flag.sentence());
        }
    }
}
