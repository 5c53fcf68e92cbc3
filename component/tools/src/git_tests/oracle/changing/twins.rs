//! Two equal repositories, one for the tools and one for git.

use std::process::{Command, Output};

use gix::bstr::ByteSlice;
use gix::index::entry::Flags;
use serde_json::Value;

use super::action::Action;
use super::calls::{Line, Says, command};
use super::state::State;
use crate::call::Moment;
use crate::git_tests::oracle::apart;
use crate::git_tests::oracle::judge::Said;
use crate::git_tests::oracle::scene::{self, Scene, entries};
use crate::options::Identity;
use crate::platform::{self, Kind};
use crate::testing::{self, NOW, Sandbox};

/// Two repositories that are equal until a difference is found.
pub struct Twins {
    /// The repository of the tools.
    ours: Scene,
    /// The repository of git.
    theirs: Scene,
    /// Seconds since [`NOW`]. Every step has its own time.
    seconds: u64,
    /// The state after the last step.
    pub state: State,
}

/// The difference after a step.
#[derive(Clone, Debug)]
pub struct Difference {
    pub command: String,
    pub git: Said,
    pub ours: Said,
    /// The differences of the states, in lines.
    pub states: String,
}

/// The outcome of a step that was equal in both.
pub enum Ended {
    Well,
    InFailure,
}

/// The tools' error where git would delete untracked files without a copy. git has no message for this.
const SPARED: &str = "error: Untracked files would be removed, and not be put away:";

/// git's warning before it renames a file that it must not look at, although it equals the index. The tools overwrite the file.
const MAKES_ROOM: &str = "WARNING: Untracked file in way of tracked file!";

const IDENTITY: (&str, &str) = ("A U Thor", "author@example.com");

impl Twins {
    /// Builds the scene of these steps twice.
    pub fn of(steps: &[scene::Step]) -> Twins {
        let mut ours = Scene::build_as_is(steps);
        let (name, email) = IDENTITY;
        ours.sandbox.session.options.identity = Some(Identity { name: name.to_owned(), email: email.to_owned() });
        // A file that differs from its stat in the index makes git read contents. No file may be as young as the index.
        entries::age(&ours);
        refresh(&mut ours);
        let mut twins = Twins { theirs: Scene::build_as_is(&[]), ours, seconds: 0, state: State::default() };
        twins.equal();
        twins
    }

    /// Copies the tools' repository to git's. First git refreshes the index, so this happens to both.
    fn equal(&mut self) {
        refresh(&mut self.ours);
        self.ours.sandbox.session.forget();
        self.state = State::of(&self.ours.sandbox);
        let (from, to) = (self.ours.sandbox.root(), self.theirs.sandbox.root());
        std::fs::remove_dir_all(&to).expect("it is a folder");
        let copied = Command::new("cp").arg("-a").arg(from).arg(&to).status().expect("it is a program");
        assert!(copied.success());
        // The copied files have new stats. Without this, git would see changes where it does not read contents.
        refresh(&mut self.theirs);
    }

    /// Takes a step in both repositories, and compares them.
    pub fn take(&mut self, action: &Action) -> Result<Ended, Difference> {
        self.seconds += 1;
        match action {
            Action::File(step) => {
                self.ours.run(step);
                self.theirs.run(step);
                for scene in [&mut self.ours, &mut self.theirs] {
                    leave_modes(scene);
                    refresh_overlooked(scene);
                }
                self.ours.sandbox.session.forget();
                self.state = State::of(&self.ours.sandbox);
                Ok(Ended::Well)
            }
            Action::Call { tool, arguments } => self.call(tool, arguments),
        }
    }

    fn call(&mut self, tool: &'static str, arguments: &Value) -> Result<Ended, Difference> {
        let line = command(tool, arguments, &self.state);
        let output = self.git(&line.words, &line.folder);
        let theirs = State::of(&self.theirs.sandbox);
        let git = self.said(&output, &line, &theirs);
        let said = self.ours(tool, arguments);
        let ours = State::of(&self.ours.sandbox);
        if said.as_ref().is_err_and(|error| error.starts_with(SPARED))
            && self.loses_untracked(&theirs)
            && ours == self.state
        {
            self.equal();
            return Ok(Ended::InFailure);
        }
        if output.stdout.contains_str(MAKES_ROOM) && said.is_ok() && without_renamed(theirs.clone()) == ours {
            self.equal();
            return Ok(Ended::Well);
        }
        // The tools undo what git changes before it fails.
        let expected = if git.is_ok() { &theirs } else { &self.state };
        let (git, said) = (apart::without_line_numbers(git), apart::without_line_numbers(said));
        if git != said || *expected != ours {
            let mut states = expected.differences(&ours);
            if git.is_ok() && states.is_empty() {
                states = format!("what git changed:\n{}", theirs.differences(&self.state));
            }
            return Err(Difference { command: format!("git {}", line.words.join(" ")), git, ours: said, states });
        }
        let ended = if git.is_ok() { Ended::Well } else { Ended::InFailure };
        match theirs == ours {
            true => self.state = ours,
            false => self.equal(),
        }
        Ok(ended)
    }

