//! What `edit_file` does, as a specification.

use serde_json::json;

use crate::testing::Sandbox;

fn with_file(content: impl AsRef<[u8]>) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", content);
    sandbox
}

#[test]
fn t_edit_file_01_replaces_the_one_place() {
    let mut sandbox = with_file("one\ntwo\nthree\n");
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "two\n", "new": "2\n"}));
    assert_eq!(edited.text, "Replaced 1 occurrence in /workspace/a.md (line 2)\n");
    assert_eq!(edited.structured(), json!({"path": "/workspace/a.md", "replacements": 1, "lines": [2], "size": 12}));
    assert_eq!(sandbox.read("a.md"), b"one\n2\nthree\n");
}

#[test]
fn t_edit_file_02_more_than_one_place_is_refused_and_all_are_named() {
    let mut sandbox = with_file("x\ny\nx\n");
    let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "x", "new": "z"}));
    assert_eq!(
        (error.kind.name(), error.message.as_str()),
        ("execution-failed", "`old` occurs 2 times in a.md (lines 1, 3)")
    );
    assert_eq!(sandbox.read("a.md"), b"x\ny\nx\n");
}

#[test]
fn t_edit_file_03_all_replaces_every_place() {
    let mut sandbox = with_file("x".repeat(3) + "\n" + &"x\n".repeat(9));
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "x", "new": "yy", "all": true}));
    assert_eq!(edited.text, "Replaced 12 occurrences in /workspace/a.md (lines 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, ...)\n");
    assert_eq!(sandbox.read("a.md"), ("y".repeat(6) + "\n" + &"yy\n".repeat(9)).as_bytes());
}

#[test]
fn t_edit_file_04_places_that_overlap_are_more_than_one() {
    let mut sandbox = with_file("aaa");
    let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "aa", "new": "b"}));
    assert_eq!(error.message, "`old` occurs 2 times in a.md (lines 1, 1)");
    sandbox.ok("edit_file", json!({"path": "a.md", "old": "aa", "new": "b", "all": true}));
    assert_eq!(sandbox.read("a.md"), b"ba");
}

#[test]
fn t_edit_file_05_a_text_that_is_not_there_comes_with_advice() {
    let mut sandbox = with_file("one\r\ntwo\r\nthree\n");
    for all in [false, true] {
        let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "one\ntwo", "new": "x", "all": all}));
        assert_eq!((error.kind.name(), error.message.as_str()), ("execution-failed", "`old` does not occur in a.md"));
        assert_eq!(
            error.hint,
            "Some lines of the file end with CRLF. There, write \\r\\n for the line breaks in `old` and `new`."
        );
    }
    assert_eq!(sandbox.read("a.md"), b"one\r\ntwo\r\nthree\n");
}

#[test]
fn t_edit_file_12_line_breaks_follow_a_file_whose_lines_all_end_alike() {
    let mut sandbox = with_file("\u{feff}one\r\ntwo\r\nthree");
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "two", "new": "2\n2.5"}));
    assert_eq!(edited.structured()["lineEnds"], "CRLF");
    assert!(edited.text.ends_with("\nThe line breaks of new were written as CRLF, as all lines of the file end.\n"));
    assert_eq!(sandbox.read("a.md"), "\u{feff}one\r\n2\r\n2.5\r\nthree".as_bytes());
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "one\n2\n", "new": "1\r\n2\r\n"}));
    assert_eq!(edited.structured()["lineEnds"], json!(null), "it is as it was given");
    assert_eq!(sandbox.read("a.md"), "\u{feff}1\r\n2\r\n2.5\r\nthree".as_bytes());
    let same = sandbox.fail("edit_file", json!({"path": "a.md", "old": "1\n2", "new": "1\r\n2"}));
    assert_eq!(same.message, "`old` and `new` are the same");
    sandbox.write("a.md", "one\ntwo\n");
    sandbox.ok("edit_file", json!({"path": "a.md", "old": "one\r\ntwo", "new": "1\r\n2"}));
    assert_eq!(sandbox.read("a.md"), b"1\n2\n");
}

#[test]
fn t_edit_file_13_a_file_with_both_line_ends_is_edited_as_it_is() {
    let mut sandbox = with_file("one\r\ntwo\nthree");
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "old": "three", "new": "3\n4\r\n"}));
    assert!(
        edited
            .text
            .ends_with("\nSome lines of the file end with LF and some with CRLF, so new was written as it is.\n")
    );
    assert_eq!(sandbox.read("a.md"), b"one\r\ntwo\n3\n4\r\n");
}

#[test]
fn t_edit_file_06_arguments_that_change_nothing_are_refused() {
    let mut sandbox = with_file("a");
    for (old, new, message) in
        [("", "b", "`old` cannot be empty: a.md has text"), ("a", "a", "`old` and `new` are the same")]
    {
        let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": old, "new": new}));
        assert_eq!((error.kind.name(), error.message.as_str()), ("bad-args", message));
    }
}

#[test]
fn t_edit_file_07_other_bytes_and_the_executable_bit_stay() {
    let mut sandbox = Sandbox::new();
    sandbox.write_executable("a.bin", b"\xff\r\nkey=1\x00\xfe");
    sandbox.ok("edit_file", json!({"path": "a.bin", "old": "key=1", "new": "key=é"}));
    assert_eq!(sandbox.read("a.bin"), [b"\xff\r\nkey=".as_slice(), "é".as_bytes(), b"\x00\xfe"].concat());
    assert!(sandbox.is_executable("a.bin"));
}

