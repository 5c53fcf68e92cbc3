//! Parses a target: `local:PATH[#BRANCH]`, `bare:PATH[#BRANCH]`, or the word of a forge with a place there.
//!
//! The last `#` starts the branch. No shell or transport helper is involved. Text that other
//! programs would take for an option or a helper (`--upload-pack=…`, `ext::…`) is refused here,
//! before it can reach code that knows such things.

use std::fmt;
use std::path::{Path, PathBuf};

use gate::forge::{Forge, Misspelt, Server};
use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};

use super::{TargetError, TargetErrorKind};

/// Where a target is, as the person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A repository with a worktree, by path.
    Local(PathBuf),
    /// A bare repository, by path.
    Bare(PathBuf),
    /// A repository on a forge's server.
    Server {
        /// Whose server.
        forge: Forge,
        /// Which repository there, as the forge reads it.
        place: String,
    },
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
        ensure_printable(text)?;
        let (kind, rest) = text
            .split_once(':')
            .ok_or_else(|| TargetError::bad_spec(format!("`{text}` does not say what kind of target it is")))?;
        let (place, branch) = match rest.rsplit_once('#') {
            Some((place, branch)) => (place, Some(branch)),
            None => (rest, None),
        };
        TargetSpec::new(kind, place, branch)
    }

    /// The target of a kind, at a place that may have any `#`.
    pub(super) fn new(kind: &str, place: &str, branch: Option<&str>) -> Result<Self, TargetError> {
        let location = Location::parse(kind, place)?;
        Ok(TargetSpec { location, branch: branch.map(parse_branch).transpose()? })
    }

    /// The target's folder, absolute if `base` is. Fails for targets that are not folders.
    pub fn folder(&self, base: &Path) -> Result<PathBuf, TargetError> {
        match &self.location {
            Location::Local(path) | Location::Bare(path) => Ok(base.join(path)),
            Location::Server { .. } => {
                Err(TargetError::new(TargetErrorKind::Unsupported, "this target is on a server, and is no folder")
                    .hint("use a clone of it: `local:PATH` or `bare:PATH`"))
            }
        }
    }
}

/// As [`TargetSpec::parse`] reads it. A path with `#` is read so only if a branch follows.
impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.location.kind().as_str())?;
        match &self.location {
            Location::Local(path) | Location::Bare(path) => write!(f, "{}", path.display())?,
            Location::Server { place, .. } => f.write_str(place)?,
        }
        self.branch.as_ref().map_or(Ok(()), |branch| write!(f, "#{}", branch.branch()))
    }
}

impl Location {
    /// Which kind of target it is.
    pub fn kind(&self) -> TargetKind {
        match self {
            Location::Local(_) => TargetKind::Local,
            Location::Bare(_) => TargetKind::Bare,
            Location::Server { forge, .. } => TargetKind::Server(*forge),
        }
    }

    /// The repository on a server, which is not asked yet. `None` if it is on no server.
    pub fn server(&self) -> Option<Result<Box<dyn Server>, TargetError>> {
        let Location::Server { forge, place } = self else { return None };
        Some(forge.open(place).map_err(TargetError::bad_name))
    }

    /// The same by its canonical name.
    pub fn on_server(&self) -> Option<Result<CanonicalTarget, gate::Fault>> {
        let Location::Server { forge, place } = self else { return None };
        Some(CanonicalTarget::new(TargetKind::Server(*forge), place.as_str()))
    }

    fn parse(kind: &str, place: &str) -> Result<Self, TargetError> {
        ensure_printable(kind)?;
        ensure_printable(place)?;
        if place.starts_with(':') {
            return Err(TargetError::bad_spec(format!(
                "`{kind}::` names a transport helper, which gitgate does not run"
            )));
        }
        if place.is_empty() {
            return Err(TargetError::bad_spec(format!("`{kind}:` has nothing after it")));
        }
        if place.starts_with('-') {
            return Err(TargetError::bad_spec(format!("`{place}` looks like an option"))
                .hint("write `./` before a path that starts with `-`"));
        }
        match TargetKind::of_word(kind) {
            Some(TargetKind::Local) => Ok(Location::Local(place.into())),
            Some(TargetKind::Bare) => Ok(Location::Bare(place.into())),
            Some(TargetKind::Server(forge)) => {
                forge.read(place).map(|place| Location::Server { forge, place }).map_err(misspelt)
            }
            None => Err(TargetError::bad_spec(format!("`{kind}:` is not a kind of target"))),
        }
    }
}

/// An error quotes the text, so what could write on a terminal is refused first.
fn ensure_printable(text: &str) -> Result<(), TargetError> {
    match text.chars().any(char::is_control) {
        true => Err(TargetError::bad_spec("a target must not have control characters")),
        false => Ok(()),
    }
}

fn parse_branch(text: &str) -> Result<BranchRef, TargetError> {
    ensure_printable(text)?;
    let parsed = if text.starts_with("refs/heads/") { text.parse() } else { BranchRef::from_branch(text) };
    parsed.map_err(|fault| {
        TargetError::new(TargetErrorKind::BadSpec, format!("`{text}` is not a valid branch name: {fault}"))
            .hint("check the name with `git check-ref-format --branch NAME`")
            .caused_by(fault)
    })
}

fn misspelt(Misspelt { message, hint }: Misspelt) -> TargetError {
    let error = TargetError::bad_spec(message);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = TargetSpec::parse(text).expect_err(text);
        assert_eq!(error.kind, TargetErrorKind::BadSpec, "{text}");
        assert!(error.hint.is_some(), "a hint says what to write: {text}");
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
            Location::Server { forge: Forge::Github, place: "me/repo".into() }
        );
        assert_eq!(
            TargetSpec::parse("git:https://example.org/x.git").unwrap().location,
            Location::Server { forge: Forge::Git, place: "https://example.org/x.git".into() }
        );
    }

    #[test]
    fn a_full_branch_name_is_the_same_branch() {
        assert_eq!(TargetSpec::parse("local:a#main").unwrap(), TargetSpec::parse("local:a#refs/heads/main").unwrap());
    }

    #[test]
    fn a_target_is_written_as_it_is_read() {
        for text in [
            "local:../a b#feature/x",
            "bare:/srv/x.git",
            "github:me/repo#main",
            "git:https://example.org/x.git",
            "local:a#b#c",
        ] {
            assert_eq!(TargetSpec::parse(text).unwrap().to_string(), text);
        }
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
            "git:x",
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
    fn a_server_has_no_folder() {
        let spec = TargetSpec::parse("github:me/repo").unwrap();
        assert_eq!(spec.folder(Path::new("/")).unwrap_err().kind, TargetErrorKind::Unsupported);
    }
}
