//! Parses a target: `local:PATH[#BRANCH]`, `bare:PATH[#BRANCH]`, `github:OWNER/REPO[#BRANCH]`,
//! `git:URL[#BRANCH]`.
//!
//! The last `#` starts the branch. No shell or transport helper is involved. Text that other
//! programs would take for an option or a helper (`--upload-pack=…`, `ext::…`) is refused here,
//! before it can reach code that knows such things.

use std::path::{Path, PathBuf};

use gate::refname::BranchRef;

use super::{TargetError, TargetErrorKind};
use crate::home::Place;

/// Where a target is, as the person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A repository with a worktree, by path.
    Local(PathBuf),
    /// A bare repository, by path.
    Bare(PathBuf),
    /// A repository on GitHub.
    GitHub {
        /// The user or organisation.
        owner: String,
        /// The repository's name without `.git`.
        repo: String,
    },
    /// A repository on any git server, by URL.
    Git(String),
}

/// A parsed target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetSpec {
    /// Where the repository is.
    pub location: Location,
    /// The branch after `#`. Default: the branch of the target's HEAD.
    pub branch: Option<BranchRef>,
}

impl TargetSpec {
    /// Parses a target without looking it up.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        if text.chars().any(char::is_control) {
            return Err(bad("a target must not have control characters"));
        }
        let (kind, rest) =
            text.split_once(':').ok_or_else(|| bad(format!("`{text}` does not say what kind of target it is")))?;
        if rest.starts_with(':') {
            return Err(bad(format!("`{kind}::` names a transport helper, which gitgate does not run")));
        }
        let (place, branch) = match rest.rsplit_once('#') {
            Some((place, branch)) => (place, Some(parse_branch(branch)?)),
            None => (rest, None),
        };
        if place.is_empty() {
            return Err(bad(format!("`{text}` has nothing after `{kind}:`")));
        }
        if place.starts_with('-') {
            return Err(
                bad(format!("`{place}` looks like an option")).hint("write `./` before a path that starts with `-`")
            );
        }
        let location = match kind {
            "local" => Location::Local(place.into()),
            "bare" => Location::Bare(place.into()),
            "github" => parse_github(place)?,
            "git" => Location::Git(parse_url(place)?),
            _ => return Err(bad(format!("`{kind}:` is not a kind of target"))),
        };
        Ok(TargetSpec { location, branch })
    }

    /// Parses a target as a person writes it at a command line: also a path, whose folder says what
    /// kind of repository it is, and an address of GitHub.
    pub fn parse_at_prompt(text: &str) -> Result<Self, TargetError> {
        for prefix in ["https://github.com/", "ssh://git@github.com/", "git@github.com:"] {
            if let Some(place) = text.strip_prefix(prefix) {
                return TargetSpec::parse(&format!("github:{}", place.trim_end_matches('/')));
            }
        }
        if text.contains("://") && !text.starts_with("git:") {
            return TargetSpec::parse(&format!("git:{text}"));
        }
        let kind = text.split_once(':').map_or("", |(kind, _)| kind);
        if ["local", "bare", "github", "git"].contains(&kind) || text.contains("::") {
            return TargetSpec::parse(text);
        }
        let place = text.rsplit_once('#').map_or(text, |(place, _)| place);
        let folder = Path::new(place);
        if !folder.is_dir() {
            return Err(bad(format!("there is no folder `{place}`")));
        }
        let is_bare = !folder.join(".git").exists() && folder.join("objects").is_dir();
        TargetSpec::parse(&format!("{}:{text}", if is_bare { "bare" } else { "local" }))
    }

    /// The same as an option's value: an error is one text, with its hint.
    pub fn of_person(text: &str) -> Result<Self, String> {
        TargetSpec::parse_at_prompt(text).map_err(|error| match error.hint.as_deref() {
            Some(hint) => format!("{error}: {hint}"),
            None => error.to_string(),
        })
    }

    /// The target that a worker file names, without looking it up.
    pub fn of(place: &Place) -> Result<Self, TargetError> {
        let (location, branch) = match place {
            Place::Local { path, branch } => (Location::Local(path.into()), branch),
            Place::LocalBare { path, branch } => (Location::Bare(path.into()), branch),
            Place::Github { repo, branch } => (parse_github(repo)?, branch),
        };
        Ok(TargetSpec { location, branch: branch.as_deref().map(parse_branch).transpose()? })
    }

    /// The target's folder, absolute if `base` is. Fails for targets that are not folders.
    pub(super) fn folder(&self, base: &Path) -> Result<PathBuf, TargetError> {
        match &self.location {
            Location::Local(path) | Location::Bare(path) => Ok(base.join(path)),
            Location::GitHub { .. } | Location::Git(_) => Err(TargetError::new(
                TargetErrorKind::Unsupported,
                "this target is on a server, but gitgate uses only local repositories",
            )
            .hint("use a clone of it: `local:PATH` or `bare:PATH`")),
        }
    }
}

fn bad(message: impl Into<String>) -> TargetError {
    TargetError::new(TargetErrorKind::BadSpec, message)
        .hint("name a repository's folder, or write local:PATH, bare:PATH, github:OWNER/REPO or git:URL, with #BRANCH if it is not the default")
}

