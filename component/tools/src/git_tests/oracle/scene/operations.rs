//! Steps that leave an operation unfinished: by running git, or by writing its files.

use std::fs;

use super::Scene;
use super::words::pick;

/// Starts an operation, which git may or may not finish.
pub fn begin(scene: &mut Scene) {
    let other = pick(&mut scene.random, super::BRANCHES);
    match scene.random.usize(..12) {
        0 | 1 => {
            let option = pick(&mut scene.random, &["--no-edit", "--no-commit", "--no-ff"]);
            scene.git(&["merge", "--quiet", option, other]);
        }
        2 => scene.git(&["cherry-pick", other]),
        3 => scene.git(&["cherry-pick", &format!("HEAD..{other}")]),
        4 => scene.git(&["revert", "--no-edit", "HEAD~1"]),
        5 => scene.git(&["revert", "--no-edit", "HEAD~2..HEAD"]),
        6 => scene.git(&["rebase", "--quiet", other]),
        7 => scene.git(&["rebase", "--quiet", "--apply", other]),
        8 | 9 => rebase_interactively(scene, other),
        10 => am(scene, other),
        _ => bisect(scene),
    }
    match scene.random.usize(..5) {
        0 => scene.git(&["add", "-A"]),
        1 => scene.git(&["-c", "core.editor=true", "commit", "--quiet", "--allow-empty", "--no-edit"]),
        _ => {}
    }
}

fn rebase_interactively(scene: &mut Scene, other: &str) {
    let edit = pick(
        &mut scene.random,
        &[
            "1s/^pick/edit/",
            "1s/^pick/reword/",
            "2s/^pick/edit/",
            "1abreak",
            "1aexec false",
            "$s/^pick/edit/",
            "1s/^pick/squash/",
            "1iexec true\nbreak",
        ],
    );
    let editor = format!("sequence.editor=sed -i -e '{edit}'");
    let onto = pick(&mut scene.random, &["HEAD~2", "HEAD~3", other]);
    scene.git(&["-c", &editor, "-c", "core.editor=true", "rebase", "--quiet", "-i", onto]);
}

fn am(scene: &mut Scene, other: &str) {
    let patch = scene.output(&["format-patch", "--stdout", "-2", other]);
    fs::write(scene.sandbox.real("../mail"), patch).unwrap();
    if scene.random.usize(..3) == 0 {
        fs::write(scene.sandbox.real("../mail"), "From: A <a@example.com>\nSubject: empty\n\nno patch\n").unwrap();
    }
    let option = pick(&mut scene.random, &["-q", "-3"]);
    scene.git(&["am", option, "../mail"]);
}

fn bisect(scene: &mut Scene) {
    scene.git(&["bisect", "start"]);
    if scene.random.bool() {
        scene.git(&["bisect", "bad"]);
        scene.git(&["bisect", "good", "HEAD~2"]);
    }
}

/// Writes some of the files of an operation.
pub fn by_hand(scene: &mut Scene) {
    let head = scene.output(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    let older = scene.output(&["rev-parse", "--verify", "--quiet", "HEAD~1"]);
    let subjects = ["one", "Ünïcödé ✓", "with  spaces"];
    let todo = |commands: &[&str]| -> String {
        let line = |(command, subject): (&&str, &str)| match *command {
            "break" | "# a comment" | "" => format!("{command}\n"),
            "exec" => "exec make test\n".to_owned(),
            "label" | "reset" => format!("{command} onto\n"),
            "merge" => format!("merge -C {} side # Merge\n", head.trim_end()),
            _ => format!("{command} {} {subject}\n", head.trim_end()),
        };
        commands.iter().zip(subjects.iter().copied().cycle()).map(line).collect()
    };
    let lists: &[&[&str]] = &[
        &[],
        &["pick"],
        &["pick", "edit"],
        &["pick", "squash", "exec", "pick"],
        &["label", "reset", "merge", "break", "# a comment", "", "fixup"],
    ];
    let done = todo(pick(&mut scene.random, lists));
    let rest = todo(pick(&mut scene.random, lists));
    let onto = if older.is_empty() { "0".repeat(40) + "\n" } else { older.clone() };
    let name = pick(&mut scene.random, &["refs/heads/side\n", "detached HEAD\n", "refs/heads/topic/one"]).to_owned();
    let mut files: Vec<(&str, String)> = match scene.random.usize(..8) {
        0 | 1 => vec![
            ("rebase-merge/interactive", String::new()),
            ("rebase-merge/head-name", name),
            ("rebase-merge/onto", onto),
            ("rebase-merge/done", done),
            ("rebase-merge/git-rebase-todo", rest),
            ("rebase-merge/orig-head", head.clone()),
            ("rebase-merge/amend", head.clone()),
        ],
        2 => vec![("rebase-merge/head-name", name), ("rebase-merge/onto", onto)],
        3 => vec![
            ("rebase-apply/rebasing", String::new()),
            ("rebase-apply/head-name", name),
            ("rebase-apply/onto", onto),
        ],
        4 => vec![
            ("rebase-apply/applying", String::new()),
            ("rebase-apply/patch", pick(&mut scene.random, &["", "x\n"]).into()),
        ],
        5 => vec![("sequencer/todo", format!("pick {} one\n", head.trim_end())), ("CHERRY_PICK_HEAD", head.clone())],
        6 => vec![("sequencer/todo", format!("revert {} one\n", head.trim_end())), ("REVERT_HEAD", head.clone())],
        _ => vec![("BISECT_START", "side\n".to_owned()), ("MERGE_HEAD", head.clone())],
    };
    if files.len() > 1 && scene.random.usize(..3) == 0 {
        files.remove(scene.random.usize(..files.len()));
    }
    for (name, content) in files {
        let path = scene.sandbox.real(".git").join(name);
        fs::create_dir_all(path.parent().expect("it is in .git")).unwrap();
        fs::write(path, content).unwrap();
    }
}
