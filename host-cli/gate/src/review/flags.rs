//! The risks that a review warns about.

use serde::{Deserialize, Serialize};

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

/// A risk of a push. Paths and other texts are escaped for a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "flag", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are what the sentence of each flag names")]
pub enum Flag {
    /// The push moves a protected branch.
    ProtectedBranch { branch: String },
    /// The push creates a branch.
    NewBranch { branch: String },
    /// A file became executable.
    ExecutableAdded { path: String },
    /// A symlink is new or has a new target.
    SymlinkAdded { path: String, target: String },
    /// A path became another kind of thing.
    TypeChanged { path: String },
    /// Workflows run with the repository's secrets.
    Workflow { path: String },
    /// `.gitmodules` makes git fetch other repositories.
    Gitmodules { path: String },
    /// `.gitattributes` makes git run filters and hide diffs.
    Gitattributes { path: String },
    /// Something that tools run, obey or trust.
    Privileged { path: String, what: &'static str, severity: Severity },
    /// A binary file over 1 MB.
    LargeBinary { path: String, size: u64 },
    /// A text file over 1 MB, which nobody reads in full.
    LargeFile { path: String, size: u64 },
    /// A pointer of Git LFS, whose content is not part of the review.
    LfsPointer { path: String },
    /// A new file that `.gitignore` ignores, and the pattern.
    IgnoredAdded { path: String, pattern: String },
    /// The markers of an unfinished merge.
    ConflictMarkers { path: String },
    /// So many deleted files that some may be a mistake.
    ManyDeletions { files: usize },
    /// A pointer to a commit of another repository, whose content is not part of the review.
    Submodule { path: String },
    /// Content that no final file has, but that everybody who fetches gets.
    IntermediateOnly { path: String, commit: String },
    /// Names in one folder that look the same: one of them, and the number of others.
    LookAlike { path: String, twin: String, others: usize },
    /// Text that git takes for binary because of NUL bytes.
    Disguised { path: String },
    /// Content that git takes for binary and does not show, although there was text, or the name promises text.
    BinaryText { path: String, was_text: bool },
    /// As above, but the name says nothing, or something else.
    UnknownBinary { path: String },
    /// Content that reads as one text in an encoding and as another byte by byte.
    DoubleText { path: String },
    /// Characters that screens hide or reorder.
    HiddenCharacters { place: String },
    /// A word or sign made of lookalikes, and the line, if the place has several.
    LookAlikeText { place: String, line: Option<usize>, text: String },
    /// This many blanks or empty lines before more text, and the line, if the place has several.
    LongBlanks { place: String, line: Option<usize>, blanks: usize, what: &'static str },
    /// A name with lookalikes of other characters.
    MisleadingName { name: String },
    /// A commit whose author or committer is not the sandbox's, and the number of further ones.
    OtherIdentity { commit: String, role: &'static str, who: String, others: usize },
    /// A commit that states another time than that of its making, and the number of further ones.
    OddDate { commit: String, role: &'static str, date: String, others: usize },
    /// The target is not only where its name says.
    Elsewhere { does: &'static str, path: String },
    /// A manifest newly runs something.
    Runs {
        path: String,
        what: String,
        #[serde(skip)]
        kind: String,
    },
    /// A manifest newly runs something on install.
    RunsOnInstall {
        path: String,
        what: String,
        #[serde(skip)]
        kind: String,
    },
    /// The commands of a manifest cannot be read.
    UnreadableManifest { path: String },
    /// A key, a token or a password.
    Secret(Secret),
    /// Secrets beyond those listed.
    MoreSecrets { count: usize },
    /// The push includes commits from other branches of the target.
    Joins { commits: usize },
    /// The push restores commits that no ref of the target reaches.
    Leftover { commits: usize },
    /// The push has unlisted commits that the host gave to the sandbox.
    Supplied { commits: usize },
}

impl Flag {
    /// The names of all flags, as in `--json`'s `flag` and in policies, with their severities. The
    /// path decides that of `privileged`.
    const TABLE: [(&'static str, Option<Severity>); 37] = [
        ("protected-branch", Some(Severity::High)),
        ("new-branch", Some(Severity::Low)),
        ("executable-added", Some(Severity::Medium)),
        ("symlink-added", Some(Severity::High)),
        ("type-changed", Some(Severity::Medium)),
        ("workflow", Some(Severity::High)),
        ("gitmodules", Some(Severity::High)),
        ("gitattributes", Some(Severity::Medium)),
        ("privileged", None),
        ("large-binary", Some(Severity::Medium)),
        ("large-file", Some(Severity::Low)),
        ("lfs-pointer", Some(Severity::Low)),
        ("ignored-added", Some(Severity::Medium)),
        ("conflict-markers", Some(Severity::Medium)),
        ("many-deletions", Some(Severity::Medium)),
        ("submodule", Some(Severity::Medium)),
        ("intermediate-only", Some(Severity::High)),
        ("look-alike", Some(Severity::High)),
        ("disguised", Some(Severity::High)),
        ("binary-text", Some(Severity::High)),
        ("unknown-binary", Some(Severity::Medium)),
        ("double-text", Some(Severity::High)),
        ("hidden-characters", Some(Severity::High)),
        ("look-alike-text", Some(Severity::High)),
        ("long-blanks", Some(Severity::High)),
        ("misleading-name", Some(Severity::High)),
        ("other-identity", Some(Severity::Medium)),
        ("odd-date", Some(Severity::Medium)),
        ("elsewhere", Some(Severity::Medium)),
        ("runs", Some(Severity::Medium)),
        ("runs-on-install", Some(Severity::High)),
        ("unreadable-manifest", Some(Severity::High)),
        ("secret", Some(Severity::High)),
        ("more-secrets", Some(Severity::High)),
        ("joins", Some(Severity::Low)),
        ("leftover", Some(Severity::High)),
        ("supplied", Some(Severity::Low)),
    ];

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
            _ => Self::severity_of(self.name()).expect("a test holds every flag against the table"),
        }
    }

    /// Its name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Flag::ProtectedBranch { .. } => "protected-branch",
            Flag::NewBranch { .. } => "new-branch",
            Flag::ExecutableAdded { .. } => "executable-added",
            Flag::SymlinkAdded { .. } => "symlink-added",
            Flag::TypeChanged { .. } => "type-changed",
            Flag::Workflow { .. } => "workflow",
            Flag::Gitmodules { .. } => "gitmodules",
            Flag::Gitattributes { .. } => "gitattributes",
            Flag::Privileged { .. } => "privileged",
            Flag::LargeBinary { .. } => "large-binary",
            Flag::LargeFile { .. } => "large-file",
            Flag::LfsPointer { .. } => "lfs-pointer",
            Flag::IgnoredAdded { .. } => "ignored-added",
            Flag::ConflictMarkers { .. } => "conflict-markers",
            Flag::ManyDeletions { .. } => "many-deletions",
            Flag::Submodule { .. } => "submodule",
            Flag::IntermediateOnly { .. } => "intermediate-only",
            Flag::LookAlike { .. } => "look-alike",
            Flag::Disguised { .. } => "disguised",
            Flag::BinaryText { .. } => "binary-text",
            Flag::UnknownBinary { .. } => "unknown-binary",
            Flag::DoubleText { .. } => "double-text",
            Flag::HiddenCharacters { .. } => "hidden-characters",
            Flag::LookAlikeText { .. } => "look-alike-text",
            Flag::LongBlanks { .. } => "long-blanks",
            Flag::MisleadingName { .. } => "misleading-name",
            Flag::OtherIdentity { .. } => "other-identity",
            Flag::OddDate { .. } => "odd-date",
            Flag::Elsewhere { .. } => "elsewhere",
            Flag::Runs { .. } => "runs",
            Flag::RunsOnInstall { .. } => "runs-on-install",
            Flag::UnreadableManifest { .. } => "unreadable-manifest",
            Flag::Secret(_) => "secret",
            Flag::MoreSecrets { .. } => "more-secrets",
            Flag::Joins { .. } => "joins",
            Flag::Leftover { .. } => "leftover",
            Flag::Supplied { .. } => "supplied",
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

    /// The rank among flags of its severity: a higher one is shown nearer to the keys. Anything that runs with somebody's rights or leaks
    /// them ranks above anything that may only mislead.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Flag::Secret(_) | Flag::MoreSecrets { .. } => 9,
            Flag::Workflow { .. } => 8,
            Flag::RunsOnInstall { .. } => 7,
            Flag::UnreadableManifest { .. } | Flag::IntermediateOnly { .. } => 6,
            Flag::Privileged { .. } | Flag::Gitmodules { .. } | Flag::SymlinkAdded { .. } => 5,
            Flag::Disguised { .. } | Flag::BinaryText { .. } | Flag::DoubleText { .. } | Flag::LongBlanks { .. } => 4,
            Flag::HiddenCharacters { .. } | Flag::LookAlikeText { .. } | Flag::Leftover { .. } => 4,
            Flag::LookAlike { .. } | Flag::MisleadingName { .. } => 3,
            Flag::ProtectedBranch { .. } | Flag::OtherIdentity { .. } | Flag::OddDate { .. } => 2,
            _ => 1,
        }
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

    #[test]
    fn no_flag_is_without_a_name() {
        // Every variant is a line of the enum; the other lines describe it.
        let source = include_str!("flags.rs");
        let (_, rest) = source.split_once("pub enum Flag {").unwrap();
        let (variants, _) = rest.split_once("\n}").unwrap();
        let count = variants.lines().filter(|line| line.trim_start().starts_with(char::is_uppercase)).count();
        assert_eq!(count, Flag::TABLE.len());
    }
}
