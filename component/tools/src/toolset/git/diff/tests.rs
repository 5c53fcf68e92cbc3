use serde_json::{Value, json};

use crate::error::ErrorKind;
use crate::testing::Sandbox;

/// A repository with two commits, also at origin: the second changed `a` and added `sub/b`.
fn committed() -> Sandbox {
    let mut sandbox = Sandbox::with_two_commits();
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    sandbox
}

fn text(sandbox: &mut Sandbox, arguments: Value) -> String {
    sandbox.ok("git_diff", arguments).text
}

const A_TO_THREE: &str =
    "diff --git a/a b/a\nindex f719efd..2bdf67a 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-two\n+three\n";
const NEW_B: &str = "diff --git a/sub/b b/sub/b\nnew file mode 100644\nindex 0000000..3e75765\n--- /dev/null\n+++ b/sub/b\n@@ -0,0 +1 @@\n+new\n";
const A_TO_TWO: &str = "diff --git a/a b/a\nindex 5626abf..f719efd 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n";

#[test]
fn t_git_diff_01_cached_shows_the_index() {
    let mut sandbox = committed();
    sandbox.write("a", "three\n");
    assert_eq!(text(&mut sandbox, json!({"cached": true})), "");
    assert_eq!(text(&mut sandbox, json!({"cached": false})), A_TO_THREE);
    sandbox.git(&["add", "a"]);
    assert_eq!(text(&mut sandbox, json!({"cached": true})), A_TO_THREE);
    assert_eq!(text(&mut sandbox, json!({"cached": false})), "");
}

#[test]
fn t_git_diff_02_two_refs_write_patches_to_a_folder() {
    let mut sandbox = committed();
    let arguments = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": "out/patches"});
    let finished = sandbox.ok("git_diff", arguments);
    assert_eq!(finished.text, r#"{"patches":["a.patch","sub__b.patch"]}"#);
    assert_eq!(finished.structured()["patches"], json!(["a.patch", "sub__b.patch"]));
    assert_eq!(sandbox.read("out/patches/a.patch"), A_TO_TWO.as_bytes());
    assert_eq!(sandbox.read("out/patches/sub__b.patch"), NEW_B.as_bytes());
}

#[test]
fn t_git_diff_03_arguments_that_contradict_each_other_are_refused() {
    let mut sandbox = committed();
    let mut message = |arguments: Value| {
        let error = sandbox.fail("git_diff", arguments);
        assert_eq!(error.kind, ErrorKind::BadArgs);
        error.message
    };
    let cached = "cached cannot be used with from_ref/to_ref";
    assert_eq!(message(json!({"cached": true, "from_ref": "HEAD"})), cached);
    assert_eq!(message(json!({"cached": true, "to_ref": "HEAD"})), cached);
    let both = "output_dir requires both from_ref and to_ref";
    assert_eq!(message(json!({"output_dir": "x"})), both);
    assert_eq!(message(json!({"output_dir": "x", "from_ref": "HEAD"})), both);
    assert_eq!(message(json!({"to_ref": "HEAD"})), "to_ref requires from_ref");
    assert_eq!(
        message(json!({"commitId": "HEAD", "from_ref": "HEAD"})),
        "commitId and from_ref/to_ref are mutually exclusive"
    );
    assert_eq!(message(json!({"max_bytes": 5_000_001})), "max_bytes cannot exceed 5000000");
    assert_eq!(message(json!({"max_bytes": 0})), "max_bytes must be at least 1");
}

#[test]
fn t_git_diff_04_name_only_goes_before_stat() {
    let mut sandbox = committed();
    let mut refs = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "name_only": true, "stat": true});
    assert_eq!(text(&mut sandbox, refs.clone()), "a\nsub/b\n");
    refs["name_only"] = json!(false);
    let stat = " a     | 2 +-\n sub/b | 1 +\n 2 files changed, 2 insertions(+), 1 deletion(-)\n";
    assert_eq!(text(&mut sandbox, refs), stat);
}

