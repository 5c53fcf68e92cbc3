//! The command line with real git servers: `git http-backend` over HTTP, git's own programs behind OpenSSH's server, and Gitolite.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;
use trial::backend::Backend;
use trial::http::{Reply, Seen, Server};
use trial::sshd::Sshd;
use trial::tls::Tls;

const ADA: &str = "Ada Example <ada@example.org>";
/// `ada:s3cret`, as a request has it.
const SIGNED: &str = "Basic YWRhOnMzY3JldA==";

/// How the server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Http,
    /// The oldest version of the protocol.
    OldHttp,
    /// With a certificate of a company's own authority, which git's configuration names.
    Https,
    /// OpenSSH's server.
    Ssh,
    /// The same, where nobody has told it of newer versions, as it is installed.
    OldSsh,
    /// Gitolite, over ssh: it has hooks and rules of its own.
    Gitolite,
}

const ALL: [By; 6] = [By::Http, By::OldHttp, By::Https, By::Ssh, By::OldSsh, By::Gitolite];

enum Runs {
    Web(Server, Option<Tls>),
    Ssh(Sshd),
}

/// A server with the bare repository `project.git`, which wants to know who asks, and a command line.
struct There {
    cli: Cli,
    /// What the server has.
    bare: Repo,
    runs: Runs,
}

impl There {
    fn start(by: By) -> There {
        There::guarded(by, |_| None)
    }

    /// The same. `guard` may answer a request first.
    fn guarded(by: By, mut guard: impl FnMut(&Seen) -> Option<Reply> + Send + 'static) -> There {
        let cli = Cli::default();
        cli.unattended();
        let home = cli.folder().join("served");
        std::fs::create_dir(&home).unwrap();
        let folder = if by == By::Gitolite { gitolite(&home) } else { home.clone() };
        let bare = cli.repository("project").bare_clone(&folder.join("project.git"));
        for (name, value) in [("uploadpack.allowFilter", "true"), ("receive.fsckObjects", "true")] {
            bare.git(&["config", name, value]);
        }
        let serves = match by {
            By::Gitolite => {
                run_gitolite(&home, &["compile"]);
                run_gitolite(&home, &["setup", "--hooks-only"]);
                format!("export HOME='{}'; exec /usr/share/gitolite3/gitolite-shell ada", home.display())
            }
            _ => format!("cd '{}' && exec sh -c \"$SSH_ORIGINAL_COMMAND\"", home.display()),
        };
        let runs = match by {
            By::Http | By::OldHttp | By::Https => {
                let mut backend = Backend::of(&folder);
                backend.is_old = by == By::OldHttp;
                let server = Server::new(move |seen| match seen.header("authorization") {
                    Some(SIGNED) => guard(seen).unwrap_or_else(|| backend.reply(seen)),
                    _ => Reply::with(401, &[("www-authenticate", "Basic realm=\"x\"")], ""),
                });
                let tls = (by == By::Https).then(|| Tls::before(server.port(), &cli.folder().join("tls")));
                Runs::Web(server, tls)
            }
            by => Runs::Ssh(Sshd::new(&cli.folder().join("sshd"), &serves, by != By::OldSsh)),
        };
        std::fs::write(cli.folder().join(".netrc"), "machine 127.0.0.1 login ada password s3cret\n").unwrap();
        let there = There { cli, bare, runs };
        there.knows_the_authority();
        there
    }

    /// Tells git of the authority.
    fn knows_the_authority(&self) {
        let text = match &self.runs {
            Runs::Web(_, Some(tls)) => {
                format!("[http \"{}\"]\nsslCAInfo = {}\n", tls.url(), tls.authority().display())
            }
            _ => String::new(),
        };
        std::fs::write(self.git_config(), text).unwrap();
    }

    /// The person's own configuration of git.
    fn git_config(&self) -> PathBuf {
        self.cli.folder().join(".gitconfig")
    }

