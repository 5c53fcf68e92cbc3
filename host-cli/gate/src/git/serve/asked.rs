//! What a client asks of `upload-pack`, in version 2 (gitprotocol-v2).

use std::num::NonZeroU32;

use gix_hash::ObjectId;

use super::super::packet::Lines;
use super::advertised::Protocol;
use super::line::{Next, Unfit, id, next};
use super::old;

/// A request to `upload-pack`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// For the refs.
    Refs(Listing),
    /// For objects.
    Objects(Fetch),
    /// For nothing: a client looks whether it may ask.
    Nothing,
}

/// Which refs, and what about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Whether to say what tags lead to.
    pub peel: bool,
    /// Whether to say which ref a symbolic one names.
    pub symrefs: bool,
    /// Whether to name a HEAD whose branch does not exist.
    pub unborn: bool,
    /// Only refs with these beginnings. All, if there are none.
    pub prefixes: Vec<String>,
}

/// What is left out of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All blobs that are not asked for by their ids.
    Blobs,
}

/// Which objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetch {
    /// The objects that are wanted.
    pub wants: Vec<ObjectId>,
    /// Commits that the client has.
    pub haves: Vec<ObjectId>,
    /// Commits whose parents the client has not.
    pub shallow: Vec<ObjectId>,
    /// How many commits from each one that is wanted.
    pub depth: Option<NonZeroU32>,
    /// What is left out.
    pub filter: Option<Filter>,
    /// Whether the client has named all that it has.
    pub done: bool,
    /// How it is answered.
    pub(super) form: Form,
}

/// In which form a client reads an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// In sections.
    #[default]
    Two,
    /// In lines, by what the client can do.
    Zero {
        /// `multi_ack_detailed`.
        detailed: bool,
        /// Whether a pack may follow before the client has said `done`.
        early: bool,
        /// The longest packet of a band, if the client reads bands.
        band: Option<usize>,
        /// Whether it has only said what it wants: it hears where the history is cut, and asks again.
        begins: bool,
    },
}

/// How often something may be named in one request.
pub(super) const MOST: usize = 200_000;

impl Listing {
    /// Whether a ref whose name begins with `prefix` may be among what is asked for.
    pub fn may_name(&self, prefix: &str) -> bool {
        let is_related = |asked: &String| asked.starts_with(prefix) || prefix.starts_with(asked.as_str());
        self.prefixes.is_empty() || self.prefixes.iter().any(is_related)
    }
}

impl Fetch {
    /// Whether it is of version 0.
    pub fn is_old(&self) -> bool {
        matches!(self.form, Form::Zero { .. })
    }
}

impl Asked {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// If it is no request, or asks for what there is not here.
    pub fn read(body: &[u8], protocol: Protocol) -> Result<Self, Unfit> {
        if matches!(body, b"" | b"0000") {
            return Ok(Asked::Nothing);
        }
        let mut lines = Lines::of(body);
        match protocol {
            Protocol::Zero => old::read(&mut lines).map(Asked::Objects),
            Protocol::Two => command(&mut lines),
        }
    }
}

fn command(lines: &mut Lines<'_>) -> Result<Asked, Unfit> {
    let (command, end) = capabilities(lines)?;
    let arguments = match end {
        Next::Delimiter => arguments(lines)?,
        _ => Vec::new(),
    };
    match command {
        "ls-refs" => Ok(Asked::Refs(listing(&arguments))),
        "fetch" => fetch(&arguments).map(Asked::Objects),
        other => Err(Unfit::new(format!("there is no command {} here", super::super::clean(other)))),
    }
}

/// Reads the command and what the client can do, which come in any order (git's serve.c), and how that ends.
fn capabilities<'a>(lines: &mut Lines<'a>) -> Result<(&'a str, Next<'a>), Unfit> {
    let mut command = None;
    let end = loop {
        match next(lines)? {
            Next::Line(line) => {
                if line.strip_prefix("object-format=").is_some_and(|format| format != "sha1") {
                    return Err(Unfit::new("the sandbox's repository has SHA-1 ids"));
                }
                if let Some(name) = line.strip_prefix("command=")
                    && command.replace(name).is_some()
                {
                    return Err(Unfit::new("the request has two commands"));
                }
            }
            Next::End => return Err(ends()),
            end => break end,
        }
    };
    Ok((command.ok_or_else(|| Unfit::new("the request has no command"))?, end))
}

fn arguments<'a>(lines: &mut Lines<'a>) -> Result<Vec<&'a str>, Unfit> {
    let mut arguments = Vec::new();
    loop {
        match next(lines)? {
            Next::Line(line) if arguments.len() < MOST => arguments.push(line),
            Next::Line(_) => return Err(Unfit::new(format!("the request has more than {MOST} lines"))),
            Next::Flush => return Ok(arguments),
            Next::Delimiter => return Err(Unfit::new("the request has a part too many")),
            Next::End => return Err(ends()),
        }
    }
}

fn listing(arguments: &[&str]) -> Listing {
    let has = |word| arguments.contains(&word);
    // A client filters what it is told. More would only take time.
    const MOST_PREFIXES: usize = 1000;
    let prefixes: Vec<String> =
        arguments.iter().filter_map(|line| line.strip_prefix("ref-prefix ")).map(str::to_owned).collect();
    let prefixes = if prefixes.len() > MOST_PREFIXES { Vec::new() } else { prefixes };
    Listing { peel: has("peel"), symrefs: has("symrefs"), unborn: has("unborn"), prefixes }
}

