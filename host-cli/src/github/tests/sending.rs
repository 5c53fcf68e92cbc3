//! What goes over the wire, and what comes back.

use bytes::Bytes;
use gate::forge::{Cut, Headers, Method, Request};
use trial::http::{Reply, Server};

use super::{PATIENT, SECRET, client, client_of, get, limits, outcome, post};
use crate::error::ErrorKind;
use crate::sandbox::Clock;

#[test]
fn a_request_has_the_token_and_the_documented_headers() {
    let server = Server::script([Reply::new(200, "[]"), Reply::new(201, "{}")]);
    let client = client(&server);
    assert_eq!(outcome(client.send(&get("/repos/o/r/git/matching-refs/heads%2F?per_page=100"))), Ok(200));
    assert_eq!(outcome(client.send(&post(false))), Ok(201));
    let seen = server.seen();
    let bearer = format!("Bearer {SECRET}");
    for seen in &seen {
        assert_eq!(seen.header("authorization"), Some(bearer.as_str()));
        assert_eq!(seen.headers.iter().filter(|(name, _)| name == "authorization").count(), 1);
        assert_eq!(seen.header("accept"), Some("application/vnd.github+json"));
        assert_eq!(seen.header("user-agent"), Some(concat!("gitgate/", env!("CARGO_PKG_VERSION"))));
        assert_eq!(seen.header("accept-encoding"), None);
    }
    let line = |at: usize| (seen[at].method.as_str(), seen[at].path.as_str(), seen[at].body.as_slice());
    assert_eq!(line(0), ("GET", "/repos/o/r/git/matching-refs/heads%2F?per_page=100", &b""[..]));
    assert_eq!(line(1), ("POST", "/repos/o/r/git/refs", &br#"{"a":1}"#[..]));
    assert_eq!((seen[0].header("content-type"), seen[1].header("content-type")), (None, Some("application/json")));
}

#[test]
fn a_body_of_many_pieces_arrives_whole() {
    let server = Server::script([Reply::new(201, "{}")]);
    let body: Vec<u8> = (0..300_001_u32).map(|at| (at % 251) as u8).collect();
    let request = Request { body: Some(Bytes::from(body.clone())), method: Method::Patch, ..post(false) };
    assert_eq!(outcome(client(&server).send(&request)), Ok(201));
    let seen = server.seen().remove(0);
    assert_eq!((seen.method.as_str(), seen.header("content-length")), ("PATCH", Some("300001")));
    assert!(seen.body == body);
}

#[test]
fn the_base_may_have_a_path_of_its_own() {
    let server = Server::script([Reply::new(200, ""), Reply::new(200, "")]);
    let client = client_of(&format!("{}/api/v3/", server.url()), PATIENT, Clock::default());
    assert_eq!(outcome(client.send(&get("/api/v3/x"))), Ok(200));
    assert_eq!(outcome(client.send(&Request { path: "/graphql".to_owned(), ..post(true) })), Ok(200));
    let paths: Vec<_> = server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths, ["/api/v3/api/v3/x", "/api/graphql"]);
}

#[test]
fn an_answer_has_the_headers_that_matter_and_its_body() {
    let headers = [
        ("Retry-After", "7"),
        ("X-RateLimit-Remaining", "0"),
        ("x-ratelimit-reset", "1700000000"),
        ("Date", "Tue, 14 Nov 2023 22:13:20 GMT"),
        ("Location", "/repositories/1"),
        ("Link", "<https://elsewhere.example/?page=2>; rel=\"next\""),
        ("Set-Cookie", "a=b"),
    ];
    let server = Server::script([Reply::with(403, &headers, "no"), Reply::new(204, "")]);
    let client = client(&server);
    let response = client.send(&get("/a")).unwrap().unwrap();
    let some = |text: &str| Some(text.to_owned());
    let expected = Headers {
        retry_after: some("7"),
        x_ratelimit_remaining: some("0"),
        x_ratelimit_reset: some("1700000000"),
        date: some("Tue, 14 Nov 2023 22:13:20 GMT"),
        location: some("/repositories/1"),
        link: some("<https://elsewhere.example/?page=2>; rel=\"next\""),
    };
    assert_eq!((response.status, &response.headers, &response.body[..]), (403, &expected, &b"no"[..]));
    let response = client.send(&get("/a")).unwrap().unwrap();
    assert_eq!((response.status, response.headers, response.body.len()), (204, Headers::default(), 0));
}

#[test]
fn attack_13_a_redirect_is_an_answer_and_its_server_never_hears_of_the_token() {
    let elsewhere = Server::script([Reply::new(200, "{}")]);
    let location = format!("{}/repositories/1", elsewhere.url());
    for status in [301, 302, 303, 307, 308] {
        for request in [get("/repos/o/r"), post(true)] {
            let server = Server::script([Reply::with(status, &[("location", &location)], "")]);
            let response = client(&server).send(&request).unwrap().unwrap();
            assert_eq!((response.status, response.headers.location.as_ref()), (status, Some(&location)));
            assert_eq!(server.seen().len(), 1);
        }
    }
    assert_eq!(elsewhere.seen(), []);
}

#[test]
fn a_post_is_sent_once_whatever_comes_of_it() {
    let good = || Reply::new(201, "{\"id\": 1}");
    let answered = [200, 201, 301, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];
    let answered = answered.map(|status| (Reply::new(status, "{}"), Ok(status)));
    let broken = [
        (Reply::cut(), Cut::Lost),
        (good().cut_after(5), Cut::Lost),
        (good().cut_after(24), Cut::Lost),
        (good().cut_after(45), Cut::Lost),
        (Reply::hang(), Cut::Lost),
        (good().hang_after(24), Cut::Lost),
        (good().hang_after(45), Cut::Lost),
        (Reply::raw("nonsense\r\n\r\n"), Cut::Lost),
        (Reply::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"), Cut::Lost),
        (Reply::huge(1001), Cut::TooBig),
        (Reply::huge(1 << 50), Cut::TooBig),
        (Reply::endless(), Cut::TooBig),
    ];
    let broken = broken.map(|(reply, cut)| (reply, Err(cut)));
    for (reply, expected) in answered.into_iter().chain(broken) {
        for moves in [false, true] {
            let server = Server::script([reply.clone()]);
            let client = client_of(&server.url(), limits(&reply), Clock::default());
            assert_eq!(outcome(client.send(&post(moves))), expected, "{reply:?}");
            let seen = server.seen();
            assert_eq!((seen.len(), seen[0].method.as_str()), (1, "POST"), "{reply:?}");
            assert_eq!(client.why().is_some(), expected.is_err());
        }
    }
}

#[test]
fn a_connection_that_was_closed_meanwhile_costs_no_second_post() {
    let server = Server::script([Reply::new(200, "").closing(), Reply::new(201, "")]);
    let client = client(&server);
    assert_eq!(outcome(client.send(&get("/a"))), Ok(200));
    let second = outcome(client.send(&post(true)));
    // It depends on when the end of the connection is noticed.
    match server.seen().len() {
        1 => assert_eq!(second, Err(Cut::Lost)),
        seen => assert_eq!((seen, second), (2, Ok(201))),
    }
}

#[test]
fn an_answer_as_large_as_may_be_is_taken() {
    let server = Server::script([Reply::huge(1000)]);
    assert_eq!(client(&server).send(&get("/a")).unwrap().unwrap().body.len(), 1000);
}

#[test]
fn a_server_that_is_not_there_is_a_cut_with_a_reason() {
    let url = Server::script([]).url();
    let client = client_of(&url, PATIENT, Clock::default());
    assert_eq!(outcome(client.send(&get("/a"))), Err(Cut::Unreached));
    let why = client.why().unwrap();
    assert!(why.contains("refused"), "{why}");
}

#[test]
fn calling_it_off_ends_a_request_that_waits() {
    let clock = Clock::default();
    let server = Server::new({
        let clock = clock.clone();
        move |_| {
            clock.cancel();
            Reply::hang()
        }
    });
    let error = client_of(&server.url(), PATIENT, clock).send(&post(false)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
}

#[test]
fn a_request_that_moves_a_branch_waits_for_its_answer_but_not_forever() {
    for (reply, expected) in [(Reply::new(200, "{}"), Ok(200)), (Reply::hang(), Err(Cut::Lost))] {
        let clock = Clock::default();
        let limits = limits(&reply);
        let server = Server::new({
            let clock = clock.clone();
            move |_| {
                clock.cancel();
                reply.clone()
            }
        });
        let client = client_of(&server.url(), limits, clock);
        assert_eq!(outcome(client.send(&post(true))), expected);
        let error = client.send(&post(true)).unwrap_err();
        assert_eq!((error.kind, server.seen().len()), (ErrorKind::Interrupted, 1), "nothing starts afterwards");
    }
}

#[test]
fn calling_it_off_ends_a_pause() {
    let clock = Clock::default();
    let client = client_of("http://127.0.0.1:1", PATIENT, clock.clone());
    assert_eq!(client.sleep(std::time::Duration::ZERO), Ok(()));
    let other = std::thread::spawn(move || clock.cancel());
    let error = client.sleep(std::time::Duration::from_secs(3600)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
    other.join().unwrap();
}

#[test]
fn what_is_no_path_is_not_sent() {
    let server = Server::script([]);
    let client = client(&server);
    for path in ["", "a", "/a b", "@elsewhere.example/a", "http://elsewhere.example/a", "/a\r\nb: c"] {
        assert_eq!(client.send(&get(path)).unwrap_err().kind, ErrorKind::Refused, "{path}");
    }
    assert_eq!(server.seen(), []);
}
