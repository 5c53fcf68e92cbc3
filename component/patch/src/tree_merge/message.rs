//! What git says about a merge, in its words.

use std::collections::BTreeMap;

use bstr::BString;

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Both sides changed a file.
    AutoMerging,
    /// They did, in ways that do not go together.
    Contents,
    /// They did, and it is binary.
    Binary,
    /// A file is where a folder is.
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
    /// A file perhaps belongs where its folder went.
    DirRenameSuggested,
    /// A folder was moved where another one was moved away.
    DirRenameSkipped,
    /// Something is where a file should go with its folder.
    DirRenameFileInWay,
    /// Several files should go to the same path with their folders.
    DirRenameCollision,
    /// A folder went to several places.
    DirRenameSplit,
    /// A submodule that both sides changed is not here.
    SubmoduleNotInitialized,
}

impl Kind {
    /// git's short name of it, as `git merge-tree -z` prints it.
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

/// Something git says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What it is about.
    pub kind: Kind,
    /// The paths it is about.
    pub paths: Vec<BString>,
    /// The words, without a line end.
    pub text: BString,
}

/// All that is said, by the first path that it is about.
#[derive(Debug, Default)]
pub(super) struct Messages(BTreeMap<BString, Vec<Message>>);

impl Messages {
    pub(super) fn add(&mut self, kind: Kind, paths: &[&[u8]], text: &[&[u8]]) {
        let paths: Vec<BString> = paths.iter().map(|&path| path.into()).collect();
        let first = paths.first().expect("a message is about a path").clone();
        self.0.entry(first).or_default().push(Message { kind, paths, text: text.concat().into() });
    }

    /// In the order in which git prints them: by path, then as they came up.
    pub(super) fn into_ordered(self) -> Vec<Message> {
        self.0.into_values().flatten().collect()
    }
}
