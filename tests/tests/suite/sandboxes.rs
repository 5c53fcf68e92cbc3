//! Sandboxes on disk: created, listed, removed, and their remains after a failure.

use serde_json::json;
use tests::cli::{Cli, finish};
use tests::repo::Repo;

#[test]
fn sandboxes_are_made_listed_and_removed() {
    let cli = Cli::default();
    cli.repository("project");
    let empty = cli.run(&["ls"]).ok();
    assert_eq!(empty.stdout, "");
    assert!(empty.stderr.contains("run `gitgate new` in a repository"), "who has none learns how to start: {empty:#?}");
    assert_eq!(cli.run(&["ls", "--json"]).ok().stderr, "");
    cli.run(&["-s", "one", "new", "--empty"]).ok();
    let made = cli.run(&["-s", "two", "new", "--from", "project"]).ok().stdout;
    assert!(made.starts_with("Sandbox two: Repository at /workspace on main with "), "{made}");
    assert!(made.lines().count() == 2 && made.contains("\nNobody can commit yet: "), "{made}");
    let listed = cli.run(&["ls"]).ok().stdout;
    let names: Vec<&str> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["one", "two"]);
    assert!(
        listed.contains(&format!("local:{}", cli.work().join("project").canonicalize().unwrap().display())),
        "{listed}"
    );
    cli.run(&["rm", "one"]).ok();
    assert!(!cli.home().join("sandboxes/one").exists());
    assert!(cli.run(&["ls"]).ok().stdout.contains("\ntwo "));
}

#[test]
fn commits_are_by_whoever_the_repository_says() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.git(&["config", "user.name", "Grace"]);
    repo.git(&["config", "user.email", "grace@example.org"]);
    cli.run(&["new", "--from", "local:project"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    let shown = cli.run(&["push", "--to", "local:project"]).exits(3);
    assert!(shown.stdout.contains("Author: Grace <grace@example.org>\n"), "{shown:#?}");
}

#[test]
fn a_ref_with_an_odd_name_is_left_out_and_told() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.git(&["branch", "fix/nul"]);
    repo.git(&["replace", "--graft", "HEAD"]);
    let made = cli.run(&["new", "--from", "local:project", "--identity", "A <a@b>"]).ok();
    assert!(made.stderr.contains("note: skipped: the ref 'refs/heads/fix/nul'"), "{made:#?}");
    let log = cli.structured("git_status", &json!({}));
    assert_eq!(log["unstaged"], json!([]), "what a replacement shows is not what the branch has");
}

#[test]
fn work_that_is_nowhere_else_is_removed_by_force_alone() {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "A <a@b>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    assert!(cli.run(&["rm", "default"]).fails(1).stderr.contains("1 changed file was not pushed"));
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    cli.call("write_file", &json!({ "path": "b", "content": "2\n" })).ok();
    assert!(
        cli.run(&["rm", "default"]).fails(1).stderr.contains("1 proposed commit and 1 changed file were not pushed")
    );
    assert!(cli.run(&["ls"]).ok().stdout.contains("\ndefault "));
    cli.run(&["rm", "default", "--force"]).ok();
    assert_eq!(cli.run(&["ls"]).ok().stdout, "");
}

#[test]
fn what_is_left_of_a_sandbox_can_be_removed() {
    let cli = Cli::default();
    cli.run(&["-s", "one", "new", "--empty"]).ok();
    cli.run(&["-s", "two", "new", "--empty"]).ok();
    let folder = cli.home().join("sandboxes");
    std::fs::write(folder.join("one/journal"), "").unwrap();
    assert!(cli.run(&["-s", "one", "history"]).fails(1).stderr.contains("journal is empty"));
    assert!(
        std::fs::read(folder.join("one/journal")).unwrap().is_empty(),
        "nothing is begun in the place of what was there"
    );
    std::fs::remove_file(folder.join("two/sandbox.toml")).unwrap();
    for name in ["one", "two"] {
        assert!(cli.run(&["-s", name, "new", "--empty"]).fails(1).stderr.contains("rm"));
        cli.run(&["-s", name, "status"]).fails(1);
        cli.run(&["rm", name]).fails(1);
        cli.run(&["rm", name, "--force"]).ok();
        cli.run(&["-s", name, "new", "--empty"]).ok();
    }
}

