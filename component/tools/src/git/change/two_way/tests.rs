use std::collections::BTreeSet;

use serde_json::json;

use crate::testing::Sandbox;

/// Names where a folder comes after a file in one sort order, and before it in the other.
const NAMES: [&str; 11] = ["a", "a-b", "a/x", "a/y-z", "a/y/z", "a.c/x", "a0", "b/a-b", "b/a/x", "b/a", "b/a!"];

/// Whether one of the two files is in the place of a parent folder of the other.
fn collide(one: &str, other: &str) -> bool {
    let is_below = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
    is_below(one, other) || is_below(other, one)
}

/// The names selected by `bits`, without those that collide with an earlier one.
fn chosen(bits: usize) -> BTreeSet<&'static str> {
    let mut chosen: BTreeSet<&str> = BTreeSet::new();
    for (at, name) in NAMES.into_iter().enumerate() {
        if bits >> at & 1 == 1 && !chosen.iter().any(|other| collide(name, other)) {
            chosen.insert(name);
        }
    }
    chosen
}

/// A branch `side` with other files than the current one. The working folder has other contents for all of them.
fn in_the_way(ours: &BTreeSet<&str>, theirs: &BTreeSet<&str>) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    for (branch, names) in [("side", theirs), ("ours", ours)] {
        sandbox.git(&["checkout", "--quiet", "--orphan", branch]);
        sandbox.git(&["read-tree", "--empty"]);
        for name in names {
            let blob = sandbox.git_fed(&["hash-object", "-w", "--stdin"], format!("{branch} {name}\n").as_bytes());
            let blob = String::from_utf8(blob.stdout).unwrap();
            sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{},{name}", blob.trim_end())]);
        }
        sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", branch]);
    }
    let is_free = |name: &&&str| !ours.iter().any(|other| collide(name, other));
    for name in ours.iter().chain(theirs.iter().filter(is_free)) {
        sandbox.write(name, "changed\n");
    }
    sandbox
}

#[test]
fn what_is_in_the_way_is_told_in_the_order_in_which_git_walks_the_trees() {
    let mut refused = 0;
    for round in 0_usize..60 {
        let bits = round.wrapping_mul(0x9e37_79b9) >> 7;
        let [ours, theirs] = [chosen(bits), chosen(bits >> 11)];
        let expected = in_the_way(&ours, &theirs).git_output(&["checkout", "side"]);
        let said = in_the_way(&ours, &theirs).calling("git_checkout", json!({"branch": "side"})).approved();
        refused += usize::from(said.is_err());
        assert_eq!(said.is_ok(), expected.status.success(), "{ours:?} {theirs:?}");
        if let Err(error) = said {
            assert_eq!(error.message, String::from_utf8(expected.stderr).unwrap().trim_end(), "{ours:?} {theirs:?}");
        }
    }
    assert!(refused > 30, "{refused}");
}