#[test]
fn t_git_edge_02_nothing_has_changed() {
    let mut sandbox = committed();
    let finished = sandbox.ok("git_diff", json!({}));
    assert_eq!(finished.text, "");
    assert_eq!(finished.structured(), json!({"diff": "", "files": [], "truncated": false, "untrusted": true}));
}

/// The diff omits nothing, but the warning after it does not fit.
#[test]
fn t_git_edge_03_a_text_that_is_cut_in_its_warning_is_truncated() {
    let mut sandbox = committed();
    sandbox.git(&["tag", "main", "HEAD~1"]);
    let finished = sandbox.ok("git_diff", json!({"from_ref": "main", "to_ref": "main", "max_bytes": 45}));
    assert!(finished.text.starts_with("\n\n[stderr]\nwarning"), "{}", finished.text);
    assert_eq!((finished.truncated, &finished.structured()["truncated"]), (true, &json!(true)));
}

#[test]
fn t_git_edge_03_a_diff_of_exactly_max_bytes_is_whole() {
    let mut sandbox = committed();
    sandbox.write("a", "three\n");
    let finished = sandbox.ok("git_diff", json!({"max_bytes": A_TO_THREE.len()}));
    assert_eq!(finished.text, A_TO_THREE);
    assert!(!finished.truncated);
    assert_eq!(finished.structured()["truncated"], false);
}

#[test]
fn t_git_edge_04_and_common_03_a_longer_diff_is_cut_and_says_what_is_missing() {
    let mut sandbox = committed();
    sandbox.write("a", "three\n");
    let max_bytes = A_TO_THREE.len() - 1;
    let finished = sandbox.ok("git_diff", json!({"max_bytes": max_bytes}));
    let marker = "\n\n... [output truncated]";
    let whole = &A_TO_THREE[..max_bytes - marker.len()];
    assert_eq!(finished.text, format!("{whole}{marker}"));
    assert!(finished.truncated);
    assert_eq!(finished.structured()["truncated"], true);
    assert_eq!(finished.structured()["omitted"], json!(["/workspace/a"]));
}

#[test]
fn without_arguments_the_staged_commits_follow_the_working_tree() {
    let mut sandbox = committed();
    sandbox.write("c", "c\n");
    sandbox.git(&["add", "c"]);
    sandbox.git(&["commit", "--quiet", "-m", "Add c"]);
    sandbox.write("a", "three\n");
    let id = sandbox.git(&["rev-parse", "HEAD"]);
    let id = id.trim_end();
    let patch = sandbox.git(&["diff", "HEAD~1", "HEAD"]);
    let finished = sandbox.ok("git_diff", json!({"max_bytes": 1000}));
    let header = format!("Staged commit: {} \"Add c\"", &id[..8]);
    assert_eq!(finished.text, format!("{A_TO_THREE}\n{header}\n\n{patch}"));
    assert_eq!(finished.structured()["commits"][0]["commitId"], id);
    assert_eq!(text(&mut sandbox, json!({"commitId": &id[..8]})), patch);
    assert_eq!(text(&mut sandbox, json!({"commitId": "HEAD"})), patch);
    assert_eq!(text(&mut sandbox, json!({"paths": []})), A_TO_THREE);
}

