//! Random states of the index and the working tree: edits, added files, and a stopped merge.

use std::fs;

use super::story::Story;
use crate::platform;
use crate::testing::Sandbox;

const ATTRIBUTES: &[&str] = &[
    "* text=auto\n",
    "f text eol=crlf\n",
    "*.rs ident\n",
    "d/* text\n",
    "* -text\n",
    "g.rs working-tree-encoding=UTF-8\n",
];
const MAILMAP: &[&str] = &[
    "Proper Name <a@x>\n",
    "<new@x> <zoe@x>\n",
    "Zoë Q. <zoe@q> Zoë Quinn <zoe@x>\n",
    "太郎 <taro@x>\n",
    "Yet To Come <not.committed.yet>\n",
];

/// Changes the working tree and index of `sandbox`.
pub fn change(sandbox: &mut Sandbox, story: &mut Story) {
    match story.random.usize(..6) {
        0 => return,
        // This may stop with conflicts.
        1 | 2 => drop(sandbox.git_output(&["merge", "-q", "--no-ff", "--allow-unrelated-histories", "side"])),
        _ => {}
    }
    if story.random.usize(..3) == 0 {
        let rules: String = (0..2).map(|_| *story.random.choice(ATTRIBUTES).unwrap()).collect();
        sandbox.write(".gitattributes", rules);
    }
    if story.random.usize(..3) == 0 {
        let rules: String = (0..2).map(|_| *story.random.choice(MAILMAP).unwrap()).collect();
        sandbox.write(".mailmap", rules);
    }
    if story.random.usize(..6) == 0 {
        sandbox.git(&["config", "core.autocrlf", if story.random.bool() { "true" } else { "input" }]);
    }
    for _ in 0..story.random.usize(..7) {
        step(sandbox, story);
    }
}

fn step(sandbox: &mut Sandbox, story: &mut Story) {
    let name = story.name();
    let real = sandbox.real(&name);
    match story.random.usize(..16) {
        0..=4 => {
            if let Ok(content) = fs::read(&real) {
                let content = story.edit(&content);
                put(sandbox, &name, &content);
            }
        }
        5 => {
            if let Ok(content) = fs::read_to_string(&real) {
                put(sandbox, &name, content.replace('\n', "\r\n").as_bytes());
            }
        }
        6 => put(sandbox, "new", b"one\ntwo\n"),
        7 => drop(sandbox.git_output(&["add", "-A"])),
        8 => drop(sandbox.git_output(&["add", "--", &name])),
        9 => drop(sandbox.git_output(&["add", "-N", "--", &name, "new"])),
        10 => drop(sandbox.git_output(&["rm", "-q", "--cached", "--", &name])),
        11 | 12 => {
            let to = *story.random.choice(&["new", "f", "d/f", "d.x"]).unwrap();
            sandbox.git_output(&["mv", "-f", "--", &name, to]);
        }
        13 => remove(sandbox, &name),
        14 => {
            remove(sandbox, &name);
            if story.random.bool() {
                sandbox.mkdir(&name);
            } else {
                let _ = platform::symlink("f".as_ref(), &real);
            }
        }
        _ => {
            // Move a folder, and leave a link in its place.
            if sandbox.real("d").is_dir() && story.random.usize(..3) == 0 && !sandbox.exists("moved") {
                fs::rename(sandbox.real("d"), sandbox.real("moved")).unwrap();
                platform::symlink("moved".as_ref(), &sandbox.real("d")).unwrap();
            }
        }
    }
}

fn put(sandbox: &Sandbox, path: &str, content: &[u8]) {
    let real = sandbox.real(path);
    if real.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        return;
    }
    // The write follows a link, if its target exists.
    let _ = fs::write(real, content);
}

fn remove(sandbox: &Sandbox, path: &str) {
    let real = sandbox.real(path);
    let _ = fs::remove_file(&real).or_else(|_| fs::remove_dir_all(&real));
}
