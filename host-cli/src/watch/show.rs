//! Keeps the screen up to date until the person wants something.

use super::look::Look;
use super::screen;
use super::state::{State, Wish};
use crate::approve::Talk;
use crate::terminal::{Live, Terminal};

/// Shows what goes on until the person wants something, and rings for what is new with `bell`. The
/// terminal is as it was before when this returns.
pub fn show(terminal: &Terminal, look: &mut Look<'_>, state: &mut State, bell: bool) -> anyhow::Result<Wish> {
    let mut live = Live::enter(terminal)?;
    loop {
        state.date(Look::today());
        if let Some(outside) = look.outside()?
            && state.see(outside)
            && bell
        {
            live.ring()?;
        }
        // What is known is shown before a look that may take its time.
        live.draw(screen::rows(state, &terminal.screen()))?;
        if let Some(name) = state.shown().cloned()
            && let Some(inside) = look.inside(&name, state.is_known())
        {
            state.look_into(inside);
            live.draw(screen::rows(state, &terminal.screen()))?;
        }
        let Some(keys) = live.keys()? else { return Ok(Wish::Leave) };
        for key in keys {
            match state.press(key) {
                None => {}
                Some(Wish::Redraw) => live.forget(),
                Some(wish) => return Ok(wish),
            }
        }
    }
}
