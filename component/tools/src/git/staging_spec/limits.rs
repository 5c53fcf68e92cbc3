//! What is too much to be listed, or to be staged at all.

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
