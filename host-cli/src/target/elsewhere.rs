//! Where a repository really writes and reads, if that is outside the folder that names it.

use std::fs;
use std::path::{Path, PathBuf};

use gate::push::Elsewhere;
use gate::refname::BranchRef;

use super::land::checked_out_in;
use super::{Target, TargetError};

/// How many repositories may lend each other objects in a row, as git has it.
const DEEPEST: usize = 5;

impl Target {
    /// The places outside its own folder that a push to `branch` writes to, and those that objects
    /// are read from.
    pub fn elsewhere(&self, branch: &BranchRef) -> Result<Vec<Elsewhere>, TargetError> {
        let named = Path::new(self.canonical().location());
        let is_outside = |place: &PathBuf| !place.starts_with(named);
        let worktree = checked_out_in(&self.fresh()?, branch.as_str())?;
        let written = worktree.into_iter().chain([self.common_dir().to_owned()]).filter(is_outside);
        let mut places: Vec<Elsewhere> = written.map(|place| Elsewhere::Writes(place.display().to_string())).collect();
        let lent = self.lenders().into_iter().filter(is_outside);
        places.extend(lent.map(|place| Elsewhere::Reads(place.display().to_string())));
        Ok(places)
    }

    /// The places outside its own folder that objects are read from.
    pub fn reads_elsewhere(&self) -> Vec<PathBuf> {
        let named = Path::new(self.canonical().location());
        self.lenders().into_iter().filter(|place| !place.starts_with(named)).collect()
    }

    /// The folders of objects that `objects/info/alternates` names, in this repository and in those.
    fn lenders(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.common_dir().join("objects")];
        for _ in 0..DEEPEST {
            let next: Vec<PathBuf> = open.iter().flat_map(|objects| alternates(objects)).collect();
            open = next.into_iter().filter(|place| !found.contains(place)).collect();
            found.extend(open.iter().cloned());
        }
        found
    }
}

fn alternates(objects: &Path) -> Vec<PathBuf> {
    let Ok(text) = fs::read_to_string(objects.join("info/alternates")) else { return Vec::new() };
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| objects.join(line)).map(|place| place.canonicalize().unwrap_or(place)).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::TargetSpec;
    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(folder).args(["-c", "user.name=A", "-c", "user.email=a@x"]).args(arguments);
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    }

    /// A folder with the repository `origin`, which has a commit on `main`.
    fn origin() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        git(&root, &["init", "-q", "-b", "main", "origin"]);
        git(&root.join("origin"), &["commit", "-q", "--allow-empty", "-m", "one"]);
        (folder, root)
    }

    fn elsewhere(target: &Path, branch: &str) -> Vec<Elsewhere> {
        let target = Target::open(&TargetSpec::parse(&format!("local:{}", target.display())).unwrap(), Path::new("/"));
        target.unwrap().elsewhere(&BranchRef::from_branch(branch).unwrap()).unwrap()
    }

    #[test]
    fn an_ordinary_repository_is_nowhere_else() {
        let (_folder, root) = origin();
        assert_eq!(elsewhere(&root.join("origin"), "main"), []);
    }

    #[test]
    fn objects_that_are_lent_are_read_elsewhere() {
        let (_folder, root) = origin();
        git(&root, &["clone", "-q", "--shared", "origin", "clone"]);
        let lent = root.join("origin/.git/objects").display().to_string();
        assert_eq!(elsewhere(&root.join("clone"), "main"), [Elsewhere::Reads(lent)]);
    }

    #[test]
    fn a_linked_worktree_is_written_to_where_it_is_and_only_for_its_branch() {
        let (_folder, root) = origin();
        git(&root.join("origin"), &["worktree", "add", "-q", "-b", "topic", "../linked"]);
        let linked = root.join("linked").display().to_string();
        assert_eq!(elsewhere(&root.join("origin"), "topic"), [Elsewhere::Writes(linked)]);
        assert_eq!(elsewhere(&root.join("origin"), "main"), []);
    }

    #[test]
    fn a_worktree_that_the_configuration_puts_elsewhere_is_said() {
        let (_folder, root) = origin();
        fs::create_dir(root.join("victim")).unwrap();
        git(&root.join("origin"), &["config", "core.worktree", "../../victim"]);
        let places = elsewhere(&root.join("origin"), "main");
        assert!(places.contains(&Elsewhere::Writes(root.join("victim").display().to_string())), "{places:?}");
    }
}
