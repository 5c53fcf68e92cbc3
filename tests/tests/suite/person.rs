//! Comforts of the command for a person: it reports waiting calls, and accepts abbreviated input.

use serde_json::json;
use tests::cli::{Cli, finish};
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// Two sandboxes that ask about everything, each with a waiting call.
fn two_that_wait() -> Cli {
    let cli = Cli::default();
    for sandbox in ["one", "two"] {
        cli.run(&["-s", sandbox, "new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
        let write = json!({ "path": "a", "content": "1" }).to_string();
        cli.run(&["-s", sandbox, "call", "write_file", &write]).ok();
        let stage = json!({ "files": ["a"], "message": sandbox }).to_string();
        cli.run(&["-s", sandbox, "call", "git_stage", &stage]).exits(3);
    }
    cli
}

#[test]
fn ls_and_status_say_what_waits() {
    let cli = two_that_wait();
    let list = cli.run(&["ls"]).ok().stdout;
    assert_eq!(list.matches("1 call waits for you: gitgate review").count(), 2, "{list}");
    let status = cli.run(&["-s", "one", "status"]).ok().stdout;
    assert!(status.ends_with("\n1 call waits for you: gitgate -s one review\n"), "{status}");
    cli.run(&["-s", "three", "new", "--empty"]).ok();
    assert!(!cli.run(&["-s", "three", "status"]).ok().stdout.contains("wait"));
}

#[test]
fn review_goes_through_every_sandbox_unless_one_is_named() {
    let cli = two_that_wait();
    let list = finish(&mut cli.typed(&["review"]), b"").ok().stdout;
    assert!(list.starts_with("Sandbox one:\n") && list.contains("\nSandbox two:\n"), "{list}");
    let one = cli.run(&["-s", "one", "review"]).ok().stdout;
    assert!(one.lines().count() == 1 && !one.contains("Sandbox"), "{one}");
    let mut terminal = Terminal::start(&cli.typed(&["review"]), SIZE);
    for _ in 0..2 {
        terminal.sees("[q] later");
        terminal.sees("> ");
        terminal.types("a\n");
    }
    assert_eq!(terminal.ends().0, 0);
    assert_eq!(finish(&mut cli.typed(&["review"]), b"").ok().stdout, "No calls are waiting\n");
}

#[test]
fn many_calls_of_one_kind_are_listed_as_few() {
    let cli = two_that_wait();
    for number in 0..9 {
        let stage = json!({ "files": ["a"], "message": number.to_string() }).to_string();
        cli.run(&["-s", "one", "call", "git_stage", &stage]).exits(3);
    }
    let list = cli.run(&["-s", "one", "review"]).ok().stdout;
    assert_eq!(list.lines().count(), 4, "{list}");
    assert!(list.ends_with("git_stage  … and 7 more of the same\n"), "{list}");
}

#[test]
fn a_push_goes_where_a_person_says_in_their_own_words() {
    let Staged { cli, repo, id, base } = staged();
    let bare = cli.work().join("bare.git");
    repo.bare_clone(&bare);
    let to = |target: &str| cli.run(&["push", &id, "--to", target]);
    for (said, meant) in [
        ("project", "local:"),
        ("./project#topic", "local:"),
        ("bare.git", "bare:"),
        ("origin", "local:"),
        ("local:project", "local:"),
    ] {
        let out = to(said).fails(3).stdout;
        assert!(out.contains(&format!("Target: {meant}")), "{said}: {out}");
    }
    let bare = bare.to_str().unwrap();
    assert!(to(bare).fails(3).stdout.contains("Target: bare:"));
    for (said, words) in [
        ("nowhere", "there is no folder `nowhere`"),
        ("git://example.org/x.git", "nothing protects what goes over git://"),
        ("ext::sh -c x", "names a transport helper"),
    ] {
        let out = to(said);
        assert!(out.code != 0 && out.stderr.contains(words), "{said}: {out:#?}");
    }
    assert_eq!(repo.id("main"), base);
}

#[test]
fn a_person_pulls_with_a_command_of_their_own() {
    let Staged { cli, repo, .. } = staged();
    repo.write("upstream.txt", "new\n");
    repo.commit("Upstream");
    let out = cli.run(&["pull"]).ok().stdout;
    assert!(out.contains("upstream.txt") || out.contains("main"), "{out}");
    assert_eq!(cli.call("read_file", &json!({ "path": "upstream.txt" })).ok().stdout, "new\n");
}

#[test]
fn settings_are_shown_with_where_they_come_from_and_edited_only_into_what_makes_sense() {
    let cli = Cli::default();
    let shown = cli.run(&["config"]).ok().stdout;
    let line = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(shown.starts_with(&format!("{}\n", cli.home().join("gitgate.toml").display())), "{shown}");
    assert!(line("approval.without_terminal = true").ends_with("gitgate.toml"), "{shown}");
    assert!(line("tools.git.timeout_ms = 30000").ends_with("default"), "{shown}");
    let edit = |editor: &str| {
        let mut command = cli.command(&["config", "--edit"]);
        Terminal::start(command.env("EDITOR", editor), SIZE).ends()
    };
    let (code, rest) = edit("printf 'unattended = maybe' >");
    assert!(code == 2 && rest.contains("nothing has changed") && rest.contains("gitgate.toml.rejected"), "{rest}");
    assert_eq!(cli.run(&["config"]).ok().stdout, shown);
    // The next edit continues with the earlier text.
    let (code, rest) = edit("sed -i s/maybe/true/");
    assert!(code == 0 && rest.contains("unattended = true"), "{rest}");
    assert!(!cli.home().join("gitgate.toml.rejected").exists());
    cli.run(&["config", "--edit"]).fails(2);
}
