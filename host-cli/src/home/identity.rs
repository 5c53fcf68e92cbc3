//! Who commits, as `git var GIT_AUTHOR_IDENT` says it in a repository.

use gix::config::File;
use host::settings::Identity;

use super::git_config::{self, GitPlace};

/// An author, and where git has the address from, in a person's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub identity: Identity,
    /// `user.email in /home/ada/.gitconfig`, or the name of a variable.
    pub from: String,
}

/// The author of commits in this repository, or outside of any. Name and address each come from the first of these that has one:
/// `GIT_AUTHOR_*`, `author.*`, `user.*`, for the address also `EMAIL` (git-var, git-commit, "COMMIT INFORMATION").
///
/// `None` if either is missing: gitgate never guesses them from the names of account and machine, as with `user.useConfigOnly`.
pub fn author(place: Option<&GitPlace>) -> Option<Author> {
    let config = git_config::read(place);
    let (name, _) = find(&config, "GIT_AUTHOR_NAME", "name")?;
    let (email, from) =
        find(&config, "GIT_AUTHOR_EMAIL", "email").or_else(|| Some((variable("EMAIL")?, "EMAIL".to_owned())))?;
    let identity = format!("{name} <{email}>").parse().ok()?;
    Some(Author { identity, from })
}

/// The value that `variable` has, else `author.KEY`, else `user.KEY`, and where it is from. An empty one is none.
fn find(config: &File, name: &str, key: &str) -> Option<(String, String)> {
    let set = variable(name).map(|value| (value, name.to_owned()));
    set.or_else(|| ["author", "user"].into_iter().find_map(|section| configured(config, section, key)))
}

fn variable(name: &str) -> Option<String> {
    usable(&std::env::var_os(name)?.to_string_lossy())
}

fn configured(config: &File, section: &str, key: &str) -> Option<(String, String)> {
    let (value, found) = config.value_with_section_by::<gix::bstr::BString>(section, None, key).ok()?;
    let place = match &found.meta().path {
        Some(path) => format!("{section}.{key} in {}", path.display()),
        None => format!("{section}.{key}"),
    };
    Some((usable(&value.to_string())?, place))
}

/// A name or an address without what git leaves out of it: line ends and angle brackets, and white space and most punctuation at both ends
/// (git's `ident.c`). `None` if nothing is left.
fn usable(text: &str) -> Option<String> {
    let is_crud = |c: char| c <= ' ' || ",:;<>\"\\'".contains(c);
    let text: String = text.trim_matches(is_crud).chars().filter(|c| !matches!(c, '\n' | '<' | '>')).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_leaves_out_of_a_name_is_left_out() {
        for (text, left) in [
            ("  Ada Lovelace.,", Some("Ada Lovelace.")),
            ("\"Ada\"", Some("Ada")),
            ("A<d>a\n", Some("Ada")),
            ("J. Doe", Some("J. Doe")),
            (" ,; ", None),
        ] {
            assert_eq!(usable(text).as_deref(), left, "{text:?}");
        }
    }
}
