//! What callers see of each tool, as files to be reviewed: `tests/schemas/<tool>.json`.
//!
//! A change of a name, a description or a field shows up here. To accept it: `GITGATE_ACCEPT=1 cargo test -p tools --test schemas`.
#![cfg(not(target_os = "wasi"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tools::{REGISTRY, Tool, approval};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas")
}

fn snapshot(tool: &Tool) -> Value {
    let row = approval::row(tool.name).expect("every tool has a row");
    json!({
        "name": tool.name,
        "description": tool.description(),
        "toolsets": tool.toolsets.iter().map(|toolset| toolset.name()).collect::<Vec<_>>(),
        "manual": row.mode != approval::Mode::Both,
        "readOnly": row.read_only,
        "arguments": tool.schema(),
    })
}

/// File names and contents, as they are to be.
fn expected() -> BTreeMap<String, Value> {
    REGISTRY.iter().map(|tool| (format!("{}.json", tool.name), snapshot(tool))).collect()
}

/// File names and contents, as they are.
fn accepted() -> BTreeMap<String, Value> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("snapshots are text");
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        (name, serde_json::from_str(&text).unwrap_or(Value::Null))
    };
    match fs::read_dir(folder()) {
        Ok(entries) => entries.map(read).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => panic!("{}: {error}", folder().display()),
    }
}

fn accept(expected: &BTreeMap<String, Value>, stale: impl Iterator<Item = String>) {
    for name in stale {
        fs::remove_file(folder().join(name)).expect("it was there just now");
    }
    fs::create_dir_all(folder()).expect("the folder can be made");
    for (name, snapshot) in expected {
        let mut text = serde_json::to_string_pretty(snapshot).expect("JSON can be written");
        text.push('\n');
        fs::write(folder().join(name), text).expect("the file can be written");
    }
}

#[test]
fn every_tool_is_what_its_snapshot_says() {
    let (expected, accepted) = (expected(), accepted());
    if std::env::var_os("GITGATE_ACCEPT").is_some() {
        let stale = accepted.into_keys().filter(|name| !expected.contains_key(name));
        return accept(&expected, stale);
    }
    let mut differences = String::new();
    for (name, snapshot) in &expected {
        match accepted.get(name) {
            None => differences.push_str(&format!("{name} is missing\n")),
            Some(there) if there != snapshot => {
                differences.push_str(&format!("{name} differs; it would be\n{snapshot:#}\n"))
            }
            Some(_) => {}
        }
    }
    for name in accepted.keys().filter(|name| !expected.contains_key(*name)) {
        differences.push_str(&format!("{name} belongs to no tool\n"));
    }
    assert!(
        differences.is_empty(),
        "{differences}To accept: GITGATE_ACCEPT=1 cargo test -p tools --test schemas, then review the difference in git."
    );
}

#[test]
fn every_schema_is_one_that_models_understand() {
    for tool in REGISTRY {
        let schema = tool.schema();
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false)),
            "{}",
            tool.name
        );
        let no_fields = serde_json::Map::new();
        for (name, field) in
            schema.get("properties").map_or(&no_fields, |fields| fields.as_object().expect("an object"))
        {
            assert!(field["description"].is_string(), "{}.{name} has no description", tool.name);
            let is_plain = field["type"].is_string() || field["oneOf"].is_array();
            assert!(
                is_plain && field.get("anyOf").is_none() && field.get("format").is_none(),
                "{}.{name}: {field}",
                tool.name
            );
        }
        assert!(!tool.description().is_empty() && !tool.toolsets.is_empty(), "{}", tool.name);
    }
}
