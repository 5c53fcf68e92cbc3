//! A shell does not give an agent the person's authority.

use serde_json::json;
use tests::cli::{Cli, Out};
use tests::terminal::{Size, Terminal};

use crate::pushing::{Staged, digest, staged};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// A staged commit in the home of a person whose only configuration is that agents may propose pushes.
fn default_home() -> Staged {
    let staged = staged();
    staged.cli.configure_only("[tools.git]\npush = \"assisted\"\n");
    staged
}

/// The digest of the push, which the person saw at their terminal.
fn seen(cli: &Cli, id: &str) -> String {
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let shown = digest(&cli.run(&["push", id]).fails(3));
    cli.configure_only("[tools.git]\npush = \"assisted\"\n");
    shown
}

#[track_caller]
fn needs_a_terminal(out: Out) {
    let out = out.exits(3);
    assert!((out.stdout.clone() + &out.stderr).contains("only a person at a terminal can"), "{out:#?}");
}

#[test]
fn attack_22_no_option_decides_where_nobody_sits_at_a_terminal() {
    let Staged { cli, repo, id, base } = default_home();
    let shown = seen(&cli, &id);
    let out = cli.run(&["push", &id]).fails(3);
    assert!(!(out.stdout.clone() + &out.stderr).contains(&shown), "whoever cannot approve need not know: {out:#?}");
    needs_a_terminal(cli.run(&["push", &id, "--approve", &shown]));
    needs_a_terminal(cli.run(&["push", &id, "--yes"]));
    let proposed = json!({ "commitId": id }).to_string();
    cli.run(&["call", "git_push", &proposed]).fails(3);
    let list = cli.run(&["review"]).ok().stdout;
    let waiting = list.split_whitespace().next().unwrap();
    needs_a_terminal(cli.run(&["review", waiting, "--approve", &shown]));
    needs_a_terminal(cli.run(&["review", waiting, "--yes"]));
    needs_a_terminal(cli.run(&["review", waiting, "--reject", "no"]));
    needs_a_terminal(cli.run(&["call", "git_status", "{}", "--yes"]));
    needs_a_terminal(cli.run(&["call", "git_status", "{}", "--as", "user"]));
    needs_a_terminal(cli.run_with(&["call", "--batch", "--as", "user"], b"{\"tool\": \"git_status\"}\n"));
    for edit in [["--leave-out", "README.md"], ["--leave-out-hunks", "README.md:1"], ["--message", "Mine"]] {
        needs_a_terminal(cli.run(&[&["push", &id][..], &edit].concat()));
    }
    needs_a_terminal(cli.run(&["settle"]));
    assert_eq!(repo.id("main"), base);
    assert_eq!(cli.run(&["log"]).ok().stdout, "", "nothing was decided");
    let status = cli.run(&["status"]).ok().stdout;
    assert!(status.contains("Tell of the past") && !status.contains("Mine"), "the commits are as they were: {status}");
}

#[test]
fn an_edit_that_fails_is_no_decision() {
    let Staged { cli, id, .. } = default_home();
    let edited = |message: &str| {
        let command = cli.command(&["push", &id, "--leave-out", message]);
        Terminal::start(&command, SIZE)
    };
    let (code, said) = edited("nothing/there.md").ends();
    assert!(code != 0 && said.contains("nothing/there.md"), "{code} {said}");
    assert_eq!(cli.run(&["log"]).ok().stdout, "", "nothing was edited");
    let mut terminal = edited("dos.txt");
    terminal.sees("[q] later");
    terminal.sees("> ");
    terminal.types("q\n");
    terminal.ends();
    let log = cli.run(&["log"]).ok().stdout;
    assert!(log.contains("leave out dos.txt") && log.contains("on the command line"), "{log}");
}

#[test]
fn a_person_who_says_so_lets_scripts_decide() {
    let Staged { cli, repo, id, base } = default_home();
    cli.configure_only("[approval]\nwithout_terminal = true\n");
    let shown = digest(&cli.run(&["push", &id]).fails(3));
    cli.run(&["push", &id, "--approve", &shown]).ok();
    assert_ne!(repo.id("main"), base);
}

#[test]
fn at_a_terminal_options_decide() {
    let Staged { cli, id, .. } = default_home();
    let shown = seen(&cli, &id);
    let terminal = Terminal::start(&cli.command(&["push", &id, "--approve", &shown]), SIZE);
    assert_eq!(terminal.ends().0, 0);
    let terminal = Terminal::start(&cli.command(&["call", "git_status", "{}", "--as", "user"]), SIZE);
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn attack_22_what_an_agents_call_returns_says_nothing_about_approving() {
    let Staged { cli, id, .. } = default_home();
    let proposed = json!({ "commitId": id }).to_string();
    let line = format!("{{\"tool\": \"git_push\", \"arguments\": {proposed}}}\n");
    for out in [
        cli.run(&["call", "git_push", &proposed]),
        cli.run(&["call", "git_push", &proposed, "--json"]),
        cli.run_with(&["call", "--batch"], line.as_bytes()),
    ] {
        let said = out.stdout.clone() + &out.stderr;
        assert!(said.contains("Tell the user that it waits for their approval"), "{out:#?}");
        for word in ["--approve", "--yes", "`gitgate", "igest", "gitgate review"] {
            assert!(!said.contains(word), "{word}: {out:#?}");
        }
    }
}

#[test]
fn attack_01_what_an_agent_names_is_no_option() {
    let cli = Cli::default();
    for sandbox in ["w1", "w2"] {
        cli.run(&["-s", sandbox, "new", "--empty"]).ok();
        cli.run(&["-s", sandbox, "call", "write_file", &json!({ "path": "a", "content": sandbox }).to_string()]).ok();
    }
    let read = json!({ "path": "a" }).to_string();
    for (tool, arguments) in [("--sandbox=w1", "read_file"), ("-sw1", "git_status"), ("read_file", "--sandbox=w1")] {
        let out = cli.run(&["-s", "w2", "call", tool, arguments]).exits(2);
        assert!(out.stdout.is_empty() && out.stderr.contains("options come after"), "{out:#?}");
    }
    assert_eq!(cli.run(&["-s", "w2", "call", "read_file", &read]).ok().stdout, "w2");
}
