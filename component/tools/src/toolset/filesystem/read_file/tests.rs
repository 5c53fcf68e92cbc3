//! What `read_file` does, as a specification.

use serde_json::json;

use crate::options::Options;
use crate::testing::Sandbox;

fn with_max_bytes(max_bytes: usize) -> Sandbox {
    let mut options = Options::default();
    options.git.max_bytes = max_bytes;
    Sandbox::with(options, &[])
}

#[test]
fn t_read_file_01_the_text_is_the_content() {
    let mut sandbox = Sandbox::new();
    sandbox.write("docs/a.md", "one\r\ntwo é");
    let read = sandbox.ok("read_file", json!({"path": "docs/a.md"}));
    assert_eq!((read.text.as_str(), read.truncated), ("one\r\ntwo é", false));
    assert_eq!(
        read.structured(),
        json!({
            "path": "/workspace/docs/a.md", "content": "one\r\ntwo é", "encoding": "utf-8", "size": 11, "lines": 2, "offset": 1,
            "executable": false, "truncated": false, "untrusted": true,
        })
    );
}

#[test]
fn t_read_file_02_an_absolute_path_names_the_same_file() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.md", "a");
    for path in ["/workspace/a.md", "a.md", "./a.md", "//workspace//./a.md"] {
        assert_eq!(sandbox.ok("read_file", json!({"path": path})).structured()["path"], "/workspace/a.md");
    }
}

#[test]
fn t_read_file_03_offset_and_limit_choose_lines() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.md", "1\n2\n3\n4\n");
    let read = sandbox.ok("read_file", json!({"path": "a.md", "offset": 2, "limit": 2}));
    assert_eq!((read.text.as_str(), read.truncated), ("2\n3\n", false));
    assert_eq!((&read.structured()["nextOffset"], &read.structured()["lines"]), (&json!(4), &json!(4)));
    let rest = sandbox.ok("read_file", json!({"path": "a.md", "offset": 4}));
    assert_eq!((rest.text.as_str(), rest.structured().get("nextOffset")), ("4\n", None));
}

#[test]
fn t_read_file_04_an_offset_past_the_end_says_how_long_the_file_is() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.md", "1\n2\n");
    sandbox.write("empty", "");
    let error = sandbox.fail("read_file", json!({"path": "a.md", "offset": 3}));
    assert_eq!(
        (error.kind.name(), error.message.as_str()),
        ("bad-args", "`offset` 3 is past the end: a.md has 2 lines")
    );
    assert_eq!(sandbox.fail("read_file", json!({"path": "a.md", "offset": 0})).kind.name(), "bad-args");
    assert_eq!(sandbox.ok("read_file", json!({"path": "empty", "offset": 1})).text, "");
}

#[test]
fn t_read_file_05_bytes_that_are_not_utf8_come_in_base64() {
    let mut sandbox = Sandbox::new();
    sandbox.write_executable("a.bin", b"\xff\x00a\n");
    let read = sandbox.ok("read_file", json!({"path": "a.bin"}));
    assert_eq!(read.text, "\u{fffd}\\x00a\n");
    assert_eq!(read.structured()["content"], "/wBhCg==");
    assert_eq!((&read.structured()["encoding"], &read.structured()["executable"]), (&json!("base64"), &json!(true)));
}

#[test]
fn t_read_file_06_a_long_file_is_cut_after_a_line_and_read_on_by_offset() {
    let mut sandbox = with_max_bytes(100);
    let whole: String = (1..=40).map(|number| format!("line {number}\n")).collect();
    sandbox.write("a.md", &whole);
    let first = sandbox.ok("read_file", json!({"path": "a.md"}));
    assert!(first.truncated && first.text.len() <= 100);
    let content = first.structured()["content"].as_str().unwrap().to_owned();
    assert_eq!(first.text, format!("{content}\n\n... [output truncated]"));
    assert_eq!(first.structured()["hint"], format!("Continue with `offset` {}.", first.structured()["nextOffset"]));
    let mut read = content.to_owned();
    let mut next = first.structured()["nextOffset"].as_u64();
    while let Some(offset) = next {
        let page = sandbox.ok("read_file", json!({"path": "a.md", "offset": offset}));
        read.push_str(page.structured()["content"].as_str().unwrap());
        next = page.structured().get("nextOffset").map(|next| next.as_u64().unwrap());
    }
    assert_eq!(read, whole);
}

