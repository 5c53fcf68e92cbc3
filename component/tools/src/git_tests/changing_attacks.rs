//! The attacks of the security suite on changing tools, by line number in its list. The attacks with branch names are in the tests of
//! `git_branch`.

use std::fs;

use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::Sandbox;

fn sandbox() -> Sandbox {
    Sandbox::with_two_commits().with_identity()
}

/// Asserts that the call fails and changes nothing. Returns the error's kind and message.
fn refused(sandbox: &mut Sandbox, tool: &str, arguments: Value) -> (ErrorKind, String) {
    let before = sandbox.tree();
    let error = sandbox.refused(tool, arguments.clone());
    assert_eq!(sandbox.tree(), before, "{tool} {arguments}");
    (error.kind, error.message)
}

#[test]
fn attack_01_nothing_that_is_named_is_an_option() {
    let mut sandbox = sandbox();
    for name in ["--output=pwned", "-f", "--detach", "--orphan=x", "-B", "--exec=touch pwned", "--", "-"] {
        for arguments in [json!({"branch": name}), json!({"commit": name}), json!({"create_branch": name})] {
            refused(&mut sandbox, "git_checkout", arguments);
        }
        for tool in ["git_add", "git_restore", "git_checkout"] {
            refused(&mut sandbox, tool, json!({"paths": [name]}));
        }
    }
    sandbox.write("-f", "1\n");
    assert_eq!(sandbox.approved("git_add", json!({"paths": ["-f"]})).text, "Staged 1 file(s)");
    sandbox.approved("git_commit", json!({"type": "feat", "message": "--amend --author=x"}));
    assert_eq!(sandbox.git(&["log", "-1", "--format=%an %s"]), "A U Thor feat: --amend --author=x\n");
}

#[test]
fn attack_03_no_path_leads_out() {
    let mut sandbox = sandbox();
    fs::write(sandbox.real("/secret"), "1\n").unwrap();
    for path in ["../secret", "sub/../../secret", "/etc/passwd", "/secret", "/workspace/../secret", "a/../../secret"] {
        for tool in ["git_add", "git_restore", "git_checkout"] {
            let (kind, _) = refused(&mut sandbox, tool, json!({"paths": [path]}));
            assert_eq!(kind, ErrorKind::SandboxViolation, "{tool} {path}");
        }
    }
    for tool in ["git_add", "git_restore", "git_commit", "git_checkout"] {
        let arguments =
            json!({"paths": ["a"], "type": "x", "message": "x", "branch": "main", "working_dir": "../workspace"});
        let kept: Vec<&str> = match tool {
            "git_commit" => vec!["type", "message", "working_dir"],
            "git_checkout" => vec!["branch", "working_dir"],
            _ => vec!["paths", "working_dir"],
        };
        let arguments: serde_json::Map<_, _> = arguments
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .filter(|(name, _)| kept.contains(&name.as_str()))
            .collect();
        assert_eq!(refused(&mut sandbox, tool, Value::Object(arguments)).0, ErrorKind::SandboxViolation, "{tool}");
    }
}

#[test]
fn attack_04_no_shell_reads_what_is_named() {
    let mut sandbox = sandbox();
    let name = "$(touch pwned);`touch pwned`|&>x";
    sandbox.write(name, "1\n");
    assert_eq!(sandbox.approved("git_add", json!({"paths": [name]})).text, "Staged 1 file(s)");
    sandbox.approved("git_commit", json!({"type": "feat", "message": name}));
    sandbox.write(name, "2\n");
    assert_eq!(sandbox.approved("git_restore", json!({"paths": [name]})).text, "Restored 1 file(s)");
    assert!(!sandbox.exists("pwned") && !sandbox.exists("x"));
}

/// Creates a branch whose commit adds one file with this name and mode.
fn branch_with(sandbox: &mut Sandbox, mode: &str, path: &str) -> String {
    let tree = sandbox.tree_with(mode, path);
    let commit = sandbox.git(&["commit-tree", "-m", "odd", &tree]);
    sandbox.git(&["update-ref", "refs/heads/odd", commit.trim()]);
    commit.trim().to_owned()
}

#[test]
fn attack_07_no_switch_writes_what_some_filesystem_takes_for_the_repository() {
    for path in [
        ".GIT/config",
        ".git\u{200c}/config",
        "git~1/config",
        ".git /config",
        ".git./config",
        ".git::$INDEX_ALLOCATION/config",
        "a/.gIt/b",
        ".git...:stream/x",
        "sub\\.git\\config",
    ] {
        let mut sandbox = sandbox();
        let commit = branch_with(&mut sandbox, "100644", path);
        for arguments in [json!({"branch": "odd"}), json!({"commit": commit})] {
            let (kind, message) = refused(&mut sandbox, "git_checkout", arguments);
            assert_eq!(kind, ErrorKind::SandboxViolation, "{path}: {message}");
        }
    }
}

