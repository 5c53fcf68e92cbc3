use serde_json::{Value, json};

use crate::testing::Sandbox;

/// Runs the tool and git's command in equal sandboxes. Both must end with the same error and the same index.
fn as_git(prepare: impl Fn(&mut Sandbox), arguments: Value, command: &[&str]) {
    let sandbox = || {
        let mut sandbox = Sandbox::with_two_commits();
        prepare(&mut sandbox);
        sandbox
    };
    let (mut ours, mut theirs) = (sandbox(), sandbox());
    let expected = theirs.git_output(command);
    let error = match ours.calling("git_add", arguments.clone()).approved() {
        Ok(_) => String::new(),
        Err(error) => error.message,
    };
    assert_eq!(error, String::from_utf8(expected.stderr).unwrap().trim_end(), "{arguments}");
    let index = ["ls-files", "--stage"];
    assert_eq!(ours.git(&index), theirs.git(&index), "{arguments}");
}

/// Replaces a link in the index by a folder with an ignored file.
fn folder_for_a_link(sandbox: &mut Sandbox) {
    sandbox.symlink("a", "link");
    sandbox.git(&["add", "link"]);
    std::fs::remove_file(sandbox.real("link")).unwrap();
    sandbox.write(".git/info/exclude", "f\n");
    sandbox.write("link/f", "1\n");
}

#[test]
fn a_file_in_a_folder_that_replaces_a_link_is_ignored_like_any_other() {
    as_git(folder_for_a_link, json!({"paths": ["link/f"]}), &["add", "link/f"]);
    as_git(folder_for_a_link, json!({"paths": ["link"]}), &["add", "link"]);
    as_git(folder_for_a_link, json!({"all": true}), &["add", "-A"]);
}

/// Puts a path in conflict, with stages of these modes, lowest first, and a folder at the path. The folder contains `file` if named.
fn conflict(modes: &[&str], file: Option<&str>) -> impl Fn(&mut Sandbox) {
    let modes: Vec<String> = modes.iter().map(|mode| (*mode).to_owned()).collect();
    let file = file.map(str::to_owned);
    move |sandbox| {
        let commit = sandbox.git(&["rev-parse", "HEAD"]);
        let blob = sandbox.git(&["rev-parse", "HEAD:a"]);
        let line = |(mode, stage): (&String, usize)| {
            let id = if mode == "160000" { &commit } else { &blob };
            format!("{mode} {} {stage}\tsub-x\n", id.trim_end())
        };
        let lines: String = modes.iter().zip([1, 3]).map(line).collect();
        sandbox.git_fed(&["update-index", "--index-info"], lines.as_bytes());
        sandbox.mkdir("sub-x");
        if let Some(file) = &file {
            sandbox.write(&format!("sub-x/{file}"), "1\n");
        }
    }
}

#[test]
fn of_a_submodule_in_conflict_its_folder_cannot_be_added() {
    let both = ["160000", "160000"];
    for modes in [both, ["160000", "100644"], ["100644", "160000"]] {
        as_git(conflict(&modes, None), json!({"all": true}), &["add", "-A"]);
        as_git(conflict(&modes, None), json!({"update": true}), &["add", "-u"]);
        as_git(conflict(&modes, None), json!({"paths": ["sub-x"]}), &["add", "sub-x"]);
        as_git(
            conflict(&modes, None),
            json!({"update": true, "paths": ["a", "nowhere"]}),
            &["add", "-u", "a", "nowhere"],
        );
        as_git(
            conflict(&modes, None),
            json!({"update": true, "paths": ["sub-x", "nowhere"]}),
            &["add", "-u", "sub-x", "nowhere"],
        );
    }
    as_git(conflict(&both, Some("f")), json!({"all": true}), &["add", "-A"]);
    as_git(conflict(&["100644", "100644"], Some("f")), json!({"all": true}), &["add", "-A"]);
}

