//! The description of each tool for callers, as files to review: `schemas/<tool>.json`.
//!
//! A changed name, description or field shows up here. To accept it: `GITGATE_ACCEPT=1 cargo test -p tools --lib tool::tests`.

use serde_json::{Value, json};

use super::schema::forms;
use super::*;
use crate::testing::Sandbox;
use crate::{REGISTRY, registry};

#[cfg(not(target_os = "wasi"))]
mod files;

fn schemas(tool: &Tool) -> [Value; 2] {
    let described = tool.described();
    [described.input_schema(), described.output_schema()].map(|text| serde_json::from_str(text).unwrap())
}

#[test]
fn every_tool_is_what_its_file_says() {
    for tool in REGISTRY {
        let file: Value = serde_json::from_str(tool.file).unwrap();
        let is_accepted = file == tool.file_to_be();
        assert!(is_accepted, "{}: GITGATE_ACCEPT=1 cargo test -p tools --lib tool::tests accepts it", tool.name);
        let described = tool.described();
        assert_eq!(file["description"], described.description);
        assert_eq!([&file["inputSchema"], &file["outputSchema"]], schemas(tool).each_ref());
        assert!(!described.description.is_empty() && !tool.toolsets.is_empty(), "{}", tool.name);
    }
}

#[test]
fn every_schema_is_one_that_models_understand() {
    for tool in REGISTRY {
        let [input, mut output] = schemas(tool);
        assert_eq!((&input["type"], &output["type"]), (&json!("object"), &json!("object")), "{}", tool.name);
        for form in std::iter::once(input.clone().as_object_mut().unwrap()).chain(forms(&mut output)) {
            assert_eq!(form["additionalProperties"], false, "{}", tool.name);
        }
        let no_fields = serde_json::Map::new();
        for (name, field) in input.get("properties").map_or(&no_fields, |fields| fields.as_object().unwrap()) {
            assert!(field["description"].is_string(), "{}.{name} has no description", tool.name);
            let is_plain = field["type"].is_string() || field["oneOf"].is_array();
            assert!(is_plain && field.get("anyOf").is_none(), "{}.{name}: {field}", tool.name);
        }
        assert!(!tool.file.contains("\"format\":\"") && !tool.file.contains("$ref"), "{}", tool.name);
    }
}

#[test]
fn every_field_that_is_missing_is_named() {
    for tool in REGISTRY {
        let [input, _] = schemas(tool);
        let required = input["required"].as_array().cloned().unwrap_or_default();
        for (at, missing) in required.iter().enumerate() {
            // The values have a type that no field has, but the missing field is reported first.
            let given = required[..at].iter().map(|name| (name.as_str().unwrap().to_owned(), json!([[]])));
            let arguments = Value::Object(given.collect());
            let mut sandbox = Sandbox::new();
            sandbox.session.options.toolsets.extend(tool.toolsets);
            let error = sandbox.calling(tool.name, arguments).as_user().approved().unwrap_err();
            assert_eq!(error.message, format!("{} is required", missing.as_str().unwrap()), "{}", tool.name);
            assert!(error.hint.starts_with("Fields: "), "{}: {}", tool.name, error.hint);
        }
    }
}

#[test]
fn a_name_of_a_dialect_is_no_argument_of_the_tool() {
    for tool in REGISTRY {
        let fields = tool.described().fields();
        for argument in dialect::table::Argument::of(tool.name) {
            assert!(fields.properties.contains_key(argument.ours), "{} has no {}", tool.name, argument.ours);
            for (theirs, _) in argument.theirs {
                assert!(!fields.properties.contains_key(*theirs), "{}: {theirs} is its own", tool.name);
            }
        }
    }
    for tool in dialect::table::TOOLS {
        assert!(registry::find(tool.ours).is_some(), "{}", tool.ours);
        assert!(tool.theirs.iter().all(|(theirs, _)| registry::find(theirs).is_none()), "{tool:?}");
    }
}