    /// Whether git has removed or overwritten a file that was untracked or a submodule to it, without a copy in a stash.
    fn loses_untracked(&mut self, after: &State) -> bool {
        let is_tracked = |path: &str| {
            let mut entries = self.state.of_kind("index").filter(|(_, value)| !value.starts_with("160000"));
            entries.any(|(name, _)| name.strip_suffix(" 0") == Some(path))
        };
        let stays = |path: &str, value: &str| after.of_kind("file").any(|other| other == (path, value));
        let files = self.state.of_kind("file").filter(|(_, value)| *value != "folder");
        let mut gone = files.filter(|(path, value)| !is_tracked(path) && !stays(path, value)).map(|(path, _)| path);
        let theirs = &mut self.theirs.sandbox;
        let mut has = |object: String| theirs.git_output(&["cat-file", "blob", &object]).status.success();
        gone.any(|path| !has(format!("refs/stash^3:{path}")) && !has(format!("refs/stash:{path}")))
    }

    /// git's output in the form that a tool gives it.
    fn said(&self, output: &Output, line: &Line, after: &State) -> Said {
        let shown = |bytes: &[u8]| {
            let text = patch::escape::escape(bytes).into_owned();
            text.replace(&self.theirs.sandbox.root().display().to_string(), "/workspace")
        };
        let stderr = without_repeated(&String::from_utf8_lossy(&without_complaints(&output.stderr))).into_bytes();
        let lines = stderr.split_inclusive(|byte| *byte == b'\n');
        let stderr = shown(&lines.filter(|line| !apart::is_unsaid(line)).collect::<Vec<_>>().concat());
        let mut text = match line.says {
            Says::Count(verb, files) => format!("{verb} {} file(s)", after.changed_paths(&self.state, files)),
            Says::Text => shown(&output.stdout),
        };
        if !stderr.is_empty() {
            text.push_str(&format!("\n\n[stderr]\n{stderr}"));
        }
        match output.status.success() || (line.is_outcome)(output) {
            true => Ok(text),
            // With nothing to commit, git prints a status.
            false if stderr.is_empty() => Err("nothing to commit".to_owned()),
            false => Err(stderr.trim_end().to_owned()),
        }
    }

    fn git(&mut self, words: &[String], folder: &str) -> Output {
        self.theirs.sandbox.session.forget();
        let root = self.theirs.sandbox.root();
        // git needs the real path of /workspace.
        let real = |word: &String| match word.strip_prefix("/workspace/") {
            Some(below) => root.join(below).display().to_string(),
            None => word.clone(),
        };
        let words: Vec<String> = words.iter().map(real).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // The files were copied, so the index must compare only the parts of a stat that a copy keeps.
        let settings = ["-c", "core.checkStat=minimal", "-c", "core.trustCtime=false"];
        let mut command = testing::git_command(&root, &[&settings, words.as_slice()].concat());
        let when = format!("{} +0100", NOW.nanos / 1_000_000_000 + self.seconds);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), IDENTITY.0).env(format!("GIT_{role}_EMAIL"), IDENTITY.1);
            command.env(format!("GIT_{role}_DATE"), &when);
        }
        command.current_dir(root.join(folder)).env("TZ", "UTC-1").output().expect("git is installed")
    }

    fn ours(&mut self, tool: &str, arguments: &Value) -> Said {
        let now = Moment { nanos: NOW.nanos + self.seconds * 1_000_000_000, ..NOW };
        let called = self.ours.sandbox.calling(tool, arguments.clone()).at(now).approved();
        // Repeated warnings about a ref named HEAD are left out.
        called.map(|finished| without_repeated(&finished.text)).map_err(|error| without_repeated(&error.message))
    }

    /// Checks the tools' repository with `git fsck`, and compares `git_status` with git.
    pub fn end(&mut self) -> Result<(), String> {
        let sandbox: &mut Sandbox = &mut self.ours.sandbox;
        let arguments = ["fsck", "--strict", "--no-dangling"];
        let fsck = sandbox.git_output(&arguments);
        // Some scenes have dangling or broken refs.
        if !fsck.status.success() && self.theirs.sandbox.git_output(&arguments).status.success() {
            return Err(String::from_utf8_lossy(&fsck.stderr).into_owned());
        }
        let status = sandbox.git(&["status", "--porcelain", "-b"]);
        let ours = self.ours("git_status", &serde_json::json!({}));
        if ours.as_ref() != Ok(&status) {
            Err(format!("status: git says\n{status}here it is\n{ours:?}"))
        } else {
            Ok(())
        }
    }
}

