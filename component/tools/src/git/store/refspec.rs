//! Maps the branches of a remote to remote-tracking branches (git-fetch, "CONFIGURED REMOTE-TRACKING BRANCHES").

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::error::ToolError;
use crate::git::store::refs::is_valid;
use crate::git::store::repo::Repo;

/// The fetch refspecs of a remote.
#[derive(Debug, Default)]
pub struct Refspecs(Vec<Refspec>);

#[derive(Debug)]
struct Refspec {
    /// The name at the remote, with or without a star.
    source: BString,
    /// The local name; `None` if nothing is stored.
    destination: Option<BString>,
    is_negative: bool,
}

impl Refspecs {
    /// The refspecs of the remote `name`. There are none if it is not configured.
    pub fn of(repo: &Repo, name: &BStr) -> Refspecs {
        let config = repo.gix.config_snapshot();
        let all = config.plumbing().strings_by("remote", Some(name), "fetch").unwrap_or_default();
        Refspecs(all.iter().map(|text| Refspec::parse(text.as_bstr())).collect())
    }

    /// The local name for `source` at the remote, both in full.
    pub fn destination(&self, source: &BStr) -> Option<BString> {
        if self.is_left_out(source) {
            return None;
        }
        self.kept().find_map(|(from, to)| map(from, to, source))
    }

    /// The name at the remote for the local `destination`, both in full.
    pub fn source(&self, destination: &BStr) -> Option<BString> {
        let source = self.kept().find_map(|(from, to)| map(to, from, destination))?;
        (!self.is_left_out(source.as_bstr())).then_some(source)
    }

    fn kept(&self) -> impl Iterator<Item = (&BStr, &BStr)> {
        let kept = self.0.iter().filter(|refspec| !refspec.is_negative);
        kept.filter_map(|refspec| Some((refspec.source.as_bstr(), refspec.destination.as_ref()?.as_bstr())))
    }

    fn is_left_out(&self, source: &BStr) -> bool {
        let mut negative = self.0.iter().filter(|refspec| refspec.is_negative);
        negative.any(|refspec| matched(refspec.source.as_bstr(), source).is_some())
    }
}

/// Fails in git's words if a remote has an invalid refspec. git parses all refspecs before it uses one.
pub fn ensure_valid(repo: &Repo) -> Result<(), ToolError> {
    let config = repo.gix.config_snapshot();
    for section in config.plumbing().sections_by_name("remote").into_iter().flatten() {
        if section.header().subsection_name().is_none() {
            continue;
        }
        if let Some(wrong) = section.values("fetch").iter().find(|text| !makes_sense(text.as_bstr())) {
            return Err(ToolError::failed(format!("fatal: invalid refspec '{wrong}'"))
                .hint("Ask the user to fix the configuration of the remote."));
        }
    }
    Ok(())
}

fn makes_sense(text: &BStr) -> bool {
    let Refspec { source, destination, is_negative } = Refspec::parse(text);
    let has_star = |name: &BString| name.contains(&b'*');
    // A refspec allows one star in a name.
    let is_name = |name: &BString| is_valid(&name.replacen(b"*", b"x", 1), true);
    let is_id = |name: &BString| ObjectId::from_hex(name).is_ok();
    let is_head = source == "@";
    if is_negative {
        return !text.contains(&b':') && !is_id(&source) && (is_head || is_name(&source));
    }
    let is_star_alone = match &destination {
        Some(destination) => has_star(&source) != has_star(destination),
        None => has_star(&source),
    };
    let is_source = source.is_empty() || is_head || is_id(&source) || is_name(&source);
    !is_star_alone && is_source && destination.is_none_or(|name| is_name(&name))
}

/// The configured remotes, in the order of the file.
pub fn remotes(repo: &Repo) -> Vec<BString> {
    let config = repo.gix.config_snapshot();
    let mut remotes: Vec<BString> = Vec::new();
    for section in config.plumbing().sections_by_name("remote").into_iter().flatten() {
        let name = section.header().subsection_name().map(ToOwned::to_owned);
        remotes.extend(name.filter(|name| !remotes.contains(name)));
    }
    remotes
}

impl Refspec {
    fn parse(text: &BStr) -> Refspec {
        let is_negative = text.starts_with(b"^");
        let text = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"^")).unwrap_or(text);
        let (source, destination) = match text.rfind_byte(b':') {
            Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
            None => (text, None),
        };
        let destination = destination.filter(|name| !name.is_empty()).map(BString::from);
        Refspec { source: source.into(), destination, is_negative }
    }
}

/// Maps `name` from the pattern `from` to the pattern `to`, if `from` matches it.
fn map(from: &BStr, to: &BStr, name: &BStr) -> Option<BString> {
    let middle = matched(from, name)?;
    match (from.contains(&b'*'), to.split_once_str("*")) {
        (true, Some((before, after))) => Some([before, middle, after].concat().into()),
        (false, None) => Some(to.to_owned()),
        // A star on only one side is invalid.
        _ => None,
    }
}

/// The part of `name` that the star of `pattern` matches. It is empty if there is no star and both are equal.
fn matched<'n>(pattern: &BStr, name: &'n BStr) -> Option<&'n [u8]> {
    match pattern.split_once_str("*") {
        Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == name).then_some(b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refspecs(all: &[&str]) -> Refspecs {
        Refspecs(all.iter().map(|text| Refspec::parse((*text).into())).collect())
    }

    #[test]
    fn a_name_is_mapped_by_the_first_refspec_that_has_it_and_none_that_leaves_it_out() {
        let all = refspecs(&[
            "+refs/heads/*:refs/remotes/o/*",
            "refs/heads/x:refs/x",
            "^refs/heads/no*",
            "refs/tags/*",
            "HEAD:",
        ]);
        let to = |name: &str| all.destination(name.into()).map(|name| name.to_string());
        assert_eq!(to("refs/heads/x").as_deref(), Some("refs/remotes/o/x"));
        assert_eq!((to("refs/heads/nono"), to("refs/tags/v1"), to("HEAD")), (None, None, None));
        let from = |name: &str| all.source(name.into()).map(|name| name.to_string());
        assert_eq!(from("refs/x").as_deref(), Some("refs/heads/x"));
        assert_eq!(from("refs/remotes/o/a/b").as_deref(), Some("refs/heads/a/b"));
        assert_eq!((from("refs/remotes/o/nothing"), from("refs/remotes/p/a")), (None, None));
    }

    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn a_refspec_makes_sense_if_git_says_so() {
        let mut sandbox = crate::testing::Sandbox::with_two_commits();
        let zeros = "0".repeat(40);
        let names = ["", "a", "@", "a b", "refs/heads/*", "refs/*/x", "*", "a*b*", "a..b", &zeros, "refs/heads/a*"];
        let pairs =
            names.iter().flat_map(|source| names.iter().map(move |destination| format!("{source}:{destination}")));
        for text in pairs
            .chain(names.iter().flat_map(|name| [format!("^{name}"), format!("+{name}")]))
            .chain(["^a:b".to_owned()])
        {
            let config = format!(
                "[remote \"o\"]\n\turl = x\n\tfetch = \"{text}\"\n[branch \"main\"]\n\tremote = o\n\tmerge = x\n"
            );
            sandbox.write(".git/config", config);
            let theirs = sandbox.git_output(&["branch", "-v"]);
            assert_eq!(makes_sense(text.as_str().into()), theirs.status.success(), "{text:?}");
        }
    }
}
