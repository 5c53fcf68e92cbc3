//! Attacks by hostile repositories and callers through `git_pull`: refused with a clear error, or harmless, and nothing lost.

use serde_json::{Value, json};
use tests::cli::{Cli, Out};
use tests::repo::Repo;
use tests::tree::{self, assert_same};

/// A sandbox from a repository, before the repository turns hostile.
struct Scene {
    cli: Cli,
    repo: Repo,
}

fn scene() -> Scene {
    let cli = Cli::default();
    let repo = cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    Scene { cli, repo }
}

impl Scene {
    fn pull(&self, arguments: &Value) -> Out {
        self.cli.call("git_pull", arguments)
    }

    /// Moves a branch of the repository to a commit with main's tree and one more entry.
    fn add_entry(&self, branch: &str, mode: &str, kind: &str, id: &str, name: &str) {
        let mut entries = self.repo.try_git(&["ls-tree", "-z", "main"], b"").stdout;
        entries.extend_from_slice(format!("{mode} {kind} {id}\t{name}\0").as_bytes());
        let said = self.repo.try_git(&["mktree", "-z", "--missing"], &entries);
        assert!(said.success, "{}", said.stderr);
        let tree = String::from_utf8(said.stdout).unwrap();
        let commit = self.repo.git(&["commit-tree", tree.trim(), "-p", "main", "-m", "Hostile"]);
        self.repo.git(&["update-ref", &format!("refs/heads/{branch}"), &commit]);
    }

    fn blob(&self, content: &str) -> String {
        let said = self.repo.try_git(&["hash-object", "-w", "--stdin"], content.as_bytes());
        String::from_utf8(said.stdout).unwrap().trim().to_owned()
    }

    fn tree(&self, name: &str, blob: &str) -> String {
        let said = self.repo.try_git(&["mktree", "-z"], format!("100644 blob {blob}\t{name}\0").as_bytes());
        assert!(said.success, "{}", said.stderr);
        String::from_utf8(said.stdout).unwrap().trim().to_owned()
    }

    /// The sandbox's whole description of itself.
    fn seen(&self) -> (String, String, String) {
        let said = |arguments: &[&str]| self.cli.run(arguments).ok().stdout;
        (said(&["history"]), said(&["call", "git_status", "{}"]), said(&["call", "list_files", "{\"recursive\":true}"]))
    }
}

#[test]
fn attack_03_no_path_of_a_pull_leaves_the_sandbox() {
    let scene = scene();
    let before = scene.seen();
    for path in ["../outside", "a/../../b", "/etc/passwd", "/workspace/../etc", "docs/../.git/config", "a\0b"] {
        let out = scene.pull(&json!({ "paths": [path] })).fails(1);
        assert!(out.stderr.contains("Path ") || out.stderr.contains("Not a path"), "{path}: {out:#?}");
    }
    assert_eq!(scene.seen(), before);
}

#[test]
fn attack_05_and_06_helpers_options_and_bad_branches_are_no_sources() {
    let scene = scene();
    let canary = scene.cli.work().join("canary");
    let before = scene.seen();
    let run = format!("ext::sh -c 'touch {}'", canary.display());
    for caller in ["agent", "user"] {
        for source in [
            json!({ "type": "local", "path": run }),
            json!({ "type": "local-bare", "path": "file:///etc" }),
            json!({ "type": "local", "path": "--upload-pack=touch canary" }),
            json!({ "type": "local", "path": "project", "branch": "../../config" }),
            json!({ "type": "local", "path": "project", "branch": "--upload-pack=x" }),
            json!({ "type": "local", "path": "project", "branch": "refs/../HEAD" }),
            json!({ "type": "ext", "path": "project" }),
        ] {
            let arguments = json!({ "source": source }).to_string();
            scene.cli.run(&["call", "git_pull", &arguments, "--as", caller]).exits(1);
        }
    }
    assert_eq!(scene.seen(), before);
    assert!(!canary.exists());
}