/// Drops the warnings about a ref named HEAD, which git repeats with each lookup.
fn without_repeated(text: &str) -> String {
    let is_it = |line: &str| {
        line.starts_with("warning: refname 'HEAD' is ambiguous.")
            || line.starts_with("warning: ignoring broken ref refs/heads/HEAD")
    };
    let kept: String = text.split_inclusive('\n').filter(|line| !is_it(line)).collect();
    kept.strip_suffix("\n\n[stderr]\n").map_or(kept.clone(), str::to_owned)
}

/// Drops the copies that git keeps of files that it must not look at.
fn without_renamed(mut state: State) -> State {
    state.0.retain(|name, _| !(name.starts_with("file ") && name.contains(".stash.")));
    state
}

/// Refreshes the stats in the index, also of files that git must not look at.
fn refresh(scene: &mut Scene) {
    scene.sandbox.git_output(&["update-index", "-q", "--refresh"]);
    refresh_overlooked(scene);
}

/// Refreshes the stats of files that git must not look at. A copy does not keep all of a stat, so it would differ in one repository only.
fn refresh_overlooked(scene: &mut Scene) {
    let sandbox = &mut scene.sandbox;
    for (flag, option) in [(Flags::SKIP_WORKTREE, "skip-worktree"), (Flags::ASSUME_VALID, "assume-unchanged")] {
        let paths = State::of_index(sandbox).flagged(flag);
        if !paths.is_empty() {
            let (without, with) = (format!("--no-{option}"), format!("--{option}"));
            let paths = paths.join("\0");
            sandbox.git_fed(&["update-index", &without, "-z", "--stdin"], paths.as_bytes());
            sandbox.git_output(&["update-index", "-q", "--refresh"]);
            sandbox.git_fed(&["update-index", &with, "-z", "--stdin"], paths.as_bytes());
        }
    }
}

/// If modes do not count, sets each file's mode to that of the index. Here a changed mode alone rewrites a file; git does not notice it in
/// the second of the index.
fn leave_modes(scene: &mut Scene) {
    let config = std::fs::read_to_string(scene.sandbox.real(".git/config")).unwrap_or_default().to_ascii_lowercase();
    if !config.contains("filemode = false") {
        return;
    }
    for (name, value) in State::of_index(&scene.sandbox).of_kind("index") {
        let path = name.rsplit_once(' ').expect("a stage stands behind the path").0;
        let real = scene.sandbox.real(path);
        if platform::stat(&real).is_ok_and(|stat| stat.kind == Kind::File) {
            platform::set_executable(&real, value.starts_with("100755")).expect("it is a file");
        }
    }
}

/// Drops git's warnings about line endings and about files that are not folders. Names can span several lines there.
fn without_complaints(stderr: &[u8]) -> Vec<u8> {
    let mut kept = stderr.to_vec();
    for (first, last) in UNSAID {
        while let Some(start) = kept.find(first) {
            let whole = kept[start..].find(last).map(|end| end + last.len());
            let line = kept[start..].find_byte(b'\n').map(|end| end + 1);
            let end = whole.or(line).map_or(kept.len(), |end| start + end);
            kept.drain(start..end);
        }
    }
    kept
}

const UNSAID: [(&[u8], &[u8]); 3] = [
    (b"warning: unable to access '", b": Too many levels of symbolic links\n"),
    (b"warning: in the working copy of '", b"the next time Git touches it\n"),
    (b"warning: could not open directory '", b": Not a directory\n"),
];
