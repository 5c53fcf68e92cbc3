//! What `apply_patch` does, as a specification.

use serde_json::json;

use crate::testing::Sandbox;

fn patch(lines: &str) -> serde_json::Value {
    json!({ "patch": format!("*** Begin Patch\n{lines}*** End Patch\n") })
}

#[test]
fn t_apply_patch_01_adds_updates_moves_and_deletes() {
    let mut sandbox = Sandbox::new();
    sandbox.write("src/app.py", "def greet():\n    print(\"Hi\")\n\ndef other():\n    pass\n");
    sandbox.write("obsolete.txt", "a\nb\n");
    sandbox.write_executable("run.sh", "one\n");
    let done = sandbox.ok(
        "apply_patch",
        patch(
            "*** Add File: new/hello.txt\n+Hello\n+world\n*** Update File: src/app.py\n@@ def greet():\n-    print(\"Hi\")\n\
             +    print(\"Hello\")\n*** Delete File: obsolete.txt\n*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-one\n+two\n",
        ),
    );
    assert_eq!(
        done.text,
        "A /workspace/new/hello.txt (+2 -0)\nM /workspace/src/app.py (+1 -1)\nD /workspace/obsolete.txt (+0 -2)\n\
         R /workspace/run.sh -> /workspace/bin/run.sh (+1 -1)\n"
    );
    assert_eq!(sandbox.read("new/hello.txt"), b"Hello\nworld\n");
    assert_eq!(sandbox.read("src/app.py"), b"def greet():\n    print(\"Hello\")\n\ndef other():\n    pass\n");
    assert_eq!(sandbox.read("bin/run.sh"), b"two\n");
    assert!(sandbox.is_executable("bin/run.sh") && !sandbox.exists("run.sh") && !sandbox.exists("obsolete.txt"));
}

#[test]
fn t_apply_patch_02_headers_lead_to_the_right_place() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.py", "class A:\n  def run():\n    pass\nclass B:\n  def run():\n    pass\n");
    sandbox.ok("apply_patch", patch("*** Update File: a.py\n@@ class B:\n@@   def run():\n-    pass\n+    return 1\n"));
    assert_eq!(sandbox.read("a.py"), b"class A:\n  def run():\n    pass\nclass B:\n  def run():\n    return 1\n");
}

#[test]
fn t_apply_patch_03_hunks_apply_one_after_the_other() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "x\ny\nx\ny\nx\n");
    sandbox.ok("apply_patch", patch("*** Update File: a\n@@\n-x\n+1\n y\n@@\n-x\n+2\n@@\n+end\n*** End of File\n"));
    assert_eq!(sandbox.read("a"), b"1\ny\n2\ny\nx\nend\n");
    let error = sandbox.fail("apply_patch", patch("*** Update File: a\n@@\n-x\n+3\n@@\n-2\n+4\n"));
    assert_eq!(
        error.message,
        "Hunk 2 does not apply to a: its lines do not occur after line 5. Line 3 is like its first line"
    );
}

#[test]
fn t_apply_patch_04_fuzz_is_named_and_context_stays_as_it_is() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "if x:  \n\tone – two\n\tthree\n");
    let done = sandbox.ok("apply_patch", patch("*** Update File: a\n@@\n if x:\n one - two\n-three\n+4\n"));
    assert_eq!(
        done.text,
        "M /workspace/a (+1 -1)\n  hunk 1 was found at line 1, where the file differs in punctuation\n"
    );
    assert_eq!(sandbox.read("a"), "if x:  \n\tone – two\n4\n".as_bytes());
    assert_eq!(done.structured()["files"][0]["fuzz"], json!([{"hunk": 1, "line": 1, "differs": "punctuation"}]));
}

#[test]
fn t_apply_patch_05_line_ends_follow_the_file() {
    let mut sandbox = Sandbox::new();
    sandbox.write("crlf", "one\r\ntwo\r\n");
    sandbox.write("open", "one\ntwo");
    sandbox.ok(
        "apply_patch",
        patch("*** Update File: crlf\n@@\n one\n+1.5\n two\n*** Update File: open\n@@\n-one\n+1\n two\n"),
    );
    assert_eq!(sandbox.read("crlf"), b"one\r\n1.5\r\ntwo\r\n");
    assert_eq!(sandbox.read("open"), b"1\ntwo", "its last line has no end, as before");
    sandbox.ok("apply_patch", patch("*** Update File: open\n@@\n two\n+three\n"));
    assert_eq!(sandbox.read("open"), b"1\ntwo\nthree\n");
}