#[test]
fn t_git_sec_02_and_04_paths_and_output_folders_stay_inside() {
    let mut sandbox = Sandbox::with(Default::default(), &[("data", false)]);
    sandbox.git(&["init", "--quiet"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
    let refused = |sandbox: &mut Sandbox, arguments: Value| {
        let error = sandbox.fail("git_diff", arguments.clone());
        assert_eq!(error.kind, ErrorKind::SandboxViolation, "{arguments}");
    };
    refused(&mut sandbox, json!({"paths": ["../x"]}));
    for output_dir in ["../out", "/etc/out", "/data/out", ".git/out", "out/../../x"] {
        let arguments = json!({"from_ref": "HEAD", "to_ref": "HEAD", "output_dir": output_dir});
        refused(&mut sandbox, arguments);
    }
}

#[test]
fn a_patch_is_not_written_through_a_link_into_the_repository() {
    let mut sandbox = committed();
    sandbox.symlink("../.git/config", "out/a.patch");
    let config = sandbox.read(".git/config");
    let arguments = json!({"from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": "out"});
    let error = sandbox.fail("git_diff", arguments);
    assert_eq!(error.kind, ErrorKind::SandboxViolation);
    assert_eq!(sandbox.read(".git/config"), config);
}

#[test]
fn t_git_sec_08_control_characters_are_made_visible() {
    let mut sandbox = committed();
    sandbox.write("a", "\x1b]52;c;x\x07\n");
    let shown = text(&mut sandbox, json!({}));
    assert!(shown.contains("+\\x1b]52;c;x\\x07\n"), "{shown}");
}

#[test]
fn t_git_sec_10_and_01_names_are_never_options() {
    let mut sandbox = committed();
    for name in ["--exec=malicious", "--output=x", "-", ""] {
        let error = sandbox.fail("git_diff", json!({"from_ref": name}));
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert!(error.message.starts_with(&format!("fatal: ambiguous argument '{name}'")));
        let error = sandbox.fail("git_diff", json!({"from_ref": name, "paths": ["a"]}));
        assert_eq!(error.message, format!("fatal: bad revision '{name}'"));
    }
    assert!(!sandbox.exists("x"));
}

#[test]
fn t_git_err_04_an_unknown_revision_is_said_in_git_s_words() {
    let mut sandbox = committed();
    for paths in [&[] as &[&str], &["a"]] {
        let mut git = vec!["diff", "nowhere"];
        let mut arguments = json!({"from_ref": "nowhere"});
        if !paths.is_empty() {
            git.push("--");
            git.extend(paths);
            arguments["paths"] = json!(paths);
        }
        let theirs = sandbox.git_output(&git).stderr;
        let ours = sandbox.fail("git_diff", arguments);
        assert_eq!(ours.message, String::from_utf8(theirs).unwrap().trim_end());
    }
}

#[test]
fn t_git_err_04_a_file_in_the_place_of_a_revision_is_told_where_it_belongs() {
    let mut sandbox = committed();
    for file in ["a", "sub", "sub/b"] {
        let theirs = sandbox.git_output(&["diff", file, "--"]).stderr;
        let ours = sandbox.fail("git_diff", json!({"from_ref": file}));
        assert_eq!(ours.message, String::from_utf8(theirs).unwrap().trim_end());
        assert_eq!(ours.hint, format!("{file} is a file or folder. Name it in paths."));
    }
}

#[test]
fn what_is_not_one_commit_or_tree_or_two_is_refused() {
    let mut sandbox = committed();
    for (from, to, message) in [
        ("HEAD^!", None, "Cannot compare with this revision: HEAD^!"),
        ("HEAD^@", None, "Cannot compare with this revision: HEAD^@"),
        ("HEAD:a", None, "Not a commit or a tree: HEAD:a"),
        ("HEAD~1..HEAD", Some("HEAD"), "Not a single revision: HEAD~1..HEAD"),
    ] {
        let mut arguments = json!({"from_ref": from});
        if let Some(to) = to {
            arguments["to_ref"] = json!(to);
        }
        let error = sandbox.fail("git_diff", arguments);
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::BadArgs, message));
    }
    assert_eq!(
        text(&mut sandbox, json!({"from_ref": "HEAD~1:", "to_ref": "HEAD^{tree}"})),
        format!("{A_TO_TWO}{NEW_B}")
    );
}

#[test]
fn drivers_that_a_configuration_names_are_never_run() {
    let mut sandbox = committed();
    sandbox.write(".gitattributes", "a filter=evil diff=evil\n");
    let marker = sandbox.real("ran");
    let command = format!("touch {}", marker.display());
    for key in ["filter.evil.clean", "diff.evil.textconv", "diff.evil.command", "diff.external", "core.fsmonitor"] {
        sandbox.git(&["config", key, &command]);
    }
    // From here on only the tool may run: git would run the configured programs.
    sandbox.session.forget();
    sandbox.write("a", "three\n");
    assert_eq!(text(&mut sandbox, json!({})), A_TO_THREE);
    sandbox.ok("git_status", json!({}));
    assert!(!marker.exists());
}

