//! Sandboxes with a part of a repository: some of its paths, or some of its history.

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;

use crate::pulling::Scene;

/// Every tool of an agent, in a sandbox with three paths.
#[test]
fn a_sparse_sandbox_has_the_paths_that_were_named_and_every_tool_works_in_it() {
    let scene = Scene::new(&["--paths", "docs", "--paths", "README.md", "--paths", "run.sh"]);
    let Scene { cli, repo } = &scene;
    let files = cli.call("list_files", &json!({ "recursive": true })).ok().stdout;
    assert_eq!(files, "README.md\ndocs/\ndocs/latest\ndocs/notes of a day.txt\nrun.sh\n");
    let clone = Repo::at(&cli.work().join("clone"));
    repo.git(&["clone", "--quiet", "--depth=1", &format!("file://{}", repo.path()), "../clone"]);
    clone.git(&["sparse-checkout", "set", "--no-cone", "/docs", "/README.md", "/run.sh"]);
    assert_eq!(cli.call("git_status", &json!({ "porcelain": false })).ok().stdout.trim_end(), clone.git(&["status"]));

    // Anything outside is fetched when needed: here to show a deleted file, and to merge.
    let diff = cli.call("git_diff", &json!({ "from_ref": "HEAD" })).ok();
    assert_eq!(diff.stdout, "");
    scene.write("src/main.rs", "fn main() {}\n");
    let said = cli.call("git_diff", &json!({ "paths": ["src"] })).ok().stdout;
    clone.write("src/main.rs", "fn main() {}\n");
    clone.git(&["update-index", "--no-skip-worktree", "src/main.rs"]);
    assert_eq!(said.trim_end(), clone.git(&["diff", "--", "src"]));

    let id = scene.stage("src/main.rs", "Do nothing");
    scene.write("docs/new.md", "new\n");
    let second = scene.stage("docs", "Add a page");
    assert_eq!(scene.status()["staged"].as_array().unwrap().len(), 2);
    cli.call("git_diff", &json!({ "commitId": id })).ok();
    cli.call("git_discard", &json!({ "commitId": id })).ok();
    cli.call("search_files", &json!({ "pattern": "new" })).ok();
    cli.call("move_file", &json!({ "from": "docs/new.md", "to": "docs/newer.md" })).ok();
    cli.call("git_branches", &json!({})).ok();
    repo.write("src/numbers.rs", "// none\n");
    repo.write("docs/notes of a day.txt", "first\nsecond\nlast\n");
    repo.commit("Upstream");
    let pulled = scene.pull(json!({}));
    assert_eq!(pulled["pulled"], json!(["/workspace/docs/notes of a day.txt"]));
    let more = scene.pull(json!({ "paths": ["dos.txt", "src/numbers.rs"] }));
    assert_eq!(more["pulled"], json!(["/workspace/dos.txt", "/workspace/src/numbers.rs"]));
    assert_eq!(scene.read("dos.txt"), "one\r\ntwo\r\n");
    cli.run(&["push", &second, "--to", "local:project", "--yes"]).ok();
    assert_eq!(repo.read("docs/new.md"), "new\n");
    assert_eq!(repo.git(&["log", "-2", "--format=%s"]), "Add a page\nUpstream");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.is_sound();
}

#[test]
fn a_shallow_sandbox_has_as_much_history_as_was_asked_for() {
    let scene = Scene::new(&["--depth", "3"]);
    assert_eq!(scene.read("src/main.rs"), scene.repo.read("src/main.rs"));
    let clone = Repo::at(&scene.cli.work().join("clone"));
    scene.repo.git(&["clone", "--quiet", "--depth=3", &format!("file://{}", scene.repo.path()), "../clone"]);
    assert_eq!(scene.cli.call("git_status", &json!({})).ok().stdout.trim_end(), clone.git(&["status", "-sb"]));
    let diff = |revision: &str| scene.cli.call("git_diff", &json!({ "from_ref": revision, "to_ref": "HEAD" }));
    assert_eq!(diff("HEAD~2").ok().stdout.trim_end(), clone.git(&["diff", "HEAD~2", "HEAD"]));
    diff("HEAD~3").fails(1);
    scene.write("new.md", "new\n");
    let id = scene.stage("new.md", "New");
    scene.repo.write("upstream.md", "upstream\n");
    scene.repo.commit("Upstream");
    scene.pull(json!({}));
    scene.cli.run(&["push", &id, "--to", "local:project", "--yes"]).ok();
    assert_eq!(scene.repo.git(&["log", "-2", "--format=%s"]), "New\nUpstream");
    scene.repo.is_sound();
}