#[test]
fn t_read_file_07_a_line_that_is_too_long_is_shown_as_far_as_it_fits() {
    let mut sandbox = with_max_bytes(100);
    sandbox.write("a.md", format!("{}\nshort\n", "é\x01".repeat(100)));
    let read = sandbox.ok("read_file", json!({"path": "a.md"}));
    assert!(read.truncated && read.text.len() <= 100);
    assert!(read.text.ends_with("\n\n... [output truncated]"));
    let hint = "Line 1 is too long to show in full. Use search_files to see the part around a match. Continue with `offset` 2.";
    assert_eq!(read.structured()["hint"], hint);
    assert_eq!(sandbox.ok("read_file", json!({"path": "a.md", "offset": 2})).text, "short\n");
}

#[test]
fn t_read_file_11_a_line_that_fits_is_whole_whatever_comes_after_it() {
    let mut sandbox = with_max_bytes(100);
    let line = "x".repeat(99) + "\n";
    sandbox.write("a.md", line.repeat(2));
    let first = sandbox.ok("read_file", json!({"path": "a.md"}));
    assert_eq!((&first.text, first.truncated), (&line, true));
    assert_eq!(
        (&first.structured()["nextOffset"], &first.structured()["hint"], &first.structured()["truncated"]),
        (&json!(2), &json!("Continue with `offset` 2."), &json!(true))
    );
    let second = sandbox.ok("read_file", json!({"path": "a.md", "offset": 2}));
    assert_eq!((second.text, second.truncated), (line, false));
}

#[test]
fn t_read_file_08_base64_is_no_larger_than_max_bytes() {
    let mut sandbox = with_max_bytes(101);
    sandbox.write("a.bin", [0xff; 1000]);
    let read = sandbox.ok("read_file", json!({"path": "a.bin"}));
    assert!(read.truncated && read.text.len() <= 101);
    assert!(read.structured()["content"].as_str().unwrap().len() <= 101);
}

#[test]
fn t_read_file_09_only_regular_files_can_be_read() {
    let mut sandbox = Sandbox::new();
    sandbox.mkdir("folder");
    sandbox.write("a.md", "");
    for (path, kind, message) in [
        ("folder", "execution-failed", "Is a directory: folder"),
        (".", "execution-failed", "Is a directory: ."),
        ("none.md", "not-found", "No such file or directory: none.md"),
        ("a.md/b", "execution-failed", "Not a directory: a.md/b"),
        ("", "bad-args", "A path cannot be empty"),
        ("a\0b", "bad-args", "A path cannot contain a NUL character"),
    ] {
        let error = sandbox.fail("read_file", json!({"path": path}));
        assert_eq!((error.kind.name(), error.message.as_str()), (kind, message), "{path:?}");
    }
}

#[test]
fn t_read_file_10_a_read_stops_in_time() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.md", "\n".repeat(2000));
    let error = sandbox.calling("read_file", json!({"path": "a.md"})).out_of_time().done().unwrap_err();
    assert_eq!(error.kind.name(), "timeout");
}

