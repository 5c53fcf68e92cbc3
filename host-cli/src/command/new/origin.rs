//! Where a new sandbox comes from, if nobody says it, and what it is then called.

use std::path::Path;

use gate::id::SandboxId;
use host::settings::Belonging;

use super::naming;
use super::{New, Source};
use crate::command::Standing;
use crate::error::{Doing, ErrorKind, HostError};
use crate::remote::{self, Location, TargetSpec};

impl New {
    /// The source: what the person named, else the repository in the current folder. `None` for an empty sandbox.
    pub(super) fn source(&self, standing: &Standing) -> anyhow::Result<Option<Source>> {
        match (&self.from, standing.repository()) {
            (Some(Source::Repository(spec)), _) => {
                let base = std::env::current_dir().doing("find", Path::new("."))?;
                Ok(Some(Source::Repository(remote::from_top(spec.clone(), &base)?)))
            }
            (Some(source), _) => Ok(Some(source.clone())),
            (None, _) if self.empty || self.on_disk.is_some() => Ok(None),
            (None, Some(here)) => {
                let location = match &here.worktree {
                    Some(worktree) => Location::Local(worktree.clone()),
                    None => Location::Bare(here.git_dir.clone()),
                };
                Ok(Some(Source::Repository(TargetSpec { location, branch: None })))
            }
            (None, None) => Err(HostError::new(ErrorKind::Usage, "this folder is in no repository")
                .hint("go to one, name one with --from, or make an empty sandbox with --empty")
                .into()),
        }
    }

    /// The name, if nobody gives one: that of the source's folder.
    ///
    /// # Errors
    /// If the repository has a sandbox, which may be meant.
    pub(super) fn name(&self, standing: &Standing) -> anyhow::Result<SandboxId> {
        let here = std::env::current_dir().doing("find", Path::new("."))?;
        if let Some(other) = self.repository(&here)?.and_then(|own| standing.of_repository(&own)) {
            let what = format!("this repository has the sandbox '{other}' already");
            let hint = "go on with it, or make another one with `gitgate -s NAME new`";
            return Err(HostError::new(ErrorKind::SandboxExists, what).hint(hint).into());
        }
        Ok(naming::of_folder(&self.folder_name(&here), |name| standing.has(name)))
    }

    /// The repository on this machine that it is made from. Relative paths start at `base`.
    pub(super) fn repository(&self, base: &Path) -> anyhow::Result<Option<Belonging>> {
        match &self.from {
            Some(Source::Repository(TargetSpec { location: Location::Local(path) | Location::Bare(path), .. })) => {
                Ok(remote::here(&base.join(path))?)
            }
            _ => Ok(None),
        }
    }

    fn folder_name(&self, here: &Path) -> String {
        let path = match &self.from {
            Some(Source::Repository(spec)) => match &spec.location {
                Location::Local(path) | Location::Bare(path) => here.join(path),
                Location::Server { place, .. } => return name_at_server(place).to_owned(),
            },
            Some(Source::Bundle(file)) => file.with_extension(""),
            None => here.to_owned(),
        };
        let path = path.canonicalize().unwrap_or(path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.trim_end_matches(".git").to_owned()
    }
}

/// What `git clone` calls the folder of a repository at this place, such as `https://HOST/PATH` or `USER@HOST:PATH`.
fn name_at_server(place: &str) -> &str {
    let place = place.trim_end_matches('/').trim_end_matches(".git");
    place.rsplit(['/', ':']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_on_a_server_is_called_as_git_calls_it() {
        for place in
            ["ada/project", "https://h/ada/project.git", "ssh://git@h/project/", "git@h:project.git", "h:a/project"]
        {
            assert_eq!(name_at_server(place), "project", "{place}");
        }
    }
}
