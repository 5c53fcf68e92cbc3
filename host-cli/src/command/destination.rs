//! Where pushes go, as a person names it: a target, or where the sandbox came from.

use gate::id::SandboxId;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::settings::own_branch::{branch_of, on_server, own_branch};

use crate::error::{Doing, ErrorKind, HostError};
use crate::home::Place;
use crate::remote::{self, Location, Target, TargetSpec};

/// Where a push goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Where the sandbox came from; without a branch, the one that it came from.
    Origin(Option<BranchRef>),
    /// Another repository.
    Target(TargetSpec),
}

/// Reads a destination as an option names it.
pub fn destination(text: &str) -> Result<Destination, String> {
    let branch =
        |name: &str| BranchRef::from_branch(name).map_err(|fault| format!("{}: {}", fault.message, fault.hint));
    match text.strip_prefix("origin") {
        Some("") => Ok(Destination::Origin(None)),
        Some(rest) if rest.starts_with('#') => Ok(Destination::Origin(Some(branch(&rest[1..])?))),
        _ => remote::of_person(text).map(Destination::Target),
    }
}

impl Destination {
    /// The branch that it names.
    pub fn branch(&self) -> Option<&BranchRef> {
        match self {
            Destination::Origin(branch) => branch.as_ref(),
            Destination::Target(spec) => spec.branch.as_ref(),
        }
    }

    /// The place, for a sandbox that came from `origin`. A relative path starts in the person's current folder, not where the sandbox was
    /// created. `None` for where the sandbox came from, without a branch.
    ///
    /// # Errors
    /// If it is a place that nothing can be pushed to, or the sandbox came from none.
    pub fn place(&self, origin: Option<&CanonicalTarget>) -> anyhow::Result<Option<Place>> {
        match (self, origin) {
            (Destination::Origin(None), _) => Ok(None),
            (Destination::Origin(Some(branch)), Some(origin)) => Ok(Some(branch_of(origin, branch))),
            (Destination::Origin(Some(_)), None) => {
                Err(HostError::new(ErrorKind::Usage, "the sandbox came from no repository")
                    .hint("name one: local:PATH#BRANCH")
                    .into())
            }
            (Destination::Target(spec), _) => Ok(Some(of_target(spec)?)),
        }
    }
}

fn of_target(spec: &TargetSpec) -> anyhow::Result<Place> {
    let mut spec = spec.clone();
    match &mut spec.location {
        Location::Local(path) | Location::Bare(path) => *path = std::path::absolute(&*path).doing("find", path)?,
        Location::Server { .. } => {}
    }
    Ok(spec.place()?)
}

/// The same if nobody says it: a branch of the sandbox's own. `None` for a repository whose branch has no commit yet: there is nothing to keep
/// apart.
///
/// # Errors
/// If the repository cannot be read.
pub fn of_its_own(name: &SandboxId, origin: &CanonicalTarget) -> anyhow::Result<Option<Place>> {
    if origin.kind().forge().is_some() {
        return Ok(Some(on_server(name.as_str(), origin, None)?));
    }
    let near = Target::known(origin, None)?;
    if let Some(head) = near.branch()?
        && near.tip(&head)?.is_none()
    {
        return Ok(None);
    }
    own_branch(name.as_str(), origin, |branch| anyhow::Ok(near.tip(branch)?.is_some())).map(Some)
}

/// The repository that a sandbox with these settings came from.
pub fn origin(targets: &[String]) -> Option<CanonicalTarget> {
    targets.first()?.parse().ok()
}

/// Says where pushes go.
pub fn words(place: &Place) -> String {
    let shown = TargetSpec::of(place).map(|spec| spec.to_string()).unwrap_or_default();
    let shown = crate::screen::line(&shown);
    match shown.rsplit_once('#') {
        Some((target, branch)) => format!("Pushes go to the branch {branch} of {target}\n"),
        None => format!("Pushes go to {shown}\n"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_target_is_the_same_to_the_tool() {
        let tool = |text: &str| json!(destination(text).unwrap().place(None).unwrap());
        let here = std::env::current_dir().unwrap();
        let path = here.join("a/b");
        assert_eq!(tool("local:a/b#topic/x"), json!({"type": "local", "path": path, "branch": "topic/x"}));
        assert_eq!(tool("bare:/b.git"), json!({"type": "local-bare", "path": "/b.git"}));
        let git = json!({"type": "git", "repo": "https://example.org/x", "branch": "main"});
        assert_eq!(tool("git:https://example.org/x#main"), git);
    }

    #[test]
    fn a_branch_of_the_origin_is_named_without_the_rest() {
        let origin: CanonicalTarget = "local:/home/ada/project".parse().unwrap();
        let place = destination("origin#main").unwrap().place(Some(&origin)).unwrap();
        assert_eq!(json!(place), json!({"type": "local", "path": "/home/ada/project", "branch": "main"}));
        assert_eq!(destination("origin").unwrap().place(Some(&origin)).unwrap(), None);
        assert!(destination("origin#main").unwrap().place(None).is_err());
        assert!(destination("origin#..").is_err());
        assert!(destination("original").unwrap_err().starts_with("there is no folder `original`"));
    }
}
