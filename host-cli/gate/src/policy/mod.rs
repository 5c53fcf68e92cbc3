//! Decides which calls need approval. The component describes a call; this folder decides.
//!
//! | file | what it holds |
//! |---|---|
//! | `facts` | the facts known about a call |
//! | `rule` | one rule, and whether it applies to a call |
//! | `file` | rules as a person writes them |
//! | `example` | a call as an example describes it |
//! | `ruling` | a policy's decision and its reason |
//!
//! The order of precedence: who may call the tool at all, deny rules, protected branches and
//! targets that hold the policy file, ask rules, allow rules, the base.

mod example;
mod facts;
mod file;
mod rule;
mod ruling;

use serde::{Deserialize, Serialize};

pub use self::{
    facts::{Caller, Facts, Marked, Mode, PushFacts, PushMode},
    file::{NotAPolicy, PolicyFile},
    rule::{Effect, Rule, RuleName},
    ruling::{By, Ruling, Verdict},
};
pub use crate::review::Severity;
use crate::{protected::Protected, secrets::Allowed, target::CanonicalTarget};

/// The tool that pushes commits, and the command that writes them to a file. They always ask, even
/// if the component says that they need not.
const LEAVES: [&str; 2] = ["git_push", EXPORT];

/// The name of the command `gitgate export` in rules. It is not a tool.
pub const EXPORT: &str = "export";

/// How the names of tools begin that another MCP server has, mounted by the person. What they do
/// happens outside the sandbox, and cannot be undone.
pub const MOUNTED: &str = "mcp__";

/// The policy for calls that no rule covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Asks only before something leaves the sandbox, because everything inside can be undone.
    #[default]
    Gate,
    /// Asks about every call that is marked as needing approval.
    Strict,
}

impl Base {
    /// All of them.
    pub const ALL: [Base; 2] = [Base::Gate, Base::Strict];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Base::Gate => "gate",
            Base::Strict => "strict",
        }
    }
}

/// The whole policy of one sandbox.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    base: Base,
    protected: Protected,
    rules: Vec<Rule>,
    allowed: Allowed,
    /// True if a rule may approve a push that nobody reviews. Only the person's configuration can
    /// set it, because a policy file may come with a project.
    unattended: bool,
}

impl Policy {
    /// Combines a base and the rules of all `files`. The first file that names a base sets it.
    pub fn new(base: Base, files: impl IntoIterator<Item = PolicyFile>, unattended: bool) -> Self {
        let (mut named, mut protected, mut rules) = (None, Vec::new(), Vec::new());
        let (mut secrets, mut secret_paths) = (Vec::new(), Vec::new());
        for file in files {
            named = named.or(file.base);
            protected.extend(file.protected);
            rules.extend(file.rules);
            secrets.extend(file.secrets);
            secret_paths.extend(file.secret_paths);
        }
        Policy {
            base: named.unwrap_or(base),
            protected: Protected::with(protected),
            rules,
            allowed: Allowed::new(secrets, secret_paths),
            unattended,
        }
    }

    /// The base policy.
    pub fn base(&self) -> Base {
        self.base
    }

    /// The protected branches.
    pub fn protected(&self) -> &Protected {
        &self.protected
    }

    /// Secrets that need no warning.
    pub fn allowed_secrets(&self) -> &Allowed {
        &self.allowed
    }

    /// All rules, for each file in the order of precedence.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// True if a rule may approve a push that nobody reviews.
    pub fn may_let_a_push_go(&self) -> bool {
        self.unattended
    }

