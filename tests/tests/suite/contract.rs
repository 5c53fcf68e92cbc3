//! The command line's contract on success: its exact output on each stream.

use serde_json::{Value, json};
use tests::cli::Cli;

/// An empty sandbox with an identity.
fn empty() -> Cli {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--identity", "Ada Example <ada@example.org>"]).ok();
    cli
}

#[test]
fn call_prints_the_tools_text_byte_for_byte() {
    let cli = empty();
    for content in ["one\ntwo\n", "no end of line", "", "tab\tand ünïcödé\n", "{\"json\": true}\n"] {
        cli.call("write_file", &json!({ "path": "a", "content": content })).ok();
        let out = cli.run(&["call", "read_file", "{\"path\":\"a\"}"]).ok();
        assert_eq!((out.stdout.as_str(), out.stderr.as_str()), (content, ""));
    }
}

#[test]
fn what_a_terminal_would_obey_is_shown_instead() {
    let cli = empty();
    cli.call("write_file", &json!({ "path": "a", "content": "\u{1b}[2Jx\u{7}\u{9b}\n" })).ok();
    let out = cli.run(&["call", "read_file", "{\"path\":\"a\"}"]).ok();
    assert_eq!(out.stdout, "\\x1b[2Jx\\x07\\x9b\n");
}

#[test]
fn json_has_text_structured_and_truncated() {
    let cli = empty();
    cli.call("write_file", &json!({ "path": "a", "content": "one\n" })).ok();
    let json = cli.run(&["call", "read_file", "{\"path\":\"a\"}", "--json"]).ok().json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["structured", "text", "truncated"]);
    assert_eq!((&json["text"], &json["truncated"]), (&json!("one\n"), &json!(false)));
    assert_eq!(json["structured"]["content"], "one\n");
    assert_eq!(json["structured"]["untrusted"], true, "what stands in a file is data");
}

#[test]
fn json_errors_have_kind_message_and_hint_on_the_output_stream() {
    let out = empty().run(&["call", "read_file", "{\"path\":\"none\"}", "--json"]).exits(1);
    assert_eq!(out.stderr, "");
    let error = out.json()["error"].clone();
    let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hint", "kind", "message"]);
    assert_eq!((&error["kind"], &error["message"]), (&json!("not-found"), &json!("No such file or directory: none")));
}

#[test]
fn arguments_are_read_from_the_input_where_a_dash_stands() {
    let cli = empty();
    let content = "x".repeat(300_000);
    let arguments = json!({ "path": "large", "content": content }).to_string();
    cli.run_with(&["call", "write_file", "-"], arguments.as_bytes()).ok();
    let read = cli.structured("read_file", &json!({ "path": "large" }));
    assert_eq!(read["size"], 300_000);
}

#[test]
fn a_batch_is_one_result_a_line_and_an_error_does_not_end_it() {
    let lines = [
        json!({ "tool": "write_file", "arguments": { "path": "a", "content": "1\n" } }).to_string(),
        "this is no call".to_owned(),
        json!({ "tool": "read_file", "arguments": { "path": "none" } }).to_string(),
        json!({ "tool": "git_push", "arguments": { "commitId": "HEAD" }, "as": "agent" }).to_string(),
        json!({ "tool": "read_file", "arguments": { "path": "a" } }).to_string(),
    ];
    let out = empty().run_with(&["call", "--batch"], lines.join("\n").as_bytes()).ok();
    let results: Vec<Value> = out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&Value> = results.iter().map(|result| &result["error"]["kind"]).collect();
    assert_eq!(kinds, [&Value::Null, &json!("usage"), &json!("not-found"), &json!("not-permitted"), &Value::Null]);
    assert_eq!(results[4]["text"], "1\n");
}

