//! Random repositories with random working trees.

use std::fs;

use crate::platform;
use crate::testing::Sandbox;
use fastrand::Rng;

const FOLDERS: &[&str] = &["", "", "a/", "a/b/", "a-b/", "docs/x y/", "build/", "é/", "a0/"];
const NAMES: &[&str] = &[
    "f",
    "g.rs",
    "h.log",
    "with space",
    "quo\"te",
    "tab\there",
    "é",
    "z",
    "a",
    "b",
    "Makefile",
    "-dash",
    "[x]",
    "x.log",
];
const RULES: &[&str] = &[
    "*.log\n",
    "build/\n",
    "/a/b\n",
    "!x.log\n",
    "a/**\n!a/f\n",
    "**/b/\n",
    "f\n",
    "z \n",
    "docs/*\r\n",
    "\\[x]\n",
    "# no\n\n",
    "b/*.rs\n",
];
const ATTRIBUTES: &[&str] = &[
    "* text=auto\n",
    "*.rs text eol=lf\n",
    "h.log -diff\n",
    "f diff\n",
    "*.log binary\n",
    "z eol=crlf\n",
    "g.rs ident\n",
    "*.rs diff=rust\n",
    "f diff=python\n",
    "* diff=nothing\n",
];

/// A repository and the dice that made it.
pub struct Scene {
    pub sandbox: Sandbox,
    pub random: Rng,
}

impl Scene {
    /// The scene of `seed`.
    pub fn new(seed: u64) -> Scene {
        let mut scene = Scene { sandbox: Sandbox::with_repository(), random: Rng::with_seed(seed) };
        let commits = scene.random.usize(..4);
        for commit in 0..commits {
            scene.changes(14);
            scene.git(&["add", "-A"]);
            scene.git(&["commit", "--quiet", "--allow-empty", "-m", &format!("commit {commit}")]);
        }
        if commits > 1 {
            scene.history();
        }
        scene.changes(10);
        scene.index_changes();
        scene.changes(8);
        scene
    }

    /// Runs git, whether it succeeds or not: not every random command makes sense.
    pub fn git(&mut self, arguments: &[&str]) {
        self.sandbox.git_output(arguments);
    }

    fn path(&mut self) -> String {
        format!("{}{}", self.random.choice(FOLDERS).unwrap(), self.random.choice(NAMES).unwrap())
    }

    /// The paths of all files, links and folders, `.git` left out.
    fn existing(&self) -> Vec<String> {
        let tree = self.sandbox.tree();
        let below = tree.keys().filter_map(|path| path.strip_prefix("/workspace/"));
        below.filter(|path| !path.split('/').any(|name| name == ".git")).map(str::to_owned).collect()
    }

    fn some_existing(&mut self) -> Option<String> {
        let existing = self.existing();
        (!existing.is_empty()).then(|| self.random.choice(&existing).unwrap().clone())
    }

    fn text(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..self.random.usize(..30) {
            let end = if self.random.usize(..12) == 0 { "\r\n" } else { "\n" };
            let word = self
                .random
                .choice(&[
                    "fn main() {",
                    "    let x = 1;",
                    "}",
                    "",
                    "line",
                    "$Id$",
                    "other line",
                    "\tindented",
                    "  def run(x):",
                    "  mod x",
                ])
                .unwrap();
            text.extend_from_slice(format!("{word}{}{end}", self.random.usize(..3)).as_bytes());
        }
        if self.random.usize(..6) == 0 {
            text.extend_from_slice(b"no newline");
        }
        if self.random.usize(..12) == 0 {
            text.push(0);
        }
        text
    }

    /// Changes the working tree in `count` ways at most.
    fn changes(&mut self, count: usize) {
        for _ in 0..count {
            self.change();
        }
    }

