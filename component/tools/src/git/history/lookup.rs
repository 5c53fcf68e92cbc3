//! Looks up revisions, with git's warnings on the way (git's object-name.c).

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::Kind;
use gix::revision::plumbing::Spec;

use crate::error::ToolError;
use crate::git::history::branch_name::substitute;
use crate::git::history::merge_base;
use crate::git::history::revisions::Revisions;
use crate::git::store::refs::{Meanings, Refs};
use crate::git::store::repo::damaged;

/// Looks up revisions, one after the other.
pub struct Lookup<'a> {
    refs: &'a Refs<'a>,
    /// The working folder, relative to the root.
    folder: String,
    /// git's output on its error stream, in lines.
    pub stderr: String,
}

/// A suffix of a name. Suffixes can follow each other.
enum Suffix<'n> {
    /// `~2` or `^2`: the number after the sign.
    Before(&'n str),
    /// `^{commit}`: the text between the braces.
    Peeled(&'n str),
}

impl<'a> Lookup<'a> {
    /// Looks up revisions for a call in `folder`, which is relative to the root.
    pub fn new(refs: &'a Refs<'a>, folder: String) -> Lookup<'a> {
        Lookup { refs, folder, stderr: String::new() }
    }

    /// The object that `named` means. For two commits with three dots between them, it is their only merge base (`repo_get_oid_mb`).
    ///
    /// # Errors
    ///
    /// If git dies at once: there is no such upstream, or the log has no such entry.
    pub fn meeting(&mut self, named: &str) -> Result<Option<ObjectId>, ToolError> {
        let Some((one, two)) = named.split_once("...") else { return self.object(named) };
        let Some(one) = self.side(one)? else { return Ok(None) };
        let Some(two) = self.side(two)? else { return Ok(None) };
        let bases = merge_base::of(self.refs.repo, one, two, self.refs.deadline)?;
        Ok(<[ObjectId; 1]>::try_from(bases).map(|[base]| base).ok())
    }

    /// The commit at one side of three dots.
    fn side(&mut self, name: &str) -> Result<Option<ObjectId>, ToolError> {
        match self.object(if name.is_empty() { "HEAD" } else { name })? {
            Some(id) => self.commit(id),
            None => Ok(None),
        }
    }

    /// The object that `name` means, or the one at a path in an object or in the index (`get_oid_with_context_1`).
    pub fn object(&mut self, name: &str) -> Result<Option<ObjectId>, ToolError> {
        let found = self.expression(name)?;
        if found.is_some() || name.starts_with(':') {
            return if found.is_some() { Ok(found) } else { self.resolved(name) };
        }
        match colon(name) {
            Some(at) if self.expression(&name[..at])?.is_some() => self.resolved(name),
            _ => Ok(None),
        }
    }

    /// The refs that `name` can mean (`repo_dwim_ref`).
    pub fn meanings(&mut self, name: &BStr) -> Result<Meanings, ToolError> {
        let meanings = self.refs.meanings(substitute(self.refs, name)?.as_bstr())?;
        self.stderr.push_str(&meanings.warnings);
        Ok(meanings)
    }

    /// The object that a name with suffixes means (`get_oid_1`).
    fn expression(&mut self, expression: &str) -> Result<Option<ObjectId>, ToolError> {
        let mut suffixes = Vec::new();
        let mut name = expression;
        let mut found = loop {
            let Some((before, suffix)) = suffix(name) else { break self.name(name)? };
            // git ignores a suffix whose number overflows.
            if matches!(suffix, Suffix::Before(number) if !number.is_empty() && number.parse::<i32>().is_err()) {
                break None;
            }
            suffixes.push((name, suffix));
            name = before;
        };
        for (whole, suffix) in suffixes.into_iter().rev() {
            self.refs.deadline.poll()?;
            found = match (suffix, found) {
                (Suffix::Before(_), None) => None,
                (Suffix::Before(_), Some(id)) => match self.commit(id)? {
                    Some(commit) => {
                        let behind = whole.trim_end_matches(|c: char| c.is_ascii_digit()).len() - 1;
                        self.resolved(&format!("{commit}{}", &whole[behind..]))?
                    }
                    None => None,
                },
                (Suffix::Peeled(kind), found) => {
                    let peeled = found.map(|id| self.peeled(whole, kind, id)).transpose()?.flatten();
                    if peeled.is_some() { peeled } else { self.name(whole)? }
                }
            };
        }
        Ok(found)
    }

    /// Peels `id` to `kind`, the text between braces. `whole` is the name with this suffix (`peel_onion`).
    fn peeled(&mut self, whole: &str, kind: &str, id: ObjectId) -> Result<Option<ObjectId>, ToolError> {
        let Some(object) = self.refs.repo.gix.try_find_object(id).map_err(|error| damaged(&error))? else {
            return Ok(None);
        };
        let expected = match kind {
            "" => return Ok(Some(object.peel_tags_to_end().map_err(|error| damaged(&error))?.id)),
            "object" => return Ok(Some(id)),
            "tree" => Kind::Tree,
            "blob" => Kind::Blob,
            "tag" => Kind::Tag,
            _ => Kind::Commit,
        };
        let mut end = object;
        while end.kind != expected {
            self.refs.deadline.poll()?;
            end = match end.kind {
                Kind::Tag => {
                    let target = end.try_to_tag_ref().map_err(|error| damaged(&error))?.target();
                    self.refs.repo.gix.find_object(target).map_err(|error| damaged(&error))?
                }
                Kind::Commit => {
                    let tree = end.peel_to_tree().map_err(|error| damaged(&error))?.id;
                    self.refs.repo.gix.find_object(tree).map_err(|error| damaged(&error))?
                }
                other => {
                    let words =
                        format!("{whole}: expected {expected} type, but the object dereferences to {other} type");
                    self.stderr.push_str(&format!("error: {words}\n"));
                    return Ok(None);
                }
            };
        }
        match kind.strip_prefix('/') {
            None | Some("") => Ok(Some(end.id)),
            Some(text) => self.resolved(&format!("{}^{{/{text}}}", end.id)),
        }
    }

    /// Peels `id` to a commit (git's commit.c, `lookup_commit_reference`).
    fn commit(&mut self, id: ObjectId) -> Result<Option<ObjectId>, ToolError> {
        let Some(object) = self.refs.repo.gix.try_find_object(id).map_err(|error| damaged(&error))? else {
            return Ok(None);
        };
        let end = object.peel_tags_to_end().map_err(|error| damaged(&error))?;
        if end.kind != Kind::Commit {
            self.stderr.push_str(&format!("error: object {} is a {}, not a commit\n", end.id, end.kind));
            return Ok(None);
        }
        Ok(Some(end.id))
    }

    /// The object that a name without suffixes means (`get_oid_basic`, and an abbreviated id).
    fn name(&mut self, name: &str) -> Result<Option<ObjectId>, ToolError> {
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            self.stderr.push_str(&self.refs.warning_of_id(name)?);
            return Ok(Some(id));
        }
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(log) = log(name).filter(|log| !log.contains(':')) {
            return self.logged(name, log);
        }
        // No ref can have such a name.
        if name.contains(':') || (name.contains('^') && name.ends_with('}')) {
            return Ok(None);
        }
        let known = substitute(self.refs, name.into())?;
        let found = if known == name { self.resolved(name)? } else { ObjectId::from_hex(&known).ok() };
        // If HEAD was detached before, the expansion is an id. git looks up no ref for it.
        if known != name && found.is_some() {
            return Ok(found);
        }
        let meanings = self.meanings(name.into())?;
        self.stderr.push_str(&self.refs.warning_of(name, &meanings));
        Ok(found.or_else(|| meanings.refs.first().map(|(_, id)| *id)))
    }

    /// The entry of a reflog. `name` is the whole text, and `log` the part before `@{`.
    fn logged(&mut self, name: &str, log: &str) -> Result<Option<ObjectId>, ToolError> {
        if log.is_empty() {
            let meanings = self.meanings("HEAD".into())?;
            self.stderr.push_str(&self.refs.warning_of("", &meanings));
            return self.resolved(name);
        }
        let known = substitute(self.refs, log.into())?.to_str_lossy().into_owned();
        let as_called = |text: &str| text.replace(&format!("'{known}'"), &format!("'{log}'"));
        let revisions = self.revisions();
        let found = revisions.parse(&format!("{known}{}", &name[log.len()..]));
        self.stderr.push_str(&as_called(&revisions.warnings()));
        match found {
            Ok(spec) => Ok(only(&spec)),
            Err(mut error) => {
                error.message = as_called(&error.message);
                self.nothing(error)
            }
        }
    }

    /// The object that `name` means. This drops warnings.
    fn resolved(&self, name: &str) -> Result<Option<ObjectId>, ToolError> {
        match self.revisions().parse(name) {
            Ok(spec) => Ok(only(&spec)),
            Err(error) => self.nothing(error),
        }
    }

    fn revisions(&self) -> Revisions<'a> {
        Revisions::new(self.refs.repo, self.folder.clone(), true, [])
    }

    /// Returns `None`, or the error if git would die.
    fn nothing(&self, mut error: ToolError) -> Result<Option<ObjectId>, ToolError> {
        let words = error.message.find("fatal: ").map_or(error.message.as_str(), |at| &error.message[at..]);
        if ["fatal: bad revision '", "fatal: bad object ", "fatal: Invalid "]
            .iter()
            .any(|nothing| words.starts_with(nothing))
        {
            return Ok(None);
        }
        error.message = words.to_owned();
        Err(error.behind(&self.stderr))
    }
}

