//! What a server says first: its capabilities, and before version 2 its refs (gitprotocol-v2, gitprotocol-pack).

use gix_hash::ObjectId;
use gix_packetline::PacketLineRef;

use super::{
    Fault, RefEntry, fault,
    packet::{Lines, Packets, id, text},
    remote::Service,
};

/// How a server is told who asks.
pub(super) const AGENT: &str = concat!("gitgate/", env!("CARGO_PKG_VERSION"));

/// Refs that a listing takes.
pub(super) const MOST_REFS: usize = 100_000;

/// Lines that name capabilities.
const MOST_LINES: usize = 1000;

/// What a server says of itself.
#[derive(Debug)]
pub(super) enum Advertised {
    /// It speaks version 2, and is asked for its refs.
    Two(Capabilities),
    /// It speaks an older version.
    Old {
        capabilities: Capabilities,
        /// Its refs as it says them, `HEAD` among them.
        refs: Vec<RefEntry>,
    },
}

impl Advertised {
    /// Reads an answer of `service`.
    pub fn read(answer: &[u8], service: Service) -> Result<Self, Fault> {
        let mut lines = Lines::of(answer);
        let Ok(Some(PacketLineRef::Data(first))) = lines.next() else { return Err(fault::not_smart()) };
        let mut first = text(first).map_err(|_| fault::not_smart())?;
        if let Some(named) = first.strip_prefix("# service=") {
            if named != service.name() || lines.text()?.is_some() {
                return Err(fault::malformed("it is of another service"));
            }
            match lines.text()? {
                Some(next) => first = next,
                // A repository without a ref, on a server that has nothing to say of itself.
                None => return Err(fault::malformed("it says nothing of itself")),
            }
        }
        let advertised = match first {
            "version 2" => Advertised::Two(Capabilities::lines(&mut lines)?),
            "version 1" => {
                let first = lines.text()?.ok_or_else(|| fault::malformed("it says nothing of itself"))?;
                Advertised::old(first, &mut lines)?
            }
            first => Advertised::old(first, &mut lines)?,
        };
        match advertised.capabilities().value("object-format") {
            None | Some("sha1") => Ok(advertised),
            Some(_) => Err(fault::sha256()),
        }
    }

    pub fn capabilities(&self) -> &Capabilities {
        match self {
            Advertised::Two(capabilities) | Advertised::Old { capabilities, .. } => capabilities,
        }
    }

    fn old(first: &str, lines: &mut Lines<'_>) -> Result<Self, Fault> {
        // A line of any other text, such as a page's, has no such byte.
        let (first, words) = first.split_once('\0').ok_or_else(fault::not_smart)?;
        let capabilities = Capabilities(words.split(' ').map(Capabilities::word).collect());
        let mut refs: Vec<RefEntry> = Vec::new();
        let mut line = Some(first);
        while let Some(text) = line {
            let (hex, name) = text.split_once(' ').ok_or_else(|| fault::malformed("a ref has no name"))?;
            // A repository without refs has one of this name, and a shallow one says where it ends.
            if name != "capabilities^{}" && hex != "shallow" {
                let id = id(hex).map_err(|fault| if hex.len() == 64 { fault::sha256() } else { fault })?;
                match (name.strip_suffix("^{}"), refs.last_mut()) {
                    (None, _) => refs.push(RefEntry { name: name.to_owned(), id, peeled: None }),
                    (Some(tag), Some(last)) if last.name == tag => last.peeled = Some(id),
                    _ => return Err(fault::malformed("it says what a tag leads to that it does not have")),
                }
            }
            ensure_few(refs.len())?;
            line = lines.text()?;
        }
        Ok(Advertised::Old { capabilities, refs })
    }
}

/// Fails for more refs than a listing takes.
pub(super) fn ensure_few(refs: usize) -> Result<(), Fault> {
    match refs <= MOST_REFS {
        true => Ok(()),
        false => Err(Fault::too_large(format!("the repository has more than {MOST_REFS} branches or tags"))),
    }
}

/// What a server can do: words, some with a value.
#[derive(Debug, Default)]
pub(super) struct Capabilities(Vec<(String, Option<String>)>);

impl Capabilities {
    fn lines(lines: &mut Lines<'_>) -> Result<Self, Fault> {
        let mut all = Vec::new();
        while let Some(line) = lines.text()? {
            all.push(Capabilities::word(line));
            if all.len() > MOST_LINES {
                return Err(fault::malformed("it has too many capabilities"));
            }
        }
        Ok(Capabilities(all))
    }

