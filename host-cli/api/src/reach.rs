//! Limits what a shared sandbox can reach. With the operator's credentials, it reaches only the
//! repositories that it was given.

use host::error::{ErrorKind, HostError};

/// The refusal of a request to any other repository.
pub fn refused() -> HostError {
    HostError::new(ErrorKind::Refused, "this sandbox has nothing to do with that repository")
        .hint("only repositories that it was made from can be reached over HTTP")
}

/// Whether a request concerns one of the targets. A request that moves a branch names it by an id,
/// which only a request about the repository can have found out. The current name of a renamed
/// repository is requested by a number, which the server has given.
pub fn is_given(path: &str, targets: &[String]) -> bool {
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = path.trim_start_matches('/').split('/');
    // The HTTP client would resolve such segments first.
    if parts.clone().any(|part| matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | ".."))
        || path.contains('\\')
    {
        return false;
    }
    match (parts.next(), parts.next(), parts.next()) {
        (Some("repositories"), Some(number), None) => number.bytes().all(|digit| digit.is_ascii_digit()),
        (Some("repos"), Some(owner), Some(repository)) => {
            let name = format!("github:{owner}/{repository}");
            targets.iter().any(|target| target.eq_ignore_ascii_case(&name))
        }
        (Some("graphql"), None, None) => targets.iter().any(|target| target.starts_with("github:")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_about_the_sandboxs_own_repositories_only() {
        let targets = ["github:ada/engine".to_owned(), "bare:/srv/x.git".to_owned()];
        for (path, expected) in [
            ("/repos/ada/engine", true),
            ("/repos/Ada/Engine/git/refs/heads/main", true),
            ("/repos/ada/engine?x=/repos/ada/other", true),
            ("/repos/ada/engine2/git/refs", false),
            ("/repos/ada/other?a=/repos/ada/engine", false),
            ("/repos/ada", false),
            ("/repos/ada/%65ngine", false),
            ("/graphql", true),
            ("/repositories/17", true),
            ("/repositories/17/git/refs", false),
            ("/repositories/x", false),
            ("/repos/ada/engine/../../ada/other", false),
            ("/repos/ada/engine/%2E%2e/x", false),
            ("/repos/ada/engine/..\\x", false),
            ("/user/repos", false),
            ("/", false),
        ] {
            assert_eq!(is_given(path, &targets), expected, "{path}");
        }
        assert!(!is_given("/graphql", &targets[1..]));
    }
}
