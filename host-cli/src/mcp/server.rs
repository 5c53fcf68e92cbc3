//! Answers a client's requests.

use std::sync::Arc;
use std::time::Duration;

use api::mcp::failed;
use dialect::Dialect;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::calling::Called;
use super::mount::Mount;
use super::offer::Offer;
use super::{Serving, Speaks, calling, guide, resources};
use crate::desk::Desk;
use crate::report;

/// A sandbox as a client sees it.
#[derive(Clone, Debug)]
pub struct Server {
    desk: Desk,
    mount: Arc<Mount>,
    offer: Offer,
    wait: Duration,
    instructions: Arc<str>,
    speaks: Speaks,
    /// Bytes of text that a client is sent at once.
    max_bytes: u64,
}

impl Server {
    /// Offers these tools of the sandbox at `desk`, as `serving` says.
    pub fn new(desk: Desk, mount: Arc<Mount>, offer: Offer, serving: &Serving) -> Self {
        let Serving { wait, speaks, max_bytes, .. } = *serving;
        let instructions = guide::text(desk.name.as_str(), desk.worktree.as_deref()).into();
        Server { desk, mount, offer, wait, instructions, speaks, max_bytes }
    }

    /// The names that the client is shown.
    fn dialect(&self, context: &RequestContext<RoleServer>) -> Option<Dialect> {
        match self.speaks {
            Speaks::AsItsName => Dialect::of_client(&context.client_info()?.name),
            Speaks::Always(dialect) => dialect,
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let name = Implementation::new("gitgate", env!("CARGO_PKG_VERSION")).with_title("gitgate");
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(self.instructions.to_string())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.offer.all(self.offer.form(self.dialect(&context)));
        Ok(ListToolsResult::with_all_items(tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(tool) = self.offer.called(&request.name, &arguments) else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let call = Called {
            tool: tool.to_owned(),
            arguments,
            form: self.offer.form(self.dialect(&context)),
            max_bytes: self.max_bytes,
        };
        let called = calling::call(&self.desk, &self.mount, call, self.wait, &context).await;
        Ok(called.unwrap_or_else(|error| failed(&report::explain(&error).said)).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list(&self.desk, &self.offer, &context.ct).await?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(&self.offer)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(resources::read(&self.desk, &self.offer, &request.uri, &context.ct).await?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(guide::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        guide::prompt(&request.name, &self.instructions)
            .map(Into::into)
            .ok_or_else(|| ErrorData::invalid_params(format!("there is no prompt '{}'", request.name), None))
    }
}
