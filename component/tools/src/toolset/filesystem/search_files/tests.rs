//! What `search_files` does, as a specification.

use serde_json::json;

use crate::options::Options;
use crate::testing::Sandbox;

fn sample() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/main.rs", "fn main() {\n    run();\n}\n");
    sandbox.write("src/deep/lib.rs", "pub fn run() {}\r\n");
    sandbox.write("notes.md", "run it\n");
    sandbox.write("image.png", b"\x00run\n");
    sandbox.write(".gitignore", "/notes.md\n");
    sandbox.write(".git/config", "run\n");
    sandbox.symlink("notes.md", "link.md");
    sandbox
}

#[test]
fn t_search_files_01_matching_lines_are_shown_as_grep_does() {
    let found = sample().ok("search_files", json!({"pattern": "run"}));
    assert_eq!(found.text, "notes.md:1:run it\nsrc/deep/lib.rs:1:pub fn run() {}\nsrc/main.rs:2:    run();\n");
    assert_eq!(
        found.structured(),
        json!({
            "path": "/workspace",
            "matches": [
                {"path": "/workspace/notes.md", "line": 1, "text": "run it"},
                {"path": "/workspace/src/deep/lib.rs", "line": 1, "text": "pub fn run() {}"},
                {"path": "/workspace/src/main.rs", "line": 2, "text": "    run();"},
            ],
            "count": 3, "filesSearched": 4, "truncated": false, "untrusted": true,
        })
    );
}

#[test]
fn t_search_files_02_a_folder_or_a_file_can_be_searched_alone() {
    for (path, text) in [
        ("src/deep", "src/deep/lib.rs:1:pub fn run() {}\n"),
        ("/workspace/notes.md", "notes.md:1:run it\n"),
        ("link.md", "notes.md:1:run it\n"),
        ("image.png", "No matches\n"),
    ] {
        assert_eq!(sample().ok("search_files", json!({"pattern": "run", "path": path})).text, text, "{path}");
    }
}

#[test]
fn t_search_files_03_a_glob_chooses_files_by_name_or_by_path() {
    for (glob, count) in [
        ("*.rs", 2),
        ("*.{rs,md}", 3),
        ("src/*.rs", 1),
        ("/src/*.rs", 1),
        ("src/**/*.rs", 2),
        ("**/*.rs", 2),
        ("[mn]*", 2),
        ("*.txt", 0),
    ] {
        let found = sample().ok("search_files", json!({"pattern": "run|main", "glob": glob}));
        let mut files: Vec<_> =
            found.structured()["matches"].as_array().unwrap().iter().map(|found| found["path"].clone()).collect();
        files.dedup();
        assert_eq!(files.len(), count, "{glob}");
    }
}

#[test]
fn t_search_files_09_of_a_file_alone_the_path_below_its_zone_has_to_match() {
    for (glob, found) in
        [("*.rs", true), ("src/*.rs", true), ("/src/*.rs", true), ("workspace/src/*.rs", false), ("/*.rs", false)]
    {
        let arguments = json!({"pattern": "main", "path": "src/main.rs", "glob": glob});
        let text = sample().ok("search_files", arguments).text;
        assert_eq!(text == "src/main.rs:1:fn main() {\n", found, "{glob}: {text}");
    }
}

#[test]
fn t_search_files_04_lines_are_matched_one_by_one_without_their_ends() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "one\r\ntwo\nthree");
    for (pattern, text) in [
        ("^one$", "a:1:one\n"),
        ("o$", "a:2:two\n"),
        ("(?i)THREE$", "a:3:three\n"),
        ("one\\s+two", "No matches\n"),
        ("^", "a:1:one\na:2:two\na:3:three\n"),
    ] {
        assert_eq!(sandbox.ok("search_files", json!({"pattern": pattern})).text, text, "{pattern}");
    }
}

