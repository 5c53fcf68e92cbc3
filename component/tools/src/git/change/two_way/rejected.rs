//! Paths where something would be lost, and git's messages about them (unpack-trees.c,
//! `setup_unpack_trees_porcelain`).

use gix::bstr::{BStr, BString};

use crate::error::{ErrorKind, ToolError};

/// What is being done, in git's words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Command {
    /// Branches are switched.
    Checkout,
    /// What was put away is brought back.
    Merge,
}

/// What would be lost, in the order in which git tells of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reason {
    /// What was added to the index.
    WouldOverwrite,
    /// A tracked file's changes.
    NotUptodate,
    /// Files that are not tracked, in a folder in whose place something else comes.
    NotUptodateFolder,
    /// The folder that the call works in.
    WorkingFolder,
    /// A file that is not tracked, in whose place something else comes.
    UntrackedOverwritten,
    /// A file that is not tracked, in the place of one that goes.
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

/// All that would be lost.
#[derive(Debug, Default)]
pub struct Rejected(Vec<(Reason, BString)>);

impl Rejected {
    /// What is at `path` would be lost.
    pub fn add(&mut self, reason: Reason, path: &BStr) {
        self.0.push((reason, path.to_owned()));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What git says of them, in lines.
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

    /// The error with this message.
    pub fn error(&self, message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorKind::Conflict, message).hint(
            "Nothing has changed. Commit these files with git_add and git_commit, put them away with git_stash, or \
             restore them with git_restore. Move untracked files with move_file.",
        )
    }
}

/// What stands before and after the paths.
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
