//! Agents that use `bash`, through the built command: their whole job, what the policy says about it, and what nests too deeply.

use serde_json::json;
use tests::cli::Cli;
use tests::client::Client;
use tests::repo::Repo;

use crate::pushing::digest;

/// A sandbox of a small project, with this policy.
fn project(policy: &str) -> (Cli, Repo) {
    let cli = Cli::default();
    let repo = cli.repository("project");
    for (path, content) in [
        ("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n"),
        ("src/parse/lexer.rs", "pub fn lexer() -> usize {\n    // Note: count\n    1\n}\n"),
        ("docs/guide.md", "# Guide\n\nUse it.\n"),
        ("data.json", "{\"names\": [\"one\", \"two\"]}\n"),
    ] {
        repo.write(path, content);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "--quiet", "-m", "Begin"]);
    std::fs::write(cli.work().join("policy.toml"), policy).unwrap();
    let identity = "Ada <ada@example.com>";
    cli.run(&["new", "--from", repo.path(), "--policy", "policy.toml", "--identity", identity]).ok();
    (cli, repo)
}

/// What a script of an agent comes to.
fn ran(agent: &mut Client, script: &str) -> (String, bool) {
    let result = agent.call("bash", &json!({ "command": script }));
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    (text, result["isError"] == true)
}

#[test]
fn an_agent_that_has_bash_alone_looks_changes_and_proposes_and_the_person_lands_it() {
    let (cli, repo) = project("");
    cli.configure("[tools.git]\npush = \"assisted\"\n");
    let mut agent = Client::start(&cli, "claude-code", &["--wait", "0", "--toolsets", "lean"]);
    let root = repo.path().to_owned();
    let mut bash = |script: &str| {
        let (text, failed) = ran(&mut agent, script);
        assert!(!failed, "{script}: {text}");
        text
    };
    assert_eq!(
        bash("git log --oneline | head -1 | wc -l; grep -rn count src | cut -d: -f1 | sort -u"),
        "1\nsrc/parse/lexer.rs\n"
    );
    assert_eq!(bash(&format!("cd {root}/src && pwd; ls parse")), "/workspace/src\nlexer.rs\n");
    assert_eq!(
        bash("pwd; for f in $(find parse main.rs -name '*.rs' | sort); do wc -l < \"$f\"; done"),
        "/workspace/src\n3\n4\n"
    );
    assert_eq!(
        bash("sed -i 's/^    1$/    2/' parse/lexer.rs; git diff --stat | tail -1"),
        " 1 file changed, 1 insertion(+), 1 deletion(-)\n"
    );
    let missing = bash("npm test; echo $?");
    assert!(missing.starts_with("127\nbash: line 1: npm: command not found"), "{missing}");
    let committed = bash("git commit -qam 'Count two' && git log --oneline | head -1");
    assert!(committed.ends_with(" Count two\n"), "{committed}");
    let told = bash("git push -u origin HEAD && echo asked");
    assert!(told.starts_with("asked\ngit push: ") && told.ends_with("[exit code 1]\n"), "{told}");
    assert!(told.contains("run `git push` by itself again"), "{told}");
    let waiting = cli.run(&["review"]).ok().stdout;
    let id = waiting.lines().find_map(|line| line.split_whitespace().next().filter(|id| id.len() == 8)).unwrap();
    let digest = digest(&cli.run(&["review", id]).exits(3));
    cli.run(&["review", id, "--approve", &digest]).ok();
    let landed = bash("git push -u origin HEAD");
    assert!(landed.starts_with("To ") && landed.contains("main -> main"), "{landed}");
    assert_eq!(bash("git status -sb; git push"), "## main...origin/main\nEverything up-to-date\n");
    assert!(repo.git(&["show", "HEAD:src/parse/lexer.rs"]).contains("    2\n"));
}

#[test]
fn attack_22_what_the_policy_says_about_a_tool_it_says_about_a_script_that_does_the_same() {
    let (cli, _repo) = project(
        "[[deny]]\nname = \"keep\"\ntool = \"delete_file\"\npath = \"docs/**\"\n\
         [[deny]]\nname = \"no commits\"\ntool = \"git_commit\"\n",
    );
    let mut agent = Client::start(&cli, "somebody", &[]);
    for (script, denied) in [
        ("rm docs/guide.md", "delete_file"),
        ("mv docs guide", "delete_file"),
        ("x=docs; cd $x && find . -type f -delete", "delete_file"),
        ("echo x > new; git add new; git commit -m x", "git_commit"),
    ] {
        let (text, failed) = ran(&mut agent, script);
        assert!(failed && text.contains(&format!("the policy denies this {denied}")), "{script}: {text}");
    }
    assert_eq!(
        ran(&mut agent, "git status -s; ls docs/guide.md; echo x > new; rm data.json; git status -s").0,
        "docs/guide.md\n D data.json\n?? new\n"
    );
    let undone = agent.ok("sandbox_undo", &json!({}));
    assert!(undone.starts_with("Undid bash"), "{undone}");
    assert_eq!(ran(&mut agent, "git status -s").0, "");
}

#[test]
fn attack_what_nests_or_grows_without_end_is_an_error_and_the_sandbox_goes_on() {
    let (cli, _repo) = project("");
    let mut agent = Client::start(&cli, "somebody", &[]);
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for script in [
        nested("if true; then ", "echo x;", " fi;", 100),
        nested("(", "echo x", ")", 100),
        nested("{ ", "echo x;", " };", 110),
        nested("$(", "echo x", ")", 60),
        nested("$((1+", "1", "))", 40),
        nested("while true; do ", "break 99;", " done;", 110),
        nested("(", "x", ")", 100_000),
        "f() { f; }; f".to_owned(),
        "f() { eval f; }; f".to_owned(),
        "f() { $(f); }; f".to_owned(),
        "f() { f | f; }; f".to_owned(),
        "echo 'source x' > x; source x".to_owned(),
        "echo 'bash y' > y; bash y".to_owned(),
        format!("[[ a =~ {} ]]", nested("(", "a", ")*", 2_000)),
        format!("grep -E '{}' data.json", nested("(", "a", ")*", 2_000)),
        format!("echo '{}' | jq .", nested("[", "", "]", 100_000)),
        format!("jq -n '{}'", nested("[", "1", "]", 20_000)),
        "jq -n 'def f: 1 + f; f'".to_owned(),
        format!("awk 'BEGIN {{ print {} }}'", nested("(", "1", ")", 20_000)),
        "awk 'function f(x) { return f(x+1) } BEGIN { f(1) }'".to_owned(),
        format!("echo '{}' | bc", nested("(", "1", ")", 20_000)),
        format!("expr {}", nested("'(' ", "1", " ')'", 5_000)),
        format!("find . {} -true {}", "'(' ".repeat(5_000), "')' ".repeat(5_000)),
        format!("sed '{}p{}' data.json", "{".repeat(20_000), "}".repeat(20_000)),
        "d=d; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do d=$d/$d; done; mkdir -p $d; find . | wc -l; rm -rf d".to_owned(),
    ] {
        // Whatever takes long has been tried below the component.
        let result = agent.call("bash", &json!({ "command": script, "timeout_ms": 2000 }));
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(!text.contains("trap") && !text.contains("wasm"), "{:.80}: {text:.300}", script);
        assert_eq!(ran(&mut agent, "cat data.json | wc -l").0, "1\n", "{script:.80}");
    }
}
