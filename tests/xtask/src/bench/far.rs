//! Measures operations over the network, on loopback: gitgate with a stand-in for GitHub, and git with `git http-backend`. The stand-in is
//! a node program that answers one request for each object.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use trial::emulate::{StandIn, TOKEN};

use super::host::Host;
use super::measure::{FILES, ROUNDS, content, names};
use super::place::{Place, git};
use super::timing::{Pair, pair, spawn, time};

/// git's own server.
struct Backend {
    child: Child,
    /// Closing this ends the process.
    input: Option<ChildStdin>,
    port: u16,
}

impl Backend {
    fn start(folder: &Path) -> Result<Backend> {
        let script = folder.join("backend.mjs");
        std::fs::write(&script, include_str!("backend.mjs"))?;
        let mut node = Command::new("node");
        node.arg(&script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().context("node is needed")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line)?;
        let port = line.trim().parse().with_context(|| format!("backend.mjs says {line:?}"))?;
        Ok(Backend { input: child.stdin.take(), child, port })
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.input.take();
        // The server has nothing to save, and the measurement is complete.
        let _ = self.child.wait();
    }
}

/// Measures both on `repo`, whose only branch is main.
pub fn all(gitgate: &Path, folder: &Path, repo: &Path) -> Result<Vec<(&'static str, Pair)>> {
    let place = Place::new(gitgate, &folder.join("far"))?;
    let bare = place.folder.join("project.git");
    spawn(git(&place.folder).args(["clone", "--quiet", "--bare", "--no-local"]).arg(repo).arg(&bare))?;
    spawn(git(&bare).args(["config", "http.receivepack", "true"]))?;
    let backend = Backend::start(&place.folder)?;
    let url = format!("http://127.0.0.1:{}/project.git", backend.port);
    let there = StandIn::start(&folder.join("emulate"));
    there.ask(&["load", repo.to_str().context("the target folder's name is UTF-8")?, "main"]);
    let far = Far { place, url, there };
    Ok(vec![
        ("import of the newest commit, against `git clone --depth 1`", far.import()?),
        ("push of 10 files, against `git push`", far.push()?),
    ])
}

struct Far {
    place: Place,
    url: String,
    there: StandIn,
}

impl Far {
    fn gitgate(&self, name: &str) -> Command {
        let mut command = self.place.gitgate(name);
        command.env("GITHUB_API_URL", self.there.base()).env("GITHUB_TOKEN", TOKEN);
        command
    }

    /// Imports a shallow sandbox: the server allows 5,000 requests an hour, and the whole history has more objects.
    fn create(&self, name: &str) -> Result<()> {
        let from = ["new", "--push-to", "origin", "--from", "github:ada/project", "--depth", "1"];
        spawn(self.gitgate(name).args(from).args(["--identity", "Ada <ada@example.org>"]))
    }

    fn clone(&self, clone: &Path) -> Result<()> {
        spawn(git(&self.place.folder).args(["clone", "--quiet", "--depth", "1", &self.url]).arg(clone))
    }

    fn import(&self) -> Result<Pair> {
        let clone = self.place.folder.join("import");
        pair(ROUNDS[2], |_| {
            let cloned = time(|| self.clone(&clone))?;
            std::fs::remove_dir_all(&clone)?;
            let imported = time(|| self.create("import"))?;
            spawn(self.gitgate("import").args(["rm", "import"]))?;
            Ok((cloned, imported))
        })
    }

    fn push(&self) -> Result<Pair> {
        let clone = self.place.folder.join("clone");
        self.clone(&clone)?;
        self.create("bench")?;
        let mut host = Host::start(self.gitgate("bench"))?;
        let target = json!({ "type": "github", "repo": "ada/project" });
        let files: Vec<String> = names(FILES).collect();
        let times = pair(ROUNDS[1], |round| {
            for name in &files {
                let content = content(name, round);
                std::fs::write(clone.join(name), &content)?;
                host.call("write_file", &json!({ "path": name, "content": content }))?;
            }
            spawn(git(&clone).args(["commit", "--quiet", "--all", "-m", "Change"]))?;
            let staged = host.call("git_stage", &json!({ "files": files, "message": "Change" }))?;
            let pushed = time(|| spawn(git(&clone).args(["push", "--quiet"])))?;
            let push = || {
                let push = json!({ "commitId": staged["commitId"], "target": target });
                let pushed = host.call("git_push", &push)?;
                ensure!(pushed["status"] == "success", "the push has not landed: {pushed}");
                Ok(())
            };
            Ok((pushed, time(push)?))
        })?;
        host.end()?;
        Ok(times)
    }
}
