//! A push in full screen, and what a person looks at and says there, kept in its sandbox.

use std::io;

use gate::approval::Proposal;
use gate::comment::Comment;
use host::review::{Change, Draft, Look, Notes};

use super::Offer;
use crate::error::Result;
use crate::review::{self, Kept, Model, Outcome, Overview};
use crate::screen;
use crate::terminal::Terminal;

/// Shows a push until the person decides or leaves. `sandbox` is named if they have to be told.
///
/// # Errors
/// If the terminal fails.
pub(super) fn show(
    terminal: &mut Terminal,
    proposal: &Proposal,
    offer: Option<&Offer>,
    sandbox: Option<&str>,
    notes: &Notes<'_>,
) -> io::Result<Outcome> {
    let offer = offer.map(|offer| (screen::block(&offer.rule), screen::line(&offer.place)));
    let overview = Overview::of(proposal.review(), sandbox, offer);
    // Without its comments, a push can be reviewed all the same.
    let (comments, trouble) = match notes.comments() {
        Ok(comments) => (comments, None),
        Err(error) => {
            let hint = screen::hint::words(&error.hint);
            (Vec::new(), Some(screen::line(&format!("{}: {hint}", error.message))))
        }
    };
    let model = Model::of(proposal.review(), overview, &notes.seen(), comments);
    review::run(terminal, model, &notes.who(), Some(&InSandbox(notes)), trouble)
}

/// What is kept in the sandbox.
struct InSandbox<'a>(&'a Notes<'a>);

impl Kept for InSandbox<'_> {
    fn look(&self, looks: &[Look]) -> Result<()> {
        self.0.look(looks).map(drop)
    }

    fn comment(&self, draft: Draft) -> Result<Comment> {
        self.0.add(draft)
    }

    fn change(&self, id: &str, change: &Change) -> Result<()> {
        self.0.change(id, change).map(drop)
    }

    fn comments(&self) -> Result<Vec<Comment>> {
        self.0.comments()
    }
}
