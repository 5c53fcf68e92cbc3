//! Over HTTP: what is sent, and what comes of it.

use gate::forge::{Cut, FaultKind};
use trial::http::{Reply, Server};

use super::*;
use crate::error::ErrorKind;

#[test]
fn a_repository_is_listed_over_version_two() {
    let machine = Machine::new();
    let server = machine.serve(|_| None);
    let listing = list(&machine.client(&[]), &format!("{}/x.git", server.url())).unwrap();
    assert_eq!(listing.refs.len(), 1);
    assert_eq!(listing.head.as_deref(), Some("refs/heads/main"));
    let seen = server.seen();
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|seen| seen.header("git-protocol") == Some("version=2")));
    assert_eq!(seen[1].header("content-type"), Some("application/x-git-upload-pack-request"));
    assert!(seen.iter().all(|seen| seen.header("authorization").is_none()));
}

#[test]
fn attack_05_no_redirect_is_followed() {
    let machine = Machine::new();
    let elsewhere = Server::script([]);
    let to = format!("{}/x.git/info/refs?service=git-upload-pack", elsewhere.url());
    let server = Server::new(move |_| Reply::with(301, &[("location", &to)], ""));
    let fault = list(&machine.client(&[]), &format!("{}/x.git", server.url())).unwrap_err();
    let FaultKind::Renamed { to: Some(to) } = fault.kind else { panic!("{fault:?}") };
    assert!(to.starts_with(&elsewhere.url()));
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn what_has_no_answer_is_told_with_the_reason() {
    let machine = Machine::new();
    for (reply, cut) in [
        (Reply::cut(), Cut::Lost),
        (Reply::hang(), Cut::Lost),
        (Reply::new(200, "x").hang_after(20), Cut::Lost),
        (Reply::huge(2 << 20), Cut::TooBig),
        (Reply::endless(), Cut::TooBig),
    ] {
        let limits = if reply.hangs() { IMPATIENT } else { PATIENT };
        let server = Server::script([reply]);
        let client = machine.client_within(&[], limits, Clock::default());
        assert_eq!(outcome(&client, &get(&format!("{}/x.git", server.url()))), Err(cut));
        assert!(client.why().is_some());
        assert_eq!(server.seen().len(), 1);
    }
}

#[test]
fn a_person_calls_off_what_does_not_move_a_branch() {
    let machine = Machine::new();
    let clock = Clock::default();
    let cancelled = clock.clone();
    let server = Server::new(move |_| {
        cancelled.cancel();
        Reply::hang()
    });
    let client = machine.client_within(&[], IMPATIENT, clock);
    let error = client.send(&get(&format!("{}/x.git", server.url()))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
}

#[test]
fn the_proxy_of_gits_configuration_or_the_environment_is_used() {
    let machine = Machine::new();
    for by_variable in [true, false] {
        let proxy = Server::new(|_| Reply::new(403, "no"));
        let address = proxy.url().replace("http://", "http://ada:s3cret@");
        let variables: &[(&'static str, &str)] = if by_variable { &[("https_proxy", &address)] } else { &[] };
        if !by_variable {
            machine.configure("http.https://git.example/.proxy", &address);
        }
        let client = machine.client(variables);
        assert_eq!(outcome(&client, &get("https://git.example/x.git")), Err(Cut::Unreached));
        let seen = proxy.seen();
        assert_eq!((seen[0].method.as_str(), seen[0].path.as_str()), ("CONNECT", "git.example:443"));
        assert_eq!(seen[0].header("proxy-authorization"), Some("Basic YWRhOnMzY3JldA=="));
        assert!(!client.why().unwrap().contains("s3cret"));
        machine.configure("http.https://git.example/.proxy", "");
    }
    // Taken back by the configuration, it counts no more.
    let proxy = Server::script([]);
    let client = machine.client_within(&[("https_proxy", &proxy.url())], IMPATIENT, Clock::default());
    assert_eq!(outcome(&client, &get("https://git.example/x.git")), Err(Cut::Unreached));
    assert!(proxy.seen().is_empty());
}

#[test]
fn certificates_that_git_is_told_of_have_to_be_there() {
    let machine = Machine::new();
    machine.configure("http.sslCAInfo", "~/none.pem");
    let error = machine.client(&[]).send(&get("https://git.example/x.git")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(error.message.starts_with("http.sslCAInfo has no certificates"), "{}", error.message);
}

#[test]
fn what_is_no_request_to_a_git_server_is_refused() {
    let client = Machine::new().client(&[]);
    for path in ["https://h/x.git/HEAD", "/info/refs", "https://h/x y/git-upload-pack"] {
        let request = Request { path: path.to_owned(), ..get("") };
        assert_eq!(client.send(&request).unwrap_err().kind, ErrorKind::Refused, "{path}");
    }
}
