//! Which tools are offered to a client, and what it is told of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use api::mcp::Form;
use dialect::Dialect;
use rmcp::model::{JsonObject, Tool};

use super::mount::Mount;
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
    /// True if a tool of another server takes the place of gitgate's of the same name.
    pub prefer_mcp: bool,
    /// Whether results come as structures too, with their schemas.
    pub structured: bool,
}

impl Choice {
    /// The tools that are offered of the sandbox's `tools`, and of the servers that are mounted. Where
    /// both have one of a name, the sandbox's is offered, unless the person prefers the other. Where
    /// only what changes nothing is offered, no tool of another server is: nobody here knows what it does.
    ///
    /// # Errors
    /// If a toolset is named that there is not.
    pub fn of(&self, tools: Vec<wit::ToolSpec>, mount: &Mount) -> Result<Offer> {
        let mut known: Toolsets = tools.iter().flat_map(|tool| tool.toolsets.iter().cloned()).collect();
        known.extend(mount.toolsets());
        if let Some(unknown) = self.toolsets.difference(&known).next() {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(HostError::new(ErrorKind::Usage, format!("the sandbox has no toolset '{unknown}'"))
                .hint(format!("name one of: {}", known.join(", "))));
        }
        let is_offered = |tool: &wit::ToolSpec| {
            let is_chosen = self.toolsets.is_empty() || tool.toolsets.iter().any(|name| self.toolsets.contains(name));
            !tool.manual && is_chosen && (tool.read_only || !self.read_only)
        };
        let own = tools.iter().map(|tool| tool.name.clone()).collect::<BTreeSet<_>>();
        let mounted: Vec<(&str, &Tool)> = mount.tools(&self.toolsets).filter(|_| !self.read_only).collect();
        let is_replaced = |tool: &wit::ToolSpec| self.prefer_mcp && mounted.iter().any(|(name, _)| *name == tool.name);
        let own_tools = tools.into_iter().filter(|tool| is_offered(tool) && !is_replaced(tool)).collect();
        let beside = mounted.iter().filter(|(name, _)| self.prefer_mcp || !own.contains(*name));
        Ok(Offer {
            own: own_tools,
            beside: beside.map(|(_, tool)| (*tool).clone()).collect(),
            structured: self.structured,
        })
    }
}

/// The tools that one client can call.
#[derive(Clone, Debug)]
pub struct Offer {
    own: Arc<[wit::ToolSpec]>,
    /// Those of other servers.
    beside: Arc<[Tool]>,
    structured: bool,
}

impl Offer {
    /// How a client that speaks `dialect` is told of tools and results.
    pub fn form(&self, dialect: Option<Dialect>) -> Form {
        Form { dialect, structured: self.structured }
    }

    /// All of them.
    ///
    /// # Errors
    /// If a schema is not a JSON object.
    pub fn all(&self, form: Form) -> Result<Vec<Tool>> {
        let own = self.own.iter().map(|spec| api::mcp::tool(spec.clone(), form));
        own.chain(self.beside.iter().map(|tool| Ok(tool.clone()))).collect()
    }

    /// The own name of the one that a client calls `name` with these arguments, in whatever dialect.
    pub fn called(&self, name: &str, arguments: &JsonObject) -> Option<&str> {
        if let Some(tool) = self.beside.iter().find(|tool| tool.name == name) {
            return Some(&tool.name);
        }
        self.find(dialect::addressed(name, arguments))
    }

    /// The own tool of that name.
    pub fn find(&self, own: &str) -> Option<&str> {
        self.own.iter().find(|spec| spec.name == own).map(|spec| spec.name.as_str())
    }
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
        let offer = choice.of(all(), &Mount::default()).unwrap();
        offer.all(Form::default()).unwrap().iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn attack_22_what_only_the_user_may_call_is_not_offered() {
        assert_eq!(names(&Choice::default()), ["read_file", "write_file", "git_status"]);
        let git = Choice { toolsets: Toolsets::from(["git".to_owned()]), ..Choice::default() };
        assert_eq!(names(&git), Vec::<String>::new());
    }

    #[test]
    fn a_person_offers_less_by_toolset_and_to_read_only() {
        let files =
            Choice { toolsets: Toolsets::from(["filesystem".to_owned()]), read_only: true, ..Choice::default() };
        assert_eq!(names(&files), ["read_file"]);
        assert!(files.of(all(), &Mount::default()).unwrap().find("git_status").is_none());
    }

    #[test]
    fn a_tool_is_found_by_every_name_that_a_client_has_for_it() {
        let offer = Choice::default().of(all(), &Mount::default()).unwrap();
        let called = |name: &str| offer.called(name, &JsonObject::new());
        assert_eq!((called("Read"), called("read_file")), (Some("read_file"), Some("read_file")));
        assert_eq!((called("Edit"), called("Bash")), (None, None), "it is not offered");
    }

    #[test]
    fn a_toolset_that_there_is_not_is_an_error_with_those_that_there_are() {
        let choice = Choice { toolsets: Toolsets::from(["shell".to_owned()]), ..Choice::default() };
        let error = choice.of(all(), &Mount::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Usage);
        assert_eq!(crate::screen::hint::words(&error.hint), "name one of: filesystem, git, repo");
    }
}
