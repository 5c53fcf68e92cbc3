//! The answer to a fetch (gitprotocol-v2, "output of fetch"; gitprotocol-pack, "Packfile Negotiation").

use bytes::Bytes;
use gix_hash::ObjectId;

use super::super::packet::Packets;
use super::asked::{Fetch, Form};

/// What is said before a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The commits that both have, of those that the client has named.
    pub common: Vec<ObjectId>,
    /// Whether these are enough.
    pub ready: bool,
    /// Commits whose parents the client will not have, if it asked for a depth or the repository has not all of its history.
    pub shallow: Vec<ObjectId>,
    /// Commits whose parents it has not now and will have.
    pub unshallow: Vec<ObjectId>,
}

/// The frames that a pack comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band(Option<usize>);

/// The longest packet, with its length.
const LONG: usize = 65_520;

/// What is before the content of a frame: its length, and its band.
const HEAD: usize = 5;

impl Fetch {
    /// Whether a pack follows what is said, once it is known whether enough is common.
    pub fn sends(&self, ready: bool) -> bool {
        match self.form {
            Form::Two => self.done || self.haves.is_empty() || ready,
            Form::Zero { detailed, early, .. } => self.done || (detailed && early && ready),
        }
    }

    /// The frames of the pack.
    pub fn band(&self) -> Band {
        match self.form {
            Form::Two => Band(Some(LONG)),
            Form::Zero { band, .. } => Band(band),
        }
    }
}

impl Sent {
    /// What is said before the pack, if one follows.
    pub fn head(&self, fetch: &Fetch) -> Vec<u8> {
        let mut packets = Packets::default();
        match fetch.form {
            Form::Two => self.sections(fetch, &mut packets),
            Form::Zero { detailed, early, begins, .. } => {
                if fetch.depth.is_some() {
                    self.borders(&mut packets);
                    packets.flush();
                }
                if !begins {
                    self.acknowledged(fetch.done, detailed, early, &mut packets);
                }
            }
        }
        packets.into()
    }

    fn sections(&self, fetch: &Fetch, packets: &mut Packets) {
        if !fetch.done && !fetch.haves.is_empty() {
            packets.line(format_args!("acknowledgments"));
            for id in &self.common {
                packets.line(format_args!("ACK {id}"));
            }
            if self.common.is_empty() {
                packets.line(format_args!("NAK"));
            }
            if !self.ready {
                packets.flush();
                return;
            }
            packets.line(format_args!("ready")).delimiter();
        }
        if !self.shallow.is_empty() || !self.unshallow.is_empty() {
            packets.line(format_args!("shallow-info"));
            self.borders(packets);
            packets.delimiter();
        }
        packets.line(format_args!("packfile"));
    }

    fn acknowledged(&self, done: bool, detailed: bool, early: bool, packets: &mut Packets) {
        let last = self.common.last();
        if detailed {
            for id in &self.common {
                packets.line(format_args!("ACK {id} common"));
            }
        } else if let Some(first) = self.common.first() {
            packets.line(format_args!("ACK {first}"));
        }
        match (last, done) {
            (None, _) => {
                packets.line(format_args!("NAK"));
            }
            (Some(last), true) if detailed => {
                packets.line(format_args!("ACK {last}"));
            }
            (Some(last), false) if detailed => {
                if self.ready {
                    packets.line(format_args!("ACK {last} ready"));
                }
                packets.line(format_args!("NAK"));
                if self.ready && early {
                    packets.line(format_args!("ACK {last}"));
                }
            }
            (Some(_), _) => {}
        }
    }

    fn borders(&self, packets: &mut Packets) {
        for id in &self.shallow {
            packets.line(format_args!("shallow {id}"));
        }
        for id in &self.unshallow {
            packets.line(format_args!("unshallow {id}"));
        }
    }
}

impl Band {
    /// The frames of a client, by whether it reads bands.
    pub(super) fn of(reads_bands: bool) -> Self {
        Band(reads_bands.then_some(LONG))
    }

    /// Adds a part of what an answer is about.
    pub fn data(self, part: &[u8], to: &mut Vec<u8>) {
        match self.0 {
            None => to.extend_from_slice(part),
            Some(most) => framed(1, part, most, to),
        }
    }

    /// The same in parts, none of which is copied.
    pub fn parts(self, of: &Bytes) -> Vec<Bytes> {
        let Some(most) = self.0 else { return vec![of.clone()] };
        let mut parts = Vec::new();
        let mut begin = 0;
        while begin < of.len() {
            let end = of.len().min(begin + most - HEAD);
            parts.push(Bytes::from(format!("{:04x}\u{1}", end - begin + HEAD)));
            parts.push(of.slice(begin..end));
            begin = end;
        }
        parts
    }

    /// Adds words for the person. They end with a line feed. Without bands there is no place for them.
    pub fn words(self, words: &str, to: &mut Vec<u8>) {
        if let Some(most) = self.0 {
            framed(2, words.as_bytes(), most, to);
        }
    }

    /// Says that somebody is still there.
    pub fn alive(self, to: &mut Vec<u8>) {
        if self.0.is_some() {
            to.extend_from_slice(b"0005\x02");
        }
    }