fn only(spec: &Spec) -> Option<ObjectId> {
    match spec {
        Spec::Include(id) => Some(*id),
        _ => None,
    }
}

/// Splits the last suffix off `name`.
fn suffix(name: &str) -> Option<(&str, Suffix<'_>)> {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some(before) = digits.strip_suffix(['~', '^']) {
        return Some((before, Suffix::Before(&name[digits.len()..])));
    }
    let at = name.ends_with('}').then(|| name.rfind("^{")).flatten()?;
    let inner = &name[at + 2..];
    let kinds = ["commit", "tag", "tree", "blob", "object", ""];
    let is_kind = |kind: &&str| inner.strip_prefix(kind).is_some_and(|rest| rest.starts_with('}'));
    let kind = match inner.starts_with('/') {
        true => inner.strip_suffix('}')?,
        false => kinds.into_iter().find(is_kind)?,
    };
    Some((&name[..at], Suffix::Peeled(kind)))
}

/// The position of the first colon outside braces, where the path begins.
fn colon(name: &str) -> Option<usize> {
    let mut depth = 0_usize;
    name.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => return byte == b':' && depth == 0,
        }
        false
    })
}

/// The part before the `@{` of a reflog entry.
fn log(name: &str) -> Option<&str> {
    let at = name.ends_with('}').then(|| name.rfind("@{")).flatten()?;
    let mark = name[at + 2..].to_ascii_lowercase();
    let is_other = mark.starts_with('-') || ["u}", "upstream}", "push}"].iter().any(|other| mark.starts_with(other));
    (!is_other).then(|| &name[..at])
}
