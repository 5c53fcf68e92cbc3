//! Moves a branch on a server, and finds out what became of it.
//!
//! A request that was lost or broke off may have been acted on, or may be later. So the branch is
//! read back: at the new commit or beyond, the push has landed; at the old one, it is tried again.
//! Elsewhere it is a conflict if every request was refused, and in doubt if one was lost.

use std::time::Duration;

use gix_hash::ObjectId;

use super::{Fault, FaultKind, Landing, Wire};
use crate::history::not_fast_forward;

/// How often a move is sent that gets no answer.
const TRIES: u32 = 4;

/// A branch on a server.
pub(crate) trait Branch {
    /// What the server is called.
    const SERVER: &'static str;

    /// Where it is, `None` if it does not exist.
    async fn tip(&self) -> Result<Option<ObjectId>, Fault>;

    /// Whether `tip` is `ancestor` or descends from it.
    async fn descends(&self, tip: ObjectId, ancestor: ObjectId) -> Result<bool, Fault>;

    /// Whether the server compares the branch with the old head before it moves it. Otherwise it is read
    /// before each try.
    fn compares(&self) -> bool;

    /// Sends one request to move it.
    async fn send(&mut self) -> Moved;
}

/// What became of one request to move.
pub(crate) enum Moved {
    /// The branch is at the new head, and this is what the server says to the person.
    Yes(Vec<String>),
    /// It was refused, which may be because the branch is elsewhere.
    No(Fault),
    /// It was refused, but another way may do it, which is taken next.
    NotHere,
    /// It was refused, and so is whatever is asked next.
    Never(Fault),
    /// The server may have acted on it, or may still do so.
    Unknown(Fault),
}

/// Moves `branch` from `old` to `new`.
pub(crate) async fn go(
    wire: &Wire,
    branch: &mut impl Branch,
    old: Option<ObjectId>,
    new: ObjectId,
) -> Result<Landing, Fault> {
    // The last request that nobody knows the end of.
    let mut lost: Option<Fault> = None;
    let mut is_read = branch.compares();
    let mut attempt = 0;
    loop {
        if !is_read {
            let there = match branch.tip().await {
                Ok(there) => there,
                Err(fault) => return unreadable(lost, fault),
            };
            if there != old {
                return settle(branch, there, new, lost).await;
            }
            if let Some(fault) = lost.take_if(|_| attempt == TRIES) {
                return Ok(Landing::InDoubt(fault));
            }
        }
        is_read = false;
        match branch.send().await {
            Moved::Yes(said) => return Ok(Landing::Landed { tip: new, said }),
            Moved::Unknown(fault) => {
                lost = Some(fault);
                wire.sleep(Duration::from_secs(1 << attempt)).await;
                attempt += 1;
            }
            Moved::NotHere => {}
            Moved::Never(fault) => return unreadable(lost, fault),
            Moved::No(refusal) => match branch.tip().await {
                Ok(there) if there != old => return settle(branch, there, new, lost).await,
                Ok(_) | Err(_) => return unreadable(lost, refusal),
            },
        }
    }
}

/// The verdict on a branch that was found elsewhere before anything was sent.
pub(crate) async fn elsewhere<B: Branch>(branch: &B, there: Option<ObjectId>, new: ObjectId) -> Result<Landing, Fault> {
    settle(branch, there, new, None).await
}

/// The verdict on a branch that is no longer at its old head.
async fn settle<B: Branch>(
    branch: &B,
    there: Option<ObjectId>,
    new: ObjectId,
    lost: Option<Fault>,
) -> Result<Landing, Fault> {
    if let Some(tip) = there {
        match branch.descends(tip, new).await {
            Ok(true) => return Ok(Landing::Landed { tip, said: Vec::new() }),
            Ok(false) => {}
            Err(fault) => return unreadable(lost, fault),
        }
    }
    Ok(match lost {
        None => Landing::Conflict(not_fast_forward(new, there)),
        Some(_) => Landing::InDoubt(in_doubt(B::SERVER, there)),
    })
}

fn in_doubt(server: &str, there: Option<ObjectId>) -> Fault {
    let now = there.map_or_else(|| "does not exist".to_owned(), |id| format!("is at {id}"));
    Fault::new(FaultKind::NoAnswer, format!("{server} did not answer the request to move the branch, which now {now}"))
        .with_hint(format!("look at the branch's history on {server} before you push again"))
}

/// The end where nothing more can be found out.
fn unreadable(lost: Option<Fault>, fault: Fault) -> Result<Landing, Fault> {
    match lost {
        Some(lost) => Ok(Landing::InDoubt(lost)),
        None => Err(fault),
    }
}
