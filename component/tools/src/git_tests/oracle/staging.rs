//! Compares staged commits with `git add`.

use std::fs;

use serde_json::{Value, json};

use super::scene::Scene;
use super::{SCENES, seeds};
use crate::answer::{Answer, Answers};
use crate::dispatch::{Finished, Step};
use crate::error::ToolError;
use crate::options::Identity;
use crate::testing::Sandbox;

/// Stages as the user, who approves.
fn stage(sandbox: &mut Sandbox, files: &[&str]) -> Result<Finished, ToolError> {
    let identity = Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() };
    sandbox.session.options.identity = Some(identity);
    let arguments: Value = json!({"files": files, "message": "m"});
    let Step::Ask(question) = sandbox.calling("git_stage", arguments.clone()).step() else { panic!("staging asks") };
    let mut answers = Answers::default();
    answers.add(question.key(), Answer::Approved);
    sandbox.calling("git_stage", arguments).answers(answers).done()
}

/// The tree of the index after `git add`, or git's error. The index stays unchanged.
fn added(sandbox: &mut Sandbox, files: &[&str]) -> Result<String, String> {
    let (index, kept) = (sandbox.real(".git/index"), sandbox.real(".git/index.kept"));
    let had_index = fs::hard_link(&index, &kept).is_ok();
    let mut arguments = vec!["-c", "advice.addEmbeddedRepo=false", "add", "-A", "--"];
    arguments.extend(files);
    let output = sandbox.git_output(&arguments);
    let tree = match output.status.success() {
        true => Ok(sandbox.git(&["write-tree"])),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    };
    if had_index {
        fs::rename(kept, index).unwrap();
    } else if index.exists() {
        fs::remove_file(index).unwrap();
    }
    tree
}

/// Asserts that a staged commit of `files` has the same tree as git's.
fn same(sandbox: &mut Sandbox, files: &[&str], name: &str) {
    let expected = added(sandbox, files);
    let head = sandbox.git_output(&["rev-parse", "HEAD^{tree}"]);
    let staged = stage(sandbox, files);
    match (expected, staged) {
        (Ok(tree), Ok(_)) => {
            let ours = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
            if ours != tree {
                let (ours, tree) = (ours.trim_end(), tree.trim_end());
                panic!("{name}: from git's tree to ours\n{}", sandbox.git(&["diff", "--raw", tree, ours]));
            }
        }
        (Ok(tree), Err(error)) => {
            let is_nothing = error.message == "nothing to commit";
            let had = String::from_utf8(head.stdout).unwrap();
            let is_same = had == tree || tree.trim_end() == "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
            assert!(is_nothing && is_same, "{name}: {error:?}");
        }
        // With a commit it would be a submodule, which the tool always refuses.
        (Err(words), Err(error)) if words.contains("does not have a commit checked out") => {
            assert!(error.message.ends_with("is a git repository of its own"), "{name}: {error:?}");
        }
        (Err(words), Err(error)) => assert!(words.contains(&error.message), "{name}: {words}{error:?}"),
        (Err(words), Ok(_)) => panic!("{name}: git says {words}"),
    }
}

#[test]
fn git_stage_takes_what_git_add_takes() {
    for seed in seeds(SCENES) {
        let mut scene = Scene::plain(seed);
        let unmerged = !scene.sandbox.git(&["ls-files", "-u"]).is_empty();
        if !unmerged {
            // During a merge the tool refuses to stage.
            scene.git(&["merge", "--quit"]);
            scene.git(&["cherry-pick", "--quit"]);
            // A path deleted from the index is no change of the working folder, so HEAD keeps it.
            let gone = ["diff", "--cached", "--no-renames", "--diff-filter=D", "--name-only", "-z"];
            for path in scene.sandbox.git(&gone).split_terminator('\0') {
                scene.sandbox.git(&["reset", "--quiet", "--", &format!(":(literal){path}")]);
            }
            same(&mut scene.sandbox, &["."], &format!("GITGATE_SEED={seed}"));
        }
    }
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_never_gone() {
    let mut sandbox = Sandbox::with_repository();
    for path in ["a/out/x", "a/in", "b"] {
        sandbox.write(path, "1\n");
    }
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox.git(&["update-index", "--skip-worktree", "a/out/x"]);
    fs::remove_dir_all(sandbox.real("a/out")).unwrap();
    for (round, files) in [["a", "b"], [".", "a"], ["a/out", "a/in"], ["a/out/x", "b"]].iter().enumerate() {
        sandbox.write("a/in", format!("{round}\n"));
        sandbox.write("b", format!("{round}\n"));
        stage(&mut sandbox, files).unwrap();
        assert_eq!(sandbox.git(&["ls-tree", "-r", "--name-only", "HEAD"]), "a/in\na/out/x\nb\n", "{files:?}");
        assert_eq!(sandbox.git(&["ls-files", "-t", "a/out"]), "S a/out/x\n", "{files:?}");
    }
    assert_eq!(stage(&mut sandbox, &["a/out"]).unwrap_err().message, "nothing to commit");
}

#[test]
fn a_tree_that_is_made_anew_has_the_modes_that_git_writes() {
    let mut sandbox = Sandbox::with_repository();
    for path in ["old", "sub/old", "kept/old"] {
        sandbox.write(path, "1\n");
    }
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    let blob = sandbox.git(&["rev-parse", "HEAD:old"]);
    let mut make = |entries: &[(&str, &str, &str)]| {
        let mut tree = Vec::new();
        for (mode, name, id) in entries {
            tree.extend(format!("{mode} {name}\0").into_bytes());
            tree.extend((0..20).map(|n| u8::from_str_radix(&id[2 * n..2 * n + 2], 16).unwrap()));
        }
        fs::write(sandbox.real("../tree"), tree).unwrap();
        sandbox.git(&["hash-object", "-t", "tree", "-w", "--literally", "../tree"])
    };
    let folder = make(&[("100664", "old", &blob)]);
    let root = make(&[("40000", "kept", &folder), ("100664", "old", &blob), ("40000", "sub", &folder)]);
    let commit = sandbox.git(&["commit-tree", "-m", "second", root.trim()]);
    sandbox.git(&["reset", "--quiet", "--hard", commit.trim()]);
    sandbox.write("sub/new", "2\n");
    same(&mut sandbox, &["sub/new"], "a file beside one with an old mode");
    assert_eq!(sandbox.git(&["rev-parse", "HEAD:kept"]), folder, "what is not made anew is as it was");
}

/// A repository whose index has rules that treat every file as text.
fn with_attributes(folder: &str) -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    sandbox.write(&format!("{folder}.gitattributes"), "* text\n");
    sandbox.write(&format!("{folder}!before"), "1\n");
    sandbox.write(&format!("{folder}b"), "1\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    for name in ["!before", "b", "new"] {
        sandbox.write(&format!("{folder}{name}"), "1\r\n2\r\n");
    }
    sandbox
}

