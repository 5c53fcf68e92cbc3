//! What a server says first: its refs, and what it can do (gitprotocol-http, "Smart Clients"; gitprotocol-v2).

use bytes::Bytes;
use gix_hash::ObjectId;

use super::super::RefEntry;
use super::super::advertised::AGENT;
use super::super::packet::Packets;
use super::asked::Listing;

/// One of git's two services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Fetching.
    UploadPack,
    /// Pushing.
    ReceivePack,
}

impl Service {
    /// The service of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Service::UploadPack, Service::ReceivePack].into_iter().find(|service| service.name() == name)
    }

    /// Its name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Service::UploadPack => "git-upload-pack",
            Service::ReceivePack => "git-receive-pack",
        }
    }

    /// The `Content-Type` of what it says first.
    pub fn advertisement(self) -> &'static str {
        match self {
            Service::UploadPack => "application/x-git-upload-pack-advertisement",
            Service::ReceivePack => "application/x-git-receive-pack-advertisement",
        }
    }

    /// The `Content-Type` of what is asked of it.
    pub fn request(self) -> &'static str {
        match self {
            Service::UploadPack => "application/x-git-upload-pack-request",
            Service::ReceivePack => "application/x-git-receive-pack-request",
        }
    }

    /// The `Content-Type` of its answers.
    pub fn result(self) -> &'static str {
        match self {
            Service::UploadPack => "application/x-git-upload-pack-result",
            Service::ReceivePack => "application/x-git-receive-pack-result",
        }
    }
}

/// The version of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The original one. A client that asks for version 1 gets it, too, as the protocol allows.
    #[default]
    Zero,
    /// Version 2.
    Two,
}

impl Protocol {
    /// What the header `Git-Protocol` asks for.
    pub fn of(header: Option<&str>) -> Self {
        let is_two = header.is_some_and(|header| header.split(':').any(|word| word.trim() == "version=2"));
        if is_two { Protocol::Two } else { Protocol::Zero }
    }
}

/// A repository, as a client sees it.
#[derive(Clone, Debug, Default)]
pub struct Advertised {
    /// The branch that HEAD names, in full, even if it does not exist yet.
    pub head: Option<String>,
    /// The refs, sorted by name, `HEAD` not among them.
    pub refs: Vec<RefEntry>,
    /// What HEAD leads to.
    pub at: Option<ObjectId>,
    /// Commits whose parents it has not.
    pub shallow: Vec<ObjectId>,
}

/// What fetching in version 0 can do besides. Tags that lead to what is sent are fetched by a client itself.
const UPLOAD: &str = "multi_ack_detailed no-done side-band side-band-64k ofs-delta shallow no-progress filter allow-tip-sha1-in-want \
                      allow-reachable-sha1-in-want";

/// What a push can do besides. A pack whose deltas have their bases elsewhere is not taken.
const RECEIVE: &str = "report-status report-status-v2 delete-refs side-band-64k quiet ofs-delta no-thin push-options";

impl Advertised {
    /// What the server says first.
    pub fn first(&self, service: Service, protocol: Protocol) -> Bytes {
        let mut packets = Packets::default();
        packets.line(format_args!("# service={}", service.name())).flush();
        match (service, protocol) {
            (Service::UploadPack, Protocol::Two) => {
                packets
                    .line(format_args!("version 2"))
                    .line(format_args!("agent={AGENT}"))
                    .line(format_args!("ls-refs=unborn"))
                    .line(format_args!("fetch=shallow filter"))
                    .line(format_args!("object-format=sha1"))
                    .flush();
            }
            (Service::UploadPack, Protocol::Zero) => {
                let head = self.head.as_deref().filter(|_| self.at.is_some());
                let symref = head.map(|head| format!(" symref=HEAD:{head}")).unwrap_or_default();
                self.old(&mut packets, &format!("{UPLOAD}{symref}"), self.at);
            }
            // Only branches are pushed, so HEAD is not named.
            (Service::ReceivePack, _) => self.old(&mut packets, RECEIVE, None),
        }
        packets.then(b"")
    }

    /// The refs, as version 2 lists them.
    pub fn listing(&self, wanted: &Listing) -> Bytes {
        let mut packets = Packets::default();
        let is_wanted = |name: &str| {
            wanted.prefixes.is_empty() || wanted.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
        };
        if is_wanted("HEAD") {
            let named = self.head.as_deref().filter(|_| wanted.symrefs);
            let symref = named.map(|name| format!(" symref-target:{name}")).unwrap_or_default();
            match self.at {
                Some(id) => {
                    packets.line(format_args!("{id} HEAD{symref}"));
                }
                None if wanted.unborn && !symref.is_empty() => {
                    packets.line(format_args!("unborn HEAD{symref}"));
                }
                None => {}
            }
        }
        for RefEntry { name, id, peeled } in self.refs.iter().filter(|entry| is_wanted(&entry.name)) {
            let peeled = peeled.filter(|_| wanted.peel).map(|id| format!(" peeled:{id}")).unwrap_or_default();
            packets.line(format_args!("{id} {name}{peeled}"));
        }
        packets.flush();
        packets.then(b"")
    }

