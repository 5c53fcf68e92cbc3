//! Errors in words, as they are told to a person, a program or a model.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::call::NotApproved;
use crate::error::HostError;
use crate::hint::Hint;
use crate::wit::{ErrorKind, ToolError};

/// An error in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Words {
    /// For programs.
    pub kind: String,
    /// One sentence.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// Further fields of some kinds.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Words {
    /// Without further fields.
    pub fn new(kind: &str, message: &str, hint: &str) -> Self {
        Words { kind: kind.to_owned(), message: message.to_owned(), hint: hint.to_owned(), more: Map::new() }
    }

    /// An error of the host, with the hint in the `words` of a body.
    pub fn of_host(error: &HostError, words: impl Fn(&Hint) -> String) -> Self {
        Words::new(error.kind.name(), &error.message, &words(&error.hint))
    }

    /// A tool's error: `ms` and `partial` of one that took too long, `reason` of one that was rejected.
    pub fn of_tool(error: &ToolError) -> Self {
        let mut words = Words::new(error.kind.name(), &error.message, &error.hint);
        match &error.kind {
            ErrorKind::Timeout(timeout) => {
                words.more.insert("ms".to_owned(), timeout.ms.into());
                words.more.insert("partial".to_owned(), timeout.partial.clone().into());
            }
            ErrorKind::Rejected(reason) => {
                words.more.insert("reason".to_owned(), reason.clone().into());
            }
            _ => {}
        }
        words
    }

    /// A missing approval. A push comes with its digest and review.
    pub fn of_unapproved(not: &NotApproved, words: impl Fn(&Hint) -> String) -> Self {
        let mut said = Words::new("not-approved", &not.reason, &words(&not.hint));
        if let Some(push) = &not.push {
            let lines = |text: &str| Value::from(text.lines().collect::<Vec<_>>());
            if let Some(digest) = &push.digest {
                said.more.insert("digest".to_owned(), digest.to_string().into());
            }
            said.more.insert("summary".to_owned(), lines(&push.summary));
            said.more.insert("warnings".to_owned(), lines(&push.warnings));
            said.more.insert("newBranch".to_owned(), push.new_branch.clone().into());
            said.more.insert("review".to_owned(), push.review.clone());
        }
        said
    }
}