#[test]
fn no_list_of_a_diff_is_larger_than_max_bytes() {
    let mut sandbox = Sandbox::with_repository();
    sandbox.session.options.git.max_bytes = 2000;
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
    for number in 0..300 {
        sandbox.write(&format!("file-{number}"), "x\n");
    }
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "second"]);
    let refs = json!({"from_ref": "HEAD~1", "to_ref": "HEAD"});
    let diff = sandbox.ok("git_diff", refs.clone()).structured();
    let listed = |list: &Value| list.as_array().unwrap().len();
    assert_eq!(diff["filesOmitted"], 300 - listed(&diff["files"]));
    assert_eq!((&diff["truncated"], listed(&diff["omitted"]) > 10), (&json!(true), true));
    assert!(diff["files"].to_string().len() <= 2000 + 2 && diff["omitted"].to_string().len() <= 2000 + 2);
    let plain = sandbox.ok("git_diff", json!({})).structured();
    let commit = &plain["commits"][1];
    assert_eq!(commit["filesOmitted"], 300 - listed(&commit["files"]));
    let mut patches = refs;
    patches["output_dir"] = json!("out");
    let written = sandbox.ok("git_diff", patches);
    assert!(written.truncated && written.text.len() <= 2000);
    assert_eq!(written.structured()["patchesOmitted"], 300 - listed(&written.structured()["patches"]));
    sandbox.git(&["commit", "--quiet", "--amend", "-m", &"m".repeat(5000)]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "-m", "third"]);
    let plain = sandbox.ok("git_diff", json!({})).structured();
    assert_eq!((listed(&plain["commits"]), &plain["commitsOmitted"]), (3, &Value::Null));
    assert!(plain["commits"][1]["message"].as_str().unwrap().ends_with("... [output truncated]"));
    assert!(plain["commits"].to_string().len() <= 2000 + 2);
}

