//! The attacks of the security suite on `git_stash`, by line number. An entry can come from anywhere, as any commit can.

use std::fs;

use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::Sandbox;

fn sandbox() -> Sandbox {
    Sandbox::with_two_commits().with_identity()
}

/// Makes a call, and fails if it succeeds or changes anything but objects. Returns the error.
fn refused(sandbox: &mut Sandbox, arguments: Value) -> (ErrorKind, String) {
    let state = |sandbox: &Sandbox| {
        let tree = sandbox.tree().into_iter();
        tree.filter(|(path, _)| !path.starts_with("/workspace/.git/objects/")).collect::<Vec<_>>()
    };
    let before = state(sandbox);
    let error = sandbox.refused("git_stash", arguments.clone());
    assert_eq!(state(sandbox), before, "{arguments}");
    (error.kind, error.message)
}

/// Stores an entry with one file of this path and mode, tracked or untracked.
fn store(sandbox: &mut Sandbox, mode: &str, path: &str, untracked: bool) {
    let tree = sandbox.tree_with(mode, path);
    store_tree(sandbox, &tree, untracked);
}

fn store_tree(sandbox: &mut Sandbox, tree: &str, untracked: bool) {
    let mut commit = |tree: &str, parents: &[&str]| {
        let mut words = vec!["commit-tree", "-m", "odd", tree];
        words.extend(parents.iter().flat_map(|parent| ["-p", *parent]));
        sandbox.git(&words).trim().to_owned()
    };
    let index = commit("HEAD^{tree}", &["HEAD"]);
    let entry = match untracked {
        true => {
            let files = commit(tree, &[]);
            commit("HEAD^{tree}", &["HEAD", &index, &files])
        }
        false => commit(tree, &["HEAD", &index]),
    };
    sandbox.git(&["stash", "store", "-m", "odd", &entry]);
}

#[test]
fn attack_01_and_04_a_message_is_only_a_message() {
    let mut sandbox = sandbox();
    for message in ["--output=pwned", "-f", "--", "$(touch pwned);`touch pwned`|&>x", "stash@{0}"] {
        sandbox.write("a", message);
        sandbox.approved("git_stash", json!({"message": message}));
        let title = sandbox.git(&["log", "-1", "--format=%s", "refs/stash"]);
        assert_eq!(title, format!("On main: {message}\n"));
    }
    assert!(!sandbox.exists("pwned") && !sandbox.exists("x"));
    for arguments in [
        json!({"action": "--output=pwned"}),
        json!({"action": "branch"}),
        json!({"action": "pop", "index": -1}),
        json!({"action": "pop", "index": "stash@{0} --output=pwned"}),
        json!({"action": "drop", "index": 5}),
        json!({"message": "a\0b"}),
    ] {
        refused(&mut sandbox, arguments);
    }
}

#[test]
fn attack_03_no_call_is_made_in_a_folder_outside() {
    let mut sandbox = sandbox();
    sandbox.write("a", "changed\n");
    for folder in ["..", "../workspace", "/etc", "sub/../.."] {
        assert_eq!(refused(&mut sandbox, json!({"working_dir": folder})).0, ErrorKind::SandboxViolation, "{folder}");
    }
}

#[test]
fn attack_07_no_entry_brings_what_some_filesystem_takes_for_the_repository() {
    for path in [".GIT/config", ".git\u{200c}/config", "git~1/config", ".git./config", "a0/.gIt/b", "s\\.git\\config"] {
        for untracked in [false, true] {
            let mut sandbox = sandbox();
            store(&mut sandbox, "100644", path, untracked);
            for action in ["pop", "apply"] {
                let (kind, message) = refused(&mut sandbox, json!({"action": action}));
                assert_eq!(kind, ErrorKind::SandboxViolation, "{path} {untracked}: {message}");
            }
        }
    }
}

