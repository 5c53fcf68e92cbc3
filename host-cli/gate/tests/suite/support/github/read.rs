//! The read requests.

use std::collections::HashMap;

use gate::forge::{Headers, Response};
use gix_hash::ObjectId;
use gix_object::Kind;
use serde_json::{Value, json};

use super::super::{hex, planted};
use super::{NAME, Server, of, ok, refused};

impl Server {
    pub(super) fn get(&self, path: &str, query: &HashMap<&str, &str>) -> Response {
        let parts: Vec<&str> = path.splitn(4, '/').collect();
        match parts[..] {
            [""] => ok(json!({"full_name": "Octo/Hello", "default_branch": "main", "archived": self.is_archived})),
            ["", "tags"] => page(self.tags(), query),
            ["", "commits"] => self.commits(query),
            ["", "compare", between] => self.compare(between, query),
            ["", "pulls"] => self.find_pulls(query),
            ["", "commits", _, "check-runs"] => {
                self.told_checks.as_ref().map_or_else(|| of(403), |told| ok(told[0].clone()))
            }
            ["", "commits", _, "status"] => {
                self.told_checks.as_ref().map_or_else(|| of(403), |told| ok(told[1].clone()))
            }
            ["", "git", "ref", name] => match self.refs.get(&format!("refs/{name}")) {
                Some(id) => ok(self.reference(&format!("refs/{name}"), id)),
                None => refused(404, "Not Found"),
            },
            ["", "git", "matching-refs", prefix] => {
                let prefix = format!("refs/{prefix}");
                let found = self.refs.iter().filter(|(name, _)| name.starts_with(&prefix));
                page(found.map(|(name, id)| self.reference(name, id)).collect(), query)
            }
            ["", "git", kind, id] => self.object(kind, hex(id.as_bytes()), query),
            _ => of(404),
        }
    }

    pub fn reference(&self, name: &str, id: &ObjectId) -> Value {
        json!({"ref": name, "object": {"sha": id.to_string(), "type": self.objects[id].0.to_string()}})
    }

    fn object(&self, kind: &str, id: ObjectId, query: &HashMap<&str, &str>) -> Response {
        match (kind, self.objects.get(&id)) {
            ("blobs", Some((Kind::Blob, content))) => {
                let digits = planted::base64(content).replace('-', "+").replace('_', "/");
                let digits = digits.trim_end_matches('=').to_owned() + &"=".repeat((3 - content.len() % 3) % 3);
                let lines: Vec<&str> =
                    (0..digits.len()).step_by(60).map(|at| &digits[at..digits.len().min(at + 60)]).collect();
                ok(json!({"sha": id.to_string(), "content": lines.join("\n"), "encoding": "base64"}))
            }
            ("trees", Some((Kind::Tree, _))) => {
                let mut entries = self.entries(id, "", query.contains_key("recursive"));
                let truncated = entries.len() > self.most_entries;
                entries.truncate(self.most_entries);
                ok(json!({"sha": id.to_string(), "tree": entries, "truncated": truncated}))
            }
            ("commits", Some((Kind::Commit, _))) => ok(self.told(id)),
            ("tags", Some((Kind::Tag, _))) => ok(self.told_tag(id)),
            _ => refused(404, "Not Found"),
        }
    }

    /// Parents after children, in the order of `git log`.
    fn history(&self, tip: ObjectId) -> Vec<ObjectId> {
        let (mut all, mut open) = (Vec::new(), std::collections::VecDeque::from([tip]));
        while let Some(id) = open.pop_front() {
            if !all.contains(&id) {
                all.push(id);
                open.extend(self.commit(id).parents);
            }
        }
        all
    }

    fn commits(&self, query: &HashMap<&str, &str>) -> Response {
        let tip = hex(query["sha"].as_bytes());
        if !self.has(&tip, Kind::Commit) {
            return refused(404, "Not Found");
        }
        page(self.history(tip).into_iter().map(|id| self.listed(id)).collect(), query)
    }

    fn compare(&self, between: &str, query: &HashMap<&str, &str>) -> Response {
        let (base, head) = between.split_once("...").unwrap();
        let (base, head) = (hex(base.as_bytes()), hex(head.as_bytes()));
        if !self.has(&base, Kind::Commit) || !self.has(&head, Kind::Commit) {
            return refused(404, "Not Found");
        }
        let below = self.ancestors(base);
        let status = match (self.descends(head, base), below.contains(&head)) {
            (true, true) => "identical",
            (true, false) => "ahead",
            (false, true) => "behind",
            (false, false) => "diverged",
        };
        let mut commits: Vec<_> = self.history(head).into_iter().filter(|id| !below.contains(id)).collect();
        commits.reverse();
        let total = commits.len();
        commits.drain(..usize::from(self.leaves_out_commits));
        let page = page(commits.into_iter().map(|id| self.listed(id)).collect(), query);
        let commits: Value = serde_json::from_slice(&page.body).unwrap();
        Response { headers: page.headers, ..ok(json!({"status": status, "total_commits": total, "commits": commits})) }
    }

    fn tags(&self) -> Vec<Value> {
        let tags = self.refs.iter().filter_map(|(name, id)| Some((name.strip_prefix("refs/tags/")?, *id)));
        let peeled = tags.filter_map(|(name, mut id)| {
            while self.has(&id, Kind::Tag) {
                id = hex(self.told_tag(id)["object"]["sha"].as_str().unwrap().as_bytes());
            }
            self.has(&id, Kind::Commit).then(|| json!({"name": name, "commit": {"sha": id.to_string()}}))
        });
        peeled.collect()
    }

    fn find_pulls(&self, query: &HashMap<&str, &str>) -> Response {
        let is_meant = |head: &str, base: &str| {
            query["head"] == format!("octo:{head}") && query.get("base").is_none_or(|wanted| *wanted == base)
        };
        let listed = |(number, head, _): &(u64, String, String)| {
            let tip = self.refs[&format!("refs/heads/{head}")].to_string();
            let mut told = pull(*number);
            told["head"] = json!({"sha": tip});
            told["state"] = "open".into();
            told["merged_at"] = Value::Null;
            let more = self.told_pull.as_object().into_iter().flatten();
            more.for_each(|(name, value)| told[name] = value.clone());
            told
        };
        ok(self.pulls.iter().filter(|(_, head, base)| is_meant(head, base)).map(listed).collect())
    }
}

pub fn pull(number: u64) -> Value {
    json!({"number": number, "html_url": format!("https://github.example/{NAME}/pull/{number}")})
}

/// A page of a list, with the header that says whether another one follows.
fn page(all: Vec<Value>, query: &HashMap<&str, &str>) -> Response {
    let number = |name: &str, otherwise| query.get(name).map_or(otherwise, |value| value.parse().unwrap());
    let (size, page): (usize, usize) = (number("per_page", 30), number("page", 1));
    let more = all.len() > page * size;
    let entries: Vec<Value> = all.into_iter().skip((page - 1) * size).take(size).collect();
    let link = (more || page > 1).then(|| {
        let which = if more { "next" } else { "first" };
        format!("<https://elsewhere.example/steals?page={}>; rel=\"{which}\"", page + 1)
    });
    Response { headers: Headers { link, ..Headers::default() }, ..ok(entries.into()) }
}
