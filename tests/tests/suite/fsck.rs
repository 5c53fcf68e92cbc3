//! `gitgate fsck` reads everything and changes nothing. It reports damage with a hint, and tolerates leftovers.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use tests::cli::{Cli, Out};
use tests::tree::{self, assert_same};

use crate::pushing::{Staged, more, staged};

fn folder(cli: &Cli) -> PathBuf {
    cli.home().join("sandboxes/default")
}

/// A sandbox that has pushed, and has more to push.
fn worked() -> Staged {
    let staged = staged();
    staged.push("local:project");
    more(&staged.cli, "more.md", "More");
    staged
}

#[track_caller]
fn is_sound(cli: &Cli) -> Out {
    let out = cli.run(&["fsck"]).ok();
    assert!(out.stdout.ends_with("sound\n") && out.stderr.is_empty(), "{out:#?}");
    out
}

/// Asserts that there is one finding with these words, and that fsck changed nothing.
#[track_caller]
fn finds(cli: &Cli, words: &str) {
    let before = tree::read(&cli.home());
    let out = cli.run(&["fsck"]).exits(1);
    assert_same(&before, &tree::read(&cli.home()), "the sandbox");
    assert!(out.stdout.contains(words) && out.stdout.ends_with("1 finding\n"), "{words}: {out:#?}");
    let json = cli.run(&["fsck", "--json"]).exits(1).json();
    assert_eq!(json["sound"], false);
    let finding = &json["findings"][0];
    assert!(finding["what"].as_str().unwrap().contains(words) || out.stdout.contains(words), "{json}");
    assert!(!finding["hint"].as_str().unwrap().is_empty(), "{json}");
}

#[test]
fn a_sandbox_that_was_worked_in_is_sound_and_stays_as_it_is() {
    let staged = worked();
    let before = tree::read(staged.cli.folder());
    let out = is_sound(&staged.cli);
    assert!(!out.stdout.contains("not all objects"), "{out:#?}");
    assert_eq!(staged.cli.run(&["fsck", "--json"]).ok().json()["sound"], true);
    assert_same(&before, &tree::read(staged.cli.folder()), "something");
    let empty = Cli::default();
    empty.run(&["new", "--empty"]).ok();
    is_sound(&empty);
    let part = Cli::default();
    part.repository("project");
    part.run(&["new", "--from", "local:project", "--paths", "docs"]).ok();
    is_sound(&part);
}

#[test]
fn a_sandbox_on_disk_is_looked_at_but_for_its_directory() {
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--on-disk", "disk"]).ok();
    assert!(is_sound(&cli).stdout.contains("`git fsck`"));
}

#[test]
fn attack_23_whatever_is_damaged_is_found_and_told() {
    let staged = worked();
    let (cli, folder) = (&staged.cli, folder(&staged.cli));
    let attachment = |index: bool| {
        let mut entries = fs::read_dir(folder.join("attachments")).unwrap().map(|entry| entry.unwrap().path());
        entries.find(|path| fs::read(path).unwrap().starts_with(b"\xfftOc") == index).unwrap()
    };
    let (pack, index) = (attachment(false), attachment(true));
    let flip = |path: &PathBuf, at: f64| {
        let mut bytes = fs::read(path).unwrap();
        let at = (bytes.len() as f64 * at) as usize;
        bytes[at] ^= 4;
        fs::write(path, bytes).unwrap();
    };
    let cut = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() - 3]).unwrap();
    };
    let of = |name: &str| folder.join(name);
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    type Damage<'a> = (PathBuf, Box<dyn Fn(&PathBuf) + 'a>, String);
    let damages: Vec<Damage> = vec![
        (of("journal"), Box::new(|path| flip(path, 0.5)), "journal".to_owned()),
        (of("journal"), Box::new(cut), "bytes of the journal are cut off or damaged".to_owned()),
        (of("journal"), Box::new(|path| fs::write(path, "").unwrap()), "journal is empty".to_owned()),
        (of("journal"), Box::new(|path| fs::remove_file(path).unwrap()), "no journal".to_owned()),
        (of("audit.log"), Box::new(|path| flip(path, 0.4)), "line 1 does not follow".to_owned()),
        (of("sandbox.toml"), Box::new(|path| fs::write(path, "id = 7").unwrap()), "sandbox.toml".to_owned()),
        (of("pending/x"), Box::new(|path| fs::write(path, "{}").unwrap()), "is not a pending push".to_owned()),
    ];
    is_sound(cli);
    for (path, damage, words) in damages {
        let whole = fs::read(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        damage(&path);
        finds(cli, &words);
        match whole {
            Ok(whole) => fs::write(&path, whole).unwrap(),
            Err(_) => fs::remove_file(&path).unwrap(),
        }
    }
    for path in [pack, index] {
        for damage in [&(|path: &PathBuf| flip(path, 0.7)) as &dyn Fn(&PathBuf), &cut] {
            let whole = fs::read(&path).unwrap();
            damage(&path);
            let out = cli.run(&["fsck"]).exits(1);
            assert!(out.stdout.contains(&name(&path)), "{out:#?}");
            let status = cli.run(&["status"]).fails(1);
            assert!(status.stderr.contains(&name(&path)), "{status:#?}");
            fs::write(&path, whole).unwrap();
        }
    }
    is_sound(cli);
}

