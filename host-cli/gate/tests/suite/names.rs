//! Names of branches, targets and sandboxes.

use crate::support::Repo;
use gate::{
    FaultKind,
    id::{Nonce, SandboxId},
    refname::{BranchRef, check_name},
    target::CanonicalTarget,
};

const BRANCHES: [&str; 60] = [
    "main",
    "feature/x",
    "a.b",
    "a-b",
    "@",
    "a@b",
    "ä",
    "日本",
    "v1.0",
    "x/@/y",
    "a+b",
    "a#b",
    "a%b",
    "..",
    "a..b",
    "../../config",
    "a/../b",
    "./a",
    "a/.",
    ".a",
    "a/.b",
    "a.",
    "a/",
    "/a",
    "a//b",
    "a b",
    "a~b",
    "a^b",
    "a:b",
    "a?b",
    "a*b",
    "a[b",
    "a\\b",
    "a.lock",
    "a.lock/b",
    "a.LOCK",
    "@{",
    "a@{b}",
    "-a",
    "--output=x",
    "a\x01b",
    "a\x7fb",
    "a\nb",
    "a\tb",
    "",
    "HEAD",
    "con",
    "NUL.txt",
    "a/aux",
    "com1",
    "LPT9.x",
    "a\u{202e}b",
    "a\u{200b}b",
    "a\u{feff}",
    "a\u{85}b",
    "CONIN$",
    "COM\u{b9}",
    "com0",
    "console",
    "nulls",
];

#[test]
fn attack_06_no_branch_is_taken_that_git_refuses() {
    let repo = Repo::new();
    let mut taken = 0;
    for branch in BRANCHES {
        let full = format!("refs/heads/{branch}");
        let git = repo.command(&["check-ref-format", "--branch", branch]).output().unwrap().status.success();
        let ours = full.parse::<BranchRef>();
        assert!(git || ours.is_err(), "git refuses {branch:?}");
        taken += usize::from(ours.is_ok());
    }
    assert_eq!(taken, 16);
}

#[test]
fn attack_06_what_git_takes_and_we_refuse_is_meant_so() {
    let repo = Repo::new();
    for branch in BRANCHES {
        let git = repo.command(&["check-ref-format", "--branch", branch]).output().unwrap().status.success();
        if git && BranchRef::from_branch(branch).is_err() {
            let device = ["con", "NUL.txt", "a/aux", "com1", "LPT9.x", "CONIN$", "COM\u{b9}"].contains(&branch);
            let hidden = branch.contains(['\u{202e}', '\u{200b}', '\u{feff}', '\u{85}']);
            assert!(device || hidden || branch == "a.LOCK", "{branch:?}");
        }
    }
}

#[test]
fn attack_06_only_branches_can_be_pushed_to() {
    for full in [
        "main",
        "HEAD",
        "refs/tags/v1",
        "refs/remotes/origin/main",
        "refs/heads",
        "refs/heads/",
        "Refs/heads/main",
        "refs/heads/../tags/x",
        "config",
    ] {
        let fault = full.parse::<BranchRef>().unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadRef, "{full}");
        assert!(!fault.message.is_empty() && !fault.hint.is_empty());
    }
    assert_eq!("refs/heads/a/b".parse::<BranchRef>().unwrap().branch(), "a/b");
}

#[test]
fn the_error_says_which_rule_is_broken() {
    for (branch, rule) in [
        ("a/../b", "has a component '.' or '..'"),
        ("-a", "has a branch that starts with '-'"),
        ("a/CON.txt", "has a component that is a device name on Windows"),
        ("a.LOCK", "has a component that ends in .lock"),
        ("a\u{202e}b", "has a control, bidirectional or invisible character"),
    ] {
        let message = BranchRef::from_branch(branch).unwrap_err().message;
        assert!(message.ends_with(rule), "{message}");
        assert!(!message.contains('\u{202e}'));
    }
}