    /// The repository's address.
    fn address(&self) -> String {
        match &self.runs {
            Runs::Web(server, None) => format!("{}/project.git", server.url()),
            Runs::Web(_, Some(tls)) => format!("{}/project.git", tls.url()),
            Runs::Ssh(sshd) => format!("{}:project.git", sshd.host()),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cli.command(arguments);
        command.env("GIT_CONFIG_GLOBAL", self.git_config());
        if let Runs::Ssh(sshd) = &self.runs {
            command.env("GIT_SSH_COMMAND", sshd.command());
        }
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
        let clone = clone.to_str().unwrap();
        self.bare.git(&["clone", "--quiet", ".", clone]);
        let other = Repo::at(Path::new(clone));
        other.write(path, "theirs\n");
        other.commit("Theirs");
        // Not by a push: the server's rules are not for this.
        self.bare.git(&["fetch", "--quiet", clone, "HEAD:main"]);
        self.bare.id("main")
    }
}

/// Sets Gitolite up in `home`, and returns where its repositories are.
fn gitolite(home: &Path) -> PathBuf {
    run_gitolite(home, &["setup", "-a", "ada"]);
    let rules = "repo project\n    -   refs/heads/locked = ada\n    RW+ = ada\n";
    std::fs::write(home.join(".gitolite/conf/gitolite.conf"), rules).unwrap();
    home.join("repositories")
}

fn run_gitolite(home: &Path, arguments: &[&str]) {
    let mut command = Command::new("gitolite");
    let out = command.args(arguments).env("HOME", home).output().expect("gitolite is there");
    assert!(out.status.success(), "{out:?}");
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
    for by in [By::Http, By::OldHttp, By::Ssh, By::OldSsh] {
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
fn gitolites_rules_are_told_as_gitolite_says_them() {
    let there = There::opened(By::Gitolite, &[]);
    let commit = there.stage("mine.md");
    let locked = format!("{}#locked", there.address());
    let out = there.gitgate(&["push", "--yes", "--to", &locked]).fails(1);
    assert!(out.stderr.contains("refs/heads/locked") && out.stderr.contains("DENIED"), "{out:#?}");
    there.gitgate(&["push", "--yes", "--to", &format!("{}#free", there.address())]).ok();
    assert_eq!(there.bare.id("free"), commit);
    let Runs::Ssh(sshd) = &there.runs else { unreachable!("it is reached by ssh") };
    let other = format!("{}:other.git", sshd.host());
    let out = there.gitgate(&["-s", "other", "new", "--from", &other, "--identity", ADA]).fails(1);
    assert!(out.stderr.contains("DENIED by fallthru"), "{out:#?}");
}

#[test]
fn attack_13_nothing_is_sent_to_a_server_whose_certificate_nobody_vouches_for() {
    let there = There::start(By::Https);
    let new = |name| there.gitgate(&["-s", name, "new", "--from", &there.address(), "--identity", ADA]);
    let Runs::Web(server, _) = &there.runs else { unreachable!("it is reached by HTTPS") };
    std::fs::write(there.git_config(), "").unwrap();
    let out = new("one").fails(1);
    assert!(out.stderr.contains("certificate"), "{out:#?}");
    // What git itself cannot read may name the authority.
    std::fs::write(there.git_config(), "[http\n").unwrap();
    let out = new("two").exits(2);
    assert!(out.stderr.contains("git cannot read its configuration"), "{out:#?}");
    assert!(server.seen().is_empty(), "{:?}", server.seen());
    there.knows_the_authority();
    new("three").ok();
}

#[test]
fn attack_05_a_host_that_ssh_does_not_know_is_not_spoken_with() {
    let there = There::start(By::Ssh);
    let Runs::Ssh(sshd) = &there.runs else { unreachable!("it is reached by ssh") };
    sshd.is_unknown();
    let out = there.gitgate(&["new", "--from", &there.address(), "--identity", ADA]).fails(1);
    assert!(out.stderr.contains("Host key verification failed"), "{out:#?}");
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
