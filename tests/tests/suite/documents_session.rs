//! The session in the root README is real.

use std::path::Path;

use tests::built::workspace;
use tests::cli::{Cli, finish};
use tests::repo::Repo;
use tests::terminal::{Size, Terminal};

/// The output of a session's command at a terminal, where the person approves a push.
fn play(cli: &Cli, folder: &Path, command: &str) -> String {
    let (words, quoted) = command.split_once(" '").unwrap_or((command, ""));
    let arguments: Vec<&str> = words.split(' ').skip(1).chain(quoted.strip_suffix('\'')).collect();
    let mut terminal = Terminal::start(cli.typed(&arguments).current_dir(folder), Size { columns: 80, rows: 24 });
    let mut printed = String::new();
    if arguments == ["push"] {
        printed = terminal.sees("\n> ");
        terminal.types("a\n");
    }
    (printed + &terminal.ends().1).replace("\r\n", "\n")
}

/// The lines of a session that are the same on every machine: ids masked, and without the target's
/// path.
fn comparable(session: &str) -> Vec<String> {
    let is_id = |word: &str| (7..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (mut masked, mut word) = (String::new(), String::new());
    for c in session.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        masked.push_str(if is_id(&word) { "ID" } else { &word });
        masked.push(c);
        word.clear();
    }
    let mut is_target = false;
    let is_shown = |line: &&str| {
        is_target = line.contains("Target: ") || is_target && !line.contains("Commit: ");
        !is_target && !line.starts_with("To local:") && !line.starts_with("# ") && !line.is_empty()
    };
    masked.lines().filter(is_shown).map(str::to_owned).collect()
}

#[test]
fn the_session_of_the_root_readme_happens() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let session = readme.split_once("```console\n").and_then(|(_, rest)| rest.split_once("```"));
    let (session, _) = session.expect("the README shows a session");
    let cli = Cli::default();
    let repo = Repo::init(&cli.work().join("project"));
    repo.write("src/greet.py", "def greet(name):\n    return f\"Hello, {name}!\"\n");
    repo.commit("Begin");
    let new = ["new", "--identity", "Agent <agent@example.org>"];
    finish(cli.typed(&new).current_dir(repo.root()), b"").ok();
    let commands = session.lines().filter_map(|line| line.strip_prefix("$ "));
    let played: String = commands.map(|command| format!("$ {command}\n{}", play(&cli, repo.root(), command))).collect();
    assert_eq!(comparable(&played), comparable(session), "{played}");
    assert_eq!(repo.git(&["log", "-1", "--format=%s", "agent/project"]), "Greet formally");
}
