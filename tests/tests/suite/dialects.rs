//! Agents call tools by the names that their own clients have for them.
//!
//! `dialects/NAME.jsonl` has calls as the models of a client make them, after its public types and sources: 200 each, without the shell.

use std::path::Path;

use serde_json::{Value, json};
use tests::cli::Cli;
use tests::client::Client;
use tests::repo::Repo;

use crate::pushing::digest;

/// Each dialect, and the name of its client.
const CLIENTS: [(&str, &str); 5] = [
    ("claude-code", "claude-code"),
    ("codex", "codex-mcp-client"),
    ("gemini", "gemini-cli-mcp-client"),
    ("opencode", "opencode"),
    ("vscode", "Visual Studio Code"),
];

/// A sandbox of a small project.
fn project() -> (Cli, Repo) {
    let cli = Cli::default();
    let repo = cli.repository("project");
    for (path, content) in [
        ("src/main.rs", "mod parse;\n\nfn main() {\n    println!(\"{}\", parse::lexer());\n}\n"),
        ("src/lib.rs", "pub fn lib() -> Result<(), String> {\n    Ok(())\n}\n"),
        ("src/parse/mod.rs", "pub struct Parser;\n\npub fn parse_all(text: &str) {}\n"),
        ("src/parse/lexer.rs", "pub fn lexer() -> usize {\n    // Note: count\n    1\n}\n"),
        ("README.md", "# Project\n\nA parser with a lexer.\n"),
        ("docs/guide.md", "# Guide\n\nUse it.\n"),
        ("web/app.ts", "import { util } from './util';\nexport const app = util();\n"),
        ("web/util.ts", "// One.\nexport const util = () => 1;\n"),
        ("tests/smoke.py", "import sys\nprint('smoke')\n"),
        ("Cargo.toml", "[package]\nname = \"project\"\n"),
        (".gitignore", "/target/\n"),
    ] {
        repo.write(path, content);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "--quiet", "-m", "Begin"]);
    cli.run(&["new", "--from", repo.path(), "--identity", "Ada <ada@example.com>"]).ok();
    (cli, repo)
}

fn calls(dialect: &str, repository: &Path) -> Vec<(String, Value)> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/dialects").join(format!("{dialect}.jsonl"));
    let lines = std::fs::read_to_string(place).unwrap().replace("{repository}", repository.to_str().unwrap());
    let read = |line: &str| {
        let call: Value = serde_json::from_str(line).unwrap();
        (call["tool"].as_str().unwrap().to_owned(), call["arguments"].clone())
    };
    lines.lines().map(read).collect()
}

/// What is wrong with the arguments of a call, if anything is: what its result says.
fn misspoken(result: &Value) -> Option<String> {
    let error = &result["_meta"]["gitgate/error"];
    let is_misspoken = !result["error"].is_null()
        || ["bad-args", "unknown-tool", "sandbox-violation"].iter().any(|kind| error["kind"] == *kind);
    is_misspoken.then(|| result.to_string())
}

#[test]
fn of_200_calls_in_each_dialect_less_than_one_in_a_hundred_is_refused_for_its_arguments() {
    for (dialect, name) in CLIENTS {
        let (cli, repo) = project();
        let mut client = Client::start(&cli, name, &[]);
        let mut refused = Vec::new();
        let calls = calls(dialect, repo.root());
        assert_eq!(calls.len(), 200);
        for (tool, arguments) in calls {
            let result = client.call(&tool, &arguments);
            assert!(result["isError"] != true || misspoken(&result).is_some(), "{tool} {arguments}: {result}");
            refused.extend(misspoken(&result).map(|why| format!("{tool} {arguments}: {why}")));
        }
        assert!(refused.len() < 2, "{dialect}: {refused:#?}");
    }
}

