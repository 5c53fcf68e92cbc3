//! Checks entries that git and `git_stash` exchange, and compares their effects.

use serde_json::{Value, json};

use super::tests::{asked, change, committed, stash};
use crate::testing::Sandbox;

#[test]
fn git_brings_back_what_was_put_away_here_and_the_other_way_round() {
    for with_index in [false, true] {
        let (mut ours, mut theirs) = (committed(), committed());
        for sandbox in [&mut ours, &mut theirs] {
            change(sandbox);
        }
        stash(&mut ours, json!({"include_untracked": true}));
        theirs.git(&["stash", "push", "--quiet", "-u"]);
        let state = |sandbox: &mut Sandbox| {
            let trees = ["stash", "stash^2", "stash^3"].map(|commit| sandbox.git(&["ls-tree", "-r", commit]));
            (sandbox.git(&["status", "--porcelain"]), trees)
        };
        assert_eq!(state(&mut ours), state(&mut theirs));
        match with_index {
            true => ours.git(&["stash", "pop", "--quiet", "--index"]),
            false => ours.git(&["stash", "pop", "--quiet"]),
        };
        stash(&mut theirs, json!({"action": "pop", "restore_index": with_index}));
        let state = |sandbox: &mut Sandbox| {
            let files = ["a", "added", "untracked"].map(|path| sandbox.read(path));
            (sandbox.git(&["status", "--porcelain"]), sandbox.git(&["ls-files", "-s"]), files)
        };
        assert_eq!(state(&mut ours), state(&mut theirs));
        assert!(theirs.is_executable("untracked"));
    }
}

/// Bundles the latest entry of one repository and fetches it into another. The bundle has no reflog.
fn carry(from: &mut Sandbox, to: &mut Sandbox) {
    let bundle = from.real("/entry.bundle").display().to_string();
    from.git(&["bundle", "create", "--quiet", &bundle, "refs/stash"]);
    to.git(&["fetch", "--quiet", &bundle, "refs/stash"]);
    to.git(&["stash", "store", "--message", "carried", "FETCH_HEAD"]);
}

#[test]
fn an_entry_goes_from_here_to_git_and_back_in_a_bundle() {
    let [mut ours, mut gits, mut back] = [committed(), committed(), committed()];
    change(&mut ours);
    let before = (ours.git(&["status", "--porcelain"]), ours.git(&["ls-files", "-s"]));
    stash(&mut ours, json!({"include_untracked": true}));
    carry(&mut ours, &mut gits);
    gits.git(&["stash", "pop", "--quiet", "--index"]);
    assert_eq!((gits.git(&["status", "--porcelain"]), gits.git(&["ls-files", "-s"])), before);
    gits.git(&["stash", "push", "--quiet", "-u"]);
    carry(&mut gits, &mut back);
    stash(&mut back, json!({"action": "pop", "restore_index": true}));
    assert_eq!((back.git(&["status", "--porcelain"]), back.git(&["ls-files", "-s"])), before);
    assert!(back.is_executable("untracked"));
}

/// Compares a call with git's command: both must have the same effect in equal repositories after equal steps.
fn twins(steps: impl Fn(&mut Sandbox), git: &[&str], arguments: Value) {
    let (mut ours, mut theirs) = (committed(), committed());
    for sandbox in [&mut ours, &mut theirs] {
        steps(sandbox);
    }
    let said = theirs.git_output(git);
    let done = asked(&mut ours, arguments).0;
    let is_conflict = said.stdout.starts_with(b"Auto-merging ");
    assert_eq!(done.is_ok(), said.status.success() || is_conflict);
    let state = |sandbox: &mut Sandbox| {
        let git = |sandbox: &mut Sandbox, words: &[&str]| String::from_utf8(sandbox.git_output(words).stdout).unwrap();
        let index = git(sandbox, &["ls-files", "-s", "-t"]);
        let stashed = git(sandbox, &["ls-tree", "-r", "refs/stash"]);
        let logs =
            git(sandbox, &["reflog", "--format=%gd %gs"]) + &git(sandbox, &["stash", "list", "--format=%gd %gs"]);
        let files = sandbox.tree().into_iter().filter(|(path, _)| !path.contains("/.git/")).collect::<Vec<_>>();
        let operations = ["MERGE_HEAD", "AUTO_MERGE", "ORIG_HEAD"].map(|name| sandbox.exists(&format!(".git/{name}")));
        (git(sandbox, &["status", "--porcelain"]), index, stashed, logs, files, operations)
    };
    assert_eq!(state(&mut ours), state(&mut theirs));
}

