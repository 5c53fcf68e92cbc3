//! How many of a kind are kept, so that one that floods drives nothing else out.

use std::collections::HashMap;

/// What an entry shares with others: its kind, and a smaller kind in that.
pub(super) type Kind = (String, String);

/// Which of `kinds`, oldest first, have to go so that `most` are left. The largest kind loses first,
/// in it the largest smaller one, and there the latest: the oldest of a kind is never driven out by
/// later ones of its kind. The last entry is new and stays.
pub(super) fn surplus(kinds: &[Kind], most: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..kinds.len()).collect();
    let mut gone = Vec::new();
    let new = kinds.len().checked_sub(1);
    while kept.len() > most {
        let mut sizes: HashMap<&str, usize> = HashMap::new();
        let mut smaller: HashMap<&Kind, usize> = HashMap::new();
        for at in &kept {
            *sizes.entry(&kinds[*at].0).or_default() += 1;
            *smaller.entry(&kinds[*at]).or_default() += 1;
        }
        let candidates = kept.iter().copied().filter(|at| Some(*at) != new || most == 0);
        let Some(worst) = candidates.max_by_key(|at| (sizes[&*kinds[*at].0], smaller[&kinds[*at]], *at)) else { break };
        kept.retain(|at| *at != worst);
        gone.push(worst);
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(kinds: &[(&str, &str, usize)]) -> Vec<Kind> {
        let each =
            kinds.iter().flat_map(|(kind, smaller, count)| vec![((*kind).to_owned(), (*smaller).to_owned()); *count]);
        each.collect()
    }

    #[test]
    fn attack_21_a_flood_of_one_kind_drives_out_only_its_own_latest() {
        assert_eq!(surplus(&kinds(&[("stage", "", 1), ("push", "a", 4)]), 5), [0; 0]);
        assert_eq!(surplus(&kinds(&[("stage", "", 1), ("push", "a", 5)]), 5), [4]);
        assert_eq!(surplus(&kinds(&[("push", "a", 5), ("stage", "", 1)]), 5), [4]);
        assert_eq!(surplus(&kinds(&[("push", "honest", 1), ("push", "flood", 5)]), 4), [4, 3]);
    }

    #[test]
    fn attack_21_a_flood_of_many_branches_leaves_the_oldest() {
        let branches: Vec<Kind> = (0..400).map(|number| ("push".to_owned(), number.to_string())).collect();
        let gone = surplus(&branches, 100);
        assert_eq!(gone.len(), 300);
        assert!(!gone.contains(&0) && !gone.contains(&399), "neither the oldest nor the new one");
    }
}
