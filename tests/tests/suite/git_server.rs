//! The command line with a real git server: `git http-backend` over HTTP, and git's own programs over ssh.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;
use trial::backend::Backend;
use trial::http::{Reply, Seen, Server};

const ADA: &str = "Ada Example <ada@example.org>";
/// `ada:s3cret`, as a request has it.
const SIGNED: &str = "Basic YWRhOnMzY3JldA==";

/// How the server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Http,
    /// The oldest version of the protocol.
    OldHttp,
    Ssh,
}

const ALL: [By; 3] = [By::Http, By::OldHttp, By::Ssh];

/// A server with the bare repository `project.git`, which wants to know who asks, and a command line.
struct There {
    cli: Cli,
    /// What the server has.
    bare: Repo,
    server: Option<Server>,
}

impl There {
    fn start(by: By) -> There {
        There::guarded(by, |_| None)
    }

    /// The same. `guard` may answer a request first.
    fn guarded(by: By, mut guard: impl FnMut(&Seen) -> Option<Reply> + Send + 'static) -> There {
        let cli = Cli::default();
        cli.unattended();
        let folder = cli.folder().join("served");
        std::fs::create_dir(&folder).unwrap();
        let bare = cli.repository("project").bare_clone(&folder.join("project.git"));
        for (name, value) in [("uploadpack.allowFilter", "true"), ("receive.fsckObjects", "true")] {
            bare.git(&["config", name, value]);
        }
        let mut backend = Backend::of(&folder);
        backend.is_old = by == By::OldHttp;
        let server = (by != By::Ssh).then(|| {
            Server::new(move |seen| match seen.header("authorization") {
                Some(SIGNED) => guard(seen).unwrap_or_else(|| backend.reply(seen)),
                _ => Reply::with(401, &[("www-authenticate", "Basic realm=\"x\"")], ""),
            })
        });
        let there = There { cli, bare, server };
        std::fs::write(there.cli.folder().join(".netrc"), "machine 127.0.0.1 login ada password s3cret\n").unwrap();
        there.ssh();
        there
    }

