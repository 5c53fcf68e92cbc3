//! Interprets the branch names of a call as git does (git-check-ref-format, `--branch`).

use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::{ErrorKind, ToolError};
use crate::git::history::tracking::{self, Strict};
use crate::git::store::refs::reflog::{self, Line};
use crate::git::store::refs::{Refs, is_valid};
use crate::git::store::refspec::{self, Refspecs};
use crate::git::store::repo::Repo;
use crate::git::words::advice::advice;

/// The prefix of a branch's full name.
pub const HEADS: &str = "refs/heads/";

/// The limit on expanding a name that came from a reflog.
const DEEPEST: usize = 8;

/// The branch that `name` means, without `refs/heads/`: `name` itself, or the expansion of `@{-1}` or `@{upstream}`. This does not check
/// whether the name is valid.
///
/// # Errors
///
/// In git's words, if `name` has no configured upstream that it asks for.
pub fn interpret(refs: &Refs<'_>, name: &str) -> Result<BString, ToolError> {
    let (mut at, used) = read(refs, name.into(), DEEPEST, As::Branch)?.unwrap_or_default();
    at.extend_from_slice(&name.as_bytes()[used..]);
    Ok(at)
}

/// The ref name that `name` means: a branch as in [`interpret`], or another ref. If git would understand only part of `name`, it stays
/// unchanged (git's refs.c, `substitute_branch_name`).
pub fn substitute(refs: &Refs<'_>, name: &BStr) -> Result<BString, ToolError> {
    let read = read(refs, name, DEEPEST, As::Ref)?.filter(|(_, used)| *used == name.len());
    Ok(read.map_or_else(|| name.to_owned(), |(read, _)| read))
}

/// The kind of name to read.
#[derive(Clone, Copy, Eq, PartialEq)]
enum As {
    /// A branch.
    Branch,
    /// Any ref.
    Ref,
}

/// The full name of the branch `short`.
pub fn full(short: &BStr) -> BString {
    [HEADS.as_bytes(), short].concat().into()
}

/// Whether `full` is a valid full name of a branch; the call gave it as `given`.
pub fn is_allowed(given: &str, full: &BStr) -> bool {
    !given.starts_with('-') && full != "refs/heads/HEAD" && is_valid(full, false)
}

/// git's error for an invalid branch name. `words` is its first line.
pub fn refuse(words: &str) -> ToolError {
    let advice = advice("See `man git check-ref-format`", "refSyntax");
    ToolError::bad_args(format!("fatal: {words}\n{}", advice.trim_end())).hint(
        "A branch name cannot contain whitespace, any of ~^:?*[\\ or two dots in a row. It cannot begin with a dash, \
         and it cannot be HEAD. No part of it can begin with a dot or end with .lock.",
    )
}

/// Expands the beginning of `name`. Returns the expansion, and the number of bytes that it replaces. `None` if `name` is literal.
fn read(refs: &Refs<'_>, name: &BStr, depth: usize, reading: As) -> Result<Option<(BString, usize)>, ToolError> {
    if let Some((count, length)) = prior(name) {
        let Some(branch) = nth_prior(refs.repo, count)? else {
            return Ok(None);
        };
        if length == name.len() {
            return Ok(Some((branch, length)));
        }
        return reread(refs, branch, name, length, depth, reading).map(Some);
    }
    if reading == As::Ref && (name == "@" || name.starts_with(b"@@{")) {
        return reread(refs, "HEAD".into(), name, 1, depth, reading).map(Some);
    }
    for at in name.find_iter(b"@") {
        refs.deadline.poll()?;
        for mark in ["@{upstream}", "@{u}", "@{push}"] {
            let is_mark = name[at..].get(..mark.len()).is_some_and(|text| text.eq_ignore_ascii_case(mark.as_bytes()));
            if !is_mark || name[..at].contains(&b':') {
                continue;
            }
            let followed = match (marked(refs, name[..at].as_bstr(), mark == "@{push}"), reading) {
                (Err(error), As::Ref) if error.kind == ErrorKind::ExecutionFailed => continue,
                (followed, _) => followed?,
            };
            if reading == As::Ref || followed.starts_with_str(HEADS) {
                let short = tracking::shorten(refs.repo, followed.as_bstr(), Strict::No)?;
                return Ok(Some((short, at + mark.len())));
            }
        }
    }
    Ok(None)
}