#[test]
fn attack_08_links_are_written_as_links_and_never_followed() {
    let mut sandbox = sandbox();
    fs::create_dir(sandbox.real("/outside")).unwrap();
    // One branch has a link, the other a folder in its place.
    sandbox.git(&["checkout", "--quiet", "-b", "folder"]);
    sandbox.write("dir/file", "1\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "folder"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.symlink(sandbox.real("/outside"), "dir");
    sandbox.symlink(".git", "git");
    sandbox.symlink("loop", "loop");
    sandbox.approved("git_add", json!({"all": true}));
    sandbox.approved("git_commit", json!({"type": "feat", "message": "links"}));
    for branch in ["folder", "main", "folder"] {
        sandbox.approved("git_checkout", json!({"branch": branch}));
        assert!(fs::read_dir(sandbox.real("/outside")).unwrap().next().is_none());
    }
    // Replace a tracked folder by a link.
    fs::remove_dir_all(sandbox.real("dir")).unwrap();
    sandbox.symlink(sandbox.real("/outside"), "dir");
    sandbox.approved("git_restore", json!({"paths": ["dir"]}));
    assert!(fs::read_dir(sandbox.real("/outside")).unwrap().next().is_none());
    assert_eq!(sandbox.read("dir/file"), b"1\n");
}

#[test]
fn attack_09_submodules_are_folders_and_nothing_else() {
    let mut sandbox = sandbox();
    for name in [".gitmodules", ".GITMODULES", ".gitmodules ", "gitmod~1"] {
        let mut sandbox = self::sandbox();
        branch_with(&mut sandbox, "120000", name);
        let (kind, _) = refused(&mut sandbox, "git_checkout", json!({"branch": "odd"}));
        assert_eq!(kind, ErrorKind::SandboxViolation, "{name}");
    }
    let modules = "[submodule \"../../x\"]\n\tpath = mod\n\turl = ext::touch pwned\n\tupdate = !touch pwned\n";
    sandbox.write(".gitmodules", modules);
    sandbox.git(&["update-index", "--add", "--cacheinfo", "160000,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,mod"]);
    sandbox.git(&["add", ".gitmodules"]);
    sandbox.approved("git_commit", json!({"type": "feat", "message": "a submodule"}));
    sandbox.approved("git_checkout", json!({"commit": "HEAD~1"}));
    sandbox.approved("git_checkout", json!({"branch": "main"}));
    assert_eq!(fs::read_dir(sandbox.real("mod")).unwrap().count(), 0);
    assert!(!sandbox.exists("pwned") && !sandbox.exists(".git/modules"));
}

#[test]
fn attack_14_pathspecs_have_no_magic() {
    let mut sandbox = sandbox();
    sandbox.write("a", "3\n");
    for path in [":(top)a", ":!a", ":/", ":(exclude)a", ":(glob)**", ":^a", ":"] {
        for tool in ["git_add", "git_restore", "git_checkout"] {
            assert_eq!(refused(&mut sandbox, tool, json!({"paths": [path]})).0, ErrorKind::BadArgs, "{tool} {path}");
        }
    }
    for tool in ["git_add", "git_restore", "git_checkout"] {
        assert_eq!(refused(&mut sandbox, tool, json!({"paths": [""]})).0, ErrorKind::BadArgs, "{tool}");
    }
}

#[test]
fn attack_21_what_takes_long_ends_in_time_and_leaves_nothing() {
    let mut sandbox = sandbox();
    sandbox.git(&["branch", "before"]);
    let deep = format!("{}f", "d/".repeat(300));
    sandbox.write(&deep, "1\n");
    for number in 0..300 {
        sandbox.write(&format!("many/{number}"), format!("{number}\n"));
    }
    let calls = [
        ("git_add", json!({"all": true})),
        ("git_commit", json!({"type": "feat", "message": "many"})),
        ("git_restore", json!({"paths": ["*d*d*d*d*d*d*f", "many/*"]})),
        ("git_checkout", json!({"branch": "before"})),
    ];
    for (tool, arguments) in calls {
        if tool == "git_restore" {
            (0..300).for_each(|number| sandbox.write(&format!("many/{number}"), "other\n"));
        }
        let cut_off = sandbox.cut_off_in_between(tool, &arguments);
        // A commit with few changes is done before it polls the deadline.
        assert!(cut_off > 1 || tool == "git_commit", "{tool}: {cut_off}");
    }
    assert!(!sandbox.exists("many") && !sandbox.exists("d"));
}
