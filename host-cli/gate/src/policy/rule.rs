//! One rule, and whether it applies to a call.
//!
//! **An allow rule must cover everything in a push. An ask or deny rule needs to match only part of
//! it.** A path of an allow rule must match every file, and one of a deny rule any file. A size is
//! the maximum that an allow rule covers, and the threshold that a deny rule needs exceeded. An
//! unknown fact matches no allow rule. Likewise an allow rule compares names exactly. Ask and deny
//! rules compare them as some filesystem might: without regard to case, invisible characters, and
//! dots and spaces at an end.

use std::{borrow::Cow, fmt};

use bstr::BStr;
use serde::Serialize;

use super::MOUNTED;
use super::facts::{Caller, Facts};
use crate::{
    glob,
    review::{Flag, Severity},
};

/// The effect of a rule. Deny wins over ask, and ask over allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The call needs no approval.
    Allow,
    /// A person decides.
    Ask,
    /// The call is refused, and nobody can approve it.
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

/// The identity of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleName {
    /// The name in the file, if it has one.
    pub name: Option<String>,
    /// The file's name for messages.
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

/// A rule. An absent or empty condition does not restrict it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its identity.
    pub name: RuleName,
    /// Its effect.
    pub effect: Effect,
    /// The reason that the asked person or the refused caller reads.
    pub reason: Option<String>,
    pub(super) bounds: Bounds,
}

/// The conditions of a rule.
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
    /// True if it applies to this call by the facts known so far.
    pub fn applies_to(&self, facts: &Facts<'_>) -> bool {
        let Bounds { tool, caller, target, branch, path, files, bytes, risk: _, flags: _ } = &self.bounds;
        let push = facts.push.as_ref();
        (tool.is_empty() || self.tool(tool, facts.tool))
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

    /// An allow rule for all tools is for gitgate's own: those of other servers are named as such.
    fn tool(&self, globs: &[String], tool: &str) -> bool {
        let is_mounted = tool.starts_with(MOUNTED);
        globs
            .iter()
            .filter(|glob| !self.allows() || is_mounted == glob.starts_with(MOUNTED))
            .any(|glob| self.glob(glob, tool.as_bytes()))
    }

    fn any(&self, globs: &[String], name: &[u8]) -> bool {
        globs.iter().any(|glob| self.glob(glob, name))
    }

    fn glob(&self, glob: &str, name: &[u8]) -> bool {
        if self.allows() { glob::matches(glob.as_bytes(), name) } else { glob::matches_alike(glob, name) }
    }

    fn paths(&self, globs: &[String], paths: &[Cow<'_, BStr>]) -> bool {
        let within = |path: &Cow<'_, BStr>| globs.iter().any(|glob| self.holds(glob, path));
        // A push without files matches no path condition: it may start a branch at a commit that
        // the target has.
        if self.allows() { !paths.is_empty() && paths.iter().all(within) } else { paths.iter().any(within) }
    }

    /// True if `glob` matches the path or a folder above it.
    fn holds(&self, glob: &str, path: &BStr) -> bool {
        let glob = glob.trim_end_matches('/');
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        ends.chain([path.len()]).any(|end| self.glob(glob, &path[..end])) || !self.allows() && self.is_below(glob, path)
    }

    /// True if the literal part of `glob` is in the folder `path`, or `path` is the root: naming a
    /// folder
    /// means everything in it.
    fn is_below(&self, glob: &str, path: &BStr) -> bool {
        let folders = glob::literal(glob);
        let folders = folders.match_indices('/').map(|(at, _)| &folders[..at]);
        path.is_empty() || folders.into_iter().any(|folder| glob::folded(folder.as_bytes()) == glob::folded(path))
    }

    fn size(&self, bound: u64, size: u64) -> bool {
        if self.allows() { size <= bound } else { size > bound }
    }

    /// Checks risk and flags. An allow rule without a risk covers only low ones.
    fn risk(&self, facts: &Facts<'_>) -> bool {
        let Bounds { risk, flags, .. } = &self.bounds;
        let named = |flag: &str| flags.iter().any(|name| name == flag);
        // The severity of `privileged` depends on the path, so naming the flag alone states no
        // severity.
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
