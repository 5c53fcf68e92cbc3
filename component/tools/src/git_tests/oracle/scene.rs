//! Random repositories with random working trees. They are built in steps, so that a failing case can leave out steps one by one.

mod branches;
mod changing;
pub mod entries;
mod files;
mod heads;
mod history;
mod operations;
mod past;
mod plain;
mod words;

use std::fs;

use fastrand::Rng;

pub use self::changing::{file_step, plan as changing, plan_with_odd_refs as with_odd_refs};
pub use self::history::History;
pub use self::words::pick;
use crate::testing::{self, Sandbox};

pub const BRANCHES: &[&str] = &["side", "topic/one", "f", "other", "a-b"];
pub const TAGS: &[&str] = &["v1", "v2.0", "light", "side", "z"];
const SUBMODULES: &[&str] = &["sub", "a/sub", "sub-x"];
const TARGETS: &[&str] = &["f", "nowhere", "a/b", "a", "."];

/// A repository, and its random generator.
pub struct Scene {
    pub sandbox: Sandbox,
    pub random: Rng,
    history: History,
    /// Whether rules may convert contents in the working tree.
    pub converts: bool,
}

/// A step in building a scene. It has its own seed, so leaving out another step does not change it.
#[derive(Clone, Copy)]
pub struct Step {
    pub name: &'static str,
    run: fn(&mut Scene),
    /// Whether it makes history. Those steps run first.
    is_past: bool,
    dice: u64,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({:x})", self.name, self.dice)
    }
}

impl Step {
    fn past(name: &'static str, run: fn(&mut Scene), random: &mut Rng) -> Step {
        Step { name, run, is_past: true, dice: random.u64(..) }
    }

    fn now(name: &'static str, run: fn(&mut Scene), random: &mut Rng) -> Step {
        Step { name, run, is_past: false, dice: random.u64(..) }
    }
}

/// The steps of the scene of `seed`, with every state that a repository can have.
pub fn plan(seed: u64) -> Vec<Step> {
    let mut random = Rng::with_seed(seed);
    let mut steps = past::plan(&mut random);
    let random = &mut random;
    let mut add = |random: &mut Rng, one_in: usize, name, run| {
        if random.usize(..one_in) == 0 {
            steps.push(Step::now(name, run, random));
        }
    };
    add(random, 2, "upstream", heads::upstream);
    add(random, 3, "head", heads::head);
    add(random, 8, "stash", heads::stash);
    add(random, 3, "operation", operations::begin);
    add(random, 6, "operation by hand", operations::by_hand);
    add(random, 3, "setting", heads::settings);
    add(random, 10, "shallow", heads::shallow);
    for _ in 0..random.usize(..9) {
        add(random, 1, "file", files::change);
    }
    add(random, 12, "submodule", entries::populated_submodule);
    for _ in 0..random.usize(..4) {
        add(random, 1, "index", entries::change);
    }
    add(random, 6, "unmerged", entries::unmerged);
    for _ in 0..random.usize(..6) {
        add(random, 1, "file", files::change);
    }
    // This comes last: if rules change later, git still takes a file as unchanged although it would convert it differently.
    add(random, 4, "settled", entries::settled);
    steps
}

impl Scene {
    /// Builds the scene of these steps.
    pub fn build(steps: &[Step]) -> Scene {
        Scene::empty().with(steps)
    }

    /// Like [`build`](Self::build), but nothing converts contents. With a conversion, and a file as young as the index, the clock decides
    /// whether git sees a change.
    pub fn build_as_is(steps: &[Step]) -> Scene {
        Scene { converts: false, ..Scene::empty() }.with(steps)
    }

    fn with(self, steps: &[Step]) -> Scene {
        let mut scene = self;
        scene.initialize();
        let past = steps.iter().filter(|step| step.is_past);
        past.for_each(|step| scene.run(step));
        scene.import();
        steps.iter().filter(|step| !step.is_past).for_each(|step| scene.run(step));
        scene
    }

    /// A scene in a clone of the repository at `path`, on one of its commits, with random changes of index and working tree.
    pub fn of_repository(path: &str, seed: u64) -> Scene {
        let mut scene = Scene { random: Rng::with_seed(seed), ..Scene::empty() };
        let output = testing::git(&scene.sandbox.root(), &["clone", "--quiet", "--no-checkout", path, "."]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let commits = scene.output(&["rev-list", "--all"]);
        let commits: Vec<&str> = commits.lines().collect();
        let commit = pick(&mut scene.random, &commits);
        match scene.random.bool() {
            true => scene.git(&["checkout", "--quiet", commit]),
            false => scene.git(&["checkout", "--quiet", "-B", "main", commit]),
        }
        for step in plan(seed).iter().filter(|step| matches!(step.name, "file" | "index" | "settled")) {
            scene.run(step);
        }
        scene
    }

    /// Takes a step.
    pub fn run(&mut self, step: &Step) {
        self.random = Rng::with_seed(step.dice);
        (step.run)(self);
    }

    /// Creates an empty repository without running `git init` each time.
    fn initialize(&mut self) {
        for folder in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"] {
            fs::create_dir_all(self.sandbox.real(".git").join(folder)).unwrap();
        }
        self.sandbox.write(".git/HEAD", "ref: refs/heads/main\n");
        let core =
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";
        self.sandbox.write(".git/config", core);
    }

    /// Imports the history, and checks out its main branch.
    fn import(&mut self) {
        if !self.history.commits.is_empty() {
            let stream = self.history.stream();
            let said = self.feed(&["fast-import", "--quiet", "--force", "--done"], &stream);
            assert_eq!(said, "", "the stream is one that git reads");
            self.git(&["reset", "--quiet", "--hard"]);
        }
    }

    /// Runs git, and ignores a failure: some random commands are invalid.
    pub fn git(&mut self, arguments: &[&str]) {
        self.sandbox.git_output(arguments);
    }

    /// git's output. It ignores a failure.
    pub fn output(&mut self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.sandbox.git_output(arguments).stdout).into_owned()
    }

    /// Runs git on `input`, and returns its error stream.
    fn feed(&mut self, arguments: &[&str], input: &[u8]) -> String {
        String::from_utf8_lossy(&self.sandbox.git_fed(arguments, input).stderr).into_owned()
    }

    fn path(&mut self) -> String {
        path(&mut self.random)
    }
}

fn path(random: &mut Rng) -> String {
    let name = if random.usize(..6) == 0 { pick(random, words::MORE_NAMES) } else { pick(random, words::NAMES) };
    format!("{}{name}", pick(random, words::FOLDERS))
}
