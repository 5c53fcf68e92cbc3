//! Everything that is linked, compiled or run on the way can be distributed under this project's licences.

use crate::metadata::{name, packages};

const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    // zlib's licence in other words: mark changes, and do not use names for endorsement.
    "bzip2-1.0.6",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[test]
fn every_dependency_is_under_an_accepted_licence() {
    let refused: Vec<String> = packages(false)
        .into_iter()
        .filter(|package| !package["license"].as_str().is_some_and(satisfiable))
        .map(|package| format!("{} {}: {}", name(package), package["version"], package["license"]))
        .collect();
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn our_own_crates_are_under_either_of_the_two_usual_ones() {
    for package in packages(true) {
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{}", name(package));
    }
}

#[test]
fn an_expression_is_satisfied_by_one_side_of_an_or_and_both_of_an_and() {
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "(MIT OR GPL-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR X",
        "MIT OR X AND Y",
        "MPL-2.0+",
    ] {
        assert!(satisfiable(good), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR X) AND Y",
        "GPL-2.0 WITH LLVM-exception",
        "MIT OR",
        "GPL-2.0+",
        "(MIT",
        "MIT)",
    ] {
        assert!(!satisfiable(bad), "{bad}");
    }
}

/// Whether accepted licences satisfy the SPDX expression. `AND` binds tighter than `OR`; `/` is the old form of `OR`.
fn satisfiable(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    either(&mut words) == Some(true) && words.is_empty()
}

/// Parses alternatives from the end of `words`, which is the beginning of the expression; `None` if it is invalid.
fn either(words: &mut Vec<&str>) -> Option<bool> {
    let mut satisfied = both(words)?;
    while words.last() == Some(&"OR") {
        words.pop();
        satisfied |= both(words)?;
    }
    Some(satisfied)
}

fn both(words: &mut Vec<&str>) -> Option<bool> {
    let mut satisfied = one(words)?;
    while words.last() == Some(&"AND") {
        words.pop();
        satisfied &= one(words)?;
    }
    Some(satisfied)
}

fn one(words: &mut Vec<&str>) -> Option<bool> {
    match words.pop()? {
        "(" => {
            let inner = either(words)?;
            (words.pop()? == ")").then_some(inner)
        }
        ")" | "OR" | "AND" | "WITH" => None,
        licence if words.last() == Some(&"WITH") => {
            words.pop();
            Some(ACCEPTED.contains(&format!("{licence} WITH {}", words.pop()?).as_str()))
        }
        // `+` means "or any later version", so this one is enough.
        licence => Some(ACCEPTED.contains(&licence.strip_suffix('+').unwrap_or(licence))),
    }
}
