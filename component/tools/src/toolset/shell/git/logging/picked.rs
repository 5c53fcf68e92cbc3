//! The files for which a log shows a commit: `-S`, `-G` and `--follow`.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use serde_json::{Value, json};
use shell::grep::{self, Around, Matcher, Meaning};

use super::super::naming::object;
use super::super::objects::EMPTY_TREE;
use super::super::{Failed, Line, fatal};
use crate::git::store::blob;

/// What picks files.
pub enum Pick {
    /// Those in which a text is another number of times than before, perhaps in small letters.
    Times(Vec<u8>, bool),
    /// Those with an added or deleted line that matches.
    Lines(Box<Matcher>),
    /// One file, under the names that it had.
    Follow(String),
}

impl Pick {
    /// What `-S` and `-G` ask for.
    pub fn of(text: Option<&str>, pattern: Option<&str>, ignores_case: bool) -> Result<Option<Pick>, Failed> {
        if let Some(text) = text {
            let text = if ignores_case { text.to_lowercase() } else { text.to_owned() };
            return Ok(Some(Pick::Times(text.into_bytes(), ignores_case)));
        }
        let Some(pattern) = pattern else { return Ok(None) };
        let meaning = Meaning { kind: grep::Kind::Extended, ignores_case, around: Around::default() };
        match Matcher::new(&[pattern.into()], meaning) {
            Ok(matcher) => Ok(Some(Pick::Lines(Box::new(matcher)))),
            Err(error) => fatal(format!("invalid regex given to -G: {error}")),
        }
    }

    /// The files of a commit that are picked, as the tools name them.
    pub fn files(
        &mut self,
        line: &mut Line<'_, '_>,
        parent: Option<ObjectId>,
        id: ObjectId,
        paths: &Value,
    ) -> Result<Vec<String>, Failed> {
        let before = parent.map_or_else(|| EMPTY_TREE.to_owned(), |parent| parent.to_string());
        let asked =
            |paths: &Value| json!({ "from_ref": before, "to_ref": id.to_string(), "name_only": true, "paths": paths });
        if let Pick::Follow(path) = self {
            let changed = line.structured("git_diff", asked(&json!([path])))?;
            let Some(file) = changed["files"].get(0) else { return Ok(Vec::new()) };
            let mut named = vec![path.clone()];
            if file["status"] == "added" && parent.is_some() {
                let all = line.structured("git_diff", asked(&Value::Null))?;
                let is_it = |file: &&Value| file["path"] == path.as_str();
                let from = all["files"].as_array().into_iter().flatten().find(is_it);
                if let Some(from) = from.and_then(|file| file["from"].as_str()) {
                    named.push(from.to_owned());
                    *path = from.to_owned();
                }
            }
            return Ok(named);
        }
        let changed = line.structured("git_diff", asked(paths))?;
        let mut picked = Vec::new();
        for file in changed["files"].as_array().into_iter().flatten() {
            let (now, from) = (file["path"].as_str(), file["from"].as_str());
            let Some(now) = now else { continue };
            line.context.deadline.poll()?;
            let is_picked = match self {
                Pick::Times(text, ignores_case) => {
                    let [old, new] = [(from.unwrap_or(now), &before), (now, &id.to_string())]
                        .map(|(path, tree)| times(line, tree, path, text, *ignores_case));
                    old? != new?
                }
                Pick::Lines(matcher) => {
                    let named: Vec<&str> = from.into_iter().chain([now]).collect();
                    let patch = json!({ "from_ref": before, "to_ref": id.to_string(), "unified": 0, "paths": named });
                    let patch = line.tool("git_diff", patch)?.text;
                    let body = patch.lines().skip_while(|line| !line.starts_with(b"@@"));
                    body.filter(|line| line.starts_with(b"+") || line.starts_with(b"-"))
                        .any(|line| matcher.is_match(&line[1..]))
                }
                Pick::Follow(_) => false,
            };
            if is_picked {
                picked.extend(from.map(str::to_owned));
                picked.push(now.to_owned());
            }
        }
        Ok(picked)
    }
}

/// How often a file of a tree has a text, in small letters if the case does not matter.
fn times(line: &mut Line<'_, '_>, tree: &str, path: &str, text: &[u8], ignores_case: bool) -> Result<usize, Failed> {
    let path = path.strip_prefix("/workspace/").unwrap_or(path);
    let Ok(id) = object(line, &format!("{tree}:{path}")) else { return Ok(0) };
    let repo = line.repo()?;
    let content = blob::read(&repo, id)?;
    Ok(content.map_or(0, |content| match ignores_case {
        true => content.to_lowercase().find_iter(text).count(),
        false => content.find_iter(text).count(),
    }))
}