#[test]
fn attack_07_no_alias_of_the_git_folder_is_pulled() {
    for name in [".git", ".GIT", ".git ", ".git.", "git~1", ".git::$INDEX_ALLOCATION", ".g\u{200c}it", ".."] {
        let scene = scene();
        let before = scene.seen();
        let blob = scene.blob("[core]\n\tfsmonitor = touch canary\n");
        let folder = scene.tree("config", &blob);
        scene.add_entry("main", "40000", "tree", &folder, name);
        scene.add_entry("file", "100644", "blob", &blob, name);
        let nested = scene.tree(name, &blob);
        scene.add_entry("nested", "40000", "tree", &nested, "inner");
        for branch in ["main", "file", "nested"] {
            let source = json!({ "type": "local", "path": "project", "branch": branch });
            scene.pull(&json!({ "source": source })).fails(1);
            scene.pull(&json!({ "source": source, "paths": ["README.md"] })).fails(1);
            let from = format!("local:project#{branch}");
            let first = scene.cli.run(&["-s", "first", "new", "--from", &from, "--paths", "README.md"]);
            first.fails(1);
        }
        assert_eq!(scene.seen(), before, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn attack_08_links_are_never_written_through() {
    let scene = scene();
    let outside = scene.cli.work().join("outside");
    std::fs::create_dir(&outside).unwrap();
    // The file tools do not follow a pulled link anywhere.
    for (name, to) in [("etc", "/etc"), ("up", "../../.."), ("git", ".git"), ("out", outside.to_str().unwrap())] {
        std::os::unix::fs::symlink(to, scene.repo.root().join(name)).unwrap();
    }
    scene.repo.commit("Links");
    scene.pull(&json!({})).ok();
    for path in ["etc/canary", "up/canary", "git/hooks/canary", "out/canary"] {
        scene.cli.call("write_file", &json!({ "path": path, "content": "x" })).fails(1);
    }
    assert!(tree::read(&outside).is_empty());
    // Pulled content replaces the agent's own link, and the link is saved.
    scene.repo.git(&["checkout", "--quiet", "-b", "from"]);
    std::os::unix::fs::symlink("docs", scene.repo.root().join("soon")).unwrap();
    scene.repo.commit("A link to docs");
    scene.pull(&json!({ "source": { "type": "local", "path": "project", "branch": "from" }, "paths": ["soon"] })).ok();
    scene.repo.git(&["checkout", "--quiet", "main"]);
    scene.repo.write("soon/file.md", "upstream\n");
    scene.repo.commit("A folder");
    let files = json!({ "source": { "type": "local", "path": "project", "branch": "main" }, "destZone": "workspace" });
    let pulled = scene.cli.pulled(&files);
    assert!(!pulled["conflicts"].as_array().unwrap().is_empty(), "{pulled}");
    let files = scene.cli.call("list_files", &json!({ "recursive": true })).ok().stdout;
    assert!(files.contains("soon/file.md\n") && files.contains("soon~ours (sandbox)\n"), "{files}");
    assert!(!files.contains("docs/file.md"), "{files}");
}

#[test]
fn attack_09_submodules_are_only_ever_data() {
    let scene = scene();
    let before = scene.seen();
    let to = scene.blob("README.md");
    for name in [".gitmodules", ".GITMODULES", "gitmod~1", ".gitmodules ", ".gitmodules:$DATA"] {
        scene.add_entry("link", "120000", "blob", &to, name);
        let source = json!({ "type": "local", "path": "project", "branch": "link" });
        scene.pull(&json!({ "source": source })).fails(1);
    }
    assert_eq!(scene.seen(), before);
    scene.repo.write(".gitmodules", "[submodule \"../../x\"]\n\tpath = sub\n\turl = .\n\tupdate = !touch canary\n");
    scene.repo.git(&["add", ".gitmodules"]);
    scene.repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", scene.repo.id("main"))]);
    scene.repo.git(&["commit", "--quiet", "-m", "A submodule that traverses and runs"]);
    scene.pull(&json!({})).ok();
    let read = scene.cli.call("read_file", &json!({ "path": ".gitmodules" })).ok().stdout;
    assert_eq!(read, scene.repo.read(".gitmodules"));
    assert_eq!(scene.cli.call("git_status", &json!({})).ok().stdout, "## main...origin/main\n");
    assert!(!scene.cli.work().join("canary").exists() && !scene.repo.root().join("canary").exists());
}

#[cfg(unix)]
#[test]
fn attack_10_nothing_that_a_repository_configures_is_run_by_a_pull() {
    use std::os::unix::fs::PermissionsExt;
    let scene = scene();
    let canary = scene.cli.work().join("canary");
    let run = format!("touch {}", canary.display());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "merge.x.driver",
        "diff.x.textconv",
        "uploadpack.packObjectsHook",
        "gpg.program",
        "credential.helper",
    ] {
        scene.repo.git(&["config", key, &run]);
    }
    scene.repo.git(&["config", "core.hooksPath", "hooks"]);
    for hook in
        ["post-checkout", "post-merge", "pre-push", "reference-transaction", "post-rewrite", "fsmonitor-watchman"]
    {
        for folder in ["hooks", ".git/hooks"] {
            scene.repo.write(&format!("{folder}/{hook}"), &format!("#!/bin/sh\n{run}\n"));
            let path = scene.repo.root().join(folder).join(hook);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    scene.repo.write(".gitattributes", "* filter=x merge=x diff=x\n");
    scene.repo.write("README.md", "# Upstream\n");
    let add = ["-c", "filter.x.clean=cat", "-c", "filter.x.process=", "-c", "core.fsmonitor=false"];
    scene.repo.git(&[&add[..], &["-c", "core.hooksPath=/dev/null", "add", "--all"]].concat());
    scene.repo.git(&[&add[..], &["-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Hostile"]].concat());
    let _ = std::fs::remove_file(&canary);
    let before = tree::read(scene.repo.root());
    scene.cli.call("write_file", &json!({ "path": "README.md", "content": "# Mine\n" })).ok();
    let pulled = scene.cli.pulled(&json!({}));
    assert_eq!(pulled["conflicts"], json!(["/workspace/README.md"]));
    scene.cli.call("git_stage", &json!({ "files": ["README.md"], "message": "Merge" })).ok();
    scene.cli.call("git_diff", &json!({})).ok();
    scene.cli.run(&["-s", "part", "new", "--from", "local:project", "--paths", "README.md"]).ok();
    assert!(!canary.exists());
    assert_same(&before, &tree::read(scene.repo.root()), "the repository");
}

#[test]
fn attack_14_paths_of_a_pull_are_literal() {
    let scene = scene();
    scene.repo.write("[ab].md", "literal\n");
    scene.repo.write("a.md", "a\n");
    scene.repo.commit("Names");
    for path in [":(top)a.md", ":!a.md", ":/a.md", "*.md", "?.md", "a.*"] {
        scene.pull(&json!({ "paths": [path] })).fails(1);
    }
    scene.cli.run(&["-s", "part", "new", "--from", "local:project", "--paths", "[ab].md"]).ok();
    let files = scene.cli.run(&["-s", "part", "call", "list_files", "{}"]).ok().stdout;
    assert_eq!(files, "[ab].md\n");
}

#[test]
fn attack_21_a_pull_that_fails_leaves_nothing_that_every_start_would_read() {
    let scene = scene();
    let stored = || tree::read(&scene.cli.home().join("sandboxes/default/attachments"));
    let before = stored();
    scene.repo.git(&["checkout", "--quiet", "-b", "other"]);
    scene.repo.write("new/file.txt", "new\n");
    scene.repo.commit("Something that comes");
    scene.cli.call("write_file", &json!({ "path": "new", "content": "in the way\n" })).ok();
    let seen = scene.seen();
    let source = json!({ "type": "local", "path": "project", "branch": "other" });
    let pull = json!({ "source": source, "paths": ["new"] });
    for _ in 0..2 {
        scene.pull(&pull).fails(1);
        assert_same(&before, &stored(), "the attachments");
    }
    assert_eq!(scene.seen(), seen);
    scene.cli.call("delete_file", &json!({ "path": "new" })).ok();
    scene.pull(&pull).ok();
    assert!(stored().len() > before.len(), "what a record names is kept");
    assert_eq!(scene.cli.call("read_file", &json!({ "path": "new/file.txt" })).ok().stdout, "new\n");
}
