//! Merges both versions of a renamed file at one path.

use super::content::{Contents, Sources};
use super::folders::{Renamed, other};
use super::message::Kind;
use super::state::{Info, State};
use super::trees::{BASE, OURS, THEIRS, bit};
use super::{Entry, Objects};
use crate::change::{is_regular, kind_of};

impl State<'_> {
    /// Handles all renames. They are sorted by the old path, ours before theirs.
    pub(super) fn bring_together<O: Objects>(
        &mut self,
        renamed: &[Renamed],
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let mut renamed = renamed.iter().peekable();
        while let Some(rename) = renamed.next() {
            if self.open(&rename.old).is_none() {
                // It moved with its folder, or no other side touched it.
                continue;
            }
            let next = renamed.next_if(|next| next.old == rename.old);
            if next.is_none() && rename.old == rename.new {
                // It moved with its folder back to its original path. git would remove it.
                continue;
            }
            match next {
                Some(next) if rename.new == next.new => self.renamed_alike(rename),
                Some(next) => self.renamed_apart(rename, next, contents)?,
                None => self.renamed_once(rename, contents)?,
            }
        }
        Ok(())
    }

    /// Both sides chose the same name.
    fn renamed_alike(&mut self, rename: &Renamed) {
        let base = self.open(&rename.old).and_then(|old| old.stages[BASE]);
        let Some(new) = self.open(&rename.new) else {
            return;
        };
        new.stages[BASE] = base;
        new.files |= bit(BASE);
        self.set(&rename.old, |old| old.vacate(bit(OURS) | bit(THEIRS)));
    }

    /// Each side chose another name. The merge result goes to both names.
    fn renamed_apart<O: Objects>(
        &mut self,
        ours: &Renamed,
        theirs: &Renamed,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let names = [ours.old.clone(), ours.new.clone(), theirs.new.clone()];
        let stage = |state: &mut Self, path: &[u8], tree: usize| state.open(path).and_then(|info| info.stages[tree]);
        let base = stage(self, &ours.old, BASE);
        let (Some(our_entry), Some(their_entry)) = (stage(self, &ours.new, OURS), stage(self, &theirs.new, THEIRS))
        else {
            return Ok(());
        };
        let sources =
            Sources { path: &ours.old, base, ours: our_entry, theirs: their_entry, names: &names, longer_markers: 1 };
        let merged = self.combine(contents, &sources)?;
        // Without a merge result, each side keeps its own version.
        let is_ours = !merged.is_clean && merged.entry == our_entry;
        for (path, tree, entry) in
            [(&ours.new, OURS, merged.entry), (&theirs.new, THEIRS, if is_ours { their_entry } else { merged.entry })]
        {
            let info = self.open(path).expect("it was open before");
            info.stages[tree] = Some(entry);
            info.is_misplaced = true;
        }
        self.open(&ours.old).expect("it was open before").is_misplaced = true;
        let [old, first, second] = &names;
        let (our_label, their_label) = (self.labels.ours, self.labels.theirs);
        let start: &[u8] = b"CONFLICT (rename/rename): ";
        let text =
            &[start, old, b" renamed to ", first, b" in ", our_label, b" and to ", second, b" in ", their_label, b"."];
        self.say(Kind::RenameRename, &[old, first, second], text);
        Ok(())
    }

    /// Only one side renamed it.
    fn renamed_once<O: Objects>(
        &mut self,
        rename: &Renamed,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let (side, there) = (rename.side, other(rename.side));
        let (Some(old), Some(new)) = (self.open(&rename.old).cloned(), self.open(&rename.new).cloned()) else {
            return Ok(());
        };
        let is_deleted = old.files & !(old.arrived & bit(side)) == bit(BASE);
        let (here_entry, there_entry) = (new.stages[side], old.stages[there]);
        let is_taken = new.files & bit(there) != 0;
        // If two entries at the new path are not files, git fails here.
        let is_of_other_type = !is_deleted
            && (is_file(here_entry) != is_file(there_entry) || is_taken && kind(here_entry) != kind(there_entry));
        let collides = is_taken && !is_of_other_type;
        if is_deleted {
            self.say_renamed_and_deleted(rename);
        }
        if collides && is_deleted {
            self.set(&rename.new, |new| new.is_misplaced = true);
        } else if collides {
            self.merge_before_collision(rename, &old, &new, contents)?;
        } else {
            self.set(&rename.new, |new| {
                new.stages[BASE] = old.stages[BASE];
                new.files |= bit(BASE);
                new.names[BASE] = rename.old.clone();
                if is_of_other_type {
                    return;
                }
                if is_deleted {
                    new.is_misplaced = true;
                    return;
                }
                new.stages[there] = old.stages[there];
                new.files |= bit(there);
                new.names[there] = rename.old.clone();
            });
        }
        self.set(&rename.old, |old| {
            if is_of_other_type {
                old.stages[BASE] = None;
                old.files &= !bit(BASE);
            } else {
                old.vacate(bit(side));
            }
        });
        Ok(())
    }

    /// Merges the renamed file first. The result then collides with the other side's entry at the new name.
    fn merge_before_collision<O: Objects>(
        &mut self,
        rename: &Renamed,
        old: &Info,
        new: &Info,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let (side, there) = (rename.side, other(rename.side));
        let (Some(here_entry), Some(there_entry)) = (new.stages[side], old.stages[there]) else {
            return Ok(());
        };
        let mut names = [(); 3].map(|()| rename.old.clone());
        names[side] = rename.new.clone();
        let (ours, theirs) = if side == OURS { (here_entry, there_entry) } else { (there_entry, here_entry) };
        let sources =
            Sources { path: &rename.old, base: old.stages[BASE], ours, theirs, names: &names, longer_markers: 1 };
        let merged = self.combine(contents, &sources)?;
        self.set(&rename.new, |new| {
            new.stages[side] = Some(merged.entry);
            if new.alike == bit(OURS) | bit(THEIRS) {
                // Both sides had the same entry here, and the result takes ours. git never checks that this entry is the merged one, and
                // clean.
                new.stages[OURS] = Some(merged.entry);
                new.is_misplaced |= !merged.is_clean;
            }
        });
        if !merged.is_clean {
            let start: &[u8] = b"CONFLICT (rename involved in collision): rename of ";
            let end: &[u8] =
                b" has content conflicts AND collides with another path; this may result in nested conflict markers.";
            self.say(
                Kind::RenameCollides,
                &[&rename.new, &rename.old],
                &[start, &rename.old, b" -> ", &rename.new, end],
            );
        }
        Ok(())
    }

    fn say_renamed_and_deleted(&mut self, rename: &Renamed) {
        let (here, there) = (self.label(rename.side), self.label(other(rename.side)));
        let Renamed { old, new, .. } = rename;
        let start: &[u8] = b"CONFLICT (rename/delete): ";
        let text = &[start, old, b" renamed to ", new, b" in ", here, b", but deleted in ", there, b"."];
        self.say(Kind::RenameDelete, &[new, old], text);
    }

    fn set(&mut self, path: &[u8], set: impl FnOnce(&mut Info)) {
        set(self.open(path).expect("it was open before"));
    }
}

fn kind(entry: Option<Entry>) -> Option<u32> {
    entry.map(|entry| kind_of(entry.mode))
}

fn is_file(entry: Option<Entry>) -> bool {
    entry.is_some_and(|entry| is_regular(entry.mode))
}
