//! The table of all forges. Beside it, only these name one: its own folder, the file of each host that sends its
//! requests, and the HTTP interface, whose field `github` is one.

use super::{ChangeRequest, Conversation, Fault, Misspelt, Proposed, Request, Row, Server, Standing};
use crate::{git, github, refname::BranchRef};

/// A forge: a sort of server that repositories are at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Forge {
    /// GitHub, by its API.
    Github,
    /// Any git server, by git's own protocol.
    Git,
}

impl Forge {
    /// All there are.
    pub const ALL: [Forge; 2] = [Forge::Github, Forge::Git];

    fn row(self) -> &'static Row {
        match self {
            Forge::Github => &github::ROW,
            Forge::Git => &git::ROW,
        }
    }

    /// Those that have change requests.
    pub fn with_change_requests() -> impl Iterator<Item = Forge> {
        Forge::ALL.into_iter().filter(|forge| forge.row().propose.is_some())
    }

    /// The names of some, as a sentence lists them.
    pub fn names(forges: impl Iterator<Item = Forge>) -> String {
        forges.map(Forge::name).collect::<Vec<_>>().join(" or ")
    }

    /// The forge that a repository's address leads to, and its place there.
    pub fn of_address(address: &str) -> Option<(Forge, &str)> {
        Forge::ALL.into_iter().find_map(|forge| Some((forge, (forge.row().address)(address)?)))
    }

    /// The word before the colon of a target, and the `type` in a tool's arguments.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// Its name, for a person.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How a target on it is written: `word:PLACE`.
    pub fn usage(self) -> String {
        format!("{}:{}", self.word(), self.row().place)
    }

    /// A target on it, as an example.
    pub fn example(self) -> String {
        format!("{}:{}", self.word(), self.row().example)
    }

    /// The location that approvals are bound to, or why `location` is none.
    pub(crate) fn canonical(self, location: &str) -> Result<String, &'static str> {
        (self.row().canonical)(location)
    }

    /// The place that a person has written.
    ///
    /// # Errors
    /// It is no place on this forge.
    pub fn read(self, place: &str) -> Result<String, Misspelt> {
        (self.row().read)(place)
    }

    /// The repository at a location, which is not asked yet.
    ///
    /// # Errors
    /// [`FaultKind::BadName`](super::FaultKind::BadName) if it is no location on this forge.
    pub fn open(self, location: &str) -> Result<Box<dyn Server>, Fault> {
        (self.row().open)(location)
    }

    /// Opens a change request in the repository at a location, or finds the one that is open. `None` if the
    /// forge has none.
    ///
    /// # Errors
    /// [`FaultKind::BadName`](super::FaultKind::BadName) if it is no location on this forge.
    pub fn propose(self, location: &str, proposed: Proposed) -> Option<Result<Conversation<ChangeRequest>, Fault>> {
        self.row().propose.map(|propose| propose(location, proposed))
    }

    /// Asks how the latest change request of the branch `head` of the repository at a location stands, `None` if it has none. `None` if the
    /// forge has none at all.
    ///
    /// # Errors
    /// [`FaultKind::BadName`](super::FaultKind::BadName) if it is no location on this forge.
    pub fn standing(self, location: &str, head: BranchRef) -> Option<Result<Conversation<Option<Standing>>, Fault>> {
        self.row().stands.map(|stands| stands(location, head))
    }

    /// Whether `request`, which is to this forge, is about one of these targets. Those on others play no part.
    pub fn is_about(self, request: &Request, targets: &[String]) -> bool {
        let here = targets.iter().filter_map(|target| target.strip_prefix(self.word())?.strip_prefix(':'));
        let locations: Vec<&str> = here.collect();
        (self.row().is_about)(&request.path, &locations)
    }
}
