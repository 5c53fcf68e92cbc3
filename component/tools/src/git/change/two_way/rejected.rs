//! The paths where a switch would lose something, and git's messages about them (unpack-trees.c, `setup_unpack_trees_porcelain`).

use gix::bstr::{BStr, BString};

use crate::error::{ErrorKind, ToolError};

/// The command that git's messages name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Command {
    /// A switch of branches.
    Checkout,
    /// Applying a stash.
    Merge,
}

/// What would be lost, in the order of git's messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reason {
    /// An added entry of the index.
    WouldOverwrite,
    /// The changes of a tracked file.
    NotUptodate,
    /// Untracked files in a folder that is to be replaced.
    NotUptodateFolder,
    /// The working folder of the call.
    WorkingFolder,
    /// An untracked file that is to be replaced.
    UntrackedOverwritten,
    /// An untracked file in the place of one that is to be removed.
    UntrackedRemoved,
}

const REASONS: [Reason; 6] = [
    Reason::WouldOverwrite,
    Reason::NotUptodate,
    Reason::NotUptodateFolder,
    Reason::WorkingFolder,
    Reason::UntrackedOverwritten,
    Reason::UntrackedRemoved,
];

/// All paths with something to lose.
#[derive(Debug, Default)]
pub struct Rejected(Vec<(Reason, BString)>);

impl Rejected {
    /// Adds a path.
    pub fn add(&mut self, reason: Reason, path: &BStr) {
        self.0.push((reason, path.to_owned()));
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// git's messages, in lines.
    pub fn text(&self, command: Command) -> String {
        let mut message = String::new();
        for reason in REASONS {
            let paths = self.0.iter().filter(|(found, _)| *found == reason);
            let list: String = paths.map(|(_, path)| format!("\t{path}\n")).collect();
            if !list.is_empty() {
                let (before, after) = words(reason, command);
                message.push_str(&format!("error: {before}:\n{list}{after}\n"));
            }
        }
        message.push_str("Aborting\n");
        message
    }

    /// The error with `message`, and a hint.
    pub fn error(&self, message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::Conflict, message).hint(
            "Nothing has changed. Commit these files with git_add and git_commit, put them away with git_stash, or \
             restore them with git_restore. Move untracked files with move_file.",
        )
    }
}

/// The text before and after the list of paths.
fn words(reason: Reason, command: Command) -> (String, &'static str) {
    let (name, commit, move_away) = match command {
        Command::Checkout => (
            "checkout",
            "Please commit your changes or stash them before you switch branches.",
            "Please move or remove them before you switch branches.",
        ),
        Command::Merge => (
            "merge",
            "Please commit your changes or stash them before you merge.",
            "Please move or remove them before you merge.",
        ),
    };
    let untracked = |what: &str| format!("The following untracked working tree files would be {what} by {name}");
    match reason {
        Reason::WouldOverwrite | Reason::NotUptodate => {
            (format!("Your local changes to the following files would be overwritten by {name}"), commit)
        }
        Reason::NotUptodateFolder => {
            ("Updating the following directories would lose untracked files in them".to_owned(), "")
        }
        Reason::WorkingFolder => ("Refusing to remove the current working directory".to_owned(), ""),
        Reason::UntrackedOverwritten => (untracked("overwritten"), move_away),
        Reason::UntrackedRemoved => (untracked("removed"), move_away),
    }
}
