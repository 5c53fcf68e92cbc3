//! Which sandbox a command is for: the one of the repository that the person stands in.

use std::fs;
use std::path::Path;

use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;
use tests::terminal::{Size, Terminal};

use crate::pushing::digest;

/// Runs a command in `folder`, as a person does who names no sandbox.
fn within(cli: &Cli, folder: &Path, words: &[&str]) -> Out {
    finish(cli.typed(words).current_dir(folder), b"")
}

/// Two repositories with a sandbox each.
fn two() -> (Cli, Repo, Repo) {
    let cli = Cli::default();
    let (one, two) = (cli.repository("one"), cli.repository("two"));
    for name in ["one", "two"] {
        let out = within(&cli, &cli.work().join(name), &["new", "--identity", "Ada <ada@example.org>"]).ok();
        assert!(out.stdout.starts_with(&format!("Sandbox {name}: ")), "{out:#?}");
    }
    (cli, one, two)
}

/// The first line of the status, as it is in `folder`.
fn status(cli: &Cli, folder: &Path) -> String {
    let out = within(cli, folder, &["status"]).ok();
    out.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_command_is_for_the_sandbox_of_the_repository_around_the_current_folder() {
    let (cli, _, _) = two();
    for name in ["one", "two"] {
        let place = cli.work().join(name);
        let expected = format!("Sandbox {name}, from local:{}, branch main", place.display());
        for folder in [place.clone(), place.join("src"), place.join(".git")] {
            assert_eq!(status(&cli, &folder), expected);
        }
    }
    let named = within(&cli, &cli.work().join("one"), &["-s", "two", "status"]).ok();
    assert!(named.stdout.starts_with("Sandbox two, "), "{named:#?}");
    let note = format!(
        "sandbox two belongs to {}, not to {}",
        cli.work().join("two").display(),
        cli.work().join("one").display()
    );
    assert!(named.stderr.contains(&note), "{named:#?}");
}

#[test]
fn a_worktree_has_the_sandbox_of_its_repository_unless_it_has_its_own() {
    let (cli, one, _) = two();
    let linked = cli.work().join("linked");
    one.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    assert!(status(&cli, &linked).starts_with("Sandbox one, "));
    within(&cli, &linked, &["-s", "linked", "new"]).ok();
    assert!(status(&cli, &linked).starts_with("Sandbox linked, "));
    assert!(status(&cli, &cli.work().join("one")).starts_with("Sandbox one, "), "though the other was used last");
}

#[test]
fn of_several_sandboxes_the_one_that_was_used_last_is_taken_and_said() {
    let (cli, _, _) = two();
    let place = cli.work().join("one");
    let again = within(&cli, &place, &["new"]).fails(1);
    assert!(again.stderr.contains("this repository has the sandbox 'one' already"), "{again:#?}");
    within(&cli, &place, &["-s", "fix", "new"]).ok();
    for (name, other) in [("one", "fix"), ("fix", "one"), ("one", "fix")] {
        within(&cli, &place, &["-s", name, "pull"]).ok();
        // Whoever only looks does not work there, and an agent's work is not the person's.
        within(&cli, &place, &["-s", other, "status"]).ok();
        within(&cli, &place, &["-s", other, "call", "write_file", r#"{"path": "a", "content": "1"}"#]).ok();
        let out = within(&cli, &place, &["status"]).ok();
        assert!(out.stdout.starts_with(&format!("Sandbox {name}, ")), "{out:#?}");
        assert!(
            out.stderr.contains(&format!("sandbox {name}, the one you worked on last; -s names another: ")),
            "{out:#?}"
        );
    }
}

#[test]
fn outside_of_any_repository_a_command_is_for_a_sandbox_that_belongs_to_none() {
    let cli = Cli::default();
    let outside = cli.folder().to_owned();
    let none = within(&cli, &outside, &["status"]).fails(1);
    assert!(none.stderr.contains("there is no sandbox\nhint: run `gitgate new` in a repository"), "{none:#?}");
    cli.repository("one");
    within(&cli, &cli.work().join("one"), &["new"]).ok();
    let none = within(&cli, &outside, &["status"]).fails(1);
    assert!(none.stderr.contains("this folder is in no repository") && none.stderr.contains(": one\n"), "{none:#?}");
    within(&cli, &outside, &["-s", "loose", "new", "--empty"]).ok();
    assert!(status(&cli, &outside).starts_with("Sandbox loose, "));
    let other = cli.repository("other");
    other.git(&["status"]);
    let none = within(&cli, &cli.work().join("other"), &["status"]).fails(1);
    assert!(none.stderr.contains("no sandbox belongs to the repository "), "{none:#?}");
    assert!(none.stderr.contains("make one with `gitgate new`, or name one with -s: "), "{none:#?}");
}

#[test]
fn a_new_sandbox_is_of_the_repository_around_and_called_like_its_folder() {
    let cli = Cli::default();
    let outside = within(&cli, cli.folder(), &["new"]).fails(2);
    assert!(outside.stderr.contains("this folder is in no repository"), "{outside:#?}");
    cli.repository("My Project");
    let deep = cli.work().join("My Project/src");
    fs::create_dir_all(&deep).unwrap();
    let out = within(&cli, &deep, &["new", "--from", "."]).ok();
    assert!(out.stdout.starts_with("Sandbox My-Project: "), "{out:#?}");
    // Another folder of that name.
    let other = cli.folder().join("My Project");
    Repo::with_history(&other);
    let out = within(&cli, &other, &["new"]).ok();
    assert!(out.stdout.starts_with("Sandbox My-Project-2: "), "{out:#?}");
    let empty = within(&cli, &other, &["-s", "empty", "new", "--empty"]).ok();
    assert!(empty.stdout.starts_with("Sandbox empty: "), "{empty:#?}");
    assert!(
        empty.stderr.contains("does not belong to the repository in this folder, so only `-s empty`"),
        "{empty:#?}"
    );
}

#[test]
fn what_only_the_environment_names_is_not_pushed_from_another_repository() {
    let (cli, one, two) = two();
    let before = (one.id("main"), two.id("main"));
    for command in [&["push"][..], &["pull"], &["undo"], &["export", "x.bundle"]] {
        let mut run = cli.command(command);
        run.env("GITGATE_SANDBOX", "one").current_dir(cli.work().join("two"));
        let out = finish(&mut run, b"").fails(1);
        assert!(out.stderr.contains("GITGATE_SANDBOX names one, which does not belong to "), "{out:#?}");
    }
    assert_eq!((one.id("main"), two.id("main")), before);
    // Nor does an agent work there.
    for command in [&["call", "git_status"][..], &["call", "sandbox_undo"], &["mcp"]] {
        let mut run = cli.command(command);
        let out = finish(run.env("GITGATE_SANDBOX", "one").current_dir(two.root()), b"").fails(1);
        assert!(out.stderr.contains("GITGATE_SANDBOX names one, which does not belong to "), "{out:#?}");
    }
    // Nor does a person answer what waits there.
    let mut review = cli.command(&["review"]);
    let out = finish(review.env("GITGATE_SANDBOX", "one").current_dir(two.root()), b"").fails(1);
    assert!(out.stderr.contains("GITGATE_SANDBOX names one, which does not belong to "), "{out:#?}");
    // What is set up stays, so it is not set up for another repository's either.
    let mut setup = cli.command(&["setup", "claude-code", "--yes"]);
    let out = finish(setup.env("GITGATE_SANDBOX", "one").current_dir(two.root()), b"").fails(1);
    assert!(out.stderr.contains("GITGATE_SANDBOX names one, which does not belong to "), "{out:#?}");
    assert!(!two.root().join(".mcp.json").exists());
}

#[test]
fn another_repository_at_the_same_place_has_no_sandbox_of_the_former_one() {
    let (cli, one, _) = two();
    let place = one.root().to_owned();
    fs::remove_dir_all(&place).unwrap();
    let other = Repo::init(&place);
    other.write("other.txt", "other\n");
    other.commit("Another history");
    let none = within(&cli, &place, &["push"]).fails(1);
    let words = format!("the sandbox one was made from another repository that was at {} before", place.display());
    assert!(none.stderr.contains("no sandbox belongs to the repository ") && none.stderr.contains(&words), "{none:#?}");
    // By its name it is still there, and says whose it is.
    let named = within(&cli, &place, &["-s", "one", "status"]).ok();
    assert!(named.stderr.contains("sandbox one was made from another repository that was at "), "{named:#?}");
    let pull = within(&cli, &place, &["-s", "one", "pull"]).exits(1);
    assert!(pull.stderr.contains("refusing to merge unrelated histories"), "{pull:#?}");
    let new = within(&cli, &place, &["new"]).ok();
    assert!(new.stdout.starts_with("Sandbox one-2: "), "{new:#?}");
    assert!(status(&cli, &place).starts_with("Sandbox one-2, "));
}

#[test]
fn history_that_is_rewritten_at_its_end_keeps_its_sandbox() {
    let (cli, one, _) = two();
    one.git(&["commit", "--quiet", "--amend", "-m", "Another message"]);
    one.git(&["reflog", "expire", "--expire=now", "--all"]);
    one.git(&["gc", "--quiet", "--prune=now"]);
    let out = within(&cli, one.root(), &["status"]).ok();
    assert!(out.stdout.starts_with("Sandbox one, "), "{out:#?}");
    // A fork that takes its place looks the same, so it is said.
    assert!(out.stderr.contains("its history was rewritten, or it is another one"), "{out:#?}");
}

#[test]
fn a_repository_that_was_moved_finds_its_sandbox_and_is_told_how_to_push() {
    let (cli, one, _) = two();
    let place = cli.work().join("moved");
    fs::rename(one.root(), &place).unwrap();
    let out = within(&cli, &place, &["status"]).ok();
    assert!(out.stdout.starts_with("Sandbox one, ") && out.stderr.contains("which is gone"), "{out:#?}");
    // It may be a copy, so whoever works there has to name the sandbox.
    for command in [&["undo"][..], &["call", "git_status"], &["push"]] {
        let refused = within(&cli, &place, command).fails(1);
        assert!(refused.stderr.contains("say -s one if this repository is the same"), "{refused:#?}");
    }
    within(&cli, &place, &["-s", "one", "call", "write_file", r#"{"path": "a", "content": "1\n"}"#]).ok();
    within(&cli, &place, &["-s", "one", "call", "git_stage", r#"{"files": ["a"], "message": "Add a"}"#]).ok();
    let shown = within(&cli, &place, &["-s", "one", "push", "--to", ".#agent/one"]).exits(3);
    let digest = crate::pushing::digest(&shown);
    within(&cli, &place, &["-s", "one", "push", "--to", ".#agent/one", "--approve", &digest]).ok();
    assert_eq!(Repo::at(&place).git(&["show", "agent/one:a"]), "1");
}

#[test]
fn git_dir_names_the_repository_as_it_does_for_git() {
    let (cli, one, two) = two();
    let mut run = cli.typed(&["status"]);
    let out = finish(run.env("GIT_DIR", one.root().join(".git")).current_dir(two.root()), b"").ok();
    assert!(out.stdout.starts_with("Sandbox one, "), "{out:#?}");
    let note = format!("GIT_DIR names the repository {}", one.root().display());
    assert!(out.stderr.contains(&note), "{out:#?}");
    let mut run = cli.typed(&["status"]);
    let out = finish(run.env("GIT_DIR", ".git").current_dir(two.root()), b"").ok();
    assert!(out.stdout.starts_with("Sandbox two, ") && out.stderr.is_empty(), "{out:#?}");
}

#[test]
fn a_new_sandbox_says_what_it_lacks() {
    let cli = Cli::default();
    let repo = cli.repository("one");
    repo.write("untracked.txt", "nobody asked git to keep it\n");
    let clean = within(&cli, repo.root(), &["-s", "a", "new"]).ok();
    assert!(!clean.stderr.contains("not committed"), "{clean:#?}");
    repo.write("README.md", "changed\n");
    let one = within(&cli, repo.root(), &["-s", "b", "new"]).ok();
    assert!(one.stderr.contains("1 file has changes that are not committed"), "{one:#?}");
    repo.git(&["add", "untracked.txt"]);
    repo.git(&["rm", "--quiet", "--cached", "dos.txt"]);
    let all = within(&cli, repo.root(), &["-s", "c", "new"]).ok();
    assert!(all.stderr.contains("3 files have changes that are not committed"), "{all:#?}");
}

#[cfg(unix)]
#[test]
fn attack_08_what_stands_where_a_file_was_committed_is_not_opened() {
    let cli = Cli::default();
    let repo = cli.repository("one");
    for (path, make) in [("README.md", "mkfifo README.md"), ("dos.txt", "ln -s /dev/zero dos.txt")] {
        fs::remove_file(repo.root().join(path)).unwrap();
        finish(cli.shell("sh", make).current_dir(repo.root()), b"").ok();
    }
    let new = within(&cli, repo.root(), &["new"]).ok();
    assert!(new.stderr.contains("2 files have changes that are not committed"), "{new:#?}");
}

#[test]
fn what_waits_in_this_repository_comes_first_and_the_other_is_said_to_be_another() {
    let (cli, one, two) = two();
    for repo in [&one, &two] {
        let name = repo.root().file_name().unwrap().to_str().unwrap();
        std::fs::write(
            cli.home().join("sandboxes").join(name).join("policy.toml"),
            "[[ask]]\ntool = \"write_file\"\nreason = \"all\"\n",
        )
        .unwrap();
        let write = r#"{"path": "a", "content": "1"}"#;
        within(&cli, repo.root(), &["call", "write_file", write]).exits(3);
    }
    let listed = within(&cli, two.root(), &["review"]).ok().stdout;
    let elsewhere = format!("\nSandbox one, of another repository: {}:\n", one.root().display());
    assert!(listed.starts_with("Sandbox two:\n") && listed.contains(&elsewhere), "{listed}");
    let status = within(&cli, two.root(), &["status"]).ok().stdout;
    assert!(status.ends_with("1 call waits for you: gitgate -s two review\n"), "{status}");
    // No key for the one here answers a call of the other.
    let mut terminal = Terminal::start(cli.typed(&["review"]).current_dir(two.root()), Size { columns: 120, rows: 40 });
    terminal.sees("> ");
    terminal.types("a\n");
    let question = terminal.sees("Review it from here? [y]es [n]o ");
    assert!(question.contains("Approved") && question.contains(elsewhere.trim()), "{question}");
    terminal.types("n\n");
    let (code, rest) = terminal.ends();
    assert_eq!(code, 0, "{rest}");
    let left = within(&cli, two.root(), &["review"]).ok().stdout;
    assert!(left.starts_with(elsewhere.trim_start()) && left.lines().count() == 2, "{left}");
    // One that is named from elsewhere is said to be of elsewhere.
    let id = left.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    let shown = within(&cli, two.root(), &["review", id]).exits(3);
    assert!(shown.stderr.contains("note: sandbox one, of another repository: "), "{shown:#?}");
    let mut terminal =
        Terminal::start(cli.typed(&["review", id]).current_dir(two.root()), Size { columns: 120, rows: 40 });
    let question = terminal.sees("Review it from here? [y]es [n]o ");
    assert!(question.contains("Sandbox one, of another repository: "), "{question}");
    terminal.types("n\n");
    assert_eq!(terminal.ends().0, 3);
    let removed = within(&cli, two.root(), &["rm", "one", "--force"]).ok().stdout;
    assert!(removed.starts_with("Removed one, of another repository: "), "{removed}");
    within(&cli, two.root(), &["-s", "two", "rm", "one"]).fails(2);
}

#[test]
fn an_agent_is_connected_to_the_sandbox_of_the_folder_that_its_program_works_in() {
    let (cli, _, _) = two();
    let shown = within(&cli, &cli.work().join("two"), &["setup", "claude-code", "--print"]).ok();
    assert!(shown.stdout.contains("\"two\"") && !shown.stdout.contains("\"one\""), "{shown:#?}");
    let elsewhere = cli.work().join("one");
    let shown = within(
        &cli,
        &cli.work().join("two"),
        &["setup", "claude-code", "--print", "--project", elsewhere.to_str().unwrap()],
    );
    assert!(shown.ok().stdout.contains("\"one\""));
}

#[test]
fn a_sandbox_of_a_repository_without_a_commit_is_no_other_repositorys() {
    let cli = Cli::default();
    let place = cli.work().join("young");
    let begin = |files: &[&str]| {
        let repo = Repo::init(&place);
        for file in files {
            repo.write(file, "text\n");
            repo.commit(file);
        }
        repo
    };
    begin(&[]);
    within(&cli, &place, &["new", "--identity", "Ada <ada@example.org>"]).ok();
    within(&cli, &place, &["call", "write_file", r#"{"path": "a", "content": "1\n"}"#]).ok();
    within(&cli, &place, &["call", "git_stage", r#"{"files": ["a"], "message": "Add a"}"#]).ok();
    fs::remove_dir_all(&place).unwrap();
    let other = begin(&["theirs"]);
    let looked = within(&cli, &place, &["status"]).ok();
    assert!(looked.stderr.contains("made from a repository without a commit at this place"), "{looked:#?}");
    for words in [&["push", "--to", ".#side"][..], &["pull"]] {
        within(&cli, &place, words).fails(1);
    }
    assert_eq!(other.git(&["branch", "--list", "side"]), "");
    // Once its first push has landed, it is known.
    fs::remove_dir_all(&place).unwrap();
    begin(&[]);
    let shown = digest(&within(&cli, &place, &["push"]).exits(3));
    within(&cli, &place, &["push", "--approve", &shown]).ok();
    let known = within(&cli, &place, &["status"]).ok();
    assert_eq!(known.stderr, "", "{known:#?}");
    fs::remove_dir_all(&place).unwrap();
    begin(&["theirs"]);
    let none = within(&cli, &place, &["status"]).fails(1);
    assert!(none.stderr.contains("made from another repository that was at"), "{none:#?}");
}

#[test]
fn a_sandbox_of_no_repository_that_only_the_environment_names_acts_in_none() {
    let (cli, one, _) = two();
    within(&cli, cli.folder(), &["-s", "loose", "new", "--empty"]).ok();
    let by_variable =
        |words: &[&str]| finish(cli.typed(words).env("GITGATE_SANDBOX", "loose").current_dir(one.root()), b"");
    let refused = by_variable(&["call", "write_file", r#"{"path": "a", "content": "1"}"#]).fails(1);
    assert!(refused.stderr.contains("GITGATE_SANDBOX names loose, which does not belong to "), "{refused:#?}");
    by_variable(&["undo"]).fails(1);
    within(&cli, one.root(), &["-s", "loose", "call", "write_file", r#"{"path": "a", "content": "1"}"#]).ok();
}

#[test]
fn a_git_file_that_leads_nowhere_is_not_outside_of_any_repository() {
    let (cli, one, _) = two();
    within(&cli, cli.folder(), &["-s", "loose", "new", "--empty", "--identity", "Ada <ada@example.org>"]).ok();
    let linked = cli.work().join("linked");
    one.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    fs::rename(cli.work().join("one"), cli.work().join("moved")).unwrap();
    for words in [&["status"][..], &["call", "write_file", r#"{"path": "a", "content": "1"}"#], &["push"]] {
        let refused = within(&cli, &linked, words);
        assert_ne!(refused.code, 0, "{refused:#?}");
        assert!(refused.stderr.contains("linked/.git leads to no repository"), "{refused:#?}");
        assert!(refused.stderr.contains("git worktree repair"), "{refused:#?}");
    }
}

#[test]
fn what_serves_all_sandboxes_takes_no_name_and_a_name_that_is_taken_tells_who_gave_it() {
    let (cli, _, _) = two();
    let refused = within(&cli, &cli.work().join("one"), &["-s", "one", "serve"]).fails(2);
    assert!(refused.stderr.contains("serve has no -s"), "{refused:#?}");
    let mut new = cli.typed(&["new"]);
    new.current_dir(cli.work().join("one")).env("GITGATE_SANDBOX", "two");
    let refused = finish(&mut new, b"");
    assert!(refused.stderr.contains("GITGATE_SANDBOX names it"), "{refused:#?}");
}
