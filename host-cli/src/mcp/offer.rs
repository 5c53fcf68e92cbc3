//! Which tools are offered to a client, and what it is told of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::wit;

/// Names of toolsets.
pub type Toolsets = BTreeSet<String>;

/// Which of a sandbox's tools are offered. Those that only the user may call never are.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only those that never change anything.
    pub read_only: bool,
    /// Only those in one of these; all if there are none.
    pub toolsets: Toolsets,
}

impl Choice {
    /// The tools that are offered of `tools`.
    ///
    /// # Errors
    /// If a toolset is named that the sandbox does not have.
    pub fn of(&self, tools: Vec<wit::ToolSpec>) -> Result<Offer> {
        let known: Toolsets = tools.iter().flat_map(|tool| tool.toolsets.iter().cloned()).collect();
        if let Some(unknown) = self.toolsets.difference(&known).next() {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(HostError::new(ErrorKind::Usage, format!("the sandbox has no toolset '{unknown}'"))
                .hint(format!("name one of: {}", known.join(", "))));
        }
        let is_offered = |tool: &wit::ToolSpec| {
            let is_chosen = self.toolsets.is_empty() || tool.toolsets.iter().any(|name| self.toolsets.contains(name));
            !tool.manual && is_chosen && (tool.read_only || !self.read_only)
        };
        let tools = tools.into_iter().filter(is_offered).map(described).collect::<Result<_>>()?;
        Ok(Offer { tools })
    }
}

/// The tools that one client can call.
#[derive(Clone, Debug)]
pub struct Offer {
    tools: Arc<[Tool]>,
}

impl Offer {
    /// All of them.
    pub fn all(&self) -> &[Tool] {
        &self.tools
    }

    /// The one of that name.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

fn described(spec: wit::ToolSpec) -> Result<Tool> {
    let schema = |text: &str| -> Result<Arc<JsonObject>> {
        let object = serde_json::from_str(text).map_err(|error| {
            HostError::new(ErrorKind::Component, format!("the schema of {} is no JSON object: {error}", spec.name))
        })?;
        Ok(Arc::new(object))
    };
    let annotations = ToolAnnotations::new()
        .read_only(spec.read_only)
        .destructive(spec.destructive)
        .idempotent(spec.idempotent)
        .open_world(spec.open_world);
    let (input, output) = (schema(&spec.schema)?, schema(&spec.output_schema)?);
    Ok(Tool::new(spec.name, spec.description, input).with_raw_output_schema(output).with_annotations(annotations))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str, toolset: &str, manual: bool, read_only: bool) -> wit::ToolSpec {
        wit::ToolSpec {
            name: name.to_owned(),
            description: "It works.".to_owned(),
            toolsets: vec![toolset.to_owned()],
            schema: r#"{"type": "object"}"#.to_owned(),
            manual,
            read_only,
            output_schema: r#"{"type": "object"}"#.to_owned(),
            destructive: false,
            idempotent: read_only,
            open_world: false,
        }
    }

    fn all() -> Vec<wit::ToolSpec> {
        vec![
            spec("read_file", "filesystem", false, true),
            spec("write_file", "filesystem", false, false),
            spec("git_status", "repo", false, true),
            spec("git_push", "git", true, false),
        ]
    }

    fn names(choice: &Choice) -> Vec<String> {
        let offer = choice.of(all()).unwrap();
        offer.all().iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn attack_22_what_only_the_user_may_call_is_not_offered() {
        assert_eq!(names(&Choice::default()), ["read_file", "write_file", "git_status"]);
        let git = Choice { toolsets: Toolsets::from(["git".to_owned()]), ..Choice::default() };
        assert_eq!(names(&git), Vec::<String>::new());
    }

    #[test]
    fn a_person_offers_less_by_toolset_and_to_read_only() {
        let files = Choice { toolsets: Toolsets::from(["filesystem".to_owned()]), read_only: true };
        assert_eq!(names(&files), ["read_file"]);
        assert!(files.of(all()).unwrap().find("git_status").is_none());
    }

    #[test]
    fn a_toolset_that_there_is_not_is_an_error_with_those_that_there_are() {
        let choice = Choice { toolsets: Toolsets::from(["shell".to_owned()]), ..Choice::default() };
        let error = choice.of(all()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Usage);
        assert_eq!(crate::screen::hint::words(&error.hint), "name one of: filesystem, git, repo");
    }
}
