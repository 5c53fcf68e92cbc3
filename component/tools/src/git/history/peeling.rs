//! Peels the targets of refs as git does.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;

use crate::error::ToolError;
use crate::git::history::graph::{Cache, History};
use crate::git::store::repo::{Repo, damaged};

/// The limit on a chain of tags.
const DEEPEST: usize = 64;

/// The commit behind an object.
#[derive(Debug, Default)]
pub struct Peeled {
    /// `None` if there is no commit that git can read.
    pub id: Option<ObjectId>,
    /// git's complaint, in a line.
    pub complaint: String,
}

/// Peels the object `id` to a commit.
pub fn peel(repo: &Repo, id: ObjectId) -> Result<Peeled, ToolError> {
    let mut peeled = gently(&History::of(repo, &Cache::default())?, repo, id)?;
    if let (None, Some((id, kind))) = (peeled.id, end(repo, id)?)
        && kind != Kind::Commit
    {
        peeled.complaint.push_str(&format!("error: object {id} is a {kind}, not a commit\n"));
    }
    Ok(peeled)
}

/// Like [`peel`], in the history of `repo`, but without a complaint about objects of other kinds.
pub fn gently(history: &History<'_>, repo: &Repo, id: ObjectId) -> Result<Peeled, ToolError> {
    let Some((id, Kind::Commit)) = end(repo, id)? else {
        return Ok(Peeled::default());
    };
    match history.node(id) {
        Ok(_) => Ok(Peeled { id: Some(id), complaint: String::new() }),
        Err(error) => Ok(Peeled { id: None, complaint: format!("{}\n", error.message) }),
    }
}

/// The object at the end of a chain of tags, and its kind. `None` if it is missing.
pub fn end(repo: &Repo, id: ObjectId) -> Result<Option<(ObjectId, Kind)>, ToolError> {
    let mut id = id;
    for _ in 0..DEEPEST {
        let Some(header) = repo.gix.try_find_header(id).map_err(|error| damaged(&error))? else {
            return Ok(None);
        };
        if header.kind() != Kind::Tag {
            return Ok(Some((id, header.kind())));
        }
        let tag = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        let target = tag.data.strip_prefix(b"object ").and_then(|rest| ObjectId::from_hex(rest.get(..40)?).ok());
        let Some(target) = target else { return Ok(None) };
        id = target;
    }
    Ok(None)
}

/// The first paragraph of the message of the commit or tag `id`, on one line, without conversion.
pub fn subject(repo: &Repo, id: ObjectId) -> Result<Vec<u8>, ToolError> {
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    // git treats the object as a C string, so its first NUL ends it.
    let text = object.data.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(subject_of(text))
}

fn subject_of(text: &[u8]) -> Vec<u8> {
    let header = if text.starts_with(b"\n") { 0 } else { text.find(b"\n\n").map_or(text.len(), |end| end + 1) };
    let message = &text[header..];
    let message = &message[message.iter().take_while(|byte| **byte == b'\n').count()..];
    let signature = signature(message);
    let end = message.find(b"\n\n").or_else(|| message.find(b"\r\n\r\n")).unwrap_or(signature).min(signature);
    let subject = message[..end].trim_end_with(|end| matches!(end, '\n' | '\r'));
    let mut line = Vec::with_capacity(subject.len());
    let mut bytes = subject.iter().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' if bytes.peek() == Some(&&b'\n') => {}
            b'\n' => line.push(b' '),
            byte => line.push(*byte),
        }
    }
    line
}

/// The first lines of signatures at the end of a message.
const SIGNATURES: [&[u8]; 4] = [
    b"-----BEGIN PGP SIGNATURE-----",
    b"-----BEGIN PGP MESSAGE-----",
    b"-----BEGIN SIGNED MESSAGE-----",
    b"-----BEGIN SSH SIGNATURE-----",
];

/// The start of the last signature in a message, or the end of the message.
fn signature(message: &[u8]) -> usize {
    let mut found = message.len();
    let mut at = 0;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        if SIGNATURES.iter().any(|begin| line.starts_with(begin)) {
            found = at;
        }
        at += line.len();
    }
    found
}

#[cfg(all(test, not(target_os = "wasi")))]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_what_git_shows() {
        let mut sandbox = crate::testing::Sandbox::with_two_commits();
        let signed = "one\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n\ntwo";
        for message in [
            "one\ntwo\n\nthree\n",
            "\n\none\n",
            "",
            "one\r\ntwo\r\n\r\nthree",
            "one\n \ntwo",
            "one\r",
            signed,
            "\n",
            " one \n",
        ] {
            let tree = sandbox.git(&["write-tree"]).trim_end().to_owned();
            let text = format!("tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n{message}");
            let id = sandbox.git_fed(&["hash-object", "-t", "commit", "-w", "--stdin"], text.as_bytes()).stdout;
            let id = String::from_utf8(id).unwrap();
            sandbox.git(&["update-ref", "refs/heads/x", id.trim_end()]);
            let theirs = sandbox.git(&["for-each-ref", "--format=%(contents:subject)", "refs/heads/x"]);
            assert_eq!(subject_of(text.as_bytes()).as_bstr(), theirs.strip_suffix('\n').unwrap(), "{message:?}");
        }
    }
}
