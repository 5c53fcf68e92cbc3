//! Limits on what is listed and on what can be staged.

use super::*;

#[test]
fn of_many_staged_files_as_many_are_listed_as_fit() {
    let mut sandbox = sandbox();
    sandbox.session.options.git.max_bytes = 2000;
    for number in 0..100 {
        sandbox.write(&format!("file-{number}"), "");
    }
    let staged = stage(&mut sandbox, &["."], "All");
    let listed = staged["files"].as_array().unwrap().len();
    assert_eq!((&staged["fileCount"], &staged["filesOmitted"]), (&json!(100), &json!(100 - listed)));
    assert!(listed > 10 && staged["files"].to_string().len() <= 2000 + 2);
}

#[test]
fn a_long_message_is_cut_in_what_is_told_of_its_commit() {
    let mut sandbox = sandbox();
    sandbox.session.options.git.max_bytes = 2000;
    sandbox.write("a", "1\n");
    let message = "m".repeat(5000);
    let staged = stage(&mut sandbox, &["a"], &message);
    assert!(staged["message"].as_str().unwrap().ends_with("... [output truncated]"));
    assert!(staged["message"].to_string().len() <= 2000 / 4 + 10);
    assert_eq!(staged["files"].as_array().unwrap().len(), 1);
}

#[test]
fn a_file_that_is_too_deep_for_a_commit_is_said_to_be_so_when_it_is_named() {
    let mut sandbox = sandbox();
    let path = format!("{}f", "d/".repeat(1001));
    sandbox.write(&path, "1\n");
    let objects = sandbox.tree();
    let error = stage_error(&mut sandbox, &[&path]);
    assert_eq!(error.message, format!("More than 1000 folders deep: {path}"));
    assert_eq!(error.hint, "No commit can hold it. Move it further up with move_file, or leave it out.");
    assert_eq!(sandbox.tree(), objects);
}

#[test]
fn rules_that_match_without_end_stop_in_time() {
    for file in [".gitignore", ".gitattributes"] {
        let mut sandbox = sandbox();
        sandbox.write("a", "1\n");
        stage(&mut sandbox, &["a"], "m");
        sandbox.write("a", "2\n");
        sandbox.write("b", "1\n");
        sandbox.write(file, "*a*a*ab x\n".repeat(2000));
        let error = sandbox.calling("git_status", json!({})).out_of_time().done().unwrap_err();
        assert_eq!(error.kind.name(), "timeout", "{file}");
        let status = sandbox.ok("git_status", json!({})).text;
        assert_eq!(status, format!("## main\n M a\n?? {file}\n?? b\n"));
    }
}

#[test]
fn rules_that_take_for_ever_are_named_where_paths_are_deep() {
    for file in [".gitignore", ".gitattributes"] {
        let mut sandbox = sandbox();
        let deep = format!("{}b", "y/".repeat(60));
        sandbox.write("a", "1\n");
        sandbox.write(&deep, "1\n");
        stage(&mut sandbox, &["."], "m");
        sandbox.write("a", "2\n");
        sandbox.write(&deep, "2\n");
        sandbox.write(&format!("{deep}2"), "2\n");
        sandbox.write(file, format!("{}b x\n", "**/z/".repeat(5)));
        let error = stage_error(&mut sandbox, &["."]);
        assert_eq!(error.kind.name(), "execution-failed", "{file}: {error:?}");
        assert!(
            error.message.starts_with(&format!("A rule in a {file} uses ** too often for a path as deep as 'y/y/"))
        );
        sandbox.write(file, "**/z/**/b x\n");
        stage(&mut sandbox, &["."], "m");
    }
}