    fn change(&mut self) {
        match self.random.usize(..27) {
            0..=8 => {
                let (path, text) = (self.path(), self.text());
                self.put(&path, &text);
            }
            9..=11 => self.edit(),
            12 | 13 => {
                if let Some(path) = self.some_existing() {
                    self.remove(&path);
                }
            }
            14 | 15 => self.rename(),
            16 => {
                let executable = self.random.usize(..2) == 0;
                if let Some(path) = self.some_existing() {
                    let real = self.sandbox.real(&path);
                    if platform::stat(&real).is_ok_and(|stat| stat.kind == platform::Kind::File) {
                        platform::set_executable(&real, executable).unwrap();
                    }
                }
            }
            17 => {
                let path = self.path();
                self.remove(&path);
                if self.make_room(&path) {
                    let target = *self.random.choice(&["f", "nowhere", "a/b"]).unwrap();
                    platform::symlink(target.as_ref(), &self.sandbox.real(&path)).unwrap();
                }
            }
            18 | 19 => {
                let path = format!("{}.gitignore", self.random.choice(FOLDERS).unwrap());
                let rules: String = (0..=self.random.usize(..3)).map(|_| *self.random.choice(RULES).unwrap()).collect();
                self.put(&path, rules.as_bytes());
            }
            20 => {
                let path = format!("{}.gitattributes", self.random.choice(FOLDERS).unwrap());
                let rules: String =
                    (0..=self.random.usize(..2)).map(|_| *self.random.choice(ATTRIBUTES).unwrap()).collect();
                self.put(&path, rules.as_bytes());
            }
            21 => {
                let path = self.random.choice(&["empty/dir", "a/empty", "nest/ed"]).unwrap().to_string();
                // A file may stand in the way.
                let _ = fs::create_dir_all(self.sandbox.real(&path));
            }
            22 => {
                let path = *self.random.choice(&["nested", "a/nested", "deep/er/nested"]).unwrap();
                self.git(&["init", "--quiet", path]);
            }
            23 => {
                // Rules behind a link are no rules.
                let name = *self.random.choice(&[".gitignore", ".gitattributes"]).unwrap();
                let path = format!("{}{name}", self.random.choice(FOLDERS).unwrap());
                self.put("rules", b"*.log\n* text eol=lf\n*.rs -diff\n");
                self.remove(&path);
                if self.make_room(&path) {
                    let up = "../".repeat(path.matches('/').count());
                    platform::symlink(format!("{up}rules").as_ref(), &self.sandbox.real(&path)).unwrap();
                }
            }
            24 | 25 => {
                // A folder takes the place of a file or link.
                if let Some(path) = self.some_existing() {
                    let text = self.text();
                    self.remove(&path);
                    self.put(&format!("{path}/f"), &text);
                }
            }
            _ => {
                let path = *self.random.choice(&["sub", "a/sub", "sub-x"]).unwrap();
                let info = format!("160000,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,{path}");
                self.git(&["update-index", "--add", "--cacheinfo", &info]);
                match self.random.usize(..3) {
                    0 => self.put(path, b"a file"),
                    1 => {
                        // A file may stand in the way.
                        let _ = fs::create_dir_all(self.sandbox.real(path));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Makes the folders that `path` is in, unless a file stands in the way.
    fn make_room(&mut self, path: &str) -> bool {
        let real = self.sandbox.real(path);
        let parent = real.parent().expect("it is in the workspace");
        fs::create_dir_all(parent).is_ok() && !real.is_dir()
    }

    fn put(&mut self, path: &str, content: &[u8]) {
        self.remove_link(path);
        if self.make_room(path) {
            fs::write(self.sandbox.real(path), content).unwrap();
        }
    }

    /// A write would go through a link.
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
        if !platform::stat(&real).is_ok_and(|stat| stat.kind == platform::Kind::File) {
            return;
        }
        let content = fs::read(&real).unwrap();
        let mut lines: Vec<Vec<u8>> = content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        for _ in 0..=self.random.usize(..3) {
            let at = self.random.usize(..=lines.len());
            match self.random.usize(..3) {
                0 if at < lines.len() => {
                    lines.remove(at);
                }
                1 if at < lines.len() => lines[at] = format!("changed {}\n", self.random.usize(..9)).into_bytes(),
                _ => lines.insert(at, format!("new {}\n", self.random.usize(..9)).into_bytes()),
            }
        }
        fs::write(real, lines.concat()).unwrap();
    }

    fn rename(&mut self) {
        let (from, to) = (self.some_existing(), self.path());
        let Some(from) = from else { return };
        self.remove_link(&to);
        if self.make_room(&to) && !to.starts_with(&format!("{from}/")) {
            // A folder does not go where a file is.
            let _ = fs::rename(self.sandbox.real(&from), self.sandbox.real(&to));
        }
    }

    /// Changes the index.
    fn index_changes(&mut self) {
        for _ in 0..self.random.usize(..7) {
            let Some(path) = self.some_existing() else {
                return;
            };
            match self.random.usize(..9) {
                0..=3 => self.git(&["add", "--", &path]),
                4 => self.git(&["rm", "--quiet", "-r", "--cached", "--", &path]),
                5 => self.git(&["add", "-A"]),
                6 => self.git(&["add", "-N", "--", &path]),
                7 => self.git(&["update-index", "--skip-worktree", &path]),
                _ => self.git(&["update-index", "--assume-unchanged", &path]),
            }
        }
    }

    /// Branches, upstreams, a detached HEAD, a merge.
    fn history(&mut self) {
        self.git(&["config", "remote.origin.url", "elsewhere"]);
        self.git(&["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]);
        match self.random.usize(..8) {
            0 => {}
            1 => self.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]),
            2 => self.git(&["update-ref", "refs/remotes/origin/main", "HEAD~1"]),
            3 => {
                self.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
                self.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
            }
            4 => {
                self.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
                self.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
                self.git(&["commit", "--quiet", "--allow-empty", "-m", "other"]);
                self.git(&["branch", "origin/main"]);
            }
            5 => self.git(&["checkout", "--quiet", "--detach", "HEAD~1"]),
            6 => {
                self.git(&["checkout", "--quiet", "HEAD~0"]);
                self.git(&["commit", "--quiet", "--allow-empty", "-m", "detached"]);
            }
            _ => self.merge(),
        }
        if self.random.usize(..2) == 0 {
            self.git(&["config", "branch.main.remote", "origin"]);
            self.git(&["config", "branch.main.merge", "refs/heads/main"]);
        }
        if self.random.usize(..4) == 0 {
            self.git(&["config", "core.sparseCheckout", "true"]);
        }
        if self.random.usize(..6) == 0 {
            let value = *self.random.choice(&["true", "input"]).unwrap();
            self.git(&["config", "core.autocrlf", value]);
        }
        if self.random.usize(..4) == 0 {
            self.git(&["gc", "--quiet"]);
        }
    }

    /// Two branches that disagree.
    fn merge(&mut self) {
        self.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        self.changes(12);
        self.git(&["add", "-A"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "side"]);
        self.git(&["checkout", "--quiet", "main"]);
        let command = *self.random.choice(&["merge", "merge", "cherry-pick"]).unwrap();
        self.git(&[command, "side"]);
        if self.random.usize(..4) == 0 {
            self.git(&["add", "-A"]);
        }
    }
}
