//! One rule, and whether it speaks of a call.
//!
//! **An allow rule speaks of what lies wholly within its bounds; an ask or deny rule of whatever reaches into them.** So a path of an allow
//! rule must match every file, one of a deny rule any; a size is the most that is allowed, or what is exceeded; and what is not known
//! is within no bounds. In the same spirit names are what they are where a rule allows, and what a filesystem may take them for where it does
//! not: case, invisible characters, dots and spaces at an end play no part.

use std::{borrow::Cow, fmt};

use bstr::BStr;
use serde::Serialize;

use super::facts::{Caller, Facts};
use crate::{
    glob,
    review::{Flag, Severity},
};

/// What a rule says of a call. The gravest one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Nobody need be asked.
    Allow,
    /// A person is asked.
    Ask,
    /// It is not done, whoever approves.
    Deny,
}

impl Effect {
    /// The name of its table in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Allow => "allow",
            Effect::Ask => "ask",
            Effect::Deny => "deny",
        }
    }
}

/// How a rule is told from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleName {
    /// The name that the file gives it, if it does.
    pub name: Option<String>,
    /// The file, as the host calls it.
    pub file: String,
    /// The line where it begins.
    pub line: usize,
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "\"{name}\" ({}:{})", self.file, self.line),
            None => write!(f, "at {}:{}", self.file, self.line),
        }
    }
}

/// A rule. A condition that is `None` or empty is not one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// How it is told from others.
    pub name: RuleName,
    /// What it says.
    pub effect: Effect,
    /// Why, for whoever is asked or refused.
    pub reason: Option<String>,
    pub(super) bounds: Bounds,
}

/// What a rule speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub tool: Vec<String>,
    pub caller: Option<Caller>,
    pub target: Vec<String>,
    pub branch: Vec<String>,
    pub path: Vec<String>,
    pub files: Option<u64>,
    pub bytes: Option<u64>,
    pub risk: Option<Severity>,
    pub flags: Vec<String>,
}

impl Rule {
    /// Whether it speaks of this call, as far as that is known.
    pub fn speaks_of(&self, facts: &Facts<'_>) -> bool {
        let Bounds { tool, caller, target, branch, path, files, bytes, risk: _, flags: _ } = &self.bounds;
        let push = facts.push.as_ref();
        (tool.is_empty() || self.any(tool, facts.tool.as_bytes()))
            && caller.is_none_or(|caller| caller == facts.caller)
            && (target.is_empty() || facts.target.as_ref().is_some_and(|name| self.any(target, name.as_bytes())))
            && (branch.is_empty() || push.is_some_and(|push| self.any(branch, push.branch.as_bytes())))
            && (path.is_empty() || facts.paths.as_ref().is_some_and(|paths| self.paths(path, paths)))
            && files.is_none_or(|most| push.is_some_and(|push| self.size(most, push.files)))
            && bytes.is_none_or(|most| push.is_some_and(|push| self.size(most, push.bytes)))
            && self.risk(facts)
    }

    fn allows(&self) -> bool {
        self.effect == Effect::Allow
    }

    fn any(&self, globs: &[String], name: &[u8]) -> bool {
        globs.iter().any(|glob| self.glob(glob, name))
    }

    fn glob(&self, glob: &str, name: &[u8]) -> bool {
        if self.allows() { glob::matches(glob.as_bytes(), name) } else { glob::matches_alike(glob, name) }
    }

    fn paths(&self, globs: &[String], paths: &[Cow<'_, BStr>]) -> bool {
        let within = |path: &Cow<'_, BStr>| globs.iter().any(|glob| self.holds(glob, path));
        // What names no file is within no bounds: a branch that begins at a commit which the target has.
        if self.allows() { !paths.is_empty() && paths.iter().all(within) } else { paths.iter().any(within) }
    }

    /// Whether `glob` matches the path or a folder that it is in.
    fn holds(&self, glob: &str, path: &BStr) -> bool {
        let glob = glob.trim_end_matches('/');
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        ends.chain([path.len()]).any(|end| self.glob(glob, &path[..end])) || !self.allows() && self.is_below(glob, path)
    }

    /// Whether what `glob` names literally is in the folder `path`, or that is the root: whoever names a folder means all of it.
    fn is_below(&self, glob: &str, path: &BStr) -> bool {
        let folders = glob::literal(glob);
        let folders = folders.match_indices('/').map(|(at, _)| &folders[..at]);
        path.is_empty() || folders.into_iter().any(|folder| glob::folded(folder.as_bytes()) == glob::folded(path))
    }

    fn size(&self, bound: u64, size: u64) -> bool {
        if self.allows() { size <= bound } else { size > bound }
    }

    /// How grave it is, and why. Where an allow rule says nothing of it, only what is good to know is within its bounds.
    fn risk(&self, facts: &Facts<'_>) -> bool {
        let Bounds { risk, flags, .. } = &self.bounds;
        let named = |flag: &str| flags.iter().any(|name| name == flag);
        // What `privileged` is about is graver or less grave by its path: whoever names the flag has not said how grave.
        let exempt =
            |flag: &str, severity| named(flag) && (Flag::severity_of(flag).is_some() || severity < Severity::High);
        if !self.allows() {
            return risk.is_none_or(|least| facts.risk().is_some_and(|risk| risk >= least))
                && (flags.is_empty()
                    || facts.push.as_ref().is_some_and(|push| push.flags.iter().any(|(flag, _)| named(flag))));
        }
        match &facts.push {
            Some(push) => {
                let most = risk.unwrap_or(Severity::Low);
                push.flags.iter().all(|(flag, severity)| *severity <= most || exempt(flag, *severity))
            }
            // Inside, everything can be undone.
            None => flags.is_empty() && risk.is_none_or(|most| facts.risk().is_some_and(|risk| risk <= most)),
        }
    }
}