/// A repository with forty changes in the file `long` and one in `other`.
fn changed_in_many_places() -> Sandbox {
    let mut sandbox = committed();
    let line = |line: u32, mark: &str| format!("{line}{}\n", if line % 10 == 5 { mark } else { "" });
    let lines = |mark: &str| (0..400).map(|number| line(number, mark)).collect::<String>();
    sandbox.write("long", lines(""));
    sandbox.write("other", "a\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "--quiet", "-m", "long"]);
    sandbox.write("long", lines(" \u{1b}changed"));
    sandbox.write("other", "b\n");
    sandbox
}

#[test]
fn a_patch_that_is_cut_can_be_read_on_hunk_by_hunk_to_its_end() {
    let mut sandbox = changed_in_many_places();
    let whole = text(&mut sandbox, json!({"paths": ["long"]}));
    let header = &whole[..whole.find("@@").expect("there are hunks")];
    for max_bytes in [500, 700, 1500] {
        let mut read = header.to_owned();
        let mut arguments = json!({"paths": ["long", "other"], "max_bytes": max_bytes});
        for page in 0.. {
            assert!(page < 40, "every page shows a hunk at least");
            let shown = sandbox.ok("git_diff", arguments.clone());
            let structured = shown.structured();
            let next = structured["next"].clone();
            let hunks = shown.text.strip_prefix(header).expect("every page begins as the patch does");
            let Some(start) = next["startHunk"].as_u64() else {
                assert_eq!((&structured["truncated"], structured.get("hint")), (&json!(false), None));
                read.push_str(hunks);
                break;
            };
            assert_eq!((&structured["truncated"], &next["path"]), (&json!(true), &json!("/workspace/long")));
            // Everything before the first hunk of the next page is whole.
            let first = arguments["start_hunk"].as_u64().unwrap_or(1);
            let end = hunks.match_indices("@@ -").nth((start - first) as usize).map_or(hunks.len(), |(at, _)| at);
            read.push_str(&hunks[..end]);
            arguments = json!({"paths": [next["path"]], "start_hunk": start, "max_bytes": max_bytes});
        }
        // Each next page starts with the hunk that was cut.
        assert_eq!(read, whole, "{max_bytes}");
    }
}

#[test]
fn where_not_even_a_hunk_has_room_the_hint_says_so() {
    let mut sandbox = changed_in_many_places();
    let stuck = sandbox.ok("git_diff", json!({"paths": ["long"], "start_hunk": 7, "max_bytes": 100}));
    assert_eq!(stuck.structured()["next"], json!({"path": "/workspace/long", "startHunk": 7}));
    assert!(stuck.structured()["hint"].as_str().unwrap().starts_with("max_bytes is too small for a single hunk"));
}

#[test]
fn hunks_are_listed_as_their_headers_have_them() {
    let mut sandbox = changed_in_many_places();
    sandbox.write("new", "1\n2\n");
    sandbox.git(&["add", "--intent-to-add", "new"]);
    let shown = sandbox.ok("git_diff", json!({"paths": ["long", "new", "other"], "unified": 0}));
    let headers = shown.text.lines().filter(|line| line.starts_with("@@"));
    let structured = shown.structured();
    let listed: Vec<&Value> =
        structured["files"].as_array().unwrap().iter().flat_map(|file| file["hunks"].as_array().unwrap()).collect();
    assert_eq!(listed.len(), 42);
    for (header, listed) in headers.zip(listed) {
        let side = |lines: &str| {
            let (start, count) = lines[1..].split_once(',').unwrap_or((&lines[1..], "1"));
            [start, count].map(|number| number.parse::<u32>().unwrap())
        };
        let [old, new] = [1, 2].map(|field| side(header.split(' ').nth(field).unwrap()));
        assert_eq!(*listed, json!([old, new].concat()), "{header}");
    }
}

#[test]
fn start_hunk_is_for_the_patch_of_one_file() {
    let mut sandbox = changed_in_many_places();
    let mut message = |arguments: Value| {
        let error = sandbox.fail("git_diff", arguments);
        assert_eq!(error.kind, ErrorKind::BadArgs);
        error.message
    };
    assert_eq!(message(json!({"start_hunk": 0})), "start_hunk must be at least 1");
    assert_eq!(message(json!({"start_hunk": 1})), "start_hunk needs exactly one changed file, but there are 2");
    assert_eq!(
        message(json!({"start_hunk": 1, "paths": ["a"]})),
        "start_hunk needs exactly one changed file, but there are 0"
    );
    assert_eq!(
        message(json!({"start_hunk": 41, "paths": ["long"]})),
        "start_hunk is 41, but the patch of /workspace/long has 40 hunks"
    );
    for form in ["name_only", "stat"] {
        assert_eq!(message(json!({"start_hunk": 2, form: true})), "start_hunk cannot be used with name_only or stat");
    }
    assert_eq!(
        message(json!({"start_hunk": 2, "from_ref": "HEAD~1", "to_ref": "HEAD", "output_dir": "out"})),
        "start_hunk cannot be used with output_dir"
    );
}

#[test]
fn a_parent_that_is_missing_is_said_and_not_taken_for_nothing() {
    let mut sandbox = committed();
    let ids = ["HEAD", "HEAD~1"].map(|named| sandbox.git(&["rev-parse", named]).trim_end().to_owned());
    let [id, parent] = ids;
    std::fs::remove_file(sandbox.real(&format!(".git/objects/{}/{}", &parent[..2], &parent[2..]))).unwrap();
    assert!(!sandbox.git_output(&["diff", &format!("{id}^"), &id]).status.success());
    let error = sandbox.fail("git_diff", json!({"commitId": id}));
    assert!(error.message.contains(&parent), "{}", error.message);
}
