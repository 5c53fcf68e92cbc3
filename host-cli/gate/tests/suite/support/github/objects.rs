//! Converts objects to the REST API's form and back.

use gate::format::{commit, tree};
use gate::time::Civil;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde_json::{Value, json};

use super::super::packer::id;
use super::Server;

/// A commit, split into its headers.
pub struct Commit {
    pub tree: ObjectId,
    pub parents: Vec<ObjectId>,
    author: String,
    committer: String,
    signature: Option<String>,
    payload: String,
    message: String,
}

impl Server {
    /// Stores an object and returns its id.
    pub fn keep(&mut self, kind: Kind, content: Vec<u8>) -> ObjectId {
        let id = id(kind, &content);
        self.objects.insert(id, (kind, content));
        id
    }

    pub fn has(&self, id: &ObjectId, kind: Kind) -> bool {
        self.objects.get(id).is_some_and(|(found, _)| *found == kind)
    }

    pub fn commit(&self, id: ObjectId) -> Commit {
        let text = lossy(&self.objects[&id].1);
        let parsed = commit::Commit::parse(&self.objects[&id].1).unwrap();
        let signature = text.split_once("\ngpgsig ").map(|(_, rest)| {
            let mut lines = rest.split('\n');
            let first = lines.next().unwrap().to_owned();
            lines.map_while(|line| line.strip_prefix(' ')).fold(first, |all, line| format!("{all}\n{line}"))
        });
        let header = signature.as_ref().map(|signature| format!("gpgsig {}\n", signature.replace('\n', "\n ")));
        Commit {
            tree: parsed.tree,
            parents: parsed.parents.clone(),
            author: lossy(parsed.author),
            committer: lossy(parsed.committer),
            payload: text.replace(&header.unwrap_or_else(|| "\0".to_owned()), ""),
            signature,
            message: lossy(parsed.message),
        }
    }

    /// The answer of `GET …/git/commits/{sha}`.
    pub fn told(&self, id: ObjectId) -> Value {
        let commit = self.commit(id);
        let parents: Vec<_> = commit.parents.iter().map(link).collect();
        let verification = match &commit.signature {
            Some(signature) => json!({"verified": false, "signature": signature, "payload": commit.payload}),
            None => json!({"verified": false, "signature": null, "payload": null}),
        };
        json!({
            "sha": id.to_string(),
            "author": person(&commit.author),
            "committer": person(&commit.committer),
            "message": commit.message.strip_suffix('\n').unwrap_or(&commit.message),
            "tree": link(&commit.tree),
            "parents": parents,
            "verification": verification,
        })
    }

    /// The answer of `GET …/commits` for it.
    pub fn listed(&self, id: ObjectId) -> Value {
        let mut commit = self.told(id);
        let parents = commit["parents"].take();
        json!({"sha": id.to_string(), "commit": commit, "parents": parents})
    }

    /// The entries of a tree, and of those below it.
    pub fn entries(&self, id: ObjectId, folder: &str, is_recursive: bool) -> Vec<Value> {
        let mut out = Vec::new();
        for (name, mode, entry) in tree::read(&self.objects[&id].1).unwrap() {
            let path = format!("{folder}{name}");
            let kind = mode.kind().map_or("commit".to_owned(), |kind| kind.to_string());
            out.push(
                json!({"path": path, "mode": format!("{:06o}", mode.value()), "type": kind, "sha": entry.to_string()}),
            );
            if is_recursive && mode == tree::Mode::Tree {
                out.extend(self.entries(entry, &format!("{path}/"), true));
            }
        }
        out
    }

    /// The answer of `GET …/git/tags/{sha}`.
    pub fn told_tag(&self, id: ObjectId) -> Value {
        let text = lossy(&self.objects[&id].1);
        let (payload, signature) = match text.find("-----BEGIN") {
            Some(at) => (text[..at].to_owned(), Some(&text[at..])),
            None => (text.clone(), None),
        };
        let verification = match signature {
            Some(signature) => json!({"verified": false, "signature": signature, "payload": payload}),
            None => json!({"verified": false, "signature": null, "payload": null}),
        };
        let (head, message) = payload.split_once("\n\n").unwrap();
        let header = |word: &str| head.lines().find_map(|line| line.strip_prefix(word)).unwrap().to_owned();
        json!({
            "sha": id.to_string(),
            "tag": header("tag "),
            "message": message.strip_suffix('\n').unwrap_or(message),
            "tagger": person(&header("tagger ")),
            "object": {"sha": header("object "), "type": header("type ")},
            "verification": verification,
        })
    }
}

pub fn link(id: &ObjectId) -> Value {
    json!({"sha": id.to_string()})
}

/// The server's reading of bytes that may not be UTF-8: ISO 8859-1.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect())
}

fn person(line: &str) -> Value {
    let (name, rest) = line.split_once(" <").unwrap();
    let (email, rest) = rest.split_once("> ").unwrap();
    let seconds = rest.split_once(' ').unwrap().0.parse().unwrap();
    let Civil { year, month, day, hour, minute, second } = Civil::of(seconds).unwrap();
    let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    json!({"name": name, "email": email, "date": date})
}

/// `Name <email> seconds zone` for a person in a request.
pub fn line(person: &Value) -> String {
    let date = person["date"].as_str().unwrap();
    let number = |at: usize, len: usize| date[at..at + len].parse::<i64>().unwrap();
    let civil = Civil {
        year: number(0, 4),
        month: number(5, 2),
        day: number(8, 2),
        hour: number(11, 2),
        minute: number(14, 2),
        second: number(17, 2),
    };
    let zone = date[19..].replace(':', "");
    let offset = zone[1..3].parse::<i64>().unwrap() * 3600 + zone[3..].parse::<i64>().unwrap() * 60;
    let seconds = civil.seconds().unwrap() - if zone.starts_with('-') { -offset } else { offset };
    format!("{} <{}> {seconds} {zone}", person["name"].as_str().unwrap(), person["email"].as_str().unwrap())
}
