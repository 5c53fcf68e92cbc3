use serde_json::{Value, json};

use crate::approval::Risk;
use crate::dispatch::Step;
use crate::error::ErrorKind;
use crate::question::Question;
use crate::testing::Sandbox;

/// The result of a script.
fn ran(sandbox: &mut Sandbox, command: &str) -> Value {
    let done = sandbox.calling("bash", json!({ "command": command })).whole();
    done.unwrap_or_else(|error| panic!("{command}: {error:?}")).structured()
}

/// What a script prints. It must end well.
fn printed(sandbox: &mut Sandbox, command: &str) -> String {
    let ran = ran(sandbox, command);
    assert_eq!((&ran["exitCode"], &ran["stderr"]), (&json!(0), &json!("")), "{command}");
    ran["stdout"].as_str().unwrap().to_owned()
}

#[test]
fn t_bash_01_runs_a_script_on_the_tree() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.txt", "pear\napple\n");
    sandbox.write("src/b.txt", "fig\n");
    assert_eq!(printed(&mut sandbox, "cat *.txt */*.txt | sort | head -2"), "apple\nfig\n");
    assert_eq!(
        printed(&mut sandbox, "pwd; ls; cd src && pwd; ls /"),
        "/workspace\na.txt\nsrc\n/workspace/src\nworkspace\n"
    );
    let result = ran(&mut sandbox, "echo new > c.txt; rm a.txt; echo more >> src/b.txt; mkdir empty");
    let changed = json!([
        {"path": "/workspace/a.txt", "change": "deleted"},
        {"path": "/workspace/c.txt", "change": "added"},
        {"path": "/workspace/src/b.txt", "change": "modified"},
    ]);
    assert_eq!(result["changed"], changed);
    assert_eq!(sandbox.read("src/b.txt"), b"fig\nmore\n");
}

#[test]
fn t_bash_02_the_text_has_output_then_errors_then_the_exit_code() {
    let mut sandbox = Sandbox::new();
    let done = sandbox.ok("bash", json!({ "command": "echo out; ls nosuch; exit 3" }));
    assert_eq!(done.text, "out\nls: cannot access 'nosuch': No such file or directory\n[exit code 3]\n");
    let done = sandbox.ok("bash", json!({ "command": "printf out; false" }));
    assert_eq!(done.text, "out\n[exit code 1]\n");
    let done = sandbox.ok("bash", json!({ "command": "yes | head -1000; exit 7", "max_bytes": 100 }));
    assert!(done.text.len() <= 100 && done.text.ends_with("\n[exit code 7]\n") && done.truncated, "{}", done.text);
    assert_eq!(sandbox.ok("bash", json!({ "command": "true" })).text, "");
}

#[test]
fn t_bash_03_folder_and_exported_variables_are_kept_and_nothing_else() {
    let mut sandbox = Sandbox::new();
    sandbox.mkdir(".git");
    sandbox.mkdir("src");
    assert_eq!(printed(&mut sandbox, "cd src; export A='b c'; D=e; f() { :; }; set -e"), "");
    assert_eq!(
        printed(&mut sandbox, "pwd; echo \"$A|$D\"; declare -F f || echo none; cd - "),
        "/workspace/src\nb c|\nnone\n/workspace\n"
    );
    assert_eq!(printed(&mut sandbox, "pwd; unset A"), "/workspace\n");
    assert_eq!(printed(&mut sandbox, "echo \"${A-unset} $HOME\"; cd src"), "unset /workspace\n");
    let begun = sandbox.ok("bash", json!({ "command": "pwd", "cwd": "/workspace" }));
    assert_eq!(begun.text, "/workspace\n");
    assert_eq!(printed(&mut sandbox, "pwd; rmdir src"), "/workspace\n");
}

