//! `gitgate setup`: its questions, and the person's files before and after.

use std::fs;
use std::os::unix::fs::symlink;

use tests::cli::{Cli, finish};
use tests::terminal::{Size, Terminal};

const SIZE: Size = Size { columns: 120, rows: 40 };

/// A configuration with a server of the person's own.
const MINE: &str = "# mine\n[mcp_servers.db]\ncommand = \"db\"\n";

/// A project with a Codex configuration.
fn project() -> Cli {
    let cli = Cli::default();
    fs::create_dir(cli.work().join(".codex")).unwrap();
    fs::write(cli.work().join(".codex/config.toml"), MINE).unwrap();
    cli
}

fn config(cli: &Cli) -> String {
    fs::read_to_string(cli.work().join(".codex/config.toml")).unwrap()
}

/// Runs `gitgate setup` at a terminal, answers, and returns the exit code and all its output.
fn answered(cli: &Cli, arguments: &[&str], answer: &str) -> (i32, String) {
    let mut terminal = Terminal::start(&cli.command(arguments), SIZE);
    let shown = terminal.sees("Write this? [y]es [n]o ");
    terminal.types(answer);
    let (code, rest) = terminal.ends();
    (code, shown + &rest)
}

#[test]
fn a_person_sees_the_diff_and_nothing_is_written_before_their_yes() {
    let cli = project();
    let (code, shown) = answered(&cli, &["-s", "w1", "setup", "codex"], "n\n");
    assert_eq!((code, config(&cli).as_str()), (3, MINE));
    for line in ["+[mcp_servers.gitgate]", "+shell_tool = false", "+++ ", "There is no sandbox 'w1' yet"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(!cli.work().join("AGENTS.md").exists() && !cli.home().join("setup").exists());
    let (code, shown) = answered(&cli, &["-s", "w1", "setup", "codex"], "y\n");
    assert!(code == 0 && shown.contains("`gitgate setup codex --undo` takes it back"), "{shown}");
    let written = config(&cli);
    assert!(written.starts_with(MINE), "{written}");
    let home = cli.home().display().to_string();
    assert!(written.contains(&format!("args = [\"--home\", \"{home}\", \"-s\", \"w1\", \"mcp\"]")), "{written}");
    let again = cli.run(&["-s", "w1", "setup", "codex"]).ok().stdout;
    assert!(again.contains("already set up"), "{again}");
    let (code, _) = answered(&cli, &["setup", "codex", "--undo"], "y\n");
    assert_eq!((code, config(&cli).as_str()), (0, MINE));
    assert!(!cli.work().join("AGENTS.md").exists());
    assert!(cli.run(&["setup", "codex", "--undo"]).ok().stdout.contains("nothing of gitgate's is set up"));
}

#[test]
fn attack_22_nothing_is_set_up_where_nobody_sits_at_a_terminal() {
    let cli = project();
    cli.configure_only("");
    for arguments in
        [&["setup", "codex"][..], &["setup", "codex", "--yes"], &["setup", "claude-code", "--user", "--yes"]]
    {
        cli.run(arguments).fails(3);
    }
    let shown = cli.run(&["setup", "codex", "--print"]).ok().stdout;
    assert!(shown.contains("+shell_tool = false"), "{shown}");
    assert_eq!(config(&cli), MINE);
    assert!(!cli.work().join("AGENTS.md").exists() && !cli.folder().join(".claude.json").exists());
}

#[test]
fn the_files_that_are_created_are_kept_out_of_git_if_the_person_says_so_and_undo_takes_that_back() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.write("AGENTS.md", "# Rules\n");
    repo.commit("Rules");
    let setup = |arguments: &[&str]| {
        let mut command = cli.command(&[&["setup", "codex"], arguments].concat());
        finish(command.current_dir(repo.root()), b"")
    };
    let exclude = repo.root().join(".git/info/exclude");
    let untracked = || repo.git(&["status", "--porcelain", "--untracked-files=all"]);
    let before = fs::read_to_string(&exclude).ok();

    let shown = setup(&["--print"]).ok().stdout;
    assert!(shown.contains("with --exclude") && !shown.contains("+/.codex"), "{shown}");
    let shown = setup(&["--print", "--exclude"]).ok().stdout;
    assert!(shown.contains("+/.codex/config.toml") && !shown.contains("+/AGENTS.md"), "git tracks it: {shown}");

    setup(&["--yes"]).ok();
    assert_eq!(untracked(), " M AGENTS.md\n?? .codex/config.toml", "left as it is");
    setup(&["--yes", "--exclude"]).ok();
    assert_eq!(untracked(), " M AGENTS.md");
    assert!(setup(&["--yes"]).ok().stdout.contains("already set up"), "what was said once holds");
    setup(&["--yes", "--no-exclude"]).ok();
    assert!(untracked().contains("?? .codex/config.toml"));
    setup(&["--yes", "--exclude"]).ok();
    setup(&["--yes", "--undo"]).ok();
    assert_eq!((untracked().as_str(), fs::read_to_string(&exclude).ok()), ("", before));

    let command = {
        let mut command = cli.command(&["setup", "codex"]);
        command.current_dir(repo.root());
        command
    };
    let mut terminal = Terminal::start(&command, SIZE);
    terminal.sees("Write this? [y]es [n]o ");
    terminal.types("y\n");
    terminal.sees("Keep them out of git, in .git/info/exclude? [y]es [n]o ");
    terminal.types("y\n");
    assert_eq!(terminal.ends().0, 0);
    assert_eq!(untracked(), " M AGENTS.md");
}

