//! The host's answers to a tool's questions.

use crate::error::{ErrorKind, Stop, ToolError};
use crate::question::{Key, Question, Target};

/// The host's answer to one question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The call may continue.
    Approved,
    /// A person rejected the call, for this reason.
    Rejected(String),
    /// The refs of a target.
    Refs(Refs),
    /// The ref has moved. The sandbox must record this fact.
    Landed(Landed),
    /// The host could not move the ref, because somebody else had moved it first.
    Conflict(Conflict),
    /// A person wants the push otherwise.
    Changes(Changes),
    /// The comments that are open.
    Comments(Vec<Comment>),
    /// The commits are to be pushed with these signatures, parents first.
    Signatures(Vec<CommitSignature>),
    /// The missing objects have arrived. They are in the tree when the host repeats the call.
    Fetched(Fetched),
    /// The host could not do what the question asks.
    Failed(ToolError),
}

/// The refs of a target.
#[derive(Clone, Debug)]
pub struct Refs {
    /// The target's canonical name.
    pub target: String,
    /// The full name of the branch that HEAD names. It may have no commit yet.
    pub head: Option<String>,
    /// Sorted by name.
    pub references: Vec<Reference>,
}

impl Refs {
    /// The object that the ref with the full name `name` points to.
    pub fn get(&self, name: &str) -> Option<gix::ObjectId> {
        self.references.iter().find(|reference| reference.name == name).map(|reference| reference.id)
    }
}

/// A ref of a target.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The full name.
    pub name: String,
    /// The object that the ref points to.
    pub id: gix::ObjectId,
    /// If the object is a tag, the object that it peels to.
    pub peeled: Option<gix::ObjectId>,
}

/// A ref that has moved.
#[derive(Clone, Debug)]
pub struct Landed {
    /// The target, as the host named it.
    pub target: String,
    /// The full name of the ref.
    pub reference: String,
    /// The commit before the move.
    pub old: Option<gix::ObjectId>,
    /// The commit after the move.
    pub new: gix::ObjectId,
}

/// Why the host could not move a ref.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// `non-fast-forward` or `other`.
    pub reason: String,
    /// The message for a person.
    pub message: String,
    /// The commit that the ref points to now.
    pub target_head: Option<gix::ObjectId>,
}

/// What a person wants otherwise in a push.
#[derive(Clone, Debug)]
pub struct Changes {
    /// May be empty.
    pub reason: String,
    /// The comments that are open, in the order in which they were made.
    pub comments: Vec<Comment>,
}

/// What a person says about a push.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Sixteen hex digits.
    pub id: String,
    /// The target, as the host named it.
    pub target: String,
    /// The full name of the ref.
    pub reference: String,
    /// The head of the push that it was made on.
    pub commit: gix::ObjectId,
    /// A path from the top of the repository. `None` if it is about the whole push.
    pub path: Option<String>,
    /// Some lines of the file.
    pub lines: Option<CommentLines>,
    /// Whether the push is not approved without it.
    pub must: bool,
    /// The person's words.
    pub text: String,
    /// Who said it.
    pub by: String,
    /// Seconds since the Unix epoch.
    pub at: u64,
    /// What was said to it, in order.
    pub replies: Vec<CommentReply>,
}

/// The lines that a comment is about.
#[derive(Clone, Debug)]
pub struct CommentLines {
    /// Whether they are lines of the file as it was.
    pub old: bool,
    /// The first of them, from 1.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// The lines themselves.
    pub texts: Vec<String>,
}

/// What was said to a comment.
#[derive(Clone, Debug)]
pub struct CommentReply {
    /// Who said it.
    pub by: String,
    /// Whether it is the agent's own.
    pub agent: bool,
    /// What.
    pub text: String,
    /// Seconds since the Unix epoch.
    pub at: u64,
}

/// A signature of a commit by a person's key.
#[derive(Clone, Debug)]
pub struct CommitSignature {
    /// The commit without it.
    pub commit: gix::ObjectId,
    /// Its lines, each with its end.
    pub text: String,
}

/// Fetched packs.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// Packs with their indexes, as attachments.
    pub packs: Vec<AttachedPack>,
    /// Commits in the packs whose parents the host left out.
    pub shallow: Vec<gix::ObjectId>,
}

/// A pack and its index, by the SHA-256 of the attachments.
#[derive(Clone, Copy, Debug)]
pub struct AttachedPack {
    /// The pack.
    pub pack: [u8; 32],
    /// Its index.
    pub index: [u8; 32],
}

/// All answers that the host has given to one call.
#[derive(Clone, Debug, Default)]
pub struct Answers(Vec<(Key, Answer)>);

impl Answers {
    /// Adds an answer. It replaces an earlier one to the same question.
    pub fn add(&mut self, key: Key, answer: Answer) {
        self.0.push((key, answer));
    }

    /// The ref that this call has moved. Once a ref has moved, the call can only record that.
    pub fn landed(&self) -> Option<&Landed> {
        self.0.iter().rev().find_map(|(_, answer)| match answer {
            Answer::Landed(landed) => Some(landed),
            _ => None,
        })
    }

    /// All packs fetched for this call.
    pub fn fetched(&self) -> impl Iterator<Item = &Fetched> {
        self.0.iter().filter_map(|(_, answer)| match answer {
            Answer::Fetched(fetched) => Some(fetched),
            _ => None,
        })
    }

    /// The signatures that this call's push was answered with, parents first. Empty if the person signs nothing.
    pub fn signatures(&self) -> &[CommitSignature] {
        let found = self.0.iter().rev().find_map(|(_, answer)| match answer {
            Answer::Signatures(signatures) => Some(&signatures[..]),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The refs of `target`, if this call asked for them.
    pub fn refs_of(&self, target: &str) -> Option<&Refs> {
        self.0.iter().rev().find_map(|(_, answer)| match answer {
            Answer::Refs(refs) if refs.target == target => Some(refs),
            _ => None,
        })
    }

    /// The refs of the target `place`, which the call asks for if it has no answer yet.
    pub fn refs(&self, place: Target) -> Result<&Refs, Stop> {
        match self.get(Question::Refs(place))? {
            Answer::Refs(refs) => Ok(refs),
            _ => Err(ToolError::failed("The host did not answer a question about refs with refs").into()),
        }
    }

    /// The answer to `question`. Without one, the call stops to ask it. A rejection always ends the
    /// call.
    pub fn get(&self, question: Question) -> Result<&Answer, Stop> {
        let key = question.key();
        match self.0.iter().rev().find(|(answered, _)| *answered == key) {
            None => Err(Stop::Ask(Box::new(question))),
            Some((_, Answer::Rejected(reason))) => Err(rejected(reason).into()),
            Some((_, Answer::Failed(error))) => Err(error.clone().into()),
            Some((_, answer)) => Ok(answer),
        }
    }
}

fn rejected(reason: &str) -> ToolError {
    let message = match reason {
        "" => "Rejected by the user".to_owned(),
        reason => format!("Rejected by the user: {reason}"),
    };
    ToolError::new(ErrorKind::Rejected(reason.to_owned()), message)
        .hint("Nothing has changed. Ask the user what to do differently. Do not repeat the same call.")
}
