//! Where a repository really writes and reads, if that is outside the folder that names it.

use std::path::{Path, PathBuf};

use gate::push::Peculiarity;
use gate::refname::BranchRef;

use super::land::checked_out_in;
use super::{Target, TargetError};

impl Target {
    /// The places outside its own folder that a push to `branch` writes to, and those that objects
    /// are read from.
    pub fn elsewhere(&self, branch: &BranchRef) -> Result<Vec<Peculiarity>, TargetError> {
        let named = Path::new(self.canonical().location());
        let is_outside = |place: &PathBuf| !place.starts_with(named);
        let worktree = checked_out_in(&self.fresh()?, branch.as_str())?;
        let written = worktree.into_iter().chain([self.common_dir().to_owned()]).filter(is_outside);
        let mut places: Vec<Peculiarity> =
            written.map(|place| Peculiarity::Writes(place.display().to_string())).collect();
        let lent = self.lenders()?.into_iter().filter(is_outside);
        places.extend(lent.map(|place| Peculiarity::Reads(place.display().to_string())));
        Ok(places)
    }

    /// The places outside its own folder that objects are read from.
    pub fn reads_elsewhere(&self) -> Result<Vec<PathBuf>, TargetError> {
        let named = Path::new(self.canonical().location());
        Ok(self.lenders()?.into_iter().filter(|place| !place.starts_with(named)).collect())
    }

    /// The folders of objects that `objects/info/alternates` names, in this repository and in those:
    /// as they are found when objects are read.
    fn lenders(&self) -> Result<Vec<PathBuf>, TargetError> {
        lenders(self.common_dir())
    }
}

/// The folders that the repository with the git folder `common` borrows objects from.
pub(super) fn lenders(common: &Path) -> Result<Vec<PathBuf>, TargetError> {
    let found = gix::odb::alternate::resolve(common.join("objects"), Path::new("/"))
        .map_err(|error| TargetError::damaged("cannot read where objects are borrowed from", error))?;
    Ok(found.into_iter().map(|place| place.canonicalize().unwrap_or(place)).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
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

    fn elsewhere(target: &Path, branch: &str) -> Vec<Peculiarity> {
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
        assert_eq!(elsewhere(&root.join("clone"), "main"), [Peculiarity::Reads(lent)]);
    }

    #[test]
    fn attack_17_a_lender_is_said_however_its_path_is_written() {
        let (_folder, root) = origin();
        git(&root, &["init", "-q", "-b", "main", "clone"]);
        let lent = root.join("origin/.git/objects");
        let alternates = root.join("clone/.git/objects/info/alternates");
        for text in [format!("\"{}\"\n", lent.display()), "../../../origin/.git/objects\n".to_owned()] {
            fs::write(&alternates, &text).unwrap();
            let expected = [Peculiarity::Reads(lent.display().to_string())];
            assert_eq!(elsewhere(&root.join("clone"), "main"), expected, "{text}");
        }
    }

    #[test]
    fn a_linked_worktree_is_written_to_where_it_is_and_only_for_its_branch() {
        let (_folder, root) = origin();
        git(&root.join("origin"), &["worktree", "add", "-q", "-b", "topic", "../linked"]);
        let linked = root.join("linked").display().to_string();
        assert_eq!(elsewhere(&root.join("origin"), "topic"), [Peculiarity::Writes(linked)]);
        assert_eq!(elsewhere(&root.join("origin"), "main"), []);
    }

    #[test]
    fn a_worktree_that_the_configuration_puts_elsewhere_is_said() {
        let (_folder, root) = origin();
        fs::create_dir(root.join("victim")).unwrap();
        git(&root.join("origin"), &["config", "core.worktree", "../../victim"]);
        let places = elsewhere(&root.join("origin"), "main");
        assert!(places.contains(&Peculiarity::Writes(root.join("victim").display().to_string())), "{places:?}");
    }
}
