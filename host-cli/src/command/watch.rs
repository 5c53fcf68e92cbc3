use clap::Args;

use super::Context;
use super::review::Review;
use crate::approve::Talk;
use crate::error::{ErrorKind, HostError};
use crate::report::{self, Exit};
use crate::terminal::Terminal;
use crate::watch::{self, Look, State, Wish};

/// Show live what waits for you and what goes on in a sandbox
///
/// At the top is what waits for your approval, in all sandboxes unless -s names one; below are the
/// latest calls, decisions and pushes, and what is proposed. Enter reviews the chosen call as
/// `gitgate review` does, r rejects it, ? shows all keys, q leaves.
#[derive(Debug, Args)]
pub struct Watch {}

impl Watch {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
        let mut terminal = Terminal::open().filter(|_| !is_dumb).ok_or_else(|| {
            HostError::new(ErrorKind::Usage, "watch needs a terminal that can draw a screen")
                .hint("list what waits with `gitgate review`, and what was decided with `gitgate log`")
        })?;
        let standing = context.standing()?;
        let context = context.meant_in(&standing, "Watch")?;
        let bell = context.config()?.notify().bell;
        let (mut look, mut state) = (Look::new(&context, standing)?, State::default());
        loop {
            let (asked, pressed) = match watch::show(&terminal, &mut look, &mut state, bell)? {
                Wish::Leave => return Ok(Exit::Done),
                Wish::Redraw => continue,
                Wish::Review(asked) => (asked, None),
                Wish::Reject(asked) => (asked, Some("r")),
            };
            if let Err(error) = Review::of(asked.id, pressed, !context.is_named).run(context.of(asked.sandbox)) {
                report::failure(&error, false);
            }
            context.clock.ensure_wanted()?;
            // What became of it stays to be read. What was typed for the prompt is not for this.
            terminal.forget_typed()?;
            if terminal.ask("Enter goes back to the watch ")?.is_none() {
                return Ok(Exit::Done);
            }
        }
    }
}
