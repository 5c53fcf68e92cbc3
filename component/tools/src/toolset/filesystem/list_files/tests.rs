//! What `list_files` does, as a specification.

use serde_json::json;

use crate::options::Options;
use crate::testing::Sandbox;

fn sample() -> Sandbox {
    sample_with(Options::default())
}

fn sample_with(options: Options) -> Sandbox {
    let sandbox = Sandbox::with(options, &[]);
    sandbox.write("a/b/c.md", "c");
    sandbox.write("a.md", "four");
    sandbox.write_executable("run.sh", "#!/bin/sh\n");
    sandbox.symlink("a/b", "link");
    sandbox.mkdir("empty");
    sandbox
}

#[test]
fn t_list_files_01_lists_one_folder_sorted_bytewise() {
    assert_eq!(sample().ok("list_files", json!({})).text, "a.md\na/\nempty/\nlink\nrun.sh\n");
}

#[test]
fn t_list_files_02_recursive_lists_folders_before_what_is_in_them() {
    let listed = sample().ok("list_files", json!({"recursive": true}));
    assert_eq!(listed.text, "a.md\na/\na/b/\na/b/c.md\nempty/\nlink\nrun.sh\n");
}

#[test]
fn t_list_files_03_structured_says_what_each_entry_is() {
    assert_eq!(
        sample().ok("list_files", json!({"path": "/workspace"})).structured(),
        json!({
            "path": "/workspace",
            "entries": [
                {"path": "/workspace/a.md", "kind": "file", "size": 4, "executable": false},
                {"path": "/workspace/a", "kind": "folder"},
                {"path": "/workspace/empty", "kind": "folder"},
                {"path": "/workspace/link", "kind": "link", "target": "a/b"},
                {"path": "/workspace/run.sh", "kind": "file", "size": 10, "executable": true},
            ],
            "count": 5,
            "truncated": false,
            "untrusted": true,
        })
    );
}

#[test]
fn t_list_files_04_a_link_to_a_folder_lists_the_folder() {
    assert_eq!(sample().ok("list_files", json!({"path": "link"})).text, "a/b/c.md\n");
}

#[test]
fn t_list_files_05_a_file_lists_as_itself() {
    assert_eq!(sample().ok("list_files", json!({"path": "a/b/c.md"})).text, "a/b/c.md\n");
}

#[test]
fn t_list_files_06_an_empty_folder_has_no_lines() {
    assert_eq!(sample().ok("list_files", json!({"path": "empty"})).text, "");
}

#[test]
fn t_list_files_07_a_limit_cuts_and_says_so() {
    let listed = sample().ok("list_files", json!({"limit": 2}));
    assert_eq!(listed.text, "a.md\na/\n\n\n... [output truncated]");
    assert!(listed.truncated);
    assert_eq!(listed.structured()["truncated"], true);
    assert_eq!(
        listed.structured()["hint"],
        "There are more entries. Go on with `offset` 3, or list one of the folders."
    );
    assert!(!sample().ok("list_files", json!({"limit": 5})).truncated);
}

#[test]
fn t_list_files_08_neither_form_is_larger_than_max_bytes() {
    let mut options = Options::default();
    options.git.max_bytes = 2000;
    let mut sandbox = Sandbox::with(options, &[]);
    for number in 0..200 {
        sandbox.write(&format!("file-{number}.md"), "");
    }
    let listed = sandbox.ok("list_files", json!({}));
    assert!(listed.truncated && listed.text.len() <= 2000);
    assert!(listed.structured()["entries"].to_string().len() <= 2000);
}

#[test]
fn t_list_files_09_other_zones_are_listed_with_absolute_paths() {
    let mut sandbox = Sandbox::with(Options::default(), &[("docs", false)]);
    sandbox.write("/docs/a.md", "");
    assert_eq!(sandbox.ok("list_files", json!({"path": "/docs"})).text, "/docs/a.md\n");
}