#[test]
fn t_bash_04_a_script_that_reads_asks_nothing_and_one_that_writes_names_its_files() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    assert_eq!(sandbox.ok("bash", json!({ "command": "grep -c one a.txt; x=1; cat > /dev/null < a.txt" })).text, "1\n");
    let command = "echo two >> a.txt\nrm -f none; echo b > b.txt; rm b.txt; mv a.txt c.txt";
    let Step::Ask(question) = sandbox.calling("bash", json!({ "command": command })).step() else { panic!("it asks") };
    let Question::Approval(approval) = *question else { panic!("it asks for an approval") };
    assert_eq!((approval.risk, approval.summary.as_str()), (Risk::Medium, "Run: echo two >> a.txt..."));
    assert!(approval.detail.ends_with("D /workspace/a.txt\nA /workspace/c.txt\n"), "{}", approval.detail);
    let parts: Vec<_> = approval.parts.iter().map(|part| format!("{} {}", part.tool, part.arguments)).collect();
    assert_eq!(parts, [r#"delete_file {"path":"/workspace/a.txt"}"#, r#"write_file {"path":"/workspace/c.txt"}"#]);
}

#[test]
fn attack_the_wall_holds_for_every_command() {
    let mut sandbox = Sandbox::with(crate::options::Options::default(), &[("notes", false)]);
    sandbox.mkdir(".git");
    sandbox.write(".git/config", "[core]\n");
    sandbox.write("/notes/a", "kept\n");
    sandbox.symlink(".git", "link");
    sandbox.symlink("../../../etc/passwd", "far");
    for command in [
        "cat .git/config",
        "ls .git",
        "echo x > .git/config",
        "echo x > .GIT/hooks",
        "echo x > link/config",
        "cp /notes/a .git/x",
        "mv .git git",
        "rm -r .git",
        "mkdir -p .git/hooks",
        "ln -s .git/config c && cat c",
        "cat far",
        "cat /etc/passwd",
        "echo x > /etc/x",
        "echo x > /notes/a",
        "rm /notes/a",
        "tar -xf - -C .git < /dev/null; echo x | tee .git/a",
        "touch ../../x",
        "chmod +x .git/config",
        "rm -rf /",
        "rm -rf /workspace",
        "mv /workspace /w",
        "sed -i s/a/b/ .git/config",
        "git config core.hooksPath x",
    ] {
        let before = sandbox.tree();
        let result = ran(&mut sandbox, command);
        let mut after = sandbox.tree();
        after.retain(|path, _| path != "/workspace/c" && !path.contains("/gitgate"));
        assert_ne!(result["exitCode"], 0, "{command}: {result}");
        let mut before = before;
        before.retain(|path, _| path != "/workspace/c");
        match command.starts_with("rm -rf") {
            true => {
                assert!(after.contains_key("/workspace/.git/config") && after.contains_key("/notes/a"), "{command}")
            }
            false => assert_eq!(after, before, "{command}"),
        }
    }
}

#[test]
fn attack_what_wants_too_much_changes_nothing() {
    let mut sandbox = Sandbox::new();
    for command in
        ["echo x > a; while :; do :; done", "echo x > a; yes > /dev/null", "touch a; for ((;;)); do x=$(date); done"]
    {
        let error = sandbox.calling("bash", json!({ "command": command })).out_of_time_after(3).whole();
        let error = error.map(|done| done.text).expect_err(command);
        assert!(matches!(error.kind, ErrorKind::Timeout { .. }), "{command}: {error:?}");
    }
    for command in ["x=$(yes)", "echo {1..1000000000}", "x=x; while :; do x=$x$x; done", "f() { f; }; f"] {
        let error = sandbox.fail("bash", json!({ "command": command }));
        assert_eq!(error.kind, ErrorKind::ExecutionFailed, "{command}: {error:?}");
        assert!(!error.hint.is_empty(), "{command}");
    }
}

#[test]
fn what_is_not_here_says_what_is() {
    let mut sandbox = Sandbox::new();
    for command in ["npm test", "python3 x.py", "curl http://x", "cargo build"] {
        let result = ran(&mut sandbox, command);
        assert_eq!(result["exitCode"], 127, "{command}");
        assert!(result["stderr"].as_str().unwrap().contains("command not found"), "{result}");
    }
    sandbox.mkdir(".git");
    let result = ran(
        &mut sandbox,
        "echo kept > /tmp/x; cat /tmp/x; ls /tmp; ls -a / | tail -n +3; mktemp > /dev/null && echo made",
    );
    assert_eq!(result["stdout"], "kept\nx\ntmp\nworkspace\nmade\n");
    assert_eq!(result["changed"], json!([]));
}