/// The bytes of a sandbox: its journal and its packs.
fn held(cli: &Cli) -> u64 {
    let mut folders = vec![cli.home()];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => bytes += entry.metadata().unwrap().len(),
            }
        }
    }
    bytes
}

/// A repository of 10,000 files in 500 folders, 50 MB.
fn large(cli: &Cli) -> Repo {
    let repo = Repo::init(&cli.work().join("project"));
    let mut random = fastrand::Rng::with_seed(10);
    let mut stream = Vec::new();
    stream.extend_from_slice(b"commit refs/heads/main\ncommitter A <a@example.org> 1767225600 +0000\ndata 5\nBegin");
    for number in 0..10_000 {
        let content: Vec<u8> = (0..5_000).map(|_| random.alphanumeric() as u8).collect();
        let (folder, part) = (number % 500, number / 500);
        let head = format!(
            "\nM 100644 inline dir{:02}/sub{:02}/file{part:02}.txt\ndata {}\n",
            folder / 25,
            folder % 25,
            content.len()
        );
        stream.extend_from_slice(head.as_bytes());
        stream.extend_from_slice(&content);
    }
    stream.push(b'\n');
    assert!(repo.try_git(&["fast-import", "--quiet"], &stream).success);
    repo.git(&["reset", "--quiet", "--hard"]);
    repo
}

#[test]
fn a_sandbox_on_three_paths_of_a_large_repository_is_small() {
    let cli = Cli::default();
    let repo = large(&cli);
    cli.unattended();
    let paths = ["--paths", "dir00/sub00", "--paths", "dir07/sub07/file07.txt", "--paths", "dir19/sub24"];
    let new = ["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"];
    cli.run(&[&new[..], &paths[..]].concat()).ok();
    let scene = Scene { cli, repo };
    const MOST: u64 = 5_000_000;
    assert!(held(&scene.cli) < MOST, "{}", held(&scene.cli));
    assert_eq!(scene.cli.call("git_status", &json!({})).ok().stdout, "## main...origin/main\n");
    scene.write("dir07/sub07/file07.txt", "seven\n");
    let id = scene.stage("dir07/sub07/file07.txt", "Seven");
    scene.write("dir03/sub03/new.txt", "new\n");
    scene.cli.call("git_diff", &json!({})).ok();
    scene.repo.write("dir07/sub07/file07.txt", "7\n");
    scene.repo.write("dir00/sub00/file00.txt", "0\n");
    scene.repo.git(&["rm", "--quiet", "-r", "dir10"]);
    scene.repo.commit("Upstream");
    let pulled = scene.pull(json!({}));
    assert_eq!(pulled["pulled"], json!(["/workspace/dir00/sub00/file00.txt", "/workspace/dir07/sub07/file07.txt"]));
    assert_eq!(pulled["unstaged"][0]["id"], json!(id));
    scene.write("dir07/sub07/file07.txt", "seven, 7\n");
    let id = scene.stage("dir07/sub07/file07.txt", "Seven");
    let missing = scene.cli.call("read_file", &json!({ "path": "dir05/sub05/file05.txt" })).exits(1);
    assert!(missing.stderr.contains("git_pull with paths [\"dir05/sub05/file05.txt\"] to bring it in"), "{missing:#?}");
    scene.pull(json!({ "paths": ["dir05/sub05/file05.txt"] }));
    assert_eq!(scene.read("dir05/sub05/file05.txt"), scene.repo.read("dir05/sub05/file05.txt"));
    scene.cli.run(&["push", &id, "--to", "local:project", "--yes"]).ok();
    assert_eq!(scene.repo.git(&["show", "--stat=80", "--format=%s"]).lines().count(), 4);
    assert!(held(&scene.cli) < MOST, "{}", held(&scene.cli));
    scene.repo.is_sound();
}

