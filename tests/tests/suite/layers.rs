//! The permitted dependencies. The two sides of the wall meet in the interface and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use crate::metadata::{name, packages};

/// Each workspace crate, with the workspace crates that it may depend on.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("api", &["dialect", "gate", "host"]),
    ("component", &["convert", "tools", "vfs", "wit"]),
    ("convert", &["dialect", "tools", "wit"]),
    ("dialect", &[]),
    ("fuzz", &["dialect", "gate", "tools", "vfs"]),
    ("gate", &["patch", "trial"]),
    ("gitgate", &["api", "convert", "dialect", "gate", "host", "patch", "seal", "shell", "tools", "trial", "wit"]),
    ("host", &["dialect", "gate", "patch", "wit", "yaml"]),
    ("patch", &["trial"]),
    ("seal", &[]),
    ("shell", &["trial"]),
    ("shim", &["api", "gate", "host"]),
    ("tests", &["trial"]),
    ("tools", &["dialect", "patch", "shell", "trial", "vfs", "wit", "yaml"]),
    ("trial", &[]),
    ("vfs", &["trial"]),
    ("wit", &[]),
    ("xtask", &["seal", "trial"]),
    ("yaml", &[]),
];

/// External crates that only one of ours may depend on.
const NAMED_ONCE: &[(&str, &[&str])] = &[
    ("wit-bindgen", &["component"]),
    ("wasmtime", &["gitgate", "tests"]),
    ("wit-component", &["seal"]),
    ("clap", &["gitgate"]),
    ("octocrab", &["gitgate"]),
];

/// The dependencies of each workspace crate, of any kind: normal, build and dev.
fn named() -> BTreeMap<String, BTreeSet<String>> {
    let dependencies = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().expect("it is a list").iter();
        all.map(|dependency| name(dependency).to_owned()).collect()
    };
    packages(true).into_iter().map(|package| (name(package).to_owned(), dependencies(package))).collect()
}

#[test]
fn every_crate_has_its_place() {
    let crates: Vec<String> = named().into_keys().collect();
    let places: Vec<&str> = MAY_NAME.iter().map(|(name, _)| *name).collect();
    assert_eq!(crates, places);
}

#[test]
fn a_crate_names_only_those_below_it() {
    let named = named();
    let own: BTreeSet<&str> = MAY_NAME.iter().map(|(name, _)| *name).collect();
    for (name, may) in MAY_NAME {
        let names: BTreeSet<&str> =
            named[*name].iter().map(String::as_str).filter(|named| own.contains(named)).collect();
        let beyond: Vec<_> = names.iter().filter(|named| !may.contains(named)).collect();
        assert!(beyond.is_empty(), "{name} names {beyond:?}");
    }
}

/// The gate judges the tools' output, so neither may depend on the other, even through crates between them.
#[test]
fn the_gate_and_the_tools_never_meet() {
    let named = named();
    assert!(!reached(&named, "gate").contains("tools"));
    assert!(!reached(&named, "host").contains("tools"));
    assert!(!reached(&named, "tools").contains("gate"));
}

#[test]
fn the_tests_know_nothing_that_is_inside() {
    assert_eq!(reached(&named(), "tests"), BTreeSet::from(["trial".to_owned(), "tests".to_owned()]));
    // The builder of the component contains none of it.
    assert_eq!(reached(&named(), "xtask"), BTreeSet::from(["seal", "trial", "xtask"].map(str::to_owned)));
}

#[test]
fn what_is_special_is_named_in_one_place() {
    let named = named();
    for (outside, may) in NAMED_ONCE {
        let who: Vec<&str> =
            named.iter().filter(|(_, names)| names.contains(*outside)).map(|(name, _)| name.as_str()).collect();
        assert_eq!(who, *may, "{outside}");
    }
}

/// The workspace crates that `from` depends on, directly or indirectly.
fn reached(named: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from.to_owned()];
    while let Some(name) = next.pop() {
        if let (Some(names), true) = (named.get(&name), reached.insert(name.clone())) {
            next.extend(names.iter().filter(|name| named.contains_key(*name)).cloned());
        }
    }
    reached
}
