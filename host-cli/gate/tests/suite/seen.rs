//! What was looked at stays seen while it is the same, and nothing that changed since ever counts as seen.

use std::collections::BTreeMap;
use std::fs;

use fastrand::Rng;
use gate::review::{ListedFile, Review};
use gate::seen::{Seen, State, interdiff, takes_the_same};
use gate::time::Timestamp;

use crate::support::{
    Repo,
    pushing::{Scene, facts},
};
use gate::push::{PushLimits, check};
use gix_hash::ObjectId;

/// Everything in these files, as seen by somebody.
fn all_seen(files: &[ListedFile<'_>]) -> Seen {
    let mut seen = Seen::default();
    for file in files {
        for unit in file.units() {
            seen.add(&file.path.to_string(), unit.key, unit.text, "ada", Timestamp(1));
        }
    }
    seen
}

fn review_of(repo: &Repo, base: ObjectId) -> Review {
    let new = repo.id("HEAD");
    let pack = repo.pack(&[&new.to_string(), &format!("^{base}")]);
    let request = crate::support::pushing::request("topic", Some(base), new, pack);
    let objects = repo.objects(&[&base.to_string()]);
    let push = check(request, &objects, facts(Some(base)), &PushLimits::default()).unwrap();
    Review::of(&push, &objects).unwrap()
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

/// A file with these lines becomes others; both reviewed, the second after the first was seen.
fn again(base: &[String], first: &[String], second: &[String]) -> Vec<bool> {
    let repo = Repo::new();
    repo.write("f", base.concat()).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("f", first.concat()).commit("work");
    let before = review_of(&scene.repo, scene.base);
    let seen = all_seen(&before.listed());
    scene.repo.git(&["reset", "-q", "--hard", &scene.base.to_string()]);
    scene.repo.write("f", second.concat()).commit("work");
    let after = review_of(&scene.repo, scene.base);
    let since = seen.compare(&after.listed());
    since.states.concat().iter().map(State::is_same).collect()
}

fn with(lines: &[String], at: usize, text: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines[at] = text.to_owned();
    lines
}

#[test]
fn a_hunk_that_is_the_same_stays_seen_whatever_changes_elsewhere_in_the_file() {
    let base = numbered(100);
    let first = with(&base, 50, "changed\n");
    assert_eq!(again(&base, &first, &first), [true]);
    assert_eq!(again(&base, &first, &with(&first, 10, "more\n")), [false, true]);
    assert_eq!(again(&base, &first, &with(&first, 50, "changed!\n")), [false]);
    let mut above = first.clone();
    above.insert(0, "new first line\n".to_owned());
    assert_eq!(again(&base, &first, &above), [false, true], "its line numbers have moved");
}

#[test]
fn attack_18_the_same_lines_at_another_place_are_not_seen() {
    // Every ten lines are the same, so that only its place tells one change from another.
    let base: Vec<String> = (0..100).map(|line| format!("line {}\n", line % 10)).collect();
    let first = with(&base, 25, "evil()\n");
    let second = with(&base, 65, "evil()\n");
    assert_eq!(again(&base, &first, &first), [true]);
    assert_eq!(again(&base, &first, &second), [false]);
    let both = with(&first, 65, "evil()\n");
    assert_eq!(again(&base, &first, &both), [true, false]);
}

#[test]
fn attack_18_an_escape_and_its_text_are_two_things() {
    let base = numbered(20);
    let first = with(&base, 10, "let a = \"<U+202E>\";\n");
    assert_eq!(again(&base, &first, &with(&base, 10, "let a = \"\u{202e}\";\n")), [false]);
    assert_eq!(again(&base, &first, &with(&base, 10, "let a = \"<U+202E>\";\r\n")), [false]);
}

#[test]
fn attack_18_a_mode_a_kind_or_a_name_that_changes_is_another_change() {
    let repo = Repo::new();
    repo.write("f", numbered(20).concat()).write("bin", [0, 1, 2]).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("f", with(&numbered(20), 9, "x\n").concat()).write("bin", [0, 1, 3]).commit("work");
    let seen = all_seen(&review_of(&scene.repo, scene.base).listed());
    let states = |change: &dyn Fn(&Repo)| {
        scene.repo.git(&["reset", "-q", "--hard", &scene.base.to_string()]);
        scene.repo.write("f", with(&numbered(20), 9, "x\n").concat()).write("bin", [0, 1, 3]);
        change(&scene.repo);
        scene.repo.commit("work");
        let review = review_of(&scene.repo, scene.base);
        let listed = review.listed();
        let since = seen.compare(&listed);
        let names = listed.iter().map(|file| file.path.to_string());
        names.zip(since.states.iter().map(|states| states.iter().all(State::is_same))).collect::<BTreeMap<_, _>>()
    };
    let same = states(&|_| ());
    assert!(same.values().all(|seen| *seen), "{same:?}");
    let binary = states(&|repo| {
        repo.write("bin", [0, 1, 4]);
    });
    assert_eq!((binary["bin"], binary["f"]), (false, true));
    let link = states(&|repo| {
        fs::remove_file(repo.path().join("f")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("bin", repo.path().join("f")).unwrap();
    });
    assert!(!link["f"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let runs =
            states(&|repo| fs::set_permissions(repo.path().join("f"), fs::Permissions::from_mode(0o755)).unwrap());
        assert!(!runs["f"], "the same lines in a file that can be run");
    }
}

#[test]
fn what_was_there_before_is_told_as_a_difference() {
    let base = numbered(60);
    let repo = Repo::new();
    repo.write("f", base.concat()).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("f", with(&with(&base, 10, "a\n"), 40, "b\n").concat()).commit("work");
    let seen = all_seen(&review_of(&scene.repo, scene.base).listed());
    scene.repo.git(&["reset", "-q", "--hard", &scene.base.to_string()]);
    scene.repo.write("f", with(&base, 10, "a better one\n").concat()).commit("work");
    let after = review_of(&scene.repo, scene.base);
    let listed = after.listed();
    let since = seen.compare(&listed);
    let State::Changed(before) = since.states[0][0] else { panic!("{:?}", since.states) };
    assert_eq!(
        interdiff(&before.text, listed[0].hunks[0]),
        " line 7\n line 8\n line 9\n-a\n+a better one\n line 11\n line 12\n line 13\n"
    );
    assert_eq!(since.gone.len(), 1);
    assert!(since.gone[0].text.contains("+b"));
}

#[test]
fn a_hunk_that_takes_more_away_is_no_difference_of_what_is_added_alone() {
    let base = numbered(40);
    let first = with(&base, 10, "new 10\n");
    let mut second = first.clone();
    second.drain(11..20);
    let repo = Repo::new();
    repo.write("f", base.concat()).commit("base");
    let scene = Scene::of(repo);
    let hunk = |lines: &[String]| {
        scene.repo.git(&["reset", "-q", "--hard", &scene.base.to_string()]);
        scene.repo.write("f", lines.concat()).commit("work");
        review_of(&scene.repo, scene.base).listed()[0].hunks[0].to_owned()
    };
    let (before, after) = (hunk(&first), hunk(&second));
    assert!(!takes_the_same(&before, &after), "{before}{after}");
    assert!(takes_the_same(&before, &hunk(&with(&base, 10, "newer 10\n"))));
}

#[test]
fn what_was_mended_by_a_commit_on_top_is_told_as_a_difference_too() {
    let base = numbered(60);
    let repo = Repo::new();
    repo.write("f", base.concat()).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("f", with(&base, 10, "a\n").concat()).write("new", "one\n").commit("work");
    let seen = all_seen(&review_of(&scene.repo, scene.base).listed());
    scene.repo.write("f", with(&base, 10, "b\n").concat()).write("new", "two\n").commit("mended");
    let after = review_of(&scene.repo, scene.base);
    let listed = after.listed();
    let since = seen.compare(&listed);
    for (file, states) in listed.iter().zip(&since.states) {
        let is_between = file.commit.is_some();
        assert_eq!(states[0].is_same(), is_between, "{}", file.line());
        assert_eq!(matches!(states[0], State::Changed(_)), !is_between, "{}", file.line());
    }
    assert!(since.gone.is_empty());
}

#[test]
fn marks_are_taken_off_and_do_not_grow_without_bound() {
    let repo = Repo::new();
    repo.write("f", numbered(60).concat()).commit("base");
    let scene = Scene::of(repo);
    scene.repo.write("f", with(&numbered(60), 10, "a\n").concat()).commit("work");
    let review = review_of(&scene.repo, scene.base);
    let listed = review.listed();
    let mut seen = all_seen(&listed);
    let key = listed[0].units()[0].key;
    seen.remove(&[key]);
    assert!(seen.is_empty());
    let long = "x".repeat(1 << 20);
    for line in 0..40 {
        seen.add("f", gate::review::UnitKey { line, content: [line as u8; 32], ..key }, &long, "ada", Timestamp(1));
    }
    let bytes = serde_json::to_vec(&seen).unwrap().len();
    assert!(bytes < 10 << 20, "{bytes}");
}

/// Edits some lines, with few words so that lines and whole hunks repeat.
fn edited(lines: &[String], random: &mut Rng, edits: usize) -> Vec<String> {
    let mut lines = lines.to_vec();
    for _ in 0..edits {
        let at = random.usize(..lines.len());
        match random.u8(..4) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, word(random)),
            _ => lines[at] = word(random),
        }
        if lines.is_empty() {
            lines.push("last\n".to_owned());
        }
    }
    lines
}

fn word(random: &mut Rng) -> String {
    const WORDS: [&str; 6] = ["{\n", "}\n", "return;\n", "a();\n", "b();\n", "\n"];
    match random.bool() {
        true => WORDS[random.usize(..WORDS.len())].to_owned(),
        false => format!("unique {}\n", random.u32(..)),
    }
}

/// Applies these hunks of `f` to a text, exactly where they say.
fn applied(text: &str, hunks: &[&str]) -> String {
    if hunks.is_empty() {
        return text.to_owned();
    }
    // As a patch of its own, where only the old side's places count: those of the new side shift with what is left out.
    let (mut out, mut shift) = (String::from("--- a/scratch\n+++ b/scratch\n"), 0_i64);
    for hunk in hunks {
        let (header, body) = hunk.split_once('\n').unwrap();
        let numbers = |range: &str| -> (i64, i64) {
            let (start, count) = range.split_once(',').unwrap_or((range, "1"));
            (start.parse().unwrap(), count.parse().unwrap())
        };
        let (old, rest) = header.strip_prefix("@@ -").unwrap().split_once(" +").unwrap();
        let (new, _) = rest.split_once(" @@").unwrap();
        let ((start, removed), (_, added)) = (numbers(old), numbers(new));
        let begin = if removed == 0 { start + 1 } else { start } + shift;
        out.push_str(&format!(
            "@@ -{start},{removed} +{},{added} @@\n{body}",
            if added == 0 { begin - 1 } else { begin }
        ));
        shift += added - removed;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scratch"), text).unwrap();
    fs::write(folder.path().join("patch"), out).unwrap();
    let status = std::process::Command::new(trial::git())
        .args(["apply", "--whitespace=nowarn", "patch"])
        .current_dir(folder.path())
        .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap())
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    fs::read_to_string(folder.path().join("scratch")).unwrap()
}

/// The oracle: whatever counts as seen leads from the new base to what it led to from the old one, byte by byte, with what others changed in the
/// base merged by git. And what `git range-diff` calls the same commit is seen wherever its lines say where they are.
#[test]
fn attack_18_nothing_that_changed_since_counts_as_seen_over_generated_rewrites() {
    let (mut same, mut moved, mut new) = (0, 0, 0);
    for seed in trial::seeds(0..120) {
        let random = &mut Rng::with_seed(seed);
        let base: Vec<String> = (0..random.usize(20..80)).map(|_| word(random)).collect();
        let edits = random.usize(1..8);
        let first = edited(&base, random, edits);
        let repo = Repo::new();
        repo.write("f", base.concat()).write("other", "x\n").commit("base");
        let scene = Scene::of(repo);
        let repo = &scene.repo;
        repo.write("f", first.concat()).write("other", "y\n").commit("work");
        let work = repo.id("HEAD");
        let before = review_of(repo, scene.base);
        let seen = all_seen(&before.listed());

        // Somebody else may have changed the base, and the agent its work.
        repo.git(&["reset", "-q", "--hard", &scene.base.to_string()]);
        let is_rebased = random.bool();
        let mut onto = scene.base;
        if is_rebased {
            let edits = random.usize(1..4);
            repo.write("f", edited(&base, random, edits).concat());
            repo.write("third", format!("{seed}\n")).commit("theirs");
            onto = repo.id("HEAD");
            let picked = repo.command(&["cherry-pick", "--allow-empty", &work.to_string()]).output().unwrap();
            if !picked.status.success() {
                continue;
            }
        } else {
            repo.git(&["cherry-pick", "--allow-empty", &work.to_string()]);
        }
        let now = fs::read_to_string(repo.path().join("f")).unwrap();
        let lines: Vec<String> = now.split_inclusive('\n').map(str::to_owned).collect();
        let is_mended = random.bool();
        if is_mended {
            let edits = random.usize(1..3);
            repo.write("f", edited(&lines, random, edits).concat());
            repo.git(&["add", "-A"]);
            repo.git(&["commit", "-q", "--amend", "--no-edit", "--allow-empty"]);
        }
        let after = review_of(repo, onto);
        let listed = after.listed();
        let since = seen.compare(&listed);
        let Some(at) = listed.iter().position(|file| file.path == "f") else { continue };
        let units = listed[at].units();
        let states = &since.states[at];
        let text = |revision: &ObjectId| String::from_utf8(repo.git(&["show", &format!("{revision}:f")])).unwrap();
        let (old_base, new_base) = (text(&scene.base), text(&onto));
        let (mut seen_now, mut seen_then) = (Vec::new(), Vec::new());
        for (unit, state) in units.iter().zip(states) {
            match state {
                State::Same(mark) => {
                    seen_now.push(unit.text);
                    seen_then.push(&*mark.text);
                    same += 1;
                }
                State::Changed(_) => moved += 1,
                State::New => new += 1,
            }
        }
        let now = applied(&new_base, &seen_now);
        let then = applied(&old_base, &seen_then);
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("then", &then), ("base", &old_base), ("theirs", &new_base)] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let merged = std::process::Command::new(trial::git())
            .args(["merge-file", "-p", "then", "base", "theirs"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        if merged.status.success() {
            assert_eq!(now, String::from_utf8_lossy(&merged.stdout), "seed {seed}");
        }

        let range =
            repo.git(&["range-diff", "--no-color", "-s", &format!("{}..{work}", scene.base), &format!("{onto}..HEAD")]);
        let range = String::from_utf8(range).unwrap();
        let is_equal = range.lines().any(|line| line.contains(" = "));
        let all_same = states.iter().all(State::is_same);
        if is_equal {
            let says = |unit: &gate::review::Unit<'_>| unit.key.is_unique || !is_rebased;
            let unseen = units.iter().zip(states).filter(|(unit, state)| says(unit) && !state.is_same());
            assert_eq!(unseen.count(), 0, "seed {seed}: {range}");
        } else if range.lines().any(|line| line.contains(" ! ")) {
            assert!(!all_same, "seed {seed}: {range}");
        }
    }
    if trial::has_usual_seeds() {
        assert!(same > 100 && moved > 20 && new > 5, "{same} {moved} {new}");
    }
}
