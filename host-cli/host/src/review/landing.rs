//! What an approved push settles when it lands.

use bstr::ByteSlice;
use gate::approval::Proposal;
use gate::comment::{Comment, Settled};
use gate::id::Nonce;
use gate::ledger::CommentChange;
use gate::time::Timestamp;

use super::record;
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::store::{Held, Topic};

/// Notes that a person has approved a push: when it lands, it settles what they could read about it, and what was looked at in its files
/// is a part of the target. What is about other files waits on, as when only the first commits of a push are approved.
pub(crate) fn approved(sandbox: &Sandbox, held: &Held, proposal: &Proposal) -> Result<()> {
    let review = proposal.review();
    let topic = Topic { target: review.target.clone(), reference: review.reference.clone() };
    let is_touched = |path: &str| review.touched.contains(path.as_bytes().as_bstr());
    let who = sandbox.who();
    let mut all = sandbox.store.reviews.comments(&topic)?;
    let mut has_any = false;
    for comment in all.iter_mut().filter(|comment| comment.is_open()) {
        // What somebody else said after it was shown, nobody has read.
        let is_read = comment.by == who || comment.at <= proposal.shown_at();
        let is_about = match comment.place.path() {
            Some(path) => is_touched(path),
            None => comment.sent || comment.commit == review.new,
        };
        if is_read && is_about {
            comment.leaves = Some(proposal.nonce());
            has_any = true;
        }
    }
    if has_any {
        sandbox.store.reviews.put_comments(held, &topic, &all)?;
    }
    let mut seen = sandbox.store.reviews.seen(&topic);
    if !seen.is_empty() {
        seen.leave(proposal.nonce(), is_touched);
        sandbox.store.reviews.put_seen(held, &topic, &seen)?;
    }
    Ok(())
}

/// Settles what was to be settled with a push that has landed.
pub(crate) fn landed(
    sandbox: &Sandbox,
    held: &Held,
    topic: &Topic,
    nonce: Nonce,
    by: &str,
    at: Timestamp,
) -> Result<()> {
    let mut all = sandbox.store.reviews.comments(topic)?;
    let is_settled = |comment: &Comment| comment.is_open() && comment.leaves == Some(nonce);
    if all.iter().any(is_settled) {
        for comment in all.iter_mut().filter(|comment| is_settled(comment)) {
            comment.settled = Some(Settled { by: by.to_owned(), at });
            record(sandbox, held, topic, comment, CommentChange::Settled, "", by)?;
        }
        sandbox.store.reviews.put_comments(held, topic, &all)?;
    }
    let mut seen = sandbox.store.reviews.seen(topic);
    if seen.landed(nonce) {
        sandbox.store.reviews.put_seen(held, topic, &seen)?;
    }
    Ok(())
}
