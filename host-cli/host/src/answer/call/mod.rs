//! A call of a tool, and how it ends.
//!
//! | file | what it has |
//! |---|---|
//! | `heard` | a call in the sandbox's own names, whatever the caller calls tools, arguments and files |
//! | `paths` | the files that a call names, and their names outside |
//! | `following` | the push that a script asks for, as a call behind it |
//! | `run` | a call from its beginning to its end |
//! | `invocation` | one invocation of the component, with what is known so far |
//! | `questions` | the loop over its questions |
//! | `suspend` | what a call needs from its body, and what it is given |
//! | `record` | a call as the audit log keeps it |

pub(crate) mod following;
pub(crate) mod heard;
pub(crate) mod invocation;
pub(crate) mod paths;
pub(crate) mod questions;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod suspend;

use dialect::Dialect;
use gate::approval::Proposal;
use gate::digest::Digest;
use gate::policy::Caller;

use crate::answer::call::following::{AGAIN, Script};
use crate::hint::Hint;
use crate::store::{Inside, Topic};
use crate::wit;

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
    /// Who makes it, as the host knows.
    pub caller: Caller,
    /// The names that the caller's own tools have, if the caller says so. The call may use those of any dialect.
    pub dialect: Option<Dialect>,
    /// Bytes of text that the caller can take. The sandbox's limit and the call's own count only below it.
    pub max_bytes: Option<u64>,
}

impl Call {
    /// A call by a caller of no known dialect and without limits of its own.
    pub fn new(tool: impl Into<String>, arguments: impl Into<String>, caller: Caller) -> Self {
        Call { tool: tool.into(), arguments: arguments.into(), caller, dialect: None, max_bytes: None }
    }
}

/// The end of a call.
#[derive(Debug)]
pub enum Reply {
    /// The tool ran to its end, with a result or an error.
    Done(Result<wit::ToolResult, wit::ToolError>),
    /// Nobody approved it, and nothing has changed.
    NotApproved(Box<NotApproved>),
}

impl Reply {
    /// The same for whoever made the call as an agent: it says what waits, but not how to answer it.
    pub fn for_agent(self) -> Self {
        let Reply::NotApproved(mut not) = self else { return self };
        if not.waits {
            not.hint =
                "Tell the user that it waits for their approval, and make the same call again after that.".into();
        }
        if let Some(push) = &mut not.push {
            push.digest = None;
        }
        match not.script.take() {
            Some(script) if not.waits => script.and_waits(&not, AGAIN),
            Some(script) => script.and_waits(&not, &not.hint.words(|_| String::new())),
            None => Reply::NotApproved(not),
        }
    }
}

/// A call that needs an approval it did not get.
#[derive(Clone, Debug)]
pub struct NotApproved {
    /// Why it is not approved.
    pub reason: String,
    /// How to approve it.
    pub hint: Hint,
    /// True if it is kept for a person to answer.
    pub waits: bool,
    /// The push, if it is one.
    pub push: Option<ShownPush>,
    /// Where the push goes, by which comments on it are kept.
    pub topic: Option<Topic>,
    /// The call, if it stays inside the sandbox.
    pub inside: Option<Inside>,
    /// The script that has run and made this push. Only the push waits.
    pub script: Option<Box<Script>>,
}

impl NotApproved {
    /// A call that nobody could be asked about.
    pub(crate) fn unasked(reason: String, hint: impl Into<Hint>) -> Self {
        NotApproved { reason, hint: hint.into(), waits: false, push: None, topic: None, inside: None, script: None }
    }
}

/// A push as printed where nobody can be asked.
#[derive(Clone, Debug)]
pub struct ShownPush {
    /// What an approval must name, for who may approve.
    pub digest: Option<Digest>,
    /// The repository.
    pub target: String,
    /// The branch there.
    pub branch: String,
    /// A line for each file.
    pub summary: String,
    /// The number of files, and of lines in all of them.
    pub total: String,
    /// A line for each risk.
    pub warnings: String,
    /// The branch that it makes, if it makes one.
    pub new_branch: Option<String>,
    /// Every commit with its message, and everything that would change.
    pub whole: String,
    /// The whole review, for programs.
    pub review: serde_json::Value,
}

impl ShownPush {
    /// What a person would be shown.
    pub(crate) fn of(proposal: &Proposal) -> Self {
        let review = proposal.review();
        ShownPush {
            digest: Some(proposal.digest()),
            target: review.target.to_string(),
            branch: review.reference.branch().to_owned(),
            summary: review.summary(),
            total: review.total(),
            warnings: review.warnings(),
            new_branch: review.new_branch.then(|| review.reference.branch().to_owned()),
            whole: review.whole_by_path(),
            review: serde_json::to_value(review).expect("a review has only string keys"),
        }
    }
}
