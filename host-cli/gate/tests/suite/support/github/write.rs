//! The write requests.

use std::collections::BTreeMap;

use gate::forge::Response;
use gate::format::tree::{self, Mode};
use gix_hash::ObjectId;
use gix_object::Kind;
use patch::signature::is_signed;
use serde_json::Value;

use super::super::{hex, packer};
use super::{Server, body, link, objects::line, of, read::pull, refused};

impl Server {
    pub(super) fn write(&mut self, path: &str, sent: &Value) -> Response {
        match path {
            "/git/blobs" => {
                assert_eq!(sent["encoding"], "base64");
                let id = self.keep(Kind::Blob, decode(sent["content"].as_str().unwrap()));
                made(link(&id))
            }
            "/git/trees" => self.make_tree(sent),
            "/git/commits" => self.make_commit(sent),
            "/git/refs" => self.make_ref(sent["ref"].as_str().unwrap(), id(&sent["sha"])),
            "/pulls" => self.make_pull(sent),
            _ => {
                let name = path.strip_prefix("/git/refs/").expect("nothing else is written");
                assert_eq!(sent["force"], false);
                self.move_ref(&format!("refs/{name}"), id(&sent["sha"]))
            }
        }
    }

    fn make_tree(&mut self, sent: &Value) -> Response {
        let mut entries: BTreeMap<String, (Mode, ObjectId)> = BTreeMap::new();
        if let Some(base) = sent.get("base_tree") {
            let Some((Kind::Tree, content)) = self.objects.get(&id(base)) else {
                return refused(422, "base_tree is not a valid tree oid");
            };
            let old = tree::read(content).unwrap();
            entries.extend(old.into_iter().map(|(name, mode, id)| (name.to_string(), (mode, id))));
        }
        for entry in sent["tree"].as_array().unwrap() {
            let path = entry["path"].as_str().unwrap().to_owned();
            assert!(!path.contains('/'), "trees are sent one by one");
            if entry["sha"].is_null() {
                if entries.remove(&path).is_none() {
                    return refused(422, "GitRPC::BadObjectState");
                }
                continue;
            }
            let (mode, kind) = match entry["mode"].as_str().unwrap() {
                "100644" => (Mode::File, "blob"),
                "100755" => (Mode::Executable, "blob"),
                "120000" => (Mode::Symlink, "blob"),
                "040000" => (Mode::Tree, "tree"),
                "160000" => (Mode::Submodule, "commit"),
                other => panic!("mode {other}"),
            };
            assert_eq!(entry["type"], kind);
            let id = id(&entry["sha"]);
            if mode.kind().is_some_and(|kind| !self.has(&id, kind)) {
                return refused(422, "tree.sha is not a valid object");
            }
            entries.insert(path, (mode, id));
        }
        if entries.is_empty() {
            return refused(422, "Invalid tree info");
        }
        let mut sorted: Vec<_> = entries.iter().collect();
        sorted.sort_by(|a, b| tree::order((a.0.as_str().into(), a.1.0), (b.0.as_str().into(), b.1.0)));
        let digits: Vec<String> = sorted.iter().map(|(_, (mode, _))| format!("{:o}", mode.value())).collect();
        let rows: Vec<_> =
            sorted.iter().zip(&digits).map(|((name, (_, id)), mode)| (mode.as_str(), name.as_bytes(), *id)).collect();
        let id = self.keep(Kind::Tree, packer::tree(&rows));
        made(link(&id))
    }

    fn make_commit(&mut self, sent: &Value) -> Response {
        let tree = id(&sent["tree"]);
        let parents: Vec<ObjectId> = sent["parents"].as_array().unwrap().iter().map(id).collect();
        let is_known = self.has(&tree, Kind::Tree) && parents.iter().all(|id| self.has(id, Kind::Commit));
        if !is_known && !tree.is_empty_tree() {
            return refused(422, "Tree SHA does not exist");
        }
        let mut text = format!("tree {tree}\n");
        parents.iter().for_each(|parent| text += &format!("parent {parent}\n"));
        text += &format!("author {}\ncommitter {}\n", line(&sent["author"]), line(&sent["committer"]));
        if let Some(signature) = sent["signature"].as_str() {
            text += &format!("gpgsig {}\n", signature.replace('\n', "\n "));
        }
        text += &format!("\n{}", sent["message"].as_str().unwrap());
        let id = self.keep(Kind::Commit, text.into_bytes());
        made(self.told(id))
    }

    fn make_ref(&mut self, name: &str, new: ObjectId) -> Response {
        if self.refs.contains_key(name) {
            return refused(422, "Reference already exists");
        }
        self.set(name, new)
    }

    fn move_ref(&mut self, name: &str, new: ObjectId) -> Response {
        match self.refs.get(name) {
            None => refused(422, "Reference does not exist"),
            Some(old) if !self.descends(new, *old) => refused(422, "Update is not a fast forward"),
            Some(_) => self.set(name, new),
        }
    }

    pub(super) fn set(&mut self, name: &str, new: ObjectId) -> Response {
        if !self.has(&new, Kind::Commit) {
            return refused(422, "Object does not exist");
        }
        if self.is_protected {
            return refused(422, "Required status check \u{1b}[31m\"ci\" is expected.");
        }
        let is_signed = |id: &ObjectId| self.objects.get(id).is_some_and(|(_, content)| is_signed(content));
        if self.wants_signatures && !is_signed(&new) {
            return refused(422, "Commits must have verified signatures.");
        }
        if self.refs.insert(name.to_owned(), new) != Some(new) {
            self.moves += 1;
        }
        made(self.reference(name, &new))
    }

    fn make_pull(&mut self, sent: &Value) -> Response {
        let [head, base] = ["head", "base"].map(|name| sent[name].as_str().unwrap().to_owned());
        let is_branch = |name: &str| self.refs.contains_key(&format!("refs/heads/{name}"));
        if !is_branch(&head) || !is_branch(&base) {
            return refused(422, "Validation Failed");
        }
        if self.pulls.iter().any(|(_, other, onto)| (other, onto) == (&head, &base)) {
            return refused(422, "A pull request already exists for octo:topic.");
        }
        let number = self.pulls.len() as u64 + 1;
        self.pulls.push((number, head, base));
        made(pull(number))
    }
}

fn made(value: Value) -> Response {
    Response { body: body(&value), ..of(201) }
}

fn id(value: &Value) -> ObjectId {
    hex(value.as_str().unwrap().as_bytes())
}

fn decode(digits: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} is not in Base64"),
    };
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for byte in digits.trim_end_matches('=').bytes() {
        (bits, count) = (bits << 6 | u32::from(value(byte)), count + 6);
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}
