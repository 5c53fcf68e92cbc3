//! What commands print as JSON has the keys that the README of the command line lists.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::built::workspace;
use tests::cli::Cli;

/// The keys that the README lists for a command: those that are always there, and all.
fn documented(readme: &str, command: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let start = format!("| `{command} --json` | ");
    let row =
        readme.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no row for {command}"));
    let keys = row.split(':').next().unwrap_or_default().split('`').skip(1).step_by(2);
    let (mut always, mut all) = (BTreeSet::new(), BTreeSet::new());
    for key in keys {
        if !key.ends_with('?') {
            always.insert(key.to_owned());
        }
        all.insert(key.trim_end_matches('?').to_owned());
    }
    (always, all)
}

#[test]
fn printed_json_has_the_documented_keys() {
    let readme = std::fs::read_to_string(workspace().join("host-cli/README.md")).unwrap();
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.run(&["call", "write_file", &json!({ "path": "a", "content": "1" }).to_string()]).ok();
    cli.run(&["call", "git_stage", &json!({ "files": ["a"], "message": "Add a" }).to_string()]).exits(3);
    cli.run(&["-s", "empty", "new", "--empty"]).ok();
    for command in ["ls", "status", "history", "review"] {
        let (always, all) = documented(&readme, command);
        let printed = cli.run(&[command, "--json"]).ok().stdout;
        assert!(!printed.is_empty(), "{command}");
        for line in printed.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let keys: BTreeSet<String> = value.as_object().unwrap().keys().cloned().collect();
            assert!(always.is_subset(&keys) && keys.is_subset(&all), "{command}: {keys:?} are not {all:?}");
        }
    }
}

#[test]
fn a_program_is_told_times_in_rfc_3339() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    cli.run(&["call", "write_file", &json!({ "path": "a", "content": "1" }).to_string()]).ok();
    for command in ["ls", "history"] {
        let printed = cli.run(&[command]).ok().stdout;
        assert!(printed.contains("+00:00") && !printed.contains(" ago"), "{printed}");
    }
}
