//! No link in the directory of a sandbox on disk, whoever created it, leads a tool outside.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use tests::tree::{self, assert_same};

use crate::on_disk::{opened, workspace};
use crate::on_disk_hostile::{SECRET, everything, outside};

#[test]
fn a_link_that_another_process_has_made_leads_no_tool_out() {
    let (cli, _) = opened();
    let outside = outside(&cli);
    let git = workspace(&cli);
    symlink(outside.join("secret.txt"), git.root().join("link")).unwrap();
    symlink(&outside, git.root().join("folder")).unwrap();
    symlink("../../outside", git.root().join("relative")).unwrap();
    symlink("link", git.root().join("twice")).unwrap();
    symlink(outside.join("none"), git.root().join("dangling")).unwrap();
    let before = tree::read(&outside);
    let refused = |tool: &str, arguments: Value| {
        let out = cli.run(&["call", tool, &arguments.to_string(), "--json"]).exits(1).json();
        assert_eq!(out["error"]["kind"], "sandbox-violation", "{tool} {arguments}");
    };
    for path in ["link", "twice", "folder/secret.txt", "relative/secret.txt", "dangling", "folder/new/x"] {
        refused("read_file", json!({ "path": path }));
        refused("write_file", json!({ "path": path, "content": "x" }));
        refused("edit_file", json!({ "path": path, "old": SECRET, "new": "x" }));
    }
    for path in ["folder/secret.txt", "relative/b"] {
        refused("delete_file", json!({ "path": path }));
        refused("move_file", json!({ "from": path, "to": "here" }));
        refused("move_file", json!({ "from": "README.md", "to": format!("{path}.new") }));
        refused("git_stage", json!({ "files": [path], "message": "m" }));
    }
    for folder in ["folder", "relative"] {
        refused("list_files", json!({ "path": folder }));
        refused("search_files", json!({ "path": folder, "pattern": "secret" }));
        refused("git_diff", json!({ "from_ref": "HEAD", "to_ref": "HEAD~1", "output_dir": folder }));
    }
    assert!(!everything(&cli).contains(SECRET));
    // A link is staged as a link, with its target.
    cli.call("git_stage", &json!({ "files": ["link"], "message": "m" })).ok();
    assert_eq!(git.git(&["show", "HEAD:link"]), outside.join("secret.txt").to_str().unwrap());
    cli.call("delete_file", &json!({ "path": "folder" })).ok();
    assert_same(&before, &tree::read(&outside), "the folder outside");
}

#[test]
fn a_link_in_the_place_of_a_tracked_folder_shows_nothing_of_what_it_leads_to() {
    let (cli, _) = opened();
    cli.call("write_file", &json!({ "path": "a/b", "content": "1\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    let outside = outside(&cli);
    let git = workspace(&cli);
    fs::remove_dir_all(git.root().join("a")).unwrap();
    symlink(&outside, git.root().join("a")).unwrap();
    let said = everything(&cli);
    assert!(!said.contains(SECRET), "{said}");
    let status = cli.structured("git_status", &json!({}));
    assert!(status["unstaged"].to_string().contains(r#"{"path":"/workspace/a/b","status":"deleted"}"#), "{status}");
    let diff = cli.call("git_diff", &json!({ "from_ref": "HEAD" })).ok().stdout;
    assert_eq!(diff.trim_end(), git.git(&["diff", "HEAD"]));
    for named in ["../../outside/b", outside.join("b").to_str().unwrap(), "a/b"] {
        let known = cli.run(&["call", "git_diff", &json!({ "from_ref": named }).to_string()]).fails(1);
        let unknown =
            cli.run(&["call", "git_diff", &json!({ "from_ref": format!("{named}-none") }).to_string()]).fails(1);
        assert_eq!(known.stderr, unknown.stderr.replace("-none", ""), "whether it is there is not told");
    }
}

#[test]
fn an_unmerged_path_below_a_link_shows_nothing_of_what_it_leads_to() {
    let (cli, _) = opened();
    let git = workspace(&cli);
    git.write("a/b", "1\n");
    git.commit("Base");
    git.git(&["checkout", "--quiet", "-b", "theirs"]);
    git.write("a/b", "2\n");
    git.commit("Theirs");
    git.git(&["checkout", "--quiet", "main"]);
    git.write("a/b", "3\n");
    git.commit("Ours");
    assert!(!git.try_git(&["merge", "theirs"], b"").success);
    let outside = outside(&cli);
    fs::remove_dir_all(git.root().join("a")).unwrap();
    symlink(&outside, git.root().join("a")).unwrap();
    for arguments in [json!({}), json!({ "from_ref": "HEAD" }), json!({ "from_ref": "HEAD~1", "stat": true })] {
        let diff = cli.call("git_diff", &arguments).ok();
        assert!(!diff.stdout.contains(SECRET), "{diff:#?}");
        assert!(diff.stdout.contains("a/b"), "{diff:#?}");
    }
    assert!(!everything(&cli).contains(SECRET));
}

#[test]
fn a_file_with_another_name_outside_is_replaced_and_not_written_to() {
    let (cli, _) = opened();
    let outside = outside(&cli);
    let file = workspace(&cli).root().join("shared");
    fs::hard_link(outside.join("secret.txt"), &file).unwrap();
    cli.call("write_file", &json!({ "path": "shared", "content": "mine\n" })).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(outside.join("secret.txt")).unwrap(), format!("{SECRET}\n"));
}
