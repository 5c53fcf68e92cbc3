//! Exchanges, played to their end.

use std::time::Duration;

use gate::forge::{ChangeRequest, Cut, Exchange, Fault, FaultKind, Poll, Proposed, Response};
use gate::github::OpenPullRequest;
use trial::http::{Reply, Server};

use super::super::carry;
use super::{PATIENT, client, client_of, get};
use crate::error::ErrorKind;
use crate::sandbox::Clock;

/// Asks for `/a`, waits, asks for `/b`, and ends with what came.
#[derive(Default)]
struct Twice {
    step: u8,
    came: Vec<Result<u16, Cut>>,
}

impl Exchange for Twice {
    type Out = Vec<Result<u16, Cut>>;

    fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<Self::Out>, Fault> {
        assert_eq!(last.is_some(), self.step == 1 || self.step == 3, "an answer goes where it was asked for");
        self.came.extend(last.map(|last| last.map(|response| response.status)));
        self.step += 1;
        Ok(match self.step {
            1 => Poll::Send(get("/a")),
            2 => Poll::Sleep(Duration::from_millis(1)),
            3 => Poll::Send(get("/b")),
            _ => Poll::Done(std::mem::take(&mut self.came)),
        })
    }
}

/// Gives up after one request.
struct Once;

impl Exchange for Once {
    type Out = ();

    fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<()>, Fault> {
        match last {
            None => Ok(Poll::Send(get("/a"))),
            Some(_) => Err(Fault::new(FaultKind::NoAnswer, "GitHub did not answer").with_hint("wait")),
        }
    }
}

#[test]
fn an_exchange_is_played_to_its_end() {
    let server = Server::script([Reply::cut(), Reply::new(404, "")]);
    let came = carry(&client(&server), Twice::default()).unwrap().unwrap();
    assert_eq!(came, [Err(Cut::Lost), Ok(404)]);
    let paths: Vec<_> = server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths, ["/a", "/b"]);
}

#[test]
fn a_fault_says_why_there_was_no_answer() {
    let url = Server::script([]).url();
    let fault = carry(&client_of(&url, PATIENT, Clock::default()), Once).unwrap().unwrap_err();
    assert_eq!((&fault.kind, fault.hint.as_str()), (&FaultKind::NoAnswer, "wait"));
    assert!(fault.message.starts_with("GitHub did not answer: Connection refused"), "{}", fault.message);
}

#[test]
fn calling_it_off_ends_an_exchange() {
    let clock = Clock::default();
    let server = Server::new({
        let clock = clock.clone();
        move |_| {
            clock.cancel();
            Reply::new(200, "")
        }
    });
    let error = carry(&client_of(&server.url(), PATIENT, clock), Twice::default()).unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (ErrorKind::Interrupted, 1));
}

#[test]
fn a_pull_request_is_opened() {
    let told = r#"{"number": 7, "html_url": "https://github.com/octo/hello/pull/7"}"#;
    let server = Server::script([Reply::new(201, told)]);
    let proposed = Proposed {
        head: "refs/heads/work".parse().unwrap(),
        base: "refs/heads/main".parse().unwrap(),
        title: "Greet".to_owned(),
        body: String::new(),
        is_draft: false,
    };
    let exchange = OpenPullRequest::new("octo/hello".parse().unwrap(), proposed);
    let opened = carry(&client(&server), exchange).unwrap().unwrap();
    let address = "https://github.com/octo/hello/pull/7".to_owned();
    assert_eq!(opened, ChangeRequest { number: 7, address, existed: false });
    assert_eq!(server.seen()[0].path, "/repos/octo/hello/pulls");
}
