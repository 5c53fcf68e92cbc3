//! By the person's ssh. A script takes its place, which runs what it is told on this machine.

use std::os::unix::fs::PermissionsExt;

use gate::forge::{FaultKind, Wanted};
use gate::objects::Nothing;
use gate::pack::PackLimits;

use super::*;

/// An ssh that notes its words. `script` comes before what it runs.
fn ssh(machine: &Machine, script: &str) -> PathBuf {
    let file = machine.home().join("bin/ssh");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let noted = machine.home().join("words");
    let text = format!(
        "#!/bin/sh\necho \"$@\" >> '{}'\n{script}\nfor last; do :; done\ncd '{}' && exec sh -c \"$last\"\n",
        noted.display(),
        machine.home().display()
    );
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn words(machine: &Machine) -> String {
    std::fs::read_to_string(machine.home().join("words")).unwrap_or_default()
}

#[test]
fn a_repository_is_listed_and_fetched_in_one_connection_each() {
    let machine = Machine::new();
    let ssh = ssh(&machine, "");
    let client = machine.client(&[("GIT_SSH", text(&ssh))]);
    let listing = list(&client, "git@example.org:x.git").unwrap();
    let first = listing.refs[0].id;
    assert_eq!(listing.head.as_deref(), Some("refs/heads/main"));
    assert_eq!(words(&machine), "-o BatchMode=yes -o SendEnv=GIT_PROTOCOL git@example.org git-upload-pack 'x.git'\n");
    let wanted = Wanted {
        want: first,
        tips: vec![first],
        have: Vec::new(),
        shallow: Vec::new(),
        depth: None,
        blobs: true,
        known: std::rc::Rc::new(Nothing),
        limits: PackLimits::import(),
    };
    let fetched = drive(&client, Forge::Git.open("git@example.org:x.git").unwrap().fetch(wanted)).unwrap();
    assert!(fetched.pack.starts_with(b"PACK"));
    assert_eq!(words(&machine).lines().count(), 2);
}

#[test]
fn an_older_server_speaks_until_it_ends() {
    let machine = Machine::new();
    let ssh = ssh(&machine, "unset GIT_PROTOCOL");
    let client = machine.client(&[("GIT_SSH", text(&ssh))]);
    assert_eq!(list(&client, "ssh://git@example.org:2222/none.git").unwrap_err().kind, FaultKind::NotFound);
    assert_eq!(list(&client, "ssh://git@example.org:2222/~/x.git").unwrap().refs.len(), 1);
    let listing = list(&client, "git@example.org:x.git").unwrap();
    let first = listing.refs[0].id;
    let reaches = Forge::Git
        .open("git@example.org:x.git")
        .unwrap()
        .read(vec![(first, gix_object::Kind::Commit)], PackLimits::import());
    assert!(drive(&client, reaches).unwrap().pack.starts_with(b"PACK"));
    assert!(words(&machine).contains("-p 2222 git@example.org git-upload-pack '~/x.git'"));
}

#[test]
fn what_ssh_says_of_a_failure_is_told() {
    let machine = Machine::new();
    for (script, kind, words) in [
        ("echo 'Permission denied (publickey).' >&2; exit 255", FaultKind::Unauthorized, "Permission denied"),
        ("echo 'Host key verification failed.' >&2; exit 255", FaultKind::Unauthorized, "Host key"),
        ("echo 'no such project' >&2; exit 128", FaultKind::NotFound, "no such project"),
        ("echo 'Could not resolve hostname' >&2; exit 255", FaultKind::NoAnswer, "cannot be reached"),
        ("printf 000e; exit 255", FaultKind::NoAnswer, "does not answer"),
        ("echo '<html>'; exit 0", FaultKind::NoAnswer, ""),
    ] {
        let ssh = ssh(&machine, script);
        let fault = list(&machine.client(&[("GIT_SSH", text(&ssh))]), "git@example.org:x.git").unwrap_err();
        assert_eq!(fault.kind, kind, "{script}");
        assert!(fault.message.contains(words), "{}", fault.message);
    }
}

#[test]
fn the_persons_own_command_is_used_with_its_options() {
    let machine = Machine::new();
    let ssh = ssh(&machine, "");
    machine.configure("core.sshCommand", &format!("{} -i ~/key", ssh.display()));
    list(&machine.client(&[]), "git@example.org:x.git").unwrap();
    assert!(words(&machine).starts_with(&format!("-i {}/key -o BatchMode=yes", machine.home().display())));
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let machine = Machine::new();
    let ssh = ssh(&machine, "exec sleep 60");
    let client = machine.client_within(&[("GIT_SSH", text(&ssh))], IMPATIENT, Clock::default());
    assert_eq!(outcome(&client, &get("git@example.org:x.git")), Err(Cut::Lost));
    assert_eq!(client.why().as_deref(), Some("it took too long"));
}
