//! Signs the commits of a push with the person's key, before anybody is shown them.
//!
//! The sandbox makes the commits and has no key; the host has the key and makes no commits. So the host signs what the sandbox proposes,
//! gives it the signatures, and checks what it proposes then: a signature that the host did not make itself is refused in any commit of a push
//! (`format::commit`), because no review shows what it holds.

use std::collections::{BTreeMap, HashMap};

use gix_hash::ObjectId;
use gix_object::Kind;
use patch::signature;
use serde::{Deserialize, Serialize};

use crate::{
    error::{Fault, FaultKind},
    format::commit::Commit,
    ledger::line,
    objects::Objects,
    push::CheckedPush,
    review::is_person,
};

/// A signature of one commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The commit without it.
    #[serde(with = "line::id")]
    pub commit: ObjectId,
    /// The commit with it. What it signs is not `commit` where that builds on signed ones.
    #[serde(with = "line::id")]
    pub signed: ObjectId,
    /// Its lines, each with its end.
    pub text: String,
}

impl Signature {
    /// Whether it is one of `content`, a commit on top of the signed ones.
    pub fn is_of(&self, content: &[u8]) -> bool {
        id_of(&signature::with_signature(content, &self.text)).is_ok_and(|id| id == self.signed)
    }
}

fn id_of(commit: &[u8]) -> Result<ObjectId, Fault> {
    gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Commit, commit)
        .map_err(|error| Fault::new(FaultKind::MalformedObject, format!("a signed commit: {error}")))
}

/// The signed commits of a push.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signed {
    /// Parents first.
    pub signatures: Vec<Signature>,
    /// What each signed commit was without its signature.
    unsigned: HashMap<ObjectId, ObjectId>,
}

impl Signed {
    /// Whether the host signed this commit itself.
    pub fn contains(&self, id: &ObjectId) -> bool {
        self.unsigned.contains_key(id)
    }

    /// The commit that the sandbox has for a signed one.
    pub fn unsigned(&self, id: &ObjectId) -> Option<ObjectId> {
        self.unsigned.get(id).copied()
    }
}

/// Why a push was not signed.
#[derive(Debug)]
pub enum Failed<E> {
    /// A commit cannot be read.
    Fault(Fault),
    /// The signer failed.
    Signer(E),
}

/// Returns the signature of a commit, given its name and its content on top of the signed ones.
pub type Sign<'a, E> = dyn FnMut(&ObjectId, &[u8]) -> Result<String, E> + 'a;

impl CheckedPush {
    /// Signs the commits that were made in the sandbox: those of its committer that the host has not `given` to it, and all that build on
    /// them. What the sandbox only passes on stays as it came. Nothing is signed twice.
    ///
    /// # Errors
    /// That of `sign`.
    pub fn sign<E>(&self, given: &dyn Objects, sign: &mut Sign<'_, E>) -> Result<Signed, Failed<E>> {
        let (mut signed, mut successors, mut data) = (Signed::default(), BTreeMap::new(), Vec::new());
        let own = self.commits.as_ref().and_then(|usual| usual.committer.as_ref().or(usual.identity.as_ref()));
        for commit in &self.history.new {
            let id = commit.id;
            self.pack.find(&id, &mut data).map_err(Failed::Fault)?;
            let parsed = Commit::parse(&data).map_err(|broken| Failed::Fault(broken.of(Kind::Commit, &id)))?;
            let builds_on_one = parsed.parents.iter().any(|parent| successors.contains_key(parent));
            let is_own = own.is_none_or(|own| is_person(own, parsed.committer));
            let is_given = given.contains(&id).map_err(Failed::Fault)?;
            if signature::is_signed(&data) || !(is_own && !is_given || builds_on_one) {
                continue;
            }
            let content = signature::with_parents(&data, &|hex| {
                let parent = ObjectId::from_hex(hex).ok()?;
                successors.get(&parent).map(ToString::to_string)
            });
            let text = sign(&id, &content).map_err(Failed::Signer)?;
            let made = id_of(&signature::with_signature(&content, &text)).map_err(Failed::Fault)?;
            successors.insert(id, made);
            signed.unsigned.insert(made, id);
            signed.signatures.push(Signature { commit: id, signed: made, text });
        }
        Ok(signed)
    }
}
