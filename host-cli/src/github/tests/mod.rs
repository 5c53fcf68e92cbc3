//! A client against a server that misbehaves.

mod carrying;
mod finding;
mod secrecy;
mod sending;

use std::time::Duration;

use bytes::Bytes;
use gate::forge::{Cut, Forge, Method, Request, Response};
use trial::http::{Reply, Server};

use super::environment::{API_URL, TOKEN};
use super::{Client, Environment};
use crate::error::HostError;
use crate::sandbox::Clock;
use crate::wire::Limits;

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// Nothing here is slow, except what hangs: only there does a client have to be impatient.
const PATIENT: Limits = Limits { silence: Duration::from_secs(60), whole: Duration::from_secs(60), answer: 1000 };
const IMPATIENT: Limits = Limits { silence: Duration::from_millis(300), ..PATIENT };

fn limits(reply: &Reply) -> Limits {
    if reply.hangs() { IMPATIENT } else { PATIENT }
}

fn client(server: &Server) -> Client {
    client_of(&server.url(), PATIENT, Clock::default())
}

fn client_of(url: &str, limits: Limits, clock: Clock) -> Client {
    Client::with(clock, Environment::of([(TOKEN, SECRET), (API_URL, url)]), limits)
}

fn get(path: &str) -> Request {
    Request { forge: Forge::Github, method: Method::Get, path: path.to_owned(), body: None, moves: false }
}

fn post(moves: bool) -> Request {
    let body = Some(Bytes::from_static(br#"{"a":1}"#));
    Request { forge: Forge::Github, method: Method::Post, path: "/repos/o/r/git/refs".to_owned(), body, moves }
}

type Sent = Result<Result<Response, Cut>, HostError>;

/// The status of an answer, or why there is none.
fn outcome(sent: Sent) -> Result<u16, Cut> {
    sent.expect("it was sent").map(|response| response.status)
}