#[test]
fn what_a_sparse_working_folder_is_without_stays_away_unless_a_change_brings_it() {
    let sparse = |sandbox: &mut Sandbox| {
        sandbox.git(&["sparse-checkout", "set", "--no-cone", "/a"]);
        assert!(!sandbox.exists("sub/b"));
        sandbox.write("a", "changed\n");
    };
    twins(sparse, &["stash", "push", "-u"], json!({"include_untracked": true}));
    let there_again = |sandbox: &mut Sandbox| {
        sandbox.git(&["sparse-checkout", "set", "--no-cone", "/a"]);
        sandbox.write("sub/b", "two\n");
    };
    twins(there_again, &["stash", "push"], json!({}));
    let staged = |sandbox: &mut Sandbox| {
        sparse(sandbox);
        sandbox.write("sub/b", "changed outside\n");
        sandbox.git(&["add", "--sparse", "sub/b"]);
    };
    twins(staged, &["stash"], json!({}));
    let stashed = |sandbox: &mut Sandbox| {
        sandbox.write("sub/b", "changed\n");
        sandbox.write("sub/new", "new\n");
        sandbox.git(&["add", "sub/new"]);
        sandbox.git(&["stash", "push", "--quiet"]);
        sparse(sandbox);
        sandbox.git(&["restore", "a"]);
    };
    twins(stashed, &["stash", "pop"], json!({"action": "pop"}));
    let in_conflict = |sandbox: &mut Sandbox| {
        sandbox.write("sub/b", "changed\n");
        sandbox.git(&["stash", "push", "--quiet"]);
        sandbox.write("sub/b", "committed\n");
        sandbox.git(&["commit", "--quiet", "-am", "second"]);
        sandbox.git(&["sparse-checkout", "set", "--no-cone", "/a"]);
    };
    let (mut ours, mut theirs) = (committed(), committed());
    in_conflict(&mut ours);
    in_conflict(&mut theirs);
    theirs.git_output(&["stash", "pop"]);
    stash(&mut ours, json!({"action": "pop"}));
    assert_eq!(ours.read("sub/b"), theirs.read("sub/b"));
    assert_eq!(ours.git(&["ls-files", "-s", "-t"]), theirs.git(&["ls-files", "-s", "-t"]));
}

#[test]
fn what_git_is_not_to_look_at_is_put_away_and_brought_back_as_git_does() {
    let told = |option: &'static str, staged: bool| {
        move |sandbox: &mut Sandbox| {
            sandbox.write("sub/b", "changed\n");
            if staged {
                sandbox.git(&["add", "sub/b"]);
            }
            sandbox.git(&["update-index", option, "sub/b"]);
            sandbox.write("a", "changed\n");
        }
    };
    for option in ["--assume-unchanged", "--skip-worktree"] {
        for staged in [false, true] {
            twins(told(option, staged), &["stash"], json!({}));
        }
    }
}

