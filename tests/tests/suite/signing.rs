//! Commits that leave are signed with the person's own key where git is so configured, before anybody is shown them. Judges: git and the
//! programs that git calls.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;
use tests::cli::{Cli, Out, finish};
use tests::repo::Repo;
use trial::backend::Backend;
use trial::http::Server;

use crate::pushing::{digest, restore_home_without_outcome, save_home};

const ADA: &str = "Ada Example <ada@example.org>";

/// How the person signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// With a file, whose signatures are always the same.
    Ssh,
    /// With a kind of key whose signatures are never the same.
    Ecdsa,
    OpenPgp,
}

const ALL: [By; 3] = [By::Ssh, By::Ecdsa, By::OpenPgp];

/// A person who signs, and their repository.
struct Signs {
    cli: Cli,
    repo: Repo,
}

impl Signs {
    fn new(by: By) -> Signs {
        let cli = Cli::default();
        cli.unattended();
        let repo = cli.repository("project");
        let signs = Signs { cli, repo };
        signs.configure("commit.gpgSign", "true");
        match by {
            By::Ssh => signs.ssh("ed25519"),
            By::Ecdsa => signs.ssh("ecdsa"),
            By::OpenPgp => signs.pgp(),
        }
        signs
    }

    fn home(&self, name: &str) -> PathBuf {
        self.cli.folder().join(name)
    }

    /// Sets something in the repository's configuration.
    fn configure(&self, name: &str, value: &str) {
        self.repo.git(&["config", name, value]);
    }

    fn ssh(&self, kind: &str) {
        let key = self.home("key");
        let out = Command::new("ssh-keygen").args(["-q", "-t", kind, "-N", "", "-f"]).arg(&key).output().unwrap();
        assert!(out.status.success(), "{out:?}");
        let public = fs::read_to_string(key.with_extension("pub")).unwrap();
        fs::write(self.home("allowed"), format!("ada@example.org {public}")).unwrap();
        self.configure("gpg.format", "ssh");
        self.configure("user.signingKey", key.to_str().unwrap());
        self.configure("gpg.ssh.allowedSignersFile", self.home("allowed").to_str().unwrap());
    }

    fn pgp(&self) {
        let home = self.home("gnupg");
        fs::create_dir(&home).unwrap();
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).unwrap();
        let make = ["--batch", "--quiet", "--passphrase", "", "--quick-generate-key", ADA, "ed25519", "sign"];
        let out = Command::new("gpg").args(make).env("GNUPGHOME", &home).output().expect("gpg is there");
        assert!(out.status.success(), "{out:?}");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cli.command(arguments);
        command.env("GNUPGHOME", self.home("gnupg"));
        command
    }

    fn gitgate(&self, arguments: &[&str]) -> Out {
        finish(&mut self.command(arguments), b"")
    }

    /// A sandbox of the repository, which pushes to its branch `main`.
    fn opened(&self) {
        self.gitgate(&["new", "--from", self.repo.path(), "--identity", ADA]).ok();
    }

    /// Stages a file of the sandbox's own, and returns the commit's id.
    fn stage(&self, path: &str) -> String {
        let written = json!({ "path": path, "content": format!("{path}\n") });
        self.gitgate(&["call", "write_file", &written.to_string()]).ok();
        let staged = json!({ "files": [path], "message": format!("Add {path}") });
        let out = self.gitgate(&["call", "git_stage", &staged.to_string(), "--yes", "--json"]).ok();
        out.json()["structured"]["commitSha"].as_str().unwrap().to_owned()
    }

    fn call(&self, tool: &str) -> serde_json::Value {
        self.gitgate(&["call", tool, "{}", "--json"]).ok().json()["structured"].clone()
    }

    /// Whether git takes a commit for one that the person has signed.
    fn is_verified(&self, repo: &Repo, commit: &str) -> bool {
        let script = format!("git -C '{}' verify-commit {commit}", repo.path());
        let mut command = self.cli.shell("sh", &script);
        finish(command.env("GNUPGHOME", self.home("gnupg")), b"").code == 0
    }
}

impl Drop for Signs {
    fn drop(&mut self) {
        // gpg has started its agent, which would live for another minute.
        let kill = ["--kill", "gpg-agent"];
        drop(Command::new("gpgconf").args(kill).env("GNUPGHOME", self.home("gnupg")).output());
    }
}