#[test]
fn t_apply_patch_06_all_files_change_or_none() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "one\n");
    let before = sandbox.tree();
    for (rest, message) in [
        ("*** Update File: none\n@@\n-x\n+y\n", "No such file or directory: none"),
        ("*** Delete File: none\n", "No such file or directory: none"),
        ("*** Update File: a\n@@\n-three\n+y\n", "Hunk 1 does not apply to a: its lines do not occur after line 0"),
        ("*** Update File: b\n*** Move to: a\n@@\n-b\n+c\n", "File exists: a"),
        ("*** Add File: ../x\n+y\n", "Path outside sandbox: ../x"),
        ("*** Add File: .git/config\n+y\n", "Path inside .git: .git/config"),
    ] {
        let text = format!("*** Add File: b\n+b\n*** Update File: a\n@@\n-one\n+two\n{rest}");
        let error = sandbox.fail("apply_patch", patch(&text));
        assert_eq!(error.message, message);
        assert_eq!(sandbox.tree(), before, "{rest}");
    }
}

#[test]
fn t_apply_patch_07_what_is_no_patch_says_why() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "one\n");
    for (text, why) in [
        ("", "its first line is not '*** Begin Patch'"),
        ("*** Begin Patch\n*** Add File: a\n+x\n", "its last line is not '*** End Patch'"),
        ("*** Begin Patch\n*** End Patch", "it changes no file"),
        ("*** Begin Patch\n*** Change File: a\n*** End Patch", "line 2 names no file: *** Change File: a"),
        ("*** Begin Patch\n*** Update File: a\n*** End Patch", "line 2 has no hunk after it: *** Update File: a"),
        ("*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch", "line 4 begins with no mark: x"),
    ] {
        let error = sandbox.fail("apply_patch", json!({ "patch": text }));
        assert_eq!(error.message, format!("This is no patch: {why}"));
    }
}

#[test]
fn t_apply_patch_08_what_models_write_around_a_patch_does_not_count() {
    let mut sandbox = Sandbox::new();
    for text in [
        "<<'EOF'\n*** Begin Patch\n*** Add File: a\n+one\n*** End Patch\nEOF\n",
        "\n  *** Begin Patch\n\n*** Add File: a\n+one\n\n*** End Patch  \n\n",
        "*** Begin Patch\r\n*** Update File: a\r\n@@ -1,1 +1,1 @@\r\n-one\r\n+one\r\n\r\n*** End Patch\r\n",
    ] {
        sandbox.ok("apply_patch", json!({ "input": text }));
        assert_eq!(sandbox.read("a"), b"one\n", "{text}");
    }
}

#[test]
fn t_apply_patch_09_a_file_may_change_twice() {
    let mut sandbox = Sandbox::new();
    sandbox.ok(
        "apply_patch",
        patch("*** Add File: a\n+one\n*** Update File: a\n@@\n-one\n+two\n*** Update File: a\n*** Move to: b\n@@\n-two\n+three\n"),
    );
    assert_eq!((sandbox.exists("a"), sandbox.read("b")), (false, b"three\n".to_vec()));
}

#[test]
fn t_apply_patch_10_a_patch_stops_in_time() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "x\n".repeat(2000));
    let text = format!("*** Begin Patch\n*** Update File: a\n@@\n{}-y\n*** End Patch\n", " x\n".repeat(900));
    let error = sandbox.calling("apply_patch", json!({ "patch": text })).out_of_time().done().unwrap_err();
    assert_eq!(error.kind.name(), "timeout");
}

#[test]
fn t_apply_patch_11_what_a_link_leads_to_is_not_taken_away() {
    let mut sandbox = Sandbox::new();
    sandbox.write("AGENTS.md", "one\n");
    sandbox.symlink("AGENTS.md", "CLAUDE.md");
    let before = sandbox.tree();
    for text in ["*** Delete File: CLAUDE.md\n", "*** Update File: CLAUDE.md\n*** Move to: b\n@@\n-one\n+two\n"] {
        assert_eq!(sandbox.fail("apply_patch", patch(text)).message, "CLAUDE.md is a link");
        assert_eq!(sandbox.tree(), before);
    }
    sandbox.ok("apply_patch", patch("*** Update File: CLAUDE.md\n@@\n-one\n+two\n"));
    assert_eq!(sandbox.read("AGENTS.md"), b"two\n");
}
