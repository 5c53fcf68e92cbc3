//! How a target is spelled, and by whom. Only this file converts one spelling to another.
//!
//! | type | whose it is | a bare repository |
//! |---|---|---|
//! | [`TargetSpec`] | a person's, at a command line | `bare:../x.git#main` |
//! | [`Place`] | a tool's arguments, worker and sandbox files | `type` local-bare, `path`, `branch` |
//! | [`wit::Target`] | the component's | `kind` local-bare, `location`, `branch` |
//! | [`CanonicalTarget`] | the gate's, to which approvals are bound | `bare:/srv/x.git` |

use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};

use super::{Location, TargetError, TargetSpec};
use crate::settings::Place;
use crate::wit;

/// The word that tools and the component use for a kind. It differs from a person's only for a bare
/// repository.
pub fn tool_word(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Bare => "local-bare",
        TargetKind::Local | TargetKind::Server(_) => kind.as_str(),
    }
}

/// The kind that a tool or the component means by a word.
pub fn of_tool_word(word: &str) -> Option<TargetKind> {
    TargetKind::all().find(|kind| tool_word(*kind) == word)
}

/// The words of all kinds that a tool can use.
pub fn tool_words() -> impl Iterator<Item = &'static str> {
    TargetKind::all().map(tool_word)
}

impl Place {
    /// The place that tools call so.
    pub fn new(kind: TargetKind, location: &str, branch: Option<&BranchRef>) -> Self {
        let (location, branch) = (location.to_owned(), branch.map(|branch| branch.branch().to_owned()));
        match kind {
            TargetKind::Local => Place::Local { path: location, branch },
            TargetKind::Bare => Place::LocalBare { path: location, branch },
            TargetKind::Server(forge) => Place::Server { forge, repo: location, branch },
        }
    }

    /// The place of a target that was opened, as tools call it.
    pub fn of(target: &CanonicalTarget, branch: Option<&BranchRef>) -> Self {
        Place::new(target.kind(), target.location(), branch)
    }

    pub(crate) fn parts(&self) -> (TargetKind, &str, Option<&str>) {
        let (kind, location, branch) = match self {
            Place::Local { path, branch } => (TargetKind::Local, path, branch),
            Place::LocalBare { path, branch } => (TargetKind::Bare, path, branch),
            Place::Server { forge, repo, branch } => (TargetKind::Server(*forge), repo, branch),
        };
        (kind, location, branch.as_deref())
    }
}

impl From<&Place> for wit::Target {
    fn from(place: &Place) -> Self {
        let (kind, location, branch) = place.parts();
        wit::Target {
            kind: tool_word(kind).to_owned(),
            location: location.to_owned(),
            branch: branch.map(str::to_owned),
        }
    }
}

impl TargetSpec {
    /// The target that a tool's arguments or a worker file name, without looking it up.
    pub fn of(place: &Place) -> Result<Self, TargetError> {
        let (kind, location, branch) = place.parts();
        TargetSpec::new(kind.as_str(), location, branch)
    }

    /// The target that the component names. The branch is the component's business, but must be a
    /// branch.
    pub fn of_component(target: &wit::Target) -> Result<Self, TargetError> {
        let kind = of_tool_word(&target.kind).map(TargetKind::as_str);
        TargetSpec::new(kind.unwrap_or(&target.kind), &target.location, target.branch.as_deref())
    }

    /// The target that the gate knows by this name.
    pub fn of_canonical(target: &CanonicalTarget, branch: Option<&BranchRef>) -> Result<Self, TargetError> {
        let spec = TargetSpec::new(target.kind().as_str(), target.location(), None)?;
        Ok(TargetSpec { branch: branch.cloned(), ..spec })
    }

