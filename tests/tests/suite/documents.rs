//! The documents: the root README stays short, links lead somewhere, and the README of each crate
//! names tests that exist.

use std::fs;
use std::path::{Path, PathBuf};

use tests::built::workspace;

use crate::metadata::packages;

/// The most lines of the root README. Details belong behind its links.
const LINES: usize = 150;
const INVARIANTS: &str = "\n## Invariants\n";

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every document of the workspace.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![workspace().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !name.starts_with('.') && !["target", "node_modules", "corpus"].contains(&name) {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    assert!(found.len() >= 10, "the documents were found: {found:?}");
    found
}

/// The anchors of a document's headings, as forges make them.
fn anchors(text: &str) -> Vec<String> {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
    };
    text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// The folders in the crate table of the root README, relative to the root.
fn crate_table() -> Vec<String> {
    let readme = read(&workspace().join("README.md"));
    let name = |line: &str| Some(line.strip_prefix("| [`")?.split_once('`')?.0.to_owned());
    readme.lines().filter_map(name).collect()
}

/// The last section of a crate's README.
fn invariants(folder: &str) -> String {
    let path = workspace().join(folder).join("README.md");
    let text = read(&path);
    let (_, section) = text.split_once(INVARIANTS).unwrap_or_else(|| panic!("{} has no invariants", path.display()));
    assert!(!section.contains("\n## "), "{} ends with its invariants", path.display());
    section.to_owned()
}

#[test]
fn the_root_readme_has_at_most_150_lines() {
    let lines = read(&workspace().join("README.md")).lines().count();
    assert!(lines <= LINES, "README.md has {lines} lines: move what not everybody needs to the README of its crate");
}

#[test]
fn every_relative_link_leads_to_a_file() {
    let (mut dead, mut alive) = (Vec::new(), 0);
    for document in documents() {
        let text = read(&document);
        for link in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            if path.exists() && (anchor.is_empty() || anchors(&read(&path)).iter().any(|known| known == anchor)) {
                alive += 1;
            } else {
                dead.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
    assert!(alive > 20, "only {alive} links were found");
}

#[test]
fn every_crate_of_the_table_has_a_readme_with_invariants() {
    let table = crate_table();
    for folder in &table {
        assert!(invariants(folder).contains("\n- **"), "{folder}/README.md names no invariant");
    }
    for package in packages(true) {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().strip_prefix(workspace()).unwrap().to_str().unwrap();
        let has_place = table.iter().any(|row| row == folder) || folder.starts_with("tests/");
        assert!(has_place, "{folder} is not in the crate table of README.md");
    }
}

/// An invariant names its tests as `` `FILE.rs`: `test`, `test` ``.
#[test]
fn every_test_that_an_invariant_names_exists() {
    let (mut absent, mut count) = (Vec::new(), 0);
    for folder in crate_table() {
        let section = invariants(&folder);
        let parts: Vec<&str> = section.split('`').collect();
        let mut source = None;
        for at in (1..parts.len()).step_by(2) {
            let span = parts[at];
            if span.ends_with(".rs") {
                source = Some((span, read(&workspace().join(span))));
            } else if let (Some((file, text)), ":" | ",") = (&source, parts[at - 1].trim()) {
                count += 1;
                if !text.contains(&format!("fn {span}(")) {
                    absent.push(format!("{folder}/README.md: {file}: {span}"));
                }
            } else {
                source = None;
            }
        }
    }
    assert_eq!(absent, Vec::<String>::new());
    assert!(count > 50, "only {count} tests were found");
}
