//! What fetches from a remote are kept under (git-fetch, "CONFIGURED REMOTE-TRACKING BRANCHES").

use gix::bstr::{BStr, BString, ByteSlice};

use crate::git::repo::Repo;

/// What a remote's branches are kept under here.
#[derive(Debug, Default)]
pub struct Refspecs(Vec<Refspec>);

#[derive(Debug)]
struct Refspec {
    /// There, with or without a star.
    source: BString,
    /// Here; none where nothing is kept.
    destination: Option<BString>,
    is_negative: bool,
}

impl Refspecs {
    /// Those of the remote `name`; none of a remote that is not configured.
    pub fn of(repo: &Repo, name: &BStr) -> Refspecs {
        let config = repo.gix.config_snapshot();
        let all = config.plumbing().strings_by("remote", Some(name), "fetch").unwrap_or_default();
        Refspecs(all.iter().map(|text| Refspec::parse(text.as_bstr())).collect())
    }

    /// The full name here of what is `source` there.
    pub fn destination(&self, source: &BStr) -> Option<BString> {
        if self.is_left_out(source) {
            return None;
        }
        self.kept().find_map(|(from, to)| map(from, to, source))
    }

    /// The full name there of what is `destination` here.
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

/// The remotes that are configured, in the order of the file.
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

/// `name` by the pattern `to`, if it is one of `from`.
fn map(from: &BStr, to: &BStr, name: &BStr) -> Option<BString> {
    let middle = matched(from, name)?;
    match (from.contains(&b'*'), to.split_once_str("*")) {
        (true, Some((before, after))) => Some([before, middle, after].concat().into()),
        (false, None) => Some(to.to_owned()),
        // A star on one side only makes no sense.
        _ => None,
    }
}

/// What stands for the star of `pattern` in `name`; nothing, if there is no star and both are the same.
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
}
