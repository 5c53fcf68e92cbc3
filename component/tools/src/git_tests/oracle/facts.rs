//! The names in a scene that arguments of a call can use.

use std::collections::{BTreeMap, BTreeSet};

use super::scene::Scene;
use crate::platform::{self, Kind};

/// The state of a scene, according to git.
#[derive(Debug, Default)]
pub struct Facts {
    /// Short names of branches, local and remote, and of tags.
    pub refs: Vec<String>,
    /// The ids of commits, latest first, each with its parents.
    pub commits: Vec<(String, Vec<String>)>,
    /// Files in the working tree, and links that do not lead to folders.
    pub files: Vec<String>,
    /// Folders in the working tree outside nested repositories, and links to such folders.
    pub folders: Vec<String>,
    /// Tracked paths without a file.
    pub gone: Vec<String>,
    /// The paths in HEAD.
    pub in_head: Vec<String>,
    /// Whether the history has a shallow boundary.
    pub is_shallow: bool,
    /// Whether the index has unmerged paths.
    pub is_unmerged: bool,
    standing: BTreeSet<String>,
}

impl Facts {
    /// The facts of `scene`.
    pub fn of(scene: &mut Scene) -> Facts {
        let mut facts = Facts::default();
        let refs =
            scene.output(&["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes"]);
        facts.refs = refs.lines().map(str::to_owned).collect();
        let commits = scene.output(&["rev-list", "--all", "HEAD", "--parents", "--max-count=200"]);
        for line in commits.lines() {
            let mut ids = line.split(' ').map(str::to_owned);
            facts.commits.extend(ids.next().map(|id| (id, ids.collect())));
        }
        facts.walk(scene);
        let split = |text: String| text.split_terminator('\0').map(str::to_owned).collect::<Vec<_>>();
        let tracked = split(scene.output(&["ls-files", "-z"]));
        facts.gone = tracked.into_iter().filter(|path| !facts.standing.contains(path)).collect();
        facts.gone.dedup();
        facts.in_head = split(scene.output(&["ls-tree", "-r", "-z", "--name-only", "HEAD"]));
        facts.is_shallow = scene.sandbox.exists(".git/shallow");
        facts.is_unmerged = !scene.output(&["ls-files", "-u"]).is_empty();
        facts
    }

    /// Whether anything exists at `path`, relative to the root.
    pub fn stands(&self, path: &str) -> bool {
        path.is_empty() || self.standing.contains(path)
    }

    /// Whether there are attributes files.
    pub fn has_attributes(&self) -> bool {
        let mut paths = self.files.iter().chain(&self.gone).chain(&self.in_head);
        paths.any(|path| path.ends_with(".gitattributes"))
    }

    /// The first parent of a commit with this id, or the empty tree for a root commit.
    pub fn before(&self, commit: &str) -> String {
        let parents: BTreeMap<_, _> = self.commits.iter().map(|(id, parents)| (id.as_str(), parents)).collect();
        let parent = parents.get(commit).and_then(|parents| parents.first());
        parent.map_or_else(|| "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned(), Clone::clone)
    }

    fn walk(&mut self, scene: &Scene) {
        let root = scene.sandbox.root();
        for path in scene.existing() {
            let real = scene.sandbox.real(&path);
            let leads_to = real.canonicalize().ok();
            let own = |path: &std::path::Path| {
                path.ancestors().take_while(|above| *above != root).any(|above| above.join(".git").exists())
            };
            let is_inside = leads_to.as_ref().is_some_and(|path| path.starts_with(&root) && !own(path));
            if !real.is_dir() {
                self.files.push(path.clone());
            } else if is_inside {
                self.folders.push(path.clone());
            }
            debug_assert!(platform::stat(&real).is_ok_and(|stat| stat.kind != Kind::Other));
            self.standing.insert(path);
        }
    }
}
