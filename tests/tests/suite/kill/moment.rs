//! The stages of a push that differ in their recovery.

use std::fs;

use super::scene::Scene;

/// In order. A reached stage stays reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The intent is on disk, and nothing more is certain.
    Intended,
    /// The landing has written objects; the branch may have moved.
    Begun,
    /// The branch has the push; worktree, index, journal and outcome may not.
    Moved,
    /// The outcome is on disk.
    Recorded,
}

impl Moment {
    /// Whether the push of `scene` has reached this stage.
    pub fn is_reached(self, scene: &Scene) -> bool {
        let git = scene.cli.work().join("project/.git");
        match self {
            Moment::Intended => records(scene) > 0,
            Moment::Begun => scene.repo().try_git(&["cat-file", "-e", &scene.new], b"").success,
            // Read the file directly: git takes longer than the stage may last.
            Moment::Moved => fs::read_to_string(git.join("refs/heads/main")).is_ok_and(|id| id.trim_end() == scene.new),
            Moment::Recorded => records(scene) > 1,
        }
    }

    /// Whether the push has left this stage.
    pub fn is_passed(self, scene: &Scene) -> bool {
        let next = match self {
            Moment::Begun => Moment::Moved,
            Moment::Intended | Moment::Moved | Moment::Recorded => Moment::Recorded,
        };
        next.is_reached(scene)
    }
}

/// The number of whole records in the gate's ledger.
fn records(scene: &Scene) -> usize {
    let ledger = fs::read(scene.cli.home().join("sandboxes/default/audit.log")).unwrap_or_default();
    ledger.iter().filter(|byte| **byte == b'\n').count()
}