    /// Ends the answer.
    pub fn end(self, to: &mut Vec<u8>) {
        if self.0.is_some() {
            to.extend_from_slice(b"0000");
        }
    }
}

fn framed(band: u8, part: &[u8], most: usize, to: &mut Vec<u8>) {
    for part in part.chunks(most - HEAD) {
        to.extend_from_slice(format!("{:04x}", part.len() + HEAD).as_bytes());
        to.push(band);
        to.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, Protocol};
    use super::*;

    fn id(digit: &str) -> ObjectId {
        ObjectId::from_hex(digit.repeat(40).as_bytes()).unwrap()
    }

    fn fetch(body: &str, protocol: Protocol) -> Fetch {
        let Ok(Asked::Objects(fetch)) = Asked::read(body.as_bytes(), protocol) else { panic!("{body}") };
        fetch
    }

    fn zero(capabilities: &str, rest: &str) -> Fetch {
        let want = format!("want {} {capabilities}\n", id("a"));
        fetch(&format!("{:04x}{want}0000{rest}", want.len() + 4), Protocol::Zero)
    }

    fn have() -> String {
        format!("0032have {}\n", id("b"))
    }

    fn said(sent: &Sent, fetch: &Fetch) -> String {
        let text = String::from_utf8(sent.head(fetch)).unwrap();
        text.replace(&id("b").to_string(), "b").replace('\n', ";")
    }

    #[test]
    fn a_pack_in_parts_is_framed_as_one_in_a_piece() {
        let pack = Bytes::from(vec![7; 70_000]);
        for capabilities in ["side-band-64k", "side-band", ""] {
            let fetch = zero(capabilities, "0009done\n");
            let mut whole = Vec::new();
            fetch.band().data(&pack, &mut whole);
            assert_eq!(fetch.band().parts(&pack).concat(), whole, "{capabilities}");
        }
    }

    #[test]
    fn version_2_goes_on_until_enough_is_common() {
        let some = fetch(&format!("0011command=fetch0001{}{}0000", want(), have()), Protocol::Two);
        let (none, common) = (Sent::default(), Sent { common: vec![id("b")], ..Sent::default() });
        assert!(!some.sends(false) && some.sends(true));
        assert_eq!(said(&none, &some), "0014acknowledgments;0008NAK;0000");
        assert_eq!(said(&common, &some), "0014acknowledgments;0031ACK b;0000");
        let ready = Sent { ready: true, shallow: vec![id("b")], ..common };
        assert_eq!(
            said(&ready, &some),
            "0014acknowledgments;0031ACK b;000aready;0001000eshallow-info;0035shallow b;0001000dpackfile;"
                .replace("000eshallow-info", "0011shallow-info")
        );
        let clone = fetch(&format!("0011command=fetch0001{}0009done\n0000", want()), Protocol::Two);
        assert!(clone.sends(false));
        assert_eq!(said(&none, &clone), "000dpackfile;");
    }

    fn want() -> String {
        format!("0032want {}\n", id("a"))
    }

    #[test]
    fn version_0_acknowledges_as_the_client_reads_it() {
        let common = Sent { common: vec![id("b")], ready: true, ..Sent::default() };
        let detailed = zero("multi_ack_detailed no-done side-band-64k", &format!("{}0000", have()));
        assert!(detailed.sends(true) && !detailed.sends(false));
        assert_eq!(said(&common, &detailed), "0038ACK b common;0037ACK b ready;0008NAK;0031ACK b;");
        let waiting = Sent { ready: false, ..common.clone() };
        assert_eq!(said(&waiting, &detailed), "0038ACK b common;0008NAK;");
        let done = zero("multi_ack_detailed", &format!("{}0009done\n", have()));
        assert!(done.sends(false));
        assert_eq!(said(&common, &done), "0038ACK b common;0031ACK b;");
        let plain = zero("ofs-delta", &format!("{}0009done\n", have()));
        assert_eq!(said(&common, &plain), "0031ACK b;");
        assert_eq!(said(&Sent::default(), &plain), "0008NAK;");
        let flushed = zero("side-band", "0000");
        assert_eq!(said(&Sent::default(), &flushed), "0008NAK;");
        let begins = Fetch { depth: std::num::NonZeroU32::new(1), ..zero("side-band-64k", "") };
        let cut = Sent { shallow: vec![id("b")], ..Sent::default() };
        assert!(!begins.sends(true));
        assert_eq!(said(&cut, &begins), "0035shallow b;0000");
    }

    #[test]
    fn a_pack_comes_in_the_frames_that_the_client_reads() {
        let part = vec![b'x'; 70_000];
        let lengths = |capabilities: &str| {
            let (mut out, band) = (Vec::new(), zero(capabilities, "0009done\n").band());
            band.data(&part, &mut out);
            band.words("hello\n", &mut out);
            band.alive(&mut out);
            band.end(&mut out);
            out.len()
        };
        assert_eq!(lengths("side-band-64k"), 70_000 + 2 * 5 + 11 + 5 + 4);
        assert_eq!(lengths("side-band"), 70_000 + 71 * 5 + 11 + 5 + 4);
        assert_eq!(lengths(""), 70_000);
    }
}
