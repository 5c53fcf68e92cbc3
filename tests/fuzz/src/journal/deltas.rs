//! Deltas, which make up most of a journal.

use vfs::delta;

use crate::choices::Choices;

/// An encoded content decodes to itself. Any other delta is an error, or a content not much longer than its sources.
pub fn deltas(choices: &mut Choices<'_>) {
    let former = content(choices);
    let mut new = if choices.one_in(4) { content(choices) } else { former.clone() };
    for _ in 0..choices.below(6) {
        let at = choices.below(new.len() + 1);
        let from = choices.below(former.len() + 1);
        let piece = former[from..(from + choices.below(100)).min(former.len())].to_vec();
        match choices.below(3) {
            0 => drop(new.splice(at..at, choices.bytes(20).iter().copied())),
            1 => drop(new.splice(at..at, piece)),
            _ => drop(new.drain(at..(at + choices.below(100)).min(new.len()))),
        }
    }
    if let Some(change) = delta::encode(&former, &new) {
        assert!(change.len() < new.len(), "it is shorter");
        assert_eq!(delta::apply(&former, &change).as_ref(), Ok(&new), "what was written comes back");
    }
    let forged = choices.bytes(60);
    if let Ok(made) = delta::apply(&former, forged) {
        assert!(made.len() <= 8 * (former.len() + forged.len()), "a few bytes make no large content");
    }
}

/// Few bytes of choices, many bytes of content. Some of it repeats.
fn content(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut content = Vec::new();
    for _ in 0..choices.below(5) {
        let piece = choices.bytes(40);
        (0..=choices.below(20)).for_each(|_| content.extend_from_slice(piece));
    }
    content
}
