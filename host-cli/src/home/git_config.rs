//! The person's own git configuration, where git would find it: of the machine, of the person, and in the environment.

use gix::config::File;

/// All of it. A file that cannot be read is as good as none.
pub(super) fn read() -> File {
    let mut files = File::from_globals().unwrap_or_default();
    let overrides = File::from_environment_overrides().unwrap_or_default();
    if let Err(error) = files.append(overrides) {
        tracing::debug!("ignoring the git configuration in the environment: {error}");
    }
    files
}

/// The name that git gives to the first branch of a new repository.
pub fn default_branch() -> String {
    read().string("init.defaultBranch").map_or_else(|| "master".to_owned(), |name| name.to_string())
}