#[test]
fn any_ref_of_a_supply_is_checked_by_the_same_rules() {
    for name in ["HEAD", "refs/tags/v1", "refs/remotes/origin/main", "refs/heads/-a"] {
        assert!(check_name(name).is_ok(), "{name}");
    }
    for name in ["config", "refs/../x", "refs/tags/a.lock", "refs/tags/nul", "objects/aa", "refs/", "refs"] {
        assert!(check_name(name).is_err(), "{name}");
    }
}

#[test]
fn targets_read_back_as_they_print() {
    for target in [
        "local:/home/me/project",
        "bare:/srv/x.git",
        "local:C:\\work\\x",
        "github:owner/repo",
        "github:o-1/r_2.x",
        "git:https://example.com/x.git",
        "git:ssh://git@example.com:2222/x",
        "git:git@example.com:x.git",
    ] {
        let parsed: CanonicalTarget = target.parse().unwrap();
        assert_eq!(parsed.to_string(), target);
        assert_eq!(serde_json::to_value(&parsed).unwrap(), target);
    }
}

#[test]
fn a_repository_on_github_has_one_spelling_whatever_its_case() {
    let parsed: CanonicalTarget = "github:Owner/Repo.JS".parse().unwrap();
    assert_eq!(parsed.to_string(), "github:owner/repo.js");
    let read: CanonicalTarget = serde_json::from_str("\"github:OWNER/repo.js\"").unwrap();
    assert_eq!(read, parsed);
}

#[test]
fn attack_05_transports_that_run_things_are_no_targets() {
    for target in [
        "git:ext::sh -c touch% /tmp/x",
        "git:EXT::sh",
        "git:file:///etc",
        "git:fd::17",
        "git:ftp://x/y",
        "git:-oProxyCommand=x",
        "git:ssh://-oProxyCommand=x/y",
        "git:ssh://a@-x/y",
        "git:--upload-pack=x",
        "git:https:///x",
        "git:ssh://example.com?x@elsewhere.example/x",
        "git:https://example.com#@elsewhere.example/x",
        "git:https://example.com?x",
        "git:https://host/a b",
        "git:/local/path",
        "git:git://example.com/x",
        "git:host:-path",
        "local:relative",
        "local:",
        "local:/a/../b",
        "local:/a/./b",
        "bare:../x",
        "local:/a\nb",
        "local:/a\u{202e}b",
        "github:owner",
        "github:owner/repo/x",
        "github:../repo",
        "github:-o/r",
        "github:o/..",
        "github:o/r#b",
        "github:o/r.git",
        "github:o/R.Git",
        "ext::sh",
        "",
        "hub:a/b",
    ] {
        let fault = target.parse::<CanonicalTarget>().unwrap_err();
        assert_eq!(fault.kind, FaultKind::BadTarget, "{target}");
        assert!(!fault.hint.is_empty());
    }
}

#[test]
fn attack_13_urls_with_passwords_are_no_targets() {
    for target in
        ["git:https://user:token@example.com/x", "git:https://token@example.com/x", "git:ssh://git:pw@example.com/x"]
    {
        assert!(target.parse::<CanonicalTarget>().is_err(), "{target}");
    }
}

#[test]
fn a_branch_has_a_name_that_a_file_can_have_with_a_lock_beside_it() {
    assert!(BranchRef::from_branch(&"a".repeat(250)).is_ok());
    assert!(BranchRef::from_branch(&format!("{0}/{0}", "a".repeat(250))).is_ok());
    assert_eq!(BranchRef::from_branch(&"a".repeat(251)).unwrap_err().kind, FaultKind::BadRef);
}

#[test]
fn sandbox_names_and_nonces_are_what_they_say() {
    for name in ["default", "a", "A-1_b.c", &"x".repeat(64)] {
        assert!(name.parse::<SandboxId>().is_ok(), "{name}");
    }
    for name in ["", ".", "..", ".a", "-a", "a/b", "a b", "ä", "nul", "a\n", &"x".repeat(65)] {
        assert!(name.parse::<SandboxId>().is_err(), "{name}");
    }
    let nonce = Nonce::from_random([0xa5; 16]);
    assert_eq!(nonce.to_string().parse::<Nonce>().unwrap(), nonce);
    assert!("a5".parse::<Nonce>().is_err());
}