fn parse_branch(text: &str) -> Result<BranchRef, TargetError> {
    let parsed = if text.starts_with("refs/heads/") { text.parse() } else { BranchRef::from_branch(text) };
    parsed.map_err(|fault| {
        TargetError::new(TargetErrorKind::BadSpec, format!("`{text}` is not a valid branch name: {fault}"))
            .hint("check the name with `git check-ref-format --branch NAME`")
            .caused_by(fault)
    })
}

fn parse_github(place: &str) -> Result<Location, TargetError> {
    let well_formed = |name: &str| {
        !name.is_empty()
            && !name.starts_with(['-', '.'])
            && name.len() <= 100
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    match place.split_once('/') {
        Some((owner, repo)) if well_formed(owner) && well_formed(repo) => {
            Ok(Location::GitHub { owner: owner.to_owned(), repo: repo.strip_suffix(".git").unwrap_or(repo).to_owned() })
        }
        _ => Err(bad(format!("`{place}` is not OWNER/REPO"))),
    }
}

fn parse_url(place: &str) -> Result<String, TargetError> {
    let Some((scheme, rest)) = place.split_once("://") else {
        return Err(bad(format!("`{place}` is not a URL with a scheme")).hint("write git:https://HOST/PATH"));
    };
    if !matches!(scheme, "https" | "http" | "ssh" | "git") {
        return Err(bad(format!("gitgate does not support `{scheme}://`")));
    }
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if rest.starts_with('-') || host.is_empty() || host.starts_with(['-', '/']) {
        return Err(bad(format!("`{place}` has no usable host")));
    }
    Ok(place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = TargetSpec::parse(text).expect_err(text);
        assert_eq!(error.kind, TargetErrorKind::BadSpec, "{text}");
        assert!(error.hint.is_some(), "{text}");
        error.message
    }

    #[test]
    fn every_kind_of_target_parses() {
        let spec = TargetSpec::parse("local:../a b#feature/x").unwrap();
        assert_eq!(spec.location, Location::Local("../a b".into()));
        assert_eq!(spec.branch.unwrap().as_str(), "refs/heads/feature/x");
        assert_eq!(TargetSpec::parse("bare:/srv/x.git").unwrap().location, Location::Bare("/srv/x.git".into()));
        assert_eq!(
            TargetSpec::parse("github:me/repo.git#main").unwrap().location,
            Location::GitHub { owner: "me".into(), repo: "repo".into() }
        );
        assert_eq!(
            TargetSpec::parse("git:https://example.org/x.git").unwrap().location,
            Location::Git("https://example.org/x.git".into())
        );
    }

    #[test]
    fn a_full_branch_name_is_the_same_branch() {
        assert_eq!(TargetSpec::parse("local:a#main").unwrap(), TargetSpec::parse("local:a#refs/heads/main").unwrap());
    }

    #[test]
    fn a_place_is_the_target_that_would_be_written_so() {
        let branch = || Some("topic/x".to_owned());
        for (place, text) in [
            (Place::Local { path: "../a b".to_owned(), branch: branch() }, "local:../a b#topic/x"),
            (Place::LocalBare { path: "/srv/x.git".to_owned(), branch: None }, "bare:/srv/x.git"),
            (Place::Github { repo: "me/repo".to_owned(), branch: branch() }, "github:me/repo#topic/x"),
        ] {
            assert_eq!(TargetSpec::of(&place).unwrap(), TargetSpec::parse(text).unwrap());
        }
        let odd = Place::Local { path: "a#b".to_owned(), branch: None };
        assert_eq!(TargetSpec::of(&odd).unwrap().location, Location::Local("a#b".into()));
        assert!(TargetSpec::of(&Place::Github { repo: "-x/y".to_owned(), branch: None }).is_err());
        assert!(TargetSpec::of(&Place::Local { path: ".".to_owned(), branch: Some("a..b".to_owned()) }).is_err());
    }

    #[test]
    fn attack_05_helpers_options_and_odd_schemes_are_refused() {
        for text in [
            "ext::sh -c whoami",
            "EXT::sh -c whoami",
            "local::x",
            "git:ext::sh -c whoami",
            "git:ext://sh",
            "git:file:///etc",
            "git:HTTPS://x",
            "git:--upload-pack=touch /tmp/x",
            "local:--upload-pack=x",
            "bare:-x",
            "git:https://-oProxyCommand=x/",
            "git:ssh://user@-oProxyCommand=x/",
            "git:https:///x",
            "github:-x/y",
            "github:a/b/c",
            "github:a",
            "github:../x",
            "/plain/path",
            "plain",
            "local:",
            "local:#main",
            "file:/x",
            "local:a\nb",
            "",
        ] {
            refused(text);
        }
    }

    #[test]
    fn attack_06_a_branch_that_is_no_valid_ref_is_refused() {
        for branch in ["", "-x", "a..b", "a.lock", "../../config", "refs/heads/", "a b", "a~1", "@{x", "CON"] {
            refused(&format!("local:a#{branch}"));
        }
    }

    #[test]
    fn a_server_is_understood_but_not_usable_yet() {
        let spec = TargetSpec::parse("github:me/repo").unwrap();
        assert_eq!(spec.folder(Path::new("/")).unwrap_err().kind, TargetErrorKind::Unsupported);
    }
}
