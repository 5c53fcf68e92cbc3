//! A sandbox that is reopened with lower limits, which its journal does not record.

use std::cell::OnceCell;

use serde_json::{Value, json};
use tests::host::wit::{Limits, ToolError, ToolResult};
use tests::host::{Sandbox, options};
use tests::import;
use tests::repo::Repo;
use tests::served::served;
use tests::session::look;

/// The sandbox with all the space it needs, and the repository outside.
pub struct Scene {
    pub sandbox: Sandbox,
    pub repo: Repo,
    /// The visible state of the sandbox, once read.
    seen: OnceCell<String>,
    _folder: tempfile::TempDir,
}

impl Scene {
    /// A sandbox without a repository.
    pub fn bare() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with_history(&folder.path().join("repository"));
        Scene { sandbox: Sandbox::create(&options()), repo, seen: OnceCell::new(), _folder: folder }
    }

    /// One with an empty repository.
    pub fn empty() -> Scene {
        let mut scene = Scene::bare();
        scene.ok("sandbox_import", &json!({}));
        scene
    }

    /// One that was pulled, with two staged commits and an unstaged file. The upstream has moved on since.
    pub fn pulled() -> Scene {
        let mut scene = Scene::empty();
        let pull = scene.pull(json!({}));
        scene.ok("git_pull", &pull);
        for path in ["one.md", "two.md"] {
            scene.ok("write_file", &json!({ "path": path, "content": noise(path, 3000) }));
            scene.ok("git_stage", &json!({ "files": [path], "message": path }));
        }
        scene.ok("write_file", &json!({ "path": "deep/down/three.md", "content": noise("three", 5000) }));
        scene.repo.write("upstream/new.md", &noise("upstream", 9000));
        scene.repo.write("README.md", "# Project, renamed\n\nA repository with history.\n");
        scene.repo.commit("Upstream");
        scene
    }

    /// One that was pulled with only the folder `docs`, and a file written outside it.
    pub fn sparse() -> Scene {
        let mut scene = Scene::empty();
        let pull = scene.pull(json!({ "paths": ["docs"] }));
        scene.ok("git_pull", &pull);
        scene.ok("write_file", &json!({ "path": "src/main.rs", "content": "fn main() {}\n" }));
        scene
    }

    /// The arguments of a pull from the repository.
    pub fn pull(&self, mut arguments: Value) -> Value {
        let mut source = json!({ "type": "local", "path": self.repo.path() });
        if let Some(branch) = arguments.as_object_mut().unwrap().remove("branch") {
            source["branch"] = branch;
        }
        arguments["source"] = source;
        arguments
    }

    /// The arguments that import the whole repository.
    pub fn import(&mut self) -> Value {
        import::arguments(&mut self.sandbox, &self.repo)
    }

    /// Makes a call that succeeds.
    #[track_caller]
    pub fn ok(&mut self, tool: &str, arguments: &Value) -> ToolResult {
        let (outcome, _) = served(&mut self.sandbox, tool, arguments, 1, &self.repo);
        outcome.unwrap_or_else(|error| panic!("{tool} {arguments}: {error:?}"))
    }

    /// The same sandbox, with other limits.
    pub fn limited(&self, limit: impl FnOnce(&mut Limits)) -> Sandbox {
        let mut options = options();
        limit(&mut options.limits);
        Sandbox::open(&options, &self.sandbox.journal, &self.sandbox.attachments).expect("nothing new is needed")
    }

    /// Makes a call, whatever its result.
    pub fn attempt(&self, sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> Result<ToolResult, ToolError> {
        served(sandbox, tool, arguments, 2, &self.repo).0
    }

    /// Makes a call in a sandbox with other limits. If it is refused, nothing changed, and freeing space works.
    #[track_caller]
    pub fn call(&self, sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> Result<ToolResult, ToolError> {
        let journal = sandbox.journal.clone();
        let (outcome, record) = served(sandbox, tool, arguments, 2, &self.repo);
        let Err(error) = outcome else { return outcome };
        assert!(!error.message.is_empty() && !error.hint.is_empty(), "{tool} {arguments}: {error:?}");
        assert_eq!(record, 0, "{tool} {arguments}");
        assert!(sandbox.journal == journal, "{tool} {arguments} has left a record");
        // The visible state does not depend on the limits.
        let before = self.seen.get_or_init(|| look(&mut self.limited(|_| ())));
        assert!(*before == look(sandbox), "{tool} {arguments} has changed something: {error:?}");
        if before.contains("README.md") {
            let deleted = self.attempt(sandbox, "delete_file", &json!({ "path": "README.md" }));
            deleted.unwrap_or_else(|error| panic!("after {tool} {arguments}: {error:?}"));
        }
        Err(error)
    }
}

/// An incompressible text, different for each name.
pub fn noise(name: &str, length: usize) -> String {
    let mut rng = fastrand::Rng::with_seed(name.bytes().map(u64::from).sum());
    (0..length).map(|at| if at % 60 == 59 { '\n' } else { rng.alphanumeric() }).collect()
}
