//! `which`, as Debian has it.

use bstr::{BString, ByteSlice};

use super::arguments::{Flag, Reading, flag, read};
use super::program::is_program;
use crate::exec::{Call, Ended, Found, lookup};

const FLAGS: &[Flag] = &[flag('a', "")];

/// Prints where programs are.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: FLAGS, status: 2, stops: true }).await?;
    let mut status = i32::from(given.operands.is_empty());
    for name in &given.operands {
        call.work(1)?;
        let places = places(call, name, given.has('a'));
        if places.is_empty() {
            status = 1;
        }
        for place in places {
            call.line(place).await?;
        }
    }
    Ok(status)
}

fn places(call: &Call<'_>, name: &BString, all: bool) -> Vec<String> {
    let text = name.to_str_lossy();
    let found = match lookup::elsewhere(call.shell, &text) {
        Found::Command(_) | Found::Program | Found::Script(_) => true,
        _ => is_program(&text),
    };
    match found {
        false => Vec::new(),
        true if text.contains('/') => vec![text.into_owned()],
        true if all => vec![lookup::place(&text), format!("/bin/{text}")],
        true => vec![lookup::place(&text)],
    }
}
