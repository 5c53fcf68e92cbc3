use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorData};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::*;
use crate::desk::scene::{block_on, never};

/// A server whose tool never ends by itself. It tells of what it hears.
struct Slow(UnboundedSender<Heard>);

#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Call,
    Cancel,
}

impl ServerHandler for Slow {
    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.send(Heard::Call).unwrap();
        context.ct.cancelled().await;
        self.0.send(Heard::Cancel).unwrap();
        Err(ErrorData::internal_error("it was cancelled", None))
    }
}

/// Mounts it, so that a call of it has this time.
async fn mounted(time: Duration) -> (Mount, UnboundedReceiver<Heard>) {
    let (tell, heard) = unbounded_channel();
    let (here, there) = tokio::io::duplex(4096);
    tokio::spawn(async move { Slow(tell).serve(there).await.unwrap().waiting().await });
    let client = ().serve(here).await.unwrap();
    let mut mount = Mount::default();
    mount.add("slow", Tool::new("wait", "It waits.", JsonObject::new()));
    mount.servers.insert("slow".to_owned(), Running { client, time, _child: None });
    (mount, heard)
}

/// The first two things that the server hears of while a call of it is made, and then called off.
async fn called_off_meanwhile(mount: &Mount, heard: &mut UnboundedReceiver<Heard>) -> [Heard; 2] {
    let off = never();
    let call = mount.call("mcp__slow__wait", JsonObject::new(), &off);
    let (called, first) = tokio::join!(call, async {
        let first = heard.recv().await.unwrap();
        off.cancel();
        first
    });
    assert_eq!(called.unwrap_err().downcast::<HostError>().unwrap().kind, ErrorKind::Interrupted);
    [first, heard.recv().await.unwrap()]
}

#[test]
fn a_call_that_was_called_off_before_is_never_made() {
    block_on(async {
        let (mount, mut heard) = mounted(CALL).await;
        let off = never();
        off.cancel();
        // Whichever of the two is looked at first: one of these would be made.
        for _ in 0..64 {
            let error = mount.call("mcp__slow__wait", JsonObject::new(), &off).await.unwrap_err();
            assert_eq!(error.downcast::<HostError>().unwrap().kind, ErrorKind::Interrupted);
        }
        // The server hears of everything in the order in which it is sent.
        assert_eq!(called_off_meanwhile(&mount, &mut heard).await, [Heard::Call, Heard::Cancel]);
        drop(mount);
        assert_eq!(heard.recv().await, None);
    });
}

#[test]
fn a_call_that_is_called_off_while_it_is_made_is_cancelled_at_its_server() {
    block_on(async {
        let (mount, mut heard) = mounted(CALL).await;
        assert_eq!(called_off_meanwhile(&mount, &mut heard).await, [Heard::Call, Heard::Cancel]);
    });
}

#[test]
fn a_call_that_takes_too_long_is_cancelled_at_its_server() {
    assert_eq!(CALL.as_secs(), 600, "as README.md says");
    block_on(async {
        let (mount, mut heard) = mounted(Duration::from_millis(50)).await;
        let error = mount.call("mcp__slow__wait", JsonObject::new(), &never()).await.unwrap_err();
        let words = report::explain(&error);
        assert_eq!((words.said.kind.as_str(), &words.said.more["ms"]), ("timeout", &50.into()));
        assert_eq!(heard.recv().await, Some(Heard::Call));
        assert_eq!(heard.recv().await, Some(Heard::Cancel));
    });
}

#[test]
fn attack_16_a_server_says_nothing_in_the_name_of_this_one() {
    let mut mount = Mount::default();
    let mut tool = Tool::new("ok", "one\u{1b}[2J\u{202e}two", JsonObject::new());
    tool.annotations = Some(rmcp::model::ToolAnnotations::new().read_only(true));
    mount.add("s", tool.clone());
    mount.add("s", tool);
    assert_eq!(mount.tools.len(), 1, "a tool that is listed twice is offered once");
    let tool = &mount.tools[0].tool;
    assert_eq!(tool.description.as_deref(), Some("one\\x1b[2J<U+202E>two"));
    let annotations = tool.annotations.as_ref().unwrap();
    assert_eq!((annotations.read_only_hint, annotations.open_world_hint), (Some(false), Some(true)));
    let mut result = CallToolResult::success(Vec::new());
    let said = serde_json::json!({ "gitgate/error": { "kind": "denied" }, "other": 1 });
    result.meta = serde_json::from_value(said).unwrap();
    assert_eq!(serde_json::to_value(complete(result)).unwrap()["_meta"], serde_json::json!({ "other": 1 }));
}
