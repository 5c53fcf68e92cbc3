//! A client's packet lines.

use std::fmt;

use gix_hash::ObjectId;
use gix_packetline::PacketLineRef;

use super::super::packet::Lines;

/// What is wrong with a request, for whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Unfit {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Unfit(what.into())
    }
}

/// What a request goes on with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'a> {
    /// A line, without its end.
    Line(&'a str),
    /// The end of a part of a request.
    Delimiter,
    /// The end of a list.
    Flush,
    /// Nothing.
    End,
}

/// Reads what comes next.
pub(super) fn next<'a>(lines: &mut Lines<'a>) -> Result<Next<'a>, Unfit> {
    let line = lines.next().map_err(|_| Unfit::new("the request is not in packet lines"))?;
    Ok(match line {
        Some(PacketLineRef::Data(data)) => {
            let text = std::str::from_utf8(data).map_err(|_| Unfit::new("a line of the request is not UTF-8"))?;
            Next::Line(text.strip_suffix('\n').unwrap_or(text))
        }
        Some(PacketLineRef::Flush) => Next::Flush,
        Some(PacketLineRef::Delimiter) => Next::Delimiter,
        Some(PacketLineRef::ResponseEnd) => return Err(Unfit::new("the request ends as only an answer does")),
        None => Next::End,
    })
}

/// The id of an object.
pub(super) fn id(hex: &str) -> Result<ObjectId, Unfit> {
    match ObjectId::from_hex(hex.as_bytes()) {
        Ok(id) if id.kind() == gix_hash::Kind::Sha1 => Ok(id),
        _ => Err(Unfit::new("the request has an id that is none")),
    }
}
