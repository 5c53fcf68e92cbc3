//! Imports a real repository into an instance: git packs it, `sandbox_import` takes it.

use std::fs;

use serde_json::{Value, json};

use crate::host::Sandbox;
use crate::repo::Repo;
use crate::session::{World, succeed};

/// Imports everything of `repo` into the sandbox, which is then like a clone; the world gets its refs.
pub fn import(sandbox: &mut Sandbox, repo: &Repo, world: &mut World) {
    let arguments = arguments(sandbox, repo);
    succeed(sandbox, "sandbox_import", &arguments, 0, world);
    world.refs = refs(repo).into_iter().filter(|(name, _)| name.starts_with("refs/heads/")).collect();
}

/// Attaches everything of `repo`, and returns the arguments for `sandbox_import`.
pub fn arguments(sandbox: &mut Sandbox, repo: &Repo) -> Value {
    let (pack, index) = pack(repo);
    let (pack, index) = (sandbox.attach(&pack), sandbox.attach(&index));
    json!({
        "origin": { "kind": "local", "location": "/made/up", "target": "local:/made/up", "head": "refs/heads/main" },
        "head": { "branch": "refs/heads/main" },
        "refs": refs(repo).iter().map(|(name, id)| json!({ "name": name, "id": id })).collect::<Vec<Value>>(),
        "packs": [{ "pack": hex(&pack), "index": hex(&index) }],
        "shallow": [],
    })
}

fn refs(repo: &Repo) -> Vec<(String, String)> {
    let listed = repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let pairs = listed.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(name, id)| (name.to_owned(), id.to_owned())).collect()
}

/// One pack of all objects, and its index.
fn pack(repo: &Repo) -> (Vec<u8>, Vec<u8>) {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let base = folder.path().join("all");
    let name = repo.git(&["pack-objects", "--quiet", "--all", base.to_str().expect("temporary folders are UTF-8")]);
    let read =
        |extension: &str| fs::read(folder.path().join(format!("all-{name}.{extension}"))).expect("git has written it");
    (read("pack"), read("idx"))
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}
