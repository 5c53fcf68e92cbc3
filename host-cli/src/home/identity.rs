//! Who commits, as `git var GIT_AUTHOR_IDENT` says it in a repository.

use gix::config::File;
use host::settings::Identity;

use super::git_config::{self, GitPlace};

/// An author, and where git has the address from, in a person's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub identity: Identity,
    /// The committer, if that is another.
    pub committer: Option<Identity>,
    /// `user.email in /home/ada/.gitconfig`, or the name of a variable.
    pub from: String,
}

/// The author of commits in this repository, or outside of any. Name and address each come from the first of these that has one:
/// `GIT_AUTHOR_*`, `author.*`, `user.*`, for the address also `EMAIL` (git-var, git-commit, "COMMIT INFORMATION").
///
/// The committer likewise, with `GIT_COMMITTER_*` and `committer.*`; what is missing there is the author's.
///
/// `None` if either is missing: gitgate never guesses them from the names of account and machine, as with `user.useConfigOnly`.
pub fn author(place: Option<&GitPlace>) -> Option<Author> {
    let config = git_config::read(place);
    let found = |role, key| find(&config, role, key);
    let (name, _) = found("author", "name")?;
    let last = || Some((variable("EMAIL")?, "EMAIL".to_owned()));
    let (email, from) = found("author", "email").or_else(last)?;
    let identity: Identity = format!("{name} <{email}>").parse().ok()?;
    let (name, _) = found("committer", "name").unwrap_or((name, String::new()));
    let (email, _) = found("committer", "email").or_else(last).unwrap_or((email, String::new()));
    let committer = format!("{name} <{email}>").parse().ok().filter(|committer| *committer != identity);
    Some(Author { identity, committer, from })
}

/// What the variable of this role has, else `ROLE.KEY`, else `user.KEY`, and where it is from. An empty one is none.
fn find(config: &File, role: &str, key: &str) -> Option<(String, String)> {
    let name = format!("GIT_{}_{}", role.to_ascii_uppercase(), key.to_ascii_uppercase());
    let set = variable(&name).map(|value| (value, name));
    set.or_else(|| [role, "user"].into_iter().find_map(|section| configured(config, section, key)))
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
