//! Who asks: credentials go where they belong, and only when they are asked for.

use std::sync::{Arc, Mutex};

use gate::forge::FaultKind;

use super::*;

/// `ada:s3cret`, as a request has it.
const RIGHT: &str = "Basic YWRhOnMzY3JldA==";

/// Lets only Ada in.
fn only_ada(seen: &Seen) -> Option<Reply> {
    match seen.header("authorization") {
        Some(RIGHT) => None,
        _ => Some(Reply::with(401, &[("www-authenticate", "Basic realm=\"x\"")], "who are you")),
    }
}

/// A helper of the person's that gives `password`, and notes what it is told.
fn helper(machine: &Machine, password: &str) -> Arc<Mutex<PathBuf>> {
    let noted = machine.home().join("noted");
    let script = format!(
        "!f() {{ echo \"$1\" >> '{}'; cat >/dev/null; test \"$1\" = get && echo username=ada && echo password={password}; }}; f",
        noted.display()
    );
    machine.configure("credential.helper", &script);
    Arc::new(Mutex::new(noted))
}

fn noted(helper: &Arc<Mutex<PathBuf>>) -> String {
    std::fs::read_to_string(&*helper.lock().unwrap()).unwrap_or_default()
}

#[test]
fn gits_helper_signs_in_when_the_server_asks() {
    let machine = Machine::new();
    let helper = helper(&machine, "s3cret");
    let server = machine.serve(only_ada);
    let (client, address) = (machine.client(&[]), format!("{}/x.git", server.url()));
    assert_eq!(list(&client, &address).unwrap().refs.len(), 1);
    assert_eq!(noted(&helper), "get\nstore\n");
    // The next request is signed at once.
    list(&client, &address).unwrap();
    assert_eq!(noted(&helper), "get\nstore\n");
    let unsigned = server.seen().iter().filter(|seen| seen.header("authorization").is_none()).count();
    assert_eq!(unsigned, 1);
}

#[test]
fn a_wrong_password_is_told_to_the_helper_and_to_the_person() {
    let machine = Machine::new();
    let helper = helper(&machine, "wr0ng");
    let server = machine.serve(only_ada);
    let client = machine.client(&[]);
    let fault = list(&client, &format!("{}/x.git", server.url())).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unauthorized);
    assert!(fault.message.ends_with("who are you"), "{}", fault.message);
    assert_eq!(noted(&helper), "get\nerase\n");
    assert!(!format!("{fault:?} {client:?}").contains("wr0ng"));
}

#[test]
fn a_server_that_asks_nobody_gets_no_credentials() {
    let machine = Machine::new();
    let helper = helper(&machine, "s3cret");
    let server = machine.serve(|_| None);
    list(&machine.client(&[]), &format!("{}/x.git", server.url())).unwrap();
    assert_eq!(noted(&helper), "");
}

#[test]
fn the_persons_netrc_comes_first_and_the_helper_if_it_is_wrong() {
    let machine = Machine::new();
    let helper = helper(&machine, "s3cret");
    let server = machine.serve(only_ada);
    let address = format!("{}/x.git", server.url());
    for (password, told) in [("s3cret", ""), ("wr0ng", "get\nstore\n")] {
        std::fs::write(machine.home().join(".netrc"), format!("machine 127.0.0.1 login ada password {password}\n"))
            .unwrap();
        list(&machine.client(&[]), &address).unwrap();
        assert_eq!(noted(&helper), told);
    }
}

#[test]
fn a_header_of_gits_configuration_signs_every_request_to_its_server() {
    let machine = Machine::new();
    let helper = helper(&machine, "wr0ng");
    let server = machine.serve(only_ada);
    machine.configure(&format!("http.{}/.extraHeader", server.url()), &format!("Authorization: {RIGHT}"));
    list(&machine.client(&[]), &format!("{}/x.git", server.url())).unwrap();
    assert!(server.seen().iter().all(|seen| seen.header("authorization") == Some(RIGHT)));
    let other = machine.serve(|_| None);
    list(&machine.client(&[]), &format!("{}/x.git", other.url())).unwrap();
    assert!(other.seen().iter().all(|seen| seen.header("authorization").is_none()));
    assert_eq!(noted(&helper), "");
}

#[test]
fn attack_10_a_repositorys_configuration_counts_for_nothing() {
    let machine = Machine::new();
    let server = machine.serve(only_ada);
    // What an agent could write: the folder where the person happens to be.
    let marks = machine.home().join("ran");
    machine.git(&[
        "-C",
        text(&machine.repository()),
        "config",
        "credential.helper",
        &format!("!touch {}", marks.display()),
    ]);
    let address = format!("{}/x.git", server.url());
    let fault = list(&machine.client(&[("GIT_DIR", text(&machine.repository()))]), &address).unwrap_err();
    assert_eq!((fault.kind, marks.exists()), (FaultKind::Unauthorized, false));
}
