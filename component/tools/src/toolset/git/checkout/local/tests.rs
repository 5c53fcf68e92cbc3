use serde_json::json;

use crate::testing::Sandbox;

/// Files that match the commit although the index differs, and a branch that lacks one file of main.
fn taken_back() -> Sandbox {
    let mut sandbox = Sandbox::with_repository();
    for path in ["content", "intended", "mode", "module", "removed", "same"] {
        sandbox.write(path, "as committed\n");
    }
    sandbox.symlink("content", "link");
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "-m", "first"]);
    sandbox.git(&["branch", "other"]);
    sandbox.write("later", "");
    sandbox.git(&["add", "later"]);
    sandbox.git(&["commit", "--quiet", "-m", "second"]);
    for path in ["content", "link"] {
        let other = sandbox.git(&["rev-parse", "HEAD:later"]);
        let mode = if path == "link" { "120000" } else { "100644" };
        sandbox.git(&["update-index", "--cacheinfo", &format!("{mode},{},{path}", other.trim_end())]);
    }
    sandbox.git(&["update-index", "--chmod=+x", "mode"]);
    sandbox.git(&["rm", "--quiet", "--cached", "intended", "module", "removed"]);
    sandbox.git(&["add", "--intent-to-add", "intended"]);
    let commit = sandbox.git(&["rev-parse", "HEAD"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module", commit.trim_end())]);
    sandbox
}

#[test]
fn a_file_that_is_not_what_the_index_has_is_listed_even_if_it_is_what_the_commit_has() {
    for branch in ["main", "other"] {
        let git = taken_back().git_output(&["checkout", branch, "--"]);
        let expected = String::from_utf8(git.stdout).unwrap();
        assert!(expected.contains("M\tcontent\n") && !expected.contains("same"), "{expected}");
        let said = taken_back().approved("git_checkout", json!({ "branch": branch })).text;
        let listed = said.split_once("\n\n[stderr]").map_or(said.as_str(), |(listed, _)| listed);
        assert_eq!(listed.trim_end_matches('\n'), expected.trim_end_matches('\n'), "{branch}");
    }
}
