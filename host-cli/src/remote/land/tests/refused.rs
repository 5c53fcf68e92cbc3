//! Changes that the system refuses.

use std::cell::Cell;

use rustix::io::Errno;

use super::support::*;
use crate::remote::land::disk::Disk;
use crate::remote::land::execute::execute;

#[test]
fn a_folder_that_may_not_be_removed_stays() {
    // The system refuses before it looks whether the folder is empty.
    for (left, why) in
        [(None, Errno::ACCESS), (None, Errno::PERM), (None, Errno::ROFS), (Some("css/kept=k\n"), Errno::ACCESS)]
    {
        let mut files = vec!["css/old=o\n", "page=p\n"];
        files.extend(left);
        let scene = Scene::new(&files);
        let push = scene.push("main", &["css/old-", "page=q\n"]);
        let plan = scene.plan(&push).unwrap();
        // The first folder to go is the one in the worktree.
        let refused = Cell::new(false);
        let hook = |step: &'static str| if step == "rmdir" && !refused.replace(true) { Err(why) } else { Ok(()) };
        let landed = execute(&Disk::watched(&hook), &scene.target(), &push.pack, &plan).unwrap();
        assert_eq!(landed.updated, ["css/old", "page"]);
        scene.assert_landed(&push, "");
        assert!(refused.get() && scene.repo.join("css").is_dir() && !scene.repo.join("css/old").exists());
    }
}
