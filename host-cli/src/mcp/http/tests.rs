use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use super::*;
use crate::desk::scene::{self, Scene};
use crate::home::Config;
use crate::mcp::Serving;
use crate::mcp::mount::Mount;
use crate::mcp::offer::Choice;

/// How the server at `place` answers a client that begins by this host, on a page of this origin.
async fn status(place: &Listening, host: &str, origin: Option<&str>) -> u16 {
    let client = r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{{client}}}}}"#);
    let mut stream = posted(place, host, origin, &body).await;
    let mut line = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut line).await.unwrap();
    str::from_utf8(&line).unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

/// Posts this body to the server at `place`.
async fn posted(place: &Listening, host: &str, origin: Option<&str>, body: &str) -> TcpStream {
    let (address, path) = place.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n", place.token);
    head.push_str("Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n");
    if let Some(origin) = origin {
        head.push_str(&format!("Origin: {origin}\r\n"));
    }
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Serves the sandbox at `address` while `client` talks to it.
async fn served(scene: &Scene, address: &str, client: impl AsyncFnOnce(&Listening)) {
    let (mount, ended) = (Mount::default(), CancellationToken::new());
    let offer = Choice::default().of(scene.tools.clone(), &mount).unwrap();
    let serving = Serving { wait: Duration::ZERO, ..Serving::of(&Config::default()) };
    let server = Server::new(scene.desk.clone(), Arc::new(mount), offer, &serving);
    let (told, place) = oneshot::channel();
    let tell = |places: &[Listening]| {
        told.send(places[0].clone()).unwrap();
        Ok(())
    };
    let servers = vec![(scene.desk.name.clone(), server)];
    let serving = serve(servers, address.parse().unwrap(), ended.clone(), tell);
    let (served, ()) = tokio::join!(serving, async {
        client(&place.await.unwrap()).await;
        ended.cancel();
    });
    served.unwrap();
}

// Other systems have one loopback address of the fourth version.
#[cfg(target_os = "linux")]
#[test]
fn a_server_answers_by_its_own_loopback_address_and_by_no_other_host() {
    let scene = scene::desk();
    scene::block_on(served(&scene, "127.0.0.2:0", async |place| {
        let own = place.url.strip_prefix("http://").unwrap().split_once('/').unwrap().0;
        assert_eq!(status(place, own, None).await, 200);
        assert_eq!(status(place, own, Some(&format!("http://{own}"))).await, 200);
        assert_eq!(status(place, "localhost:9", None).await, 200, "by a tunnel");
        for host in ["127.0.0.3", "127.0.0.2.example.org", "example.org"] {
            assert_eq!(status(place, host, None).await, 403, "{host}");
            assert_eq!(status(place, own, Some(&format!("http://{host}"))).await, 403, "a page of {host}");
        }
    }));
}

#[test]
fn hosts_and_origins_are_compared_by_their_parts() {
    let scene = scene::desk();
    scene::block_on(served(&scene, "127.0.0.1:0", async |place| {
        assert_eq!(status(place, "localhost", Some("http://LOCALHOST:9")).await, 200);
        assert_eq!(status(place, "[::1]:9", Some("http://[::1]:9")).await, 200);
        for name in ["localhost:9.evil.example", "localhost.evil.example", "localhost.", "evil.example@localhost"] {
            assert_eq!(status(place, name, None).await, 403, "{name}");
            assert_eq!(status(place, "localhost", Some(&format!("http://{name}"))).await, 403, "a page of {name}");
        }
        assert_eq!(status(place, "localhost", Some("null")).await, 403);
    }));
}

#[test]
fn a_body_that_is_no_message_is_answered_as_a_line_is() {
    let scene = scene::desk();
    scene::block_on(served(&scene, "127.0.0.1:0", async |place| {
        for (body, code) in [("not json", "-32700"), ("{\"foo\":\"bar\"}", "-32600"), ("", "-32700")] {
            let mut stream = posted(place, "localhost\r\nConnection: close", None, body).await;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("application/json"), "{answer}");
            assert!(answer.contains("\"id\":null") && answer.contains(&format!("\"code\":{code},")), "{answer}");
        }
    }));
}

#[test]
fn a_session_outlasts_its_longest_call() {
    let idle = sessions().session_config.keep_alive.unwrap();
    let (wait, call) = (Duration::from_secs(limits::WAIT_SECONDS), Duration::from_millis(limits::CALL_MS));
    assert!(idle > call + wait + call, "{idle:?}");
}
