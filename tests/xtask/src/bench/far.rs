//! Measures operations over the network, on loopback: git and gitgate with `git http-backend`, and gitgate with a stand-in for GitHub. The
//! stand-in is a node program that answers one request for each object.

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
pub struct Backend {
    child: Child,
    /// Closing this ends the process.
    input: Option<ChildStdin>,
    port: u16,
}

impl Backend {
    /// Serves the repositories below `folder`.
    pub fn start(folder: &Path) -> Result<Backend> {
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

    /// The address of `project.git`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/project.git", self.port)
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.input.take();
        // The server has nothing to save, and the measurement is complete.
        let _ = self.child.wait();
    }
}

/// Measures on the small and the large repository, whose only branch is main.
pub fn all(gitgate: &Path, folder: &Path, [small, large]: [&Path; 2]) -> Result<Vec<(&'static str, Pair)>> {
    let served = |repo: &Path| {
        let place = Place::new(gitgate, &folder.join("far"))?;
        let bare = place.folder.join("project.git");
        spawn(git(&place.folder).args(["clone", "--quiet", "--bare", "--no-local"]).arg(repo).arg(&bare))?;
        spawn(git(&bare).args(["config", "http.receivepack", "true"]))?;
        let backend = Backend::start(&place.folder)?;
        anyhow::Ok((place, backend))
    };
    let (place, backend) = served(large)?;
    let far = Far::new(place, &backend, None);
    let mut rows = vec![
        ("import of L, against `git clone`", far.import(None)?),
        ("import of the newest commit of L, against `git clone --depth 1`", far.import(Some("1"))?),
        ("push of 10 files to L, against `git push`", far.push()?),
    ];
    let (place, backend) = served(small)?;
    let there = StandIn::start(&folder.join("emulate"));
    there.ask(&["load", small.to_str().context("the target folder's name is UTF-8")?, "main"]);
    let far = Far::new(place, &backend, Some(there));
    rows.extend([
        ("import of the newest commit of S by GitHub's API, against `git clone --depth 1`", far.import(Some("1"))?),
        ("push of 10 files to S by GitHub's API, against `git push`", far.push()?),
    ]);
    Ok(rows)
}

struct Far {
    place: Place,
    /// git's own server.
    url: String,
    /// Where gitgate goes instead, if it does not go there.
    github: Option<StandIn>,
}

impl Far {
    fn new(place: Place, backend: &Backend, github: Option<StandIn>) -> Far {
        Far { place, url: backend.url(), github }
    }

    fn gitgate(&self, name: &str) -> Command {
        let mut command = self.place.gitgate(name);
        if let Some(there) = &self.github {
            command.env("GITHUB_API_URL", there.base()).env("GITHUB_TOKEN", TOKEN);
        }
        command
    }

    /// Where a sandbox comes from, and goes to.
    fn source(&self) -> String {
        if self.github.is_some() { "github:ada/project".to_owned() } else { format!("git:{}", self.url) }
    }

    /// Imports a sandbox. From GitHub's API that is a shallow one: the server allows 5,000 requests an hour, and the whole history has more
    /// objects.
    fn create(&self, name: &str, depth: Option<&str>) -> Result<()> {
        let mut command = self.gitgate(name);
        command.args(["new", "--push-to", "origin", "--from", &self.source()]);
        command.args(depth.map_or(Vec::new(), |depth| vec!["--depth", depth]));
        spawn(command.args(["--identity", "Ada <ada@example.org>"]))
    }

    fn clone(&self, clone: &Path, depth: Option<&str>) -> Result<()> {
        let mut command = git(&self.place.folder);
        command.args(["clone", "--quiet"]).args(depth.map_or(Vec::new(), |depth| vec!["--depth", depth]));
        spawn(command.arg(&self.url).arg(clone))
    }

    fn import(&self, depth: Option<&str>) -> Result<Pair> {
        let clone = self.place.folder.join("import");
        pair(ROUNDS[2], |_| {
            let cloned = time(|| self.clone(&clone, depth))?;
            std::fs::remove_dir_all(&clone)?;
            let imported = time(|| self.create("import", depth))?;
            spawn(self.gitgate("import").args(["rm", "import"]))?;
            Ok((cloned, imported))
        })
    }

    fn push(&self) -> Result<Pair> {
        let clone = self.place.folder.join("clone");
        self.clone(&clone, Some("1"))?;
        // git and gitgate push to branches of their own where they share a server.
        spawn(git(&clone).args(["checkout", "--quiet", "-b", "theirs"]))?;
        self.create("bench", Some("1"))?;
        let mut host = Host::start(self.gitgate("bench"))?;
        let source = self.source();
        let (kind, repo) = source.split_once(':').context("a source has a kind")?;
        let target = json!({ "type": kind, "repo": repo });
        let files: Vec<String> = names(FILES).collect();
        let times = pair(ROUNDS[1], |round| {
            for name in &files {
                let content = content(name, round);
                std::fs::write(clone.join(name), &content)?;
                host.call("write_file", &json!({ "path": name, "content": content }))?;
            }
            spawn(git(&clone).args(["commit", "--quiet", "--all", "-m", "Change"]))?;
            let staged = host.call("git_stage", &json!({ "files": files, "message": "Change" }))?;
            let pushed = time(|| spawn(git(&clone).args(["push", "--quiet", "origin", "theirs"])))?;
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