#[test]
fn the_list_of_tools_is_short_and_has_the_clients_names() {
    let (cli, _) = project();
    cli.configure("[tools.git]\npush = \"assisted\"\n[tools.tasks]\nenabled = true\n");
    for (dialect, name) in CLIENTS.into_iter().chain([("gitgate", "somebody")]) {
        let (tools, bytes) = Client::start(&cli, name, &[]).tools();
        assert!(tools.len() >= 38 && bytes <= 24 << 10, "{dialect}: {bytes} bytes for {} tools", tools.len());
        let (lean, bytes) = Client::start(&cli, name, &["--toolsets", "lean"]).tools();
        assert!(lean.len() == 10 && bytes <= 8 << 10, "{dialect}: {bytes} bytes for {} tools", lean.len());
        let read = tools.iter().find(|tool| tool["name"] == "read_file").unwrap();
        let path = match dialect {
            "gitgate" => "path",
            "claude-code" | "codex" | "gemini" => "file_path",
            _ => "filePath",
        };
        assert_eq!(read["inputSchema"]["required"], json!([path]), "{dialect}");
        assert_eq!(read["outputSchema"], Value::Null);
    }
    let (tools, _) = Client::start(&cli, "claude-code", &["--dialect", "gitgate", "--structured"]).tools();
    assert!(tools.iter().all(|tool| tool["outputSchema"]["type"] == "object"));
}

#[test]
fn an_agent_does_its_whole_job_in_its_own_names() {
    for (dialect, name) in CLIENTS {
        let (cli, repo) = project();
        cli.configure("[tools.git]\npush = \"assisted\"\n");
        let mut agent = Client::start(&cli, name, &["--wait", "0"]);
        let root = repo.path().to_owned();
        let says = agent.server_says["instructions"].as_str().unwrap();
        assert!(says.starts_with(&format!("This is the sandbox default. {root} is /workspace here")), "{says}");
        let path = |path: &str| format!("{root}/{path}");
        match dialect {
            "claude-code" => {
                assert_eq!(agent.ok("Glob", &json!({"pattern": "**/lexer.rs"})), "src/parse/lexer.rs\n");
                let read = agent.ok("Read", &json!({"file_path": path("src/parse/lexer.rs")}));
                assert!(read.starts_with("     1\tpub fn lexer() -> usize {\n"), "{read}");
                let edit =
                    json!({"file_path": path("src/parse/lexer.rs"), "old_string": "    1\n", "new_string": "    2\n"});
                agent.ok("Edit", &edit);
            }
            "codex" => {
                let patch = "*** Begin Patch\n*** Update File: src/parse/lexer.rs\n@@ pub fn lexer() -> usize {\n     // Note: count\n-    1\n+    2\n*** End Patch\n";
                agent.ok("apply_patch", &json!({"input": patch}));
            }
            "gemini" => {
                agent
                    .ok("search_file_content", &json!({"pattern": "note", "case_sensitive": false, "dir_path": "src"}));
                let edit = json!({
                    "file_path": path("src/parse/lexer.rs"), "instruction": "Count two", "old_string": "    1\n",
                    "new_string": "    2\n", "expected_replacements": 1,
                });
                agent.ok("replace", &edit);
            }
            "opencode" => {
                let edit =
                    json!({"filePath": path("src/parse/lexer.rs"), "oldString": "    1\n", "newString": "    2\n"});
                agent.ok("edit", &edit);
            }
            _ => {
                agent.ok("read_file", &json!({"filePath": path("src/parse/lexer.rs"), "startLine": 1, "endLine": 9}));
                let edit = json!({
                    "explanation": "Count two",
                    "replacements": [{"filePath": path("src/parse/lexer.rs"), "oldString": "    1\n", "newString": "    2\n"}],
                });
                agent.ok("multi_replace_string_in_file", &edit);
            }
        }
        let diff = agent.ok("git_diff", &json!({}));
        assert!(diff.contains("-    1\n+    2\n"), "{dialect}: {diff}");
        agent.ok("git_stage", &json!({"files": [path("src/parse/lexer.rs")], "message": "Count two"}));
        let log = agent.ok("git_log", &json!({"limit": 1}));
        assert!(log.contains("Count two"), "{dialect}: {log}");
        // What waits for the person is no failed call: they answer it, and the same call goes on.
        let push = json!({"commitId": "HEAD"});
        let pending = agent.call("git_push", &push);
        assert_eq!(pending["_meta"]["gitgate/error"]["kind"], "pending", "{dialect}: {pending}");
        let waiting = cli.run(&["review"]).ok().stdout;
        let id = waiting.lines().find_map(|line| line.split_whitespace().next().filter(|id| id.len() == 8)).unwrap();
        let digest = digest(&cli.run(&["review", id]).exits(3));
        cli.run(&["review", id, "--approve", &digest]).ok();
        agent.ok("git_push", &push);
        assert!(repo.git(&["show", "HEAD:src/parse/lexer.rs"]).contains("    2\n"), "{dialect}");
    }
}

