//! The OpenAPI file. The code reads routes, roles and shapes from it, so the file cannot disagree
//! with the code.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use crate::operation::Operation;

/// The text of the file.
pub const DESCRIPTION: &str = include_str!("../openapi.json");

/// The parsed file.
pub(crate) static FILE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(DESCRIPTION).expect("it is compiled in, and a test reads it"));

/// All operations.
pub(crate) static OPERATIONS: LazyLock<Vec<Described>> = LazyLock::new(|| described(&FILE));

/// An operation, as the file describes it.
#[derive(Debug)]
pub(crate) struct Described {
    pub operation: Operation,
    pub method: String,
    /// The segments of the path, with parameters in braces.
    pub path: Vec<String>,
    /// The security schemes that may request it. If there are none, anybody may.
    pub roles: BTreeSet<String>,
    /// The shape of the body, if it has one.
    pub body: Option<Value>,
}

fn described(file: &Value) -> Vec<Described> {
    let mut all = Vec::new();
    for (path, item) in file["paths"].as_object().into_iter().flatten() {
        let methods = item.as_object().into_iter().flatten().filter(|(name, _)| *name != "parameters");
        for (method, operation) in methods {
            let found = Operation::ALL.into_iter().find(|known| operation["operationId"] == known.id());
            let schemes = operation["security"].as_array().into_iter().flatten();
            all.push(Described {
                operation: found.expect("a test compares them"),
                method: method.to_uppercase(),
                path: path.split('/').skip(1).map(str::to_owned).collect(),
                roles: schemes.filter_map(Value::as_object).flat_map(|scheme| scheme.keys().cloned()).collect(),
                body: operation.pointer("/requestBody/content/application~1json/schema").cloned(),
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::role::Role;
    use crate::schema::KEYWORDS;

    #[test]
    fn every_operation_is_described_once_and_by_roles_that_there_are() {
        let mut ids: Vec<&str> = FILE["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|item| item.as_object().unwrap())
            .filter_map(|(_, operation)| operation["operationId"].as_str())
            .collect();
        let mut known = Operation::ALL.map(Operation::id).to_vec();
        ids.sort_unstable();
        known.sort_unstable();
        assert_eq!(ids, known);
        let schemes: BTreeSet<&str> =
            FILE["components"]["securitySchemes"].as_object().unwrap().keys().map(String::as_str).collect();
        let roles: BTreeSet<&str> = Role::ALL.map(Role::name).into_iter().chain(["operator"]).collect();
        assert_eq!(schemes, roles);
        for Described { operation, roles, .. } in OPERATIONS.iter() {
            assert!(roles.iter().all(|role| schemes.contains(role.as_str())), "{operation:?}");
            assert_eq!(roles.is_empty(), *operation == Operation::Describe, "{operation:?}");
        }
    }

    /// The roles that may request each operation. Changing one changes the power of its tokens.
    #[test]
    fn each_role_may_do_this_and_nothing_else() {
        let mut may: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Described { operation, roles, .. } in OPERATIONS.iter() {
            for role in roles {
                may.entry(role).or_default().push(operation.id());
            }
        }
        may.values_mut().for_each(|ids| ids.sort_unstable());
        let seen = [
            "addComment",
            "audit",
            "callTool",
            "changeComment",
            "decide",
            "exportBundle",
            "gitRefs",
            "gitUploadPack",
            "listComments",
            "listDecisions",
            "listTools",
            "listWaiting",
            "listen",
            "markSeen",
            "push",
            "review",
            "settings",
        ];
        let own = ["deleteSandbox", "forkSandbox", "journal", "listTokens", "makeToken", "withdrawToken"];
        let mut all = [&seen[..], &own].concat();
        all.sort_unstable();
        let expected = [
            ("agent", vec!["callTool", "gitReceivePack", "gitRefs", "gitUploadPack", "listTools", "mcp"]),
            (
                "operator",
                vec![
                    "createSandbox",
                    "deleteSandbox",
                    "forkSandbox",
                    "listSandboxes",
                    "listTokens",
                    "makeToken",
                    "withdrawToken",
                ],
            ),
            ("owner", all),
            ("reviewer", seen.to_vec()),
        ];
        assert_eq!(may, BTreeMap::from(expected));
    }

    /// A keyword that the validator ignores would be a promise that nobody keeps.
    #[test]
    fn the_shapes_of_requests_say_only_what_is_held() {
        fn look(schema: &Value, names: &mut BTreeSet<String>) {
            let Some(object) = schema.as_object() else { return };
            names.extend(object.keys().cloned());
            let inner = object.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(_, one)| one);
            let items = object.get("items").into_iter();
            let some = object.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            inner.chain(items).chain(some).for_each(|one| look(one, names));
        }
        let mut names = BTreeSet::new();
        FILE["components"]["schemas"].as_object().unwrap().values().for_each(|one| look(one, &mut names));
        OPERATIONS.iter().filter_map(|one| one.body.as_ref()).for_each(|one| look(one, &mut names));
        let known: BTreeSet<String> = KEYWORDS.map(str::to_owned).into();
        assert_eq!(names.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