/// Reads on where the first `length` bytes of `name` mean `found`. Together with the rest, `found` may have another expansion.
fn reread(
    refs: &Refs<'_>,
    found: BString,
    name: &BStr,
    length: usize,
    depth: usize,
    reading: As,
) -> Result<(BString, usize), ToolError> {
    let whole = BString::from([&found[..], &name[length..]].concat());
    let again = if depth == 0 { None } else { read(refs, whole.as_bstr(), depth - 1, reading)? };
    Ok(match again {
        Some((read, used)) => (read, used + length - found.len().min(used + length)),
        None => (found, length),
    })
}

/// The number in the `@{-1}` at the beginning of `name`, and the length of that text.
fn prior(name: &BStr) -> Option<(usize, usize)> {
    let inner = name.strip_prefix(b"@{-")?;
    let end = inner.find_byte(b'}')?;
    let number = inner[..end].trim_ascii_start();
    let number = number.strip_prefix(b"+").unwrap_or(number).to_str().ok()?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let count = number.parse().unwrap_or(usize::MAX);
    (is_number && count > 0).then_some((count, end + 4))
}

/// The branch or commit before the last `count` switches of HEAD.
fn nth_prior(repo: &Repo, count: usize) -> Result<Option<BString>, ToolError> {
    let lines = reflog::lines(repo, "HEAD".into())?.unwrap_or_default();
    let from = |line: &Line| {
        let (from, _) = line.message.strip_prefix(b"checkout: moving from ")?.split_once_str(" to ")?;
        Some(BString::from(from))
    };
    Ok(lines.iter().rev().filter_map(from).nth(count - 1))
}

/// The upstream of a branch, or with `is_push` its push destination. An empty `name` means the current branch.
fn marked(refs: &Refs<'_>, name: &BStr, is_push: bool) -> Result<BString, ToolError> {
    let failed = |words: String| ToolError::failed(format!("fatal: {words}"));
    let branch = match name.is_empty() || name == "HEAD" {
        true => refs.head()?.ok_or_else(|| failed("HEAD does not point to a branch".to_owned()))?,
        false => full(name),
    };
    let short = branch.strip_prefix(HEADS.as_bytes()).unwrap_or(&branch).as_bstr();
    refspec::ensure_valid(refs.repo)?;
    if is_push {
        return pushed(refs, branch.as_bstr(), short);
    }
    upstream(refs, branch.as_bstr(), short)
}

fn upstream(refs: &Refs<'_>, branch: &BStr, short: &BStr) -> Result<BString, ToolError> {
    if let Some(upstream) = tracking::name(refs.repo, branch) {
        return Ok(upstream);
    }
    let config = refs.repo.gix.config_snapshot();
    let merge = config.plumbing().strings_by("branch", Some(short), "merge").unwrap_or_default().into_iter().next();
    let words = match merge.filter(|_| config.plumbing().string_by("branch", Some(short), "remote").is_some()) {
        Some(merge) => format!("upstream branch '{merge}' not stored as a remote-tracking branch"),
        None if refs.id(branch)?.is_none() => format!("no such branch: '{short}'"),
        None => format!("no upstream configured for branch '{short}'"),
    };
    Err(ToolError::failed(format!("fatal: {words}")))
}

/// The remote-tracking branch of the destination of `git push` without arguments.
fn pushed(refs: &Refs<'_>, branch: &BStr, short: &BStr) -> Result<BString, ToolError> {
    let failed = |words: String| Err(ToolError::failed(format!("fatal: {words}")));
    let config = refs.repo.gix.config_snapshot();
    let of_branch = |key: &str| config.plumbing().string_by("branch", Some(short), key);
    let default = || config.plumbing().string_by("remote", None, "pushdefault");
    let named = of_branch("pushremote").or_else(default).or_else(|| of_branch("remote"));
    let remote = named.unwrap_or_else(|| match refspec::remotes(refs.repo).as_slice() {
        [only] => only.clone(),
        _ => "origin".into(),
    });
    let upstream = upstream(refs, branch, short)?;
    match Refspecs::of(refs.repo, remote.as_bstr()).destination(branch) {
        None => failed(format!("push destination '{branch}' on remote '{remote}' has no local tracking branch")),
        Some(kept) if kept != upstream => failed("cannot resolve 'simple' push to a single destination".to_owned()),
        Some(kept) => Ok(kept),
    }
}
