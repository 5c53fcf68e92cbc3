//! The advice in an error. Every front end has its own words for it: the command line names a
//! command, a page has a button.

use serde::Serialize;

/// An act that a person can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
pub enum Act {
    /// Answer the waiting call whose id starts like this.
    Review {
        /// The name of its sandbox.
        sandbox: String,
        /// The first characters of its id.
        id: String,
    },
    /// List the waiting calls.
    ListWaiting,
    /// Give more characters of a waiting call's id.
    LengthenId,
    /// Inspect a sandbox, which settles interrupted pushes.
    Status {
        /// Its name, unless it is the current one.
        sandbox: Option<String>,
    },
    /// Mark a push as settled.
    Settle {
        /// The name of its sandbox.
        sandbox: String,
        /// The branch that it went to.
        branch: String,
    },
    /// Inspect a sandbox, and mark a push as settled if the inspection does not settle it.
    LookThenSettle {
        /// The name of the sandbox.
        sandbox: String,
        /// The branch that the push went to.
        branch: String,
    },
    /// Remove the sandbox.
    RemoveSandbox,
    /// Restore the sandbox's settings, which are written only once.
    RestoreSettings,
    /// Check a policy file.
    CheckPolicy,
    /// List the tools.
    ListTools,
    /// Push to a server.
    PushToServer,
    /// Push to a branch of the server other than the base of the proposal.
    PushToOwnBranch,
}

/// Advice: a sentence with at most one act. Only a front end can phrase the act.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hint {
    text: String,
    /// The act, and its place in the text.
    act: Option<Box<(usize, Act)>>,
}

impl Hint {
    /// A sentence with an act between the two texts.
    pub fn new(before: &str, act: Act, after: &str) -> Self {
        Hint { text: format!("{before}{after}"), act: Some(Box::new((before.len(), act))) }
    }

    /// Whether there is no advice.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.act.is_none()
    }

    /// The act in it.
    pub fn act(&self) -> Option<&Act> {
        self.act.as_deref().map(|(_, act)| act)
    }

    /// The sentence. `act` returns the front end's clause for an act, such as "review it".
    pub fn words(&self, act: impl FnOnce(&Act) -> String) -> String {
        let mut words = self.text.clone();
        if let Some((at, it)) = self.act.as_deref() {
            words.insert_str(*at, &act(it));
        }
        words
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Hint { text, act: None }
    }
}

impl From<Act> for Hint {
    fn from(act: Act) -> Self {
        Hint::new("", act, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_stands_where_it_was_put_in_the_words_of_a_body() {
        let button = |act: &Act| format!("press {act:?}");
        let hint = Hint::new("first ", Act::ListTools, ", then rest");
        assert_eq!(hint.words(button), "first press ListTools, then rest");
        assert_eq!(Hint::from(Act::CheckPolicy).words(button), "press CheckPolicy");
        assert_eq!(Hint::from("rest").words(button), "rest");
        assert!(Hint::default().is_empty() && !Hint::from(Act::ListTools).is_empty());
    }
}
