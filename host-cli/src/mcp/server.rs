//! Answers a client's requests.

use std::sync::Arc;
use std::time::Duration;

use api::mcp::failed;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::mount::Mount;
use super::offer::Offer;
use super::{calling, guide, resources};
use crate::desk::Desk;
use crate::report;

/// A sandbox as a client sees it.
#[derive(Clone, Debug)]
pub struct Server {
    desk: Desk,
    mount: Arc<Mount>,
    offer: Offer,
    wait: Duration,
}

impl Server {
    /// Offers these tools of the sandbox at `desk`. A call waits for the person as long as `wait`.
    pub fn new(desk: Desk, mount: Arc<Mount>, offer: Offer, wait: Duration) -> Self {
        Server { desk, mount, offer, wait }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let name = Implementation::new("gitgate", env!("CARGO_PKG_VERSION")).with_title("gitgate");
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(guide::TEXT)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.offer.all().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.offer.find(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.offer.find(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let call = (tool.name.to_string(), request.arguments.unwrap_or_default());
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
        guide::prompt(&request.name)
            .map(Into::into)
            .ok_or_else(|| ErrorData::invalid_params(format!("there is no prompt '{}'", request.name), None))
    }
}
