//! A file that moved is shown as git shows it, and checked as the deletion and the addition that it is.

use crate::support::{
    Repo,
    pushing::{Scene, facts},
};
use gate::{
    push::{PushLimits, check},
    review::{Review, Screen},
};

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

/// A push in which `old` with 200 lines becomes `new` with `content`.
fn moved(old: &str, new: &str, content: impl AsRef<[u8]>) -> Scene {
    let repo = Repo::new();
    repo.write(old, lines(200)).commit("base");
    let scene = Scene::of(repo);
    scene.repo.remove(old).write(new, content).commit("moved");
    scene
}

fn edited() -> String {
    lines(200).replace("line 77\n", "changed\nand more\n")
}

fn patch_of_git(scene: &Scene) -> String {
    let diff = scene.repo.git(&["diff", "-M50%", "--no-color", "--abbrev=12", &scene.base.to_string(), "HEAD"]);
    String::from_utf8(diff).unwrap()
}

#[test]
fn a_rename_is_one_file_with_what_changed_in_it() {
    let scene = moved("old/a.txt", "new/b.txt", edited());
    let review = scene.review("topic");
    assert_eq!(review.summary(), "R old/a.txt -> new/b.txt (+2 -1)\n");
    assert_eq!(review.total(), "1 file, +2 -1");
    let shown = review.prompt_box(&Screen::default());
    assert!(shown.contains("│  Files (1, +2 -1):  "), "{shown}");
    assert!(shown.contains("│    R old/a.txt -> new/b.txt (+2 -1)  "), "{shown}");
    assert_eq!(review.patch(), patch_of_git(&scene));
    assert!(review.patch().contains("\nrename from old/a.txt\nrename to new/b.txt\n"), "{}", review.patch());
}

#[test]
fn renames_are_those_of_git() {
    let repo = Repo::new();
    repo.write("same", lines(9)).write("src/edited.rs", lines(50)).write("gone", "nothing like the others\n");
    repo.write("image.png", [&b"\0"[..], &[7; 3000]].concat()).write("empty", "").commit("base");
    let scene = Scene::of(repo);
    for path in ["same", "src/edited.rs", "gone", "image.png", "empty"] {
        scene.repo.remove(path);
    }
    scene.repo.write("lib/same", lines(9)).write("lib/edited.rs", lines(50).replace("line 9\n", ""));
    scene
        .repo
        .write("picture.png", [&b"\0"[..], &[7; 3000]].concat())
        .write("none", "")
        .write("fresh", "all of it is new\n");
    scene.repo.commit("moved");
    let review = scene.review("topic");
    assert_eq!(
        review.summary(),
        "A fresh (+1)\nD gone (-1)\nR src/edited.rs -> lib/edited.rs (+0 -1)\nR same -> lib/same (+0 -0)\n\
         R empty -> none (+0 -0)\nR image.png -> picture.png (binary, 2.9 KB)\n"
    );
    assert_eq!(review.patch(), patch_of_git(&scene));
    let cut = review.prompt_box(&Screen { rows: 16, ..Screen::default() });
    assert!(cut.contains("Files (6, +1 -2: 1 added, 0 changed, 1 deleted, 4 renamed):"), "{cut}");
}

#[test]
fn attack_18_a_rename_is_checked_as_a_deletion_and_an_addition() {
    let scene = moved("notes.txt", ".github/workflows/ci.yml", edited());
    let review = scene.review("topic");
    let told: Vec<_> = review.files.iter().map(|file| (file.status.letter(), file.shown_path())).collect();
    assert_eq!(told, [('A', ".github/workflows/ci.yml".to_owned()), ('D', "notes.txt".to_owned())]);
    assert_eq!(
        review.touched.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [".github/workflows/ci.yml", "notes.txt"]
    );
    let expected = "Changes the workflow .github/workflows/ci.yml, which runs with the repository's secrets";
    assert_eq!(scene.sentences(), [expected]);
    assert!(review.files.iter().all(|file| file.parts().1.is_empty()), "what an edit counts has no hunks of a rename");
}

#[test]
fn attack_18_a_file_that_is_a_risk_at_its_new_place_is_shown_whole() {
    let patch = |new: &str| {
        let scene = moved("notes.txt", new, lines(200));
        let review = scene.review("topic");
        assert_eq!(review.summary(), format!("R notes.txt -> {new} (+0 -0)\n"));
        review.patch()
    };
    for risk in [".github/workflows/ci.yml", "Makefile", "build.rs"] {
        assert!(patch(risk).contains("\n+line 199\n"), "{risk}");
    }
    assert!(!patch("plain.txt").contains("line 199"));
}

#[test]
fn attack_18_a_file_that_moves_and_can_be_run_says_so() {
    let scene = moved("notes.txt", "run.txt", lines(200));
    scene.repo.git(&["update-index", "--chmod=+x", "run.txt"]);
    scene.repo.git(&["commit", "-q", "-m", "mode"]);
    let review = scene.review("topic");
    assert_eq!(review.summary(), "R notes.txt -> run.txt (executable now, +0 -0)\n");
    assert!(review.patch().contains("\n+line 199\n"), "{}", review.patch());
}

#[test]
fn attack_15_no_name_reads_as_a_rename() {
    let review = moved("a -> b", "c", lines(200)).review("topic");
    assert_eq!(review.summary(), "R \"a -> b\" -> c (+0 -0)\n");
    let shown = review.prompt_box(&Screen::default());
    assert!(shown.contains("  R \"a -> b\" -> c (+0 -0)  "), "{shown}");
}

#[test]
fn a_long_name_leaves_room_for_the_other_and_for_the_counts() {
    let long = format!("folder/{}.txt", "long".repeat(40));
    for (old, new) in [(&*long, "b.txt"), ("b.txt", &*long), (&*long, &*format!("new/{long}"))] {
        let shown = moved(old, new, lines(200)).review("topic").prompt_box(&Screen::default());
        let row = shown.lines().find(|row| row.contains("  R ")).unwrap();
        assert!(row.contains("….") || row.contains(".txt -> ") && row.contains(".txt (+0 -0)"), "{row}");
        assert_eq!(row.chars().count(), 80, "{row}");
    }
}

#[test]
fn programs_are_given_the_files_and_the_renames() {
    let review = moved("old", "new", edited()).review("topic");
    let json = serde_json::to_value(&review).unwrap();
    assert_eq!(json["files"].as_array().unwrap().len(), 2);
    assert_eq!(
        json["renames"],
        serde_json::json!([{
            "from": "old", "to": "new", "similarity": 98, "added": 2, "deleted": 1, "binary": false,
        }])
    );
    let whole = review.whole_by_path();
    assert!(whole.contains("\ndeleted file mode 100644\n") && whole.contains("\nnew file mode 100644\n"), "{whole}");
    assert!(review.whole().contains("\nrename from old\n"), "{}", review.whole());
}

#[test]
fn attack_21_what_the_review_has_no_room_to_compare_stays_a_deletion_and_an_addition() {
    let scene = moved("old", "new", edited());
    let review = |review_bytes| {
        let limits = PushLimits { review_bytes, ..PushLimits::default() };
        let checked = check(scene.request("topic"), &scene.target, facts(Some(scene.base)), &limits).unwrap();
        Review::of(&checked, &scene.target)
    };
    let least = (0..100_000).step_by(64).find(|bytes| review(*bytes).is_ok()).unwrap();
    assert_eq!(review(least).unwrap().summary(), "A new (+201)\nD old (-200)\n");
    assert_eq!(review(1 << 20).unwrap().summary(), "R old -> new (+2 -1)\n");
}
