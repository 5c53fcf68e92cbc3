//! Cargo's metadata of the workspace and its dependencies.

use std::sync::OnceLock;

use serde_json::Value;
use tests::built::cargo;

/// `cargo metadata`, with all dependencies of all targets.
pub fn metadata() -> &'static Value {
    static METADATA: OnceLock<Value> = OnceLock::new();
    METADATA.get_or_init(|| {
        let output =
            cargo().args(["metadata", "--locked", "--format-version", "1"]).output().expect("cargo runs the tests");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
    })
}

/// The packages; `members` only those of the workspace.
pub fn packages(members: bool) -> Vec<&'static Value> {
    let own = metadata()["workspace_members"].as_array().expect("it is a list");
    let packages = metadata()["packages"].as_array().expect("it is a list").iter();
    packages.filter(|package| !members || own.contains(&package["id"])).collect()
}

/// A package's name.
pub fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a package has a name")
}
