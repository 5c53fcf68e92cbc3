//! What a client asks of `upload-pack` in version 0 (gitprotocol-pack, "Packfile Negotiation").
//!
//! Over HTTP each request repeats what is wanted and every common commit that was found so far, so a server keeps nothing between them.

use super::super::packet::Lines;
use super::asked::{Fetch, Form, MOST, ends};
use super::line::{Next, Unfit, id, next};

/// The longest packets of the two kinds of bands.
const LONG: usize = 65_520;
const SHORT: usize = 1000;

pub(super) fn read(lines: &mut Lines<'_>) -> Result<Fetch, Unfit> {
    let mut fetch = Fetch::default();
    wanted(lines, &mut fetch)?;
    if fetch.wants.is_empty() {
        return Err(Unfit::new("the request wants nothing"));
    }
    if lines.rest().is_empty()
        && let Form::Zero { begins, .. } = &mut fetch.form
    {
        *begins = true;
    }
    loop {
        match next(lines)? {
            Next::Line("done") => {
                fetch.done = true;
                return Ok(fetch);
            }
            Next::Line(line) => match line.split_once(' ') {
                Some(("have", hex)) if fetch.haves.len() < MOST => fetch.haves.push(id(hex)?),
                Some(("have", _)) => return Err(too_many()),
                _ => return Err(Unfit::new("the request goes on as none does")),
            },
            Next::Flush => {}
            Next::End => return Ok(fetch),
            Next::Delimiter => return Err(Unfit::new("the request has parts as version 2 has them")),
        }
    }
}

/// What is wanted, up to the first flush. The first line names what the client can do.
fn wanted(lines: &mut Lines<'_>, fetch: &mut Fetch) -> Result<(), Unfit> {
    let mut number = 0;
    loop {
        match next(lines)? {
            Next::Line(line) => {
                let line = match line.strip_prefix("want ").and_then(|wanted| wanted.split_once(' ')) {
                    Some((hex, capabilities)) if number == 0 => {
                        fetch.form = form(capabilities)?;
                        format!("want {hex}")
                    }
                    _ => line.to_owned(),
                };
                if number == 0 && matches!(fetch.form, Form::Two) {
                    fetch.form = form("")?;
                }
                fetch.take(&line)?;
                number += 1;
                if number > MOST {
                    return Err(too_many());
                }
            }
            Next::Flush => return Ok(()),
            Next::End | Next::Delimiter => return Err(ends()),
        }
    }
}

fn form(capabilities: &str) -> Result<Form, Unfit> {
    let has = |word| capabilities.split(' ').any(|known| known == word);
    if capabilities.split(' ').any(|word| word.strip_prefix("object-format=").is_some_and(|format| format != "sha1")) {
        return Err(Unfit::new("the sandbox's repository has SHA-1 ids"));
    }
    let band = if has("side-band-64k") { Some(LONG) } else { has("side-band").then_some(SHORT) };
    Ok(Form::Zero { detailed: has("multi_ack_detailed"), early: has("no-done"), band, begins: false })
}

fn too_many() -> Unfit {
    Unfit::new(format!("the request has more than {MOST} lines"))
}