#[test]
fn the_tools_are_listed_with_schemas_that_refuse_what_they_do_not_know() {
    let cli = Cli::default();
    let listed = cli.run(&["tools"]).ok().stdout;
    cli.run(&["new", "--empty"]).ok();
    assert_eq!(cli.run(&["tools"]).ok().stdout, listed, "they can be looked at before there is a sandbox");
    let tools = cli.run(&["tools", "--json"]).ok().json();
    let tools = tools.as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["read_file", "write_file", "edit_file", "list_files", "search_files", "move_file", "delete_file"] {
        assert!(names.contains(&name), "{name}");
    }
    for name in [
        "git_status",
        "git_log",
        "git_show",
        "git_blame",
        "git_restore",
        "git_add",
        "git_commit",
        "git_branch",
        "git_checkout",
        "git_stash",
        "git_stage",
        "git_diff",
        "git_push",
        "git_discard",
        "git_revise",
        "git_merge",
        "git_branches",
        "sandbox_history",
        "sandbox_undo",
        "sandbox_import",
        "sandbox_receive",
        "sandbox_refs",
        "sandbox_upload",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name}");
        let is_manual = matches!(name, "git_push" | "git_revise")
            || ["sandbox_import", "sandbox_receive", "sandbox_refs", "sandbox_upload"].contains(&name);
        assert_eq!(tool["manual"], is_manual, "{name}");
    }
}

#[test]
fn an_agents_batch_is_an_agents_whatever_its_lines_say() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    let lines = b"{\"tool\": \"sandbox_import\", \"as\": \"user\"}\n\xff\n[\"list_files\", {}, \"user\"]\n{\"tool\": \"list_files\"}\n";
    let out = cli.run_with(&["call", "--batch", "--as", "agent", "--yes"], lines).ok();
    let answers: Vec<serde_json::Value> = out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4, "a line that is no call is answered like any other: {out:#?}");
    for answer in &answers[..3] {
        assert_eq!(answer["error"]["kind"], "usage", "{out:#?}");
    }
    assert!(answers[3]["text"].is_string(), "{out:#?}");
}

#[test]
fn a_target_is_looked_for_where_the_person_is_and_is_named() {
    let cli = Cli::default();
    cli.repository("project");
    std::fs::create_dir(cli.work().join("below")).unwrap();
    let other = cli.repository("below/project");
    cli.run(&["new", "--from", "local:project", "--identity", "A <a@b>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    cli.call("git_stage", &json!({ "files": ["a"], "message": "Add" })).ok();
    let out = cli.command(&["push", "--to", "local:project"]).current_dir(cli.work().join("below")).output().unwrap();
    let shown = String::from_utf8(out.stdout).unwrap();
    let place = format!("Target: local:{} (branch: main)\n", other.root().canonicalize().unwrap().display());
    assert!(shown.contains(&place), "{shown}");
    assert!(shown.contains("\n+1\n") && shown.contains("    Add\n"), "all of it is shown: {shown}");
}

#[test]
fn a_mistyped_option_is_no_argument() {
    let cli = Cli::default();
    cli.run(&["new", "--empty"]).ok();
    for option in ["--jsn", "-x"] {
        cli.run(&["call", "git_status", option]).exits(2);
    }
    let out = cli.run_with(&["call", "write_file", "-"], b"{\"path\": \"a\", \"content\": \"1\"}").ok();
    assert_eq!(out.stderr, "");
}

#[test]
fn what_new_makes_is_what_git_clone_makes() {
    let cli = Cli::default();
    let repo = cli.repository("project");
    repo.git(&["clone", "--quiet", ".", "../clone"]);
    let clone = tests::repo::Repo::at(&cli.work().join("clone"));
    for from in ["local:project", "local:project#topic", "bundle:all.bundle"] {
        if from.starts_with("bundle") {
            repo.git(&["bundle", "create", "--quiet", "../all.bundle", "--all"]);
        }
        let name = if from.contains('#') { "topic" } else { from.split(':').next().unwrap() };
        cli.run(&["-s", name, "new", "--from", from]).ok();
        let call = |tool: &str, arguments: &str| cli.run(&["-s", name, "call", tool, arguments]).ok().stdout;
        let status = call("git_status", "{}");
        let branch = if name == "topic" { "topic" } else { "main" };
        clone.git(&["checkout", "--quiet", branch]);
        if name != "bundle" {
            assert_eq!(status.trim_end(), clone.git(&["status", "--porcelain", "-b"]), "{from}");
        } else {
            assert_eq!(status, "## main\n");
        }
        let listed = call("list_files", "{\"recursive\": true, \"limit\": 10000}");
        for file in clone.git(&["ls-files", "-z"]).split_terminator('\0') {
            assert!(listed.contains(file), "{from}: {file} is not in {listed}");
        }
        assert_eq!(call("read_file", "{\"path\": \"src/main.rs\"}"), clone.read("src/main.rs"), "{from}");
    }
}

#[test]
fn an_empty_source_gives_a_branch_without_a_commit() {
    let cli = Cli::default();
    tests::repo::Repo::init(&cli.work().join("nothing"));
    cli.run(&["new", "--from", "local:nothing", "--identity", "Ada <ada@example.org>"]).ok();
    let status = cli.call("git_status", &json!({})).ok();
    assert!(status.stdout.starts_with("## No commits yet on main"), "{status:#?}");
}

#[test]
fn history_names_the_calls_and_undo_takes_them_back() {
    let cli = empty();
    cli.call("write_file", &json!({ "path": "a", "content": "1" })).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "2" })).ok();
    assert_eq!(cli.run(&["history"]).ok().stdout.matches("write_file").count(), 2);
    let latest = cli.run(&["history", "1"]).ok().stdout;
    assert_eq!(latest.lines().last(), Some("... earlier calls: gitgate history 2"), "{latest}");
    assert_eq!(latest.lines().count(), 2, "{latest}");
    cli.run(&["undo"]).ok();
    assert_eq!(cli.call("read_file", &json!({ "path": "a" })).ok().stdout, "1");
    cli.run(&["undo", "1"]).ok();
    cli.call("read_file", &json!({ "path": "a" })).fails(1);
    assert!(cli.run(&["undo"]).exits(1).stderr.starts_with("error: There is nothing to undo\n"));
}