#[test]
fn files_outside_of_any_repository_are_excluded_from_none() {
    let cli = project();
    let out = cli.run(&["setup", "codex", "--yes", "--exclude"]).fails(2);
    assert!(out.stderr.contains("no git repository"), "{out:#?}");
    assert_eq!(config(&cli), MINE);
}

#[test]
fn a_users_files_are_set_up_and_come_back() {
    let cli = Cli::default();
    let claude = cli.folder().join(".claude.json");
    fs::write(&claude, "{\"numStartups\": 3}").unwrap();
    cli.run(&["setup", "claude-code", "--user", "--yes"]).ok();
    assert!(fs::read_to_string(&claude).unwrap().contains("\"mcpServers\""));
    assert!(cli.folder().join(".claude/skills/gitgate/SKILL.md").exists());
    cli.run(&["setup", "claude-code", "--user", "--undo", "--yes"]).ok();
    assert_eq!(fs::read_to_string(&claude).unwrap(), "{\"numStartups\": 3}");
    assert!(!cli.folder().join(".claude").exists());
}

#[test]
fn claude_code_is_set_up_where_it_looks() {
    let cli = Cli::default();
    let folder = cli.folder().join("claude-of-work");
    let setup = |arguments: &[&str]| {
        let mut command = cli.command(arguments);
        finish(command.env("CLAUDE_CONFIG_DIR", &folder), b"").ok()
    };
    setup(&["setup", "claude-code", "--user", "--yes"]);
    for file in [".claude.json", "settings.json", "skills/gitgate/SKILL.md"] {
        assert!(folder.join(file).exists(), "{file}");
    }
    assert!(!cli.folder().join(".claude.json").exists() && !cli.folder().join(".claude").exists());
    setup(&["setup", "claude-code", "--user", "--undo", "--yes"]);
    assert!(!folder.exists());
}

#[test]
fn a_file_that_makes_no_sense_is_named_and_nothing_is_written() {
    let cli = project();
    fs::write(cli.work().join(".codex/config.toml"), "model = ").unwrap();
    let out = cli.run(&["setup", "codex", "--yes"]).fails(2);
    assert!(out.stderr.contains("config.toml is not TOML"), "{out:#?}");
    assert_eq!(config(&cli), "model = ");
    assert!(!cli.work().join("AGENTS.md").exists() && !cli.home().join("setup").exists());
}

#[test]
fn attack_08_a_link_is_written_through_only_where_it_was_shown() {
    let cli = Cli::default();
    fs::write(cli.folder().join("outside.md"), "outside\n").unwrap();
    symlink(cli.folder().join("outside.md"), cli.work().join("AGENTS.md")).unwrap();
    let out = cli.run(&["setup", "codex", "--yes"]).fails(1);
    assert!(out.stderr.contains("is a link that leads out of the project"), "{out:#?}");
    fs::remove_file(cli.work().join("AGENTS.md")).unwrap();
    fs::write(cli.work().join("RULES.md"), "rules\n").unwrap();
    symlink("RULES.md", cli.work().join("AGENTS.md")).unwrap();
    cli.run(&["setup", "codex", "--yes"]).fails(3);
    assert_eq!(fs::read_to_string(cli.work().join("RULES.md")).unwrap(), "rules\n");
    let (code, shown) = answered(&cli, &["setup", "codex"], "y\n");
    assert!(code == 0 && shown.contains("RULES.md\r\n"), "{shown}");
    assert!(fs::read_to_string(cli.work().join("RULES.md")).unwrap().starts_with("rules\n\n<!-- gitgate: begin"));
    assert_eq!(fs::read_to_string(cli.folder().join("outside.md")).unwrap(), "outside\n");
}

#[test]
fn a_folder_that_an_agent_writes_to_is_no_place_for_its_clients_files() {
    let cli = Cli::default();
    let folder = cli.work().join("on-disk");
    cli.run(&["new", "--on-disk", folder.to_str().unwrap()]).ok();
    let out = cli.run(&["setup", "codex", "--project", folder.to_str().unwrap(), "--yes"]).fails(1);
    assert!(out.stderr.contains("is in the folder of the sandbox 'default'"), "{out:#?}");
}
