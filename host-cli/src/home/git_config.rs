//! The git configuration that counts in a repository, as git reads it: of the machine, of the person, of the repository and its worktree, and
//! in the environment, with what they include (git-config, "FILES" and "Conditional includes").

use std::path::{Path, PathBuf};

use gix::bstr::BString;
use gix::config::file::{SectionId, includes, init};
use gix::config::path::interpolate;
use gix::config::source::Kind;
use gix::config::{File, Source};

/// A repository, as far as its configuration depends on it. All paths are canonical.
#[derive(Clone, Debug)]
pub struct GitPlace {
    /// The git folder of the worktree.
    pub own: PathBuf,
    /// The git folder that all worktrees share.
    pub common: PathBuf,
    /// The worktree. `None` in a bare repository.
    pub worktree: Option<PathBuf>,
    /// The branch that is checked out, born or not.
    pub branch: Option<gix::refs::FullName>,
}

/// How deep includes are followed, as by git.
const DEPTH: usize = 10;

/// All of it in this repository, or outside of any. A file that cannot be read is as good as none.
///
/// The repository may be anybody's, so its configuration includes only files of its own and of the person's home.
pub fn read(place: Option<&GitPlace>) -> File {
    let mut all = File::default();
    for kind in [Kind::GitInstallation, Kind::System, Kind::Global] {
        for source in kind.sources() {
            if let Some(path) = source.storage_location(&mut |name| std::env::var_os(name)) {
                append(&mut all, path, *source);
            }
        }
    }
    if let Some(place) = place {
        append(&mut all, place.common.join("config"), Source::Local);
        if all.boolean("extensions.worktreeConfig").ok().flatten().unwrap_or_default() {
            append(&mut all, place.own.join("config.worktree"), Source::Worktree);
        }
    }
    include(&mut all, place);
    match File::from_environment_overrides() {
        Ok(overrides) => drop(all.append(overrides)),
        Err(error) => tracing::debug!("ignoring the git configuration in the environment: {error}"),
    }
    all
}

/// Adds a file, if it is there.
fn append(all: &mut File, path: PathBuf, source: Source) {
    if !path.is_file() {
        return;
    }
    let added = File::from_path_no_includes(path.clone(), source).and_then(|file| all.append(file).map(drop));
    if let Err(error) = added {
        tracing::debug!("ignoring the git configuration {}: {error}", path.display());
    }
}

/// Adds what the files include, one level after the other: each level is looked at before anything of it is read.
fn include(all: &mut File, place: Option<&GitPlace>) {
    let home = gix::path::env::home_dir();
    let interpolation = interpolation(home.as_deref());
    let conditional = includes::conditional::Context {
        git_dir: place.map(|place| place.own.as_path()),
        branch_name: place.and_then(|place| place.branch.as_ref()).map(|branch| branch.as_ref()),
    };
    let one_level = includes::Options {
        max_depth: 1,
        err_on_max_depth_exceeded: false,
        err_on_missing_config_path: false,
        ..includes::Options::follow(interpolation, conditional)
    };
    for _ in 0..DEPTH {
        let sections: Vec<(SectionId, bool)> = all
            .sections_and_ids()
            .filter(|(section, _)| is_include(section.header().name()))
            .map(|(section, id)| {
                let paths = section.values("path");
                let is_near = section.meta().source.kind() == Kind::Repository;
                let from = section.meta().path.as_deref();
                let may = !is_near || paths.iter().all(|path| is_ours(path, from, interpolation, place));
                (id, may)
            })
            .collect();
        if sections.is_empty() {
            return;
        }
        for (id, may) in &sections {
            if !may {
                tracing::debug!("ignoring an include of the repository's configuration: it leads elsewhere");
                all.remove_section_by_id(*id);
            }
        }
        if let Err(error) = all.resolve_includes(init::Options { includes: one_level, ..Default::default() }) {
            tracing::debug!("ignoring includes of the git configuration: {error}");
        }
        // What was followed is not followed again.
        for (id, _) in sections.into_iter().filter(|(_, may)| *may) {
            all.remove_section_by_id(id);
        }
    }
}

/// A path of the configuration, with `~` and `~user` written out. `None` if nobody has such a home.
pub fn expanded(path: gix::config::Path) -> Option<PathBuf> {
    let home = gix::path::env::home_dir();
    path.interpolate(interpolation(home.as_deref())).ok()
}

/// How paths are written out for a person with this home.
fn interpolation(home: Option<&Path>) -> interpolate::Context<'_> {
    interpolate::Context { git_install_dir: None, home_dir: home, home_for_user: Some(interpolate::home_for_user) }
}

fn is_include(name: &gix::bstr::BStr) -> bool {
    name.eq_ignore_ascii_case(b"include") || name.eq_ignore_ascii_case(b"includeIf")
}

/// Whether a file that the repository's configuration includes is of the repository or of the person's home. One that is not there is neither.
fn is_ours(path: &BString, from: Option<&Path>, context: interpolate::Context<'_>, place: Option<&GitPlace>) -> bool {
    let Ok(path) = gix::config::Path::from(path.clone()).interpolate(context) else { return false };
    let folder = from.and_then(Path::parent).unwrap_or(Path::new("/"));
    let Ok(file) = folder.join(&*path).canonicalize() else { return false };
    let repository = place.into_iter().flat_map(|place| {
        [Some(&place.own), Some(&place.common), place.worktree.as_ref()].into_iter().flatten().cloned()
    });
    let home = context.home_dir.and_then(|home| home.canonicalize().ok());
    repository.chain(home).any(|folder| file.starts_with(folder))
}

/// The name that git gives to the first branch of a new repository.
pub fn default_branch() -> String {
    read(None).string("init.defaultBranch").map_or_else(|| "master".to_owned(), |name| name.to_string())
}