#[test]
fn t_search_files_05_a_limit_cuts_and_says_so() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "x\n".repeat(300));
    let found = sandbox.ok("search_files", json!({"pattern": "x"}));
    assert!(found.truncated && found.text.ends_with("a:200:x\n\n\n... [output truncated]"));
    assert_eq!((&found.structured()["count"], &found.structured()["truncated"]), (&json!(200), &json!(true)));
    assert!(found.structured()["hint"].is_string());
    assert!(!sandbox.ok("search_files", json!({"pattern": "x", "limit": 300})).truncated);
}

#[test]
fn t_search_files_06_neither_form_is_larger_than_max_bytes() {
    let mut options = Options::default();
    options.git.max_bytes = 1000;
    let mut sandbox = Sandbox::with(options, &[]);
    sandbox.write("a", "x\n".repeat(100));
    let found = sandbox.ok("search_files", json!({"pattern": "x"}));
    assert!(found.truncated && found.text.len() <= 1000);
    assert!(found.structured()["matches"].to_string().len() <= 1000);
}

#[test]
fn t_search_files_08_what_cannot_be_compiled_is_refused() {
    for pattern in ["(", "(?=a)", r"\1", "((a{1000}){1000}){1000}"] {
        let error = sample().fail("search_files", json!({"pattern": pattern}));
        assert!(error.kind.name() == "bad-args" && error.message.starts_with("Invalid pattern: "), "{error:?}");
    }
    for glob in ["[", &"{".repeat(400), &format!("{}x{}", "{a,".repeat(400), "}".repeat(400))] {
        let error = sample().fail("search_files", json!({"pattern": "a", "glob": glob}));
        assert!(error.kind.name() == "bad-args" && error.message.starts_with("Invalid glob: "), "{error:?}");
    }
}

#[test]
fn attack_21_a_pattern_that_would_backtrack_takes_linear_time() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "a".repeat(20_000) + "!");
    assert_eq!(sandbox.ok("search_files", json!({"pattern": "^(a+)+$"})).text, "No matches\n");
    sandbox.write(&"a".repeat(200), "x");
    let glob = "*a".repeat(60) + "b";
    assert_eq!(sandbox.ok("search_files", json!({"pattern": "x", "glob": glob})).text, "No matches\n");
}

#[test]
fn attack_21_a_search_stops_in_time() {
    let mut sandbox = Sandbox::new();
    sandbox.write("one long line", "a".repeat(200_000));
    let error = sandbox.calling("search_files", json!({"pattern": "b"})).out_of_time().done().unwrap_err();
    assert_eq!(error.kind.name(), "timeout");
}

#[test]
fn t_search_files_20_lines_around_a_match_are_shown_as_grep_does() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "1\n2\nhit 3\n4\nhit 5\n6\n7\n8\nhit 9\n10\n");
    sandbox.write("b", "hit\nx\n");
    let text = |sandbox: &mut Sandbox, arguments| sandbox.ok("search_files", arguments).text;
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "hit", "context": 1})),
        "a-2-2\na:3:hit 3\na-4-4\na:5:hit 5\na-6-6\n--\na-8-8\na:9:hit 9\na-10-10\n--\nb:1:hit\nb-2-x\n"
    );
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "hit", "before": 1, "path": "a", "limit": 2})),
        "a-2-2\na:3:hit 3\na-4-4\na:5:hit 5\n\n\n... [output truncated]"
    );
    assert_eq!(text(&mut sandbox, json!({"pattern": "hit", "after": 1, "path": "b"})), "b:1:hit\nb-2-x\n");
    // Claude Code's names.
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "HIT", "path": "b", "-A": 1, "-i": true, "-n": true})),
        "b:1:hit\nb-2-x\n"
    );
}

