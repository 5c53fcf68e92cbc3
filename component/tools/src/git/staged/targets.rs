//! The known targets of the sandbox: its origin, and every target that it has pushed to.
//!
//! `.git/gitgate/targets` stores one JSON object per line. An undo keeps it, because it tells which target a tracking ref belongs to. The
//! origin is also in git's configuration, for the upstream of branches.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use serde::{Deserialize, Serialize};

use crate::error::ToolError;
use crate::git::staged::target::GitTarget;
use crate::git::store::repo::{Repo, damaged};
use crate::options::Options;
use crate::{platform, question};

const FILE: &str = ".git/gitgate/targets";

/// A target, and the name of its remote here.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Known {
    /// Such as `origin`: its branches are tracked below `refs/remotes/origin/`.
    pub name: String,
    /// The host's canonical name of the target.
    pub target: String,
    /// `local`, `local-bare`, …: the type in a tool's argument.
    pub kind: String,
    /// A path or URL.
    pub location: String,
}

impl Known {
    /// A new target with the name `name`, or else one derived from its location.
    pub fn of(target: &str, name: Option<&str>, repo: &Repo) -> Result<Known, ToolError> {
        let (kind, location) = kind_and_location(target);
        let name = match name {
            Some(name) => name.to_owned(),
            None => free_name(&list(repo)?, location),
        };
        Ok(Known { name, target: target.to_owned(), kind: kind.to_owned(), location: location.to_owned() })
    }

    /// The full name of the tracking ref for its `branch`.
    pub fn tracking_ref(&self, branch: &str) -> String {
        format!("refs/remotes/{}/{branch}", self.name)
    }

    /// The target in the form of a question to the host.
    pub fn question(&self, branch: Option<String>) -> question::Target {
        question::Target { kind: self.kind.clone(), location: self.location.clone(), branch }
    }
}

/// All known targets, in the order of discovery.
pub fn list(repo: &Repo) -> Result<Vec<Known>, ToolError> {
    let content = match platform::read(&repo.root.join(FILE)) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ToolError::io(FILE, &error)),
    };
    let known = content.lines().map(serde_json::from_slice).collect::<Result<_, _>>();
    known.map_err(|_| ToolError::failed(format!("{FILE} is damaged")))
}

/// Adds a target.
pub fn add(repo: &Repo, known: &Known) -> Result<(), ToolError> {
    let mut all = list(repo)?;
    all.push(known.clone());
    let mut content = String::new();
    for known in &all {
        content.push_str(&serde_json::to_string(known).expect("its fields are strings"));
        content.push('\n');
    }
    platform::create_dir_all(&repo.git_dir().join("gitgate"))
        .and_then(|()| platform::put_file(&repo.root.join(FILE), content.into_bytes(), None))
        .map_err(|error| ToolError::io(FILE, &error))
}

/// The last known commits of the branches of `known`, by branch name.
pub fn tracked(repo: &Repo, known: &Known) -> Result<BTreeMap<BString, ObjectId>, ToolError> {
    let platform = repo.gix.references().map_err(|error| damaged(&error))?;
    let prefix = format!("refs/remotes/{}/", known.name);
    let mut tracked = BTreeMap::new();
    for reference in platform.remote_branches().map_err(|error| damaged(&error))? {
        let mut reference = reference.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
        let Some(name) = reference.name().as_bstr().strip_prefix(prefix.as_bytes()).map(BString::from) else {
            continue;
        };
        // HEAD can name a branch that is gone. Then it tracks nothing.
        if let Ok(id) = reference.peel_to_id() {
            tracked.insert(name, id.detach());
        }
    }
    Ok(tracked)
}

/// A branch of `target` as a tool's argument, in JSON.
pub fn named(target: &str, branch: &str) -> String {
    let (kind, location) = kind_and_location(target);
    let place = if kind == "github" { "repo" } else { "path" };
    serde_json::json!({ "type": kind, place: location, "branch": branch }).to_string()
}

/// The type and location in a tool's argument for the host's name `target`.
fn kind_and_location(target: &str) -> (&str, &str) {
    let (kind, location) = target.split_once(':').unwrap_or(("git", target));
    (if kind == "bare" { "local-bare" } else { kind }, location)
}

/// The name of `target`, given the host's name. A new target is added.
pub fn name_for(repo: &Repo, target: &str) -> Result<String, ToolError> {
    let all = list(repo)?;
    if let Some(known) = all.iter().find(|known| known.target == target) {
        return Ok(known.name.clone());
    }
    let known = Known::of(target, None, repo)?;
    add(repo, &known)?;
    Ok(known.name)
}

