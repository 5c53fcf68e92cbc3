//! Blames the files of a real history: `GITGATE_TEST_HISTORY` is the path of its repository.

use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use serde_json::json;

use super::compare;
use crate::testing::Sandbox;

/// The number of files to blame, each in the working tree and in a commit.
const FILES: usize = 200;

#[test]
fn git_blame_says_what_git_says_of_a_history_of_ones_own() {
    let Some(path) = std::env::var_os("GITGATE_TEST_HISTORY").map(PathBuf::from) else {
        println!("skipped: GITGATE_TEST_HISTORY is not set");
        return;
    };
    let mut sandbox = Sandbox::new();
    let path = path.canonicalize().expect("there is a repository");
    sandbox.git(&["clone", "-q", path.to_str().expect("its path is UTF-8"), "."]);
    let listed = sandbox.git(&["ls-files"]);
    let files: Vec<&str> = listed.lines().filter(|name| !name.starts_with('"')).collect();
    let listed = sandbox.git(&["rev-list", "HEAD"]);
    let commits: Vec<&str> = listed.lines().collect();
    let mut random = Rng::with_seed(9);
    // The times of the tool and of git, for calls after a fresh start and for the others.
    let mut times = [[Duration::ZERO; 2]; 2];
    for _ in 0..FILES {
        let file = *random.choice(&files).expect("there is a file");
        let [commit, other] = [(); 2].map(|()| *random.choice(&commits).expect("there is a commit"));
        for commit in [None, Some(commit.to_owned()), Some(format!("{other}..{commit}"))] {
            let mut arguments = json!({"path": file, "max_bytes": 5_000_000});
            let is_first = commit.is_none();
            if is_first {
                // Drop the caches, as at a fresh start.
                sandbox.session.forget();
            } else {
                arguments["commit"] = json!(commit);
            }
            let asked = compare(&mut sandbox, "a history of one's own", &arguments);
            let [ours, theirs] = &mut times[usize::from(!is_first)];
            *ours += asked.ours;
            *theirs += asked.theirs;
        }
    }
    println!("{} files, {} commits: {} calls say the same", files.len(), commits.len(), FILES * 3);
    let [[ours, theirs], [ours_later, theirs_later]] = times;
    println!("after a fresh start: {ours:?} here, {theirs:?} in processes of git");
    println!("later: {ours_later:?} here, {theirs_later:?} in processes of git");
}
