//! What a person can do about an error. Every body has its own words for it: the command line names
//! a command, a page has a button.

use serde::Serialize;

/// Something that a person can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
pub enum Act {
    /// Answer the waiting call whose id begins so.
    Review {
        /// The name of its sandbox.
        sandbox: String,
        /// The first characters of its id.
        id: String,
    },
    /// See which calls wait.
    ListWaiting,
    /// Give more of a waiting call's id.
    LengthenId,
    /// Look at a sandbox, which settles what was interrupted.
    Status {
        /// Its name, unless it is the one that is in use.
        sandbox: Option<String>,
    },
    /// Mark a push as settled.
    Settle {
        /// The name of its sandbox.
        sandbox: String,
        /// The branch that it went to.
        branch: String,
    },
    /// Look at a sandbox, and mark a push as settled if that does not settle it.
    LookThenSettle {
        /// The name of the sandbox.
        sandbox: String,
        /// The branch that the push went to.
        branch: String,
    },
    /// Remove the sandbox.
    RemoveSandbox,
    /// Get back the sandbox's settings, which are written once.
    RestoreSettings,
    /// Check a policy file.
    CheckPolicy,
    /// See which tools there are.
    ListTools,
    /// Push to a server.
    PushToServer,
    /// Push to another branch of the server than the one that changes are proposed to.
    PushToOwnBranch,
}

/// What to do: a sentence that may have one act in it. Only a body can put it into words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hint {
    text: String,
    /// The act, and where it belongs in the text.
    act: Option<Box<(usize, Act)>>,
}

impl Hint {
    /// A sentence with an act between the two texts.
    pub fn new(before: &str, act: Act, after: &str) -> Self {
        Hint { text: format!("{before}{after}"), act: Some(Box::new((before.len(), act))) }
    }

    /// Whether nothing can be done.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.act.is_none()
    }

    /// The act in it.
    pub fn act(&self) -> Option<&Act> {
        self.act.as_deref().map(|(_, act)| act)
    }

    /// The sentence. `act` gives a body's clause for an act, such as "review it".
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
