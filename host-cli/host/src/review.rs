//! What a person says about the pushes to a branch, and what they have looked at, kept for every body of the sandbox.
//!
//! A comment is the person's until it is sent: then the agent is told of it, may answer it, and only a person settles it. What lands
//! settles what was said about it.

mod landing;

use gate::comment::{self, Comment, Place, Reply, Settled, Weight};
use gate::hex;
use gate::ledger::{Brief, CommentChange, CommentEvent, Record};
use gate::review::{ListedFile, Review, UnitKey};
use gate::seen::Seen;
use gix_hash::ObjectId;
use serde::Deserialize;

use crate::error::{ErrorKind, HostError, Result};
use crate::platform;
use crate::sandbox::Sandbox;
use crate::store::{Held, Topic};

pub(crate) use landing::{approved, landed};

/// The most comments on the pushes to a branch.
const MOST: usize = 1_000;
/// The most answers to one, of the agent and of persons.
const REPLIES: usize = 50;
/// Who an agent's answer is by.
pub const AGENT: &str = "the agent";

/// A comment that a person is about to make.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The head of the push that they look at.
    #[serde(deserialize_with = "commit")]
    pub commit: ObjectId,
    /// What it is about.
    pub place: Place,
    /// How much it asks for.
    #[serde(default = "must")]
    pub weight: Weight,
    /// What it says.
    pub text: String,
}

