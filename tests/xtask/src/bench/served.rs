//! Measures gitgate as a server of git against `git http-backend`, on loopback, with git as the client of both.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::far::Backend;
use super::measure::{FILES, ROUNDS, content, names};
use super::memory;
use super::place::{Place, git};
use super::timing::{Pair, pair, spawn, time};

/// What the server of git costs.
pub struct Served {
    pub times: Vec<(&'static str, Pair)>,
    /// Bytes of the pack that a clone gets.
    pub pack: u64,
    /// By how many bytes the server's memory grows from when it knows the repository to the most that it has during clones. `None` if the
    /// system does not tell.
    pub grown: Option<u64>,
}

/// `gitgate serve`. Ends when this is dropped.
struct Server {
    child: Child,
    _output: BufReader<ChildStdout>,
    address: String,
    operator: String,
}

impl Server {
    fn start(mut gitgate: Command) -> Result<Server> {
        gitgate.args(["serve", "--listen", "127.0.0.1:0", "--json"]);
        let mut child = gitgate.stdout(Stdio::piped()).spawn().context("gitgate was built")?;
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        output.read_line(&mut line)?;
        let told: Value = serde_json::from_str(&line).with_context(|| format!("gitgate serve says {line:?}"))?;
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let address = text("url").trim_start_matches("http://").to_owned();
        Ok(Server { child, _output: output, address, operator: text("token") })
    }

    /// A token of the sandbox.
    fn token(&self, by: &str, role: &str) -> Result<String> {
        let body = json!({ "role": role }).to_string();
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "POST /sandboxes/bench/tokens HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {by}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("an answer has a head")?;
        let made: Value = serde_json::from_str(body)?;
        Ok(made["token"].as_str().with_context(|| format!("no token is made: {made}"))?.to_owned())
    }

    /// The most memory that the process has had.
    fn peak(&self) -> Option<u64> {
        memory::peak(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has nothing to save, and the measurement is complete.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Measures with the repository, whose only branch is main.
pub fn all(gitgate: &Path, folder: &Path, repo: &Path) -> Result<Served> {
    let place = Place::new(gitgate, &folder.join("served"))?;
    // An agent's push is proposed, and waits.
    std::fs::write(place.folder.join("home/gitgate.toml"), "[tools.git]\npush = \"assisted\"\n")?;
    let bare = place.folder.join("project.git");
    spawn(git(&place.folder).args(["clone", "--quiet", "--bare", "--no-local"]).arg(repo).arg(&bare))?;
    spawn(git(&bare).args(["config", "http.receivepack", "true"]))?;
    let backend = Backend::start(&place.folder)?;
    let theirs = backend.url();
    spawn(&mut place.opening("bench", &format!("local:{}", repo.to_str().context("the folder's name is UTF-8")?)))?;
    let server = Server::start(place.whole())?;
    let token = server.token(&server.token(&server.operator, "owner")?, "agent")?;
    let ours = format!("http://x:{token}@{}/git/bench", server.address);
    // The first request opens the sandbox.
    spawn(git(&place.folder).args(["ls-remote", &ours]))?;
    let known = server.peak();
    let clone =
        |url: &str, name: &str| spawn(git(&place.folder).args(["clone", "--quiet", url]).arg(place.folder.join(name)));
    let again = |url: &str, name: &str| {
        let took = time(|| clone(url, name))?;
        std::fs::remove_dir_all(place.folder.join(name))?;
        anyhow::Ok(took)
    };
    let cloned = pair(ROUNDS[2], |_| Ok((again(&theirs, "theirs")?, again(&ours, "ours")?)))?;
    let grown = server.peak().zip(known).map(|(peak, known)| peak - known);
    clone(&theirs, "theirs")?;
    clone(&ours, "ours")?;
    let folders = ["theirs", "ours"].map(|name| place.folder.join(name));
    let pack = pack_size(&folders[1])?;
    let fetch = |folder: &Path| time(|| spawn(git(folder).args(["fetch", "--quiet", "origin"])));
    let fetched = pair(ROUNDS[1], |_| Ok((fetch(&folders[0])?, fetch(&folders[1])?)))?;
    let files: Vec<String> = names(FILES).collect();
    let mut is_first = true;
    let pushed = pair(ROUNDS[1], |round| {
        for folder in &folders {
            for name in &files {
                std::fs::write(folder.join(name), content(name, round))?;
            }
            let amend: &[&str] = if is_first { &[] } else { &["--amend"] };
            spawn(git(folder).args(["commit", "--quiet", "--all", "-m", "Change"]).args(amend))?;
        }
        is_first = false;
        // Both send what the branch has that is not in main.
        let push = |folder: &Path, spec: &str| time(|| spawn(git(folder).args(["push", "--quiet", "origin", spec])));
        Ok((push(&folders[0], "+HEAD:theirs")?, push(&folders[1], "HEAD:main")?))
    })?;
    let times = vec![
        ("clone of L", cloned),
        ("fetch of nothing new of L", fetched),
        ("push of 10 files to L, until it is proposed", pushed),
    ];
    Ok(Served { times, pack, grown })
}

/// The bytes of a clone's packs.
fn pack_size(clone: &Path) -> Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(clone.join(".git/objects/pack"))? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "pack") {
            size += entry.metadata()?.len();
        }
    }
    ensure!(size > 0, "the clone has no pack");
    Ok(size)
}