#[test]
fn a_shallow_sandbox_pushes_where_its_history_is_and_a_sparse_one_gets_what_it_is_without() {
    let scene = Scene::new(&["--depth", "1"]);
    let (cli, repo) = (&scene.cli, &scene.repo);
    let backup = Repo::at(&cli.work().join("backup.git"));
    std::fs::create_dir(backup.root()).unwrap();
    backup.git(&["init", "--quiet", "--bare", "-b", "main"]);
    scene.write("new.md", "new\n");
    let id = scene.stage("new.md", "New");
    let refused = cli.run(&["push", &id, "--to", "bare:backup.git", "--yes"]).fails(1);
    assert!(refused.stderr.contains("has the history before"), "{refused:#?}");
    cli.run(&["push", &id, "--to", "local:project", "--yes"]).ok();

    let sparse = |arguments: &[&str]| cli.run(&[&["-s", "sparse"], arguments].concat()).ok();
    sparse(&["new", "--from", "local:project", "--paths", "docs", "--depth", "100", "--identity", "A <a@example.org>"]);
    sparse(&["call", "write_file", r#"{"path": "docs/new.md", "content": "new\n"}"#]);
    sparse(&["call", "git_stage", r#"{"files": ["docs/new.md"], "message": "More"}"#, "--yes"]);
    sparse(&["push", "HEAD", "--to", "bare:backup.git", "--yes"]);
    assert_eq!(backup.git(&["log", "--format=%T", "main~1"]), repo.git(&["log", "--format=%T", "main"]));
    backup.is_sound();
    repo.is_sound();
}

#[test]
fn a_part_that_was_taken_back_does_not_make_the_whole_shallow() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    cli.run(&["new", "--empty", "--identity", "Ada <ada@example.org>"]).ok();
    let source = json!({ "type": "local", "path": "project" });
    let pull = |mut arguments: Value| {
        arguments["source"] = source.clone();
        cli.run(&["call", "git_pull", &arguments.to_string(), "--as", "user"]).ok()
    };
    pull(json!({ "paths": ["docs"] }));
    cli.run(&["undo"]).ok();
    assert_eq!(cli.call("list_files", &json!({})).ok().stdout, "");
    pull(json!({}));
    let diff = cli.call("git_diff", &json!({ "from_ref": "HEAD~4", "to_ref": "HEAD" })).ok().stdout;
    assert_eq!(diff.trim_end(), repo.git(&["diff", "main~4", "main"]));
    assert_eq!(cli.call("git_status", &json!({})).ok().stdout, "## main...origin/main\n");
}

#[test]
fn a_sparse_sandbox_converts_a_file_by_rules_that_it_is_without() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.write("src/.gitattributes", "*.txt text eol=crlf\n");
    repo.commit("Rules");
    repo.git(&["checkout", "--quiet", "-b", "templates"]);
    repo.write("src/new.txt", "new\n");
    repo.commit("A file that they are for");
    repo.git(&["checkout", "--quiet", "main"]);
    cli.run(&["new", "--from", "local:project", "--paths", "docs", "--identity", "Ada <ada@example.org>"]).ok();
    let source = json!({ "type": "local", "path": "project", "branch": "templates" });
    cli.structured("git_pull", &json!({ "source": source, "paths": ["src/new.txt"] }));
    assert_eq!(cli.structured("read_file", &json!({ "path": "src/new.txt" }))["content"], "new\r\n");
}