    /// The same as tools call it. Fails for a path that is not UTF-8.
    pub fn place(&self) -> Result<Place, TargetError> {
        let kind = self.location.kind();
        let location = match &self.location {
            Location::Local(path) | Location::Bare(path) => match path.to_str() {
                Some(path) => path.to_owned(),
                None => return Err(TargetError::bad_spec("the target's path is not UTF-8").hint("rename the folder")),
            },
            Location::Server { place, .. } => place.clone(),
        };
        Ok(Place::new(kind, &location, self.branch.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use gate::forge::Forge;

    use super::*;
    use crate::target::TargetErrorKind;

    fn places() -> [(Place, &'static str); 3] {
        let branch = || Some("topic/x".to_owned());
        [
            (Place::Local { path: "../a b".to_owned(), branch: branch() }, "local:../a b#topic/x"),
            (Place::LocalBare { path: "/srv/x.git".to_owned(), branch: None }, "bare:/srv/x.git"),
            (
                Place::Server { forge: Forge::Github, repo: "me/repo".to_owned(), branch: branch() },
                "github:me/repo#topic/x",
            ),
        ]
    }

    fn named(kind: &str, location: &str, branch: Option<&str>) -> wit::Target {
        wit::Target { kind: kind.to_owned(), location: location.to_owned(), branch: branch.map(str::to_owned) }
    }

    #[test]
    fn a_place_is_the_target_that_would_be_written_so() {
        for (place, text) in places() {
            let spec = TargetSpec::of(&place).unwrap();
            assert_eq!(spec, TargetSpec::parse(text).unwrap());
            assert_eq!((spec.to_string().as_str(), spec.place().unwrap()), (text, place));
        }
        let odd = Place::Local { path: "a#b".to_owned(), branch: None };
        assert_eq!(TargetSpec::of(&odd).unwrap().location, Location::Local("a#b".into()));
        assert!(
            TargetSpec::of(&Place::Server { forge: Forge::Github, repo: "-x/y".to_owned(), branch: None }).is_err()
        );
        assert!(TargetSpec::of(&Place::Local { path: ".".to_owned(), branch: Some("a..b".to_owned()) }).is_err());
    }

    #[test]
    fn a_place_is_the_same_to_tools_and_to_the_component() {
        for (place, _) in places() {
            let json = serde_json::to_value(&place).unwrap();
            let target = wit::Target::from(&place);
            assert_eq!(json["type"], target.kind);
            assert_eq!(of_tool_word(&target.kind).map(tool_word), Some(&*target.kind));
            assert_eq!(TargetSpec::of_component(&target).unwrap(), TargetSpec::of(&place).unwrap());
        }
    }

    #[test]
    fn a_canonical_name_leads_back_to_its_target() {
        for (text, place) in [
            ("local:/a #b", r#"{"type":"local","path":"/a #b","branch":"main"}"#),
            ("bare:/b.git", r#"{"type":"local-bare","path":"/b.git","branch":"main"}"#),
            ("github:me/repo", r#"{"type":"github","repo":"me/repo","branch":"main"}"#),
            ("git:https://example.org/x.git", r#"{"type":"git","repo":"https://example.org/x.git","branch":"main"}"#),
        ] {
            let (target, main): (CanonicalTarget, _) = (text.parse().unwrap(), BranchRef::from_branch("main").unwrap());
            let spec = TargetSpec::of_canonical(&target, Some(&main)).unwrap();
            assert_eq!(spec.to_string(), format!("{text}#main"));
            let place = serde_json::from_str::<Place>(place).unwrap();
            assert_eq!(spec.place().unwrap(), place);
            assert_eq!(Place::of(&target, Some(&main)), place);
        }
    }

    #[test]
    fn what_the_component_names_is_what_the_host_opens() {
        let spec = |named| TargetSpec::of_component(&named).unwrap();
        let found = spec(named("local-bare", "a #b/c", Some("topic/x")));
        assert_eq!(found.location, Location::Bare("a #b/c".into()));
        assert_eq!(found.branch.unwrap().as_str(), "refs/heads/topic/x");
        assert_eq!(spec(named("local", "#x", None)).location, Location::Local("#x".into()));
        assert_eq!(spec(named("local", ".", None)).branch, None);
        assert_eq!(spec(named("local", ".", Some("a#b"))).branch.unwrap().branch(), "a#b");
    }

    #[test]
    fn attack_05_and_06_helpers_options_and_bad_branches_are_refused() {
        for (kind, location, branch) in [
            ("ext", "sh -c id", None),
            ("local", ":x", None),
            ("local", "-x", None),
            ("local", "a\nb", None),
            ("git", "ext::sh", None),
            ("file", "/x", None),
            ("a\nb", "/x", None),
            ("bundle", "/x", None),
            ("local", "", None),
            ("local", ".", Some("../../config")),
            ("local", ".", Some("--upload-pack=x")),
            ("local", ".", Some("a\nb")),
            ("local", ".", Some("")),
        ] {
            let refused = TargetSpec::of_component(&named(kind, location, branch)).unwrap_err();
            assert_eq!(refused.kind, TargetErrorKind::BadSpec, "{kind} {location} {branch:?}");
            assert!(!refused.message.contains(char::is_control), "{kind} {location} {branch:?}");
        }
    }
}
