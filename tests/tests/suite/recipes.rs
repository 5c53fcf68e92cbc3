//! The recipes of `tests/CONTRIBUTING.md`: each names files that exist, and a tool that is added by its recipe works.

mod toy;

use std::collections::BTreeSet;
use std::fs;

use tests::built::workspace;

/// The paths that a recipe names at the beginning of its steps, one step a list. Words in capitals stand for names that a reader chooses.
fn recipe(title: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(workspace().join("tests/CONTRIBUTING.md")).unwrap();
    let (_, rest) = page.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no recipe {title:?}"));
    let section = rest.split("\n## ").next().expect("there is a first part");
    let is_step = |line: &&str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let paths = |line: &str| -> Vec<String> {
        let spans = line.split('`').skip(1).step_by(2);
        spans.filter(|span| span.contains('/') && !span.contains(' ')).map(str::to_owned).collect()
    };
    section.lines().filter(is_step).map(paths).collect()
}

/// What stands before the first word in capitals, up to a slash.
fn fixed(path: &str) -> &str {
    let is_chosen =
        |part: &&str| part.len() > 1 && part.split('.').next().is_some_and(|name| name == name.to_uppercase());
    match path.split('/').find(is_chosen) {
        Some(chosen) => path.split_once(chosen).map_or(path, |(before, _)| before),
        None => path,
    }
}

#[test]
fn every_file_that_a_recipe_names_exists() {
    for title in ["Add a tool", "Add a target", "Add a risk check", "Add a screen to the page"] {
        let steps = recipe(title);
        assert!(steps.len() >= 5, "{title}: {steps:?}");
        for path in steps.iter().filter_map(|paths| paths.first()) {
            assert!(workspace().join(fixed(path)).exists(), "{title}: {path}");
        }
    }
}

/// The recipe's files are all that a tool takes: a copy of the workspace gets one by it, and passes the tests of the tools' descriptions.
#[test]
#[ignore = "compiles the tools once more: cargo xtask soak runs it"]
fn a_tool_that_is_added_by_its_recipe_works() {
    let copy = toy::Copy::of_workspace();
    copy.add_tool();
    assert!(!copy.passes("tool::", true), "a schema that was written anew is reported");
    assert!(copy.schema().contains("Count the lines of a file."), "the test has written the schema");
    assert!(copy.passes("tool::", false), "the schema is the type's");
    assert!(copy.passes("toolset::filesystem::count_lines", false), "the tool's own test");
    let named = recipe("Add a tool").into_iter().filter_map(|paths| paths.into_iter().next());
    let named: BTreeSet<String> = named
        .map(|path| path.replace("SET", "filesystem").replace("NAME", "count_lines").replace("TOOL", "count_lines"))
        .collect();
    let reference = BTreeSet::from(["component/tools/README.md".to_owned()]);
    assert_eq!(copy.changed(), &named - &reference, "the reference is what the suite writes");
}
