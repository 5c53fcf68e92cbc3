//! Steps that change the working tree.

use std::fs;

use super::words::{self, ATTRIBUTES, FOLDERS, RULES, pick};
use super::{Scene, TARGETS};
use crate::platform;

/// A random change of the working tree, sometimes back to the version of a commit.
pub fn change_or_back(scene: &mut Scene) {
    match scene.random.usize(..6) {
        0 => back(scene),
        _ => change(scene),
    }
}

/// Restores a path from some commit.
fn back(scene: &mut Scene) {
    let commits = scene.output(&["rev-list", "--all", "--max-count=20"]);
    let commits: Vec<&str> = commits.lines().collect();
    let Some(commit) = scene.random.choice(&commits) else { return };
    let tree = scene.output(&["ls-tree", "-r", "-z", commit]);
    let entries: Vec<&str> = tree.split_terminator('\0').collect();
    let Some(entry) = scene.random.choice(&entries) else { return };
    let (meta, path) = entry.split_once('\t').expect("a path is behind a tab");
    let [mode, _, id] = meta.split(' ').collect::<Vec<_>>()[..] else { panic!("{entry}") };
    if mode == "160000" {
        return;
    }
    let content = scene.sandbox.git_output(&["cat-file", "blob", id]).stdout;
    scene.remove(path);
    if mode == "120000" {
        scene.link(path, &String::from_utf8(content).expect("targets are UTF-8"));
    } else {
        scene.put(path, &content);
        let real = scene.sandbox.real(path);
        if real.is_file() {
            platform::set_executable(&real, mode == "100755").unwrap();
        }
    }
}

/// A random change of the working tree.
pub fn change(scene: &mut Scene) {
    match scene.random.usize(..29) {
        20 | 23 | 27 if !scene.converts => {}
        0..=8 => {
            let (path, text) = (scene.path(), words::text(&mut scene.random));
            scene.put(&path, &text);
        }
        9..=11 => scene.edit(),
        12 | 13 => {
            if let Some(path) = scene.some_existing() {
                scene.remove(&path);
            }
        }
        14 | 15 => scene.rename(),
        16 => {
            let executable = scene.random.bool();
            if let Some(path) = scene.some_existing() {
                let real = scene.sandbox.real(&path);
                if platform::stat(&real).is_ok_and(|stat| stat.kind == platform::Kind::File) {
                    platform::set_executable(&real, executable).unwrap();
                }
            }
        }
        17 => {
            let path = scene.path();
            scene.remove(&path);
            let target = pick(&mut scene.random, TARGETS);
            scene.link(&path, target);
        }
        18 | 19 => scene.rules(".gitignore", RULES, 4),
        20 => scene.rules(".gitattributes", ATTRIBUTES, 3),
        21 => {
            let path = pick(&mut scene.random, &["empty/dir", "a/empty", "nest/ed"]);
            // A file may be in the way.
            let _ = fs::create_dir_all(scene.sandbox.real(path));
        }
        22 => {
            let path = pick(&mut scene.random, &["nested", "a/nested", "deep/er/nested"]);
            scene.git(&["init", "--quiet", path]);
        }
        23 => {
            // git ignores rules behind a link.
            let name = pick(&mut scene.random, &[".gitignore", ".gitattributes"]);
            let path = format!("{}{name}", pick(&mut scene.random, FOLDERS));
            scene.put("rules", b"*.log\n* text eol=lf\n*.rs -diff\n");
            scene.remove(&path);
            if scene.make_room(&path) {
                let up = "../".repeat(path.matches('/').count());
                platform::symlink(format!("{up}rules").as_ref(), &scene.sandbox.real(&path)).unwrap();
            }
        }
        24 | 25 => {
            // A folder replaces a file or link.
            if let Some(path) = scene.some_existing() {
                let text = words::text(&mut scene.random);
                scene.remove(&path);
                scene.put(&format!("{path}/f"), &text);
            }
        }
        26 => {
            let rules = pick(&mut scene.random, RULES);
            fs::create_dir_all(scene.sandbox.real(".git/info")).unwrap();
            fs::write(scene.sandbox.real(".git/info/exclude"), rules).unwrap();
        }
        27 => {
            let rules = pick(&mut scene.random, ATTRIBUTES);
            fs::create_dir_all(scene.sandbox.real(".git/info")).unwrap();
            fs::write(scene.sandbox.real(".git/info/attributes"), rules).unwrap();
        }
        _ => submodule(scene),
    }
}