fn commit<'de, D: serde::Deserializer<'de>>(from: D) -> Result<ObjectId, D::Error> {
    comment::commit(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

fn must() -> Weight {
    Weight::Must
}

/// A change of a comment by a person.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "change", rename_all = "camelCase", deny_unknown_fields)]
pub enum Change {
    /// It is settled.
    Settle,
    /// It is open again.
    Reopen,
    /// It is taken back, which the agent must not have been told of.
    Withdraw,
    /// Something is said to it.
    Reply {
        /// What.
        text: String,
    },
}

/// What is kept about the pushes to a branch, for whoever shows one to a person. Nobody may hold the sandbox's lock.
pub struct Notes<'a> {
    sandbox: &'a Sandbox,
    topic: Topic,
}

impl<'a> Notes<'a> {
    /// Those about the push under `review`.
    pub fn of(sandbox: &'a Sandbox, review: &Review) -> Self {
        Notes { sandbox, topic: Topic { target: review.target.clone(), reference: review.reference.clone() } }
    }

    /// Who looks at the push.
    pub fn who(&self) -> String {
        self.sandbox.who()
    }

    /// The comments, in the order in which they were made.
    ///
    /// # Errors
    /// As for [`comments`].
    pub fn comments(&self) -> Result<Vec<Comment>> {
        comments(self.sandbox, &self.topic)
    }

    /// Makes a comment.
    ///
    /// # Errors
    /// As for [`add`].
    pub fn add(&self, draft: Draft) -> Result<Comment> {
        add(self.sandbox, &self.topic, draft)
    }

    /// Changes a comment.
    ///
    /// # Errors
    /// As for [`change`].
    pub fn change(&self, id: &str, how: &Change) -> Result<Comment> {
        change(self.sandbox, &self.topic, id, how)
    }

    /// Whether changes can be asked for with these words.
    ///
    /// # Errors
    /// As for [`ensure_asked`].
    pub fn ensure_asked(&self, reason: &str) -> Result<()> {
        ensure_asked(self.sandbox, Some(&self.topic), reason)
    }

    /// What was looked at.
    pub fn seen(&self) -> Seen {
        seen(self.sandbox, &self.topic)
    }

    /// Keeps what a person has looked at.
    ///
    /// # Errors
    /// As for [`look`].
    pub fn look(&self, looks: &[Look]) -> Result<Seen> {
        look(self.sandbox, &self.topic, looks)
    }
}

/// The comments on pushes to a branch.
///
/// # Errors
/// If they cannot be read.
pub fn comments(sandbox: &Sandbox, topic: &Topic) -> Result<Vec<Comment>> {
    sandbox.store.reviews.comments(topic)
}

/// Makes a comment.
///
/// # Errors
/// If it is empty or too long, or there are too many.
pub fn add(sandbox: &Sandbox, topic: &Topic, draft: Draft) -> Result<Comment> {
    let platform = sandbox.platform();
    let comment = Comment {
        id: hex::encode(&platform::random::<8>(&*platform)?),
        commit: draft.commit,
        place: draft.place.checked()?,
        weight: draft.weight,
        text: comment::text(&draft.text)?,
        by: sandbox.who(),
        at: platform.now().timestamp(),
        sent: false,
        replies: Vec::new(),
        settled: None,
        leaves: None,
    };
    let held = sandbox.store.lock.acquire()?;
    let mut all = sandbox.store.reviews.comments(topic)?;
    if all.len() >= MOST {
        return Err(HostError::new(ErrorKind::Refused, format!("there are {MOST} comments already"))
            .hint("settle or withdraw some first"));
    }
    record(sandbox, &held, topic, &comment, CommentChange::Made, &comment.text, &comment.by)?;
    all.push(comment.clone());
    sandbox.store.reviews.put_comments(&held, topic, &all)?;
    Ok(comment)
}

/// Changes the comment whose id begins with `id`. Gives it as it is then; one that was withdrawn, as it was.
///
/// # Errors
/// If there is no such comment, or it cannot be changed so.
pub fn change(sandbox: &Sandbox, topic: &Topic, id: &str, change: &Change) -> Result<Comment> {
    let held = sandbox.store.lock.acquire()?;
    let mut all = sandbox.store.reviews.comments(topic)?;
    let at = position(all.iter(), id)?;
    let (who, now) = (sandbox.who(), sandbox.platform().now().timestamp());
    let comment = &mut all[at];
    let (what, text) = match change {
        Change::Settle => {
            comment.settled.get_or_insert(Settled { by: who.clone(), at: now });
            (CommentChange::Settled, String::new())
        }
        Change::Reopen => {
            comment.settled = None;
            (CommentChange::Reopened, String::new())
        }
        Change::Withdraw if comment.sent => {
            return Err(
                HostError::new(ErrorKind::Refused, "the agent has been told of this comment").hint("settle it instead")
            );
        }
        Change::Withdraw => (CommentChange::Withdrawn, String::new()),
        Change::Reply { text } => {
            let text = comment::text(text)?;
            reply(comment, Reply { by: who.clone(), agent: false, text: text.clone(), at: now })?;
            (CommentChange::Answered, text)
        }
    };
    let comment = comment.clone();
    record(sandbox, &held, topic, &comment, what, &text, &who)?;
    if *change == Change::Withdraw {
        all.remove(at);
    }
    sandbox.store.reviews.put_comments(&held, topic, &all)?;
    Ok(comment)
}

/// Whether there is something to be asked for: words, or an open comment on the push that waits.
///
/// # Errors
/// If there is nothing, or the comments cannot be read.
pub fn ensure_asked(sandbox: &Sandbox, topic: Option<&Topic>, reason: &str) -> Result<()> {
    let is_said = !reason.trim().is_empty();
    let has_comment = |topic: &Topic| Ok::<_, HostError>(comments(sandbox, topic)?.iter().any(Comment::is_open));
    if is_said || topic.map(has_comment).transpose()?.unwrap_or_default() {
        return Ok(());
    }
    Err(HostError::new(ErrorKind::Usage, "no comment is open, and nothing was said")
        .hint("say what is to change, or comment on the push first"))
}

/// Marks the open comments on pushes to a branch as sent to the agent, and gives them.
///
/// # Errors
/// If they cannot be read or written.
pub(crate) fn send(sandbox: &Sandbox, held: &Held, topic: &Topic) -> Result<Vec<Comment>> {
    let mut all = sandbox.store.reviews.comments(topic)?;
    if all.iter().any(|comment| comment.is_open() && !comment.sent) {
        all.iter_mut().filter(|comment| comment.is_open()).for_each(|comment| comment.sent = true);
        sandbox.store.reviews.put_comments(held, topic, &all)?;
    }
    all.retain(Comment::is_open);
    Ok(all)
}

/// What an agent says to comments, by their ids: all of it, or nothing if one of them is wrong. Then gives all that are open and sent.
///
/// # Errors
/// If there is no such comment, or an answer is empty or too long.
pub(crate) fn answer(sandbox: &Sandbox, answers: &[(String, String)]) -> Result<Vec<(Topic, Comment)>> {
    let held = sandbox.store.lock.acquire()?;
    let mut topics = sandbox.store.reviews.all_comments()?;
    let now = sandbox.platform().now().timestamp();
    let mut said: Vec<(usize, Comment, String)> = Vec::new();
    for (id, text) in answers {
        let text = comment::text(text)?;
        let open = topics.iter().enumerate().flat_map(|(topic, (_, comments))| {
            comments.iter().enumerate().map(move |(at, comment)| (topic, at, comment))
        });
        let open: Vec<(usize, usize, &Comment)> =
            open.filter(|(.., comment)| comment.sent && comment.is_open()).collect();
        let (topic, at, _) = open[position(open.iter().map(|(.., comment)| *comment), id)?];
        let comment = &mut topics[topic].1[at];
        reply(comment, Reply { by: AGENT.to_owned(), agent: true, text: text.clone(), at: now })?;
        said.push((topic, comment.clone(), text));
    }
    for (topic, comment, text) in &said {
        record(sandbox, &held, &topics[*topic].0, comment, CommentChange::Answered, text, AGENT)?;
    }
    for (at, (topic, comments)) in topics.iter().enumerate() {
        if said.iter().any(|(topic, ..)| *topic == at) {
            sandbox.store.reviews.put_comments(&held, topic, comments)?;
        }
    }
    drop(held);
    let of_topic = |(topic, comments): (Topic, Vec<Comment>)| {
        let open = comments.into_iter().filter(|comment| comment.sent && comment.is_open());
        open.map(|comment| (topic.clone(), comment)).collect::<Vec<_>>()
    };
    Ok(topics.into_iter().flat_map(of_topic).collect())
}

/// What was looked at in pushes to a branch.
pub fn seen(sandbox: &Sandbox, topic: &Topic) -> Seen {
    sandbox.store.reviews.seen(topic)
}

/// A unit of a file, and whether a person has looked at it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The file's path.
    pub path: String,
    /// The unit.
    pub key: UnitKey,
    /// What is shown of it.
    pub text: String,
    /// What was seen in its place before.
    pub instead: Option<UnitKey>,
    /// Whether it is seen now, or not any more.
    pub seen: bool,
}

