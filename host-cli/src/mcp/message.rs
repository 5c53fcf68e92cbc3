//! What a client has sent, and the answer to what is no message: nobody waits for what never comes.

use bytes::BytesMut;
use rmcp::RoleServer;
use rmcp::model::ErrorCode;
use rmcp::service::RxJsonRpcMessage;
use rmcp::transport::async_rw::JsonRpcMessageCodec;
use serde_json::{Value, json};
use tokio_util::codec::Decoder;

/// Reads the text of one message. `None` for what is to be passed over: a notification that nobody here knows.
///
/// # Errors
/// If it is no message, with the answer to it.
pub fn read(text: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Value> {
    let mut line = BytesMut::with_capacity(text.len() + 1);
    line.extend_from_slice(text);
    line.extend_from_slice(b"\n");
    JsonRpcMessageCodec::<RxJsonRpcMessage<RoleServer>>::default().decode(&mut line).map_err(|_| unread(text))
}

/// The answer to a text that is too long to be looked at.
pub fn too_long(longest: usize) -> Value {
    answer(ErrorCode::INVALID_REQUEST, &format!("Invalid request: longer than {longest} bytes"), &Value::Null)
}

/// The answer to a text that ends before it is whole.
pub fn broken_off(why: &dyn std::error::Error) -> Value {
    answer(ErrorCode::PARSE_ERROR, &format!("Parse error: {why}"), &Value::Null)
}

/// The answer to a text that is no message.
fn unread(text: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(text) {
        Err(error) => answer(ErrorCode::PARSE_ERROR, &format!("Parse error: {error}"), &Value::Null),
        Ok(value) => answer(ErrorCode::INVALID_REQUEST, "Invalid request: no message of JSON-RPC 2.0", id(&value)),
    }
}

/// What the sender of a request calls it. An id without a method may be of one that was sent from here.
fn id(value: &Value) -> &Value {
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64());
    id.filter(|_| value.get("method").is_some()).unwrap_or(&Value::Null)
}

/// JSON-RPC has an id of null where rmcp's own errors have none.
fn answer(code: ErrorCode, message: &str, id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_a_parse_error_and_what_is_no_request_an_invalid_request() {
        for (text, code, id) in [
            (&b"hello"[..], -32700, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700, json!(null)),
            (b"{\"jsonrpc\":\"\xff\"}", -32700, json!(null)),
            (b"{\"foo\":\"bar\"}", -32600, json!(null)),
            (b"[]", -32600, json!(null)),
            (b"7", -32600, json!(null)),
            (b"{\"id\":3,\"method\":\"ping\"}", -32600, json!(3)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":3}", -32600, json!(null)),
        ] {
            let answer = read(text).expect_err("it is no message");
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{answer}");
            assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
        }
    }

    #[test]
    fn a_message_is_read_and_the_answer_of_a_client_to_such_an_error_is_one() {
        for text in [
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\r",
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}",
        ] {
            assert!(read(text.as_bytes()).unwrap().is_some(), "{text}");
        }
    }
}
