//! Measures isomorphic-git and wasm-git with the same operations, run by node in the same session.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::changes::{CHECKOUT, COMMIT, STASH};
use super::reads::STATUS;
use crate::step::Report;

/// The compared versions, which were the latest when this was written.
pub const PACKAGES: [&str; 3] = ["isomorphic-git@1.44.11", "memfs@4.64.0", "wasm-git@0.0.17"];

/// The packages that build a page of them.
const FOR_PAGES: [&str; 4] = ["esbuild@0.28.2", "buffer@6.0.3", "events@3.3.0", "path-browserify@1.0.1"];

/// The scripts, which are copied beside the packages.
const SCRIPTS: [(&str, &str); 14] = [
    ("app.mjs", include_str!("app.mjs")),
    ("backend.mjs", include_str!("backend.mjs")),
    ("buffer.mjs", include_str!("buffer.mjs")),
    ("edge.mjs", include_str!("edge.mjs")),
    ("hub.mjs", include_str!("hub.mjs")),
    ("operations.mjs", include_str!("operations.mjs")),
    ("page.mjs", include_str!("page.mjs")),
    ("pages.mjs", include_str!("pages.mjs")),
    ("peers.mjs", include_str!("peers.mjs")),
    ("profile.mjs", include_str!("profile.mjs")),
    ("repository.mjs", include_str!("repository.mjs")),
    ("seen.mjs", include_str!("seen.mjs")),
    ("served.mjs", include_str!("served.mjs")),
    ("streams.mjs", include_str!("streams.mjs")),
];

/// The operations that at least one of them has, by their names in the table and in the script.
const OPERATIONS: [(&str, &str); 8] = [
    (STATUS, "status"),
    ("log of 100 commits", "log"),
    ("log of a file with 300 revisions", "logOfFile"),
    ("diff of HEAD~50 and HEAD", "diff"),
    ("blame of a file with 300 revisions", "blame"),
    (CHECKOUT, "checkout"),
    (STASH, "stash"),
    (COMMIT, "commit"),
];

/// Medians of an operation. `None` if an implementation lacks it.
pub struct Peer {
    /// The name in the table of gitgate's own times.
    pub operation: &'static str,
    pub isomorphic: Option<Duration>,
    pub wasm: Option<Duration>,
}

/// Writes the scripts to `folder`, and installs missing packages.
pub fn install(folder: &Path) -> Result<Report> {
    std::fs::create_dir_all(folder)?;
    for (name, script) in SCRIPTS {
        std::fs::write(folder.join(name), script)?;
    }
    let mark = folder.join("installed");
    let packages = [PACKAGES.as_slice(), &FOR_PAGES].concat();
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(Report::default());
    }
    std::fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund"]).args(&packages).current_dir(folder);
    let output = npm.output().context("npm is needed")?;
    ensure!(output.status.success(), "npm install: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&mark, wanted)?;
    Ok(Report::note(packages.join(", ")))
}

/// Measures both on the repository `repo`. They change `files`, and show the log and blame of the first one.
pub fn measure(folder: &Path, repo: &Path, files: &[String], rounds: usize) -> Result<Vec<Peer>> {
    let mut node = Command::new("node");
    node.arg("--max-old-space-size=8192")
        .arg("peers.mjs")
        .arg(repo)
        .arg(rounds.to_string())
        .args(files)
        .current_dir(folder);
    let output = node.output().context("node is needed")?;
    ensure!(output.status.success(), "peers.mjs: {}", String::from_utf8_lossy(&output.stderr));
    let times = serde_json::from_slice(&output.stdout).context("peers.mjs prints JSON")?;
    Ok(read(&times))
}

/// Parses the output of a script.
pub fn read(times: &Value) -> Vec<Peer> {
    let time = |peer: &str, name: &str| milliseconds(&times[peer][name]);
    let peer = |(operation, name)| Peer { operation, isomorphic: time("isomorphic", name), wasm: time("wasm", name) };
    OPERATIONS.into_iter().map(peer).collect()
}

/// Parses a time in the output of a script.
pub fn milliseconds(time: &Value) -> Option<Duration> {
    time.as_f64().map(|ms| Duration::from_secs_f64(ms / 1000.0))
}
