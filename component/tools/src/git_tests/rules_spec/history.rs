//! A repository with an example of everything that a revision can name.

use std::collections::BTreeMap;

use gix::revision::plumbing::Spec;

use crate::testing::Sandbox;

/// The repository of the rows, and the names of its objects.
pub struct Scene {
    sandbox: Sandbox,
    names: BTreeMap<String, &'static str>,
    pub ids: BTreeMap<&'static str, String>,
}

impl Scene {
    pub fn new() -> Scene {
        let mut scene = Scene { sandbox: Sandbox::with_repository(), names: BTreeMap::new(), ids: BTreeMap::new() };
        scene.sandbox.write("d/b", "b\n");
        scene.commit("one", "1\n", "first");
        scene.git(&["tag", "light"]);
        scene.git(&["tag", "twice"]);
        scene.git(&["branch", "topic/x"]);
        scene.commit("two", "2\n", "second\n\nbody");
        scene.git(&["branch", "twice"]);
        scene.git(&["update-ref", "ORIG_HEAD", "HEAD"]);
        scene.git(&["tag", "-m", "m", "v1"]);
        scene.git(&["tag", "-m", "m", "v2", "v1"]);
        scene.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        scene.git(&["commit", "--quiet", "--allow-empty", "-m", "side begins"]);
        scene.name("first side", "rev-parse", "HEAD");
        scene.git(&["commit", "--quiet", "--allow-empty", "-m", "side ends"]);
        scene.name("side", "rev-parse", "HEAD");
        scene.git(&["checkout", "--quiet", "main"]);
        scene.git(&["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"]);
        scene.name("merge", "rev-parse", "HEAD");
        scene.git(&["tag", "merge-tag"]);
        scene.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        scene.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
        for (key, value) in [
            ("remote.origin.url", "elsewhere"),
            ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
            ("branch.main.remote", "origin"),
            ("branch.main.merge", "refs/heads/main"),
        ] {
            scene.git(&["config", key, value]);
        }
        scene.git(&["commit", "--quiet", "--allow-empty", "-m", "at last!"]);
        scene.name("last", "rev-parse", "HEAD");
        scene.git(&["checkout", "--quiet", "side"]);
        scene.git(&["checkout", "--quiet", "main"]);
        scene.name("v1", "show-ref", "--hash refs/tags/v1");
        scene.name("v2", "show-ref", "--hash refs/tags/v2");
        scene.name("root", "log", "-1 --format=%T");
        scene.name("d", "ls-tree", "--object-only HEAD d");
        scene.name("b", "ls-tree", "--object-only HEAD d/b");
        for (name, content) in [("a one", "1\n"), ("a two", "2\n"), ("a three", "3\n")] {
            scene.sandbox.write("content", content);
            scene.name(name, "hash-object", "-w content");
        }
        scene.sandbox.write("a", "3\n");
        scene.git(&["add", "a"]);
        let stages = [("2", "a one"), ("3", "a two")];
        let info = stages.map(|(stage, name)| format!("100644 {} {stage}\tc\n", scene.ids[name])).concat();
        scene.sandbox.write("info", info);
        // git reads stages only from standard input.
        scene.git(&["-c", "alias.stages=!git update-index --index-info <info", "stages"]);
        scene
    }

    fn git(&mut self, arguments: &[&str]) -> String {
        self.sandbox.git(arguments)
    }

    fn commit(&mut self, name: &'static str, content: &str, message: &str) {
        self.sandbox.write("a", content);
        self.git(&["add", "a", "d"]);
        self.git(&["commit", "--quiet", "-m", message]);
        self.name(name, "rev-parse", "HEAD");
    }

    /// Gives this name to the object that git prints.
    fn name(&mut self, name: &'static str, command: &str, arguments: &str) {
        let id = self.git(&[&[command], arguments.split(' ').collect::<Vec<_>>().as_slice()].concat());
        self.names.insert(id.trim().to_owned(), name);
        self.ids.insert(name, id.trim().to_owned());
    }

    /// Replaces the id in a line of `git rev-parse` by its name, and keeps a `^` before it.
    fn called(&self, line: &str) -> String {
        let id = line.trim_start_matches('^');
        format!("{}{}", &line[..line.len() - id.len()], self.names.get(id).copied().unwrap_or(id))
    }

    pub fn of_git(&mut self, revision: &str) -> String {
        let output = self.sandbox.git_output(&["rev-parse", revision, "--"]);
        let lines = String::from_utf8(output.stdout).expect("ids are ASCII");
        match output.status.success() {
            true => {
                lines.lines().filter(|line| *line != "--").map(|line| self.called(line)).collect::<Vec<_>>().join(" ")
            }
            false => String::new(),
        }
    }

    pub fn of_gix(&mut self, revision: &str) -> String {
        let repo = self.sandbox.session.repo().unwrap();
        let Ok(spec) = repo.gix.rev_parse(revision) else { return String::new() };
        let parents = |id: gix::ObjectId| {
            let commit = repo.gix.find_commit(id).unwrap();
            commit.parent_ids().map(gix::Id::detach).collect::<Vec<_>>()
        };
        let lines: Vec<String> = match spec.detach() {
            Spec::Include(id) => vec![id.to_string()],
            Spec::Exclude(id) => vec![format!("^{id}")],
            Spec::Range { from, to } => vec![to.to_string(), format!("^{from}")],
            Spec::Merge { theirs, ours } => {
                let base = repo.gix.merge_base(theirs, ours).unwrap().expect("all have a commit in common");
                vec![ours.to_string(), theirs.to_string(), format!("^{base}")]
            }
            Spec::IncludeOnlyParents(id) => parents(id).iter().map(ToString::to_string).collect(),
            Spec::ExcludeParents(id) => {
                let parents = parents(id).into_iter().map(|parent| format!("^{parent}"));
                [id.to_string()].into_iter().chain(parents).collect()
            }
        };
        lines.iter().map(|line| self.called(line)).collect::<Vec<_>>().join(" ")
    }
}
