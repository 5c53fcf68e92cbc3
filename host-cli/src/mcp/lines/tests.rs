use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use serde_json::json;
use tokio::io::{DuplexStream, Sink, duplex, sink, split};

use super::*;

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

/// The methods of the messages in `input`, and what is answered to the rest of it.
async fn talk(input: &[u8], longest: usize) -> (Vec<Value>, Vec<Value>) {
    let (here, mut there) = duplex(1 << 16);
    let mut lines = Lines { longest, ..Lines::new(input, here) };
    let mut methods = Vec::new();
    while let Some(message) = lines.receive().await {
        methods.push(serde_json::to_value(message).unwrap()["method"].clone());
    }
    drop(lines);
    let mut answers = String::new();
    there.read_to_string(&mut answers).await.unwrap();
    (methods, answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[tokio::test]
async fn a_line_that_is_no_message_is_answered_and_the_session_goes_on() {
    let input = [b"not json\n\n", PING, b"{\"foo\":\"bar\"}\r\n\xff\n", PING].concat();
    let (methods, answers) = talk(&input, LONGEST).await;
    assert_eq!(methods, ["ping", "ping"]);
    let codes: Vec<_> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&json!(-32700), &json!(-32600), &json!(-32700)]);
    assert!(answers.iter().all(|answer| answer["id"].is_null() && answer["jsonrpc"] == "2.0"), "{answers:?}");
}

#[tokio::test]
async fn a_line_without_end_is_answered_once_and_not_kept() {
    let longest = PING.len();
    for more in [1, 2, longest, 3 * longest + 1] {
        let input = [&b"x".repeat(longest + more)[..], b"\n", PING].concat();
        let (methods, answers) = talk(&input, longest).await;
        assert_eq!((methods.len(), answers.len()), (1, 1), "{more}");
        assert_eq!(answers[0]["error"]["code"], -32600);
    }
}

#[tokio::test]
async fn half_a_line_at_the_end_is_no_message() {
    let (methods, answers) = talk(&[PING, &PING[..PING.len() - 1]].concat(), LONGEST).await;
    assert_eq!((methods.len(), answers.len()), (1, 0));
}

/// Starts to receive, and drops it as soon as it has to wait.
async fn try_receive<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static>(lines: &mut Lines<R, W>) {
    let mut receiving = pin!(lines.receive());
    poll_fn(|context| {
        assert!(receiving.as_mut().poll(context).is_pending());
        Poll::Ready(())
    })
    .await;
}

#[tokio::test]
async fn a_line_is_whole_however_often_its_reading_is_dropped() {
    let (here, mut there) = duplex(1 << 16);
    let mut lines: Lines<DuplexStream, Sink> = Lines::new(here, sink());
    for byte in &PING[..PING.len() - 1] {
        there.write_all(&[*byte]).await.unwrap();
        try_receive(&mut lines).await;
    }
    there.write_all(b"\n").await.unwrap();
    assert!(lines.receive().await.is_some());
}

#[tokio::test]
async fn an_answer_is_whole_however_often_its_writing_is_dropped() {
    // Each byte has to be taken before the next one fits.
    let (here, mut there) = duplex(1);
    let mut lines = Lines::new(&b"not json\n"[..], here);
    let mut answer = Vec::new();
    let received = loop {
        tokio::select! {
            biased;
            received = lines.receive() => break received,
            byte = there.read_u8() => answer.push(byte.unwrap()),
        }
    };
    drop(lines);
    there.read_to_end(&mut answer).await.unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["error"]["code"], -32700);
    assert!(received.is_none());
}

#[tokio::test]
async fn what_is_sent_is_a_line() {
    let (here, there) = duplex(1 << 16);
    let (from, to) = split(here);
    let mut lines = Lines::new(from, to);
    let pong: TxJsonRpcMessage<RoleServer> =
        serde_json::from_value(json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).unwrap();
    lines.send(pong).await.unwrap();
    let mut line = String::new();
    BufReader::new(there).read_line(&mut line).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], 1);
    lines.close().await.unwrap();
}
