//! Where the token comes from.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use trial::http::{Reply, Server};

use super::super::environment::{API_URL, PATH, TOKEN};
use super::super::gh;
use super::{Client, Environment, PATIENT, SECRET, get};
use crate::error::{ErrorKind, Result};
use crate::sandbox::Clock;

const FROM_GH: &str = "gho_from_the_cli";
const LONG: Duration = Duration::from_secs(60);

/// A program `gh` in a folder of its own. A shell writes it: had this process ever opened it for
/// writing, a child of another test could still hold it open, and it could not be run.
fn program(script: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gh");
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod +x "$2""#;
    let status = Command::new("sh").args(["-c", write, "sh", script]).arg(file).status().unwrap();
    assert!(status.success());
    folder
}

fn path(folder: &Path) -> String {
    format!("{}:/usr/bin:/bin", folder.display())
}

/// What a server sees of a client whose path and token these are.
fn token(path: &str, token: Option<&str>) -> Result<Option<String>> {
    let server = Server::script([Reply::new(200, "{}")]);
    let url = server.url();
    let variables = [(PATH, path), (API_URL, url.as_str())].into_iter().chain(token.map(|token| (TOKEN, token)));
    Client::with(Clock::default(), Environment::of(variables), PATIENT).send(&get("/user"))?.unwrap();
    Ok(server.seen()[0].header("authorization").map(str::to_owned))
}

#[test]
fn a_variable_goes_before_the_cli() {
    let folder = program(&format!("echo {FROM_GH}"));
    let path = path(folder.path());
    assert_eq!(token(&path, Some(SECRET)), Ok(Some(format!("Bearer {SECRET}"))));
    assert_eq!(token(&path, None), Ok(Some(format!("Bearer {FROM_GH}"))));
}

#[test]
fn without_a_token_the_error_says_what_to_do() {
    let fails = program("echo nonsense; exit 1");
    let absent = tempfile::tempdir().unwrap();
    for folder in [&fails, &absent] {
        let path = folder.path().to_str().unwrap();
        let error = token(path, None).unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str(), crate::screen::hint::words(&error.hint).as_str()),
            (
                ErrorKind::Usage,
                "GitHub authentication required",
                "Either: set the GITHUB_TOKEN environment variable, or run `gh auth login` to authenticate with \
                 GitHub CLI"
            )
        );
    }
}

#[test]
fn attack_13_a_value_that_is_no_token_is_refused_and_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let long = "hunter2".repeat(1000);
    for value in ["", " ", "\t\n", "hunter2 x", "hunter2\n", "hunter2\r\nx: y", "hunter2\u{7f}", "hünter2", &long] {
        let error = token(path, Some(value)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Usage, "{value:?}");
        let text = format!("{error:?}");
        assert!(!text.contains("hunter2") && !text.contains("hünter2"), "{text}");
    }
    let folder = program("echo hunter2; echo hunter2");
    let error = token(&self::path(folder.path()), None).unwrap_err();
    assert_eq!(error.message, "the GitHub token from `gh auth token` has characters that no token has");
}

#[test]
fn the_cli_is_asked_for_this_server_with_little_of_the_environment() {
    let folder = program(r#"echo "$@"; pwd; env"#);
    let path = path(folder.path());
    let environment = Environment::of([(PATH, path.as_str()), ("HOME", "/home/ada"), (API_URL, "https://h")]);
    let said = gh::token(&environment, "example.com", LONG, &Clock::default()).unwrap().unwrap();
    let mut lines = said.lines();
    assert_eq!((lines.next(), lines.next()), (Some("auth token --hostname example.com"), Some("/")));
    let names: Vec<&str> = lines.filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert!(names.contains(&"HOME") && names.contains(&"GH_PROMPT_DISABLED"), "{names:?}");
    assert!(!names.contains(&"CARGO_MANIFEST_DIR") && !names.contains(&API_URL), "{names:?}");
}

#[test]
fn attack_10_no_program_of_the_current_folder_is_run() {
    let folder = program(&format!("echo {FROM_GH}"));
    let absolute = folder.path().to_str().unwrap();
    let relative = format!("{}{}", "../".repeat(64), absolute.trim_start_matches('/'));
    assert!(Path::new(&relative).join("gh").exists());
    let ask = |path: &str| gh::token(&Environment::of([(PATH, path)]), "h", LONG, &Clock::default());
    for path in [&relative, "", ".", ":", &format!(":{relative}:.")] {
        assert_eq!(ask(path), Ok(None), "{path}");
    }
    assert_eq!(ask(&format!("{relative}:{absolute}")), Ok(Some(format!("{FROM_GH}\n"))));
}

#[test]
fn a_cli_that_does_not_end_is_not_waited_for() {
    let folder = program(&format!("echo {FROM_GH}; exec sleep 600"));
    let environment = Environment::of([(PATH, path(folder.path()))]);
    let limit = Duration::from_millis(100);
    assert_eq!(gh::token(&environment, "h", limit, &Clock::default()), Ok(None));
    let clock = Clock::default();
    clock.cancel();
    let error = gh::token(&environment, "h", LONG, &clock).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
}