#[test]
fn what_is_shown_is_signed_and_what_is_approved_lands() {
    for by in ALL {
        let signs = Signs::new(by);
        signs.opened();
        let base = signs.repo.id("main");
        let [first, _] = ["a", "b"].map(|path| signs.stage(path));
        let shown = signs.gitgate(&["push"]).exits(3);
        assert_eq!(shown.stdout.matches("\nSigned: with your key\n").count(), 2, "{by:?}: {shown:#?}");
        assert_eq!(signs.repo.id("main"), base);
        // The sandbox has no signature before it is approved.
        let raw = signs.gitgate(&["call", "bash", r#"{"command": "git cat-file -p HEAD"}"#]).ok();
        assert!(!raw.stdout.contains("gpgsig"), "{by:?}: {raw:#?}");
        signs.gitgate(&["push", "--approve", &digest(&shown)]).ok();
        for commit in ["main", "main~1"] {
            assert!(signs.is_verified(&signs.repo, commit), "{by:?}: {commit}");
        }
        assert_eq!(signs.repo.id("main~2"), base);
        assert_ne!(signs.repo.id("main~1"), first);
        signs.repo.git(&["fsck", "--strict"]);
        // The sandbox goes on from there.
        let log = signs.call("git_log");
        assert_eq!(log["commits"][0]["commitId"], signs.repo.id("main"), "{by:?}: {log}");
        assert_eq!(signs.call("git_status")["staged"], json!([]), "{by:?}");
        signs.stage("c");
        signs.gitgate(&["push", "--yes"]).ok();
        assert!(signs.is_verified(&signs.repo, "main"), "{by:?}");
        assert_eq!(signs.repo.git(&["log", "--format=%s", "-3", "main"]), "Add c\nAdd b\nAdd a");
    }
}

#[test]
fn commits_that_stay_in_the_sandbox_follow_the_signed_ones() {
    let signs = Signs::new(By::Ssh);
    signs.opened();
    let [first, second] = ["a", "b"].map(|path| signs.stage(path));
    signs.gitgate(&["push", &first, "--yes"]).ok();
    let log = signs.call("git_log");
    assert_eq!(log["commits"][1]["commitId"], signs.repo.id("main"));
    assert_ne!(log["commits"][0]["commitId"], second.as_str());
    // It is still found by its name.
    signs.gitgate(&["push", &second, "--yes"]).ok();
    assert!(signs.is_verified(&signs.repo, "main"));
    assert_eq!(signs.repo.git(&["log", "--format=%s", "-2", "main"]), "Add b\nAdd a");
    // A commit by itself is made again on the branch, and signed as it is there.
    let [_, fourth] = ["c", "d"].map(|path| signs.stage(path));
    signs.gitgate(&["push", &fourth, "--only", "--yes"]).ok();
    assert!(signs.is_verified(&signs.repo, "main"));
    assert_eq!(signs.repo.git(&["log", "--format=%s", "-2", "main"]), "Add d\nAdd b");
    let staged = signs.call("git_status")["staged"].clone();
    assert_eq!(staged.as_array().unwrap().len(), 1, "{staged}");
}

#[test]
fn a_signed_push_that_landed_as_gitgate_was_killed_is_noted_at_the_next_start() {
    let signs = Signs::new(By::Ecdsa);
    signs.opened();
    let [first, _] = ["a", "b"].map(|path| signs.stage(path));
    let shown = digest(&signs.gitgate(&["push", &first]).exits(3));
    let saved = save_home(&signs.cli);
    signs.gitgate(&["push", &first, "--approve", &shown]).ok();
    restore_home_without_outcome(&signs.cli, &saved);
    let status = signs.gitgate(&["status"]).ok();
    assert!(status.stderr.contains("was interrupted; it has landed"), "{status:#?}");
    let log = signs.call("git_log");
    assert_eq!(log["commits"][1]["commitId"], signs.repo.id("main"), "{log}");
    signs.gitgate(&["push", "--yes"]).ok();
    assert!(signs.is_verified(&signs.repo, "main"));
}

#[test]
fn what_cannot_be_signed_does_not_leave() {
    for (name, value) in [("user.signingKey", "/nowhere/key"), ("gpg.format", "wax"), ("gpg.format", "openpgp")] {
        let signs = Signs::new(By::Ssh);
        signs.configure(name, value);
        signs.opened();
        let base = signs.repo.id("main");
        signs.stage("a");
        let out = signs.gitgate(&["push", "--yes"]).fails(1);
        assert!(out.stderr.contains("the commits are to be signed (commit.gpgSign), but "), "{value}: {out:#?}");
        assert_eq!(signs.repo.id("main"), base);
        // It waits on, until signing works or is not wanted.
        signs.configure("commit.gpgSign", "false");
        signs.gitgate(&["push", "--yes"]).ok();
        assert!(!signs.repo.git(&["cat-file", "commit", "main"]).contains("gpgsig"));
    }
}

#[test]
fn attack_10_no_program_runs_that_the_repositorys_configuration_names() {
    let signs = Signs::new(By::Ssh);
    let program = signs.home("program");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", signs.home("canary").display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["gpg.program", "gpg.ssh.program", "gpg.openpgp.program", "gpg.ssh.defaultKeyCommand"] {
        signs.configure(name, program.to_str().unwrap());
    }
    signs.opened();
    signs.stage("a");
    signs.gitgate(&["push", "--yes"]).ok();
    assert!(!signs.home("canary").exists());
    // git itself would verify with that program.
    signs.repo.git(&["config", "--unset", "gpg.ssh.program"]);
    assert!(signs.is_verified(&signs.repo, "main"));
}

#[test]
fn what_goes_to_a_server_is_signed_as_the_person_says_for_all() {
    let signs = Signs::new(By::Ssh);
    let served = signs.home("served");
    fs::create_dir(&served).unwrap();
    let bare = signs.repo.bare_clone(&served.join("project.git"));
    let backend = Backend::of(served);
    let server = Server::new(move |seen| backend.reply(seen));
    let config = signs.home("config");
    let key = signs.home("key");
    let text = format!("[commit]\ngpgSign = yes\n[gpg]\nformat = ssh\n[user]\nsigningKey = {}\n", key.display());
    fs::write(&config, text).unwrap();
    let gitgate = |arguments: &[&str]| {
        let mut command = signs.command(arguments);
        finish(command.env("GIT_CONFIG_GLOBAL", &config), b"")
    };
    gitgate(&["new", "--from", &format!("{}/project.git", server.url()), "--identity", ADA]).ok();
    signs.stage("a");
    gitgate(&["push", "--yes"]).ok();
    bare.git(&["config", "gpg.ssh.allowedSignersFile", signs.home("allowed").to_str().unwrap()]);
    assert!(signs.is_verified(&bare, "main"));
    bare.git(&["fsck", "--strict"]);
}

#[test]
fn whose_signature_a_pulled_commit_has_is_said() {
    for by in [By::Ssh, By::OpenPgp] {
        let signs = Signs::new(by);
        signs.opened();
        let commit = |path: &str, more: &str| {
            let script = format!(
                "cd '{}' && echo x > {path} && git add {path} && git commit -qm {path} {more}",
                signs.repo.path()
            );
            let mut command = signs.cli.shell("sh", &script);
            command.env("GNUPGHOME", signs.home("gnupg"));
            for role in ["AUTHOR", "COMMITTER"] {
                command
                    .env(format!("GIT_{role}_NAME"), "Ada Example")
                    .env(format!("GIT_{role}_EMAIL"), "ada@example.org");
            }
            finish(&mut command, b"").ok();
        };
        let allowed = signs.home("allowed");
        fs::write(signs.home("config"), format!("[gpg \"ssh\"]\nallowedSignersFile = {}\n", allowed.display()))
            .unwrap();
        let pulled = || {
            let mut command = signs.command(&["pull", "--yes"]);
            finish(command.env("GIT_CONFIG_GLOBAL", signs.home("config")), b"").ok().stdout
        };
        commit("first", "");
        let said = pulled();
        assert!(said.contains(" is signed by ") && said.contains("ada@example.org"), "{by:?}: {said}");
        commit("plain", "--no-gpg-sign");
        let said = pulled();
        assert!(!said.contains("sign"), "{by:?}: {said}");
        if by == By::Ssh {
            commit("again", "");
            fs::write(signs.home("config"), "").unwrap();
            assert!(pulled().contains("is signed with a key that nobody here vouches for"));
        }
        // The same signature on another commit.
        let raw = signs.repo.git(&["cat-file", "commit", "main"]);
        if raw.contains("gpgsig") {
            let forged = format!("{}\n", raw.replace("again", "other"));
            let id = signs.repo.try_git(&["hash-object", "-t", "commit", "-w", "--stdin"], forged.as_bytes()).stdout;
            signs.repo.git(&["reset", "-q", "--hard", String::from_utf8(id).unwrap().trim()]);
            let said = signs.gitgate(&["pull", "--yes"]);
            assert!(said.stdout.contains("has a signature that does not fit it"), "{said:#?}");
        }
    }
}