/// A submodule in the index, with a folder, a file or nothing in its place.
fn submodule(scene: &mut Scene) {
    let path = pick(&mut scene.random, super::SUBMODULES);
    let info = format!("160000,{},{path}", super::history::SUBMODULE_AT);
    scene.git(&["update-index", "--add", "--cacheinfo", &info]);
    match scene.random.usize(..3) {
        0 => scene.put(path, b"a file"),
        1 => {
            // A file may be in the way.
            let _ = fs::create_dir_all(scene.sandbox.real(path));
        }
        _ => {}
    }
}

impl Scene {
    /// The paths of all files, links and folders, without `.git`.
    pub fn existing(&self) -> Vec<String> {
        let mut paths = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in platform::list(&self.sandbox.real(&folder)).unwrap() {
                let Ok(name) = String::from_utf8(entry.name) else { continue };
                if name == ".git" {
                    continue;
                }
                let path = format!("{folder}{name}");
                if entry.stat.kind == platform::Kind::Folder {
                    folders.push(format!("{path}/"));
                }
                paths.push(path);
            }
        }
        paths.sort();
        paths
    }

    pub fn some_existing(&mut self) -> Option<String> {
        let existing = self.existing();
        (!existing.is_empty()).then(|| self.random.choice(&existing).unwrap().clone())
    }

    fn rules(&mut self, name: &str, rules: &[&str], most: usize) {
        let path = format!("{}{name}", pick(&mut self.random, FOLDERS));
        let rules: String = (0..=self.random.usize(..most)).map(|_| pick(&mut self.random, rules)).collect();
        self.put(&path, rules.as_bytes());
    }

    /// Creates the parent folders of `path`. Returns false if a file is in the way.
    fn make_room(&mut self, path: &str) -> bool {
        let real = self.sandbox.real(path);
        let parent = real.parent().expect("it is in the workspace");
        fs::create_dir_all(parent).is_ok() && !real.is_dir()
    }

    pub fn put(&mut self, path: &str, content: &[u8]) {
        self.remove_link(path);
        if self.make_room(path) {
            fs::write(self.sandbox.real(path), content).unwrap();
        }
    }

    fn link(&mut self, path: &str, target: &str) {
        self.remove_link(path);
        if !self.make_room(path) {
            return;
        }
        let real = self.sandbox.real(path);
        platform::symlink(target.as_ref(), &real).unwrap();
        // git reports nothing behind a link to itself, not even a deletion.
        if fs::metadata(&real).is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound) {
            fs::remove_file(real).unwrap();
        }
    }

    /// Removes a link, because a write would follow it.
    fn remove_link(&mut self, path: &str) {
        let mut below = String::new();
        for name in path.split('/') {
            below.push_str(name);
            if self.sandbox.real(&below).is_symlink() {
                self.remove(&below);
            }
            below.push('/');
        }
    }

    fn remove(&mut self, path: &str) {
        let real = self.sandbox.real(path);
        match platform::stat(&real).map(|stat| stat.kind) {
            Ok(platform::Kind::Folder) => fs::remove_dir_all(real).unwrap(),
            Ok(_) => fs::remove_file(real).unwrap(),
            Err(_) => {}
        }
    }

    fn edit(&mut self) {
        let Some(path) = self.some_existing() else {
            return;
        };
        let real = self.sandbox.real(&path);
        if platform::stat(&real).is_ok_and(|stat| stat.kind == platform::Kind::File) {
            let content = fs::read(&real).unwrap();
            fs::write(real, words::edited(&mut self.random, &content)).unwrap();
        }
    }

    fn rename(&mut self) {
        let (from, to) = (self.some_existing(), self.path());
        let Some(from) = from else { return };
        self.remove_link(&to);
        if self.make_room(&to) && !to.starts_with(&format!("{from}/")) {
            // A folder cannot replace a file.
            let _ = fs::rename(self.sandbox.real(&from), self.sandbox.real(&to));
        }
    }
}