#[test]
fn the_end_of_a_journal_that_is_cut_off_is_kept_and_told() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    for name in ["a", "b"] {
        cli.call("write_file", &json!({ "path": name, "content": "x\n" })).ok();
    }
    let journal = cli.home().join("sandboxes/default/journal");
    let whole = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &whole[..whole.len() - 1]).unwrap();
    let listed = cli.call("list_files", &json!({})).ok();
    assert!(listed.stdout.contains('a') && !listed.stdout.contains('b'), "{listed:#?}");
    assert!(listed.stderr.contains("journal.torn"), "{listed:#?}");
    let torn = std::fs::read(journal.with_file_name("journal.torn")).unwrap();
    assert!(whole[..whole.len() - 1].ends_with(&torn) && torn.len() > 20);
    assert_eq!(cli.call("list_files", &json!({})).ok().stderr, "");

    std::fs::write(&journal, [&std::fs::read(&journal).unwrap()[..], b"more"].concat()).unwrap();
    assert!(cli.call("list_files", &json!({})).ok().stderr.contains("journal.torn.2"));
    assert_eq!(std::fs::read(journal.with_file_name("journal.torn")).unwrap(), torn, "the first one stays");
    assert_eq!(std::fs::read(journal.with_file_name("journal.torn.2")).unwrap(), b"more");
}

#[test]
fn nothing_is_pushed_or_exported_to_where_it_goes_with_the_sandbox() {
    let cli = Cli::default();
    cli.unattended();
    cli.repository("project");
    // The home's location matters, not its spelling.
    std::os::unix::fs::symlink(cli.home(), cli.folder().join("link")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = cli.command(arguments);
        tests::cli::finish(command.env("GITGATE_HOME", cli.folder().join("link")), b"")
    };
    run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>"]).ok();
    run(&["call", "write_file", "{\"path\": \"a\", \"content\": \"1\\n\"}"]).ok();
    run(&["call", "git_stage", "{\"files\": [\"a\"], \"message\": \"Add\"}"]).ok();
    let inside = cli.home().join("sandboxes/default");
    let bare = inside.join("own.git");
    Repo::at(&cli.work().join("project")).git(&["init", "--quiet", "--bare", bare.to_str().unwrap()]);
    let to = format!("bare:{}", bare.display());
    for arguments in [&["push", "--to", &to, "--yes"][..], &["export", inside.join("a.bundle").to_str().unwrap()]] {
        let refused = run(arguments).exits(1);
        assert!(refused.stderr.contains("is in gitgate's own folder"), "{refused:#?}");
    }
    assert!(!inside.join("a.bundle").exists());
    run(&["rm", "default"]).fails(1);
}

#[test]
fn the_first_command_on_a_machine_says_at_once_why_it_takes_long_and_no_later_one_does() {
    let cli = Cli::default();
    let cache = cli.folder().join("new-cache");
    let run = |arguments: &[&str]| finish(cli.command(arguments).env("XDG_CACHE_HOME", &cache), b"").ok().stderr;
    let first = run(&["new", "--empty"]);
    assert!(first.starts_with("Preparing gitgate for this machine (once, about 10 seconds)\n"), "{first}");
    for later in [&["-s", "other", "new", "--empty"][..], &["status"]] {
        let said = run(later);
        assert!(!said.contains("Preparing"), "{said}");
    }
}

#[test]
fn what_is_wrong_with_the_configuration_is_said_once_however_many_sandboxes_there_are() {
    let cli = Cli::default();
    for name in ["default", "two", "three"] {
        cli.run(&["-s", name, "new", "--empty"]).ok();
    }
    cli.configure_only("misspelt = 1\n");
    for (arguments, code) in [
        (&["status"][..], 2),
        (&["push"], 2),
        (&["-s", "four", "new", "--empty"], 2),
        (&["ls"], 2),
        (&["call", "git_status"], 2),
        // These need no configuration, and do not settle what others have left.
        (&["log"], 0),
        (&["rm", "three", "--force"], 0),
    ] {
        let out = cli.run(arguments).exits(code);
        assert_eq!(out.stderr.matches("unknown field").count(), 1, "{arguments:?}: {out:#?}");
    }
}
