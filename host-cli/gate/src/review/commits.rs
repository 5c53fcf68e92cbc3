//! The commits of a push, and the contents that only some of them hold.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::BString;
use gix_hash::ObjectId;
use gix_object::Kind;
use patch::signature;
use serde::Serialize;

use super::{
    diff::{self, Bounds, Delta},
    file::{FileChange, Reader},
    screens, words,
};
use crate::{
    error::{Fault, FaultKind},
    format::{commit::Commit, tree::Mode},
    history::{NewCommit, Trees},
    objects::{Objects, Supplied},
    text,
};

/// One commit of the push, with its own texts; bytes that are not UTF-8 become `\xNN`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitLine {
    /// Its id.
    #[serde(serialize_with = "words::hex")]
    pub id: ObjectId,
    /// Its parents, first parent first.
    #[serde(serialize_with = "words::hexes")]
    pub parents: Vec<ObjectId>,
    /// `Name <email>`.
    pub author: String,
    /// The author's date in the author's zone: `2023-11-14 23:13:20 +0100`.
    pub date: String,
    /// `Name <email>` of the committer, which a host also publishes.
    pub committer: String,
    /// The committer's date, written as the author's.
    pub committer_date: String,
    /// The first line of the message.
    pub subject: String,
    /// The whole message.
    pub message: String,
    /// Whether the host has signed it with the person's key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub signed: bool,
    /// The times of authorship and commit, in seconds since 1970, if the commit states them.
    #[serde(skip)]
    pub(super) seconds: [Option<i64>; 2],
}

impl CommitLine {
    /// The first seven digits of the id.
    pub fn short_id(&self) -> String {
        self.id.to_hex_with_len(7).to_string()
    }

    /// Bytes of its texts.
    fn bytes(&self) -> usize {
        let CommitLine { author, date, committer, committer_date, subject, message, .. } = self;
        [author, date, committer, committer_date, subject, message].into_iter().map(String::len).sum()
    }
}

/// Content or a path that a new commit holds and the final tree does not.
#[derive(Debug, Clone, Serialize)]
pub struct IntermediateFile {
    /// The commit that adds it.
    #[serde(serialize_with = "words::hex")]
    pub commit: ObjectId,
    /// The change of that commit against its first parent.
    pub change: FileChange,
}

/// Reads the commits, oldest first.
pub(super) fn lines(reader: &mut Reader<'_>, commits: &[NewCommit]) -> Result<Vec<CommitLine>, Fault> {
    let (mut data, mut shown) = (Vec::new(), String::new());
    let mut lines = Vec::with_capacity(commits.len());
    for NewCommit { id, .. } in commits {
        reader.objects.find(id, &mut data)?;
        let commit = Commit::parse(&data).map_err(|broken| broken.of(Kind::Commit, id))?;
        let subject = text::utf8(commit.subject()).into_owned();
        let line = CommitLine {
            id: *id,
            parents: commit.parents,
            author: words::person(commit.author),
            date: words::date(commit.author),
            committer: words::person(commit.committer),
            committer_date: words::date(commit.committer),
            subject,
            message: text::utf8(commit.message).into_owned(),
            signed: signature::is_signed(&data),
            seconds: [commit.author, commit.committer].map(|who| words::seconds(who)),
        };
        shown.clear();
        screens::log_entry(&mut shown, &line);
        reader.take((line.bytes() + shown.len()) as u64)?;
        reader.leaks.commit(&line);
        lines.push(line);
    }
    Ok(lines)
}

/// The trees before and after a push, and their differences.
pub(super) struct Ends<'a> {
    pub base: Option<ObjectId>,
    pub new: ObjectId,
    pub deltas: &'a [Delta],
    /// Objects that the host supplied. They hide no secret, wherever they are.
    pub supplied: &'a Supplied,
}

/// The intermediate results of a push's commits.
#[derive(Default)]
pub(super) struct OnTheWay {
    /// Everything that a new commit adds and that neither the final diff shows nor the base has.
    pub files: Vec<IntermediateFile>,
    /// Every path that a new commit changes, even if a later commit reverts it.
    pub touched: BTreeSet<BString>,
}