#[test]
fn attack_23_a_damaged_attachment_that_nothing_needs_keeps_no_sandbox_closed() {
    let staged = worked();
    let stray = folder(&staged.cli).join("attachments").join("0".repeat(64));
    fs::write(&stray, "not what the name says").unwrap();
    staged.cli.run(&["status"]).ok();
    staged.push("local:project#other");
    finds(&staged.cli, "remove the file: nothing needs it");
    fs::remove_file(stray).unwrap();
    is_sound(&staged.cli);
}

#[test]
fn a_push_that_is_not_settled_is_a_finding_until_it_is() {
    let staged = worked();
    let log = folder(&staged.cli).join("audit.log");
    let text = fs::read_to_string(&log).unwrap();
    // The state after a process was killed before it could record the outcome.
    let open = text.lines().next().unwrap();
    fs::write(&log, format!("{open}\n")).unwrap();
    finds(&staged.cli, "was interrupted");
    assert!(staged.cli.run(&["log"]).ok().stdout.contains("not yet settled"));
    let status = staged.cli.run(&["status"]).ok();
    assert!(status.stderr.contains("it has landed"), "{status:#?}");
    is_sound(&staged.cli);
}

#[test]
fn what_a_cut_off_write_has_left_is_named_and_then_removed() {
    let staged = worked();
    let left = ["", "attachments", "pending"].map(|name| {
        let path = folder(&staged.cli).join(name).join(".journal.0123456789abcdef.new");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "half").unwrap();
        path
    });
    let out = is_sound(&staged.cli);
    assert_eq!(out.stdout.matches("interrupted write; the next call removes it").count(), 3, "{out:#?}");
    staged.cli.run(&["status"]).ok();
    assert!(left.iter().all(|path| !path.exists()));
}

#[test]
fn attack_24_two_processes_at_work_in_one_sandbox_lose_nothing() {
    const CALLS: usize = 25;
    let cli = Cli::default();
    cli.repository("project");
    cli.run(&["new", "--from", "local:project", "--identity", "Ada <ada@example.org>", "--policy", "strict"]).ok();
    let (before, _) = records(&cli);
    std::thread::scope(|scope| {
        for name in ["ada", "bob"] {
            let cli = &cli;
            scope.spawn(move || {
                for number in 0..CALLS {
                    let path = format!("{name}-{number}.md");
                    cli.call("write_file", &json!({ "path": path, "content": "text\n" })).ok();
                    cli.call("git_stage", &json!({ "files": [path], "message": path })).ok();
                }
            });
        }
    });
    let status = cli.structured("git_status", &json!({}));
    let mut staged: Vec<&str> =
        status["staged"].as_array().unwrap().iter().map(|commit| commit["message"].as_str().unwrap().trim()).collect();
    staged.sort();
    let mut all: Vec<String> =
        ["ada", "bob"].iter().flat_map(|name| (0..CALLS).map(move |number| format!("{name}-{number}.md"))).collect();
    all.sort();
    let omitted = status["stagedOmitted"].as_u64().unwrap_or_default() as usize;
    assert_eq!(staged.len() + omitted, all.len(), "{status}");
    assert!(staged.iter().all(|message| all.iter().any(|one| one == message)));
    let (after, log) = records(&cli);
    assert!(after - before >= 2 * CALLS as u64, "{log}");
    is_sound(&cli);
}

fn records(cli: &Cli) -> (u64, String) {
    let log = cli.run(&["log", "--verify", "--json"]).ok();
    (log.json()["records"].as_u64().unwrap(), cli.run(&["log"]).ok().stdout)
}
