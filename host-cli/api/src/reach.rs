//! Limits what a shared sandbox can reach. With the operator's credentials, it reaches only the
//! repositories that it was given.

use gate::forge::Request;
use host::error::{ErrorKind, HostError};

/// The refusal of a request to any other repository.
pub fn refused() -> HostError {
    HostError::new(ErrorKind::Refused, "this sandbox has nothing to do with that repository")
        .hint("only repositories that it was made from can be reached over HTTP")
}

/// Whether a request is about one of the targets.
pub fn is_given(request: &Request, targets: &[String]) -> bool {
    request.forge.is_about(request, targets)
}

#[cfg(test)]
mod tests {
    use gate::forge::{Forge, Method};

    use super::*;

    #[test]
    fn a_server_is_asked_about_the_sandboxs_own_repositories_only() {
        let targets = ["github:ada/engine".to_owned(), "bare:/srv/x.git".to_owned()];
        let given = |path: &str, targets: &[String]| {
            let path = path.to_owned();
            is_given(&Request { forge: Forge::Github, method: Method::Get, path, body: None, moves: false }, targets)
        };
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
            assert_eq!(given(path, &targets), expected, "{path}");
        }
        assert!(!given("/graphql", &targets[1..]));
    }
}
