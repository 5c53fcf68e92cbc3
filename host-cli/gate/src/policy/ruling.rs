//! A policy's decision about a call, and its reason.

use std::fmt;

use serde::Serialize;

use super::rule::RuleName;
use crate::review::Severity;

/// A policy's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// The call needs no approval.
    Allow,
    /// A person decides.
    Ask {
        /// The severity.
        severity: Severity,
        /// The reasons to ask, one sentence each.
        reasons: Vec<String>,
    },
    /// The call is refused, and nobody can approve it.
    Deny {
        /// The reason, one sentence.
        reason: String,
        /// What to do instead.
        hint: String,
    },
}

/// A verdict and what decided it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What decided it.
    pub by: By,
    /// Allow rules that something stronger overruled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<RuleName>,
}

/// What decided about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Only a person may call the tool.
    Mode,
    /// A rule of a file.
    Rule(RuleName),
    /// The branch is protected.
    Protected,
    /// The push's target holds the policy file.
    OwnPolicy,
    /// `gate`: everything that leaves the sandbox needs approval.
    Leaving,
    /// Calls of tools that another server has need approval.
    Mounted,
    /// `strict`: calls that the tables mark need approval.
    Marked,
    /// The call can be undone, and no rule applies.
    Undoable,
    /// It leaves the sandbox, and is decided once its content is known.
    Unseen,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Mode => f.write_str("only a person may call this tool"),
            By::Rule(name) => write!(f, "the rule {name}"),
            By::Protected => f.write_str("protected branches always need approval"),
            By::OwnPolicy => f.write_str("pushes to the policy file's folder always need approval"),
            By::Leaving => f.write_str("whatever leaves the sandbox needs approval"),
            By::Mounted => f.write_str("calls that another server makes need approval"),
            By::Marked => f.write_str("the policy strict asks about calls that are marked as needing approval"),
            By::Undoable => f.write_str("no rule applies, and the call can be undone"),
            By::Unseen => f.write_str("the policy decides about a push once its content is known"),
        }
    }
}
