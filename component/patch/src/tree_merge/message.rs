//! The messages of a merge, in git's words.

use std::collections::BTreeMap;

use bstr::BString;

/// The subject of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Both sides changed a file.
    AutoMerging,
    /// Both sides changed a file, and their changes conflict.
    Contents,
    /// Both sides changed a binary file.
    Binary,
    /// A file and a folder claim the same path.
    FileDirectory,
    /// The sides have a file, a link or a submodule at the same path.
    DistinctModes,
    /// One side changed what the other one deleted.
    ModifyDelete,
    /// Both sides renamed a file, each to another name.
    RenameRename,
    /// Two files came to the same path, one of them by a rename.
    RenameCollides,
    /// One side renamed what the other one deleted.
    RenameDelete,
    /// A file may belong into the folder that its own folder was renamed to.
    DirRenameSuggested,
    /// A folder was renamed to a folder that was itself renamed.
    DirRenameSkipped,
    /// The destination of a file that moves with its folder is taken.
    DirRenameFileInWay,
    /// Several files would move to the same path with their folders.
    DirRenameCollision,
    /// A folder was split: its files went to several folders.
    DirRenameSplit,
    /// A submodule that both sides changed is not checked out.
    SubmoduleNotInitialized,
}

impl Kind {
    /// git's short name of the kind, as `git merge-tree -z` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::AutoMerging => "Auto-merging",
            Self::Contents => "CONFLICT (contents)",
            Self::Binary => "CONFLICT (binary)",
            Self::FileDirectory => "CONFLICT (file/directory)",
            Self::DistinctModes => "CONFLICT (distinct modes)",
            Self::ModifyDelete => "CONFLICT (modify/delete)",
            Self::RenameRename => "CONFLICT (rename/rename)",
            Self::RenameCollides => "CONFLICT (rename involved in collision)",
            Self::RenameDelete => "CONFLICT (rename/delete)",
            Self::DirRenameSuggested => "CONFLICT (directory rename suggested)",
            Self::DirRenameSkipped => "Directory rename skipped since directory was renamed on both sides",
            Self::DirRenameFileInWay => "CONFLICT (file in way of directory rename)",
            Self::DirRenameCollision => "CONFLICT(directory rename collision)",
            Self::DirRenameSplit => "CONFLICT(directory rename unclear split)",
            Self::SubmoduleNotInitialized => "CONFLICT (submodule not initialized)",
        }
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its subject.
    pub kind: Kind,
    /// The paths it names.
    pub paths: Vec<BString>,
    /// The words, without a line end.
    pub text: BString,
}

/// All messages, by the first path that each names.
#[derive(Debug, Default)]
pub(super) struct Messages(BTreeMap<BString, Vec<Message>>);

impl Messages {
    pub(super) fn add(&mut self, kind: Kind, paths: &[&[u8]], text: &[&[u8]]) {
        let paths: Vec<BString> = paths.iter().map(|&path| path.into()).collect();
        let first = paths.first().expect("a message is about a path").clone();
        self.0.entry(first).or_default().push(Message { kind, paths, text: text.concat().into() });
    }

    /// The messages in git's order: by path, then in the order they were added.
    pub(super) fn into_ordered(self) -> Vec<Message> {
        self.0.into_values().flatten().collect()
    }
}
