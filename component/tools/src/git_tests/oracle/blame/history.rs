//! A sandbox with a random history, index and working tree.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use fastrand::Rng;

use super::story::Story;
use super::tree::NAMES;
use crate::testing::Sandbox;

/// A repository, and its random generator.
pub struct History {
    pub sandbox: Sandbox,
    pub random: Rng,
    /// Present and former paths of files.
    pub paths: Vec<String>,
    /// The ids of commits.
    pub commits: Vec<String>,
    /// Whether the history has a shallow boundary, although the parents exist.
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
            // Make a shallow boundary.
            let ends: String = (0..2).map(|_| format!("{}\n", story.random.choice(&commits).unwrap())).collect();
            fs::write(sandbox.root().join(".git/shallow"), ends).unwrap();
        }
        super::work::change(&mut sandbox, &mut story);
        let mut paths: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        paths.push("new".to_owned());
        // Draw tracked files most often.
        let tracked = sandbox.git(&["ls-files", "-z"]);
        let tracked = tracked.split_terminator('\0').map(str::to_owned);
        paths.extend(tracked.flat_map(|path| vec![path; 16]));
        History { sandbox, random: story.random, paths, commits, is_shallow }
    }
}
