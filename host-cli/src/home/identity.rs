//! The identity in the person's git configuration.

use host::settings::Identity;

use super::git_config;

/// The `user.name` and `user.email` of the person's global git configuration, where git would find
/// it.
///
/// `None` if either is missing or unusable in a commit. An unreadable file counts as missing: the
/// tool that commits then says how to set an identity.
pub fn of_git() -> Option<Identity> {
    let config = git_config::read();
    format!("{} <{}>", config.string("user.name")?, config.string("user.email")?).parse().ok()
}