#[test]
fn what_is_tracked_is_not_refused_for_being_ignored() {
    let other = |sandbox: &mut Sandbox| {
        folder_for_a_link(sandbox);
        sandbox.write(".git/info/exclude", "link\nb\n");
        sandbox.write("b", "1\n");
        sandbox.git(&["add", "--force", "b"]);
        sandbox.write("b", "2\n");
        sandbox.write("c", "3\n");
    };
    for paths in [vec!["link"], vec!["link", "c"], vec!["link/f", "c"], vec!["b"], vec!["b", "link/", "c"]] {
        as_git(other, json!({"paths": paths}), &[vec!["add"], paths.clone()].concat());
    }
}

#[test]
fn a_repository_inside_the_repository_is_one_path_beside_others() {
    let prepare = |sandbox: &mut Sandbox| {
        for folder in ["nested", "deep/nested", "deep/other"] {
            sandbox.mkdir(folder);
            sandbox.git(&["init", "--quiet", folder]);
            sandbox.write(&format!("{folder}/f"), "1\n");
        }
        sandbox.write("deep/f", "1\n");
    };
    let several = [vec!["deep", "*/f"], vec!["deep/*", "a"], vec!["d*/f", "a"], vec!["d*/nested/", "deep/f"]];
    let single = [
        "*/f",
        "deep/nested/f",
        "nested/*",
        "d*/",
        "*/",
        "*/nested/",
        "*ested/",
        "*ested",
        "deep/*/",
        "deep/neste[d]/*",
    ];
    for paths in several.into_iter().chain(single.map(|path| vec![path])) {
        as_git(prepare, json!({"paths": paths}), &[vec!["add"], paths.clone()].concat());
    }
}

#[test]
fn what_is_in_a_submodule_in_conflict_is_another_repositorys() {
    for modes in [["160000", "100644"], ["100644", "160000"]] {
        let git = &["add", "sub-x/f"];
        as_git(conflict(&modes, Some("f")), json!({"paths": ["sub-x/f"]}), git);
        as_git(conflict(&modes, None), json!({"paths": ["sub-x/f"]}), git);
    }
    let empty = |sandbox: &mut Sandbox| {
        conflict(&["160000", "100644"], None)(sandbox);
        sandbox.mkdir("sub-x/.git");
    };
    as_git(empty, json!({"update": true}), &["add", "-u"]);
}

#[test]
fn a_repository_without_a_commit_is_nothing_in_the_place_of_a_path_in_conflict() {
    for modes in [["100644", "160000"], ["160000", "100644"], ["100644", "100644"], ["160000", "160000"]] {
        let with_repository = |sandbox: &mut Sandbox| {
            conflict(&modes, Some("f"))(sandbox);
            sandbox.git(&["init", "--quiet", "sub-x"]);
        };
        as_git(with_repository, json!({"all": true}), &["add", "-A"]);
        as_git(with_repository, json!({"update": true}), &["add", "-u"]);
        for path in ["sub-x", "sub-x/", "sub*", "s*/", "sub-*/"] {
            as_git(with_repository, json!({"paths": [path]}), &["add", path]);
            as_git(conflict(&modes, None), json!({"paths": [path]}), &["add", path]);
            as_git(conflict(&modes, Some("f")), json!({"paths": [path]}), &["add", path]);
            as_git(conflict(&modes, None), json!({"paths": [path], "update": true}), &["add", "-u", path]);
        }
        let mut sandbox = Sandbox::with_two_commits();
        with_repository(&mut sandbox);
        let expected = sandbox.git(&["status", "--porcelain", "-b"]);
        assert_eq!(sandbox.ok("git_status", json!({})).text.trim_end(), expected.trim_end(), "{modes:?}");
    }
}

#[test]
fn a_repository_in_the_place_of_a_path_in_conflict_is_refused_and_the_path_stays() {
    for modes in [["100644", "100644"], ["100644", "160000"], ["120000", "100644"]] {
        let mut sandbox = Sandbox::with_two_commits();
        conflict(&modes, None)(&mut sandbox);
        sandbox.git(&["init", "--quiet", "sub-x"]);
        sandbox.git(&["-C", "sub-x", "commit", "--quiet", "--allow-empty", "-m", "within"]);
        let before = sandbox.git(&["ls-files", "--stage"]);
        let error = sandbox.calling("git_add", json!({"update": true})).approved().unwrap_err();
        assert_eq!(error.message, "sub-x is a git repository of its own");
        assert_eq!(sandbox.git(&["ls-files", "--stage"]), before);
    }
}
