//! The keys that a question offers.

/// A key on offer: its name, and what it does.
pub(super) type Key = (&'static str, &'static str);

pub(super) const DIFF: Key = ("[d]iff", "d  show everything that would change");
pub(super) const APPROVE: Key = ("[a]pprove", "a  approve");
pub(super) const REJECT: Key = ("[r]eject", "r  reject, with a reason that the agent reads");
pub(super) const CHANGES: Key =
    ("[R]equest changes", "R  ask the agent for changes: it gets your words and every open comment");
pub(super) const WARNINGS: Key = ("[w]arnings", "w  list every warning");
pub(super) const EDIT: Key = ("[e]dit", "e  go through the hunks and leave some out, then be asked again");
pub(super) const MESSAGE: Key =
    ("[m]essage", "m  change the last commit's message in your editor, then be asked again");
pub(super) const REMEMBER: Key =
    ("[A]lways", "A  approve, and save a rule that approves similar calls; shows the rule first");
pub(super) const LATER: Key = (
    "[q] later",
    "q  leave without a decision, as Ctrl-D and Ctrl-C do; the same command asks again, or `gitgate review` if an agent asked",
);
pub(super) const HELP: Key = ("[?]help", "?  show this help");

/// Why a key does nothing here.
pub(super) fn why_not(key: &str) -> &'static str {
    match key {
        "w" | "warnings" => "There are no warnings.",
        "e" | "edit" | "m" | "message" => "Only what would leave the sandbox can be edited.",
        "A" => "No rule can be remembered for this: a person decides about it every time.",
        _ => "That is no key here.",
    }
}
