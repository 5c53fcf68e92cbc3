//! The request in a message. Every request gets one JSON document as its answer, whatever came
//! before. There are no sessions, so any process or object can answer.

use gate::policy::Caller;
use host::answer::{self, Call};
use host::error::Result;
use host::limits::CLIENT_TEXT_BYTES;
use host::sandbox::Sandbox;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, DiscoverResult, ErrorCode, ErrorData, Implementation, JsonRpcMessage,
    ListToolsResult, ProtocolVersion, RequestId, ServerCapabilities, ServerConfig, ServerJsonRpcMessage, ServerResult,
    ToolsCapability,
};
use serde_json::Value;

use super::head::Head;
use super::tool::tool;
use super::{Form, INSTRUCTIONS};
use crate::message::Response;

/// The handling of a message.
pub(crate) enum Heard {
    /// It has its answer.
    Over(Response),
    /// It calls a tool.
    Call(Asker, Call),
}

/// Who waits for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    id: RequestId,
    version: ProtocolVersion,
    /// How the client is told of tools and results.
    pub(crate) form: Form,
}

impl Asker {
    /// The answer in the client's revision.
    pub(crate) fn answer(&self, answer: Result<ServerResult, ErrorData>) -> Response {
        let is_old = self.version.has_initialize();
        match answer {
            Ok(mut result) => {
                if is_old {
                    result.strip_result_type_for_legacy_peer();
                    result.strip_non_object_output_for_legacy_peer();
                } else {
                    result.fill_missing_cache_hints();
                }
                response(200, &ServerJsonRpcMessage::response(result, self.id.clone()))
            }
            Err(error) => {
                let status = if !is_old && error.code == ErrorCode::METHOD_NOT_FOUND { 404 } else { 200 };
                response(status, &ServerJsonRpcMessage::error(error, Some(self.id.clone())))
            }
        }
    }
}

fn response(status: u16, message: &ServerJsonRpcMessage) -> Response {
    Response::of(status, "application/json", serde_json::to_vec(message).expect("it has only string keys"))
}

/// Handles a client's message. Answers at once if it can.
///
/// # Errors
/// If the sandbox cannot list its tools.
pub(crate) fn hear(head: &Head, message: &Value, sandbox: &mut Sandbox) -> Result<Heard> {
    let message = match serde_json::from_value::<ClientJsonRpcMessage>(message.clone()) {
        Ok(JsonRpcMessage::Request(request)) => request,
        // The server asks a client nothing, so a client's responses and notifications change
        // nothing.
        Ok(_) => return Ok(Heard::Over(Response::accepted())),
        Err(error) => {
            let error = ErrorData::invalid_request(format!("it is no message of the protocol: {error}"), None);
            return Ok(Heard::Over(response(400, &ServerJsonRpcMessage::error(error, None))));
        }
    };
    let (id, request) = (message.id, message.request);
    let version = match head.version(&request) {
        Ok(version) => version,
        Err(error) => return Ok(Heard::Over(response(400, &ServerJsonRpcMessage::error(error, Some(id))))),
    };
    let asker = Asker { id, version, form: head.form(&request) };
    let answer = match request {
        ClientRequest::CallToolRequest(call) => {
            let arguments = Value::from(call.params.arguments.unwrap_or_default()).to_string();
            let call = Call::new(call.params.name.into_owned(), arguments, Caller::Agent);
            let call = Call { dialect: asker.form.dialect, max_bytes: Some(CLIENT_TEXT_BYTES), ..call };
            return Ok(Heard::Call(asker, call));
        }
        ClientRequest::ListToolsRequest(_) => {
            let all = answer::enter(sandbox)?.tools()?;
            let offered = all
                .into_iter()
                .filter(|spec| !spec.manual)
                .map(|spec| tool(spec, asker.form))
                .collect::<Result<_>>()?;
            Ok(ServerResult::ListToolsResult(ListToolsResult::with_all_items(offered)))
        }
        ClientRequest::InitializeRequest(_) => {
            let mut config = config();
            config.protocol_version = asker.version.clone();
            Ok(ServerResult::InitializeResult(config))
        }
        ClientRequest::DiscoverRequest(_) => {
            let versions = ProtocolVersion::KNOWN_VERSIONS.to_vec();
            Ok(ServerResult::DiscoverResult(DiscoverResult::from_server_info(versions, config())))
        }
        ClientRequest::PingRequest(_) => Ok(ServerResult::empty(())),
        other => {
            let what = format!("there is no method {}", other.method());
            Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
        }
    };
    Ok(Heard::Over(asker.answer(answer)))
}

fn config() -> ServerConfig {
    let name = Implementation::new("gitgate", env!("CARGO_PKG_VERSION")).with_title("gitgate");
    let mut capabilities = ServerCapabilities::default();
    capabilities.tools = Some(ToolsCapability::default());
    ServerConfig::new(capabilities).with_server_info(name).with_instructions(INSTRUCTIONS)
}
