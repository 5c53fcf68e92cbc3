//! A sandbox with a random history, and a random state of the index and the working tree.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use fastrand::Rng;

use super::story::Story;
use super::tree::NAMES;
use crate::testing::Sandbox;

/// A repository and the dice that made it.
pub struct History {
    pub sandbox: Sandbox,
    pub random: Rng,
    /// Paths that files have, or had.
    pub paths: Vec<String>,
    /// Ids of commits.
    pub commits: Vec<String>,
    /// Whether the parents of some commits are not to be looked at, though they are here.
    pub is_shallow: bool,
}

impl History {
    /// The history of `seed`.
    pub fn new(seed: u64) -> History {
        let mut random = Rng::with_seed(seed);
        let count = random.usize(5..40);
        let mut story = Story::new(random, count);
        let mut sandbox = Sandbox::with_repository();
        let mut import = Command::new(trial::git())
            .args(["fast-import", "--quiet", "--force", "--export-marks=marks"])
            .current_dir(sandbox.root().join(".git"))
            .stdin(Stdio::piped())
            .spawn()
            .expect("git is installed");
        import.stdin.take().expect("it is piped").write_all(&story.stream).expect("git reads");
        assert!(import.wait().expect("git ends").success());
        let marks = fs::read_to_string(sandbox.root().join(".git/marks")).unwrap();
        let commits: Vec<String> = marks.lines().filter_map(|line| line.split(' ').nth(1)).map(str::to_owned).collect();
        assert!(commits.len() >= story.commits());
        sandbox.git(&["reset", "-q", "--hard"]);
        let is_shallow = story.random.usize(..6) == 0;
        if is_shallow {
            // Here the history ends, as in a shallow clone.
            let ends: String = (0..2).map(|_| format!("{}\n", story.random.choice(&commits).unwrap())).collect();
            fs::write(sandbox.root().join(".git/shallow"), ends).unwrap();
        }
        super::work::change(&mut sandbox, &mut story);
        let mut paths: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        paths.push("new".to_owned());
        // What is tracked is asked for most often.
        let tracked = sandbox.git(&["ls-files", "-z"]);
        let tracked = tracked.split_terminator('\0').map(str::to_owned);
        paths.extend(tracked.flat_map(|path| vec![path; 16]));
        History { sandbox, random: story.random, paths, commits, is_shallow }
    }
}
