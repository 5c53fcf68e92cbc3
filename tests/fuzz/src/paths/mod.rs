//! Names, paths, refs and targets: accepted ones stay inside, and no filesystem takes them for something else.

mod names;
mod refs;
mod resolve;
mod words;

use crate::choices::Choices;

/// Takes any bytes. The first says what they represent.
pub fn paths(input: &[u8]) {
    let mut choices = Choices::of(input);
    match choices.below(5) {
        0 => names::name(choices.rest()),
        1 => names::name(phrase(&mut choices, words::NAMES).as_bytes()),
        2 => resolve::path(&mut choices),
        3 => refs::branch(&phrase(&mut choices, words::REFS)),
        _ => refs::target(&phrase(&mut choices, words::TARGETS)),
    }
}

/// Words, and anything between them.
fn phrase(choices: &mut Choices<'_>, words: &[&str]) -> String {
    let mut text = String::new();
    for _ in 0..choices.below(13) {
        match choices.one_in(6) {
            true => text.push_str(&choices.text(4)),
            false => text.push_str(choices.of_these(words)),
        }
    }
    text
}