#[test]
fn a_hint_has_the_clients_names_and_a_text_that_is_cut_says_how_to_go_on() {
    let (cli, _) = project();
    let mut claude = Client::start(&cli, "claude-code", &[]);
    let refused = claude.call("Edit", &json!({"file_path": "README.md", "old_string": "a", "new_string": "b"}));
    let hint = refused["_meta"]["gitgate/error"]["hint"].as_str().unwrap();
    assert!(hint.contains("`old_string`") && hint.contains("set `replace_all` to true"), "{hint}");
    let refused = claude.call("Read", &json!({"file_path": "README.md", "path": "README.md"}));
    assert_eq!(refused["_meta"]["gitgate/error"]["message"], "file_path and path are two names for one argument");
    let long: String = (0..20_000).map(|number| format!("line number {number}\n")).collect();
    claude.ok("Write", &json!({"file_path": "long.txt", "content": long}));
    let read = claude.ok("Read", &json!({"file_path": "long.txt"}));
    assert!(read.len() <= 81_000, "{} bytes are more than 25,000 tokens", read.len());
    let (_, next) = read.rsplit_once("hint: Continue with `offset` ").unwrap();
    let next: u64 = next.trim_end().trim_end_matches('.').parse().unwrap();
    let read = claude.ok("Read", &json!({"file_path": "long.txt", "offset": next, "limit": 1}));
    assert_eq!(read, format!("{next:>6}\tline number {}\n", next - 1));
}

#[test]
fn attack_05_a_path_of_the_repository_outside_leads_nowhere_but_into_the_workspace() {
    let (cli, repo) = project();
    let outside = cli.repository("project-evil");
    outside.write("secret", "outside\n");
    let root = repo.path().to_owned();
    let mut agent = Client::start(&cli, "claude-code", &[]);
    assert_eq!(
        agent.ok("read_file", &json!({"path": format!("{root}/docs/guide.md"), "limit": 1})),
        "     1\t# Guide\n"
    );
    for path in [
        format!("{root}-evil/secret"),
        format!("{root}/../project-evil/secret"),
        format!("{root}/.git/config"),
        format!("{root}/.GIT/config"),
        format!("{root}/git~1/config"),
        format!("{}/project", root.to_uppercase()),
        "/etc/passwd".to_owned(),
    ] {
        let refused = agent.call("read_file", &json!({ "path": path }));
        assert_eq!(refused["_meta"]["gitgate/error"]["kind"], "sandbox-violation", "{path}: {refused}");
    }
    // A link outside that leads to the repository is another name, which the sandbox does not know.
    let link = repo.root().with_file_name("link");
    std::os::unix::fs::symlink(repo.root(), &link).unwrap();
    let refused = agent.call("read_file", &json!({ "path": format!("{}/README.md", link.display()) }));
    assert_eq!(refused["_meta"]["gitgate/error"]["kind"], "sandbox-violation");
}

#[test]
fn attack_22_only_reading_tools_are_offered_by_whatever_name_they_are_called() {
    let (cli, _) = project();
    let mut agent = Client::start(&cli, "claude-code", &["--read-only"]);
    agent.ok("git_diff", &json!({}));
    for (tool, arguments) in [
        ("Write", json!({"file_path": "a", "content": "a"})),
        ("git_diff", json!({"from_ref": "HEAD", "to_ref": "HEAD", "output_dir": "out"})),
    ] {
        let refused = agent.call(tool, &arguments);
        assert!(!refused["error"].is_null(), "{tool}: {refused}");
    }
}

#[test]
fn an_image_is_one_for_a_model_and_a_pdf_is_a_resource() {
    let (cli, _) = project();
    let mut agent = Client::start(&cli, "claude-code", &[]);
    // The beginnings of both, in base64.
    for (path, content, kind) in [("a.png", "iVBORw0KGgoA", "image"), ("a.pdf", "JVBERi0xLjcK", "resource")] {
        agent.ok("write_file", &json!({"path": path, "content": content, "encoding": "base64"}));
        let read = agent.call("Read", &json!({"file_path": path}));
        let shown = &read["content"][1];
        let data = if kind == "image" { &shown["data"] } else { &shown["resource"]["blob"] };
        assert_eq!((&shown["type"], data), (&json!(kind), &json!(content)), "{read}");
        assert_eq!((&read["_meta"]["gitgate/untrusted"], &read["structuredContent"]), (&json!(true), &Value::Null));
    }
}