#[test]
fn where_another_file_is_in_conflict_git_still_does_not_look_at_what_it_was_told_not_to() {
    let in_conflict = |left_out: &'static [&'static str], path: &'static str| {
        move |sandbox: &mut Sandbox| {
            sandbox.write("a", "changed\n");
            sandbox.write(path, "put away\n");
            sandbox.git(&["add", path]);
            sandbox.git(&["stash", "push", "--quiet"]);
            sandbox.write("a", "committed\n");
            sandbox.git(&["commit", "--quiet", "-am", "second"]);
            sandbox.git(left_out);
        }
    };
    let sparse = &["sparse-checkout", "set", "--no-cone", "/a"][..];
    for left_out in
        [sparse, &["update-index", "--skip-worktree", "sub/b"], &["update-index", "--assume-unchanged", "sub/b"]]
    {
        for path in ["sub/b", "sub/new"] {
            for restore_index in [false, true] {
                let git = if restore_index { &["stash", "pop", "--index"][..] } else { &["stash", "pop"] };
                twins(in_conflict(left_out, path), git, json!({"action": "pop", "restore_index": restore_index}));
            }
        }
    }
}

#[test]
fn what_is_only_to_be_added_is_not_put_away_unless_its_file_and_nothing_else_is_gone() {
    for instead in [None, Some("new")] {
        let intended = |sandbox: &mut Sandbox| {
            sandbox.write("new/file", "new\n");
            sandbox.git(&["add", "--intent-to-add", "new/file"]);
            crate::platform::remove_dir_all(&sandbox.real("new")).unwrap();
            if let Some(path) = instead {
                sandbox.write(path, "a file\n");
            }
            sandbox.write("a", "changed\n");
        };
        twins(intended, &["stash"], json!({}));
    }
}

/// A repository with a committed submodule at `under/module`.
fn with_submodule(sandbox: &mut Sandbox) {
    let id = sandbox.git(&["rev-parse", "HEAD"]);
    let entry = format!("160000,{},under/module", id.trim_end());
    sandbox.git(&["update-index", "--add", "--cacheinfo", &entry]);
    sandbox.git(&["commit", "--quiet", "-m", "a submodule"]);
    sandbox.mkdir("under/module");
}

#[test]
fn a_submodule_that_git_takes_for_unchanged_has_its_folder_again() {
    let gone = |sandbox: &mut Sandbox| {
        with_submodule(sandbox);
        sandbox.git(&["update-index", "--assume-unchanged", "under/module"]);
        crate::platform::remove_dir_all(&sandbox.real("under")).unwrap();
        sandbox.write("a", "changed\n");
    };
    twins(gone, &["stash"], json!({}));
    let with_file = |sandbox: &mut Sandbox| {
        let id = sandbox.git(&["rev-parse", "HEAD"]);
        sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module", id.trim_end())]);
        sandbox.git(&["update-index", "--assume-unchanged", "module"]);
        sandbox.write("module", "a file\n");
        sandbox.write("a", "changed\n");
    };
    twins(with_file, &["stash"], json!({}));
}

#[test]
fn the_folder_of_a_submodule_that_goes_while_a_call_works_in_it_leaves_those_above() {
    for beside in [None, Some("under/a"), Some("under/z")] {
        let removed = |sandbox: &mut Sandbox| {
            if let Some(beside) = beside {
                sandbox.write(beside, "beside\n");
                sandbox.git(&["add", beside]);
            }
            with_submodule(sandbox);
            sandbox.git(&["rm", "--quiet", "-r", "under"]);
            sandbox.write("a", "changed\n");
            sandbox.git(&["stash", "--quiet"]);
            assert!(sandbox.exists("under/module"));
        };
        let (mut ours, mut theirs) = (committed(), committed());
        removed(&mut ours);
        removed(&mut theirs);
        crate::testing::git(&theirs.real("under/module"), &["stash", "apply"]);
        stash(&mut ours, json!({"action": "apply", "working_dir": "under/module"}));
        let folders = |sandbox: &Sandbox| ["under", "under/module"].map(|path| sandbox.exists(path));
        assert_eq!(folders(&ours), folders(&theirs), "{beside:?}");
        assert_eq!(folders(&ours), [beside.is_none(), false], "{beside:?}");
    }
}
