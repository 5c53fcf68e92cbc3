//! Asks a server for a pack (gitprotocol-v2, "fetch"; gitprotocol-pack for older ones).

use std::num::NonZeroU32;

use bytes::Bytes;
use gix_hash::ObjectId;
use gix_packetline::PacketLineRef;

use super::{
    Fault, FaultKind,
    advertised::{AGENT, Advertised, Capabilities},
    fault,
    packet::{Bands, Lines, Packets, id, text},
    remote::Remote,
};

/// What a server leaves out, if it can (rev-list, `--filter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    /// All files.
    Blobs,
    /// All files and folders.
    Trees,
}

impl Filter {
    fn spec(self) -> &'static str {
        match self {
            Filter::Blobs => "blob:none",
            Filter::Trees => "tree:0",
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Ask {
    /// Objects, with all that they reach.
    pub want: Vec<ObjectId>,
    /// Commits that are here, with all that they reach.
    pub have: Vec<ObjectId>,
    /// Those of them whose parents are not here.
    pub shallow: Vec<ObjectId>,
    /// The maximum number of commits on any path of parents.
    pub depth: Option<NonZeroU32>,
    pub filter: Option<Filter>,
}

/// What came.
pub(super) struct Came {
    /// A whole pack: thin ones are not asked for.
    pub pack: Bytes,
    /// Commits in it whose parents were left out.
    pub shallow: Vec<ObjectId>,
}

/// Fetches what is asked for.
pub(super) async fn fetch(remote: &Remote, advertised: &Advertised, ask: &Ask) -> Result<Came, Fault> {
    let response = remote.upload_pack(request(advertised, ask, true)?).await?;
    let mut lines = Lines::of(&response.body);
    let shallow = match advertised {
        Advertised::Two(_) => two(&mut lines)?,
        Advertised::Old { .. } => old(&mut lines, ask)?,
    };
    let rest = lines.rest().len();
    Ok(Came { pack: Bands::of(response.body, rest)?.data.into(), shallow })
}

/// Which of the commits that are here the server has, too.
pub(super) async fn common(remote: &Remote, advertised: &Advertised, ask: &Ask) -> Result<Vec<ObjectId>, Fault> {
    let response = remote.upload_pack(request(advertised, ask, false)?).await?;
    let (mut lines, mut common) = (Lines::of(&response.body), Vec::new());
    while let Some(line) = lines.text()? {
        let mut words = line.split(' ');
        if let (Some("ACK"), Some(hex)) = (words.next(), words.next()) {
            let id = id(hex)?;
            if ask.have.contains(&id) && !common.contains(&id) {
                common.push(id);
            }
        }
    }
    Ok(common)
}

/// The body of a request, whose end is `done` if the pack is to follow whatever the server has.
fn request(advertised: &Advertised, ask: &Ask, is_done: bool) -> Result<Bytes, Fault> {
    let can = advertised.capabilities();
    let mut packets = match advertised {
        Advertised::Two(_) => {
            let mut packets = can.command("fetch");
            packets.line(format_args!("ofs-delta")).line(format_args!("no-progress"));
            for id in &ask.want {
                packets.line(format_args!("want {id}"));
            }
            packets
        }
        Advertised::Old { .. } => wants_of_old(can, ask)?,
    };
    let able = |feature: &str| match advertised {
        Advertised::Two(_) => can.can("fetch", feature),
        Advertised::Old { .. } => can.has(feature),
    };
    if able("shallow") {
        for id in &ask.shallow {
            packets.line(format_args!("shallow {id}"));
        }
        if let Some(depth) = ask.depth {
            packets.line(format_args!("deepen {depth}"));
        }
    } else if ask.depth.is_some() || !ask.shallow.is_empty() {
        return Err(Fault::new(FaultKind::Refused, "the git server cannot leave out older history")
            .with_hint("bring in all of it: without `depth`"));
    }
    // Else a server that knows enough sends the pack at once.
    if !is_done && can.can("fetch", "wait-for-done") {
        packets.line(format_args!("wait-for-done"));
    }
    if let Some(filter) = ask.filter.filter(|_| able("filter")) {
        packets.line(format_args!("filter {}", filter.spec()));
    }
    if matches!(advertised, Advertised::Old { .. }) {
        packets.flush();
    }
    for id in &ask.have {
        packets.line(format_args!("have {id}"));
    }
    match (is_done, advertised) {
        (true, Advertised::Old { .. }) => packets.line(format_args!("done")),
        (true, Advertised::Two(_)) => packets.line(format_args!("done")).flush(),
        (false, _) => packets.flush(),
    };
    Ok(packets.then(&[]))
}

/// The wants of an older request: the first names what is used.
fn wants_of_old(can: &Capabilities, ask: &Ask) -> Result<Packets, Fault> {
    let Some(bands) = ["side-band-64k", "side-band"].into_iter().find(|name| can.has(name)) else {
        return Err(Fault::new(FaultKind::Refused, "the git server is older than gitgate can speak to")
            .with_hint("use a clone of the repository: local:PATH or bare:PATH"));
    };
    let used = ["multi_ack_detailed", "ofs-delta", "no-progress", "shallow", "filter"].into_iter();
    let used: Vec<&str> = used.filter(|name| can.has(name)).chain([bands]).collect();
    let mut used = used.join(" ");
    if can.has("agent") {
        used.push_str(&format!(" agent={AGENT}"));
    }
    let mut packets = Packets::default();
    for (number, id) in ask.want.iter().enumerate() {
        match number {
            0 => packets.line(format_args!("want {id} {used}")),
            _ => packets.line(format_args!("want {id}")),
        };
    }
    Ok(packets)
}

/// The sections of an answer of version 2 up to the pack. One that nobody asked for is passed over. Returns the boundary.
fn two(lines: &mut Lines<'_>) -> Result<Vec<ObjectId>, Fault> {
    let mut shallow = Vec::new();
    while let Some(section) = lines.text()? {
        match section {
            "packfile" => return Ok(shallow),
            "shallow-info" => shallow = boundary(lines)?,
            _ => while lines.text()?.is_some() {},
        }
    }
    Err(fault::malformed("it has no pack"))
}

/// The same of an older server's answer.
fn old(lines: &mut Lines<'_>, ask: &Ask) -> Result<Vec<ObjectId>, Fault> {
    let shallow = if ask.depth.is_some() { boundary(lines)? } else { Vec::new() };
    loop {
        match lines.next()? {
            Some(PacketLineRef::Data(data)) => {
                let line = text(data)?;
                // The last acknowledgement has no third word.
                if line == "NAK" || line.starts_with("ACK ") && line.split(' ').count() == 2 {
                    return Ok(shallow);
                }
                if !line.starts_with("ACK ") {
                    return Err(fault::malformed("it has a line that nobody asked for"));
                }
            }
            _ => return Err(fault::malformed("it has no pack")),
        }
    }
}

/// The commits whose parents are left out.
fn boundary(lines: &mut Lines<'_>) -> Result<Vec<ObjectId>, Fault> {
    let mut shallow = Vec::new();
    while let Some(line) = lines.text()? {
        match line.split_once(' ') {
            Some(("shallow", hex)) => shallow.push(id(hex)?),
            Some(("unshallow", _)) => {}
            _ => return Err(fault::malformed("it has a line that nobody asked for")),
        }
    }
    Ok(shallow)
}