/// A name from the last part of `location` that none of `all` has.
fn free_name(all: &[Known], location: &str) -> String {
    let base = slug(location);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let free = |name: &String| all.iter().all(|known| known.name != *name);
    std::iter::once(base.clone()).chain(numbered).find(free).expect("numbers do not end")
}

/// The upstream of `branch`, a full name: its target, and the full name of the branch there.
pub fn upstream(repo: &Repo, branch: &BStr) -> Result<Option<(Known, BString)>, ToolError> {
    let short = branch.strip_prefix(b"refs/heads/").unwrap_or(branch).as_bstr();
    let content =
        platform::read(&repo.git_dir().join("config")).map_err(|error| ToolError::io(".git/config", &error))?;
    let metadata = gix::config::file::Metadata::default();
    let config = gix::config::File::from_bytes_no_includes(&content, metadata, Default::default())
        .map_err(|error| damaged(&error))?;
    let Ok(section) = config.section("branch", Some(short)) else {
        return Ok(None);
    };
    let (Some(remote), Some(merge)) = (section.value("remote"), section.value("merge")) else {
        return Ok(None);
    };
    let known = list(repo)?.into_iter().find(|known| known.name.as_bytes() == remote.as_bytes());
    Ok(known.map(|known| (known, merge.to_owned())))
}

/// The target of a push: the call's target, the sandbox's default, or the upstream of the current branch.
pub fn place(named: Option<&GitTarget>, options: &Options, repo: &Repo) -> Result<question::Target, ToolError> {
    named_or(named, || match &options.default_target {
        Some(default) => Ok(Some(default.clone())),
        None => upstream_of_head(repo),
    })
}

/// The source of a pull: the call's source, the upstream of the current branch, or the sandbox's default target.
pub fn source(named: Option<&GitTarget>, options: &Options, repo: &Repo) -> Result<question::Target, ToolError> {
    named_or(named, || own_source(options, repo))
}

/// The source of a pull without an argument, if there is one.
pub fn own_source(options: &Options, repo: &Repo) -> Result<Option<question::Target>, ToolError> {
    Ok(upstream_of_head(repo)?.or_else(|| options.default_target.clone()))
}

fn named_or(
    named: Option<&GitTarget>,
    own: impl FnOnce() -> Result<Option<question::Target>, ToolError>,
) -> Result<question::Target, ToolError> {
    if let Some(target) = named {
        return target.question();
    }
    own()?.ok_or_else(no_target)
}

fn no_target() -> ToolError {
    ToolError::bad_args("target is required: the current branch has no upstream")
        .hint("Set target, for example {\"type\": \"local\", \"path\": \"/path/to/repository\", \"branch\": \"main\"}.")
}

fn upstream_of_head(repo: &Repo) -> Result<Option<question::Target>, ToolError> {
    let upstream = match repo.head()?.branch() {
        Some(branch) => upstream(repo, branch.as_ref())?,
        None => None,
    };
    Ok(upstream.map(|(known, branch)| {
        let branch = branch.to_string();
        known.question(Some(branch.strip_prefix("refs/heads/").unwrap_or(&branch).to_owned()))
    }))
}

/// Derives a target's name from the last part of its location.
fn slug(location: &str) -> String {
    let last = location.trim_end_matches('/').rsplit('/').next().unwrap_or_default().trim_end_matches(".git");
    let slug: String =
        last.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "target".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{named, slug};
    use crate::git::staged::target::GitTarget;

    #[test]
    fn a_target_is_named_as_a_tool_takes_it() {
        for target in ["local:/home/me/project", "bare:/srv/project.git", "github:octo/hello"] {
            let named: GitTarget = serde_json::from_str(&named(target, "topic")).unwrap();
            let question = named.question().unwrap();
            assert_eq!(format!("{}:{}", question.kind, question.location).replace("local-bare", "bare"), target);
            assert_eq!(question.branch.as_deref(), Some("topic"));
        }
    }

    #[test]
    fn a_target_is_named_after_the_last_part_of_its_place() {
        assert_eq!(slug("/home/me/project"), "project");
        assert_eq!(slug("/backup/project.git/"), "project");
        assert_eq!(slug("/"), "target");
        assert_eq!(slug("/tmp/a b\"c"), "a-b-c");
    }
}
