//! The facts that a decision about a call is based on.

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

/// Who may start a push. A person approves it in any case.
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
    /// An agent, or any caller not known to be a person.
    Agent,
    /// The person who owns the sandbox.
    User,
}

/// The facts known about a call so far. The policy decides several times: before the call runs,
/// when the component says what it is and where it goes, and when the content that would leave is
/// known. A rule that needs further facts does not apply yet.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Who may call it.
    pub mode: Mode,
    /// Who calls. The host fills it in and never takes it from the call.
    pub caller: Caller,
    /// The component's mark, once the component has given it.
    pub marked: Option<Marked<'a>>,
    /// The repository that it concerns, in its canonical spelling.
    pub target: Option<Cow<'a, str>>,
    /// The files that it concerns, from the top of the repository.
    pub paths: Option<Vec<Cow<'a, BStr>>>,
    /// The push, once its content is known.
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
    /// Files that change, in the end or in an intermediate commit.
    pub files: u64,
    /// Bytes of their new contents.
    pub bytes: u64,
    /// The names of its flags with their severities.
    pub flags: Vec<(Cow<'a, str>, Severity)>,
    /// True if the target holds the policy file, so that the push could change it.
    pub holds_policy: bool,
}

impl<'a> Facts<'a> {
    /// The facts about a call before it runs.
    pub fn of_call(tool: &'a str, mode: Mode, caller: Caller) -> Self {
        Facts { tool, mode, caller, marked: None, target: None, paths: None, push: None }
    }

    /// Adds the content of a push, and whether its target holds the policy file.
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

    /// The severity; for a push, that of its most severe flag.
    pub fn risk(&self) -> Option<Severity> {
        match &self.push {
            Some(push) => Some(push.flags.iter().map(|(_, severity)| *severity).max().unwrap_or(Severity::Low)),
            None => self.marked.map(|marked| marked.risk),
        }
    }
}
