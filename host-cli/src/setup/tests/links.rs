//! On a real disk: links, permissions, and files that change meanwhile.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::error::ErrorKind;
use crate::setup::plan::Step;
use crate::setup::write::{self, Files};

/// A project and a folder outside it.
struct Disk {
    _folder: tempfile::TempDir,
    root: std::path::PathBuf,
    outside: std::path::PathBuf,
}

fn disk() -> Disk {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let (root, outside) = (base.join("project"), base.join("outside"));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&outside).unwrap();
    Disk { _folder: folder, root, outside }
}

impl Disk {
    fn files(&self) -> Files {
        Files { root: Some(self.root.clone()), git_dir: None }
    }

    fn step(&self, name: &str, before: Option<&str>, after: Option<&str>) -> Step {
        Step { file: self.root.join(name), before: before.map(str::to_owned), after: after.map(str::to_owned) }
    }
}

#[test]
fn attack_08_a_link_out_of_the_project_is_neither_read_nor_written() {
    let disk = disk();
    fs::write(disk.outside.join("secret"), "old").unwrap();
    symlink(&disk.outside, disk.root.join(".codex")).unwrap();
    symlink(disk.outside.join("secret"), disk.root.join("AGENTS.md")).unwrap();
    symlink("../outside/none", disk.root.join("GEMINI.md")).unwrap();
    for name in [".codex/config.toml", ".codex/deeper/config.toml", "AGENTS.md", "GEMINI.md"] {
        let read = disk.files().read(&disk.root.join(name)).unwrap_err();
        assert_eq!(read.kind, ErrorKind::Refused, "{name}");
        let written = disk.files().write(&disk.step(name, None, Some("new"))).unwrap_err();
        assert_eq!(written.kind, ErrorKind::Refused, "{name}");
    }
    let left: Vec<_> = fs::read_dir(&disk.outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["secret"]);
    assert_eq!(fs::read_to_string(disk.outside.join("secret")).unwrap(), "old");
}

#[test]
fn a_link_inside_the_project_is_named_and_stays_one() {
    let disk = disk();
    fs::write(disk.root.join("CLAUDE.md"), "text\n").unwrap();
    symlink("CLAUDE.md", disk.root.join("AGENTS.md")).unwrap();
    let file = disk.root.join("AGENTS.md");
    assert_eq!(disk.files().link(&file).unwrap(), Some(disk.root.join("CLAUDE.md")));
    assert_eq!(disk.files().link(&disk.root.join("CLAUDE.md")).unwrap(), None);
    disk.files().write(&disk.step("AGENTS.md", Some("text\n"), Some("more\n"))).unwrap();
    assert!(file.is_symlink());
    assert_eq!(fs::read_to_string(disk.root.join("CLAUDE.md")).unwrap(), "more\n");
}

#[test]
fn a_users_file_may_be_a_link_to_anywhere() {
    let disk = disk();
    fs::write(disk.outside.join("dotfile"), "{}").unwrap();
    let file = disk.root.join("settings.json");
    symlink(disk.outside.join("dotfile"), &file).unwrap();
    let files = Files { root: None, git_dir: None };
    assert_eq!(files.read(&file).unwrap().as_deref(), Some("{}"));
    assert_eq!(files.link(&file).unwrap(), Some(disk.outside.join("dotfile")));
}

#[test]
fn a_file_keeps_its_permissions_and_leaves_nothing_beside_it() {
    let disk = disk();
    let file = disk.root.join("a.json");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    disk.files().write(&disk.step("a.json", Some("old"), Some("new"))).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::read_dir(&disk.root).unwrap().count(), 1);
}

#[test]
fn a_file_that_changed_since_it_was_shown_stays_as_it_is() {
    let disk = disk();
    let file = disk.root.join("a.json");
    fs::write(&file, "theirs").unwrap();
    for before in [None, Some("old")] {
        let error = disk.files().write(&disk.step("a.json", before, Some("new"))).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Refused);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
}

#[test]
fn folders_are_made_and_go_if_nothing_else_is_in_them() {
    let disk = disk();
    let step = disk.step(".claude/skills/gitgate/SKILL.md", None, Some("text"));
    let folders = disk.files().missing_folders(&step.file).unwrap();
    assert_eq!(folders.len(), 3);
    disk.files().write(&step).unwrap();
    fs::write(disk.root.join(".claude/mine"), "").unwrap();
    let gone = Step { before: step.after, after: None, ..step };
    disk.files().write(&gone).unwrap();
    write::remove_empty(&folders);
    assert!(!disk.root.join(".claude/skills").exists());
    assert!(disk.root.join(".claude/mine").exists());
}

#[test]
fn what_is_no_text_file_is_refused() {
    let disk = disk();
    fs::create_dir(disk.root.join("folder.json")).unwrap();
    fs::write(disk.root.join("bytes.json"), b"\xff").unwrap();
    for name in ["folder.json", "bytes.json"] {
        assert_eq!(disk.files().read(&disk.root.join(name)).unwrap_err().kind, ErrorKind::Refused, "{name}");
    }
}