#[test]
fn t_read_file_12_lines_have_numbers_if_they_are_wanted() {
    let mut sandbox = with_max_bytes(55);
    sandbox.write("a.md", "one\r\ntwo\nthree\nfour\nfive\nsix");
    let read = sandbox.ok("read_file", json!({"path": "a.md", "line_numbers": true, "offset": 2, "limit": 2}));
    assert_eq!(read.text, "     2\ttwo\n     3\tthree\n");
    assert_eq!(read.structured()["content"], "two\nthree\n");
    let cut = sandbox.ok("read_file", json!({"path": "a.md", "line_numbers": true}));
    assert_eq!(cut.text, "     1\tone\r\n     2\ttwo\n\n\n... [output truncated]");
    assert_eq!(cut.structured()["nextOffset"], 3);
    let last = sandbox.ok("read_file", json!({"path": "a.md", "line_numbers": true, "offset": 6}));
    assert_eq!(last.text, "     6\tsix");
    assert_eq!(
        sandbox.ok("Read", json!({"file_path": "a.md", "offset": 6})).text,
        "     6\tsix",
        "as Claude Code reads"
    );
}

#[test]
fn t_read_file_13_several_ranges_are_read_at_once() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.md", "1\n2\n3\n4\n5\n6\n");
    let read = sandbox.ok("read_file", json!({"path": "a.md", "ranges": [[1, 2], [5, 9]]}));
    assert_eq!(read.text, "     1\t1\n     2\t2\n...\n     5\t5\n     6\t6\n");
    assert_eq!((&read.structured()["content"], &read.structured()["offset"]), (&json!("1\n2\n5\n6\n"), &json!(1)));
    for (ranges, message) in [
        (json!([[3, 2]]), "`ranges`: 3 comes after 2"),
        (json!([[7, 9]]), "`ranges`: 7 is past the end: a.md has 6 lines"),
        (json!([[1, 2, 3]]), "Invalid arguments"),
    ] {
        let error = sandbox.fail("read_file", json!({"path": "a.md", "ranges": ranges}));
        assert!(error.message.starts_with(message), "{}", error.message);
    }
    let both = sandbox.fail("read_file", json!({"path": "a.md", "ranges": [[1, 2]], "limit": 1}));
    assert_eq!(both.message, "`ranges` stands in place of `offset` and `limit`");
}

#[test]
fn t_read_file_14_an_image_comes_whole_with_its_type() {
    let mut sandbox = with_max_bytes(100);
    let image = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0xff; 500]].concat();
    sandbox.write("a.png", &image);
    let read = sandbox.ok("read_file", json!({"path": "a.png"}));
    assert_eq!((read.text.as_str(), read.truncated), ("/workspace/a.png: image/png, 508 bytes\n", false));
    assert_eq!((&read.structured()["mime"], &read.structured()["encoding"]), (&json!("image/png"), &json!("base64")));
    assert_eq!(read.structured()["content"].as_str().unwrap().len(), 680);
    let part = sandbox.ok("read_file", json!({"path": "a.png", "limit": 1}));
    assert_eq!(part.structured()["mime"], json!(null), "a part is no image");
}

#[test]
fn t_read_file_15_a_notebook_is_shown_as_cells_and_read_on_as_a_file() {
    let mut sandbox = Sandbox::new();
    let notebook = json!({
        "cells": [
            {"cell_type": "markdown", "id": "intro", "source": ["# Title\n", "text"]},
            {"cell_type": "code", "source": "print(1)", "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["2"], "image/png": "aGk="}},
                {"output_type": "error", "ename": "E", "evalue": "why"},
            ]},
        ],
        "nbformat": 4,
    });
    sandbox.write("a.ipynb", notebook.to_string());
    let read = sandbox.ok("read_file", json!({"path": "a.ipynb"}));
    assert_eq!(
        read.text,
        "[cell 1, markdown, id intro]\n# Title\ntext\n[cell 2, code]\nprint(1)\n[output]\n1\n(image/png)\n2\nE: why\n\n\
         These are the notebook's cells. To edit it, read its JSON with `offset` 1.\n"
    );
    assert_eq!(read.structured()["content"], notebook.to_string());
    assert_eq!(sandbox.ok("read_file", json!({"path": "a.ipynb", "offset": 1})).text, notebook.to_string());
    sandbox.write("b.ipynb", "no JSON");
    assert_eq!(sandbox.ok("read_file", json!({"path": "b.ipynb"})).text, "no JSON");
}
