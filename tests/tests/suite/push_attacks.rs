//! Attacks by hostile content on its way out: refused with a clear error, or harmless, and nothing lost.

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;
use tests::tree;

use crate::pushing::digest;

/// Names that a shell, or git's own command line, would misread.
const NAMES: [&str; 10] = [
    "$(touch pwned)",
    "`touch pwned`",
    "a;touch pwned",
    "a && touch pwned",
    "a|touch pwned",
    "> pwned",
    "--output=pwned",
    "-C",
    "'q' \"q\"",
    "*",
];

/// Configuration keys that name a program which git runs.
const PROGRAMS: [&str; 9] = [
    "core.fsmonitor",
    "core.sshCommand",
    "filter.evil.smudge",
    "filter.evil.clean",
    "diff.evil.textconv",
    "diff.external",
    "merge.evil.driver",
    "core.editor",
    "gpg.program",
];

fn scene() -> (Cli, Repo) {
    let cli = Cli::default();
    let repo = cli.repository("project");
    (cli, repo)
}

fn open(cli: &Cli) {
    cli.run(&["new", "--from", "local:project", "--identity", "$(touch pwned) <`id`@example.org>"]).ok();
}

/// Writes and stages `files`, and returns the id of the commit.
fn stage(cli: &Cli, files: &[(&str, &str)]) -> String {
    for (path, content) in files {
        cli.call("write_file", &json!({ "path": path, "content": content })).ok();
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let staged = cli.structured("git_stage", &json!({ "files": paths, "message": "$(touch pwned)" }));
    staged["id"].as_str().unwrap().to_owned()
}

/// Pushes a commit after showing it.
fn push(cli: &Cli, id: &str, branch: &str) {
    let to = format!("local:project#{branch}");
    let digest = digest(&cli.run(&["push", id, "--to", &to]).exits(3));
    cli.run(&["push", id, "--to", &to, "--approve", &digest]).ok();
}

/// Asserts that no forbidden command left a trace in the test's folder.
fn nothing_ran(cli: &Cli) {
    for (path, _) in tree::read(cli.folder()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(!name.starts_with("pwned"), "something was run: {}", path.display());
    }
}

#[test]
fn attack_04_names_of_files_branches_and_people_are_only_ever_names() {
    let (cli, repo) = scene();
    open(&cli);
    let files: Vec<(&str, &str)> = NAMES.iter().map(|name| (*name, *name)).collect();
    let branch = "$(touch${IFS}pwned);`id`|'q'";
    push(&cli, &stage(&cli, &files), branch);
    nothing_ran(&cli);
    let listed = repo.git(&["ls-tree", "-z", "--name-only", branch]);
    for name in NAMES {
        assert!(listed.split('\0').any(|listed| listed == name), "{name}");
        assert_eq!(repo.git(&["cat-file", "blob", &format!("{branch}:{name}")]), name);
    }
    assert_eq!(
        repo.git(&["log", "-1", "--format=%an <%ae>%n%s", branch]),
        "$(touch pwned) <`id`@example.org>\n$(touch pwned)"
    );
    for name in NAMES {
        let shown = cli.call("read_file", &json!({ "path": name })).ok().stdout;
        assert_eq!(shown, name);
        cli.call("move_file", &json!({ "from": name, "to": format!("{name}.moved") })).ok();
        cli.call("delete_file", &json!({ "path": format!("{name}.moved") })).ok();
    }
    nothing_ran(&cli);
}

#[test]
fn attack_10_nothing_that_a_push_brings_or_its_target_configures_is_run() {
    let (cli, repo) = scene();
    // The target's own programs are for people who use git there.
    let hook = "#!/bin/sh\ntouch \"$(dirname \"$0\")/../pwned\"\n";
    for name in ["pre-receive", "update", "post-receive", "post-update", "reference-transaction", "post-checkout"] {
        let path = format!(".git/hooks/{name}");
        repo.write(&path, hook);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(repo.root().join(path), mode).unwrap();
    }
    let program = format!("touch {}/pwned", repo.path());
    for key in PROGRAMS {
        repo.git(&["config", key, &program]);
    }
    repo.write(".git/info/attributes", "* filter=evil diff=evil merge=evil\n");
    open(&cli);
    let id = stage(
        &cli,
        &[
            (".gitattributes", "*.txt filter=evil diff=evil merge=evil\n"),
            ("evil.txt", "content\n"),
            ("hooks/post-checkout", hook),
            (".githooks/post-checkout", hook),
            (".husky/pre-push", hook),
            (".envrc", "touch pwned\n"),
        ],
    );
    // The checked-out files would pass through the filter.
    let refused = cli.run(&["push", &id, "--to", "local:project"]).exits(4);
    assert!(refused.stdout.contains("which gitgate does not run"), "{refused:#?}");
    push(&cli, &id, "topic");
    nothing_ran(&cli);
    for key in PROGRAMS {
        repo.git(&["config", "--unset", key]);
    }
    assert_eq!(repo.git(&["cat-file", "blob", "topic:evil.txt"]), "content");
}

#[test]
fn attack_11_the_object_store_is_closed_to_the_file_tools_however_it_is_named() {
    let (cli, _repo) = scene();
    open(&cli);
    let history = || cli.call("git_branches", &json!({})).ok().stdout;
    let before = history();
    for git in [".git", ".GIT", "./.git", "/workspace/.git", "docs/../.git", ".git.", ".git ", "git~1", ".g\u{200c}it"]
    {
        for path in ["objects/00/1", "HEAD", "config", "index", "refs/heads/main", "packed-refs", "objects/pack/x.pack"]
        {
            let path = format!("{git}/{path}");
            let fails = |tool: &str, arguments: Value| cli.call(tool, &arguments).fails(1);
            fails("write_file", json!({ "path": path, "content": "x" }));
            fails("read_file", json!({ "path": path }));
            fails("delete_file", json!({ "path": path }));
            fails("move_file", json!({ "from": "README.md", "to": path }));
        }
    }
    assert_eq!(history(), before);
    cli.run(&["fsck"]).ok();
}
