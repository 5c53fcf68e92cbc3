//! A push by git: what a client sends is received and proposed, as a server of git does it.

use std::rc::Rc;

use gate::digest::Digest;
use gate::pack::PackWriter;
use gate::policy::{Base, Caller, Policy};
use gix_hash::ObjectId;
use gix_object::tree::{Entry, EntryKind};
use gix_object::{Kind, Tree, WriteTo};
use host::answer::{Advance, Pushing, Served};
use serde_json::{Value, json};

use super::super::{Call, Here, Reply, run};
use super::calls::servers;
use crate::approve::Scripted;
use crate::moment;
use crate::sandbox::Sandbox;
use crate::store::Pending;

/// Pushes a commit on top of the branch that adds the file `name`. Gives the digest of what is proposed, or `None` if it is refused.
pub(super) fn push(sandbox: &mut Sandbox, name: &str) -> Result<Option<Digest>, String> {
    let Some(body) = body(sandbox, name)? else { return Ok(None) };
    let before = pending(sandbox).map_err(|error| error.to_string())?;
    let before: Vec<Digest> = before.into_iter().map(|pending| pending.digest).collect();
    let policy = Rc::new(Policy::new(Base::Strict, [], false));
    let mut pushing = Pushing::new(body.into(), "agent", policy).expect("it is a push");
    let (mut nobody, servers) = (Scripted::default(), servers());
    let mut here = Here::new(&mut nobody, &servers);
    let Served { body, .. } = loop {
        match pushing.advance(sandbox).map_err(|error| error.to_string())? {
            Advance::Done(served) => break served,
            Advance::Need(need) => pushing.give(here.perform(&need, None)),
        }
    };
    let said = String::from_utf8_lossy(&body.concat()).into_owned();
    if !said.contains("waiting for review") {
        println!("a push by git: {said}");
        return Ok(None);
    }
    let shown = pending(sandbox).map_err(|error| error.to_string())?;
    let new = shown.into_iter().map(|pending| pending.digest).find(|digest| !before.contains(digest));
    Ok(Some(new.expect("what is proposed is there")))
}

/// The pushes that were shown.
pub(super) fn pending(sandbox: &Sandbox) -> crate::error::Result<Vec<Pending>> {
    let (now, main) = (moment::now().timestamp(), "refs/heads/main".parse().expect("a branch"));
    let mut pending = Vec::new();
    for target in &sandbox.file.targets {
        pending.extend(sandbox.store.pending.to(&target.parse().expect("a target"), &main, now, None)?);
    }
    Ok(pending)
}

/// The request of the client. `None` if the sandbox has no branch.
fn body(sandbox: &mut Sandbox, name: &str) -> Result<Option<Vec<u8>>, String> {
    let script = "git rev-parse HEAD && git ls-tree HEAD";
    let Some(told) = ask(sandbox, "bash", &json!({ "command": script }))? else { return Ok(None) };
    let told = told["stdout"].as_str().expect("a script has an output").to_owned();
    let Some((head, listed)) = told.split_once('\n') else { return Ok(None) };
    let mut entries: Vec<Entry> = listed.lines().map(entry).collect();
    let mut writer = PackWriter::new();
    let mut add = |kind, content: &[u8]| -> ObjectId {
        writer.add(kind, content).expect("a pack has room");
        gix_object::compute_hash(gix_hash::Kind::Sha1, kind, content).expect("it is no attack")
    };
    let blob = add(Kind::Blob, format!("{name}, by git\n").as_bytes());
    entries.push(Entry { mode: EntryKind::Blob.into(), filename: name.into(), oid: blob });
    entries.sort();
    let mut tree = Vec::new();
    Tree { entries }.write_to(&mut tree).expect("its names are valid");
    let tree = add(Kind::Tree, &tree);
    let who = "Agent <agent@example.org> 1700000000 +0000";
    let commit =
        add(Kind::Commit, format!("tree {tree}\nparent {head}\nauthor {who}\ncommitter {who}\n\n{name}\n").as_bytes());
    // A client is told where the branch is that the target has.
    let Some(refs) = ask(sandbox, "sandbox_refs", &json!({ "bases": true }))? else { return Ok(None) };
    let main = refs["refs"].as_array().expect("a list").iter().find(|told| told["name"] == "refs/heads/main");
    let Some(main) = main else { return Ok(None) };
    let old = main["base"].as_str().map_or_else(|| "0".repeat(40), str::to_owned);
    let command = format!("{old} {commit} refs/heads/main\0 report-status side-band-64k");
    let mut body = format!("{:04x}{command}0000", command.len() + 4).into_bytes();
    body.extend_from_slice(&writer.finish().expect("it is no attack"));
    Ok(Some(body))
}

/// An entry as `git ls-tree` shows it: mode, kind, id and name.
fn entry(line: &str) -> Entry {
    let (facts, filename) = line.split_once('\t').expect("git's form");
    let [mode, _, id] = facts.split(' ').collect::<Vec<_>>()[..] else { panic!("git's form: {line}") };
    let mode = gix_object::tree::EntryMode::from_bytes(mode.as_bytes()).expect("git's form");
    Entry { mode, filename: filename.into(), oid: id.parse().expect("git's form") }
}

fn ask(sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> Result<Option<Value>, String> {
    let call = Call::new(tool, arguments.to_string(), Caller::User);
    let policy = Policy::new(Base::Strict, [], false);
    match run(sandbox, &call, Vec::new(), policy, &mut Scripted::default(), &servers()) {
        Ok(Reply::Done(Ok(result))) => Ok(Some(serde_json::from_str(&result.structured).unwrap())),
        Ok(_) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
