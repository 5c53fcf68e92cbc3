//! The first push into a repository without commits, and new branches.

use serde_json::json;
use tests::cli::Cli;
use tests::repo::Repo;

use crate::pushing::{digest, more};

/// A sandbox from an empty repository `empty`, with two commits, and the id of the second.
fn begun(bare: bool) -> (Cli, Repo, String) {
    let cli = Cli::default();
    let root = cli.work().join("empty");
    let repo = match bare {
        false => Repo::init(&root),
        true => {
            Repo::init(&cli.work().join("none")).git(&["clone", "--quiet", "--bare", ".", "../empty"]);
            let repo = Repo::at(&root);
            repo.git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
            repo
        }
    };
    let from = if bare { "bare:empty" } else { "local:empty" };
    cli.run(&["new", "--from", from, "--identity", "Ada Example <ada@example.org>"]).ok();
    let status = cli.call("git_status", &json!({})).ok();
    assert!(status.stdout.starts_with("## No commits yet on main"), "{status:#?}");
    more(&cli, "first.md", "First");
    let id = more(&cli, "folder/second.md", "Second");
    (cli, repo, id)
}

/// Shows and approves a push, which says that it creates `branch`.
#[track_caller]
fn makes(cli: &Cli, branch: &str, arguments: &[&str]) {
    let push = [&["push"], arguments].concat();
    let out = cli.run(&push).fails(3);
    assert!(out.stdout.contains(&format!("new branch: {branch}\n")), "{out:#?}");
    let landed = cli.run(&[&push[..], &["--approve", &digest(&out)]].concat()).ok();
    assert!(landed.stdout.contains(&format!(" * [new branch]      {branch} -> {branch}\n")), "{landed:#?}");
}

#[test]
fn the_first_push_to_an_empty_repository_checks_its_branch_out() {
    let (cli, repo, id) = begun(false);
    makes(&cli, "main", &[&id]);
    assert_eq!(repo.git(&["log", "--format=%s"]), "Second\nFirst");
    assert_eq!(repo.git(&["status", "--porcelain", "--branch"]), "## main");
    assert_eq!((repo.read("first.md").as_str(), repo.read("folder/second.md").as_str()), ("First", "Second"));
    repo.is_sound();
    assert_eq!(cli.structured("git_status", &json!({}))["staged"], json!([]));
    assert_eq!(cli.run(&["push", &id]).ok().stdout, "Everything up-to-date\n");
}

#[test]
fn the_first_push_to_an_empty_bare_repository_makes_the_branch_of_its_head() {
    let (cli, repo, id) = begun(true);
    makes(&cli, "main", &[&id]);
    assert_eq!(repo.git(&["log", "--format=%s", "HEAD"]), "Second\nFirst");
    repo.is_sound();
    let clone = cli.work().join("clone");
    repo.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    assert_eq!(Repo::at(&clone).read("folder/second.md"), "Second");
}

#[test]
fn another_branch_of_an_empty_repository_leaves_its_worktree_and_head_alone() {
    for bare in [false, true] {
        let (cli, repo, id) = begun(bare);
        let to = if bare { "bare:empty#topic/x" } else { "local:empty#topic/x" };
        makes(&cli, "topic/x", &[&id, "--to", to]);
        assert_eq!(repo.git(&["log", "--format=%s", "topic/x"]), "Second\nFirst");
        assert_eq!(repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
        assert!(!repo.try_git(&["rev-parse", "--verify", "--quiet", "main"], b"").success);
        assert!(!repo.root().join("first.md").exists());
        repo.is_sound();
        // Then its own branch, for which no new object is sent.
        makes(&cli, "main", &[&id, "--to", to.split('#').next().unwrap()]);
        assert_eq!(repo.id("main"), repo.id("topic/x"));
        repo.is_sound();
    }
}

#[test]
fn one_commit_by_itself_can_be_the_first_one_of_a_repository() {
    for bare in [false, true] {
        let (cli, repo, id) = begun(bare);
        makes(&cli, "main", &[&id, "--only"]);
        assert_eq!(repo.git(&["log", "--format=%s %P", "main"]), "Second ");
        assert_eq!(repo.git(&["ls-tree", "-r", "--name-only", "main"]), "folder/second.md");
        if !bare {
            assert_eq!(repo.git(&["status", "--porcelain"]), "");
        }
        repo.is_sound();
        assert_eq!(cli.structured("git_status", &json!({}))["staged"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_file_of_the_persons_in_an_empty_repository_is_not_overwritten() {
    let (cli, repo, id) = begun(false);
    repo.write("first.md", "mine\n");
    let out = cli.run(&["push", &id]).exits(4);
    assert!(out.stdout.contains("first.md"), "{out:#?}");
    assert_eq!(repo.read("first.md"), "mine\n");
    assert!(!repo.try_git(&["rev-parse", "--verify", "--quiet", "main"], b"").success);
}
