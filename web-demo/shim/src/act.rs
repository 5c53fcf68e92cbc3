//! What a person can do, in words that hold wherever JavaScript runs.

use ::host::hint::{Act, Hint};
use gate::forge::Forge;

/// The act as a clause.
pub fn act(act: &Act) -> String {
    match act {
        Act::Review { .. } => "review it".to_owned(),
        Act::ListWaiting => "list the waiting calls".to_owned(),
        Act::LengthenId => "give more characters of the id".to_owned(),
        Act::Status { .. } => "look at the sandbox's status".to_owned(),
        Act::Settle { branch, .. } => format!("mark the push to {branch} as settled"),
        Act::LookThenSettle { branch, .. } => format!(
            "look at the sandbox's status: that tries to settle the push and says what blocks it. If you cannot fix \
             that, check the branch and mark the push to {branch} as settled"
        ),
        Act::RemoveSandbox => "remove the sandbox".to_owned(),
        Act::RestoreSettings => "restore the sandbox's settings from a backup".to_owned(),
        Act::CheckPolicy => "try again".to_owned(),
        Act::ListTools => "look at the list of tools".to_owned(),
        Act::PushToServer => format!("push to a branch on {}", Forge::names(Forge::with_change_requests())),
        Act::PushToOwnBranch => "push to a branch of its own".to_owned(),
    }
}

/// The hint as a sentence.
pub fn words(hint: &Hint) -> String {
    hint.words(act)
}