#[test]
fn t_search_files_21_only_names_or_numbers_are_shown() {
    let mut sandbox = sample();
    let found = sandbox.ok("search_files", json!({"pattern": "run", "output_mode": "files_with_matches"}));
    assert_eq!(found.text, "notes.md\nsrc/deep/lib.rs\nsrc/main.rs\n");
    assert_eq!(found.structured()["matches"][0], json!({"path": "/workspace/notes.md"}));
    sandbox.write("many", "x\nx x\n");
    let found = sandbox.ok("search_files", json!({"pattern": "x", "output_mode": "count", "path": "many"}));
    assert_eq!((found.text.as_str(), &found.structured()["matches"][0]["count"]), ("many:2\n", &json!(2)));
    let first = sandbox.ok("search_files", json!({"pattern": "run", "output_mode": "files_with_matches", "limit": 1}));
    assert_eq!(first.structured()["nextOffset"], 2);
}

#[test]
fn t_search_files_22_a_pattern_matches_across_lines_if_it_may() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a", "fn a(\n  b,\n) {\n}\nfn c() {}\n");
    let text = |sandbox: &mut Sandbox, arguments| sandbox.ok("search_files", arguments).text;
    assert_eq!(text(&mut sandbox, json!({"pattern": "fn a.*?\\{"})), "No matches\n");
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "fn a.*?\\{", "multiline": true})),
        "a:1:fn a(\na:2:  b,\na:3:) {\n"
    );
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "^fn", "multiline": true, "after": 1})),
        "a:1:fn a(\na-2-  b,\n--\na:5:fn c() {}\n"
    );
    assert_eq!(text(&mut sandbox, json!({"pattern": "x*", "multiline": true, "output_mode": "count"})), "a:5\n");
}

#[test]
fn t_search_files_23_text_case_and_what_is_left_out() {
    let mut sandbox = Sandbox::new();
    sandbox.write("a.rs", "a.b\naxb\nA.B // no\n");
    sandbox.write("a.py", "a.b\n");
    let text = |sandbox: &mut Sandbox, arguments| sandbox.ok("search_files", arguments).text;
    assert_eq!(text(&mut sandbox, json!({"pattern": "a.b", "literal": true, "type": "rust"})), "a.rs:1:a.b\n");
    assert_eq!(
        text(&mut sandbox, json!({"pattern": "a.b", "ignore_case": true, "exclude": "// no$", "type": "rust"})),
        "a.rs:1:a.b\na.rs:2:axb\n"
    );
    assert_eq!(text(&mut sandbox, json!({"pattern": "[xX]", "only_matching": true})), "a.rs:2:x\n");
    assert_eq!(text(&mut sandbox, json!({"pattern": "b", "per_file": 1})), "a.py:1:a.b\na.rs:1:a.b\n");
    let error = sandbox.fail("search_files", json!({"pattern": "b", "type": "cobol"}));
    assert_eq!(error.message, "Unknown type of files: cobol");
}

#[cfg(not(target_os = "wasi"))]
#[test]
fn t_search_files_24_what_git_ignores_is_left_out_unless_it_is_named_or_tracked() {
    let mut sandbox = Sandbox::with_repository();
    for (path, content) in [
        ("src/a.rs", "hit\n"),
        ("src/gen/b.rs", "hit\n"),
        ("src/gen/.gitignore", "*\n"),
        (".gitignore", "/target/\n*.log\n"),
        ("target/c.rs", "hit\n"),
        ("kept.log", "hit\n"),
        ("not.log", "hit\n"),
    ] {
        sandbox.write(path, content);
    }
    sandbox.git(&["add", "--force", "kept.log"]);
    let text = |sandbox: &mut Sandbox, arguments| sandbox.ok("search_files", arguments).text;
    assert_eq!(text(&mut sandbox, json!({"pattern": "hit"})), "kept.log:1:hit\nsrc/a.rs:1:hit\n");
    assert_eq!(text(&mut sandbox, json!({"pattern": "hit", "path": "src"})), "src/a.rs:1:hit\n");
    assert_eq!(text(&mut sandbox, json!({"pattern": "hit", "path": "target"})), "target/c.rs:1:hit\n");
    assert_eq!(text(&mut sandbox, json!({"pattern": "hit", "path": "not.log"})), "not.log:1:hit\n");
    let all = sandbox.ok("search_files", json!({"pattern": "hit", "ignored": true}));
    assert_eq!(all.structured()["count"], 5);
}