    /// A program in ssh's place, which runs on this machine what it is told.
    fn ssh(&self) -> PathBuf {
        let file = self.cli.folder().join("ssh");
        let folder = self.cli.folder().join("served");
        let script = format!("#!/bin/sh\nfor last; do :; done\ncd '{}' && exec sh -c \"$last\"\n", folder.display());
        std::fs::write(&file, script).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    /// The repository's address.
    fn address(&self) -> String {
        match &self.server {
            Some(server) => format!("{}/project.git", server.url()),
            None => "git@example.org:project.git".to_owned(),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cli.command(arguments);
        command.env("GIT_SSH", self.cli.folder().join("ssh"));
        command
    }

    fn gitgate(&self, arguments: &[&str]) -> Out {
        finish(&mut self.command(arguments), b"")
    }

    fn opened(by: By, more: &[&str]) -> There {
        let there = There::start(by);
        let address = there.address();
        let arguments = [&["new", "--from", &address, "--identity", ADA], more].concat();
        there.gitgate(&arguments).ok();
        there
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let out = self.gitgate(&["call", tool, &arguments.to_string(), "--yes", "--json"]).ok();
        out.json()["structured"].clone()
    }

    /// Stages a file of the sandbox's own, and returns the commit's id.
    fn stage(&self, path: &str) -> String {
        self.call("write_file", &json!({ "path": path, "content": format!("{path}\n") }));
        let staged = self.call("git_stage", &json!({ "files": [path], "message": format!("Add {path}") }));
        staged["commitSha"].as_str().expect("a staged commit has an id").to_owned()
    }

    /// Somebody else commits a file to a branch on the server.
    fn meanwhile(&self, path: &str) -> String {
        let clone = self.cli.folder().join(format!("clone-{path}"));
        let other = {
            self.bare.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
            Repo::at(&clone)
        };
        other.write(path, "theirs\n");
        other.commit("Theirs");
        other.git(&["push", "--quiet", "origin", "HEAD"]);
        self.bare.id("main")
    }
}

#[test]
fn the_main_job_is_done_with_every_way_to_a_server() {
    for by in ALL {
        let there = There::opened(by, &[]);
        // All of the history, as git has it.
        let log = there.call("git_log", &json!({ "max_count": 1000 }));
        assert_eq!(log["commits"].as_array().unwrap().len(), there.bare.git(&["rev-list", "main"]).lines().count());
        let commit = there.stage("mine.md");
        let out = there.gitgate(&["push", "--yes"]).ok();
        assert!(out.stdout.contains(&there.address()), "{by:?}: {out:#?}");
        assert_eq!(there.bare.id("main"), commit, "{by:?}");
        assert_eq!(there.bare.git(&["show", "main:mine.md"]), "mine.md");
        there.bare.git(&["fsck", "--strict"]);

        // A branch that moved is a conflict until it is pulled.
        let theirs = there.meanwhile("theirs.md");
        there.stage("more.md");
        let conflict = there.gitgate(&["push", "--yes", "--json"]).exits(4).json();
        assert_eq!(conflict["structured"]["conflict"]["targetHead"], theirs, "{by:?}");
        assert_eq!(there.bare.id("main"), theirs);
        there.gitgate(&["pull", "--yes"]).ok();
        there.gitgate(&["push", "--yes"]).ok();
        let files = there.bare.git(&["ls-tree", "--name-only", "main"]);
        assert!(["mine.md", "theirs.md", "more.md"].iter().all(|name| files.contains(name)), "{by:?}: {files}");

        // A new branch, by the whole address as a target.
        let commit = there.stage("topic.md");
        there.gitgate(&["push", "--yes", "--to", &format!("{}#new/topic", there.address())]).ok();
        assert_eq!(there.bare.id("new/topic"), commit, "{by:?}");
    }
}

#[test]
fn a_refused_push_is_told_in_the_servers_words_and_waits_on() {
    for by in ALL {
        let there = There::opened(by, &[]);
        let hook = there.bare.root().join("hooks/pre-receive");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::write(&hook, "#!/bin/sh\necho 'not on a sunday' >&2\nexit 1\n").unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (before, commit) = (there.bare.id("main"), there.stage("mine.md"));
        let out = there.gitgate(&["push", "--yes"]).fails(1);
        assert!(out.stderr.contains("not on a sunday"), "{by:?}: {out:#?}");
        assert_eq!(there.bare.id("main"), before);
        std::fs::remove_file(&hook).unwrap();
        there.gitgate(&["push", "--yes"]).ok();
        assert_eq!(there.bare.id("main"), commit, "{by:?}");
    }
}

#[test]
fn a_part_of_a_repository_comes_without_the_rest() {
    for by in [By::Http, By::Ssh] {
        let there = There::opened(by, &["--paths", "docs", "--depth", "2"]);
        let log = there.call("git_log", &json!({ "max_count": 1000 }));
        assert_eq!(log["commits"].as_array().unwrap().len(), 2, "{by:?}");
        assert!(
            there
                .gitgate(&["call", "read_file", r#"{"path":"docs/notes of a day.txt"}"#])
                .ok()
                .stdout
                .contains("first")
        );
        let commit = there.stage("docs/mine.md");
        there.gitgate(&["push", "--yes"]).ok();
        assert_eq!(there.bare.id("main"), commit, "{by:?}");
        let expected = "docs/latest\ndocs/mine.md\ndocs/notes of a day.txt";
        assert_eq!(there.bare.git(&["ls-tree", "-r", "--name-only", "main", "docs"]), expected);
        let files = there.bare.git(&["ls-tree", "-r", "--name-only", "main"]).lines().count();
        assert_eq!(files, there.bare.git(&["ls-tree", "-r", "--name-only", "main~1"]).lines().count() + 1);
    }
}

#[test]
fn an_answer_that_is_lost_leaves_no_doubt() {
    // The server acts on the push, and its answer never comes.
    let there = There::guarded(By::Http, |_| None);
    let folder = there.cli.folder().join("served");
    let backend = Backend::of(folder);
    let cutting = Server::new(move |seen| {
        let reply = backend.reply(seen);
        if seen.path.ends_with("/git-receive-pack") { Reply::cut() } else { reply }
    });
    let address = format!("{}/project.git", cutting.url());
    there.gitgate(&["new", "--from", &address, "--identity", ADA]).ok();
    let commit = there.stage("mine.md");
    there.gitgate(&["push", "--yes"]).ok();
    assert_eq!(there.bare.id("main"), commit);
    let pushes = cutting.seen().iter().filter(|seen| seen.path.ends_with("/git-receive-pack")).count();
    assert_eq!(pushes, 1, "it is read back, and not sent again");
}

#[test]
fn attack_05_an_agent_reaches_only_servers_that_the_sandbox_was_given() {
    let there = There::opened(By::Http, &[]);
    let other = Server::script([]);
    let target = json!({ "type": "git", "repo": format!("{}/x.git", other.url()) });
    let out = there.gitgate(&["call", "git_branches", &json!({ "target": target }).to_string(), "--as", "agent"]);
    assert_ne!(out.code, 0, "{out:#?}");
    assert!(other.seen().is_empty(), "{out:#?}");
    for repo in ["ext::sh -c id", "file:///etc", "git://h/x", "https://u:s3cret@h/x", "--upload-pack=id", "h:x y"] {
        let target = json!({ "target": { "type": "git", "repo": repo } });
        let out = there.gitgate(&["call", "git_branches", &target.to_string(), "--yes"]);
        assert_ne!(out.code, 0, "{repo}: {out:#?}");
    }
}

#[test]
fn attack_13_no_output_has_the_password() {
    let there = There::opened(By::Http, &[]);
    there.stage("mine.md");
    for arguments in [&["push", "--yes"][..], &["status"], &["log"], &["fsck"]] {
        let out = there.gitgate(arguments);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert!(!said.contains("s3cret") && !said.contains("YWRhOnMzY3JldA"), "{said}");
    }
}
