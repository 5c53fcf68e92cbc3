//! A commit in GitHub's terms.

use bstr::ByteSlice;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde::Serialize;

use super::plan::{unsendable, utf8};
use crate::{
    format::commit::Commit,
    github::{Fault, date},
};

/// The body of `POST …/git/commits`.
#[derive(Debug, Serialize)]
pub(super) struct Body {
    message: String,
    tree: String,
    parents: Vec<String>,
    author: Person,
    committer: Person,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
}

#[derive(Debug, Serialize)]
struct Person {
    name: String,
    email: String,
    date: String,
}

/// The body that makes the commit `id` of `content`. Fails for what GitHub has no words for.
pub(super) fn body(id: ObjectId, content: &[u8]) -> Result<Body, Fault> {
    let commit = Commit::parse(content).map_err(|broken| broken.of(Kind::Commit, &id))?;
    let signature = signature(content);
    if written(&commit, signature.as_deref()) != content {
        return Err(unsendable(id, Kind::Commit, "it has headers that the API does not take"));
    }
    Ok(Body {
        message: utf8(id, Kind::Commit, commit.message, "its message")?.to_owned(),
        tree: commit.tree.to_string(),
        parents: commit.parents.iter().map(ToString::to_string).collect(),
        author: person(id, commit.author)?,
        committer: person(id, commit.committer)?,
        signature: match &signature {
            Some(lines) => Some(utf8(id, Kind::Commit, lines, "its signature")?.replace("\n ", "\n")),
            None => None,
        },
    })
}

/// The value of the header `gpgsig`, with the spaces that its further lines start with.
fn signature(content: &[u8]) -> Option<Vec<u8>> {
    let headers = &content[..content.find(b"\n\n")?];
    let start = headers.find(b"\ngpgsig ")? + b"\ngpgsig ".len();
    let rest = &headers[start..];
    let end = rest.find_iter(b"\n").find(|at| rest.get(at + 1) != Some(&b' ')).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

/// The commit as GitHub writes it.
fn written(commit: &Commit<'_>, signature: Option<&[u8]>) -> Vec<u8> {
    let mut out = format!("tree {}\n", commit.tree).into_bytes();
    for parent in &commit.parents {
        out.extend_from_slice(format!("parent {parent}\n").as_bytes());
    }
    let mut line = |word: &[u8], value: &[u8]| {
        out.extend_from_slice(word);
        out.extend_from_slice(value);
        out.push(b'\n');
    };
    line(b"author ", commit.author);
    line(b"committer ", commit.committer);
    if let Some(signature) = signature {
        line(b"gpgsig ", signature);
    }
    line(b"", b"");
    out.extend_from_slice(commit.message);
    out
}

/// `Name <email> seconds zone`, in parts.
fn person(id: ObjectId, line: &[u8]) -> Result<Person, Fault> {
    let odd = || unsendable(id, Kind::Commit, "the API cannot write its author's or committer's name and date so");
    let line = utf8(id, Kind::Commit, line, "its author or committer")?;
    let (name, rest) = line.split_once(" <").ok_or_else(odd)?;
    let (email, rest) = rest.split_once("> ").ok_or_else(odd)?;
    let (seconds, zone) = rest.split_once(' ').ok_or_else(odd)?;
    let date = seconds.parse().ok().and_then(|seconds| date::to_iso(seconds, zone)).ok_or_else(odd)?;
    Ok(Person { name: name.to_owned(), email: email.to_owned(), date })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::FaultKind;

    const TREE: &str = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";

    fn of(rest: &str) -> Result<serde_json::Value, Fault> {
        let id = ObjectId::null(gix_hash::Kind::Sha1);
        body(id, format!("{TREE}{rest}").as_bytes()).map(|body| serde_json::to_value(body).unwrap())
    }

    #[test]
    fn a_commit_is_said_in_githubs_terms() {
        let body = of("author A U <a@x> 0 +0530\ncommitter C <> 1 -0100\n\nsubject\n\nbody\n").unwrap();
        assert_eq!(
            body,
            serde_json::json!({
                "message": "subject\n\nbody\n",
                "tree": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
                "parents": [],
                "author": {"name": "A U", "email": "a@x", "date": "1970-01-01T05:30:00+05:30"},
                "committer": {"name": "C", "email": "", "date": "1969-12-31T23:00:01-01:00"},
            })
        );
    }

    #[test]
    fn a_signature_is_taken_out_of_its_header() {
        let who = "author A <a> 0 +0000\ncommitter A <a> 0 +0000\n";
        let body = of(&format!("{who}gpgsig one\n \n two\n\nm")).unwrap();
        assert_eq!((&body["signature"], &body["message"]), (&"one\n\ntwo".into(), &"m".into()));
    }

    #[test]
    fn what_has_no_words_is_refused_before_anything_is_sent() {
        let who = "author A <a> 0 +0000\ncommitter A <a> 0 +0000\n";
        for rest in [
            format!("{who}encoding latin1\n\nm"),
            format!("{who}gpgsig s\nother x\n\nm"),
            who.to_owned(),
            "author A <a> 0 -0000\ncommitter A <a> 0 +0000\n\nm".to_owned(),
            "author A <a> 0 +0199\ncommitter A <a> 0 +0000\n\nm".to_owned(),
            "author A <a> 99999999999999999 +0000\ncommitter A <a> 0 +0000\n\nm".to_owned(),
        ] {
            assert!(matches!(of(&rest).unwrap_err().kind, FaultKind::Unsendable { .. }), "{rest}");
        }
    }
}