#[test]
fn t_list_files_10_names_that_are_no_text_are_quoted() {
    let mut sandbox = Sandbox::new();
    sandbox.write("two\nlines", "");
    let name = crate::platform::join(&sandbox.root(), b"\xffx");
    std::fs::write(name, "").unwrap();
    let listed = sandbox.ok("list_files", json!({}));
    assert_eq!(listed.text, "\"two\\nlines\"\n\"\\377x\"\n");
    assert_eq!(listed.structured()["entries"][0]["path"], "/workspace/two\nlines");
    assert_eq!(listed.structured()["entries"][1]["path"], "\"/workspace/\\377x\"");
}

#[test]
fn t_list_files_11_what_is_not_there_is_an_error() {
    let error = sample().fail("list_files", json!({"path": "nowhere"}));
    assert_eq!((error.kind.name(), error.message.as_str()), ("not-found", "No such file or directory: nowhere"));
}

#[test]
fn t_list_files_12_a_walk_stops_in_time() {
    let mut sandbox = Sandbox::new();
    for number in 0..1100 {
        sandbox.write(&format!("{number}"), "");
    }
    let error = sandbox.calling("list_files", json!({"limit": 2000})).out_of_time().done().unwrap_err();
    assert_eq!(error.kind.name(), "timeout");
}

#[test]
fn t_list_files_13_pages_come_to_the_whole_in_any_budget() {
    let whole = sample().ok("list_files", json!({"recursive": true})).structured()["entries"].clone();
    for max_bytes in [200, 400, 100_000] {
        let mut options = Options::default();
        options.git.max_bytes = max_bytes;
        let mut sandbox = sample_with(options);
        let mut found = Vec::new();
        let mut offset = json!(1);
        while !offset.is_null() {
            let page = sandbox.ok("list_files", json!({"recursive": true, "offset": offset})).structured();
            assert_eq!(page["truncated"], !page["nextOffset"].is_null());
            found.extend(page["entries"].as_array().unwrap().clone());
            offset = page["nextOffset"].clone();
        }
        assert_eq!(json!(found), whole);
    }
}

#[test]
fn t_list_files_14_there_is_nothing_after_the_end() {
    let after = sample().ok("list_files", json!({"offset": 6})).structured();
    assert_eq!((&after["count"], &after["truncated"]), (&json!(0), &json!(false)));
    assert_eq!(sample().ok("list_files", json!({"path": "a.md", "offset": 2})).text, "");
    assert_eq!(sample().fail("list_files", json!({"offset": 0})).kind.name(), "bad-args");
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn t_list_files_15_with_a_depth_it_is_a_tree_without_what_git_ignores() {
    let mut sandbox = Sandbox::with_repository();
    for (path, content) in [
        ("a/b/c.md", "c"),
        ("a/b/d/e/f.md", ""),
        ("a/z.md", ""),
        (".gitignore", "/out/\n!kept\n"),
        ("out/x", ""),
        ("top.md", ""),
    ] {
        sandbox.write(path, content);
    }
    let tree = |sandbox: &mut Sandbox, arguments| sandbox.ok("list_files", arguments).text;
    assert_eq!(tree(&mut sandbox, json!({"depth": 1})), ".gitignore\na/\ntop.md\n");
    assert_eq!(tree(&mut sandbox, json!({"depth": 2})), ".gitignore\na/\n  b/\n  z.md\ntop.md\n");
    assert_eq!(tree(&mut sandbox, json!({"depth": 9, "path": "a"})), "b/\n  c.md\n  d/\n    e/\n      f.md\nz.md\n");
    assert_eq!(tree(&mut sandbox, json!({"depth": 1, "ignored": true})), ".gitignore\na/\nout/\ntop.md\n");
    assert_eq!(tree(&mut sandbox, json!({"depth": 1, "path": "out"})), "x\n", "it is named");
    assert_eq!(tree(&mut sandbox, json!({"exclude": ["*.md", "a"]})), ".gitignore\nout/\n");
    assert_eq!(
        tree(&mut sandbox, json!({"recursive": true, "exclude": ["a/b"], "ignored": false})),
        ".gitignore\na/\na/z.md\ntop.md\n"
    );
}
