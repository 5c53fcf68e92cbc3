//! git's words where a revision names a path that is not there: `REV:path` and `:path`.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::Stage;

use crate::git::repo::Repo;

/// What git says of `named`; none where it has nothing special to say.
pub fn diagnose(repo: &Repo, named: &str) -> Option<String> {
    match named.strip_prefix(':') {
        Some(rest) => in_index(repo, rest),
        None => in_tree(repo, named),
    }
}

fn in_index(repo: &Repo, named: &str) -> Option<String> {
    let stage = named.split_once(':').filter(|(stage, _)| matches!(*stage, "0" | "1" | "2" | "3"));
    let (stage, path) = stage.map_or((0, named), |(stage, path)| (stage.parse().unwrap_or(0), path));
    if path.is_empty() || named.starts_with('/') {
        return None;
    }
    let index = repo.gix.index_or_empty().ok()?;
    let has = |stage: &Stage| index.entry_by_path_and_stage(path.into(), *stage).is_some();
    let stages = [Stage::Unconflicted, Stage::Base, Stage::Ours, Stage::Theirs];
    if let Some(at) = stages.iter().position(has) {
        return Some(format!(
            "fatal: path '{path}' is in the index, but not at stage {stage}\nhint: Did you mean ':{at}:{path}'?"
        ));
    }
    Some(match repo.stat(path.into()) {
        Ok(_) => format!("fatal: path '{path}' exists on disk, but not in the index"),
        Err(_) => format!("fatal: path '{path}' does not exist (neither on disk nor in the index)"),
    })
}

fn in_tree(repo: &Repo, named: &str) -> Option<String> {
    let (revision, path) = named.split_at(colon(named)?);
    let path = &path[1..];
    if tree(repo, revision.into()).is_none() {
        return Some(format!("fatal: invalid object name '{revision}'."));
    }
    Some(match !path.is_empty() && repo.stat(path.into()).is_ok() {
        true => format!("fatal: path '{path}' exists on disk, but not in '{revision}'"),
        false => format!("fatal: path '{path}' does not exist in '{revision}'"),
    })
}

/// Where the path begins: at the first colon outside of braces.
fn colon(named: &str) -> Option<usize> {
    let mut depth = 0;
    named.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            _ => {}
        }
        byte == b':' && depth == 0
    })
}

fn tree(repo: &Repo, revision: &BStr) -> Option<ObjectId> {
    let object = repo.gix.rev_parse_single(revision.as_bytes().as_bstr()).ok()?;
    Some(object.object().ok()?.peel_to_tree().ok()?.id)
}
