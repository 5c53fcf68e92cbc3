//! Scripts in a real folder, run by bash with GNU's commands, and by this shell: what they print, their status, and the tree that they
//! leave are equal.

#![cfg(unix)]

mod disk;
mod generated;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use bstr::{BString, ByteSlice};
use shell::world::Halt;
use shell::{Kept, Script};

use self::disk::Disk;

/// What a script came to.
#[derive(Debug, PartialEq, Eq)]
struct Came {
    stdout: BString,
    status: i32,
    tree: BTreeMap<String, BString>,
}

const ENV: &[(&str, &str)] =
    &[("HOME", "/home/agent"), ("LC_ALL", "C.UTF-8"), ("PATH", "/usr/bin:/bin"), ("TZ", "UTC")];

/// A folder with some files, which every script begins with.
fn fixture(folder: &Path) {
    let files: &[(&str, &str)] = &[
        ("README.md", "# Project\n\nIt does things.\nLATER: say which\n"),
        ("data.csv", "name,age,city\nAda,36,London\nGrace,45,New York\nAlan,41,London\nEdsger,72,Rotterdam\n"),
        ("data.json", "{\"items\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": 2, \"name\": \"two\"}], \"ok\": true}\n"),
        (
            "log.txt",
            "2026-01-01 INFO start\n2026-01-01 ERROR disk full\n2026-01-02 WARN slow\n2026-01-02 ERROR net down\n2026-01-03 INFO stop\n",
        ),
        ("words.txt", "pear\napple\nfig\napple\nbanana\nfig\napple\n"),
        ("numbers.txt", "10\n9\n2\n33\n1\n2\n"),
        ("src/main.rs", "fn main() {\n    // LATER: more\n    println!(\"hello\");\n}\n"),
        (
            "src/lib.rs",
            "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn sub(a: i32, b: i32) -> i32 {\n    a - b\n}\n",
        ),
        ("src/deep/er/mod.rs", "// nothing\n"),
        ("docs/a b.txt", "with a blank\n"),
        ("docs/ünï.txt", "grüße\n"),
        (".hidden", "secret\n"),
        ("empty", ""),
        ("noeol", "no line break"),
        ("tabs.txt", "a\tb\tc\n1\t2\t3\nx\ty\tz\n"),
    ];
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
        fs::write(path, content).expect("it can be written");
    }
    std::os::unix::fs::symlink("README.md", folder.join("link.md")).expect("it can be made");
}

fn tree(folder: &Path) -> BTreeMap<String, BString> {
    let mut tree = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("it is a folder") {
            let path = entry.expect("it can be listed").path();
            let name = path.strip_prefix(folder).expect("it is below").to_string_lossy().into_owned();
            let metadata = path.symlink_metadata().expect("it is there");
            let content = if metadata.is_symlink() {
                format!("-> {}", fs::read_link(&path).expect("it is a link").display()).into()
            } else if metadata.is_dir() {
                folders.push(path);
                "folder".into()
            } else {
                let executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0;
                let mut content = BString::from(if executable { "x " } else { "" });
                content.extend(fs::read(&path).expect("it can be read"));
                content
            };
            tree.insert(name, content);
        }
    }
    tree
}

fn in_folder<T>(run: impl FnOnce(&Path) -> T) -> T {
    // The same path for both, so that what prints it prints the same.
    let parent = folder();
    let folder = parent.path().join("work");
    fs::create_dir(&folder).expect("it can be made");
    fixture(&folder);
    run(&folder)
}

fn with_bash(script: &str, folder: &Path) -> (Came, BString) {
    let output = Command::new("/bin/bash")
        .args(["-c", script, "bash"])
        .current_dir(folder)
        .env_clear()
        .envs(ENV.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("bash is there");
    let status = output.status.code().unwrap_or(-1);
    let came = Came { stdout: output.stdout.into(), status, tree: tree(folder) };
    (came, output.stderr.into())
}

fn with_shell(script: &str, folder: &Path) -> Result<(Came, BString), String> {
    let env = ENV.iter().map(|(name, text)| ((*name).to_owned(), BString::from(*text))).collect();
    let folder_name = BString::from(folder.to_str().expect("it is text"));
    let script = Script {
        text: script.to_owned(),
        name: "bash".to_owned(),
        args: Vec::new(),
        stdin: Vec::new(),
        kept: Kept { folder: folder_name, env },
        most: 64 << 20,
    };
    let outcome = script.run(Rc::new(Disk::new(50_000_000)), |called| {
        Err(Halt::World(Box::new(format!("there is no {}", called.name))))
    });
    match outcome {
        Ok(outcome) => {
            let came = Came { stdout: outcome.stdout.into(), status: outcome.status, tree: tree(folder) };
            Ok((came, outcome.stderr.into()))
        }
        Err(halt) => Err(format!("{halt:?}")),
    }
}

/// The scripts of a file: a line that begins with `### ` names the one behind it.
fn scripts(text: &str) -> Vec<(String, String)> {
    let mut scripts: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("### ") {
            Some(name) => scripts.push((name.to_owned(), String::new())),
            None => {
                if let Some((_, script)) = scripts.last_mut() {
                    script.push_str(line);
                    script.push('\n');
                }
            }
        }
    }
    scripts
}

