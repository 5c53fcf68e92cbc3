//! What the host found out, by the question that it answers.

use crate::error::{ErrorKind, Stop, ToolError};
use crate::question::{Key, Question, Target};

/// An answer of the host.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The call may go on.
    Approved,
    /// A person said no, with this reason.
    Rejected(String),
    /// The refs of a target.
    Refs(Refs),
    /// The ref has moved: a fact.
    Landed(Landed),
    /// The ref could not be moved as it has moved otherwise.
    Conflict(Conflict),
    /// What was lacking has come in. It is in the tree when the call is made again.
    Fetched(Fetched),
    /// The host could not do what was asked.
    Failed(ToolError),
}

/// The refs of a target.
#[derive(Clone, Debug)]
pub struct Refs {
    /// The target's one name.
    pub target: String,
    /// The full name of the branch that HEAD names, though it may have no commit yet.
    pub head: Option<String>,
    /// In the order of their names.
    pub references: Vec<Reference>,
}

impl Refs {
    /// What `name`, a full name, points to.
    pub fn get(&self, name: &str) -> Option<gix::ObjectId> {
        self.references.iter().find(|reference| reference.name == name).map(|reference| reference.id)
    }
}

/// A ref of a target.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its full name.
    pub name: String,
    /// What it points to.
    pub id: gix::ObjectId,
    /// For a tag object, what it peels to.
    pub peeled: Option<gix::ObjectId>,
}

/// A ref that has moved.
#[derive(Clone, Debug)]
pub struct Landed {
    /// The target, as the host named it.
    pub target: String,
    /// The full name of the ref.
    pub reference: String,
    /// What it was.
    pub old: Option<gix::ObjectId>,
    /// What it is.
    pub new: gix::ObjectId,
}

/// Why a ref could not be moved.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// `non-fast-forward` or `other`.
    pub reason: String,
    /// For a person.
    pub message: String,
    /// What the ref is now.
    pub target_head: Option<gix::ObjectId>,
}

/// Packs that came in.
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    /// Attachments: packs, each with its index.
    pub packs: Vec<AttachedPack>,
    /// Commits in them whose parents were left out.
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
    /// Adds an answer; a later one to the same question counts.
    pub fn add(&mut self, key: Key, answer: Answer) {
        self.0.push((key, answer));
    }

    /// Whether a ref has moved on account of this call: then everything else is settled.
    pub fn landed(&self) -> Option<&Landed> {
        self.0.iter().rev().find_map(|(_, answer)| match answer {
            Answer::Landed(landed) => Some(landed),
            _ => None,
        })
    }

    /// Everything that has come in on account of this call.
    pub fn fetched(&self) -> impl Iterator<Item = &Fetched> {
        self.0.iter().filter_map(|(_, answer)| match answer {
            Answer::Fetched(fetched) => Some(fetched),
            _ => None,
        })
    }

    /// The refs of `target`, if the host was asked for them.
    pub fn refs_of(&self, target: &str) -> Option<&Refs> {
        self.0.iter().rev().find_map(|(_, answer)| match answer {
            Answer::Refs(refs) if refs.target == target => Some(refs),
            _ => None,
        })
    }

    /// The refs of the target that `place` means.
    pub fn refs(&self, place: Target) -> Result<&Refs, Stop> {
        match self.get(Question::Refs(place))? {
            Answer::Refs(refs) => Ok(refs),
            _ => Err(ToolError::failed("The host answered a question about refs with something else").into()),
        }
    }

    /// The answer to `question`; without one, the call stops to ask it. A `no` ends the call in any case.
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
    ToolError::new(ErrorKind::Rejected { reason: reason.to_owned() }, message)
        .hint("Nothing has changed. Do not repeat the same call; ask what should be different.")
}
