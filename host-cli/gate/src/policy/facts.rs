//! What is known of a call when it is decided about.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use serde::{Deserialize, Serialize};

use crate::review::{Review, Severity};

/// Who may call a tool at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Agents and people.
    Both,
    /// Only people.
    Manual,
}

/// Who may begin a push. Whoever does, a person approves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PushMode {
    /// Only people.
    #[default]
    Manual,
    /// An agent may propose one.
    Assisted,
}

impl PushMode {
    /// Who may call the tool that pushes.
    pub fn of_tool(self) -> Mode {
        match self {
            PushMode::Manual => Mode::Manual,
            PushMode::Assisted => Mode::Both,
        }
    }
}

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// A model, or anything that is not known to be a person.
    Agent,
    /// The person whose sandbox it is.
    User,
}

/// What is known of a call so far. It is decided about more than once: before it runs, when the component says what it is and where it
/// goes, and when everything that would leave has been seen. A rule that needs more than is known waits.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Who may call it.
    pub mode: Mode,
    /// Who does. The host fills it in; it is never taken from the call.
    pub caller: Caller,
    /// What the component's tables say of it, once it has said so.
    pub marked: Option<Marked<'a>>,
    /// The repository that it concerns, in its canonical spelling.
    pub target: Option<Cow<'a, str>>,
    /// The files that it concerns, from the top of the repository.
    pub paths: Option<Vec<Cow<'a, BStr>>>,
    /// What would leave the sandbox.
    pub push: Option<PushFacts<'a>>,
}

/// A call that the tables mark as needing approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked<'a> {
    /// How grave it is.
    pub risk: Severity,
    /// One line that says what it does.
    pub summary: &'a str,
}

/// What a push would do.
#[derive(Debug, Clone)]
pub struct PushFacts<'a> {
    /// The branch's short name.
    pub branch: Cow<'a, str>,
    /// Files that change, in the end or on the way.
    pub files: u64,
    /// Bytes of their new contents.
    pub bytes: u64,
    /// The names of its flags, and how grave each is.
    pub flags: Vec<(Cow<'a, str>, Severity)>,
    /// Whether it goes where the policy lies, and could change it.
    pub holds_policy: bool,
}

impl<'a> Facts<'a> {
    /// A call that has not begun.
    pub fn of_call(tool: &'a str, mode: Mode, caller: Caller) -> Self {
        Facts { tool, mode, caller, marked: None, target: None, paths: None, push: None }
    }

    /// The same call, when what it pushes has been seen, and whether that goes where the policy lies.
    #[must_use]
    pub fn with_review(mut self, review: &'a Review, holds_policy: bool) -> Self {
        let intermediate = review.intermediate.iter().map(|file| &file.change);
        let files = || review.files.iter().chain(intermediate.clone());
        self.target = Some(review.target.to_string().into());
        let shown = files().map(|file| &file.path).filter(|path| !review.touched.contains(*path));
        self.paths = Some(review.touched.iter().chain(shown).map(|path| Cow::Borrowed(path.as_bstr())).collect());
        self.push = Some(PushFacts {
            branch: review.reference.branch().into(),
            files: self.paths.as_ref().map_or(0, Vec::len) as u64,
            bytes: files().filter_map(|file| file.new.as_ref()?.size).sum(),
            flags: review.flags.iter().map(|flag| (flag.name().into(), flag.severity())).collect(),
            holds_policy,
        });
        self
    }

    /// How grave it is: of a push its gravest flag.
    pub fn risk(&self) -> Option<Severity> {
        match &self.push {
            Some(push) => Some(push.flags.iter().map(|(_, severity)| *severity).max().unwrap_or(Severity::Low)),
            None => self.marked.map(|marked| marked.risk),
        }
    }
}