impl Look {
    /// All units of a file.
    pub fn at(file: &ListedFile<'_>, seen: bool) -> Vec<Look> {
        let (path, units) = (file.path.to_string(), file.units().into_iter());
        let look = |unit: gate::review::Unit<'_>| Look {
            path: path.clone(),
            key: unit.key,
            text: unit.text.to_owned(),
            instead: None,
            seen,
        };
        units.map(look).collect()
    }
}

/// Keeps what a person has looked at. Gives all that is kept then.
///
/// # Errors
/// If it cannot be written.
pub fn look(sandbox: &Sandbox, topic: &Topic, looks: &[Look]) -> Result<Seen> {
    let (who, now) = (sandbox.who(), sandbox.platform().now().timestamp());
    let held = sandbox.store.lock.acquire()?;
    let mut seen = sandbox.store.reviews.seen(topic);
    let gone: Vec<UnitKey> = looks.iter().filter(|look| !look.seen).map(|look| look.key).collect();
    // What was seen in its place before is no news any more.
    let replaced = looks.iter().filter(|look| look.seen).filter_map(|look| look.instead);
    seen.remove(&gone.into_iter().chain(replaced).collect::<Vec<_>>());
    let added = looks.iter().filter(|look| look.seen).map(|look| (&*look.path, look.key, &*look.text));
    seen.add_all(added, &who, now);
    sandbox.store.reviews.put_seen(&held, topic, &seen)?;
    Ok(seen)
}

fn reply(comment: &mut Comment, reply: Reply) -> Result<()> {
    if comment.replies.iter().filter(|one| one.agent == reply.agent).count() >= REPLIES {
        let hint = if reply.agent {
            "propose the push anew, or ask the person"
        } else {
            "settle it, and say the rest in a new comment"
        };
        return Err(HostError::new(ErrorKind::Refused, format!("the comment has {REPLIES} answers already")).hint(hint));
    }
    comment.replies.push(reply);
    Ok(())
}

/// Where the comment is whose id begins with `id`.
fn position<'a>(comments: impl Iterator<Item = &'a Comment>, id: &str) -> Result<usize> {
    let mut found = comments.enumerate().filter(|(_, comment)| !id.is_empty() && comment.id.starts_with(id));
    let wrong = |what: String, hint: &str| Err(HostError::new(ErrorKind::Usage, what).hint(hint));
    let shown = crate::screen::line(id);
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_), Some(_)) => wrong(format!("'{shown}' names several comments"), "give more of the id"),
        (None, _) => wrong(format!("no open comment has the id '{shown}'"), "see which there are"),
    }
}

fn record(
    sandbox: &Sandbox,
    held: &Held,
    topic: &Topic,
    comment: &Comment,
    what: CommentChange,
    text: &str,
    by: &str,
) -> Result<()> {
    let event = CommentEvent {
        comment: Brief::of(&comment.id),
        what,
        place: Brief::of(&comment.place.line()),
        text: Brief::of(text),
        target: topic.target.clone(),
        reference: topic.reference.clone(),
        by: Brief::of(by),
        at: sandbox.platform().now().timestamp(),
    };
    sandbox.store.ledger.append(held, Record::Comment(Box::new(event))).map_err(HostError::from)
}