    fn word(word: &str) -> (String, Option<String>) {
        match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word.to_owned(), None),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(one, _)| one == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// The values of a word that can stand there several times.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(one, _)| one == name).filter_map(|(_, value)| value.as_deref())
    }

    /// The beginning of a command of version 2, up to its arguments. A server is told nothing that it does not know.
    pub fn command(&self, name: &str) -> Packets {
        let mut packets = Packets::default();
        packets.line(format_args!("command={name}"));
        if self.has("agent") {
            packets.line(format_args!("agent={AGENT}"));
        }
        if self.has("object-format") {
            packets.line(format_args!("object-format=sha1"));
        }
        packets.delimiter();
        packets
    }

    /// Whether a command of version 2 can do `feature`.
    pub fn can(&self, command: &str, feature: &str) -> bool {
        self.value(command).is_some_and(|features| features.split(' ').any(|one| one == feature))
    }
}

/// What `HEAD` of an older server leads to, as it says it beside its refs.
pub(super) fn head(capabilities: &Capabilities, refs: &[RefEntry]) -> Option<String> {
    let named = capabilities.values("symref").find_map(|symref| symref.strip_prefix("HEAD:"));
    let guessed = || {
        // Servers from before 1.8.5 do not say it: a branch that is where HEAD is.
        let at = refs.iter().find(|entry| entry.name == "HEAD")?.id;
        let of = |name: &str| refs.iter().any(|entry| entry.name == name && entry.id == at);
        ["refs/heads/main", "refs/heads/master"].into_iter().find(|name| of(name))
    };
    named.or_else(guessed).map(str::to_owned)
}

/// The id that stands for no object.
pub(super) fn nothing() -> ObjectId {
    ObjectId::null(gix_hash::Kind::Sha1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::FaultKind;

    const ID: &str = "0123456789012345678901234567890123456789";

    fn line(text: &str) -> String {
        format!("{:04x}{text}\n", text.len() + 5)
    }

    fn read(lines: &[String]) -> Result<Advertised, Fault> {
        Advertised::read(lines.concat().as_bytes(), Service::UploadPack)
    }

    #[test]
    fn each_version_is_understood_with_and_without_the_service() {
        let service = [line("# service=git-upload-pack"), "0000".to_owned()];
        let two = [line("version 2"), line("agent=x"), line("fetch=shallow filter"), "0000".to_owned()];
        let old = [
            line(&format!("{ID} HEAD\0side-band-64k symref=HEAD:refs/heads/main")),
            line(&format!("{ID} refs/heads/main")),
            line(&format!("{ID} refs/tags/v1")),
            line(&format!("{} refs/tags/v1^{{}}", "f".repeat(40))),
            "0000".to_owned(),
        ];
        for service in [&service[..], &[]] {
            let advertised = read(&[service, &two].concat()).unwrap();
            assert!(matches!(advertised, Advertised::Two(_)));
            assert!(advertised.capabilities().can("fetch", "filter") && !advertised.capabilities().can("fetch", "x"));
            for version in [&[line("version 1")][..], &[]] {
                let read = read(&[service, version, &old].concat()).unwrap();
                let Advertised::Old { capabilities, refs } = read else { panic!("it is an older one") };
                assert_eq!(refs.len(), 3);
                assert_eq!(refs[2].peeled, Some(ObjectId::from_hex("f".repeat(40).as_bytes()).unwrap()));
                assert_eq!(head(&capabilities, &refs).as_deref(), Some("refs/heads/main"));
            }
        }
    }

    #[test]
    fn a_repository_without_refs_and_a_shallow_one_are_understood() {
        let empty = [line(&format!("{} capabilities^{{}}\0report-status", "0".repeat(40))), "0000".to_owned()];
        let shallow = [line(&format!("{ID} HEAD\0a")), line(&format!("shallow {ID}")), "0000".to_owned()];
        for (lines, count) in [(&empty, 0), (&[shallow[0].clone(), shallow[1..].concat()], 1)] {
            let Advertised::Old { refs, .. } = read(lines).unwrap() else { panic!("it is an older one") };
            assert_eq!(refs.len(), count);
        }
    }

    #[test]
    fn longer_ids_are_refused_with_words() {
        let long = "a".repeat(64);
        for lines in [
            vec![line("version 2"), line("object-format=sha256"), "0000".to_owned()],
            vec![line(&format!("{long} HEAD\0object-format=sha256")), "0000".to_owned()],
        ] {
            assert!(read(&lines).unwrap_err().message.contains("SHA-256"));
        }
    }

    #[test]
    fn what_no_git_server_says_is_told_so() {
        for answer in [&b""[..], b"<html>", b"0000", b"000ehello you\n", b"{}"] {
            let fault = Advertised::read(answer, Service::UploadPack).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Malformed);
            assert_eq!(fault.message, "the server does not speak git's smart protocol there", "{answer:?}");
        }
        let other = [line("# service=git-receive-pack"), "0000".to_owned(), line("version 2"), "0000".to_owned()];
        assert!(read(&other).is_err());
        let broken = [line(&format!("{ID} HEAD\0a")), line("x"), "0000".to_owned()];
        assert!(read(&broken).is_err());
    }
}