#[test]
fn attack_08_no_entry_is_brought_through_a_link() {
    for untracked in [false, true] {
        let mut sandbox = sandbox();
        fs::create_dir(sandbox.real("/outside")).unwrap();
        store(&mut sandbox, "100644", "dir/file", untracked);
        sandbox.symlink(sandbox.real("/outside"), "dir");
        refused(&mut sandbox, json!({"action": "pop"}));
        assert!(fs::read_dir(sandbox.real("/outside")).unwrap().next().is_none());
    }
    // No call stashes a file behind a link that replaces a tracked folder.
    let mut sandbox = sandbox();
    fs::create_dir(sandbox.real("/outside")).unwrap();
    fs::write(sandbox.real("/outside/b"), "secret\n").unwrap();
    fs::remove_dir_all(sandbox.real("sub")).unwrap();
    sandbox.symlink(sandbox.real("/outside"), "sub");
    let (_, message) = refused(&mut sandbox, json!({"include_untracked": true}));
    assert!(message.starts_with("error: 'sub/b' is beyond a symbolic link\n"), "{message}");
    assert_eq!(fs::read_to_string(sandbox.real("/outside/b")).unwrap(), "secret\n");
}

/// One tree has both the link and the folder, which no honest repository has.
#[test]
fn attack_08_no_entry_is_brought_through_a_link_of_its_own() {
    for target in [".git", "/outside"] {
        for untracked in [false, true] {
            let mut sandbox = sandbox();
            fs::create_dir(sandbox.real("/outside")).unwrap();
            let target = if target == ".git" { target.into() } else { sandbox.real(target).display().to_string() };
            let link = sandbox.git_fed(&["hash-object", "-w", "--stdin"], target.as_bytes());
            let link = String::from_utf8(link.stdout).unwrap();
            let below = sandbox.tree_with("100755", "new/pwned");
            let id = |hex: &str| -> Vec<u8> {
                (0..20).map(|n| u8::from_str_radix(&hex.trim()[2 * n..2 * n + 2], 16).unwrap()).collect()
            };
            let tree = [b"120000 b\0".as_slice(), &id(&link), b"40000 b\0", &id(&below)].concat();
            let tree = sandbox.git_fed(&["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], &tree);
            let tree = String::from_utf8(tree.stdout).unwrap();
            store_tree(&mut sandbox, tree.trim(), untracked);
            let before = sandbox.read(".git/config");
            let _ = sandbox.calling("git_stash", json!({"action": "apply"})).approved();
            assert_eq!(sandbox.read(".git/config"), before);
            assert!(!sandbox.exists(".git/new"), "{target} {untracked}");
            assert!(fs::read_dir(sandbox.real("/outside")).unwrap().next().is_none(), "{target} {untracked}");
        }
    }
}

#[test]
fn attack_09_a_submodule_in_an_entry_is_a_folder_and_a_link_for_gitmodules_is_refused() {
    for untracked in [false, true] {
        let mut sandbox = sandbox();
        store(&mut sandbox, "120000", ".gitmodules", untracked);
        assert_eq!(refused(&mut sandbox, json!({"action": "pop"})).0, ErrorKind::SandboxViolation, "{untracked}");

        let head = sandbox.git(&["rev-parse", "HEAD"]);
        sandbox.git(&["read-tree", if untracked { "--empty" } else { "HEAD" }]);
        sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module", head.trim())]);
        let tree = sandbox.git(&["write-tree"]);
        sandbox.git(&["reset", "--quiet", "--hard"]);
        store_tree(&mut sandbox, tree.trim(), untracked);
        sandbox.calling("git_stash", json!({"action": "apply"})).approved().unwrap();
        let module = sandbox.real("module");
        assert!(module.symlink_metadata().unwrap().is_dir() && fs::read_dir(module).unwrap().next().is_none());
    }
}

#[test]
fn attack_21_what_takes_long_ends_in_time_and_leaves_nothing() {
    let mut sandbox = sandbox();
    for number in 0..400 {
        sandbox.write(&format!("many/{number}"), "1\n");
    }
    sandbox.git(&["add", "many"]);
    sandbox.git(&["commit", "--quiet", "-m", "many"]);
    for number in 0..400 {
        sandbox.write(&format!("many/{number}"), format!("{number}\n"));
        sandbox.write(&format!("new/{number}"), "1\n");
    }
    for arguments in [json!({"include_untracked": true}), json!({"action": "pop"})] {
        let cut_off = sandbox.cut_off_in_between("git_stash", &arguments);
        assert!(cut_off > 1, "{arguments}: {cut_off}");
    }
}
