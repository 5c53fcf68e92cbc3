//! What `patch` would ask, if there were anybody to ask: nobody answers, and so the answer is what is usual.

use super::State;
use crate::commands::patch::header::Header;
use crate::commands::patch::session::Session;
use crate::commands::patch::target::Target;
use crate::exec::Ended;

impl Session<'_, '_> {
    /// Whether a patch that looks as if it were applied already is taken back. If it is skipped, the state says so.
    pub(super) async fn reverses(&mut self, state: &mut State, why: Option<String>) -> Result<bool, Ended> {
        let asks = !(self.options.forward || self.options.force || self.options.batch);
        let message = why.unwrap_or_else(|| {
            let what = if state.reverse { "Unreversed" } else { "Reversed (or previously applied)" };
            format!("{what} patch detected!")
        });
        if self.options.force && self.options.silent && !self.options.forward {
            return Ok(false);
        }
        self.say(message).await?;
        if self.options.forward {
            state.skips = true;
            self.say("  Skipping patch.\n").await?;
            return Ok(false);
        }
        if self.options.force {
            self.say("  Applying it anyway.\n").await?;
            return Ok(false);
        }
        if !asks {
            self.say(if state.reverse { "  Ignoring -R.\n" } else { "  Assuming -R.\n" }).await?;
            return Ok(true);
        }
        let question = if state.reverse { "  Ignore -R? [n] \n" } else { "  Assume -R? [n] \n" };
        self.say(question).await?;
        self.say("Apply anyway? [n] \n").await?;
        if !self.options.silent {
            self.say("Skipping patch.\n").await?;
        }
        state.skips = true;
        Ok(false)
    }

    /// Whether the file has the word that the patch wants in it. If not, and nobody says otherwise, it ends.
    pub(super) async fn check_version(&mut self, header: &Header, target: &Target) -> Result<(), Ended> {
        let Some(wanted) = &header.prereq else { return Ok(()) };
        let has = target.whole().split(u8::is_ascii_whitespace).any(|word| word == wanted.as_slice());
        if has {
            if self.options.verbose {
                self.say(format!("Good.  This file appears to be the {wanted} version.\n")).await?;
            }
            return Ok(());
        }
        let doubt = format!("this file doesn't appear to be the {wanted} version");
        if self.options.force {
            if !self.options.silent {
                self.say(format!("Warning: {doubt} -- patching anyway.\n")).await?;
            }
            return Ok(());
        }
        let doubt = doubt.replacen("this", "This", 1);
        if self.options.batch {
            return Err(self.fatal(format!("{doubt} -- aborting.")).await);
        }
        self.say(format!("{doubt} -- patch anyway? [n] \n")).await?;
        Err(self.fatal("aborted").await)
    }
}
