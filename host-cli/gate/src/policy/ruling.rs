//! What a policy says of a call, and why.

use std::fmt;

use serde::Serialize;

use super::rule::RuleName;
use crate::review::Severity;

/// What a policy says of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Go ahead.
    Allow,
    /// A person decides.
    Ask {
        /// How grave it is.
        severity: Severity,
        /// Why they are asked, a sentence each.
        reasons: Vec<String>,
    },
    /// No, whoever approves.
    Deny {
        /// Why, one sentence.
        reason: String,
        /// What to do instead.
        hint: String,
    },
}

/// A verdict and what has decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// What is to be done.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What says so.
    pub by: By,
    /// Rules that would allow it, if something graver did not stand in their way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<RuleName>,
}

/// What has decided about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Only a person may call the tool.
    Mode,
    /// A rule of a file.
    Rule(RuleName),
    /// The branch is protected.
    Protected,
    /// The policy itself lies where a push goes.
    OwnPolicy,
    /// `gate`: what leaves the sandbox is asked about.
    Leaving,
    /// `strict`: what the tables mark is asked about.
    Marked,
    /// It can be undone, and no rule says otherwise.
    Undoable,
    /// It leaves the sandbox, and is decided about when it has been seen.
    Unseen,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Mode => f.write_str("only a person may call this tool"),
            By::Rule(name) => write!(f, "the rule {name}"),
            By::Protected => f.write_str("protected branches are always asked about"),
            By::OwnPolicy => f.write_str("pushes to where the policy lies are always asked about"),
            By::Leaving => f.write_str("what leaves the sandbox is asked about"),
            By::Marked => f.write_str("the policy strict asks for what is marked as needing approval"),
            By::Undoable => f.write_str("no rule speaks of it, and it can be undone"),
            By::Unseen => f.write_str("what leaves the sandbox is decided about when it has been seen"),
        }
    }
}
