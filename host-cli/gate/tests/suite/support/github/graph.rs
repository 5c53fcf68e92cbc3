//! The two GraphQL operations that a push needs.

use gate::forge::Response;
use serde_json::{Value, json};

use super::super::hex;
use super::{Server, ok};

impl Server {
    pub(super) fn graph(&mut self, sent: &Value) -> Response {
        let variables = &sent["variables"];
        if sent["query"].as_str().unwrap().starts_with("query") {
            if self.renamed.is_some() {
                return failed("NOT_FOUND", "Could not resolve to a Repository");
            }
            let tip = self.refs.get(variables["ref"].as_str().unwrap());
            let target = tip.map(|id| json!({"target": {"oid": id.to_string()}}));
            return ok(json!({"data": {"repository": {
                "id": "R_7",
                "nameWithOwner": "Octo/Hello",
                "isArchived": self.is_archived,
                "isEmpty": self.refs.is_empty(),
                "ref": target,
            }}}));
        }
        assert_eq!(variables["input"]["repositoryId"], "R_7");
        let update = &variables["input"]["refUpdates"][0];
        assert_eq!(update["force"], false);
        let [before, after] = ["beforeOid", "afterOid"].map(|name| hex(update[name].as_str().unwrap().as_bytes()));
        let name = update["name"].as_str().unwrap();
        if self.graph_is_closed {
            return failed("FORBIDDEN", "Resource not accessible by personal access token");
        }
        if self.refs.get(name) != Some(&before) {
            return failed("UNPROCESSABLE", "Reference cannot be updated");
        }
        let set = self.set(name, after);
        if set.status == 422 {
            let said: Value = serde_json::from_slice(&set.body).unwrap();
            return failed("UNPROCESSABLE", said["message"].as_str().unwrap());
        }
        ok(json!({"data": {"updateRefs": {"clientMutationId": null}}}))
    }
}

fn failed(kind: &str, message: &str) -> Response {
    ok(json!({"data": null, "errors": [{"type": kind, "message": message}]}))
}