#[test]
fn rules_that_the_same_commit_deletes_count_as_in_git() {
    for folder in ["", "sub/"] {
        for other in ["nothing", "link", "folder"] {
            for files in [&["."][..], &["b", ".gitattributes"], &["new", ".gitattributes"], &["b", "new"]] {
                let mut sandbox = with_attributes(folder);
                let rules = format!("{folder}.gitattributes");
                fs::remove_file(sandbox.real(&rules)).unwrap();
                match other {
                    "link" => sandbox.symlink("b", &rules),
                    "folder" => sandbox.write(&format!("{rules}/x"), "1\r\n"),
                    _ => {}
                }
                let files: Vec<String> = files.iter().map(|file| format!("{folder}{file}")).collect();
                let files: Vec<&str> = files.iter().map(String::as_str).collect();
                same(&mut sandbox, &files, &format!("{other} at {rules}, {files:?}"));
            }
        }
    }
}

#[test]
fn rules_behind_a_link_are_no_rules() {
    for name in [".gitattributes", ".gitignore"] {
        for folder in ["", "sub/"] {
            let mut sandbox = Sandbox::with_repository();
            sandbox.write("rules", "* text\nx*\n");
            sandbox.write(&format!("{folder}x"), "1\r\n");
            sandbox.symlink(sandbox.real("rules"), &format!("{folder}{name}"));
            let expected = sandbox.git(&["status", "--porcelain", "-b"]);
            assert_eq!(sandbox.ok("git_status", json!({})).text, expected);
            same(&mut sandbox, &[&format!("{folder}x")], name);
            same(&mut sandbox, &["."], name);
        }
    }
}

#[test]
fn attack_09_a_link_for_gitmodules_is_refused() {
    for name in [".gitmodules", ".GITMODULES", ".gitmodules ", "gitmod~1", "gi7eba~1"] {
        for files in [&["."][..], &[name]] {
            let mut sandbox = Sandbox::with_repository();
            sandbox.write("a", "1\n");
            sandbox.symlink("a", name);
            same(&mut sandbox, files, name);
        }
    }
}

#[test]
fn a_path_in_a_submodule_is_refused() {
    for files in [&["sub/x"][..], &["sub/nothing"], &["sub/folder"], &["a", "sub/x"], &["sub"], &["."]] {
        let mut sandbox = Sandbox::with_repository();
        sandbox.git(&["update-index", "--add", "--cacheinfo", "160000,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,sub"]);
        sandbox.git(&["commit", "--quiet", "-m", "first"]);
        sandbox.write("a", "1\n");
        sandbox.write("sub/x", "1\n");
        sandbox.write("sub/folder/y", "1\n");
        sandbox.git(&["init", "--quiet", "sub"]);
        let expected = added(&mut sandbox, files);
        let staged = stage(&mut sandbox, files).map_err(|error| error.message);
        match (&expected, &staged) {
            (Err(words), Err(message)) => assert_eq!(words.trim_end(), format!("fatal: {message}"), "{files:?}"),
            _ => assert!(sandbox.git(&["ls-tree", "HEAD", "sub"]).starts_with("160000"), "{files:?}"),
        }
    }
}
