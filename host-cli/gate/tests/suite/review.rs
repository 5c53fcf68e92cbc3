//! What a person sees is the truth about commits and files.

use crate::support::{
    Repo,
    pushing::{Scene, facts, request},
};
use gate::{
    push::{PushLimits, check},
    review::Review,
};

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn summary_has_one_line_a_file() {
    let repo = Repo::new();
    repo.write("gone.txt", lines(42)).write("src/index.ts", lines(20)).commit("base");
    let scene = Scene::of(repo);
    let changed = lines(20).replace("line 3\n", "").replace("line 7\n", "a\nb\n").replace("line 9\n", "c\n");
    scene.repo.write("new.txt", lines(25)).write("src/index.ts", changed).remove("gone.txt");
    scene.repo.write("empty", "").write("logo.png", [&b"\x89PNG\0"[..], &[7; 2145]].concat()).commit("all");
    assert_eq!(
        scene.review("topic").summary(),
        "A empty (+0)\nD gone.txt (-42)\nA logo.png (binary, 2.1 KB)\nA new.txt (+25)\nM src/index.ts (+3 -3)\n"
    );
}

#[test]
fn prompt_is_the_specified_box() {
    let repo = Repo::new();
    repo.write("analysis.json", "{}\n").commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("report.md", "r".repeat(1228) + "\n").write("analysis.json", "a".repeat(820));
    scene.repo.write("charts/revenue.svg", "s".repeat(2150)).commit("Add quarterly report");
    let review = scene.review("topic");
    let id = review.commits[0].short_id();
    assert_eq!(
        review.prompt_box(),
        format!(
            "\
┌────────────────────────────────────────────────────────────────┐
│  git_push                                                      │
│                                                                │
│  Target: local:/target (branch: topic)                         │
│  Commit: {id} \"Add quarterly report\"                        │
│                                                                │
│  Files:                                                        │
│    M analysis.json (0.8 KB)                                    │
│    + charts/revenue.svg (2.1 KB)                               │
│    + report.md (1.2 KB)                                        │
│                                                                │
│  [d]iff  [a]pprove  [r]eject  [?]help                          │
└────────────────────────────────────────────────────────────────┘
"
        )
    );
}

#[test]
fn patch_is_git_s() {
    let repo = Repo::new();
    repo.write("long", lines(100)).write("mode", "m\n").write("gone", "g\n").write("bin", [0, 1, 2]).commit("base");
    let scene = Scene::of(repo);
    scene
        .repo
        .write("long", lines(100).replace("line 50\n", "fifty\n"))
        .write("no newline", "at the end")
        .remove("gone");
    scene.repo.write("bin", [0, 1, 3]).write("sub/dir/new", "n\n").commit("changes");
    scene.repo.git(&["update-index", "--chmod=+x", "mode"]);
    scene.repo.git(&["commit", "-q", "-m", "mode"]);
    let expected =
        scene.repo.git(&["diff", "--no-renames", "--no-color", "--abbrev=12", &scene.base.to_string(), "HEAD"]);
    assert_eq!(scene.review("topic").patch(), String::from_utf8(expected).unwrap());
}

#[test]
fn commits_are_listed_oldest_first_in_full() {
    let scene = Scene::simple();
    scene.repo.write("a", "1\n").commit("first\n\nwith a body");
    scene.repo.write("a", "2\n").commit("second");
    let review = scene.review("topic");
    let told: Vec<_> = review.commits.iter().map(|commit| (commit.subject.as_str(), commit.message.as_str())).collect();
    assert_eq!(told, [("first", "first\n\nwith a body\n"), ("second", "second\n")]);
    assert_eq!(review.commits[0].author, "A U Thor <author@example.com>");
    assert_eq!(review.commits[0].committer, "C O Mitter <committer@example.com>");
    assert_eq!(review.commits[0].date, "2023-11-14 23:15:20 +0100");
    assert!(review.log().contains("    first\n    \n    with a body\n"), "{}", review.log());
}

#[test]
fn a_new_branch_says_so_and_is_compared_with_where_it_starts() {
    let scene = Scene::simple();
    scene.repo.write("a", "a\n").commit("one");
    let pushed = request("topic", None, scene.repo.id("HEAD"), scene.pack());
    let checked = check(pushed, &scene.target, facts(None), &PushLimits::default()).unwrap();
    let review = Review::of(&checked, &scene.target).unwrap();
    assert!(review.new_branch);
    assert_eq!(review.base, Some(scene.base));
    assert_eq!(review.summary(), "A a (+1)\n");
    assert!(review.prompt_box().contains("(branch: topic, new branch)"));
    assert_eq!(review.flags[0].sentence(), "Creates the new branch topic");
}

#[test]
fn json_has_the_review_for_programs() {
    let scene = Scene::simple();
    scene.repo.write("\u{e4} b.txt", "x\n").commit("json");
    let json = serde_json::to_value(scene.review("main")).unwrap();
    assert_eq!(json["target"], "local:/target");
    assert_eq!(json["reference"], "refs/heads/main");
    assert_eq!(json["old"], scene.base.to_string());
    assert_eq!(json["files"][0]["status"], "A");
    assert_eq!(json["files"][0]["path"], "\"\\303\\244 b.txt\"");
    assert_eq!(json["files"][0]["new"]["mode"], "100644");
    assert_eq!(json["files"][0]["added"], 1);
    assert_eq!(json["flags"][0], serde_json::json!({"flag": "protected-branch", "branch": "main"}));
}

#[test]
fn a_review_has_a_bound() {
    let scene = Scene::simple();
    scene.repo.write("large", "x".repeat(10_000)).commit("large");
    let limits = PushLimits { review_bytes: 9_999, ..PushLimits::default() };
    let checked = check(scene.request("topic"), &scene.target, facts(Some(scene.base)), &limits).unwrap();
    assert_eq!(Review::of(&checked, &scene.target).unwrap_err().kind, gate::FaultKind::TooLarge);
}
