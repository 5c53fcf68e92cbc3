//! Lists the commits that some refs reach and others do not, as `git rev-list` does.

use std::collections::BTreeSet;

use gix::ObjectId;
use patch::sort::map;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::History;
use crate::git::history::paint::{Paint, Side};
use crate::git::store::repo::Repo;

/// The commits that at least one of `tips` reaches and none of `hidden`, parents before children.
pub fn between(
    repo: &Repo,
    tips: impl IntoIterator<Item = ObjectId>,
    hidden: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Vec<ObjectId>, ToolError> {
    within(History::of(repo, &Default::default())?, tips, hidden, deadline)
}

/// The same in a part of a history.
pub fn within(
    history: History<'_>,
    tips: impl IntoIterator<Item = ObjectId>,
    hidden: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Vec<ObjectId>, ToolError> {
    let mut paint = Paint::new(history);
    for tip in tips {
        paint.reach(tip, Side::Ours)?;
    }
    for hidden in hidden {
        paint.reach(*hidden, Side::Theirs)?;
    }
    paint.run(&[Side::Ours], deadline)?;
    Ok(parents_first(paint.of(Side::Ours).map(|(id, parents)| (id, parents.to_vec())).collect()))
}

/// Sorts parents before children, without regard to their times, and otherwise the oldest first.
fn parents_first(newest_first: Vec<(ObjectId, Vec<ObjectId>)>) -> Vec<ObjectId> {
    let mut missing: BTreeSet<ObjectId> = newest_first.iter().map(|(id, _)| *id).collect();
    let parents = map(newest_first.iter().cloned());
    let mut ordered = Vec::with_capacity(newest_first.len());
    for (id, _) in newest_first.into_iter().rev() {
        let mut pending = vec![id];
        while let Some(next) = pending.last().copied() {
            let waits_for = parents[&next].iter().rev().copied().find(|parent| missing.contains(parent));
            match waits_for {
                Some(parent) if missing.contains(&next) => pending.push(parent),
                _ => {
                    if missing.remove(&next) {
                        ordered.push(next);
                    }
                    pending.pop();
                }
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: u8) -> ObjectId {
        ObjectId::from_bytes_or_panic(&[digit; 20])
    }

    #[test]
    fn parents_come_first_even_when_their_times_say_otherwise() {
        let newest_first =
            vec![(id(1), vec![]), (id(4), vec![id(3), id(2)]), (id(2), vec![id(1)]), (id(3), vec![id(1)])];
        assert_eq!(parents_first(newest_first), vec![id(1), id(3), id(2), id(4)]);
    }
}