    /// Refs as version 0 has them, the capabilities behind the first.
    fn old(&self, packets: &mut Packets, capabilities: &str, head: Option<ObjectId>) {
        let mut said = Some(format!("\0{capabilities} object-format=sha1 agent={AGENT}"));
        let mut line = |id: &ObjectId, name: &str| {
            packets.line(format_args!("{id} {name}{}", said.take().unwrap_or_default()));
        };
        if let Some(id) = &head {
            line(id, "HEAD");
        }
        for RefEntry { name, id, peeled } in &self.refs {
            line(id, name);
            if let Some(peeled) = peeled {
                line(peeled, &format!("{name}^{{}}"));
            }
        }
        if head.is_none() && self.refs.is_empty() {
            line(&ObjectId::null(gix_hash::Kind::Sha1), "capabilities^{}");
        }
        for id in &self.shallow {
            packets.line(format_args!("shallow {id}"));
        }
        packets.flush();
    }
}

/// An answer that says only what went wrong. git shows it as `fatal: remote error: …`.
pub fn refused(words: &str) -> Bytes {
    // Room for the line's own words.
    const MOST: usize = 1000;
    let words = &words[..words.floor_char_boundary(MOST)];
    let mut packets = Packets::default();
    packets.line(format_args!("ERR {}", words.replace('\n', " ")));
    packets.then(b"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: &str) -> ObjectId {
        ObjectId::from_hex(digit.repeat(40).as_bytes()).unwrap()
    }

    #[test]
    fn version_0_names_the_refs_at_once() {
        let refs = vec![
            RefEntry { name: "refs/heads/main".to_owned(), id: id("a"), peeled: None },
            RefEntry { name: "refs/tags/v1".to_owned(), id: id("b"), peeled: Some(id("a")) },
        ];
        let repository =
            Advertised { head: Some("refs/heads/main".to_owned()), refs, at: Some(id("a")), shallow: vec![id("a")] };
        let said = repository.first(Service::UploadPack, Protocol::of(Some("version=1")));
        let said = String::from_utf8(said.to_vec()).unwrap();
        assert!(said.starts_with("001e# service=git-upload-pack\n0000"), "{said}");
        assert!(said.contains(&format!("{} HEAD\0", id("a"))), "{said}");
        assert!(said.contains("symref=HEAD:refs/heads/main"), "{said}");
        assert!(said.contains(&format!("{} refs/tags/v1^{{}}\n", id("a"))), "{said}");
        assert!(said.ends_with(&format!("0035shallow {}\n0000", id("a"))), "{said}");
        let push = repository.first(Service::ReceivePack, Protocol::Two);
        let push = String::from_utf8(push.to_vec()).unwrap();
        assert!(!push.contains("HEAD") && push.contains("no-thin"), "{push}");
    }

    #[test]
    fn version_2_lists_what_is_asked_for() {
        let tag = RefEntry { name: "refs/tags/v1".to_owned(), id: id("b"), peeled: Some(id("a")) };
        let whole = Listing { peel: true, symrefs: true, unborn: true, prefixes: Vec::new() };
        let said = |repository: &Advertised, wanted: &Listing| {
            let text = String::from_utf8(repository.listing(wanted).to_vec()).unwrap();
            text.replace(&id("a").to_string(), "a").replace(&id("b").to_string(), "b").replace('\n', ";")
        };
        let head = Some("refs/heads/main".to_owned());
        let repository = Advertised { head: head.clone(), refs: vec![tag], at: Some(id("a")), shallow: Vec::new() };
        assert_eq!(
            said(&repository, &whole),
            "0050a HEAD symref-target:refs/heads/main;006ab refs/tags/v1 peeled:a;0000"
        );
        let tags = Listing { prefixes: vec!["refs/tags/".to_owned()], ..Listing::default() };
        assert_eq!(said(&repository, &tags), "003ab refs/tags/v1;0000");
        let empty = Advertised { head, ..Advertised::default() };
        assert_eq!(said(&empty, &whole), "002eunborn HEAD symref-target:refs/heads/main;0000");
        assert_eq!(said(&empty, &tags), "0000");
    }

    #[test]
    fn a_repository_without_refs_says_what_it_can_do() {
        let said = Advertised::default().first(Service::ReceivePack, Protocol::Zero);
        assert!(String::from_utf8(said.to_vec()).unwrap().contains("0000 capabilities^{}\0report-status"));
    }

    #[test]
    fn a_refusal_is_one_line_however_long_it_is() {
        let said = refused(&"a\nü".repeat(2000));
        assert_eq!(&said[4..8], b"ERR ");
        assert!(said.len() < 1010, "{}", said.len());
    }

    #[test]
    fn version_2_is_spoken_if_it_is_asked_for() {
        for (header, expected) in [
            (Some("version=2"), Protocol::Two),
            (Some("side:version=2"), Protocol::Two),
            (Some("version=22"), Protocol::Zero),
            (Some("version=1"), Protocol::Zero),
            (None, Protocol::Zero),
        ] {
            assert_eq!(Protocol::of(header), expected, "{header:?}");
        }
    }
}
