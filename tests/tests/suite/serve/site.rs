//! The names that a server answers to, and the pages that may call it.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use tests::cli::Cli;

use super::scene::{Served, scene};

/// The server's answer to a request with exactly these header lines: status, headers in lower case, and body.
fn ask(served: &Served, lines: &[&str]) -> (u16, String, Value) {
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.write_all(format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n")).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_ascii_lowercase(), serde_json::from_str(body).unwrap_or_default())
}

const GET: &str = "GET /sandboxes/default/tools HTTP/1.1";

#[test]
fn a_name_that_leads_here_by_rebinding_is_refused_before_anything_else() {
    let (_cli, _repo, served, [owner, ..]) = scene();
    let bearer = format!("Authorization: Bearer {owner}");
    let port = served.address.rsplit(':').next().unwrap();
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:9", &served.address] {
        let (status, _, said) = ask(&served, &[GET, &bearer, &format!("Host: {host}")]);
        assert_eq!(status, 200, "{host}: {said}");
    }
    for host in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "localhost:9.evil.example".to_owned(),
        "localhost.".to_owned(),
        "evil.example@localhost".to_owned(),
        String::new(),
    ] {
        for more in [&*bearer, "Accept: */*"] {
            let (status, _, said) = ask(&served, &[GET, more, &format!("Host: {host}")]);
            assert_eq!((status, &said["kind"]), (403, &json!("forbidden")), "{host}: {said}");
        }
    }
    assert_eq!(ask(&served, &[GET, &bearer]).0, 403, "it says no name");
    assert_eq!(ask(&served, &[GET, &bearer, "Host: localhost", "Host: evil.example"]).0, 403, "it says two");
}

#[test]
fn a_page_from_elsewhere_is_refused_before_anything_else() {
    let (_cli, _repo, served, [owner, ..]) = scene();
    let (bearer, host) = (format!("Authorization: Bearer {owner}"), format!("Host: {}", served.address));
    for origin in [&format!("http://{}", served.address), "http://localhost:5173", "https://[::1]"] {
        let (status, head, said) = ask(&served, &[GET, &bearer, &host, &format!("Origin: {origin}")]);
        assert_eq!(status, 200, "{origin}: {said}");
        assert!(head.contains(&format!("\r\naccess-control-allow-origin: {origin}\r\n")), "{head}");
        assert!(head.contains("\r\nvary: origin\r\n"), "{head}");
    }
    for origin in ["https://evil.example", "http://localhost:9.evil.example", "http://localhost.evil.example", "null"] {
        for first in [GET, "GET /openapi.json HTTP/1.1", "OPTIONS /sandboxes HTTP/1.1", "GET /none HTTP/1.1"] {
            let (status, head, said) = ask(&served, &[first, &bearer, &host, &format!("Origin: {origin}")]);
            assert_eq!((status, &said["kind"]), (403, &json!("forbidden")), "{first} of {origin}: {said}");
            assert!(said["hint"].as_str().unwrap().contains("--allow-origin"), "{said}");
            assert!(!head.contains("access-control-allow-origin"), "{head}");
        }
    }
    let (_, head, _) = ask(&served, &[GET, &bearer, &host]);
    assert!(!head.contains("access-control-allow-origin"), "a program is no page: {head}");
}

#[test]
fn what_a_person_allows_is_added() {
    let cli = Cli::default();
    let names = ["--allow-host", "box.example", "--allow-host", "tunnel.example:8443"];
    let served = Served::start_with(&cli, &[&names[..], &["--allow-origin", "https://page.example"]].concat());
    let first = "GET /openapi.json HTTP/1.1";
    let status = |lines: &[&str]| ask(&served, &[&[first], lines].concat()).0;
    assert_eq!(status(&["Host: box.example:1", "Origin: https://page.example:443"]), 200);
    assert_eq!(status(&["Host: tunnel.example:8443"]), 200);
    assert_eq!(status(&["Host: tunnel.example"]), 403);
    assert_eq!(status(&["Host: box.example", "Origin: https://box.example"]), 200, "a page beside it");
    assert_eq!(status(&["Host: box.example", "Origin: https://box.example:9"]), 403, "another program's page");
    assert_eq!(status(&["Host: localhost", "Origin: http://page.example"]), 403);
    assert_eq!(status(&["Host: localhost", "Origin: https://page.example.evil.example"]), 403);
    for wrong in [["--allow-host", "http://box.example"], ["--allow-origin", "box.example"], ["--allow-origin", "*"]] {
        let refused = cli.run(&[&["serve", "--listen", "127.0.0.1:0"], &wrong[..]].concat());
        assert_eq!(refused.code, 2, "{wrong:?}: {}", refused.stderr);
    }
}