#[test]
fn a_strict_sandbox_asks_for_what_stays_inside_as_well() {
    let cli = Cli::default();
    cli.run(&["new", "--empty", "--policy", "strict", "--identity", "Ada <ada@example.org>"]).ok();
    cli.call("write_file", &json!({ "path": "a", "content": "1\n" })).ok();
    let arguments = json!({ "files": ["a"], "message": "Add" }).to_string();
    let out = cli.run(&["call", "git_stage", &arguments]).fails(3);
    assert!(out.stderr.contains("Stage 1 file(s): a"), "{out:#?}");
    cli.run(&["call", "git_stage", &arguments, "--yes"]).ok();
}

#[test]
fn the_screens_show_what_changed_and_what_waits() {
    let cli = empty();
    cli.call("write_file", &json!({ "path": "report.md", "content": "1\n" })).ok();
    assert_eq!(
        cli.run(&["status"]).ok().stdout,
        "Sandbox default, branch main\nSandbox Status:\n  New:\n    /workspace/report.md (2 B)\n\nStaged Commits:\n  None\n"
    );
    let staged = cli.structured("git_stage", &json!({ "files": ["report.md"], "message": "Report" }));
    let id = staged["id"].as_str().unwrap();
    let status = cli.run(&["status"]).ok().stdout;
    assert_eq!(
        status,
        format!(
            "Sandbox default, branch main\nSandbox Status:\n  No changes\n\nStaged Commits:\n  [{id}] \"Report\" (1 file)\n    + /workspace/report.md\n"
        )
    );
    let diff = cli.run(&["diff", id]).ok().stdout;
    assert!(diff.starts_with(&format!("Staged commit: {id} \"Report\"\n")) && diff.contains("\n+1\n"), "{diff}");
}

#[test]
fn help_and_version_are_no_errors() {
    let cli = Cli::default();
    let help = cli.run(&["--help"]).ok().stdout;
    let commands =
        ["new", "ls", "rm", "tools", "call", "status", "diff", "push", "history", "undo", "settle", "export", "demo"];
    for command in commands {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command} is not in {help}");
    }
    assert!(cli.run(&["--version"]).ok().stdout.starts_with("gitgate "));
}