    /// Decides about a call by the facts known so far.
    pub fn decide(&self, facts: &Facts<'_>) -> Ruling {
        let leaves = facts.push.is_some() || LEAVES.contains(&facts.tool);
        let applying = |effect| self.rules.iter().filter(move |rule| rule.effect == effect && rule.applies_to(facts));
        let allowing: Vec<RuleName> = applying(Effect::Allow).map(|rule| rule.name.clone()).collect();
        let ruling = |verdict, by, overruled| Ruling { verdict, by, overruled };
        let ask = |by, reasons: Vec<String>| {
            let severity = facts.risk().unwrap_or(if leaves { Severity::High } else { Severity::Medium });
            ruling(Verdict::Ask { severity, reasons }, by, allowing.clone())
        };
        if facts.mode == Mode::Manual && facts.caller == Caller::Agent {
            let reason = format!("{} is not permitted: only a person may call it", facts.tool);
            let hint = "ask the user to call it".to_owned();
            return ruling(Verdict::Deny { reason, hint }, By::Mode, Vec::new());
        }
        if let Some(rule) = applying(Effect::Deny).next() {
            let why = rule.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            let reason = format!("the policy denies this {}{why}", facts.tool);
            let hint = "do without it, or ask the user to change the rule".to_owned();
            return ruling(Verdict::Deny { reason, hint }, By::Rule(rule.name.clone()), allowing);
        }
        if leaves && facts.push.is_none() {
            return ruling(Verdict::Allow, By::Unseen, Vec::new());
        }
        let asking: Vec<(By, String)> = self.always_asks(facts).chain(applying(Effect::Ask).map(asks)).collect();
        if let Some((gravest, _)) = asking.first() {
            return ask(gravest.clone(), asking.iter().map(|(_, reason)| reason.clone()).collect());
        }
        if let Some(name) = allowing.first()
            && (!leaves || self.unattended)
        {
            return ruling(Verdict::Allow, By::Rule(name.clone()), Vec::new());
        }
        match facts.marked {
            _ if leaves => ask(By::Leaving, vec!["it leaves the sandbox".to_owned()]),
            _ if facts.tool.starts_with(MOUNTED) => ask(By::Mounted, vec!["another server makes it".to_owned()]),
            Some(marked) if self.base == Base::Strict => ask(By::Marked, vec![marked.summary.to_owned()]),
            _ => ruling(Verdict::Allow, By::Undoable, Vec::new()),
        }
    }

    /// Decides about a call that comes to calls of other tools. What is denied of one is denied of the whole. Who is asked about the
    /// whole is told the reasons of all.
    pub fn decide_whole(&self, whole: &Facts<'_>, parts: &[Facts<'_>]) -> Ruling {
        let mut ruling = self.decide(whole);
        for part in parts {
            let other = self.decide(part);
            match (&mut ruling.verdict, &other.verdict) {
                (Verdict::Deny { .. }, _) => break,
                (_, Verdict::Allow) => {}
                (Verdict::Allow, _) | (_, Verdict::Deny { .. }) => ruling = other,
                (Verdict::Ask { severity, reasons }, Verdict::Ask { severity: more, reasons: others }) => {
                    *severity = (*severity).max(*more);
                    let is_new = |reason: &&String| !reasons.contains(reason);
                    let new: Vec<String> = others.iter().filter(is_new).cloned().collect();
                    reasons.extend(new);
                    // A rule's reason is told even to who would be asked anyway.
                    if matches!(other.by, By::Rule(_)) && !matches!(ruling.by, By::Rule(_)) {
                        ruling.by = other.by;
                    }
                }
            }
        }
        ruling
    }

    /// The reasons to ask about a push whatever the rules say.
    fn always_asks(&self, facts: &Facts<'_>) -> impl Iterator<Item = (By, String)> {
        let push = facts.push.as_ref();
        let protected = push.filter(|push| self.protected.matches(&push.branch));
        let protected = protected.map(|push| (By::Protected, format!("{} is a protected branch", push.branch)));
        let own = push.filter(|push| push.holds_policy);
        let own = own.map(|_| (By::OwnPolicy, "the target holds this sandbox's policy file".to_owned()));
        protected.into_iter().chain(own)
    }
}

/// The reason that an ask rule gives.
fn asks(rule: &Rule) -> (By, String) {
    let reason = match &rule.reason {
        Some(reason) => format!("the rule {} applies: {reason}", rule.name),
        None => format!("the rule {} applies", rule.name),
    };
    (By::Rule(rule.name.clone()), reason)
}

/// Decides whether `caller` may name `target`, as a source or a destination. A person may name any;
/// an agent only `own`, the targets that the sandbox was made with.
pub fn may_name(caller: Caller, target: &CanonicalTarget, own: &[CanonicalTarget]) -> Verdict {
    if caller == Caller::User || own.contains(target) {
        return Verdict::Allow;
    }
    let own: Vec<String> = own.iter().map(ToString::to_string).collect();
    Verdict::Deny {
        reason: format!("the target {target} is not one of the sandbox's targets"),
        hint: match own.as_slice() {
            [] => "ask the user to name a target: this sandbox has none".to_owned(),
            own => format!("use {}", own.join(" or ")),
        },
    }
}
