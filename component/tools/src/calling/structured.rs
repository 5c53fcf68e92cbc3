//! Checks structured results against their tools' schemas.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;

use crate::REGISTRY;
use crate::dispatch::Finished;

static VALIDATORS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let validator = |tool: &crate::Tool| {
        let schema = serde_json::from_str(tool.described().output_schema()).expect("it is JSON");
        (tool.name, jsonschema::draft202012::new(&schema).expect("it is a schema"))
    };
    REGISTRY.iter().map(validator).collect()
});

/// The schema errors of a result of `tool`.
fn faults(tool: &str, structured: &serde_json::Value) -> Vec<String> {
    let errors = VALIDATORS[tool].iter_errors(structured);
    errors.map(|error| format!("{tool}: {}: {error}", error.instance_path())).collect()
}

impl Finished {
    /// Returns the result unchanged after checking it against the schema of `tool`.
    pub fn checked(self, tool: &str) -> Finished {
        let structured = self.structured();
        let faults = faults(tool, &structured);
        assert!(faults.is_empty(), "{faults:#?}\n{structured:#}");
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::Sandbox;

    #[test]
    fn a_result_that_its_schema_does_not_describe_is_found() {
        let moved = json!({"from": "/workspace/a", "to": "/workspace/b"});
        assert!(faults("move_file", &moved).is_empty());
        for (field, value) in [("to", json!(1)), ("more", json!("")), ("undoable", json!(true))] {
            let mut other = moved.clone();
            other[field] = value;
            assert_eq!(faults("move_file", &other).len(), 1, "{field}");
        }
        assert_eq!(faults("move_file", &json!({"from": "/workspace/a"})).len(), 1);
    }

    #[test]
    fn that_a_call_cannot_be_undone_is_described() {
        let mut sandbox = Sandbox::with_repository();
        for (tool, arguments) in [
            ("write_file", json!({"path": "a", "content": "a"})),
            ("git_stash", json!({"action": "list"})),
            ("git_branch", json!({})),
            ("git_branch", json!({"create": "new"})),
        ] {
            sandbox.calling(tool, arguments).approved().unwrap().beyond_undo().checked(tool);
            if tool == "write_file" {
                sandbox.git(&["add", "a"]);
                sandbox.git(&["commit", "--quiet", "-m", "a"]);
            }
        }
    }
}
