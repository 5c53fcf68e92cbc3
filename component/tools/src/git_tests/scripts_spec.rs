//! Scripts that call git, in real bash with real git and in `bash`: the same output, exit code, files, history and status.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::call::Moment;
use crate::options::Identity;
use crate::testing::{Sandbox, git, git_command};

/// The scripts, each below a line that names it.
const SCRIPTS: &str = include_str!("scripts_spec/scripts.sh");

/// The time of every commit that a script makes.
const NOW: Moment = Moment { nanos: 1_767_312_000_000_000_000, utc_offset: 0 };

/// A repository with three commits on `main`, a branch `topic` that goes another way, a tag, branches of a remote, an ignored file and
/// changes.
fn repository(folder: &Path) {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let run = |arguments: &[&str]| {
        let output = git(folder, arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    std::fs::create_dir_all(folder).unwrap();
    run(&["init", "-q", "-b", "main"]);
    run(&["config", "user.name", "A U Thor"]);
    run(&["config", "user.email", "author@example.com"]);
    write("README.md", "# Project\n\nIt does things.\n");
    write("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
    write(".gitignore", "target/\n*.log\n");
    run(&["add", "-A"]);
    run(&["commit", "-q", "-m", "first: begin"]);
    write("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n");
    run(&["add", "-A"]);
    run(&["commit", "-q", "-m", "second: add a library\n\nIt adds."]);
    run(&["tag", "v1.0"]);
    run(&["branch", "topic"]);
    write("README.md", "# Project\n\nIt does many things.\n\n## Use\n\nRun it.\n");
    run(&["commit", "-q", "-am", "third: say more"]);
    run(&["checkout", "-q", "topic"]);
    write("docs/notes.md", "some notes\n");
    run(&["add", "-A"]);
    run(&["commit", "-q", "-m", "topic: take notes"]);
    run(&["checkout", "-q", "main"]);
    run(&["remote", "add", "origin", "/nowhere/project"]);
    for (branch, commit) in [("main", "main~1"), ("feature", "topic"), ("fix", "v1.0")] {
        run(&["update-ref", &format!("refs/remotes/origin/{branch}"), commit]);
    }
    write("src/main.rs", "fn main() {\n    println!(\"hello, world\");\n}\n");
    write("new file.txt", "new\n");
    write("build.log", "ignored\n");
}

/// What a script leaves in a repository.
fn left(folder: &Path) -> String {
    let said = |arguments: &[&str]| String::from_utf8_lossy(&git(folder, arguments).stdout).into_owned();
    let mut left = said(&["log", "--all", "--format=%H %P %an %ae %at %s%n%b"]);
    left += &said(&["status", "--porcelain=v1", "-b", "-uall", "--ignored"]);
    left += &said(&["diff"]);
    left += &said(&["diff", "--cached"]);
    left += &said(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    left + &said(&["stash", "list"])
}

fn scripts() -> Vec<(&'static str, &'static str)> {
    let parts = SCRIPTS.split("### ").skip(1);
    parts.map(|part| part.split_once('\n').expect("a name stands in a line of its own")).collect()
}

#[test]
fn scripts_do_what_bash_and_git_do() {
    let only = std::env::var("ONLY").ok();
    let mut wrong = Vec::new();
    for (name, script) in scripts().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| name.contains(only)))
    {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("workspace");
        repository(&folder);
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).current_dir(&folder);
        for (key, value) in git_command(&folder, &[]).get_envs() {
            bash.env(key, value.expect("it is set"));
        }
        bash.env_remove("GIT_AUTHOR_DATE").env_remove("GIT_COMMITTER_DATE");
        let date = format!("{} +0000", NOW.nanos / 1_000_000_000);
        bash.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date).env("LC_ALL", "C.UTF-8");
        bash.env("GIT_COMMITTER_NAME", "A U Thor").env("GIT_COMMITTER_EMAIL", "author@example.com");
        let wanted = bash.output().expect("bash is installed");
        let real = folder.canonicalize().unwrap();
        let inside = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*real.to_string_lossy(), "/workspace");
        let mut sandbox = Sandbox::new();
        repository(&sandbox.root());
        sandbox.session.options.identity =
            Some(Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() });
        let found = sandbox.calling("bash", json!({ "command": script })).at(NOW).whole();
        let found = match found {
            Ok(found) => found.structured(),
            Err(error) => json!({ "stdout": "", "stderr": format!("{error:?}"), "exitCode": -1 }),
        };
        let (stdout, stderr) = (inside(&wanted.stdout), inside(&wanted.stderr));
        let both = [left(&folder), left(&sandbox.root())];
        let is_same = found["stdout"] == stdout.as_str()
            && found["exitCode"] == wanted.status.code().expect("nothing kills it")
            && both[0] == both[1];
        if !is_same {
            let [bash, ours] = both;
            let trees = if bash == ours {
                String::new()
            } else {
                format!("--- bash leaves\n{bash}--- the shell leaves\n{ours}")
            };
            wrong.push(format!(
                "=== {name}\n{script}--- bash prints ({})\n{stdout}--- the shell prints ({})\n{}--- bash says\n{stderr}--- the shell \
                 says\n{}{trees}",
                wanted.status.code().unwrap_or(-1),
                found["exitCode"],
                found["stdout"].as_str().unwrap_or_default(),
                found["stderr"].as_str().unwrap_or_default(),
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), scripts().len(), wrong.join("\n"));
}