fn fetch(arguments: &[&str]) -> Result<Fetch, Unfit> {
    let mut fetch = Fetch::default();
    for line in arguments {
        match line.split_once(' ') {
            Some(("have", hex)) => fetch.haves.push(id(hex)?),
            None if *line == "done" => fetch.done = true,
            // The pack has no thin deltas, no progress and no more tags than are wanted, whatever the client would bear.
            None if ["thin-pack", "no-progress", "include-tag", "ofs-delta"].contains(line) => {}
            _ => fetch.take(line)?,
        }
    }
    if fetch.wants.is_empty() {
        return Err(Unfit::new("the request wants nothing"));
    }
    Ok(fetch)
}

impl Fetch {
    /// Takes a line that both versions have.
    pub(super) fn take(&mut self, line: &str) -> Result<(), Unfit> {
        match line.split_once(' ') {
            Some(("want", hex)) => self.wants.push(id(hex)?),
            Some(("shallow", hex)) => self.shallow.push(id(hex)?),
            Some(("deepen", number)) => {
                let depth = number.parse().map_err(|_| Unfit::new("the depth is no number"))?;
                self.depth = NonZeroU32::new(depth);
            }
            Some(("filter", "blob:none")) => self.filter = Some(Filter::Blobs),
            Some(("filter", spec)) => {
                let spec = super::super::clean(spec);
                return Err(Unfit::new(format!("the filter {spec} is not supported here: use blob:none")));
            }
            Some(("deepen-since" | "deepen-not", _)) => {
                return Err(Unfit::new("a history is cut by the number of its commits here: ask for a depth"));
            }
            _ if line == "deepen-relative" => {
                return Err(Unfit::new("a history grows by its depth from the newest commit here: ask for that"));
            }
            _ => return Err(Unfit::new(format!("what is asked is unknown here: {}", super::super::clean(line)))),
        }
        Ok(())
    }
}

pub(super) fn ends() -> Unfit {
    Unfit::new("the request ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(lines: &[&str]) -> Vec<u8> {
        let packet = |line: &&str| match *line {
            "0000" | "0001" => line.as_bytes().to_vec(),
            line => format!("{:04x}{line}\n", line.len() + 5).into_bytes(),
        };
        lines.iter().flat_map(packet).collect()
    }

    fn two(lines: &[&str]) -> Result<Asked, Unfit> {
        Asked::read(&packet(lines), Protocol::Two)
    }

    #[test]
    fn refs_are_listed_as_they_are_asked_for() {
        let asked = two(&["command=ls-refs", "agent=x", "0001", "peel", "ref-prefix refs/heads/", "0000"]).unwrap();
        let expected = Listing { peel: true, prefixes: vec!["refs/heads/".to_owned()], ..Listing::default() };
        assert_eq!(asked, Asked::Refs(expected));
        assert_eq!(two(&["command=ls-refs", "0000"]).unwrap(), Asked::Refs(Listing::default()));
        // As git 2.30 asks.
        let old = ["object-format=sha1", "command=ls-refs", "agent=git/2.30.2", "0000"];
        assert_eq!(two(&old).unwrap(), Asked::Refs(Listing::default()));
    }

    #[test]
    fn a_fetch_says_what_is_wanted_and_what_is_there() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let asked = two(&[
            "command=fetch",
            "0001",
            "thin-pack",
            &format!("want {a}"),
            &format!("have {b}"),
            "deepen 2",
            "filter blob:none",
            "done",
            "0000",
        ]);
        let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).unwrap();
        let expected = Fetch {
            wants: vec![id(&a)],
            haves: vec![id(&b)],
            depth: NonZeroU32::new(2),
            filter: Some(Filter::Blobs),
            done: true,
            ..Fetch::default()
        };
        assert_eq!(asked, Ok(Asked::Objects(expected)));
    }

    #[test]
    fn attack_12_what_is_no_request_is_refused_with_words() {
        let a = format!("want {}", "a".repeat(40));
        for (lines, said) in [
            (&["command=fetch", "0001", "0000"][..], "wants nothing"),
            (&["command=fetch", "0001", &a], "ends too early"),
            (&["command=fetch"], "ends too early"),
            (&["0000", "0000"], "no command"),
            (&["command=object-info", "0000"], "there is no command object-info here"),
            (&["command=fetch", "command=fetch", "0001", &a, "0000"], "two commands"),
            (&["object-format=sha1", "0001", &a, "0000"], "no command"),
            (&["command=fetch", "0001", "want zz", "0000"], "an id that is none"),
            (&["command=fetch", "0001", &a, "filter tree:0", "0000"], "use blob:none"),
            (&["command=fetch", "0001", &a, "deepen-since 3", "0000"], "ask for a depth"),
            (&["command=fetch", "0001", &a, "deepen x", "0000"], "no number"),
            (&["command=fetch", "object-format=sha256", "0001", &a, "0000"], "SHA-1"),
            (&["command=fetch", "0001", &a, "0001", "0000"], "a part too many"),
            (&["command=fetch", "0001", &a, "packfile-uris \u{1b}[31m", "0000"], "unknown here"),
        ] {
            let unfit = two(lines).unwrap_err();
            assert!(unfit.0.contains(said) && !unfit.0.contains('\u{1b}'), "{lines:?}: {unfit}");
        }
        for body in [&b"zzzz"[..], b"0005\xff0000", b"fffe", b"0002"] {
            assert!(Asked::read(body, Protocol::Two).is_err() && Asked::read(body, Protocol::Zero).is_err());
        }
        assert_eq!(Asked::read(b"0000", Protocol::Two), Ok(Asked::Nothing));
    }
}
