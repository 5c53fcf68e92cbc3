//! The names that a call gives branches, as git reads them (git-check-ref-format, `--branch`).

use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::{ErrorKind, ToolError};
use crate::git::history::tracking::{self, Strict};
use crate::git::store::refs::reflog::{self, Line};
use crate::git::store::refs::{Refs, is_valid};
use crate::git::store::refspec::{self, Refspecs};
use crate::git::store::repo::Repo;
use crate::git::words::advice::advice;

/// What stands in front of a branch's name in its full one.
pub const HEADS: &str = "refs/heads/";

/// How often a name that came from a log is looked at again.
const DEEPEST: usize = 8;

/// The branch that `name` means, without `refs/heads/`: `name` itself, or what `@{-1}` and
/// `@{upstream}` stand for. This does not check whether a branch can have that name.
///
/// # Errors
///
/// In git's words, if `name` asks for an upstream that is not configured.
pub fn interpret(refs: &Refs<'_>, name: &str) -> Result<BString, ToolError> {
    let (mut at, used) = read(refs, name.into(), DEEPEST, As::Branch)?.unwrap_or_default();
    at.extend_from_slice(&name.as_bytes()[used..]);
    Ok(at)
}

/// The name of the ref that `name` means: a branch as by [`interpret`], or another ref. If nothing
/// or only a part of `name` is understood, it stays as it is (git's refs.c,
/// `substitute_branch_name`).
pub fn substitute(refs: &Refs<'_>, name: &BStr) -> Result<BString, ToolError> {
    let read = read(refs, name, DEEPEST, As::Ref)?.filter(|(_, used)| *used == name.len());
    Ok(read.map_or_else(|| name.to_owned(), |(read, _)| read))
}

/// What a name is read as.
#[derive(Clone, Copy, Eq, PartialEq)]
enum As {
    /// Another branch.
    Branch,
    /// Any ref that there is a name for.
    Ref,
}

/// The full name of a branch.
pub fn full(short: &BStr) -> BString {
    [HEADS.as_bytes(), short].concat().into()
}

/// Whether a branch can have the full name `full`, which the call gave as `given`.
pub fn is_allowed(given: &str, full: &BStr) -> bool {
    !given.starts_with('-') && full != "refs/heads/HEAD" && is_valid(full, false)
}

/// What git says of a name that no branch can have, by its first words.
pub fn refuse(words: &str) -> ToolError {
    let advice = advice("See `man git check-ref-format`", "refSyntax");
    ToolError::bad_args(format!("fatal: {words}\n{}", advice.trim_end())).hint(
        "A branch name cannot contain whitespace, any of ~^:?*[\\ or two dots in a row. It cannot begin with a dash, \
         and it cannot be HEAD. No part of it can begin with a dot or end with .lock.",
    )
}

/// The other name that the beginning of `name` stands for, and the length of that beginning in
/// bytes. None if `name` is literal.
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

/// The same, if the first `length` bytes of `name` stand for `found`. Together with the rest, it
/// may stand for another name again.
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

/// The number in `@{-1}`, which `name` begins with, and how many bytes that are.
fn prior(name: &BStr) -> Option<(usize, usize)> {
    let inner = name.strip_prefix(b"@{-")?;
    let end = inner.find_byte(b'}')?;
    let number = inner[..end].trim_ascii_start();
    let number = number.strip_prefix(b"+").unwrap_or(number).to_str().ok()?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let count = number.parse().unwrap_or(usize::MAX);
    (is_number && count > 0).then_some((count, end + 4))
}

/// The branch or commit that HEAD was on before the switch of that number, counted from the latest.
fn nth_prior(repo: &Repo, count: usize) -> Result<Option<BString>, ToolError> {
    let lines = reflog::lines(repo, "HEAD".into())?.unwrap_or_default();
    let from = |line: &Line| {
        let (from, _) = line.message.strip_prefix(b"checkout: moving from ")?.split_once_str(" to ")?;
        Some(BString::from(from))
    };
    Ok(lines.iter().rev().filter_map(from).nth(count - 1))
}

/// The ref that a branch is built on, or is pushed to; the current branch, if `name` is empty.
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

/// Where `git push` without arguments would send the branch, as far as that is kept here.
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