/// What differs between the two, if anything does.
fn difference(script: &str) -> Option<String> {
    let parent = folder();
    let folder = parent.path().join("work");
    let fresh = || {
        drop(fs::remove_dir_all(&folder));
        fs::create_dir(&folder).expect("it can be made");
        fixture(&folder);
    };
    fresh();
    let (wanted, said) = with_bash(script, &folder);
    fresh();
    let (found, also) = match with_shell(script, &folder) {
        Ok(found) => found,
        Err(halt) => return Some(format!("it was halted: {halt}")),
    };
    if wanted == found {
        return None;
    }
    let mut report = String::new();
    if wanted.stdout != found.stdout {
        report.push_str(&format!("--- bash prints\n{}\n--- the shell prints\n{}\n", wanted.stdout, found.stdout));
    }
    if wanted.status != found.status {
        report.push_str(&format!("status {} and not {}\n", found.status, wanted.status));
    }
    for name in wanted.tree.keys().chain(found.tree.keys()) {
        if wanted.tree.get(name) != found.tree.get(name) {
            report.push_str(&format!("{name}: {:?} and not {:?}\n", found.tree.get(name), wanted.tree.get(name)));
        }
    }
    report.push_str(&format!("--- bash says\n{said}\n--- the shell says\n{also}\n"));
    Some(report)
}

/// A folder on the disk that has the build. There folders have 4096 bytes, as the shell says of all. In memory they have others.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("it can be made")
}

fn alike(text: &str) {
    let only = std::env::var("ONLY").ok();
    let mut wrong = Vec::new();
    let all = scripts(text);
    assert!(!all.is_empty(), "there are scripts");
    for (name, script) in all.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| name.contains(only.as_str()))) {
        if let Some(difference) = difference(script) {
            wrong.push(format!("=== {name}\n{script}{difference}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn agents() {
    alike(include_str!("../scripts/agents.sh"));
}

#[test]
fn awk() {
    alike(include_str!("../scripts/awk.sh"));
}

#[test]
fn bytes() {
    alike(include_str!("../scripts/bytes.sh"));
}

#[test]
fn diff() {
    alike(include_str!("../scripts/diff.sh"));
}

#[test]
fn find() {
    alike(include_str!("../scripts/find.sh"));
}

#[test]
fn grep() {
    alike(include_str!("../scripts/grep.sh"));
}

#[test]
fn patch() {
    alike(include_str!("../scripts/patch.sh"));
}

#[test]
fn tree_commands() {
    alike(include_str!("../scripts/tree_commands.sh"));
}

#[test]
fn cutting() {
    alike(include_str!("../scripts/cutting.sh"));
}

#[test]
fn everyday() {
    alike(include_str!("../scripts/everyday.sh"));
}

#[test]
fn sorting() {
    alike(include_str!("../scripts/sorting.sh"));
}

#[test]
fn jq() {
    alike(include_str!("../scripts/jq.sh"));
}

#[test]
fn language() {
    alike(include_str!("../scripts/language.sh"));
}

#[test]
fn expansions() {
    alike(include_str!("../scripts/expansions.sh"));
}

#[test]
fn rg() {
    alike(include_str!("../scripts/rg.sh"));
}

#[test]
fn sed() {
    alike(include_str!("../scripts/sed.sh"));
}

#[test]
fn what_is_put_together_at_random_does_what_bash_does() {
    let mut wrong = Vec::new();
    for seed in trial::seeds(0..60) {
        let script = generated::script(&mut fastrand::Rng::with_seed(seed));
        if let Some(difference) = difference(&script) {
            wrong.push(format!("=== seed {seed}\n{script}{difference}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_oracle_is_there() {
    in_folder(|folder| {
        let (came, _) = with_bash("echo $BASH_VERSION; printf '%s\\n' \"${BASH_VERSINFO[0]}\"", folder);
        assert!(came.stdout.to_str_lossy().ends_with("5\n"), "{came:?}");
    });
}