#[test]
fn t_edit_file_08_through_a_link_the_target_is_edited() {
    let mut sandbox = with_file("a");
    sandbox.symlink("a.md", "link.md");
    let edited = sandbox.ok("edit_file", json!({"path": "link.md", "old": "a", "new": "b"}));
    assert_eq!((&edited.structured()["path"], sandbox.read("a.md")), (&json!("/workspace/a.md"), b"b".to_vec()));
}

#[test]
fn t_edit_file_09_what_is_not_there_or_no_file_is_an_error() {
    let mut sandbox = with_file("a");
    sandbox.mkdir("folder");
    for (path, message) in [("none.md", "No such file or directory: none.md"), ("folder", "Is a directory: folder")] {
        let error = sandbox.fail("edit_file", json!({"path": path, "old": "a", "new": "b"}));
        assert_eq!(error.message, message);
    }
    assert!(!sandbox.exists("none.md"));
}

#[test]
fn t_edit_file_11_what_would_become_too_large_is_refused_as_by_write_file() {
    let mut sandbox = with_file("x".repeat(40_000));
    for length in [40_000, 120_000] {
        let arguments = json!({"path": "a.md", "old": "x", "new": "y".repeat(length), "all": true});
        let error = sandbox.fail("edit_file", arguments);
        assert_eq!((error.kind.name(), error.message.as_str()), ("out-of-space", "File too large: a.md"));
    }
    assert_eq!(sandbox.read("a.md"), "x".repeat(40_000).as_bytes());
}

#[test]
fn t_edit_file_10_an_edit_stops_in_time() {
    let mut sandbox = with_file("x".repeat(2000));
    let arguments = json!({"path": "a.md", "old": "x", "new": "y", "all": true});
    let error = sandbox.calling("edit_file", arguments).out_of_time().done().unwrap_err();
    assert_eq!(error.kind.name(), "timeout");
    assert_eq!(sandbox.read("a.md"), "x".repeat(2000).as_bytes());
}

#[test]
fn t_edit_file_14_an_empty_old_makes_a_file() {
    let mut sandbox = with_file("");
    for path in ["new/b.md", "a.md"] {
        let made = sandbox.ok("edit_file", json!({"path": path, "old": "", "new": "text\n"}));
        assert_eq!(made.text, format!("Wrote 5 bytes to /workspace/{path}\n"));
        assert_eq!((&made.structured()["replacements"], sandbox.read(path)), (&json!(0), b"text\n".to_vec()));
    }
}

#[test]
fn t_edit_file_15_a_number_of_occurrences_is_replaced_or_nothing() {
    let mut sandbox = with_file("x\nx\n");
    let error = sandbox.fail("edit_file", json!({"path": "a.md", "old": "x", "new": "y", "count": 3}));
    assert_eq!(error.message, "`old` occurs 2 times in a.md (lines 1, 2)");
    assert_eq!(error.hint, "`count` is 3. Set it to 2, or add surrounding lines to `old` and `new`.");
    sandbox.ok("edit_file", json!({"path": "a.md", "old": "x", "new": "y", "count": "2"}));
    assert_eq!(sandbox.read("a.md"), b"y\ny\n");
}

#[test]
fn t_edit_file_16_several_edits_are_all_made_or_none() {
    let mut sandbox = with_file("one\ntwo\n");
    sandbox.write("b.md", "b");
    let edits = json!([
        {"old": "one", "new": "1"},
        {"old": "1\ntwo", "new": "1\n2"},
        {"path": "b.md", "old": "b", "new": "B"},
        {"path": "c/d.md", "old": "", "new": "new"},
    ]);
    let edited = sandbox.ok("edit_file", json!({"path": "a.md", "edits": edits}));
    assert_eq!(edited.structured()["edits"].as_array().unwrap().len(), 4);
    assert_eq!((sandbox.read("a.md"), sandbox.read("b.md")), (b"1\n2\n".to_vec(), b"B".to_vec()));
    assert_eq!(sandbox.read("c/d.md"), b"new");
    let before = sandbox.tree();
    let edits = json!([{"old": "1", "new": "one"}, {"old": "none", "new": "x"}]);
    let error = sandbox.fail("edit_file", json!({"path": "a.md", "edits": edits}));
    assert_eq!(error.message, "Edit 2 of 2: `old` does not occur in a.md");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn t_edit_file_17_edits_stand_in_place_of_an_edit() {
    let mut sandbox = with_file("a");
    let edits = json!([{"old": "a", "new": "b"}]);
    for (arguments, message) in [
        (json!({"path": "a.md", "old": "a", "new": "b", "edits": edits}), "`edits` stands in place of `old` and `new`"),
        (json!({"edits": edits}), "`path` is required"),
        (json!({"path": "a.md", "old": "a"}), "`new` is required"),
    ] {
        assert_eq!(sandbox.fail("edit_file", arguments).message, message);
    }
}

#[test]
fn t_edit_file_18_a_hint_has_the_names_of_the_call() {
    let mut sandbox = with_file("x x");
    let error = sandbox.fail("Edit", json!({"file_path": "a.md", "old_string": "x", "new_string": "y"}));
    assert_eq!(error.message, "`old_string` occurs 2 times in a.md (lines 1, 1)");
    assert!(error.hint.ends_with("or set `replace_all` to true."), "{}", error.hint);
}

#[test]
fn attack_20_an_edit_is_an_object_in_which_a_host_finds_its_path() {
    let mut sandbox = with_file("a");
    sandbox.write("b.md", "b");
    let before = sandbox.tree();
    let edits = json!([["b.md", "b", "c", false, null]]);
    let error = sandbox.fail("edit_file", json!({"path": "a.md", "edits": edits}));
    assert_eq!(error.kind.name(), "bad-args", "{error:?}");
    assert_eq!(sandbox.tree(), before);
}
