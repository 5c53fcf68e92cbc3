//! A sandbox on a real directory: a repository with two commits and changes, links that lead anywhere, a read-only zone, and files outside.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tools::answer::Answer;
use tools::call::Moment;
use tools::options::Identity;
use tools::paths::{Zone, Zones};
use tools::{
    Answers, Caller, Deadline, Embedding, Horizon, ObjectId, Options, Past, Session, Step, ToolCall, ToolError,
};
use tools::{REGISTRY, Tool, dispatch, platform::undo};

/// Everything below the directory, by relative path.
pub type Tree = BTreeMap<String, Node>;

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Node {
    Folder,
    File { executable: bool, content: Vec<u8> },
    Link(PathBuf),
    Other,
}

pub struct Scene {
    base: PathBuf,
    template: Tree,
    /// The commits of the repository, latest first.
    pub commits: Vec<ObjectId>,
    /// The schemas of each tool's arguments, in the order of the registry.
    pub schemas: Vec<serde_json::Value>,
    _folder: tempfile::TempDir,
}

impl Scene {
    pub fn new() -> Self {
        // In a memory filesystem, if there is one.
        let folder =
            tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a temporary folder can be made");
        let base = folder.path().canonicalize().expect("the folder was made just now");
        let arguments = |tool: &Tool| {
            serde_json::from_str(tool.described().input_schema()).expect("a test of the tools makes every schema")
        };
        let schemas = REGISTRY.iter().map(arguments).collect();
        let mut scene = Scene { base, template: Tree::new(), commits: Vec::new(), schemas, _folder: folder };
        scene.write("workspace/README.md", b"# A project\n\nWith a line.\n");
        scene.write("workspace/src/main.rs", b"fn main() {\n    println!(\"one\");\n}\n");
        scene.write(
            "workspace/docs/long.txt",
            &(0..200).flat_map(|n| format!("line {n}\n").into_bytes()).collect::<Vec<_>>(),
        );
        scene.write("workspace/.gitignore", b"*.log\n/build/\n");
        scene.write("workspace/.gitattributes", b"*.bin binary\n*.txt text\n");
        scene.write("library/shared.txt", b"shared\n");
        scene.write("outside/secret.txt", b"secret\n");
        let mut session = scene.session(false);
        let stage = |files: &str, message: &str| format!(r#"{{"files": [{files}], "message": "{message}"}}"#);
        scene.run(&mut session, "sandbox_import", "{}");
        for files in [r#""README.md", ".gitignore", ".gitattributes", "docs""#, r#""src""#] {
            scene.run(&mut session, "git_stage", &stage(files, "Add files"));
            let head = fs::read(scene.base.join("workspace/.git/refs/heads/main")).expect("the branch has a commit");
            scene.commits.insert(0, ObjectId::from_hex(head.trim_ascii()).expect("a ref is an id"));
        }
        scene.write("workspace/src/main.rs", b"fn main() {\n    println!(\"two\");\n}\n");
        scene.write("workspace/new.log", b"ignored\n");
        scene.write("workspace/data.bin", &[0, 159, 146, 150, 10, 13, 10, 255]);
        scene.write("workspace/src/deep/er/file.rs", b"// \r\n\tx\n");
        fs::create_dir(scene.base.join("workspace/empty")).expect("the folder is fresh");
        let outside = scene.base.join("outside");
        for (name, target) in [
            ("link", Path::new("src/main.rs")),
            ("folder", Path::new("src")),
            ("up", Path::new("..")),
            ("loop", Path::new("loop")),
            ("out", Path::new("../outside")),
            ("absolute", &outside),
            ("repository", Path::new(".git")),
            ("gone", Path::new("nowhere")),
            ("src/back", Path::new("../docs")),
            ("config", Path::new(".git/config")),
        ] {
            symlink(target, scene.base.join("workspace").join(name)).expect("the folder is fresh");
        }
        scene.template = scene.tree();
        scene
    }

    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The file where a running call notes its changes.
    pub fn notes(&self) -> PathBuf {
        self.base.join("notes")
    }

    pub fn session(&self, agent_may_propose_push: bool) -> Session {
        let library = Zone { name: "library".to_owned(), root: self.base.join("library"), writable: false };
        let identity = Some(Identity { name: "A U Thor".to_owned(), email: "author@example.com".to_owned() });
        let options = Options { identity, agent_may_propose_push, ..Options::default() };
        Session::new(options, Zones::new(self.base.join("workspace"), vec![library]))
    }

    /// Restores the initial state, and returns it.
    pub fn fresh(&self) -> Tree {
        let tree = self.tree();
        for (path, _) in tree.iter().rev().filter(|(path, node)| self.template.get(*path) != Some(node)) {
            let path = self.base.join(path);
            fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).expect("nothing is left below it");
        }
        for (path, node) in self.template.iter().filter(|(path, node)| tree.get(*path) != Some(node)) {
            let real = self.base.join(path);
            match node {
                Node::Folder => fs::create_dir(&real).expect("it was removed"),
                Node::Link(target) => symlink(target, &real).expect("it was removed"),
                Node::File { executable, content } => {
                    fs::write(&real, content).expect("it was removed");
                    let mode = if *executable { 0o755 } else { 0o644 };
                    fs::set_permissions(&real, fs::Permissions::from_mode(mode)).expect("it was written just now");
                }
                Node::Other => panic!("there is none at first"),
            }
        }
        self.template.clone()
    }

    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut folders = vec![self.base.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("it was found just now") {
                let path = entry.expect("the folder was opened").path();
                let kind = fs::symlink_metadata(&path).expect("it was found just now");
                let node = if kind.is_dir() {
                    folders.push(path.clone());
                    Node::Folder
                } else if kind.is_symlink() {
                    Node::Link(fs::read_link(&path).expect("it is a link"))
                } else if kind.is_file() {
                    let executable = kind.permissions().mode() & 0o100 != 0;
                    Node::File { executable, content: fs::read(&path).expect("it is a file of ours") }
                } else {
                    Node::Other
                };
                let below = path.strip_prefix(&self.base).expect("it was found there");
                tree.insert(below.to_str().expect("names are UTF-8").to_owned(), node);
            }
        }
        tree
    }

    /// Asserts that both are equal, or names the differences briefly.
    pub fn compare(&self, before: &Tree, after: &Tree, said: &str) {
        if before != after {
            let paths = before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path));
            panic!("{said}, has changed {:?}", paths.collect::<std::collections::BTreeSet<_>>());
        }
    }

    fn write(&self, path: &str, content: &[u8]) {
        let path = self.base.join(path);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("the folder is fresh");
        fs::write(path, content).expect("the folder is fresh");
    }

    /// Runs a call that must succeed, and approves everything it asks.
    fn run(&self, session: &mut Session, tool: &str, arguments: &str) {
        let (id, tool, arguments) = ("call".to_owned(), tool.to_owned(), arguments.to_owned());
        let now = Moment { nanos: 1_767_225_600_000_000_000, utc_offset: 0 };
        let call = ToolCall { id, tool, arguments, dialect: None, max_bytes: None, caller: Caller::User, now };
        let mut answers = Answers::default();
        loop {
            undo::begin(&self.notes(), &call.id);
            let step = dispatch(session, &call, &answers, Deadline::after(|| 0, u64::MAX / 2), &mut Around);
            undo::end();
            undo::forget(&self.notes()).expect("the notes are ours");
            match step {
                Step::Done(done) => return drop(done.expect("it is a call that succeeds")),
                Step::Ask(question) => answers.add(question.key(), Answer::Approved),
            }
        }
    }
}

/// A host without history and attachments.
pub struct Around;

impl Embedding for Around {
    fn history(&self, _: usize) -> Vec<Past> {
        Vec::new()
    }

    fn calls_to_undo(&self, _: usize) -> Result<Vec<Past>, ToolError> {
        Err(ToolError::cannot_undo(0, &Horizon::Beginning))
    }

    fn read_attachment(&self, _: &[u8; 32]) -> Result<Vec<u8>, ToolError> {
        Err(ToolError::not_found("An attachment was not attached"))
    }

    fn place_attachment(&mut self, _: &[u8; 32], _: &Path) -> Result<(), ToolError> {
        Err(ToolError::not_found("An attachment was not attached"))
    }
}
