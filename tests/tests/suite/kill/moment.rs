//! The moments of a push after which it is another matter to be cut off.

use std::fs;

use super::scene::Scene;

/// In their order. What is reached stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The intent is on the disk, and nothing more is sure.
    Intended,
    /// The landing has written objects; the branch may have moved.
    Begun,
    /// The branch has the push; worktree, index, journal and outcome may not.
    Moved,
    /// The outcome is on the disk.
    Recorded,
}

impl Moment {
    /// Whether the push of `scene` has come that far.
    pub fn is_reached(self, scene: &Scene) -> bool {
        let git = scene.cli.work().join("project/.git");
        match self {
            Moment::Intended => records(scene) > 0,
            Moment::Begun => scene.repo().try_git(&["cat-file", "-e", &scene.new], b"").success,
            // Read without git, which takes longer than the moment may last.
            Moment::Moved => fs::read_to_string(git.join("refs/heads/main")).is_ok_and(|id| id.trim_end() == scene.new),
            Moment::Recorded => records(scene) > 1,
        }
    }

    /// Whether it has come so far that it no longer is that moment.
    pub fn is_passed(self, scene: &Scene) -> bool {
        let next = match self {
            Moment::Begun => Moment::Moved,
            Moment::Intended | Moment::Moved | Moment::Recorded => Moment::Recorded,
        };
        next.is_reached(scene)
    }
}

/// How many whole records the gate's ledger has.
fn records(scene: &Scene) -> usize {
    let ledger = fs::read(scene.cli.home().join("sandboxes/default/audit.log")).unwrap_or_default();
    ledger.iter().filter(|byte| **byte == b'\n').count()
}
