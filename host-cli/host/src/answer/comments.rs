//! Comments on pushes, as the component is told of them.

use gate::comment::{Comment, Place, Reply, Weight};
use gate::review::Side;

use crate::answer::call::invocation::Found;
use crate::answer::call::suspend::Halting;
use crate::answer::wording::tool_error;
use crate::error::{ErrorKind, Result};
use crate::review;
use crate::sandbox::Sandbox;
use crate::store::{Held, Topic};
use crate::wit;

/// Notes what an agent says to comments, and answers with those that are open.
pub(crate) fn find(answers: &[wit::CommentAnswer], sandbox: &Sandbox) -> Halting<Found> {
    let answers: Vec<(String, String)> =
        answers.iter().map(|answer| (answer.comment.clone(), answer.text.clone())).collect();
    match review::answer(sandbox, &answers) {
        Ok(open) => {
            let open = open.iter().map(|(topic, comment)| told(topic, comment)).collect();
            Ok(Found::Continue(wit::AnswerBody::Comments(open)))
        }
        Err(error) if matches!(error.kind, ErrorKind::Usage | ErrorKind::Refused) => {
            Ok(Found::Continue(wit::AnswerBody::Failed(tool_error::comment(&error, &*sandbox.platform()))))
        }
        Err(error) => Err(error.into()),
    }
}

/// What a person wants otherwise in a push: their reason, and every open comment, of which the agent is told with this.
pub(crate) fn changes(sandbox: &Sandbox, held: &Held, topic: &Topic, reason: String) -> Result<wit::Changes> {
    let comments = review::send(sandbox, held, topic)?;
    Ok(wit::Changes { reason, comments: comments.iter().map(|comment| told(topic, comment)).collect() })
}

fn told(topic: &Topic, comment: &Comment) -> wit::Comment {
    let reply = |Reply { by, agent, text, at }: &Reply| wit::CommentReply {
        by: by.clone(),
        agent: *agent,
        text: text.clone(),
        at: at.0,
    };
    let lines = match &comment.place {
        Place::Lines { side, first, last, lines, .. } => {
            Some(wit::CommentLines { old: *side == Side::Old, first: *first, last: *last, texts: lines.clone() })
        }
        Place::Push | Place::File { .. } => None,
    };
    wit::Comment {
        id: comment.id.clone(),
        target: topic.target.to_string(),
        reference: topic.reference.to_string(),
        commit: comment.commit.to_string(),
        path: comment.place.path().map(str::to_owned),
        lines,
        must: comment.weight == Weight::Must,
        text: comment.text.clone(),
        by: comment.by.clone(),
        at: comment.at.0,
        replies: comment.replies.iter().map(reply).collect(),
    }
}
