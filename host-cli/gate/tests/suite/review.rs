//! The review shows the truth about commits and files.

use crate::support::{
    Repo,
    pushing::{Scene, facts, request},
};
use gate::{
    push::{PushLimits, check},
    review::{Review, Screen},
};

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn summary_has_one_line_a_file() {
    let repo = Repo::new();
    repo.write("gone.txt", "gone\n".repeat(42)).write("src/index.ts", lines(20)).commit("base");
    let scene = Scene::of(repo);
    let changed = lines(20).replace("line 3\n", "").replace("line 7\n", "a\nb\n").replace("line 9\n", "c\n");
    scene.repo.write("new.txt", lines(25)).write("src/index.ts", changed).remove("gone.txt");
    scene.repo.write("empty", "").write("logo.png", [&b"\x89PNG\0"[..], &[7; 2145]].concat()).commit("all");
    assert_eq!(
        scene.review("topic").summary(),
        "A empty (+0)\nD gone.txt (-42)\nA logo.png (binary, 2.1 KB)\nA new.txt (+25)\nM src/index.ts (+3 -3)\n"
    );
    assert_eq!(scene.review("topic").total(), "5 files, +28 -45");
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
    let expected = scene.repo.git(&["diff", "-M50%", "--no-color", "--abbrev=12", &scene.base.to_string(), "HEAD"]);
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
    assert!(review.prompt_box(&Screen::default()).contains("(branch: topic, new branch)"));
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

/// The output of `git log` for the new commits, in the order of the review.
fn log_of_git(scene: &Scene, review: &Review, format: &str) -> String {
    let blocks = review.commits.iter().map(|commit| {
        let args = ["log", "-1", format, "--date=iso", "--abbrev=12", &commit.id.to_string()];
        String::from_utf8(scene.repo.git(&args)).unwrap()
    });
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn attack_19_the_log_is_git_s_with_every_parent_and_both_dates() {
    let scene = Scene::merge();
    let date = ["-c", "user.name=x", "commit", "-q", "--allow-empty", "--date=2001-02-03T04:05:06 -0730"];
    scene.repo.git(&[&date[..], &["-m", "another date\n\nand a body\n\n  indented"]].concat());
    let review = scene.review("topic");
    assert_eq!(review.log().trim_end(), log_of_git(&scene, &review, "--format=fuller").trim_end());
    let merge = review.commits.iter().find(|commit| commit.parents.len() == 2).unwrap();
    let short = |at: usize| merge.parents[at].to_hex_with_len(12).to_string();
    assert!(review.log().contains(&format!("\nMerge: {} {}\n", short(0), short(1))), "{}", review.log());
    assert!(review.log().contains("\nAuthorDate: 2001-02-03 04:05:06 -0730\n"));
}

#[test]
fn the_log_of_one_s_own_commits_is_git_s_short_one() {
    let scene = Scene::simple();
    let own = ["GIT_COMMITTER_NAME=A U Thor", "GIT_COMMITTER_EMAIL=author@example.com"];
    let mut command = scene.repo.command(&["commit", "-q", "--allow-empty", "-m", "mine"]);
    assert!(command.envs(own.map(|pair| pair.split_once('=').unwrap())).status().unwrap().success());
    let review = scene.review("topic");
    assert_eq!(review.log().trim_end(), log_of_git(&scene, &review, "--format=medium").trim_end());
}
