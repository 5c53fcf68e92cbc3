//! Who is asked, and about what. The component says what a call is; this file decides.

use serde::{Deserialize, Serialize};

pub use crate::review::Severity;
use crate::target::CanonicalTarget;

/// A built-in policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Asks only for what leaves the sandbox: everything inside can be undone.
    #[default]
    Gate,
    /// Asks for every call that is marked as needing approval.
    Strict,
}

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A model, or anything that is not known to be a person.
    Agent,
    /// The person whose sandbox it is.
    User,
}

/// What a call is, by the component's tables, and who makes it, by the host's own knowledge.
#[derive(Debug, Clone)]
pub struct CallFacts<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Who may call it.
    pub mode: Mode,
    /// Who does. The host fills it in; it is never taken from the call.
    pub caller: Caller,
    /// The call changes something.
    pub side_effecting: bool,
    /// The tables mark it as needing approval.
    pub requires_approval: bool,
    /// How grave it is.
    pub risk: Severity,
    /// One line that says what it does.
    pub summary: &'a str,
    /// Something leaves the sandbox by it.
    pub leaves_sandbox: bool,
}

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

/// The tool that moves commits out. It always asks, even if the component should say that it need not.
const PUSH: &str = "git_push";

impl Policy {
    /// Decides about a call, before it runs.
    pub fn decide(self, call: &CallFacts<'_>) -> Verdict {
        if call.mode == Mode::Manual && call.caller == Caller::Agent {
            return Verdict::Deny {
                reason: format!("{} is not permitted: only a person may call it", call.tool),
                hint: "say what you would like done and let the user call it".to_owned(),
            };
        }
        let mut reasons = Vec::new();
        if call.leaves_sandbox || call.tool == PUSH {
            reasons.push(format!("Leaves the sandbox: {}", call.summary));
        } else if self == Policy::Strict && call.requires_approval {
            reasons.push(call.summary.to_owned());
        }
        if reasons.is_empty() { Verdict::Allow } else { Verdict::Ask { severity: call.risk, reasons } }
    }
}

/// Decides whether `caller` may name `target`, as a source or a destination. A person may name any; an
/// agent only `own`, the targets that the sandbox was made with.
pub fn may_name(caller: Caller, target: &CanonicalTarget, own: &[CanonicalTarget]) -> Verdict {
    if caller == Caller::User || own.contains(target) {
        return Verdict::Allow;
    }
    let own: Vec<String> = own.iter().map(ToString::to_string).collect();
    Verdict::Deny {
        reason: format!("the target {target} is not one of this sandbox"),
        hint: match own.as_slice() {
            [] => "this sandbox has no target; let the user name one".to_owned(),
            own => format!("use {}", own.join(" or ")),
        },
    }
}