/// Examines every new commit by itself.
pub(super) fn intermediate(
    reader: &mut Reader<'_>,
    commits: &[NewCommit],
    ends: &Ends<'_>,
    bounds: &mut Bounds,
) -> Result<OnTheWay, Fault> {
    let shown: HashSet<(&BString, (Mode, ObjectId))> =
        ends.deltas.iter().filter_map(|delta| delta.new.map(|new| (&delta.path, new))).collect();
    let mut trees = Trees::of(reader.objects, commits);
    let (mut suspects, mut touched) = (Vec::new(), BTreeSet::new());
    for commit in commits {
        for delta in brought(&mut trees, commit, bounds)? {
            if !touched.contains(&delta.path) {
                touched.insert(delta.path.clone());
            }
            if delta.new.is_some_and(|new| !shown.contains(&(&delta.path, new))) {
                suspects.push((commit.id, delta));
            }
        }
    }
    if suspects.is_empty() {
        return Ok(OnTheWay { files: Vec::new(), touched });
    }
    // Content of the base or the final tree at this path is not hidden. Nor is content that the host supplied, if it is for a file of the
    // same kind.
    let mut open = Known::default();
    for tree in [ends.base, Some(ends.new)] {
        open.add(reader.objects, tree, bounds)?;
    }
    let (mut files, mut listed) = (Vec::new(), HashSet::new());
    for (commit, delta) in suspects {
        let (mode, id) = delta.new.expect("suspects are what a commit brings");
        let known = open.files.get(&delta.path).is_some_and(|versions| {
            versions.iter().any(|known| *known == (mode, id) || known.0 == mode && ends.supplied.contains(&id))
        });
        if !known && listed.insert((delta.path.clone(), mode, id)) {
            files.push(IntermediateFile { commit, change: reader.change(&delta, Some(commit))? });
        }
    }
    Ok(OnTheWay { files, touched })
}

/// The most commits of a push that are shown one by one, the most files in all of them, and the most bytes of their patches.
const STEPS: usize = 100;
const STEP_FILES: usize = 5_000;
const STEP_BYTES: u64 = 64 << 20;

/// What each commit changes, oldest first; none if there is one commit, which is the push, or more than a person goes through one by one.
pub(super) fn steps(
    reader: &mut Reader<'_>,
    commits: &[NewCommit],
    mut bounds: Bounds,
) -> Result<Vec<Vec<FileChange>>, Fault> {
    if !(2..=STEPS).contains(&commits.len()) {
        return Ok(Vec::new());
    }
    // What a review must show comes first, and this is only another way to look at it.
    let left = std::mem::replace(&mut reader.left, STEP_BYTES);
    let mut trees = Trees::of(reader.objects, commits);
    let (mut steps, mut files) = (Vec::with_capacity(commits.len()), 0);
    let mut step = |commit: &NewCommit| {
        let deltas = brought(&mut trees, commit, &mut bounds)?;
        files += deltas.len();
        if files > STEP_FILES {
            return Err(Fault::too_large("the commits change more files than can be shown one by one"));
        }
        deltas.iter().map(|delta| reader.change_again(delta)).collect::<Result<Vec<_>, _>>()
    };
    let found = commits.iter().try_for_each(|commit| step(commit).map(|step| steps.push(step)));
    reader.left = left;
    match found {
        Err(fault) if fault.kind == FaultKind::TooLarge => Ok(Vec::new()),
        found => found.map(|()| steps),
    }
}

/// The changes of a commit against its first parent, without those it takes from another parent.
fn brought(trees: &mut Trees<'_>, commit: &NewCommit, bounds: &mut Bounds) -> Result<Vec<Delta>, Fault> {
    let parents = trees.of_all(&commit.parents)?;
    let mut deltas = diff::diff(trees.objects, parents.first().copied(), Some(commit.tree), bounds)?;
    for other in parents.into_iter().skip(1) {
        let against = diff::diff(trees.objects, Some(other), Some(commit.tree), bounds)?;
        let differs: HashSet<&BString> = against.iter().map(|delta| &delta.path).collect();
        deltas.retain(|delta| differs.contains(&delta.path));
    }
    Ok(deltas)
}

/// The files of some trees.
#[derive(Default)]
struct Known {
    /// With modes: a file that is a symlink in one commit is a symlink for everybody who checks out that commit.
    files: HashMap<BString, Vec<(Mode, ObjectId)>>,
}

impl Known {
    fn add(&mut self, objects: &dyn Objects, tree: Option<ObjectId>, bounds: &mut Bounds) -> Result<(), Fault> {
        for delta in diff::diff(objects, None, tree, bounds)? {
            let version = delta.new.expect("against nothing everything is new");
            self.files.entry(delta.path).or_default().push(version);
        }
        Ok(())
    }
}

/// The misleading parts of a commit's texts.
pub(super) fn found(line: &CommitLine) -> text::Found {
    text::Found::of(&[&*line.author, &line.committer, &line.message].join("\n"))
}

/// Whether a mode is that of an executable file.
pub(super) fn runs(mode: u32) -> bool {
    mode == Mode::Executable.value()
}
