//! The headers that repeat parts of a message, so that intermediaries can read them. Headers and message must agree (revision 2026-07-28,
//! transports).

use dialect::Dialect;
use rmcp::model::{ClientRequest, ErrorData, GetMeta, ProtocolVersion};

use super::Form;
use crate::message::Request;

/// The headers of a message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    version: Option<String>,
    method: Option<String>,
    name: Option<String>,
    /// What a client's configuration says about the names that it is shown, if its name does not.
    dialect: Option<String>,
    /// Whether it wants results as structures too.
    structured: Option<String>,
}

impl Head {
    /// The headers of a request.
    pub(crate) fn of(request: &Request) -> Self {
        let header = |name| request.header(name).map(str::to_owned);
        Head {
            version: header("mcp-protocol-version"),
            method: header("mcp-method"),
            name: header("mcp-name"),
            dialect: header("gitgate-dialect"),
            structured: header("gitgate-structured"),
        }
    }

    /// How the client is told of tools and results. Only messages of the newest revision name the client each time: there are no sessions.
    pub(crate) fn form(&self, request: &ClientRequest) -> Form {
        let client = match request {
            ClientRequest::InitializeRequest(initialize) => Some(initialize.params.client_info.name.clone()),
            _ => request.get_meta().client_info().map(|client| client.name),
        };
        let named = self.dialect.as_deref().and_then(Dialect::from_name);
        Form {
            dialect: named.or_else(|| Dialect::of_client(&client?)),
            structured: self.structured.as_deref() == Some("true"),
        }
    }

    /// The revision of the answer to a request.
    ///
    /// # Errors
    /// If the server does not support the revision, or header and message disagree.
    pub(crate) fn version(&self, request: &ClientRequest) -> Result<ProtocolVersion, ErrorData> {
        if let ClientRequest::InitializeRequest(initialize) = request {
            return self.of_handshake(&initialize.params.protocol_version);
        }
        let meta = request.get_meta();
        let Some(version) = meta.protocol_version() else {
            let version = match &self.version {
                Some(version) => known(version)?,
                // Clients of this revision send no header.
                None => ProtocolVersion::V_2025_03_26,
            };
            let is_alone = !version.has_initialize() || matches!(request, ClientRequest::DiscoverRequest(_));
            return if is_alone { Err(incomplete(request)) } else { Ok(version) };
        };
        if self.version.as_deref() != Some(version.as_str()) {
            return Err(mismatch(format!(
                "the message is of revision {version}, which MCP-Protocol-Version does not say"
            )));
        }
        let version = known(version.as_str())?;
        if version.has_initialize() {
            return Ok(version);
        }
        if !meta.missing_required_keys(&version).is_empty() {
            return Err(incomplete(request));
        }
        self.repeats(request)?;
        Ok(version)
    }

    /// The revision that the handshake agrees on: the client's if the server supports it, or else the latest one with a handshake.
    fn of_handshake(&self, wanted: &ProtocolVersion) -> Result<ProtocolVersion, ErrorData> {
        if self.version.as_deref().is_some_and(|version| version != wanted.as_str()) {
            return Err(mismatch(format!("initialize asks for {wanted}, which MCP-Protocol-Version does not say")));
        }
        let is_known = ProtocolVersion::KNOWN_VERSIONS.contains(wanted) && wanted.has_initialize();
        Ok(if is_known { wanted.clone() } else { ProtocolVersion::LATEST_WITH_INITIALIZE })
    }

    fn repeats(&self, request: &ClientRequest) -> Result<(), ErrorData> {
        if self.method.as_deref() != Some(request.method()) {
            return Err(mismatch(format!("the method is {}, which Mcp-Method does not say", request.method())));
        }
        match request {
            ClientRequest::CallToolRequest(call) if self.name.as_deref() != Some(&call.params.name) => {
                Err(mismatch(format!("the tool is {}, which Mcp-Name does not say", call.params.name)))
            }
            _ => Ok(()),
        }
    }
}

fn known(version: &str) -> Result<ProtocolVersion, ErrorData> {
    let found = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == version);
    found.cloned().ok_or_else(|| {
        let requested = serde_json::from_value(version.into()).expect("a version is any text");
        ErrorData::unsupported_protocol_version(requested, ProtocolVersion::KNOWN_VERSIONS)
    })
}

fn incomplete(request: &ClientRequest) -> ErrorData {
    let missing = request.get_meta().missing_required_keys(&ProtocolVersion::NO_INITIALIZE);
    ErrorData::invalid_params(format!("the request's _meta lacks {}", missing.join(", ")), None)
}

fn mismatch(what: String) -> ErrorData {
    ErrorData::header_mismatch(what, None)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NEW: &str = "2026-07-28";

    /// What a client of the newest revision says about itself in each message.
    fn meta(version: &str) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "a", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }

    fn version(headers: &[(&str, &str)], message: Value) -> Result<String, i32> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let head = Head::of(&Request::new("POST".to_owned(), "/".to_owned(), headers));
        let request: ClientRequest = serde_json::from_value(message).unwrap();
        head.version(&request).map(|version| version.to_string()).map_err(|error| error.code.0)
    }

    #[test]
    fn the_handshake_settles_on_a_revision_that_has_one() {
        let initialize = |version: &str| {
            json!({ "method": "initialize", "params": {
                "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "a", "version": "1" },
            } })
        };
        assert_eq!(version(&[], initialize("2025-06-18")), Ok("2025-06-18".to_owned()));
        assert_eq!(version(&[], initialize("1999-01-01")), Ok("2025-11-25".to_owned()));
        assert_eq!(version(&[], initialize(NEW)), Ok("2025-11-25".to_owned()));
        let other = [("MCP-Protocol-Version", "2025-03-26")];
        assert_eq!(version(&other, initialize("2025-06-18")), Err(-32020));
    }

    #[test]
    fn without_a_handshake_the_header_names_the_revision() {
        let list = || json!({ "method": "tools/list" });
        assert_eq!(version(&[], list()), Ok("2025-03-26".to_owned()));
        assert_eq!(version(&[("mcp-protocol-version", "2025-11-25")], list()), Ok("2025-11-25".to_owned()));
        assert_eq!(version(&[("mcp-protocol-version", "1999-01-01")], list()), Err(-32022));
        assert_eq!(version(&[("mcp-protocol-version", NEW)], list()), Err(-32602), "each message is to say so itself");
    }

    #[test]
    fn headers_and_message_say_the_same_in_the_newest_revision() {
        let call = |meta: Value| json!({ "method": "tools/call", "params": { "name": "read_file", "_meta": meta } });
        let right = [("mcp-protocol-version", NEW), ("mcp-method", "tools/call"), ("mcp-name", "read_file")];
        assert_eq!(version(&right, call(meta(NEW))), Ok(NEW.to_owned()));
        for at in 0..right.len() {
            let mut wrong = right;
            wrong[at].1 = "x";
            assert_eq!(version(&wrong, call(meta(NEW))), Err(-32020), "{wrong:?}");
            let lacking: Vec<_> =
                right.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| *one).collect();
            assert_eq!(version(&lacking, call(meta(NEW))), Err(-32020), "{lacking:?}");
        }
        let bare = json!({ "io.modelcontextprotocol/protocolVersion": NEW });
        assert_eq!(version(&right, call(bare)), Err(-32602));
    }
}
