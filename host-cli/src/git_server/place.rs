//! The repository that a request is about, and what is asked of it.

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The repository's address.
    pub repository: &'a str,
    /// The program on the server, such as `git-upload-pack`.
    pub service: &'a str,
    /// It is the first request of a conversation.
    pub begins: bool,
}

impl<'a> Place<'a> {
    /// Reads the path of a request, which is a whole address.
    pub fn of(path: &'a str) -> Option<Self> {
        ["git-upload-pack", "git-receive-pack"].into_iter().find_map(|service| {
            if let Some(repository) =
                path.strip_suffix(service).and_then(|path| path.strip_suffix("/info/refs?service="))
            {
                return Some(Place { repository, service, begins: true });
            }
            let repository = path.strip_suffix(service)?.strip_suffix('/')?;
            Some(Place { repository, service, begins: false })
        })
    }

    /// Whether it is reached by ssh.
    pub fn is_ssh(&self) -> bool {
        self.repository.starts_with("ssh://") || !self.repository.contains("://")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_about_a_repository_and_a_service() {
        let place = |path| Place::of(path).map(|place| (place.repository, place.service, place.begins, place.is_ssh()));
        assert_eq!(
            place("https://h/x.git/info/refs?service=git-upload-pack"),
            Some(("https://h/x.git", "git-upload-pack", true, false))
        );
        assert_eq!(place("git@h:x/git-receive-pack"), Some(("git@h:x", "git-receive-pack", false, true)));
        assert_eq!(place("https://h/x.git/HEAD"), None);
        assert_eq!(place("https://h/git-upload-archive"), None);
    }
}
