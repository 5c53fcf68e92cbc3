//! Checks that the folder has exactly one file for each tool.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::REGISTRY;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

/// The expected file names and contents.
fn expected() -> BTreeMap<String, String> {
    let file = |tool: &crate::Tool| {
        let text = serde_json::to_string_pretty(&tool.file_to_be()).expect("JSON can be written");
        (format!("{}.json", tool.name), text + "\n")
    };
    REGISTRY.iter().map(file).collect()
}

/// The actual file names and contents.
fn accepted() -> BTreeMap<String, String> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("schemas are text"))
    };
    fs::read_dir(folder()).expect("the schemas are in a folder").map(read).collect()
}

#[test]
fn every_tool_has_its_file() {
    let (expected, accepted) = (expected(), accepted());
    if std::env::var_os("GITGATE_ACCEPT").is_some() {
        for name in accepted.keys().filter(|name| !expected.contains_key(*name)) {
            fs::remove_file(folder().join(name)).expect("it was there just now");
        }
        for (name, text) in &expected {
            fs::write(folder().join(name), text).expect("the file can be written");
        }
        return;
    }
    let mut differences = String::new();
    for (name, text) in &expected {
        match accepted.get(name) {
            None => differences.push_str(&format!("{name} is missing\n")),
            Some(there) if there != text => differences.push_str(&format!("{name} differs; it would be\n{text}")),
            Some(_) => {}
        }
    }
    for name in accepted.keys().filter(|name| !expected.contains_key(*name)) {
        differences.push_str(&format!("{name} belongs to no tool\n"));
    }
    assert!(
        differences.is_empty(),
        "{differences}To accept: GITGATE_ACCEPT=1 cargo test -p tools --lib tool::tests, then review the difference in \
         git."
    );
}
