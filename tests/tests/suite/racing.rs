//! Two sandboxes push to one branch at the same time: every commit arrives once, or its owner hears why not.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::repo::Repo;

/// The number of pushes of each sandbox.
fn pushes() -> usize {
    trial::times(20, 100)
}

/// One of the two. It writes its own file, and sometimes the shared one.
struct Racer<'a> {
    cli: &'a Cli,
    name: &'a str,
}

impl Racer<'_> {
    fn run(&self, arguments: &[&str]) -> tests::cli::Out {
        self.cli.run(&[&["-s", self.name], arguments].concat())
    }

    fn structured(&self, tool: &str, arguments: &Value) -> Value {
        let out = self.run(&["call", tool, &arguments.to_string(), "--yes", "--json"]).ok();
        out.json()["structured"].clone()
    }

    /// Pulls, whether or not files are in conflict then.
    fn pulled(&self) -> Value {
        let out = self.run(&["call", "git_pull", "{}", "--yes", "--json"]);
        assert!([0, 4].contains(&out.code), "{out:#?}");
        out.json()["structured"].clone()
    }

    fn stage(&self, file: &str, message: &str) -> String {
        let staged = self.structured("git_stage", &json!({ "files": [file], "message": message }));
        staged["commitId"].as_str().unwrap().to_owned()
    }

    /// Gets the commit onto the branch as its owner would: pull, resolve if necessary, and push again.
    fn push(&self, file: &str, mut id: String, message: &str) {
        // Whenever the branch moved, a push of the other one landed.
        for _ in 0..2 * pushes() {
            let out = self.run(&["push", &id, "--to", "local:project", "--yes", "--json"]);
            match out.code {
                0 => return,
                4 => {}
                _ => panic!("{out:#?}"),
            }
            let pulled = self.pulled();
            if let [unstaged] = pulled["unstaged"].as_array().map(Vec::as_slice).unwrap_or_default() {
                assert_eq!(unstaged["message"], message, "its owner is told which commit it was");
                assert_eq!(pulled["conflicts"], json!([format!("/workspace/{file}")]));
                let marked = self.run(&["call", "read_file", &json!({ "path": file }).to_string()]).ok().stdout;
                self.structured("write_file", &json!({ "path": file, "content": resolved(&marked) }));
                id = self.stage(file, message);
            }
        }
        panic!("{message} never landed");
    }
}

/// Both sides of every conflict, one after the other.
fn resolved(marked: &str) -> String {
    let is_marker = |line: &&str| ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker));
    marked.lines().filter(|line| !is_marker(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn two_sandboxes_racing_for_one_branch_lose_nothing() {
    let cli = Cli::default();
    let repo = Repo::init(&cli.work().join("project"));
    repo.write("shared.md", "# Shared\n");
    repo.commit("Begin");
    cli.unattended();
    for name in ["ada", "bob"] {
        let identity = format!("{name} <{name}@example.org>");
        cli.run(&["-s", name, "new", "--from", "local:project", "--identity", &identity]).ok();
    }
    let told = Mutex::new(BTreeMap::<&str, usize>::new());
    std::thread::scope(|scope| {
        for name in ["ada", "bob"] {
            let (cli, told) = (&cli, &told);
            scope.spawn(move || {
                let racer = Racer { cli, name };
                for number in 0..pushes() {
                    let file = if number % 10 == 9 { "shared.md".to_owned() } else { format!("{name}.md") };
                    let line = format!("{name} {number}\n");
                    let read = racer.run(&["call", "read_file", &json!({ "path": file }).to_string()]);
                    let before = if read.code == 0 { read.stdout } else { String::new() };
                    racer.structured("write_file", &json!({ "path": file, "content": before + &line }));
                    let message = format!("{name} {number}");
                    racer.push(&file, racer.stage(&file, &message), &message);
                    *told.lock().unwrap().entry(name).or_default() += 1;
                }
            });
        }
    });
    assert_eq!(told.into_inner().unwrap(), BTreeMap::from([("ada", pushes()), ("bob", pushes())]));
    let mut subjects: Vec<String> = repo.git(&["log", "--format=%s", "main"]).lines().map(str::to_owned).collect();
    assert_eq!(subjects.pop().as_deref(), Some("Begin"));
    subjects.sort();
    let mut expected: Vec<String> =
        ["ada", "bob"].iter().flat_map(|name| (0..pushes()).map(move |number| format!("{name} {number}"))).collect();
    expected.sort();
    assert_eq!(subjects, expected, "every commit arrived, and arrived once");
    for name in ["ada", "bob"] {
        let own: Vec<String> = (0..pushes()).filter(|n| n % 10 != 9).map(|number| format!("{name} {number}")).collect();
        assert_eq!(repo.read(&format!("{name}.md")).lines().collect::<Vec<_>>(), own);
    }
    let shared = repo.read("shared.md");
    for name in ["ada", "bob"] {
        for number in (9..pushes()).step_by(10) {
            assert_eq!(shared.lines().filter(|line| *line == format!("{name} {number}")).count(), 1, "{shared}");
        }
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.is_sound();
}
