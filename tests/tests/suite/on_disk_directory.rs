//! The directory of a sandbox on disk: which directories are permitted, the modes of its files, and
//! that it stays.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use tests::cli::Cli;
use tests::tree::{self, assert_same};

use crate::on_disk::{new, opened, stage, workspace, write};
use crate::pushing::digest;

#[test]
fn the_directory_is_a_new_one_an_empty_one_or_its_own() {
    let cli = Cli::default();
    cli.repository("project");
    let refused = |arguments: &[&str], why: &str| {
        let before = tree::read(&cli.work());
        let out = cli.run(arguments).fails(1);
        assert!(out.stderr.contains(why), "{out:#?}");
        assert_same(&before, &tree::read(&cli.work()), why);
    };
    let inside = cli.home().join("disk");
    refused(&["new", "--on-disk", inside.to_str().unwrap()], " overlaps ");
    assert!(!inside.exists());
    refused(&["new", "--on-disk", cli.folder().to_str().unwrap()], " overlaps ");
    refused(&["new", "--on-disk", "project"], "is not empty");
    refused(&["new", "--on-disk", "a/b", "--from", "local:none"], "none");
    fs::create_dir(cli.work().join("disk")).unwrap();
    new(&cli).ok();
    refused(&["-s", "other", "new", "--on-disk", "disk"], " overlaps ");
    refused(&["-s", "other", "new", "--on-disk", "disk/workspace/src/x"], " overlaps ");
}

#[test]
fn removing_the_sandbox_leaves_its_files_to_the_next_one_of_its_name() {
    let (cli, _) = opened();
    write(&cli, "a", "1\n");
    stage(&cli, &["a"]);
    write(&cli, "b", "2\n");
    let disk = cli.work().join("disk");
    let before = tree::read(&disk);
    let removed = cli.run(&["rm", "default"]).ok();
    let place = disk.canonicalize().unwrap();
    assert_eq!(removed.stdout, format!("Removed default; its files stay in {}\n", place.display()));
    assert_same(&before, &tree::read(&disk), "the directory");
    let other = cli.run(&["-s", "other", "new", "--on-disk", "disk"]).fails(1);
    assert!(other.stderr.contains("belongs to the sandbox 'default'"), "{other:#?}");
    let again = new(&cli).fails(1);
    assert!(again.stderr.contains("omit --from"), "{again:#?}");
    cli.run(&["new", "--on-disk", "disk", "--identity", "A <a@b>"]).ok();
    assert_same(&before, &tree::read(&disk), "the directory");
    let state = cli.structured("git_status", &json!({}));
    assert_eq!((state["staged"].as_array().unwrap().len(), state["unstaged"].as_array().unwrap().len()), (1, 1));
    fs::remove_dir_all(&disk).unwrap();
    let gone = cli.run(&["status"]).fails(1);
    assert!(gone.stderr.contains("is missing"), "{gone:#?}");
    cli.run(&["rm", "default"]).ok();
}

#[test]
fn a_push_into_the_directory_of_a_sandbox_is_refused() {
    let (cli, _) = opened();
    write(&cli, "a", "1\n");
    stage(&cli, &["a"]);
    let into = cli.run(&["push", "--to", "local:disk/workspace#other"]).fails(1);
    assert!(into.stderr.contains("is in the folder of the sandbox 'default'"), "{into:#?}");
    let bundle = cli.run(&["export", "disk/workspace/x.bundle"]).fails(1);
    assert!(bundle.stderr.contains("is in the folder of the sandbox 'default'"), "{bundle:#?}");
    let shown = cli.run(&["export", "x.bundle"]).fails(3);
    cli.run(&["export", "x.bundle", "--approve", &digest(&shown)]).ok();
    workspace(&cli).git(&["bundle", "verify", "--quiet", "../../x.bundle"]);
}

#[test]
fn files_have_the_modes_that_other_programs_give_them() {
    use std::os::unix::fs::PermissionsExt;
    let (cli, _) = opened();
    write(&cli, "new/file", "1\n");
    cli.call("write_file", &json!({ "path": "new/run", "content": "1\n", "executable": true })).ok();
    stage(&cli, &["new"]);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    // Like the test's own: the umask is the same.
    let other = cli.work().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("file"), "").unwrap();
    let (folder, file) = (mode(other.clone()), mode(other.join("file")));
    let workspace = cli.work().join("disk/workspace");
    for path in ["", "new", ".git", ".git/refs/heads"] {
        assert_eq!(mode(workspace.join(path)), folder, "{path:?}");
    }
    for path in ["new/file", "README.md", ".git/index", ".git/HEAD", ".git/refs/heads/main", ".git/logs/HEAD"] {
        assert_eq!(mode(workspace.join(path)), file, "{path}");
    }
    assert_eq!(mode(workspace.join("new/run")), file | (file & 0o444) >> 2);
    // An existing one keeps its modes.
    fs::set_permissions(workspace.join("new/file"), fs::Permissions::from_mode(0o600)).unwrap();
    write(&cli, "new/file", "2\n");
    assert_eq!(mode(workspace.join("new/file")), 0o600);
}
