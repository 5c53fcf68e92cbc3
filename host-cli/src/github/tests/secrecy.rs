//! The token is in no error, no log and no text for debugging.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::level_filters::LevelFilter;
use trial::http::{Reply, Server};

use super::super::environment::{API_URL, TOKEN};
use super::super::token::Token;
use super::super::{Client, base::Base};
use super::{Environment, PATIENT, SECRET, client_of, get, limits, post};
use crate::sandbox::Clock;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything that is logged meanwhile, at any level.
fn logged(work: impl FnOnce()) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

#[test]
fn attack_13_the_token_is_in_no_error_log_or_text_for_debugging() {
    let echo = |seen: &trial::http::Seen| seen.header("authorization").unwrap_or_default().to_owned();
    type Handler = fn(&str) -> Reply;
    let handlers: [Handler; 10] = [
        |_| Reply::cut(),
        |_| Reply::hang(),
        |_| Reply::new(200, "{}").cut_after(30),
        |_| Reply::endless(),
        |_| Reply::new(401, "{\"message\": \"Bad credentials\"}"),
        |_| Reply::with(302, &[("location", "https://elsewhere.example/")], ""),
        // Servers that say what they were told, where it does not belong.
        |secret| Reply::raw(format!("{secret}\r\n\r\n")),
        |secret| Reply::raw(format!("HTTP/1.1 {secret}\r\n\r\n")),
        |secret| Reply::raw(format!("HTTP/1.1 200 OK\r\n{secret}\r\n\r\n")),
        |secret| Reply::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {secret}\r\n\r\n")),
    ];
    for handler in handlers {
        for request in [get("/user"), post(true)] {
            let server = Server::new(move |seen| handler(&echo(seen)));
            let mut told = String::new();
            let log = logged(|| {
                let client = client_of(&server.url(), limits(&handler("")), Clock::default());
                let sent = client.send(&request);
                told = format!("{sent:?} {client:?} {:?}", client.why());
                let is_logged = sent.unwrap().is_err();
                assert_eq!(is_logged, client.why().is_some());
            });
            assert!(echo(&server.seen()[0]).contains(SECRET), "the server knows it");
            assert!(!told.contains(SECRET), "{told}");
            assert!(!log.contains(SECRET), "{log}");
            assert_eq!(told.starts_with("Ok(Err("), log.contains("no answer to"), "{told}: {log}");
        }
    }
}

#[test]
fn attack_13_the_token_is_not_given_to_a_server_that_speaks_no_tls() {
    let server = Server::script([]);
    let url = server.url().replace("http:", "https:");
    let client = client_of(&url, PATIENT, Clock::default());
    let mut sent = None;
    let log = logged(|| sent = Some(client.send(&get("/user"))));
    assert!(matches!(sent, Some(Ok(Err(_)))), "{sent:?}");
    assert_eq!(server.seen(), []);
    assert!(!log.contains(SECRET), "{log}");
}

#[test]
fn attack_13_a_server_that_is_refused_hears_nothing() {
    for url in ["http://192.0.2.1", "ftp://127.0.0.1", "https://user:word@127.0.0.1", "nonsense"] {
        let client = client_of(url, PATIENT, Clock::default());
        let ready = client.ensure_ready().unwrap_err();
        assert_eq!(client.send(&get("/user")).unwrap_err(), ready);
        assert!(!format!("{ready:?} {client:?}").contains(SECRET));
    }
}

#[test]
fn attack_13_a_token_shows_nothing_of_itself() {
    let environment = Environment::of([(TOKEN, SECRET), (API_URL, "https://h")]);
    let token = Token::find(&environment, &Base::of(&environment).unwrap(), &Clock::default()).unwrap();
    assert_eq!(format!("{token:?} {token:#?}"), "Token(***) Token(***)");
    assert_eq!(token.redact(&format!("a {SECRET} b")), "a *** b");
    let client = Client::with(Clock::default(), environment, PATIENT);
    client.ensure_ready().unwrap();
    assert!(!format!("{client:?}").contains(SECRET));
}
